"""What a seated person is: the constraint is the body's posture `sitting:KEY` (one owner, saved and read back with the body)."""

from __future__ import annotations

from actions.world import ActionWorld

SITTING = "sitting:"


def sitting_on(key: str) -> str:
    """The posture of a person who sits on an entity."""
    return SITTING + key


def seat_of(world: ActionWorld) -> str:
    """The key of what the person sits on, empty while standing."""
    posture = world.state.body.posture
    return posture.removeprefix(SITTING) if posture.startswith(SITTING) else ""

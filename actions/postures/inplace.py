"""Where a verb of the arm alone starts: as seated, or in the stance that an interruption left."""

from __future__ import annotations

from actions.motions import Segment
from actions.postures.seated import seat_of
from actions.starting import from_stance
from actions.world import ActionWorld
from assistcore.world.outcomes import Refusal


def ready_here(world: ActionWorld) -> tuple[ActionWorld, list[Segment]] | Refusal:
    """A fork that is ready, and the frames that bring the person there (none on a seat)."""
    return (world.fork(), []) if seat_of(world) else from_stance(world)

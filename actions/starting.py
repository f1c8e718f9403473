"""Where a plan starts: the canonical stance, after an interruption too; and the plan of what follows."""

from __future__ import annotations

from collections.abc import Sequence

from actions.manipulation.approach import recover
from actions.motions import Plan, Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal


def from_stance(world: ActionWorld) -> tuple[ActionWorld, list[Segment]] | Refusal:
    """A fork in the canonical stance, and the frames that bring the person there (after an interruption)."""
    there = world.fork()
    first = recover(world)
    for segment in first:
        if (hit := screen(there, segment)) is not None:
            return Refusal(Code.TRAJECTORY_COLLISION, f"coming back to a stance: {hit}", "wait or ask for something else")
        there.advance(segment)
    return there, first


def walk_plan(command: Command, first: Sequence[Segment], then: Sequence[Segment], notes: dict[str, object]) -> Plan:
    """A plan of these segments; segments without frames are left out."""
    return Plan(command, tuple(s for s in (*first, *then) if len(s)), notes)

"""Verbs of the arm alone: where they start (as seated, or in the stance that an interruption left), and what they do with what is held."""

from __future__ import annotations

from collections.abc import Callable

from actions.manipulation.commands import plan_of
from actions.motions import Plan, Segment
from actions.postures.seated import seat_of
from actions.postures.stepping import with_room
from actions.starting import from_stance
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.outcomes import Refusal


def ready_here(world: ActionWorld) -> tuple[ActionWorld, list[Segment]] | Refusal:
    """A fork that is ready, and the frames that bring the person there (none on a seat)."""
    return (world.fork(), []) if seat_of(world) else from_stance(world)


def with_held(world: ActionWorld, command: Command, key: str, move: Callable[[ActionWorld, str], Segment | Refusal]) -> Plan | Refusal:
    """What is held, moved by the arm alone: from here, else after a step back. Changes nothing."""
    ready = ready_here(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready

    def once(there: ActionWorld) -> list[Segment] | Refusal:
        found = move(there, key)
        return found if isinstance(found, Refusal) else [found]

    steps = with_room(here, once)
    return steps if isinstance(steps, Refusal) else plan_of(command, [*first, *steps])

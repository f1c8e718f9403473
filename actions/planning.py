"""What a command does from where the person is: its verb's plan, after getting up where the verb needs the feet."""

from __future__ import annotations

from dataclasses import replace

from actions.failures import complete
from actions.manipulation.parting import one_hand_off
from actions.manipulation.reach import Blocked
from actions.motions import LetGo, Plan, Segment
from actions.postures.handling import carried_again
from actions.postures.phoning import at_ear
from actions.postures.sitting import on_the_feet
from actions.travel import forget_walks
from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal

BOTH_HANDS = frozenset(
    ("navigate_to", "forward", "turn", "look_around", "look_at", "look_scan", "wait", "confirm", "place", "place_inside",
     "place_on_floor", "release")
)  # fmt: skip
"""Verbs that go on with what both hands hold."""


def plan_command(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command, screened, or why not, with the next step. Changes nothing.

    A seated person gets up first for every verb whose `INFO.seated` is off, as closed doors on a way are opened: an implicit part of it.
    Where a raised arm (a phone at the ear) is in the way of a verb, it comes down first.
    """
    forget_walks(world)
    planned = _planned(world, command)
    return complete(planned, command) if isinstance(planned, Refusal) else planned


def _planned(world: ActionWorld, command: Command) -> Plan | Refusal:
    module = load_verb(command.verb)
    ready = (world.fork(), list[Segment]()) if module.INFO.seated else on_the_feet(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    planned = module.plan(here, command) if not _both_hold(here) else _with_both(here, command)
    if _raised(here) and _in_the_way(planned):
        down = carried_again(here)
        again = module.plan(_after(here, [down]), command) if down is not None else planned
        if down is not None and isinstance(again, Plan):
            first, planned = [*first, down], again
    if isinstance(planned, Refusal) or not first:
        return planned
    return replace(planned, segments=(*first, *planned.segments), notes={**planned.notes, "before": [s.phase for s in first]})


def _both_hold(world: ActionWorld) -> bool:
    held = world.state.held
    return held is not None and held.second is not None


def _with_both(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The plan of a person who holds something with both hands; one of them comes off it first where the verb wants one, or cannot do
    with both."""
    module, held = load_verb(command.verb), world.state.held
    with_both = module.plan(world, command) if command.verb in BOTH_HANDS or module.INFO.hands == "empty" else None
    if isinstance(with_both, Plan) or module.INFO.hands == "empty":
        return with_both or Refusal(Code.HAND_FULL, "both hands hold something")
    ways = one_hand_off(world)
    if isinstance(ways, Blocked):
        what = f"{held.entity if held is not None else 'it'} is in both hands, and neither comes off it here: {ways.text}"
        return with_both or Refusal(Code.HAND_FULL, what, "put it down first")
    first: Refusal | None = None
    for off in ways:
        alone = module.plan(_after(world, off), command)
        if isinstance(alone, Plan):
            return replace(alone, segments=(*off, *alone.segments), notes={**alone.notes, "before": [s.phase for s in off]})
        first = first or alone
        if alone.code not in (Code.TRAJECTORY_COLLISION, Code.OUT_OF_REACH):
            break
    return first or Refusal(Code.HAND_FULL, "both hands hold something")


def _in_the_way(planned: Plan | Refusal) -> bool:
    """Whether an arm that is raised to the head keeps a plan from being made, or would drop what it holds on the own shoulder."""
    if isinstance(planned, Refusal):
        return planned.code == Code.TRAJECTORY_COLLISION
    return bool(planned.segments) and any(isinstance(effect, LetGo) for _, effect in planned.segments[0].effects)


def _raised(world: ActionWorld) -> bool:
    held = world.state.held
    return held is not None and at_ear(world, held.entity)


def _after(world: ActionWorld, segments: list[Segment]) -> ActionWorld:
    there = world.fork()
    for segment in segments:
        there.advance(segment)
    return there

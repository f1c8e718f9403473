"""What the verbs that open and close share: one plan for things with a joint, one for doors between rooms, one way to read it back."""

from __future__ import annotations

from actions.manipulation.commands import keys_of, known, plan_of
from actions.manipulation.drive import plan_drive
from actions.motions import Plan
from actions.starting import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.errors import nearest
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

OPEN_SHARE, CLOSED_SHARE = 0.9, 0.05
"""A door that is at least, or at most, this far open is open or closed already."""


def plan_thing(world: ActionWorld, command: Command, opening: bool) -> Plan | Refusal:
    """Open or close a drawer, cabinet, appliance or lid. Changes nothing."""
    if refusal := known(world, command, 1):
        return refusal
    return plan_of(command, plan_drive(world, keys_of(command)[0], opening))


def plan_door(world: ActionWorld, command: Command, opening: bool) -> Plan | Refusal:
    """Walk to the handle of a door between rooms and drive its hinge. Changes nothing."""
    refs = command.entities()
    if not refs:
        return Refusal(Code.BAD_ARGUMENT, f"{command.verb} needs a door", "name a door")
    key = refs[0].key
    entity = world.stage.by_key.get(key)
    if entity is None or key in world.state.removed:
        return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here", nearest(key, list(world.stage.by_key)))
    if entity.kind != "door" or not entity.joints:
        other = "Open" if opening else "Close"
        return Refusal(Code.NOT_AFFORDED, f"{key} is no door between rooms", f"use [{other}] for cupboards and drawers")
    shares = [world.state.open_fraction(world.stage, j.key) for j in entity.joints]
    if all(share >= OPEN_SHARE if opening else share <= CLOSED_SHARE for share in shares):
        return Refusal(Code.ALREADY, f"{key} is {_word(opening)} already ({100 * max(0.0, shares[0]):.0f} % open)")
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    steps = plan_drive(here, key, opening)
    return steps if isinstance(steps, Refusal) else walk_plan(command, first, steps, {"door": key})


def read_back(graph: SceneGraph, command: Command, opening: bool) -> Refusal | None:
    """The graph says that the named thing is open, or closed."""
    key = keys_of(command)[0]
    if graph.has(_word(opening), key):
        return None
    joint = graph.value(key, "joint")
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not {_word(opening)}: {joint} thousandths open", "try again")


def _word(opening: bool) -> str:
    return "open" if opening else "closed"

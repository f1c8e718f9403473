"""What tool verbs need before they begin: pure functions of the world that return the missing fact."""

from __future__ import annotations

from actions.manipulation.commands import describe, holding, keys_of, known
from actions.manipulation.surroundings import closed_above, enclosure
from actions.tools.tips import tip_of
from actions.world import ActionWorld
from assistcore.house.state import AttributeValue
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal


def fact(world: ActionWorld, key: str, name: str) -> AttributeValue | None:
    """An attribute of a thing now."""
    return world.state.attributes.get(key, {}).get(name)


def tool_in_hand(world: ActionWorld, command: Command, at: int, kinds: tuple[str, ...], what: str) -> Refusal | None:
    """The named tool (argument `at`) is in the hand and has a tip of one of these kinds; `what` it lacks otherwise."""
    if refusal := known(world, command, 2):
        return refusal
    keys = keys_of(command)
    tool, target = keys[at], keys[1 - at]
    if tool == target:
        return Refusal(Code.BAD_ARGUMENT, f"{tool} cannot be used on itself")
    if refusal := holding(world, tool):
        return refusal
    if tip_of(world.stage.entity(tool), *kinds) is None:
        return Refusal(Code.NOT_AFFORDED, f"{tool} is {describe(world.stage.entity(tool))} without {what}", "use another tool")
    return None


def in_the_open(world: ActionWorld, key: str) -> Refusal | None:
    """A movable target is neither shut away nor inside anything."""
    if world.stage.entity(key).kind != "movable":
        return None
    if refusal := closed_above(world, key):
        return refusal
    place = enclosure(world, key)
    if place is None:
        return None
    return Refusal(Code.NOT_AFFORDED, f"{key} is inside {place.entity}, where a tool cannot work on it", f"take {key} out first")

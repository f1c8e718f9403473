"""Cooking: food on heat is watched until it is done (RULES, Process time)."""

from __future__ import annotations

from dataclasses import replace

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe, empty_handed, keys_of, known
from actions.manipulation.inspect import look_here
from actions.manipulation.surroundings import centre_of
from actions.motions import Segment
from actions.tools.needs import fact
from actions.world import ActionWorld
from assistcore.house.household import heat_of, resting_place
from assistcore.house.read_graph import read_graph
from assistcore.world.clock import HOUSE_TICK_SECONDS, ticks_in
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal

BOUND_TICKS = ticks_in(600.0, HOUSE_TICK_SECONDS)
"""A person does not stand at the stove for longer than ten minutes."""


def missing(world: ActionWorld, command: Command) -> Refusal | None:
    """What cooking lacks now, or None."""
    if refusal := known(world, command, 1):
        return refusal
    key = keys_of(command)[0]
    entity = world.stage.entity(key)
    if refusal := empty_handed(world):
        return refusal
    if "cookable" not in entity.roles:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} that cannot be cooked", "name something to eat")
    if fact(world, key, "cooked") is True:
        return Refusal(Code.ALREADY, f"{key} is cooked already" + (", and burnt" if fact(world, key, "burnt") is True else ""))
    rule, graph = heat_of(world.stage), read_graph(world.stage, world.state)
    heater = resting_place(graph, key, rule.heaters)
    if not heater:
        return Refusal(
            Code.NOT_AFFORDED, f"{key} is neither in nor on anything that cooks", "put it into a pan on the hob, or into the oven"
        )
    if graph.value(heater, "closed") is False:
        return Refusal(Code.NOT_AFFORDED, f"{heater}, in which {key} is, is open", f"close {heater} first")
    if not graph.has("running", heater):
        return Refusal(Code.NOT_AFFORDED, f"{heater}, where {key} is, is off", f"turn {heater} on first")
    return None


def plan_cook(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """Walk to where the food cooks and bend the head to it; the rest is waiting. Changes nothing."""
    graph = read_graph(world.stage, world.state)
    heater = resting_place(graph, key, heat_of(world.stage).heaters)
    entity = world.stage.entity(heater)
    facing = -world.state.root(world.stage, heater)[:2, 1]
    return with_stance(
        world,
        Goal(entity.key, centre_of(world, key), (float(facing[0]), float(facing[1])), 1.0, far_m=0.95, comfort_m=0.6),
        lambda there: _watched(there, key),
    )


def _watched(world: ActionWorld, key: str) -> list[Segment]:
    """The eyes on the food, where the head can be turned to it; they stay there until the next movement."""
    look = look_here(world, centre_of(world, key))
    return [replace(look[0], phase="watch", marks=())] if look else []

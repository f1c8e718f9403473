"""Stirring: the head of a held spoon goes down into a vessel and round in circles (seed B.2.2, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe, keys_of
from actions.manipulation.grab import Failure
from actions.manipulation.reach import standing
from actions.manipulation.surroundings import Place, regions_of, shut, world_box
from actions.motions import Segment, SetAttribute
from actions.tools import curves
from actions.tools.needs import fact, in_the_open, tool_in_hand
from actions.tools.sweep import Swept
from actions.tools.tips import Tool, held_tool, tip_of
from actions.tools.working import Job, Way, work_here
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal

F64 = NDArray[np.float64]

TURNS = 3
MARGIN_M = 0.004
LEAST_CIRCLE_M = 0.003
MOST_CIRCLE_M = 0.045
ABOVE_M = 0.04
"""How far over the rim the head comes in and leaves."""
DEPTHS_M = (0.010, 0.025, 0.045, 0.070, 0.095)
"""Heights of the head over the bottom, the deepest first; the hand must stay off the rim."""
TILTS_DEG = (0.0, 15.0, 30.0, 45.0)
AZIMUTHS_DEG = tuple(range(0, 360, 45))
SPINS_DEG = tuple(range(0, 360, 45))


def vessel_of(world: ActionWorld, key: str) -> Place | None:
    """The interior of something that is open at the top, or None."""
    upward = [p for p in regions_of(world, key) if p.region.kind == "interior" and p.opening[2] > 0.9]
    return upward[0] if upward else None


def no_vessel(world: ActionWorld, key: str) -> Refusal:
    """Why something is no vessel that is open at the top."""
    entity = world.stage.entity(key)
    if any(r.kind == "interior" and r.opening[2] > 0.9 for r in entity.regions):
        return Refusal(Code.NOT_AFFORDED, f"{key} does not stand upright", "take it and set it down again")
    return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} that holds nothing from above", "name a cup, bowl or pot")


def open_vessel(world: ActionWorld, key: str) -> Place | Refusal:
    """The interior of something that can be reached into from above now, or why it cannot."""
    place = vessel_of(world, key)
    if place is None:
        return no_vessel(world, key)
    if owner := shut(world, place):
        return Refusal(Code.CLOSED, f"{owner} is closed", f"open {owner} first")
    return in_the_open(world, key) or place


def missing(world: ActionWorld, command: Command) -> Refusal | None:
    """What stirring lacks now, or None."""
    if refusal := tool_in_hand(world, command, 1, ("tip",), "a head to stir with"):
        return refusal
    target, tool = keys_of(command)[:2]
    place = open_vessel(world, target)
    if isinstance(place, Refusal):
        return place
    tip = tip_of(world.stage.entity(tool), "tip")
    room, needs = _room_m(place), (tip.size_m[0] if tip is not None else 0.0) + 2.0 * (MARGIN_M + LEAST_CIRCLE_M)
    if room < needs:
        return Refusal(
            Code.DOES_NOT_FIT, f"the head of {tool} needs {needs:.3f} m to turn, {target} has {room:.3f} m", "use a smaller spoon"
        )
    return None


def _room_m(place: Place) -> float:
    """Width of a vessel; a region is the square inside its round wall."""
    size = np.subtract(place.region.high_m, place.region.low_m)
    return float(min(size[0], size[1])) * 1.15


def plan_stir(world: ActionWorld, target: str) -> list[Segment] | Refusal:
    """Walk up, dip the spoon, stir, take it out. Changes nothing."""
    place = vessel_of(world, target)
    if place is None:
        return Refusal(Code.NOT_AFFORDED, f"{target} has nothing to stir in")
    return with_stance(world, Goal(target, _middle(place, place.region.high_m[2])), lambda there: _here(there, target))


def _middle(place: Place, z_m: float) -> F64:
    low, high = np.asarray(place.region.low_m), np.asarray(place.region.high_m)
    local = np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), z_m, 1.0])
    point: F64 = (place.T_region @ local)[:3]
    return point


def _here(world: ActionWorld, target: str) -> list[Segment] | Failure:
    held, tool, place = world.state.held, held_tool(world, "tip"), vessel_of(world, target)
    if held is None or tool is None or place is None:
        return Failure(0, Refusal(Code.NOT_HELD, "there is no spoon in the hand", "take one first"))

    def effects(swept: Swept) -> tuple[tuple[int, SetAttribute], ...]:
        round_ = swept.ends[1]
        found = [(round_, SetAttribute(target, "stirred", True)), (round_, SetAttribute(tool.key, "used", True))]
        if fact(world, target, "volume_ml"):
            found.append((round_, SetAttribute(tool.key, "clean", False)))
        return tuple(found)

    bottom, rim = _middle(place, place.region.low_m[2]), _middle(place, place.region.high_m[2])
    rules = Allowed(target=target, held=tool.key)
    floor_m = max(float(world_box(world, target)[0][2]), float(rim[2]) - 0.06)
    job = Job(f"stirring {target}", "stir", rim, rules, effects, floor_m, pace=0.55)
    return work_here(standing(world, held.hand), tool, job, list(_ways(tool, place, bottom, rim)))


def _ways(tool: Tool, place: Place, bottom: F64, rim: F64) -> Iterator[Way]:
    """Spoon attitudes and depths, upright and deep ones first."""
    radius = float(np.clip(0.5 * (_room_m(place) - tool.tip.size_m[0]) - MARGIN_M, LEAST_CIRCLE_M, MOST_CIRCLE_M))
    height = float(rim[2] - bottom[2])
    for depth in [d for d in DEPTHS_M if d < height - 0.01] or [0.5 * height]:
        centre = bottom + np.array([0.0, 0.0, depth])
        for tilt in TILTS_DEG:
            for azimuth in AZIMUTHS_DEG if tilt else (0,):
                for spin in SPINS_DEG:
                    R = curves.attitude(*np.radians([azimuth, tilt])) @ curves.attitude(np.radians(spin))
                    at = curves.frames(R, centre[None])[0]
                    over = float(rim[2]) + ABOVE_M
                    yield Way(at, partial(_legs, R, centre, radius, over), 0.012 * tilt + 12.0 * depth)


def _legs(R: F64, centre: F64, radius_m: float, over_m: float) -> Sequence[curves.Legs]:
    """Down at the wall's side of the circle, round, and up again."""
    ring = curves.circle(R, centre, radius_m, TURNS)
    start = ring[0, :3, 3]
    over = np.array([start[0], start[1], over_m])
    return ([curves.straight(R, over, start), ring, curves.straight(R, ring[-1, :3, 3], over)],)

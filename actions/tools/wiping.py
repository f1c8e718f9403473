"""Wiping: the face of a sponge or towel sweeps a surface in lanes; spills and stains under it go (seed B.2.2, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe, graspable, keys_of, known
from actions.manipulation.grab import Failure
from actions.manipulation.reach import standing
from actions.manipulation.surroundings import closed_above, regions_of
from actions.motions import Segment, SetAttribute
from actions.screening import collision_world
from actions.tools import curves
from actions.tools.needs import fact, in_the_open
from actions.tools.sweep import Swept
from actions.tools.taking import taken
from actions.tools.tips import Tool, held_tool, tip_of
from actions.tools.working import Job, Way, work_here
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal

F64 = NDArray[np.float64]

PRESS_M = 0.0015
OVER_M = 0.06
PATCH_HALF_M = (0.075, 0.06)
"""How far from the middle of a spill or stain the middle of the face goes, along a lane and across."""
FREE_HALF_M = (0.10, 0.05)
LANE_SHARE = 0.8
"""Distance of lanes as a share of the face's width."""
SPINS_DEG = tuple(range(0, 360, 30))
LANES_DEG = (0, 90)
SHRINKS = (1.0, 0.5)
LOOKED_AT = 24
TILTS_DEG = (0.0, 10.0, 18.0)
SPOTS = ((0.5, 0.5), (0.3, 0.5), (0.7, 0.5), (0.5, 0.3), (0.5, 0.7), (0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8))
MOST_PATCHES, MOST_FREE = 4, 8


@dataclass(frozen=True, eq=False)
class Area:
    """What one sweep covers: the thing named, its middle (3,) on the surface, half extents along and across a lane, and patches in it."""

    target: str
    middle_m: F64
    half_m: tuple[float, float]
    patches: tuple[str, ...] = ()


def sorted_out(world: ActionWorld, command: Command) -> tuple[str, str] | Refusal:
    """Tool and target, in whichever order they were named; a refusal where neither wipes."""
    if refusal := known(world, command, 2):
        return refusal
    first, second = keys_of(command)[:2]
    if first == second:
        return Refusal(Code.BAD_ARGUMENT, f"{first} cannot be wiped with itself")
    for tool, target in ((first, second), (second, first)):
        if tip_of(world.stage.entity(tool), "face") is not None:
            return tool, target
    return Refusal(Code.NOT_AFFORDED, f"neither {first} nor {second} can wipe", "use a sponge or a towel")


def missing(world: ActionWorld, command: Command) -> Refusal | None:
    """What wiping lacks now, or None."""
    pair = sorted_out(world, command)
    if isinstance(pair, Refusal):
        return pair
    tool, target = pair
    held = world.state.held
    if held is not None and held.entity != tool:
        return Refusal(Code.HAND_FULL, f"{held.entity} is in the {held.hand} hand", f"put {held.entity} down first")
    if held is None and (refusal := graspable(world, tool) or closed_above(world, tool)):
        return refusal
    if not areas(world, target):
        return Refusal(Code.NOT_AFFORDED, f"{target} is {describe(world.stage.entity(target))} without a surface to wipe", "name a surface")
    if "stain" in world.stage.entity(target).roles and fact(world, tool, "wet") is not True:
        return Refusal(Code.NOT_AFFORDED, f"{tool} is dry and takes no stain off", f"put {tool} into a sink and turn the tap on first")
    return in_the_open(world, target)


def areas(world: ActionWorld, target: str) -> list[Area]:
    """What is swept for a target: the patch itself, every patch that lies on a surface, else free parts of the surface."""
    entity = world.stage.entity(target)
    if "patch" in entity.roles:
        return [Area(target, np.asarray(entity.pose.position_m, np.float64), PATCH_HALF_M, (target,))]
    surfaces = [p for p in regions_of(world, target) if p.region.kind == "surface"]
    found, free = [], []
    gone = world.state.absent(world.stage)
    for place in surfaces:
        low, high = np.asarray(place.region.low_m), np.asarray(place.region.high_m)
        for key in world.stage.patches:
            point = np.asarray(world.stage.entity(key).pose.position_m, np.float64)
            local = np.linalg.inv(place.T_region) @ np.append(point, 1.0)
            if key not in gone and (local[:2] > low[:2]).all() and (local[:2] < high[:2]).all() and abs(local[2] - low[2]) < 0.02:
                found.append(Area(target, point, PATCH_HALF_M, (key,)))
        half = 0.5 * (high - low)
        if entity.kind == "movable":
            middle = (place.T_region @ np.append(0.5 * (low + high), 1.0))[:3]
            middle[2] = (place.T_region @ np.append(low, 1.0))[2]
            free.append(Area(target, middle, (min(FREE_HALF_M[0], 0.3 * float(half[0])), min(FREE_HALF_M[1], 0.3 * float(half[1])))))
            continue
        for u, v in SPOTS:
            local = np.array([low[0] + u * (high[0] - low[0]), low[1] + v * (high[1] - low[1]), low[2], 1.0])
            free.append(Area(target, (place.T_region @ local)[:3], FREE_HALF_M))
    if found:
        return found[:MOST_PATCHES]
    person = np.asarray(world.state.body.xy_m)
    return sorted(free, key=lambda a: (round(float(np.linalg.norm(a.middle_m[:2] - person)), 3), *a.middle_m.tolist()))


def plan_wipe(world: ActionWorld, tool: str, target: str) -> list[Segment] | Refusal:
    """Take the tool where the hand is empty, then sweep. Changes nothing."""
    there = world.fork()
    first: list[Segment] = []
    if world.state.held is None:
        found = taken(world, tool)
        if isinstance(found, Refusal):
            return found
        first = found
    for segment in first:
        there.advance(segment)
    todo = areas(there, target)
    rest = _every(there, todo) if todo and todo[0].patches else _any(there, todo)
    return rest if isinstance(rest, Refusal) else [*first, *rest]


def _every(world: ActionWorld, todo: list[Area]) -> list[Segment] | Refusal:
    """Sweeps of all areas, one after the other."""
    out: list[Segment] = []
    there = world.fork()
    for area in todo:
        found = with_stance(there, Goal(area.target, area.middle_m), partial(_here, area=area))
        if isinstance(found, Refusal):
            return found
        for segment in found:
            there.advance(segment)
        out += found
    return out


def _any(world: ActionWorld, todo: list[Area]) -> list[Segment] | Refusal:
    """The first free area that can be swept; the refusal of the nearest otherwise."""
    first: Refusal | None = None
    tool, tried = held_tool(world, "face"), 0
    for area in todo:
        if tool is None or tried >= MOST_FREE:
            break
        blocker = in_the_way(world, tool, area)
        if blocker:
            first = first or Refusal(
                Code.TRAJECTORY_COLLISION, f"{blocker} stands in the way of wiping {area.target}", f"move {blocker} first"
            )
            continue
        tried += 1
        found = with_stance(world, Goal(area.target, area.middle_m), partial(_here, area=area))
        if not isinstance(found, Refusal):
            return found
        first = first or found
    return first or Refusal(Code.NOT_AFFORDED, "there is no surface to wipe")


def _here(world: ActionWorld, area: Area) -> list[Segment] | Failure:
    held, tool = world.state.held, held_tool(world, "face")
    if held is None or tool is None:
        return Failure(0, Refusal(Code.NOT_HELD, "there is nothing to wipe with in the hand", "take a sponge first"))
    blocker = in_the_way(world, tool, area)
    if blocker:
        return Failure(
            3, Refusal(Code.TRAJECTORY_COLLISION, f"{blocker} stands in the way of wiping {area.target}", f"move {blocker} first")
        )
    spot = (float(area.middle_m[0]), float(area.middle_m[1]), float(area.middle_m[2]))
    under = _under(world, tool, area)
    rules = Allowed(target=under, point_m=spot, hands=(held.hand,), held=tool.key, support=under)
    job = Job(
        f"wiping {area.target}", "wipe", area.middle_m, rules, partial(_effects, world, tool, area), spot[2], pace=0.8, looked_at=LOOKED_AT
    )
    return work_here(standing(world, held.hand), tool, job, list(_ways(tool, area)))


def in_the_way(world: ActionWorld, tool: Tool, area: Area) -> str:
    """A movable thing that stands where even a small sweep goes, however the face is turned; empty where there is none."""
    scene = collision_world(world)
    along, across = (SHRINKS[-1] * h for h in area.half_m)
    found = ""
    for turn in (0.0, 0.5 * np.pi):
        R = curves.attitude(turn)
        points = area.middle_m + np.array([[x * along, y * across, 0.002] for x in (-1, 0, 1) for y in (-1, 0, 1)])
        hits = [h for root in tool.roots(curves.frames(R, points)) for h in scene.entity(tool.key, root, margin_m=0.0)]
        bad = [h for h in hits if world.stage.entity(h.owner).kind == "movable" and h.owner != area.target]
        if not bad:
            return ""
        found = min(bad).owner
    return found


def _under(world: ActionWorld, tool: Tool, area: Area) -> str:
    """What the face rests on there: the target itself, or what a patch lies on."""
    if not area.patches:
        return area.target
    scene = collision_world(world)
    at = curves.frames(np.eye(3), (area.middle_m - np.array([0.0, 0.0, 0.002]))[None])[0]
    hits = scene.entity(tool.key, tool.roots(at[None])[0], margin_m=0.004)
    fixtures = [h for h in hits if world.stage.entity(h.owner).kind != "movable"] or hits
    return min(fixtures).owner if fixtures else area.target


def _ways(tool: Tool, area: Area) -> Iterator[Way]:
    """Turns of the face and slight tilts, flat ones first."""
    length, width = tool.tip.size_m
    corners = 0.5 * np.array([[x * length, y * width, 0.0] for x in (-1, 1) for y in (-1, 1)])
    for tilt in TILTS_DEG:
        for lean in (0.0, 90.0, 180.0, 270.0) if tilt else (0.0,):
            for turn in SPINS_DEG:
                R = curves.attitude(np.radians(turn)) @ curves.attitude(*np.radians([lean, tilt])) @ curves.attitude(np.radians(-lean))
                lift = float(-(corners @ R.T)[:, 2].min()) - PRESS_M
                middle = area.middle_m + np.array([0.0, 0.0, lift])
                at = curves.frames(R, middle[None])[0]
                yield Way(at, partial(_sweeps, R, middle, area, width), 0.04 * tilt)


def _sweeps(R: F64, middle: F64, area: Area, width_m: float) -> Iterator[curves.Legs]:
    """The full sweep in two lane directions, then smaller ones."""
    for shrink in SHRINKS:
        for lane in LANES_DEG:
            yield _legs(R, middle, float(np.radians(lane)), area, shrink, width_m)


def _legs(R: F64, middle: F64, lane_rad: float, area: Area, shrink: float, width_m: float) -> curves.Legs:
    """Down, the lanes, and up again."""
    along = shrink * area.half_m[0] * np.array([np.cos(lane_rad), np.sin(lane_rad), 0.0])
    across = shrink * area.half_m[1] * np.array([-np.sin(lane_rad), np.cos(lane_rad), 0.0])
    lanes = max(2, int(np.ceil(2.0 * shrink * area.half_m[1] / (LANE_SHARE * width_m))) + 1)
    a, b, c = middle - along - across, middle + along - across, middle - along + across
    sweep = curves.raster(R, (a, b, c), lanes)
    up = np.array([0.0, 0.0, OVER_M])
    end = sweep[-1][-1, :3, 3]
    return [curves.straight(R, a + up, a), *sweep, curves.straight(R, end, end + up)]


def _effects(world: ActionWorld, tool: Tool, area: Area, swept: Swept) -> tuple[tuple[int, SetAttribute], ...]:
    """What a face takes off and gives: spills are soaked up, stains need water, dishes come clean with it and dry without."""
    done = swept.ends[-2]
    wet = fact(world, tool.key, "wet") is True
    found = [SetAttribute(tool.key, "used", True)]
    for key in area.patches:
        spill = "spill" in world.stage.entity(key).roles
        if not spill and not wet:
            continue
        found.append(SetAttribute(key, "present", False))
        found += (
            [SetAttribute(key, "volume_ml", 0), SetAttribute(tool.key, "wet", True)] if spill else [SetAttribute(tool.key, "clean", False)]
        )
    if world.stage.entity(area.target).kind == "movable":
        if wet:
            found += [SetAttribute(area.target, "clean", True), SetAttribute(area.target, "wet", True)]
        elif fact(world, area.target, "wet") is True:
            found.append(SetAttribute(area.target, "wet", False))
    return tuple((done, effect) for effect in found)

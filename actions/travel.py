"""Get to one of several stances, opening closed doors on the way (seed B.2.1, Search)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from actions.motions import Segment
from actions.navigation import kernels
from actions.navigation.bottleneck import blocked
from actions.navigation.grid import FURNITURE_BAND_M, Grid, carried_keys, grid_of
from actions.navigation.paths import Path, find_path, flood
from actions.navigation.route import Effort, Walk, plan_walk
from actions.screening import collision_world
from actions.stance import Stance
from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.world.outcomes import Code, Refusal
from humans.proxies import walking_width_m

F64 = NDArray[np.float64]

WALKS = 12
"""Walks that are generated and screened with the articulated body before a journey is refused."""
PROBED = 12
"""Stances that are looked at to find a door in the way."""
SEVERAL = 2
"""Walks that must have been refused before another stance is not even tried."""
DOORS = 5
OPENINGS_KEPT = 16
TRIPS_KEPT = 64
OPEN_ENOUGH = 0.9
PASSAGE_M = 0.25


def travel(world: ActionWorld, goal: Stance | Sequence[Stance]) -> list[Segment] | Refusal:
    """Screened segments that bring the person to the first reachable stance; doors on the way are opened. Changes no state.

    After success, advance a fork by the segments to plan what follows there. Refusals: PATH_BLOCKED with place and widths; DOOR_CLOSED
    naming the door that cannot be opened.
    """
    if not isinstance(goal, Stance):
        trip = journey(world, goal)
        return trip if isinstance(trip, Refusal) else list(trip.segments)
    kept, asked = _trips(world), (_situation(world, ""), goal.xy_m, goal.heading_rad)
    if asked not in kept:
        if len(kept) >= TRIPS_KEPT:
            kept.clear()
        kept[asked] = journey(world, goal)
    found = kept[asked]
    return found if isinstance(found, Refusal) else list(found.segments)


def journey(world: ActionWorld, goal: Stance | Sequence[Stance], *, exact: bool = True, facing: bool = True) -> Walk | Refusal:
    """`travel` with the notes of its last walk. `exact` False: a legal stand-off near the goal will do; `facing` False: any heading."""
    goals = [goal] if isinstance(goal, Stance) else list(goal)
    if not goals:
        return Refusal(Code.PATH_BLOCKED, "there is no place to stand", "clear the floor around it")
    here = world.fork()
    done: list[Segment] = []
    opened: list[str] = []
    while True:
        known = barred(here, goals[0]) if exact and len(goals) == 1 else None
        found = known or _first_walk(here, goals, exact, facing)
        if isinstance(found, Walk):
            notes = {**found.notes, "doors": opened} if opened else found.notes
            return Walk((*done, *found.segments), notes)
        door = _blocking_door(here, goals, exact)
        if door is None:
            return found
        if door in opened or len(opened) >= DOORS or door in _opening(world):
            return _in_the_way(door)
        steps = _open(here, door)
        if isinstance(steps, Refusal):
            return _stays_shut(door, steps)
        for segment in steps:
            here.advance(segment)
        done += steps
        opened.append(door)


def _in_the_way(door: str) -> Refusal:
    return Refusal(Code.DOOR_CLOSED, f"{door} is in the way and is as open as it gets", f"move {door} by hand")


def _stays_shut(door: str, why: Refusal) -> Refusal:
    return Refusal(Code.DOOR_CLOSED, f"{door} is closed and cannot be opened: {why.fact}", why.hint or f"open {door} first")


def _opening(world: ActionWorld) -> frozenset[str]:
    """Doors that a caller further up is about to open: they are no way out."""
    doors = world.caches.get("opening", frozenset())
    return doors if isinstance(doors, frozenset) else frozenset()


def _open(world: ActionWorld, door: str) -> list[Segment] | Refusal:
    """Opening a door from here; every stance of a command that lies behind it asks for the same."""
    from actions.manipulation.drive import plan_drive

    kept = _openings(world)
    asked = _situation(world, door)
    if asked not in kept:
        if len(kept) >= OPENINGS_KEPT:
            kept.clear()
        inner = replace(world, caches={**world.caches, "opening": _opening(world) | {door}, "met": {}})
        kept[asked] = plan_drive(inner, door, True)
    found = kept[asked]
    return found if isinstance(found, Refusal) else list(found)


def _openings(world: ActionWorld) -> dict[object, list[Segment] | Refusal]:
    return cast("dict[object, list[Segment] | Refusal]", world.caches.setdefault("openings", {}))


def _trips(world: ActionWorld) -> dict[object, Walk | Refusal]:
    """Journeys to one stance: a search that comes back to it asks for the same one."""
    return cast("dict[object, Walk | Refusal]", world.caches.setdefault("trips", {}))


def _situation(world: ActionWorld, door: str) -> tuple[object, ...]:
    """Everything that opening a door depends on, as a cache key."""
    state = world.state
    body = (state.body.pose_rad.tobytes(), state.body.translation_m.tobytes(), state.body.xy_m, state.body.heading_rad)
    facts = tuple(sorted((key, tuple(sorted(values.items()))) for key, values in state.attributes.items()))
    obstacles = collision_world(world).obstacle_key()
    return (door, _opening(world), obstacles, body, state.held, state.riding, facts, world.seed, world.number)


def barred(world: ActionWorld, goal: Stance) -> Refusal | None:
    """The refusal of earlier walks from here where it bars the way to another stance too: past the places at which the body met something
    in two walks there is no path, and no door to open. Doors that were opened before are gone through, and one that could not be opened, or
    is the one to be opened, ends it. None: nothing is known."""
    if not _met(world) and not _openings(world) and not _opening(world):
        return None
    here = world.fork()
    for _ in range(DOORS):
        known = _met(here).get(_situation(here, ""))
        if known is not None and known.walks < SEVERAL:
            return None
        grid = known.grid if known is not None else grid_of(here)
        if _in_reach(grid, here.state.body.xy_m, goal.xy_m):
            return None
        door = _blocking_door(here, [goal], True)
        if door is None:
            return known.refusal if known is not None else None
        if door in _opening(world):
            return _in_the_way(door)
        steps = _openings(here).get(_situation(here, door))
        if steps is None or isinstance(steps, Refusal):
            return None if steps is None else _stays_shut(door, steps)
        for segment in steps:
            here.advance(segment)
    return None


@lru_cache(maxsize=8)
def _flooded(grid: Grid, start: tuple[float, float]) -> F64:
    return flood(grid, start)


@lru_cache(maxsize=32)
def _path(grid: Grid, start: tuple[float, float], goal: tuple[float, float], exact: bool, doors: bool) -> Path | None:
    """`find_path`: whether a way is barred, which door is on it and whether there is one at all is asked of the same stances."""
    return find_path(grid, start, goal, exact=exact, doors=doors)


def _in_reach(grid: Grid, start: tuple[float, float], goal: tuple[float, float]) -> bool:
    """Whether there is a path to a stance; most are told by the cells that can be reached at all."""
    i, j = grid.cell(*goal)
    reached = _flooded(grid, start)[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2]
    return bool(np.isfinite(reached).any()) or _path(grid, start, goal, True, True) is not None


def forget_walks(world: ActionWorld) -> None:
    """What was met and which doors were opened for one command says nothing to the next: a plan depends on the state alone."""
    for name in ("met", "openings", "trips"):
        world.caches.pop(name, None)


class _Met(NamedTuple):
    """The grid with where refused walks met something, and what the first of them was told."""

    grid: Grid
    refusal: Refusal
    walks: int


def _met(world: ActionWorld) -> dict[object, _Met]:
    return cast("dict[object, _Met]", world.caches.setdefault("met", {}))


def _remember(world: ActionWorld, effort: Effort, refusal: Refusal) -> None:
    if effort.met:
        kept, asked = _met(world), _situation(world, "")
        if len(kept) >= OPENINGS_KEPT:
            kept.clear()
        before = kept.get(asked) or _Met(grid_of(world), refusal, 0)
        kept[asked] = _Met(before.grid.with_disks((*before.grid.disks, *effort.met)), before.refusal, before.walks + 1)


def _first_walk(world: ActionWorld, goals: list[Stance], exact: bool, facing: bool) -> Walk | Refusal:
    grid = grid_of(world)
    start = world.state.body.xy_m
    first: Refusal | None = None
    effort = Effort(WALKS)
    for goal in goals:
        if effort.walks <= 0:
            break
        if _path(grid, start, goal.xy_m, exact, True) is None:
            continue
        walk = plan_walk(world, goal.xy_m, goal.heading_rad if facing else None, exact=exact, effort=effort)
        if isinstance(walk, Walk):
            return Walk(walk.segments, {**walk.notes, "stance": [round(v, 3) for v in (*goal.xy_m, goal.heading_rad)]})
        first = first or walk
    if first is not None:
        _remember(world, effort, first)
        return first
    return blocked(collision_world(world), grid, start, goals[0].xy_m, walking_width_m(world.body), ignore=carried_keys(world))


def _blocking_door(world: ActionWorld, goals: list[Stance], exact: bool) -> str | None:
    """The first leaf, not yet open, on the cheapest way that ignores leaves; None where doors are not the reason."""
    grid = grid_of(world)
    start = world.state.body.xy_m
    paths: list[Path] = []
    for goal in goals[:PROBED]:
        path = _path(grid, start, goal.xy_m, exact, False)
        if path is not None:
            paths.append(path)
            break
    if not paths:
        return None
    scene = collision_world(world)
    meetings: list[tuple[int, str]] = []
    for entity in world.stage.entities:
        if entity.kind != "door" or not entity.joints or entity.key in world.state.removed:
            continue
        if all(world.state.open_fraction(world.stage, j.key) >= OPEN_ENOUGH for j in entity.joints):
            continue
        at = _meets(scene, grid, entity.key, paths[0].points_m)
        if at is not None:
            meetings.append((at, entity.key))
    return min(meetings)[1] if meetings else None


def _meets(scene: CollisionWorld, grid: Grid, door: str, points: F64) -> int | None:
    """Index of the first point of a path nearer to a leaf than a body can pass, or None."""
    low, high = FURNITURE_BAND_M
    first: int | None = None
    for row in scene.pieces_of(door):
        world = scene.placed
        corners = world.corners_m[world.corner_rows[row] : world.corner_rows[row + 1]]
        cut = kernels.band_points(corners, grid.floor_m + low, grid.floor_m + high)
        if not len(cut):
            continue
        hull = kernels.hull_2d(cut)
        k = kernels.first_within(points, hull, PASSAGE_M)
        if k >= 0:
            first = k if first is None else min(first, k)
    return first

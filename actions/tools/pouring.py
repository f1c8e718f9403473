"""Pouring: the held source tilts about its lip over the mouth of the target; what runs out follows the tilt (seed B.2.2, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import keys_of
from actions.manipulation.grab import Failure
from actions.manipulation.reach import standing
from actions.manipulation.surroundings import world_box
from actions.motions import Effect, Pour, Segment, SetAttribute
from actions.tools.curves import Legs, attitude
from actions.tools.needs import fact, tool_in_hand
from actions.tools.stirring import open_vessel
from actions.tools.sweep import Swept
from actions.tools.tips import Tool, held_tool
from actions.tools.working import Job, Way, work_here
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.placed import hull_of
from assistcore.house.pours import volume_ml
from assistcore.house.vessels import capacity_ml, retained, rim_of, room_of, section_m, tilt_for
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import transform_points
from humans.rotations import matrix_from_rotvec

F64 = NDArray[np.float64]

LEAST_FREE_ML = 20
"""With less room than this left, the person notices only once it runs over."""
RUNS_OVER_ML = 100
"""How much has left the source by then."""
SPILL_REACH_M = 0.6
FLOW_ML_S = 120.0
"""What runs out in a second, on the whole."""
LEVEL_RAD = 1e-3
"""A tilt below this is none."""
AZIMUTHS_DEG = tuple(range(0, 360, 20))
LIPS_DEG = tuple(range(0, 360, 30))
"""Where on a round rim it is poured over."""
CLEAR_M = 0.015
WALL_M = 0.014
"""How far a target goes beyond the radius of its mouth, with some room."""
SAMPLES = 9
EDGE_POINTS = 5


@dataclass(frozen=True)
class Amounts:
    """What a pour moves: millilitres that leave the source, that find room in the target, and the spill that shows the rest (or none)."""

    out_ml: int
    in_ml: int
    spill: str = ""


def volume(world: ActionWorld, key: str) -> int:
    """Millilitres that a thing holds now."""
    return volume_ml(world.state.attributes, key)


def missing(world: ActionWorld, command: Command) -> Refusal | None:
    """What pouring lacks now, or None."""
    if refusal := tool_in_hand(world, command, 1, ("rim",), "a mouth to pour from"):
        return refusal
    target, source = keys_of(command)[:2]
    for key in (source, target):
        if fact(world, key, "sealed") is True:
            return Refusal(Code.CLOSED, f"{key} is sealed", "use another one")
    if volume(world, source) <= 0:
        return Refusal(Code.NOT_AFFORDED, f"{source} is empty: there is nothing to pour", "fill it first")
    place = open_vessel(world, target)
    if isinstance(place, Refusal):
        return place
    moved = amounts(world, target, source)
    return moved if isinstance(moved, Refusal) else None


def amounts(world: ActionWorld, target: str, source: str) -> Amounts | Refusal:
    """How much a pour moves: until the target is full; NO_FREE_SPACE where it could only run over with nothing to show it."""
    there, entity = volume(world, source), world.stage.entity(target)
    if "sink" in entity.roles:
        return Amounts(there, there)
    holds = capacity_ml(entity)
    free = max(0, holds - volume(world, target))
    if free >= LEAST_FREE_ML:
        return Amounts(min(there, free), min(there, free))
    out = min(there, RUNS_OVER_ML)
    spill = _spill_below(world, target)
    if out > free and not spill:
        return Refusal(Code.NO_FREE_SPACE, f"{target} is full: {volume(world, target)} of {holds} ml", "pour some of it away")
    return Amounts(out, min(out, free), spill if out > free else "")


def _spill_below(world: ActionWorld, target: str) -> str:
    """The nearest spill of the surface that a vessel stands on, empty without one."""
    low, high = world_box(world, target)
    centre = 0.5 * (low + high)
    found = []
    for key in world.stage.patches:
        entity = world.stage.entity(key)
        x, y, z = entity.pose.position_m
        away = float(np.hypot(x - centre[0], y - centre[1]))
        if "spill" in entity.roles and abs(z - float(low[2])) < 0.04 and away < SPILL_REACH_M:
            found.append((away, key))
    return min(found)[1] if found else ""


def plan_pour(world: ActionWorld, target: str, source: str) -> list[Segment] | Refusal:
    """Walk up, tilt, right the source again. Changes nothing."""
    return with_stance(world, Goal(target, _mouth(world, target)[0]), lambda there: _here(there, target, source))


def _mouth(world: ActionWorld, target: str) -> tuple[F64, float]:
    """Middle of the target's mouth (3,), world, and its radius."""
    entity = world.stage.entity(target)
    room = room_of(entity)
    if room is None:
        raise ValueError(f"{target} is no vessel")
    x, y, z = room.bottom_m
    top = np.array([[x, y, z + room.height_m]])
    return transform_points(world.state.root(world.stage, target), top)[0], room.high_radius_m


def _here(world: ActionWorld, target: str, source: str) -> list[Segment] | Failure:
    held, rim = world.state.held, held_tool(world, "rim")
    if held is None or rim is None:
        return Failure(0, Refusal(Code.NOT_HELD, f"{source} is not in the hand", f"take {source} first"))
    moved = amounts(world, target, source)
    if isinstance(moved, Refusal):
        return Failure(0, moved)
    tool = Tool(source, rim.tip, np.eye(4), held.wrist_object.matrix())
    mouth, radius = _mouth(world, target)
    begins, ends = _tilts(world, source, moved)
    runs_s = moved.out_ml / FLOW_ML_S
    rules = Allowed(target=target, held=source)
    job = Job(
        f"pouring from {source} into {target}", "pour", mouth, rules, partial(_effects, world, target, source, moved),
        float(mouth[2]), pace=0.7, looked_at=150, level=True,
        least_s=(0.0, runs_s) if begins > LEVEL_RAD else (runs_s,),
    )  # fmt: skip
    return work_here(standing(world, held.hand), tool, job, list(_ways(world, target, source, (begins, ends), mouth, radius)))


def _body(world: ActionWorld, source: str) -> tuple[float, float, float]:
    """Width, height and full volume (ml) of a source as the level in it sees them."""
    entity = world.stage.entity(source)
    return *section_m(entity), float(max(capacity_ml(entity), volume(world, source), 1))


def _tilts(world: ActionWorld, source: str, moved: Amounts) -> tuple[float, float]:
    """Tilts at which it begins to run and at which so much has run out."""
    width, height, full = _body(world, source)
    now = volume(world, source)
    return tilt_for(width, height, now / full), tilt_for(width, height, (now - moved.out_ml) / full)


def _ways(world: ActionWorld, target: str, source: str, tilts: tuple[float, float], mouth: F64, radius_m: float) -> Iterator[Way]:
    """Directions to tilt in, and lips to pour over; it runs between two tilts, radians."""
    rim = rim_of(world.stage.entity(source))
    if rim is None:
        return
    begins, ends = tilts
    points = _points(world, source)
    floor_m = float(world_box(world, target)[0][2]) if world.stage.entity(target).kind == "movable" else float(mouth[2])
    round_rim = abs(rim.size_m[0] - rim.size_m[1]) < 1e-6
    along = float(np.arctan2(rim.along[1], rim.along[0]))
    for azimuth in np.radians(AZIMUTHS_DEG):
        d = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
        spot = mouth - min(0.3 * radius_m, 0.02) * d
        for lip in np.radians(LIPS_DEG) if round_rim else (along,):
            offset = 0.5 * rim.size_m[0] * np.array([np.cos(lip), np.sin(lip), 0.0])
            axis, lip_m = np.cross([0.0, 0.0, 1.0], d), np.asarray(rim.point_m) + offset
            turn = _Turn(attitude(azimuth - lip), axis, lip_m, spot, mouth, radius_m + WALL_M, floor_m, points)
            yield Way(turn.at(ends), partial(turn.legs, begins, ends))


def _points(world: ActionWorld, source: str) -> F64:
    """Points (n, 3) along all edges of the pieces of a source, root frame."""
    entity = world.stage.entity(source)
    t = np.linspace(0.0, 1.0, EDGE_POINTS)[:, None, None]
    found = []
    for link in entity.links:
        for hull in (hull_of(piece) for piece in link.pieces):
            a, b = hull.corners_m[hull.edges[:, 0]], hull.corners_m[hull.edges[:, 1]]
            found.append(transform_points(link.T_root_link, ((1.0 - t) * a + t * b).reshape(-1, 3)))
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class _Turn:
    """A source that tilts about its lip over a mouth: its upright rotation, the axis (3,), the lip in its root frame, the lip's spot over
    the mouth and the mouth's middle, world, how far from that the target reaches, the height below which nothing may come, and points
    (n, 3) on the source, root frame."""

    upright: F64
    axis: F64
    lip_m: F64
    spot_m: F64
    mouth_m: F64
    reach_m: float
    floor_m: float
    points_m: F64

    def at(self, tilt_rad: float) -> F64:
        """The source's root (4, 4) at a tilt: the lip just so high that the source clears the target's rim and what that stands on."""
        T = np.eye(4)
        T[:3, :3] = matrix_from_rotvec(self.axis * tilt_rad) @ self.upright
        off = (self.points_m - self.lip_m) @ T[:3, :3].T
        near = np.linalg.norm(off[:, :2] + (self.spot_m - self.mouth_m)[:2], axis=1) < self.reach_m
        below = self.floor_m - float(self.spot_m[2]) - float(off[:, 2].min())
        over = max(float(-off[near, 2].min(initial=0.0)), below)
        T[:3, 3] = self.spot_m + np.array([0.0, 0.0, over + CLEAR_M]) - T[:3, :3] @ self.lip_m
        return T

    def legs(self, begins_rad: float, ends_rad: float) -> Sequence[Legs]:
        """Tilting until it begins to run, running, righting."""
        first = np.stack([self.at(t) for t in np.linspace(0.0, begins_rad, SAMPLES)])
        runs = np.stack([self.at(t) for t in np.linspace(begins_rad, ends_rad, SAMPLES)])
        back = np.stack([self.at(t) for t in np.linspace(ends_rad, 0.0, SAMPLES)])
        return ([first, runs, back] if begins_rad > LEVEL_RAD else [runs, back],)


def _effects(world: ActionWorld, target: str, source: str, moved: Amounts, swept: Swept) -> tuple[tuple[int, Effect], ...]:
    """What runs frame by frame as the tilt lets it, and from the first drop on what the target holds and where that came from."""
    width, height, full = _body(world, source)
    before, entity = volume(world, source), world.stage.entity(target)
    sink = "sink" in entity.roles
    found: list[tuple[int, Effect]] = []
    out = 0
    for k, T in enumerate(swept.tips):
        tilt = float(np.arccos(np.clip(T[2, 2], -1.0, 1.0)))
        run = min(moved.out_ml, max(out, round(before - full * retained(width, height, tilt))))
        if k == swept.ends[-2]:
            run = moved.out_ml
        if run <= out:
            continue
        if out == 0:
            found += [(k, e) for e in _named(world, target, source, sink)]
        found.append((k, Pour(source, "" if sink else target, run - out, capacity_ml(entity), moved.spill)))
        out = run
    return tuple(found)


def _named(world: ActionWorld, target: str, source: str, sink: bool) -> list[SetAttribute]:
    """What the target holds from the first drop on: contents in the order in which they came, where from, and that it is in use."""
    new = str(fact(world, source, "contents") or "")
    parts = str(fact(world, target, "contents") or "").split(" and ") if volume(world, target) > 0 else []
    origin = str(fact(world, target, "provenance") or "").split() if volume(world, target) > 0 else []
    names = [p for p in (*parts, new) if p]
    found = [SetAttribute(target, "provenance", " ".join(dict.fromkeys([*origin, source]))), SetAttribute(target, "used", True)]
    if not sink:
        found.append(SetAttribute(target, "contents", " and ".join(dict.fromkeys(names))))
    if not sink and new != "water" and fact(world, target, "clean") is not None:
        found.append(SetAttribute(target, "clean", False))
    return found

"""Where to stand (seed B.2.1, Stance selection): floor-supported places round a contact point, reachable, clear, cheapest route first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from actions.navigation.grid import Grid, grid_of
from actions.navigation.idle import idle_shapes, placed
from actions.navigation.paths import RADII_M, flood
from actions.screening import collision_world, floor_keys
from actions.world import ActionWorld
from assistcore.house.clearance import PLANNED_M, TOUCH_RADIUS_M, Allowed, Hit
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import violations
from assistcore.house.state import Hand, HouseState

F64 = NDArray[np.float64]

CHECKS = "stance candidates"
SNAP_M = 0.60
ARM_RADIUS_M = 0.045
TURN_CLEARANCE_M = 0.34
"""With this clearance the hanging arms pass everything when the person turns on the spot."""
RINGS_M = 0.10
ANGLES = 24
LEAST_CLEARANCE_M = 0.20
"""Nearer to a front than this the thigh of the closing step meets it."""
CROWDED_COST_M = 0.5
BLOCKED_ARM_COST_M = 2.0
DOOR_COST_M = 10.0
SQUEEZE_COST_M = 15.0
BODY_RADIUS_M = 0.28
"""Little less than half the walking width: where a way has this clearance the body usually passes."""


class Stance(NamedTuple):
    """A place to stand: xy_m, heading, cost of the route from the present stance (metres, weighted, plus penalties), clearance of the grid,
    the distance to the contact point, and the hands whose straight arm reaches it without striking anything."""

    xy_m: tuple[float, float]
    heading_rad: float
    cost_m: float
    clearance_m: float
    reach_m: float
    hands: tuple[Hand, ...] = ()


class Candidates:
    """Stance checks in one state of the world, whatever is planned in between: idle capsules, arms, routes."""

    def __init__(self, world: ActionWorld) -> None:
        self.world = world.fork()
        self.grid: Grid = grid_of(world)
        self.floor = floor_keys(world)
        self.shapes = idle_shapes(world)
        held = world.state.held
        self.ignore = frozenset({held.entity} | {r.entity for r in world.state.riding}) if held is not None else frozenset()
        self._costs: F64 | None = None

    @property
    def scene(self) -> CollisionWorld:
        """The collision world, placed as it was when the checks were made."""
        return collision_world(self.world)

    @property
    def costs(self) -> F64:
        """Route cost to every cell: `SQUEEZE_COST_M` more where hardly anybody fits, `DOOR_COST_M` more where a door is to be opened."""
        if self._costs is None:
            start = self.world.state.body.xy_m
            found = flood(self.grid, start, BODY_RADIUS_M)
            for doors, extra in ((True, 0.0), (False, DOOR_COST_M)):
                if not doors:
                    found = np.minimum(found, flood(self.grid, start, BODY_RADIUS_M, doors=False) + extra)
                found = np.minimum(found, flood(self.grid, start, RADII_M[-1], doors=doors) + extra + SQUEEZE_COST_M)
            self._costs = found
        return self._costs

    def route_cost_m(self, xy: tuple[float, float]) -> float:
        """Route cost to the cells round a point, infinite where none of them can be reached."""
        i, j = self.grid.cell(*xy)
        near = self.costs[max(0, i - 2) : i + 3, max(0, j - 2) : j + 3]
        return float(near.min()) if near.size else float("inf")

    def idle_hits(self, xy: tuple[float, float], heading: float, allowed: Allowed | None = None) -> list[Hit]:
        """Contacts of the idle body at a stance that are not allowed."""
        s = self.shapes
        hits = self.scene.capsules(
            s.names, placed(s.a_m, xy, heading), placed(s.b_m, xy, heading), s.radius_m, ignore=self.ignore, margin_m=0.0
        )
        return violations(hits, allowed or Allowed(), PLANNED_M, self.floor)

    def arm_free(self, xy: tuple[float, float], heading: float, hand: Hand, point: F64, target: str) -> bool:
        """Whether the straight arm from the shoulder to the point strikes nothing but the target near the point."""
        shoulder = placed(self.shapes.shoulders[hand][None], xy, heading)
        hits = self.scene.capsules(("arm",), shoulder, point[None], np.array([ARM_RADIUS_M]), ignore=self.ignore, margin_m=-PLANNED_M)
        return all(h.owner == target and float(np.linalg.norm(np.subtract(h.point_m, point))) <= TOUCH_RADIUS_M for h in hits)

    def sees(self, xy: tuple[float, float], point: Sequence[float], target: str) -> bool:
        """Whether no wall and no other door stands between a place and a point (at the point's height, short of the point itself)."""
        line = np.array([[xy[0], xy[1], point[2]]])
        end = line + (np.array([[float(v) for v in point]]) - line) * 0.9
        hits = self.scene.capsules(("line",), line, end, np.array([0.01]), ignore=self.ignore | self.floor | {target}, margin_m=0.0)
        return all(self.world.stage.entity(h.owner).kind not in ("structure", "door") for h in hits)

    def snapped(self, xy: tuple[float, float], heading: float, reach_m: float = SNAP_M) -> tuple[float, float] | None:
        """The point itself, or the nearest valid one within reach: clear, supported, reachable."""
        for radius in np.arange(0.0, reach_m + 1e-9, 0.10):
            for k in range(1 if radius == 0.0 else 16):
                turn = heading + np.pi + (k + 1) // 2 * (1 if k % 2 else -1) * np.pi / 8
                spot = (xy[0] + float(radius * np.cos(turn)), xy[1] + float(radius * np.sin(turn)))
                if self.grid.at(*spot) < LEAST_CLEARANCE_M or not np.isfinite(self.route_cost_m(spot)):
                    continue
                if not self.idle_hits(spot, heading):
                    return spot
        return None


def candidates_of(world: ActionWorld) -> Candidates:
    """The stance checks of a state, kept while it is the one that is asked about."""
    kept = cast("tuple[HouseState, Candidates] | None", world.caches.get(CHECKS))
    if kept is None or kept[0] is not world.state:
        kept = (world.state, Candidates(world))
        world.caches[CHECKS] = kept
    return kept[1]


def stances(
    world: ActionWorld,
    point_m: Sequence[float],
    *,
    near_m: float = 0.30,
    far_m: float = 0.80,
    target: str = "",
    facing: tuple[float, float] | None = None,
    spread_rad: float = np.pi,
    turn_rad: float = 0.0,
    hands: tuple[Hand, ...] = ("right", "left"),
    count: int = 12,
    candidates: Candidates | None = None,
    rings_m: float = RINGS_M,
    clear_m: float = LEAST_CLEARANCE_M,
) -> list[Stance]:
    """Valid stances round a contact point, cheapest first.

    They stand `near_m` to `far_m` (horizontally) from the point and face it, turned by `turn_rad` (left positive). `facing`: the outward
    horizontal normal of the contact; only places within `spread_rad` of that direction count. Idle capsules must be clear; a straight arm
    that strikes something costs `BLOCKED_ARM_COST_M`, a place too crowded for turning `CROWDED_COST_M`. `target` is the entity whose
    contact within 0.22 m of the point the arm may have. `candidates` may be shared between calls for the same state.
    `rings_m`: their spacing. `clear_m`: the least clearance of the grid.
    """
    check = candidates or candidates_of(world)
    point = np.asarray(point_m, np.float64)
    rough: list[tuple[float, float, float, float, float]] = []
    angles = round(ANGLES * RINGS_M / rings_m)
    for reach in np.arange(near_m, far_m + 1e-9, rings_m):
        for k in range(angles):
            angle = 2.0 * np.pi * k / angles
            if facing is not None and abs(_angle_between((np.cos(angle), np.sin(angle)), facing)) > spread_rad + 1e-9:
                continue
            x, y = float(point[0] + reach * np.cos(angle)), float(point[1] + reach * np.sin(angle))
            clearance = check.grid.at(x, y)
            if clearance < clear_m:
                continue
            cost = check.route_cost_m((x, y))
            if not np.isfinite(cost):
                continue
            cost += CROWDED_COST_M * float(np.clip((TURN_CLEARANCE_M - clearance) / 0.2, 0.0, 1.0))
            rough.append((cost, x, y, float(np.arctan2(point[1] - y, point[0] - x)) + turn_rad, float(reach)))
    out: list[Stance] = []
    for cost, x, y, heading, reach in sorted(rough):
        if len(out) >= 3 * count:
            break
        if check.idle_hits((x, y), heading) or not check.sees((x, y), point.tolist(), target):
            continue
        free = tuple(h for h in hands if check.arm_free((x, y), heading, h, point, target))
        extra = 0.0 if free or not hands else BLOCKED_ARM_COST_M
        out.append(Stance((x, y), heading, cost + extra, check.grid.at(x, y), reach, free))
    return sorted(out, key=lambda s: s.cost_m)[:count]


def _angle_between(a: tuple[float, float], b: tuple[float, float]) -> float:
    return float(np.arctan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]))

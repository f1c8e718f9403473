"""The measured relations: one function per predicate, each with its tolerance. All are pure functions of stage and state.

| predicate | holds when |
|---|---|
| `on(a, b)` | a movable stands on b itself: some piece of a is at most `ON_GAP_M` above (or `ON_SINK_M` in) a piece of b, measured straight down where their footprints overlap, and a's middle is above that support. A thing on a plate on a table is on the plate only. Not while held, and not while inside b |
| `inside(a, b)` | the middle of a's box and at least `INSIDE_SHARE` of its volume are in an interior region of b, which moves with its drawer or box. Nested containers hold it all. Not while a is held |
| `near(a, b)` | the boxes of their pieces come within `NEAR_M`; for the person, a box round the standing body. Walls and floors are near nothing |
| `open(a)`, `closed(a)` | its joint is at least `OPEN_FROM` of its range open; all its joints are at most `CLOSED_UP_TO` open. Neither holds in between |
| `attached(a, b)` | the constraint table has a mated to b; `raised(a)`: the own z axis of what can be stood upright is within `UPRIGHT_RAD` of the vertical |
| `room(a)` | the room whose floor polygon holds the middle, else the nearest room |
"""  # noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from assistcore.house import relation_kernels
from assistcore.house.placed import Placed
from assistcore.house.stage import Entity, Room, StageModel
from assistcore.house.state import BodyState, HouseState
from assistcore.world.canonical import scaled
from assistcore.world.engine import PredicateInfo
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
B1 = NDArray[np.bool_]

ON_GAP_M = 0.005
ON_SINK_M = 0.005
INSIDE_SHARE = 0.5
NEAR_M = 0.5
OPEN_FROM = 500
"""Thousandths of the range."""
CLOSED_UP_TO = 20
"""Thousandths of the range."""
UPRIGHT_RAD = np.radians(10.0)
BODY_HALF_M = (0.16, 0.24, 0.9)
"""Half depth, width and height of the box that stands for the person in `near`."""

PREDICATES = (
    PredicateInfo("on", 2, "stands on it directly: vertical gap at most 5 mm where the footprints overlap; not while held or inside it"),
    PredicateInfo("inside", 2, "its middle and at least half of its volume are in an interior region; not while held"),
    PredicateInfo("near", 2, "closest distance at most 0.5 m"),
    PredicateInfo("held", 1, "in the person's hand"),
    PredicateInfo("open", 1, "at least half of its range open"),
    PredicateInfo("closed", 1, "at most 2 % of its range open"),
    PredicateInfo("running", 1, "switched on"),
    PredicateInfo("off", 1, "a device that is not running"),
    PredicateInfo("sitting", 2, "the person sits on it"),
    PredicateInfo("cut", 1, "has been cut"),
    PredicateInfo("cooked", 1, "has been cooked"),
    PredicateInfo("attached", 2, "mated to it at its connector"),
    PredicateInfo("raised", 1, "stands upright after lying flat"),
)
"""The predicates of the house, as the vocabulary shows them (`unmoved` is a condition of its own)."""


def on(placed: Placed, subjects: I64, objects: I64) -> B1:
    """Whether each subject row stands on each object row, shape (s, o); `inside` and `held` are not looked at."""
    k = relation_kernels
    k.KERNELS.ready()
    return k.on_pairs(
        placed.corners,
        placed.edges,
        placed.planes,
        placed.corner_start,
        placed.edge_start,
        placed.plane_start,
        placed.piece_low,
        placed.piece_high,
        placed.low,
        placed.high,
        placed.piece_start,
        subjects,
        objects,
        placed.centre,
        ON_GAP_M,
        ON_SINK_M,
    )


def inside(placed: Placed, subjects: I64, objects: I64) -> B1:
    """Whether each subject row is in an interior region of each object row, shape (s, o)."""
    k = relation_kernels
    k.KERNELS.ready()
    out = np.zeros((len(subjects), len(objects)), dtype=np.bool_)
    column = np.full(len(placed.keys), -1, dtype=np.int64)
    column[objects] = np.arange(len(objects))
    columns = column[placed.region_entity]
    regions = np.nonzero(columns >= 0)[0]
    if not len(regions):
        return out
    held = k.inside_pairs(
        placed.centre,
        placed.samples,
        subjects,
        regions,
        placed.T_region_world,
        placed.region_low,
        placed.region_high,
        placed.region_entity,
        INSIDE_SHARE,
    )
    i, r = np.nonzero(held)
    out[i, columns[regions[r]]] = True
    return out


def near(placed: Placed, subjects: I64, objects: I64, limit_m: float = NEAR_M) -> B1:
    """Whether each subject row comes within `limit_m` of each object row, shape (s, o)."""
    k = relation_kernels
    k.KERNELS.ready()
    p = placed
    return k.near_pairs(
        p.box_centre, p.box_axes, p.box_half, p.piece_low, p.piece_high, p.low, p.high, p.piece_start, subjects, objects, limit_m
    )


def near_person(placed: Placed, body: BodyState, floor_m: float, objects: I64, limit_m: float = NEAR_M) -> B1:
    """Whether the standing person comes within `limit_m` of each object row, shape (o,)."""
    k = relation_kernels
    k.KERNELS.ready()
    c, s = np.cos(body.heading_rad), np.sin(body.heading_rad)
    centre = np.array([body.xy_m[0], body.xy_m[1], floor_m + BODY_HALF_M[2]])
    axes = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    p = placed
    return k.near_box(centre, axes, np.array(BODY_HALF_M), p.box_centre, p.box_axes, p.box_half, p.piece_start, objects, limit_m)


def openness(stage: StageModel, entity: Entity, state: HouseState) -> tuple[int, ...]:
    """How far each joint of an entity is open, in thousandths of its range (limits may run either way)."""
    return tuple(scaled(state.open_fraction(stage, joint.key), 1000.0) for joint in entity.joints)


def is_open(thousandths: Sequence[int]) -> bool:
    """`open`: some joint is at least half open."""
    return any(value >= OPEN_FROM for value in thousandths)


def is_closed(thousandths: Sequence[int]) -> bool:
    """`closed`: every joint is within 2 % of its closed end."""
    return all(value <= CLOSED_UP_TO for value in thousandths)


def is_upright(pose: Pose) -> bool:
    """`raised`: the z axis of the root is within `UPRIGHT_RAD` of the vertical."""
    return float(pose.matrix()[2, 2]) >= float(np.cos(UPRIGHT_RAD))


def held_by(state: HouseState, entity: str) -> str:
    """The hand that holds an entity, or an empty string."""
    return state.held.hand if state.held is not None and state.held.entity == entity else ""


def in_polygon(polygon_m: Sequence[tuple[float, float]], x_m: float, y_m: float) -> bool:
    """Whether a point is inside a simple polygon (even-odd rule)."""
    inside_it = False
    for (ax, ay), (bx, by) in zip(polygon_m, [*polygon_m[1:], polygon_m[0]], strict=True):
        if (ay > y_m) != (by > y_m) and x_m < ax + (bx - ax) * (y_m - ay) / (by - ay):
            inside_it = not inside_it
    return inside_it


def _distance2(polygon_m: Sequence[tuple[float, float]], x_m: float, y_m: float) -> float:
    best = float("inf")
    for (ax, ay), (bx, by) in zip(polygon_m, [*polygon_m[1:], polygon_m[0]], strict=True):
        ux, uy = bx - ax, by - ay
        length2 = ux * ux + uy * uy
        t = min(1.0, max(0.0, ((x_m - ax) * ux + (y_m - ay) * uy) / length2)) if length2 > 0 else 0.0
        best = min(best, (ax + t * ux - x_m) ** 2 + (ay + t * uy - y_m) ** 2)
    return best


def room_under(rooms: Sequence[Room], x_m: float, y_m: float) -> Room | None:
    """The room under a point, or None."""
    return next((room for room in rooms if in_polygon(room.polygon_m, x_m, y_m)), None)


def room_of(rooms: Sequence[Room], x_m: float, y_m: float) -> str:
    """The room under a point, else the nearest one; empty without rooms."""
    room = room_under(rooms, x_m, y_m)
    if room is not None:
        return room.key
    return min(rooms, key=lambda r: (_distance2(r.polygon_m, x_m, y_m), r.key)).key if rooms else ""


def rows(placed: Placed, keys: Sequence[str]) -> I64:
    """Entity rows of keys."""
    return cast(I64, np.array([placed.row[k] for k in keys], dtype=np.int64))

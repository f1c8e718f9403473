"""Contacts of very many poses at once: capsules of a person, and the carried thing with what rides on it, against the placed house."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house import narrowphase
from assistcore.house.collision import CollisionWorld, Solids, capsule_solids, joined
from assistcore.house.contacts import SOLE_M, SOLES, apart, floors
from assistcore.house.state import Hand, HouseState
from humans.proxies import ADJACENT_PAIRS, CAPSULE, CAPSULE_NAMES

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Flags = NDArray[np.bool_]

_SOLE_ROWS = np.array(sorted(CAPSULE[name] for name in SOLES))
_OWN_PAIRS = apart(CAPSULE_NAMES, ADJACENT_PAIRS)


class Meetings(NamedTuple):
    """Close pairs: which pose, which body of the pose, which piece of the house, distance (negative: depth), contact point, row by row."""

    pose: I64
    part: I64
    piece: I64
    distance_m: F64
    point_m: F64


class House:
    """The placed collision world as arrays. `carried`: what moves with the hand and is no obstacle."""

    def __init__(self, scene: CollisionWorld, carried: frozenset[str]) -> None:
        self.scene = scene
        self.owner = np.array(scene.owner, dtype=object)
        floor = floors(scene.stage)
        movable = frozenset(e.key for e in scene.stage.entities if e.kind == "movable")
        self.floor = np.isin(self.owner, list(floor))
        self.movable = np.isin(self.owner, list(movable))
        self.skip = scene.hidden | np.isin(self.owner, list(carried))

    def capsules(self, a_m: F64, b_m: F64, radius_m: F64, margin_m: float, *, skip: Flags | None = None) -> Meetings:
        """Pieces nearer than a margin to capsules: a, b (n, k, 3), radius (k,)."""
        n, k = a_m.shape[:2]
        w = self.scene.placed
        a, b = np.ascontiguousarray(a_m.reshape(-1, 3)), np.ascontiguousarray(b_m.reshape(-1, 3))
        pairs, rows = narrowphase.close_capsules(
            a, b, np.tile(radius_m, n), w.corners_m, w.corner_rows, w.faces, w.face_rows, w.edges, w.edge_rows, w.low_m, w.high_m,
            self.skip if skip is None else skip, float(margin_m),
        )  # fmt: skip
        return Meetings(pairs[:, 0] // k, pairs[:, 0] % k, pairs[:, 1], rows[:, 0], rows[:, 1:])

    def bodies(self, solids: Solids, count: int, margin_m: float) -> Meetings:
        """Pieces nearer than a margin to `count` equal groups of bodies in a row."""
        w, m = self.scene.placed, solids
        each = max(1, len(m.low_m) // max(count, 1))
        pairs, rows = narrowphase.close_pairs(
            m.corners_m, m.corner_rows, m.faces, m.face_rows, m.edges, m.edge_rows, m.low_m, m.high_m, np.zeros(len(m.low_m)),
            w.corners_m, w.corner_rows, w.faces, w.face_rows, w.edges, w.edge_rows, w.low_m, w.high_m, self.skip, float(margin_m),
        )  # fmt: skip
        return Meetings(pairs[:, 0] // each, pairs[:, 0] % each, pairs[:, 1], rows[:, 0], rows[:, 1:])


class Thing:
    """What is carried: the held thing and what rides on it, as one rigid group of convex bodies in the held thing's root frame."""

    def __init__(self, scene: CollisionWorld, state: HouseState) -> None:
        held = state.held
        if held is None:
            raise ValueError("nothing is held")
        self.keys = (held.entity, *(r.entity for r in state.riding))
        back = np.linalg.inv(state.root(scene.stage, held.entity))
        self._local = joined([scene.solids_of(key, back @ state.root(scene.stage, key)) for key in self.keys])
        self.wrist_object = held.wrist_object.matrix()
        self.object_second = None if held.second is None else held.second.matrix()
        self.side = held.hand
        self.other: Hand = "left" if held.hand == "right" else "right"
        self.key = held.entity
        self.size_m = scene.stage.entity(held.entity).box_m

    def half_width_m(self, root: F64) -> float:
        """How far it reaches to a side, at its root (4, 4) in the frame of a body that walks along x."""
        return float(np.abs((self._local.corners_m @ root[:3, :3].T + root[:3, 3])[:, 1]).max())

    def at(self, roots: F64) -> Solids:
        """All bodies at root transforms (n, 4, 4), pose by pose."""
        n, local = len(roots), self._local
        R, t = roots[:, :3, :3], roots[:, None, :3, 3]
        turn = np.swapaxes(R, 1, 2)
        corners = local.corners_m @ turn + t
        low = np.minimum.reduceat(corners, local.corner_rows[:-1], axis=1)
        high = np.maximum.reduceat(corners, local.corner_rows[:-1], axis=1)
        flat = [np.ascontiguousarray(v.reshape(-1, 3)) for v in (corners, local.faces @ turn, local.edges @ turn, low, high)]
        rows = [_repeated(r, n) for r in (local.corner_rows, local.face_rows, local.edge_rows)]
        return Solids(flat[0], rows[0], flat[1], rows[1], flat[2], rows[2], flat[3], flat[4])

    def meets_capsules(self, roots: F64, a_m: F64, b_m: F64, radius_m: F64, deeper_m: float) -> Flags:
        """Whether the thing at its root (n, 4, 4) is deeper than a bound in some capsule of the same row: a, b (n, k, 3)."""
        out = np.zeros(len(roots), np.bool_)
        for i in range(len(roots)):
            mine, m = capsule_solids(a_m[i], b_m[i]), self.at(roots[i : i + 1])
            none = np.zeros(len(m.low_m), np.bool_)
            pairs, _ = narrowphase.close_pairs(
                mine.corners_m, mine.corner_rows, mine.faces, mine.face_rows, mine.edges, mine.edge_rows, mine.low_m, mine.high_m,
                np.ascontiguousarray(radius_m), m.corners_m, m.corner_rows, m.faces, m.face_rows, m.edges, m.edge_rows, m.low_m, m.high_m,
                none, -float(deeper_m),
            )  # fmt: skip
            out[i] = len(pairs) > 0
        return out


def _repeated(rows: I64, count: int) -> I64:
    """Row offsets of the same bodies, `count` times in a row."""
    out = rows[:-1][None] + rows[-1] * np.arange(count)[:, None]
    return np.append(out.reshape(-1), rows[-1] * count).astype(np.int64)


def body_in(house: House, a_m: F64, b_m: F64, radius_m: F64, rows: I64, deeper_m: float, *, spared: Flags | None = None) -> Flags:
    """Whether a person (some rows of the 18 capsules; a, b (n, k, 3)) is deeper than a bound in the house, shape (n,). Soles may stand.

    `spared` (pieces,): a thing that the hand has just let go of; it may touch the hand as RULES (Contacts) allow.
    """
    out = np.zeros(len(a_m), np.bool_)
    if not len(a_m):
        return out
    hits = house.capsules(a_m, b_m, radius_m, -deeper_m)
    sole = np.isin(rows[hits.part], _SOLE_ROWS) & house.floor[hits.piece] & (hits.distance_m > -SOLE_M)
    touched = np.zeros(len(sole), np.bool_)
    if spared is not None:
        hand = np.isin(rows[hits.part], [CAPSULE["left_hand"], CAPSULE["right_hand"]])
        touched = spared[hits.piece] & hand & (hits.distance_m > -0.008)
    out[hits.pose[~(sole | touched)]] = True
    return out


def thing_in(house: House, thing: Thing, roots: F64, deeper_m: float) -> Flags:
    """Whether the carried thing at roots (n, 4, 4) is deeper than a bound in the house, shape (n,)."""
    out = np.zeros(len(roots), np.bool_)
    for first in range(0, len(roots), 2000):
        part = roots[first : first + 2000]
        hits = house.bodies(thing.at(part), len(part), -deeper_m)
        out[first + hits.pose] = True
    return out


def own_body_in(a_m: F64, b_m: F64, radius_m: F64, deeper_m: float) -> Flags:
    """Whether two limbs that are not neighbours meet: all 18 capsules, a, b (n, 18, 3)."""
    gaps = np.empty(len(a_m))
    narrowphase.KERNELS.ready()
    narrowphase.least_gaps(np.ascontiguousarray(a_m), np.ascontiguousarray(b_m), radius_m, _OWN_PAIRS, gaps)
    return np.asarray(gaps < -deeper_m)

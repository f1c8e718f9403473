"""Compiled loop over the frames of a motion: which frame must be looked at closely, because something may be deeper than it may be.

It finds pairs and distances with the loops of `narrowphase`. A frame in which rounding could decide counts as doubtful.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house import narrowphase
from assistcore.house.collision import Solids
from assistcore.house.compiled import Kernels

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
B1 = NDArray[np.bool_]

KERNELS = Kernels(globals(), needs=(narrowphase.KERNELS,))
NEAR_CARRIED_M = 0.03
"""With a limb nearer than this to a carried thing no frame is skipped: both move."""


class Movers(NamedTuple):
    """What moves from frame to frame. Part i: pieces `parts[i, 0]` to `parts[i, 1]`, at T (i, n, 4, 4) in frame n.

    Body g, asked what it meets: pieces `bodies[g, 0]` to `bodies[g, 1]`, not the pieces of skip (g, p), nearer than margin_m (g,).
    """

    parts: I64
    T: F64
    bodies: I64
    skip: B1
    margin_m: F64


class Bounds(NamedTuple):
    """How deep mine (m: capsules, then bodies) may be in pieces of each kind (q): anywhere (m, q), and within radius_m of points_m (t, 3).

    kind (p,): of each piece; hidden (p,): pieces that are not there; carried (p,): those of carried things.
    """

    kind: I64
    anywhere_m: F64
    touched_m: F64
    points_m: F64
    radius_m: float
    hidden: B1
    carried: B1


@KERNELS.add
def _turn(rows: F64, first: int, last: int, T: F64, out: F64) -> None:
    """Directions or points (., 3), turned."""
    for i in range(first, last):
        for c in range(3):
            out[i, c] = rows[i, 0] * T[c, 0] + rows[i, 1] * T[c, 1] + rows[i, 2] * T[c, 2]


@KERNELS.add
def _place(local: Solids, world: Solids, first: int, last: int, T: F64) -> None:
    """Write pieces `first` to `last`, moved by T (4, 4), into the world's arrays."""
    _turn(local.corners_m, local.corner_rows[first], local.corner_rows[last], T, world.corners_m)
    _turn(local.faces, local.face_rows[first], local.face_rows[last], T, world.faces)
    _turn(local.edges, local.edge_rows[first], local.edge_rows[last], T, world.edges)
    for j in range(first, last):
        for c in range(3):
            low = np.inf
            high = -np.inf
            for i in range(local.corner_rows[j], local.corner_rows[j + 1]):
                world.corners_m[i, c] += T[c, 3]
                low = min(low, world.corners_m[i, c])
                high = max(high, world.corners_m[i, c])
            world.low_m[j, c] = low
            world.high_m[j, c] = high


@KERNELS.add
def _freedom(pairs: I64, rows: F64, first: int, bounds: Bounds, seen_m: float) -> tuple[float, float]:
    """Least depth that is left to close pairs of mine (from row `first` on) and pieces, and how far anything may move before none is."""
    least = np.inf
    room = seen_m
    for n in range(len(pairs)):
        mine, piece = first + pairs[n, 0], pairs[n, 1]
        kind = bounds.kind[piece]
        bound = bounds.anywhere_m[mine, kind]
        if bounds.touched_m[mine, kind] > bound:
            reach = bounds.radius_m - narrowphase.ROUND_M
            for p in bounds.points_m:
                x, y, z = rows[n, 1] - p[0], rows[n, 2] - p[1], rows[n, 3] - p[2]
                if x * x + y * y + z * z < reach * reach:
                    bound = bounds.touched_m[mine, kind]
        slack = rows[n, 0] + bound
        least = min(least, slack)
        if bounds.carried[piece]:
            room = min(room, 0.5 * slack if slack >= NEAR_CARRIED_M else -1.0)
        else:
            room = min(room, slack)
    return least, room


@KERNELS.add
def first_doubtful(
    k: int, a: F64, b: F64, radius: F64, moved_m: F64, seen_m: float, every: bool,
    local: Solids, world: Solids, movers: Movers, bounds: Bounds,
) -> int:  # fmt: skip
    """The first frame from k on in which a pair may be deeper than its bound; the number of frames where there is none.

    Capsules a, b (n, c, 3), radius (c,). moved_m (n,): how far anything moves into a frame. Obstacles beyond `seen_m` are not looked at
    (half of it where something is carried); unless `every`, frames are skipped in which nothing has moved as far as what was nearest is
    away. `world` is written to where things move.
    """
    room = -1.0
    wide_m = 0.5 * seen_m if bounds.carried.any() else seen_m
    while k < len(a):
        room -= moved_m[k]
        if room > 0.0 and not every:
            k += 1
            continue
        for i in range(len(movers.parts)):
            _place(local, world, movers.parts[i, 0], movers.parts[i, 1], movers.T[i, k])
        pairs, rows = narrowphase.close_capsules(
            a[k], b[k], radius, world.corners_m, world.corner_rows, world.faces, world.face_rows, world.edges, world.edge_rows,
            world.low_m, world.high_m, bounds.hidden, seen_m,
        )  # fmt: skip
        least, room = _freedom(pairs, rows, 0, bounds, wide_m)
        for g in range(len(movers.bodies)):
            first, last = movers.bodies[g]
            pairs, rows = narrowphase.close_pairs(
                world.corners_m, world.corner_rows[first : last + 1], world.faces, world.face_rows[first : last + 1], world.edges,
                world.edge_rows[first : last + 1], world.low_m[first:last], world.high_m[first:last], np.zeros(last - first),
                world.corners_m, world.corner_rows, world.faces, world.face_rows, world.edges, world.edge_rows, world.low_m, world.high_m,
                movers.skip[g], movers.margin_m[g],
            )  # fmt: skip
            pairs[:, 0] = g
            other, free = _freedom(pairs, rows, a.shape[1], bounds, wide_m)
            least, room = min(least, other), min(room, free)
        if least < narrowphase.ROUND_M:
            return k
        k += 1
    return len(a)


@KERNELS.add
def steps(a: F64, b: F64, tracks: F64, reach_m: float, out: F64) -> None:
    """How far anything moves into each frame (n,), at most: capsules a, b (n, c, 3), things at root poses tracks (g, n, 7).

    Corners of things are at most `reach_m` from their roots.
    """
    out[0] = 0.0
    for k in range(1, len(a)):
        far2 = 0.0
        for i in range(a.shape[1]):
            x, y, z = a[k, i, 0] - a[k - 1, i, 0], a[k, i, 1] - a[k - 1, i, 1], a[k, i, 2] - a[k - 1, i, 2]
            far2 = max(far2, x * x + y * y + z * z)
            x, y, z = b[k, i, 0] - b[k - 1, i, 0], b[k, i, 1] - b[k - 1, i, 1], b[k, i, 2] - b[k - 1, i, 2]
            far2 = max(far2, x * x + y * y + z * z)
        least_cos = 1.0
        for g in range(len(tracks)):
            now, before = tracks[g, k], tracks[g, k - 1]
            x, y, z = now[0] - before[0], now[1] - before[1], now[2] - before[2]
            far2 = max(far2, x * x + y * y + z * z)
            least_cos = min(least_cos, abs(now[3] * before[3] + now[4] * before[4] + now[5] * before[5] + now[6] * before[6]))
        out[k] = np.sqrt(far2) + 2.0 * np.arccos(least_cos) * reach_m

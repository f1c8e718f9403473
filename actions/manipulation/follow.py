"""Keeping a hand on a moving link: the cheapest continuous choice of hand turn and posture along the joint's way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.crowding import carries_clear
from actions.manipulation.handles import Drive
from actions.manipulation.ik import arm_chain
from actions.manipulation.keys import Key, key_at, look_from
from actions.manipulation.link_holds import Holds, bar_holds, on
from actions.manipulation.posture import Rung, at_stance, rungs
from actions.manipulation.reach import GIRDLE_M, RESIDUAL_M, RUNG_COST, STRAIN_RAD, Nearest, Standing, all_arms
from actions.manipulation.shape import signed_distance
from assistcore.house.collision import Solids
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]

SAMPLES = 8
FOREARM_M = 0.052
"""Forearm radius and a little more."""
IDLE_SWING_RAD = 1.5
FEW = 4
"""Postures that are looked at first: mostly one of them will do."""
LOW_M = 0.6
"""Below this height the easy postures are not the first ones of the ladder."""
TURN_STEP = 3
"""Largest change of the hand's turn (in steps of 15 degrees) between neighbouring samples."""


@dataclass(frozen=True, eq=False)
class Track:
    """Keys with the hand on the handle at joint values (k,)."""

    values: F64
    keys: tuple[Key, ...]
    first: Rung
    """The posture in which it is taken."""
    drive: Drive
    """With the place where the hand is as its handle."""
    closed: bool = True
    """Whether the fingers close round it."""

    @property
    def share(self) -> float:
        """How much of the whole way is led, 0 to 1."""
        return (len(self.values) - 1) / (SAMPLES - 1.0)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """What is possible at every sample: cost (s, c, r), infinite where not; swivels alike; rungs (r)."""

    cost: F64
    swivel: F64
    rungs: tuple[Rung, ...]
    wrists: F64
    nearest: Nearest


class _Column(NamedTuple):
    """One posture's view of hand frames: the rows (m,) it may reach; which of them it does not, effort and swivel, each (m,)."""

    rows: NDArray[np.int64]
    bad: NDArray[np.bool_]
    effort: F64
    swivel: F64
    nearest: Nearest


class _Way:
    """The hand frames of a hold along the joint's way, and what each posture makes of them, looked at once."""

    def __init__(self, here: Standing, drive: Drive, holds: Holds, start: float, end: float, wide: bool) -> None:
        self._here, self._solids = here, drive.solids
        at = np.stack([drive.link_at(float(v)) for v in np.linspace(start, end, SAMPLES)])
        most = None if wide else holds.plain
        self.wrists = at[:, None] @ holds.wrists[None, :most]
        self._flat = self.wrists.reshape(-1, 4, 4)
        self._local = inverse(here.T_stance) @ self._flat
        c = self.wrists.shape[1]
        ends = (self._local[:c, :3, 3], self._local[-c:, :3, 3])
        able = (step for end in ends for step in rungs(here.figure.body, here.figure.side, end, inside=False, slack_m=0.12, turned=wide))
        self.steps = tuple(dict.fromkeys(able))
        self._links = np.stack([inverse(T) for T in at])
        self._usable = np.isfinite(np.tile(holds.cost[:most], SAMPLES))
        self._reach = arm_chain(here.figure.body, here.figure.side).span_m[1] + GIRDLE_M
        self._columns: dict[tuple[Rung, int], _Column | None] = {}

    def column(self, step: Rung, first: int) -> _Column | None:
        """Of the frames of the first sample (`first` 0) or the later ones (1); None where the posture brings the hand to none of them."""
        if (step, first) not in self._columns:
            self._columns[step, first] = self._looked(step, first)
        return self._columns[step, first]

    def _looked(self, step: Rung, first: int) -> _Column | None:
        here, c = self._here, self.wrists.shape[1]
        part = slice(first * c, None if first else c)
        far = np.linalg.norm(self._local[part, :3, 3] - step.shoulder_m[here.figure.side], axis=1) > self._reach
        rows = first * c + np.flatnonzero(~far & self._usable[part])
        if not len(rows):
            return None
        arm = all_arms(here, step, self._local[rows], reached_only=True)
        bad = (arm.residual_m >= RESIDUAL_M) | (arm.strain_rad > STRAIN_RAD + 0.08)
        good = rows[~bad]
        bad[~bad] = _forearm_meets(here, step, arm.elbow_m[~bad], self._flat[good, :3, 3], self._links[good // c], self._solids)
        k = int(np.argmin(arm.residual_m + 0.001 * np.minimum(arm.strain_rad, 3.0)))
        return _Column(rows, bad, arm.effort, arm.swivel_rad, Nearest(float(arm.residual_m[k]), float(arm.strain_rad[k])))


@lru_cache(maxsize=16)
def _way(here: Standing, drive: Drive, holds: Holds, start: float, end: float, wide: bool) -> _Way:
    return _Way(here, drive, holds, start, end, wide)


def _nodes(here: Standing, way: _Way, holds: Holds, banned: frozenset[Rung], few: int | None) -> _Nodes:
    s, c = way.wrists.shape[:2]
    steps = tuple(islice((step for step in way.steps if step not in banned and carries_clear(here, step)), few))
    cost = np.full((s, c, max(len(steps), 1)), np.inf)
    swivel = np.zeros_like(cost)
    nearest = Nearest()
    for part in (0, 1):
        if part and not np.isfinite(cost[0]).any():
            break  # what is not held at the start is held nowhere
        for r, step in enumerate(steps):
            found = way.column(step, part)
            if found is None:
                continue
            rows = found.rows
            nearest = nearest if part else min(nearest, found.nearest, key=lambda n: (n.residual_m, n.strain_rad))
            cost[rows // c, rows % c, r] = np.where(found.bad, np.inf, found.effort + RUNG_COST * r) + holds.cost[rows % c]
            swivel[rows // c, rows % c, r] = found.swivel
    return _Nodes(cost, swivel, steps, way.wrists, nearest)


def _forearm_meets(here: Standing, step: Rung, elbow_m: F64, wrist_m: F64, links: F64, solids: Solids) -> NDArray[np.bool_]:
    """Whether forearms from elbows (n, 3), trunk frame, to wrists (n, 3), world, run into the moving link; links (n, 4, 4) to its frame."""
    if not len(elbow_m):
        return np.zeros(0, np.bool_)
    T = here.T_stance @ step.trunk
    elbow = elbow_m @ T[:3, :3].T + T[:3, 3]
    t = np.array([0.15, 0.4, 0.65])[None, :, None]
    points = elbow[:, None] * (1.0 - t) + wrist_m[:, None] * t
    local = np.einsum("nij,nkj->nki", links[:, :3, :3], points) + links[:, None, :3, 3]
    gap = signed_distance(solids, local.reshape(-1, 3), FOREARM_M).reshape(len(elbow), -1).min(axis=1)
    return np.asarray(gap < FOREARM_M)


def follow(
    here: Standing, drive: Drive, start: float, end: float, least: float, banned: frozenset[Rung] = frozenset(), holds: Holds | None = None
) -> Track | Nearest:
    """The longest way from `start` towards `end` that the hand can stay on the link, or how near it came at the start.

    `holds` are the ways to hold it, the handle unless given. Unusual hand frames and a turned trunk are looked at only where the plain
    ones lead over less than the share `least`.
    """
    ways = holds or bar_holds(drive, here.figure.side, here.figure.body)
    found = plainly(here, drive, ways, start, end, banned)
    if isinstance(found, Track) and found.share >= min(1.0, 2.0 * least):
        return found
    wide = widely(here, drive, ways, start, end, banned)
    if isinstance(found, Track) and (isinstance(wide, Nearest) or wide.share <= found.share):
        return found
    return wide


def plainly(here: Standing, drive: Drive, ways: Holds, start: float, end: float, banned: frozenset[Rung] = frozenset()) -> Track | Nearest:
    """`follow` with the usual hand frames and a trunk that faces ahead; the easy postures first."""
    if float(drive.frame_at(start)[0][2]) >= LOW_M:
        found = _follow(here, drive, ways, start, end, False, banned, FEW)
        if isinstance(found, Track) and found.share >= 1.0:
            return found
    return _follow(here, drive, ways, start, end, False, banned, None)


def widely(here: Standing, drive: Drive, ways: Holds, start: float, end: float, banned: frozenset[Rung] = frozenset()) -> Track | Nearest:
    """`follow` with every hand frame and posture."""
    return _follow(here, drive, ways, start, end, True, banned, None)


def _follow(
    here: Standing, drive: Drive, holds: Holds, start: float, end: float, wide: bool, banned: frozenset[Rung], few: int | None
) -> Track | Nearest:
    values = np.linspace(start, end, SAMPLES)
    nodes = _nodes(here, _way(here, drive, holds, start, end, wide), holds, banned, few)
    if not nodes.rungs or not np.isfinite(nodes.cost[0]).any():
        return nodes.nearest
    best = nodes.cost[0]
    back: list[F64] = []
    chain = [best]
    change = _changes(nodes.rungs)
    for i in range(1, SAMPLES):
        step, origin = _advance(best, nodes.cost[i], holds.turns, change, fixed=holds.fixed or drive.joint.kind == "slide")
        if not np.isfinite(step).any():
            break
        back.append(origin)
        chain.append(step)
        best = step
    path = [int(np.argmin(chain[-1]))]
    for origin in reversed(back):
        path.append(int(origin.reshape(-1)[path[-1]]))
    path.reverse()
    row, first = divmod(path[0], nodes.cost.shape[2])
    keys = tuple(_key(here, nodes, i, node) for i, node in enumerate(path))
    return Track(values[: len(path)], keys, nodes.rungs[first], on(drive, holds.places[row // holds.turns]), holds.closed)


def _advance(best: F64, cost: F64, turns: int, change: F64, *, fixed: bool) -> tuple[F64, F64]:
    """One step of the cheapest chain: new totals (c, r) and the flat index each came from. `change` (r, r): what another posture costs."""
    c, r = cost.shape
    groups = c // turns
    reach = 0 if fixed else TURN_STEP
    padded = np.full((groups, turns + 2 * reach, r), np.inf)
    padded[:, reach : reach + turns] = best.reshape(groups, turns, r)
    steps = np.arange(-reach, reach + 1)
    # before (groups, turns, step, rung before)
    before = np.stack([padded[:, reach + k : reach + k + turns] for k in steps], axis=2) + 0.15 * np.abs(steps)[:, None]
    over = (before[..., None] + change).reshape(groups, turns, len(steps) * r, r)
    at = np.argmin(over, axis=2)
    least = np.take_along_axis(over, at[:, :, None], axis=2)[:, :, 0]
    row = np.arange(c).reshape(groups, turns, 1) + steps[at // r]
    total = (least + cost.reshape(groups, turns, r)).reshape(c, r)
    return total, np.where(np.isfinite(total), (row * r + at % r).reshape(c, r), 0).astype(np.float64)


def _changes(steps: tuple[Rung, ...]) -> F64:
    """Costs (r, r) from one posture to the next; the idle arm does not swing past the thighs from behind to before them."""
    r = np.arange(len(steps))
    raised = np.array([step.posture.arm_raise_rad for step in steps])
    apart = np.abs(raised[:, None] - raised[None]) > IDLE_SWING_RAD
    return np.where(apart, np.inf, 0.4 * np.abs(r[:, None] - r[None]))


def _key(here: Standing, nodes: _Nodes, i: int, node: int) -> Key:
    r = nodes.cost.shape[2]
    row, step = node // r, nodes.rungs[node % r]
    posture = at_stance(step.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    T = nodes.wrists[i, row]
    point = T[:3, 3]
    return key_at(here.figure, posture, here.T_stance @ step.trunk, T, here.start.fingers, look_from(here.figure, posture, point),
                  float(nodes.swivel[i, row, node % r]))  # fmt: skip

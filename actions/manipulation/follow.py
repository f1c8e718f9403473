"""Keeping a hand on a moving handle: the cheapest continuous choice of hand turn and posture along the joint's way."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.crowding import carries_clear
from actions.manipulation.grasp import TURNS_DEG
from actions.manipulation.handles import Drive, clear_grips, grips
from actions.manipulation.keys import Key, key_at, look_from
from actions.manipulation.posture import Rung, at_stance, rungs
from actions.manipulation.reach import RESIDUAL_M, RUNG_COST, STRAIN_RAD, Nearest, Standing, all_arms
from actions.manipulation.shape import signed_distance
from assistcore.house.collision import Solids
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]

SAMPLES = 8
FOREARM_M = 0.052
"""Forearm radius and a little more."""
TURN_STEP = 3
"""Largest change of the hand's turn (in steps of 15 degrees) between neighbouring samples."""


@dataclass(frozen=True, eq=False)
class Track:
    """Keys with the hand on the handle at joint values (k,)."""

    values: F64
    keys: tuple[Key, ...]
    first: Rung
    """The posture in which the handle is taken."""

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


def _nodes(here: Standing, drive: Drive, values: F64, wide: bool, banned: frozenset[Rung]) -> _Nodes:
    frames = [drive.frame_at(float(v)) for v in values]
    most = None if wide else 2 * len(TURNS_DEG)
    wrists = np.stack([grips(here.figure.side, *f)[:most] for f in frames])
    s, c = wrists.shape[:2]
    local = inverse(here.T_stance) @ wrists.reshape(-1, 4, 4)
    steps = tuple(rungs(here.figure.body, here.figure.side, local[:c, :3, 3], inside=False, slack_m=0.12, turned=wide))
    steps = tuple(step for step in steps if step not in banned and carries_clear(here, step))
    cost = np.full((s, c, max(len(steps), 1)), np.inf)
    swivel = np.zeros_like(cost)
    nearest = Nearest()
    clear = clear_grips(drive, here.figure.side, here.figure.body)[:most]
    links = np.stack([inverse(drive.link_at(float(v))) for v in values])
    solids = drive.solids()
    for r, step in enumerate(steps):
        arm = all_arms(here, step, local)
        bad = (arm.residual_m >= RESIDUAL_M) | (arm.strain_rad > STRAIN_RAD + 0.08)
        bad[~bad] = _forearm_meets(
            here, step, arm.elbow_m[~bad], wrists.reshape(-1, 4, 4)[~bad, :3, 3], np.repeat(links, c, axis=0)[~bad], solids
        )
        k = int(np.argmin(arm.residual_m[:c] + 0.001 * np.minimum(arm.strain_rad[:c], 3.0)))
        nearest = min(nearest, Nearest(float(arm.residual_m[k]), float(arm.strain_rad[k])), key=lambda n: (n.residual_m, n.strain_rad))
        cost[:, :, r] = np.where(bad, np.inf, arm.effort + RUNG_COST * r).reshape(s, c) + (np.arange(c) >= 2 * len(TURNS_DEG)) * 0.3
        cost[:, ~clear, r] = np.inf
        swivel[:, :, r] = arm.swivel_rad.reshape(s, c)
    return _Nodes(cost, swivel, steps, wrists, nearest)


def _forearm_meets(here: Standing, step: Rung, elbow_m: F64, wrist_m: F64, links: F64, solids: Solids) -> NDArray[np.bool_]:
    """Whether forearms from elbows (n, 3), trunk frame, to wrists (n, 3), world, run into the moving link; links (n, 4, 4) to its frame."""
    if not len(elbow_m):
        return np.zeros(0, np.bool_)
    T = here.T_stance @ step.trunk
    elbow = elbow_m @ T[:3, :3].T + T[:3, 3]
    t = np.array([0.15, 0.4, 0.65])[None, :, None]
    points = elbow[:, None] * (1.0 - t) + wrist_m[:, None] * t
    local = np.einsum("nij,nkj->nki", links[:, :3, :3], points) + links[:, None, :3, 3]
    gap = signed_distance(solids, local.reshape(-1, 3), 0.1).reshape(len(elbow), -1).min(axis=1)
    return np.asarray(gap < FOREARM_M)


def follow(here: Standing, drive: Drive, start: float, end: float, least: float, banned: frozenset[Rung] = frozenset()) -> Track | Nearest:
    """The longest way from `start` towards `end` that the hand can stay on the handle, or how near it came at the start.

    Hand frames across the bar and a turned trunk are looked at only where the plain ones lead over less than the share `least`.
    """
    found = _follow(here, drive, start, end, False, banned)
    if isinstance(found, Track) and found.share >= min(1.0, 2.0 * least):
        return found
    wide = _follow(here, drive, start, end, True, banned)
    if isinstance(found, Track) and (isinstance(wide, Nearest) or wide.share <= found.share):
        return found
    return wide


def _follow(here: Standing, drive: Drive, start: float, end: float, wide: bool, banned: frozenset[Rung]) -> Track | Nearest:
    values = np.linspace(start, end, SAMPLES)
    nodes = _nodes(here, drive, values, wide, banned)
    if not nodes.rungs or not np.isfinite(nodes.cost[0]).any():
        return nodes.nearest
    turns = len(TURNS_DEG)
    best = nodes.cost[0]
    back: list[F64] = []
    chain = [best]
    for i in range(1, SAMPLES):
        step, origin = _advance(best, nodes.cost[i], turns, fixed=drive.joint.kind == "slide")
        if not np.isfinite(step).any():
            break
        back.append(origin)
        chain.append(step)
        best = step
    path = [int(np.argmin(chain[-1]))]
    for origin in reversed(back):
        path.append(int(origin.reshape(-1)[path[-1]]))
    path.reverse()
    first = nodes.rungs[path[0] % nodes.cost.shape[2]]
    return Track(values[: len(path)], tuple(_key(here, drive, nodes, i, node) for i, node in enumerate(path)), first)


def _advance(best: F64, cost: F64, turns: int, *, fixed: bool) -> tuple[F64, F64]:
    """One step of the cheapest chain: new totals (c, r) and the flat index each came from."""
    c, r = cost.shape
    total = np.full((c, r), np.inf)
    origin = np.zeros((c, r))
    for thumb in range(len(cost) // turns):
        rows = np.arange(thumb * turns, (thumb + 1) * turns)
        for j in rows:
            near = rows[np.abs(rows - j) <= (0 if fixed else TURN_STEP)]
            for k in range(r):
                if not np.isfinite(cost[j, k]):
                    continue
                before = best[near] + 0.15 * np.abs(near - j)[:, None] + 0.4 * np.abs(np.arange(r) - k)[None]
                at = int(np.argmin(before))
                if np.isfinite(before.reshape(-1)[at]):
                    total[j, k] = before.reshape(-1)[at] + cost[j, k]
                    origin[j, k] = near[at // r] * r + at % r
    return total, origin


def _key(here: Standing, drive: Drive, nodes: _Nodes, i: int, node: int) -> Key:
    r = nodes.cost.shape[2]
    row, step = node // r, nodes.rungs[node % r]
    posture = at_stance(step.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    T = nodes.wrists[i, row]
    point = T[:3, 3]
    return key_at(here.figure, posture, here.T_stance @ step.trunk, T, here.start.fingers, look_from(here.figure, posture, point),
                  float(nodes.swivel[i, row, node % r]))  # fmt: skip

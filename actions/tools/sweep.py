"""Leading a held tool along the legs of a curve: one posture, the arm solved at every sample, the tip exact in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.keys import Key, key_at, pose_of_key
from actions.manipulation.paths import (
    FPS,
    HAND_AIM_M_S,
    HAND_LIMIT_M_S,
    HOPELESS,
    JOINT_AIM_RAD_S,
    JOINT_LIMIT_RAD_S,
    PEAK,
    Frames,
    assemble,
    minimum_jerk,
    peak_speeds,
)
from actions.manipulation.posture import Rung
from actions.manipulation.reach import Standing, works
from actions.tools.curves import Legs
from actions.tools.tips import Tool
from humans.rotations import matrix_from_rotvec, rotvec_from_matrix, slerp_rotvec

F64 = NDArray[np.float64]

EXACT_M = 0.002
"""How far a frame's hand may be from where the curve wants it."""
STRAIN_RAD = 0.15
MOST_SLOWER = 3


@dataclass(frozen=True, eq=False)
class Swept:
    """The frames of a curve: `ends` are the frames at which its legs end, `tips` (n, 4, 4) where the tip is, `keys` its first and last."""

    frames: Frames
    ends: tuple[int, ...]
    tips: F64
    first: Key
    last: Key


def keys_along(here: Standing, tool: Tool, legs: Legs, rung: Rung, like: Key) -> list[list[Key]] | None:
    """Keys for every sample of every leg with posture, swivel, fingers and gaze of `like`, or None where the arm cannot follow."""
    trunk = here.T_stance @ rung.trunk
    out: list[list[Key]] = []
    for leg in legs:
        keys = [key_at(here.figure, like.posture, trunk, T, like.fingers, like.head, like.swivel_rad) for T in tool.wrists(leg)]
        if not all(works(k, strain_rad=STRAIN_RAD) for k in keys):
            return None
        out.append(keys)
    return out


def sweep(here: Standing, tool: Tool, keys: Sequence[Sequence[Key]], pace: float = 1.0, least_s: Sequence[float] = ()) -> Swept | None:
    """Frames through the keys of all legs, at rest where legs meet, slow enough for the limits; None where no pace keeps them.

    `least_s`: seconds that the first legs take at least.
    """
    first = keys[0][0]
    before = pose_of_key(here.figure, first)
    stretch = 1.0 / pace
    for _ in range(MOST_SLOWER):
        frames, ends = _build(here, keys, stretch, least_s)
        if float(frames.residual_m.max()) > EXACT_M:
            return None
        hand, joint = peak_speeds(here.figure, before, frames)
        over = max(hand / (0.9 * HAND_LIMIT_M_S), joint / (0.9 * JOINT_LIMIT_RAD_S))
        if over <= 1.0:
            return Swept(frames, ends, frames.wrist @ tool.T_wrist_tip, first, keys[-1][-1])
        if over > HOPELESS:
            return None
        stretch *= max(1.2, over)
    return None


def _build(here: Standing, keys: Sequence[Sequence[Key]], stretch: float, least_s: Sequence[float]) -> tuple[Frames, tuple[int, ...]]:
    made, ends = [], []
    for number, leg in enumerate(keys):
        index, u = _times(leg, stretch, least_s[number] if number < len(least_s) else 0.0)
        made.append(assemble(here.figure, leg, index, u, _between(leg, index, u)))
        ends.append(sum(len(f) for f in made) - 1)
    joined = Frames(
        np.concatenate([f.pose_rad for f in made]), np.concatenate([f.translation_m for f in made]),
        np.concatenate([f.wrist for f in made]), np.concatenate([f.residual_m for f in made]),
    )  # fmt: skip
    return joined, tuple(ends)


def _times(leg: Sequence[Key], stretch: float, least_s: float) -> tuple[NDArray[np.int64], F64]:
    """Index of the sample before every frame and the share of the way to the next, minimum jerk over the whole leg."""
    spans = np.array([_span(a, b) for a, b in zip(leg, leg[1:], strict=False)])
    total = float(spans.sum())
    n = max(2, int(np.ceil(FPS * max(PEAK * stretch * total, least_s))))
    along = minimum_jerk(np.arange(1, n + 1) / n) * total
    ends = np.cumsum(spans)
    index = np.minimum(np.searchsorted(ends, along - 1e-12), len(spans) - 1).astype(np.int64)
    return index, np.clip((along - (ends - spans)[index]) / spans[index], 0.0, 1.0)


def _span(a: Key, b: Key) -> float:
    """Seconds from sample to sample at the aimed mean speeds."""
    hand = float(np.linalg.norm(b.T_wrist[:3, 3] - a.T_wrist[:3, 3])) / HAND_AIM_M_S
    joints = float(np.linalg.norm(rotvec_from_matrix(np.swapaxes(a.local, 1, 2) @ b.local), axis=1).max()) / JOINT_AIM_RAD_S
    return max(hand, joints, 0.01)


def _between(leg: Sequence[Key], index: NDArray[np.int64], u: F64) -> F64:
    """Wrist frames (n, 4, 4) between the samples: straight lines, even turns."""
    points = np.stack([k.T_wrist[:3, 3] for k in leg])
    turns = rotvec_from_matrix(np.stack([k.T_wrist[:3, :3] for k in leg]))
    out = np.tile(np.eye(4), (len(u), 1, 1))
    out[:, :3, 3] = points[index] * (1.0 - u[:, None]) + points[index + 1] * u[:, None]
    out[:, :3, :3] = matrix_from_rotvec(np.stack([slerp_rotvec(turns[i], turns[i + 1], float(t)) for i, t in zip(index, u, strict=True)]))
    return out

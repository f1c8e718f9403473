"""Giving up a walk: the foot that swings lands where it was going to, the other one closes beside it, the root slows down in between.

Where both feet stand, the rear one closes at once. From every frame of a walk the person stands within two steps. The frames before and
after fit together: what the gait had planned for the landing foot fades into what the shorter walk asks for.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from humans.arms import ArmOverlay
from humans.footsteps import FPS, MAX_BOW_M, Hold, StepPlan, ankle_xy, bow_m, headings_of, plan_steps, segments
from humans.gait import Frames, RootTrack, Stride
from humans.model import BodyModel
from humans.postures import ANKLE_BACK_M, HALF_WIDTH_M
from humans.rotations import F64

STEPS_PER_FRAME = 0.13
SPEED_M_FRAME = 1.1 / FPS
YAW_STEP_RAD = np.radians(9.0)
PEAK = 1.5
"""Largest rate of a cubic that begins and ends at rest, as a multiple of its mean."""
FADE_FRAMES = 6
REST_FRAMES = 2
SAME_RAD = 1e-9


class Halt(NamedTuple):
    """The rest of a walk that is given up: track and frames, (n, 156) and (n, 3). Row 0 is the frame where it is given up, the last
    `REST_FRAMES` rows stand."""

    track: RootTrack
    pose_rad: F64
    translation_m: F64


def standing_frames(track: RootTrack) -> NDArray[np.bool_]:
    """Mask (n,) of the frames of a walk along a track at which both feet stand in the idle stance."""
    out = np.ones(len(track.heading_rad), np.bool_)
    for first, last in segments(np.asarray(track.xy_m), headings_of(np.asarray(track.heading_rad))):
        out[first + 1 : last] = False
    return out


def halt(body: BodyModel, track: RootTrack, frame: int, shown_rad: F64, overlay: ArmOverlay | None = None) -> Halt | None:
    """How a walk along a track stops when it is given up at a frame that shows the pose `shown_rad` (156,).

    None where it ends within two steps anyway, where it stands, and where that pose is not one of a walk along this track.
    """
    smooth = RootTrack(np.asarray(track.xy_m, np.float64), headings_of(np.asarray(track.heading_rad, np.float64)))
    span = next((s for s in segments(smooth.xy_m, smooth.heading_rad) if s[0] < frame < s[1]), None)
    if span is None:
        return None
    walk = _shown(body, smooth, span, frame - span[0], shown_rad, overlay)
    if walk is None or _step(walk, frame - span[0]) + 2 >= walk.plan.steps:
        return None
    short = _Halting(walk, frame - span[0])
    rest = [short.frames(k, k + 1, overlay) for k in range(short.given_up, len(short.heading))]
    kept = slice(short.given_up, None)
    poses, translations = np.concatenate([f.pose_rad for f in rest]), np.concatenate([f.translation_m for f in rest])
    return Halt(RootTrack(short.xy[kept], short.heading[kept]), poses, translations)


def _shown(
    body: BodyModel, track: RootTrack, span: tuple[int, int], index: int, shown_rad: F64, overlay: ArmOverlay | None
) -> Stride | None:
    """The walk of this span that shows a pose, whichever foot it began with."""
    for foot in (None, "left", "right"):
        walk = Stride(body, track, plan_steps(track.xy_m, track.heading_rad, *span, body.gait.shape, FPS, foot), body.gait, 0.0)
        pose = walk.frames(index, index + 1, overlay).pose_rad[0]
        if float(np.abs(pose - shown_rad).reshape(-1, 3)[_LEGS].max()) < SAME_RAD:
            return walk
    return None


_LEGS = [1, 2, 4, 5, 7, 8, 10, 11]
"""Hips, knees, ankles and feet."""


def _step(walk: Stride, index: int) -> int:
    """The step whose foot is the last one that is not changed: the one in the air, or the one before while both stand."""
    phase = float(walk.plan.phase[index])
    return int(phase) - (phase - int(phase) <= 0.5 * walk.plan.double_support)


def _shortened(walk: Stride, index: int) -> tuple[StepPlan, F64, float]:
    """Holds of the walk that is given up at a frame, and where its root ends: position (2,) and heading."""
    plan, half = walk.plan, 0.5 * walk.plan.double_support
    step = _step(walk, index)
    landing, closing = plan.swing_side(step), plan.swing_side(step + 1)
    lands = [h for h in plan.holds[landing] if h.land < step + 1]
    last = replace(lands[-1], lift=np.inf)
    c, s, side = np.cos(last.yaw_rad), np.sin(last.yaw_rad), HALF_WIDTH_M if landing == "left" else -HALF_WIDTH_M
    root = np.array([last.x_m + c * ANKLE_BACK_M + s * side, last.y_m + s * ANKLE_BACK_M - c * side])
    stands = [h for h in plan.holds[closing] if h.land < step + 1]
    old = replace(stands[-1], lift=step + 1.0 + half)
    x, y = ankle_xy(root, last.yaw_rad, closing, ANKLE_BACK_M)
    bow = min(bow_m(old, (x, y, last.yaw_rad), last, closing), MAX_BOW_M)
    holds = {
        landing: (*lands[:-1], last),
        closing: (*stands[:-1], old, Hold(x, y, last.yaw_rad, step + 2.0 - half, np.inf, bow)),
    }
    return replace(plan, first=0, steps=step + 2, holds=holds), root, last.yaw_rad


def _braked(start: F64, rate: F64, end: F64, frames: int) -> F64:
    """Values (frames, k) after `start` (k,): a cubic that begins at a rate per frame and ends at rest."""
    s = (np.arange(1, frames + 1) / frames)[:, None]
    return np.asarray(
        (2 * s**3 - 3 * s**2 + 1) * start + (s**3 - 2 * s**2 + s) * (rate * frames) + (3 * s**2 - 2 * s**3) * end, dtype=np.float64
    )


class _Halting(Stride):
    """The walk up to the frame where it is given up, and its last two steps."""

    def __init__(self, walk: Stride, index: int) -> None:
        plan, root, yaw = _shortened(walk, index)
        values = np.column_stack([walk.xy, walk.heading, walk.plan.phase])
        now, rate = values[index], values[index] - values[index - 1]
        end = np.array([*root, yaw, float(plan.steps)])
        way, turn, steps = float(np.linalg.norm(end[:2] - now[:2])), abs(end[2] - now[2]), end[3] - now[3]
        frames = int(np.ceil(max(steps / STEPS_PER_FRAME, PEAK * way / SPEED_M_FRAME, PEAK * turn / YAW_STEP_RAD)))
        rest = np.repeat(end[None], REST_FRAMES - 1, axis=0)
        values = np.vstack([values[: index + 1], _braked(now, rate, end, frames), rest])
        track = RootTrack(values[:, :2], values[:, 2])
        self.given_up = index
        super().__init__(walk.body, track, replace(plan, last=len(values) - 1, phase=values[:, 3]), walk.style, walk.floor)
        self._planned = (walk.stride[: plan.steps + 1], list(self.stride))

    def frames(self, first: int, stop: int, overlay: ArmOverlay | None) -> Frames:
        """As for every walk; first as the longer walk had it, then more and more as this one (by the fade of the first of these frames)."""
        t = min(1.0, max(0.0, (first - self.given_up) / FADE_FRAMES))
        share = t * t * (3.0 - 2.0 * t)
        old, new = self._planned
        self.stride = [(1.0 - share) * a + share * b for a, b in zip(old, new, strict=True)]
        return super().frames(first, stop, overlay)

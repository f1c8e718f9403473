"""A way of walking measured on a motion clip (AMASS / ACCAD npz, see `motion_files`), in place of the built-in gait.

What is taken: walk ratio, double support, the roll of the foot from heel to toes, the swing, the pelvis' turns, bob and sway, and trunk,
head and arms, all as functions of the distance walked, averaged over the clip's cycles on our own skeleton (InteractiveWorld B.2.1). What
is kept: feet that are anchored in the world and solved by the leg IK, starts, stops and turns, fingers at rest, and a head that on average
looks ahead (it carries the camera). Both feet roll alike. Arms are held within the person's speed limits and clear of the legs;
`GaitStyle.notes` says when that changed them.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from humans.clip_arms import tamed
from humans.clip_cycles import Cycle1, Walked, walked
from humans.gait_style import Cycle, GaitShape, GaitStyle
from humans.kinematics import root_matrix
from humans.legs import SIDES, foot
from humans.model import JOINT, BodyModel
from humans.motion_files import MotionFileError, read_amass
from humans.postures import ANKLE_BACK_M, idle_pelvis_height_m
from humans.rotations import F64, matrix_from_rotvec, rotation_y, rotvec_from_matrix, slerp_rotvec

ROWS = 64
"""Parts of a cycle in the tables."""
UPPER = (
    *("spine1", "spine2", "spine3", "neck", "head"),
    *(f"{side}_{part}" for part in ("collar", "shoulder", "elbow", "wrist") for side in ("left", "right")),
)
HEEL_AT = (0.0, 0.04, 0.08, 0.12, 0.16, 0.2, 0.26, 0.32, 0.38, 0.44)
TOE_AT = (0.0, 0.05, 0.1, 0.15, 0.2, 0.26, 0.32, 0.4, 0.48, 0.56, 0.64)
SWING_AT = tuple(k / 12 for k in range(13))
ALIKE = 0.12
"""A cycle whose length or time differs from the median by more than this share is left out of the mean."""
STRIDE_SHARE_RANGE = (0.75, 1.25)
WALK_RATIO_RANGE = (0.0035, 0.0080)
DOUBLE_SUPPORT_RANGE = (0.14, 0.40)
DROP_RANGE_M = (0.0, 0.07)
SWAY_M = 0.020
"""Farthest that the pelvis leaves the track to a side."""
HEEL_DEG, TOE_DEG = 30.0, 66.0
LEAST_CLEARANCE_M = 0.010
STRAIGHT_LEAD, LIFT_LEAD = 0.93, 1.03
"""Shares of the distances of a full stride at which heel and toes roll by their whole curves, as for the built-in gait."""
FLAT = (0.40, 0.60)
"""Part of a stance in which the foot is taken to be flat."""


class _Side(NamedTuple):
    """Curves of one foot in one cycle at HEEL_AT, TOE_AT and SWING_AT: pitch (degrees, toes up), share of the way, clearance (m).

    stride_share: how far the root passes over the flat foot on this skeleton, as a share of how far it walks; legs of another length than
    the clip's make it differ from one."""

    landing: F64
    lifting: F64
    swing: F64
    along: F64
    clearance: F64
    back_m: float
    floor_m: float
    stride_share: float


def read_gait(path: Path | str, body: BodyModel, up: str | None = None) -> GaitStyle:
    """The way of walking in a clip, for this body. up: 'y' or 'z', or None to measure it.

    Raises MotionFileError, which says what is missing: a file that cannot be read, no walk, no period, too short.
    """
    path = Path(path).expanduser()
    motion = read_amass(path, body, up)
    found = walked(motion, body, str(path))
    style = tamed(body, _style(found, body), str(path))
    return replace(style, source=f"{path.name}:{sha256(path.read_bytes()).hexdigest()[:12]}")


def with_gait(body: BodyModel, style: GaitStyle) -> BodyModel:
    """The body with another way of walking."""
    return replace(body, gait=style)


class _Phased:
    """One cycle of a clip as functions of the phase in steps, 1 at the double support after the left foot landed, 3 a cycle later."""

    def __init__(self, clip: Walked, cycle: Cycle1) -> None:
        self.clip, self.cycle = clip, cycle
        doubles = np.array(
            [
                0.5 * (cycle.left_lands + cycle.right_lifts),
                0.5 * (cycle.right_lands + cycle.left_lifts),
                0.5 * (cycle.left_lands_again + cycle.right_lifts_again),
            ]
        )
        root = clip.transforms[:, 0, :2, 3]
        ends = np.stack([self._at(doubles[[0, 2]], root[:, k]) for k in (0, 1)], axis=1)
        chord = ends[1] - ends[0]
        self.length_m = float(np.linalg.norm(chord))
        self.time_s = float(doubles[2] - doubles[0])
        self.course = float(np.arctan2(chord[1], chord[0]))
        self.ahead = chord / self.length_m
        self.left = np.array([-self.ahead[1], self.ahead[0]])
        self.along = (root - ends[0]) @ self.ahead
        self.aside = (root - ends[0]) @ self.left
        knots = self._at(doubles, self.along)
        slope = 2.0 / self.length_m
        # beyond its ends the phase goes on with the distance, so that the landing before and the lift after have one
        self.knots_m = np.array([knots[0] - 1.0 / slope, *knots, knots[2] + 1.0 / slope])
        self.knots_phase = np.array([0.0, 1.0, 2.0, 3.0, 4.0])

    def _at(self, time_s: F64 | float, values: F64) -> F64:
        return np.asarray(np.interp(time_s, self.clip.time_s, values))

    def phase(self, time_s: float) -> float:
        """Phase at a time."""
        return float(np.interp(self._at(time_s, self.along), self.knots_m, self.knots_phase))

    def times(self, phase: F64) -> F64:
        """Times at phases."""
        return np.asarray(np.interp(np.interp(phase, self.knots_phase, self.knots_m), self.along, self.clip.time_s))

    def values(self, phase: F64, series: F64) -> F64:
        """A series over the frames, at phases."""
        return self._at(self.times(phase), series)

    def rotations(self, phase: F64, rotvec: F64) -> F64:
        """Rotations (n, k, 3) over the frames, at phases (m,), as rotation vectors (m, k, 3)."""
        place = self._at(self.times(phase), np.arange(len(self.clip.time_s), dtype=np.float64))
        low = np.minimum(place.astype(np.int64), len(rotvec) - 2)
        return slerp_rotvec(rotvec[low], rotvec[low + 1], (place - low)[:, None, None])


def _style(clip: Walked, body: BodyModel) -> GaitStyle:
    every = [_Phased(clip, cycle) for cycle in clip.cycles]
    length, time = (float(np.median([getattr(p, what) for p in every])) for what in ("length_m", "time_s"))
    cycles = [p for p in every if abs(p.length_m - length) < ALIKE * length and abs(p.time_s - time) < ALIKE * time]
    sides = {side: [_side(p, body, side) for p in cycles] for side in SIDES}
    floor = {side: float(np.mean([s.floor_m for s in sides[side]])) for side in SIDES}
    ratio = float(np.clip(np.mean([s.stride_share for side in SIDES for s in sides[side]]), *STRIDE_SHARE_RANGE))
    step = 0.5 * ratio * float(np.mean([p.length_m for p in cycles]))
    cadence = 120.0 / float(np.mean([p.time_s for p in cycles]))
    double = float(np.mean([_double_support(p) for p in cycles]))
    curves = [s for side in SIDES for s in sides[side]]
    shape = _shape(curves, step, cadence, double)
    return GaitStyle(shape, _cycle(cycles, body, 0.5 * (floor["left"] + floor["right"])))


def _double_support(p: _Phased) -> float:
    c = p.cycle
    first = p.phase(c.right_lifts) - p.phase(c.left_lands)
    second = p.phase(c.left_lifts) - p.phase(c.right_lands)
    return 0.5 * (first + second)


def _side(p: _Phased, body: BodyModel, side: str) -> _Side:
    """The foot's curves: a stance and a swing of this cycle."""
    c, shape = p.cycle, foot(body, side)
    if side == "left":
        land, lift, swing = p.phase(c.left_lands), p.phase(c.left_lifts), (p.phase(c.left_lifts), p.phase(c.left_lands_again))
    else:
        land, lift, swing = p.phase(c.right_lands), p.phase(c.right_lifts_again), (p.phase(c.right_lifts), p.phase(c.right_lands))
    ankle = p.clip.transforms[:, JOINT[f"{side}_ankle"]]
    pitch = np.degrees(np.arcsin(np.clip(ankle[:, 2, 2], -1.0, 1.0)))
    flat_at = land + np.linspace(*FLAT, 9) * (lift - land)
    flat = float(np.median(p.values(flat_at, pitch)))
    sole = ankle[:, 2, 3] - np.array([shape.ankle_height(float(np.radians(value))) for value in pitch])
    floor = float(np.median(p.values(flat_at, sole)))
    way = (ankle[:, :2, 3] - p.clip.transforms[:, 0, :2, 3]) @ p.ahead
    u = swing[0] + np.array(SWING_AT) * (swing[1] - swing[0])
    place = p.values(u, ankle[:, :2, 3] @ p.ahead)
    return _Side(
        p.values(land + np.array(HEEL_AT), pitch) - flat,
        p.values(lift - np.array(TOE_AT), pitch) - flat,
        p.values(u, pitch) - flat,
        (place - place[0]) / max(float(place[-1] - place[0]), 0.05),
        p.values(u, sole) - floor,
        -float(np.mean(p.values(flat_at, way))) - ANKLE_BACK_M,
        floor,
        -float(np.polyfit(p.values(flat_at, p.along), p.values(flat_at, way), 1)[0]),
    )


def _falling(values: F64) -> tuple[float, ...]:
    """Values that do not rise and end at zero."""
    down = np.minimum.accumulate(np.maximum(values, 0.0))
    fade = np.minimum(1.0, np.arange(len(down))[::-1] / 2.0)
    return tuple(float(v) for v in down * fade)


def _shape(curves: list[_Side], step: float, cadence: float, double: float) -> GaitShape:
    """The mean of all feet and cycles as a shape."""

    def mean(what: str) -> F64:
        return np.asarray(np.mean([getattr(c, what) for c in curves], axis=0))

    ratio = float(np.clip(step / cadence, *WALK_RATIO_RANGE))
    double = float(np.clip(double, *DOUBLE_SUPPORT_RANGE))
    back = float(np.clip(np.mean([c.back_m for c in curves]), 0.0, 0.06))
    heel = np.minimum(_falling(mean("landing")), HEEL_DEG)
    toe = np.minimum(_falling(-mean("lifting")), TOE_DEG)
    swing = mean("swing")
    up, down = np.clip(swing, 0.0, HEEL_DEG), np.clip(-swing, 0.0, TOE_DEG)
    up[0], down[-1], down[0], up[-1] = 0.0, 0.0, toe[0], heel[0]
    along = np.maximum.accumulate(np.clip(mean("along"), 0.0, 1.0))
    along[0], along[-1] = 0.0, 1.0
    u = np.array(SWING_AT)
    clearance = np.maximum(mean("clearance"), LEAST_CLEARANCE_M * np.minimum(1.0, 12.0 * np.minimum(u, 1.0 - u)))
    clearance[0] = clearance[-1] = 0.0
    reach = 0.5 * (1.0 + double) * step
    return GaitShape(
        walk_ratio=ratio,
        step_m=step,
        double_support=double,
        heel_lead_m=STRAIGHT_LEAD * (reach - ANKLE_BACK_M - back),
        toe_lead_m=LIFT_LEAD * (reach + ANKLE_BACK_M + back - 0.05),
        back_m=back,
        heel_strike=tuple(heel.tolist()),
        heel_strike_at=HEEL_AT,
        toe_off=tuple(toe.tolist()),
        toe_off_at=TOE_AT,
        swing_pitch_down=tuple(down.tolist()),
        swing_pitch_up=tuple(up.tolist()),
        swing_at=SWING_AT,
        swing_along=tuple(along.tolist()),
        swing_along_at=SWING_AT,
        clearance=tuple(clearance.tolist()),
        clearance_at=SWING_AT,
    )


def _cycle(cycles: list[_Phased], body: BodyModel, floor_m: float) -> Cycle:
    """Tables of pelvis, trunk, head and arms, the mean of the cycles; row 0 is phase 2, before the left foot swings."""
    rows = 2.0 + 2.0 * np.arange(ROWS) / ROWS
    phase = np.where(rows < 3.0, rows, rows - 2.0)
    joints = np.array([JOINT[name] for name in UPPER], np.int64)
    turns, local, drop, sway = [], [], [], []
    for p in cycles:
        pose = p.clip.pose_rad.reshape(len(p.clip.time_s), -1, 3)
        turn = rotvec_from_matrix(root_matrix(p.course).T @ p.clip.transforms[:, 0, :3, :3])
        turns.append(matrix_from_rotvec(p.rotations(phase, turn[:, None])[:, 0]))
        local.append(matrix_from_rotvec(p.rotations(phase, pose[:, joints])))
        drop.append(idle_pelvis_height_m(body) - (p.values(phase, p.clip.transforms[:, 0, 2, 3]) - floor_m))
        aside = p.values(phase, p.aside)
        sway.append(aside - aside.mean())
    turn, upper = mean_rotation(np.array(turns)), mean_rotation(np.array(local))
    facing = mean_rotation(turn)
    turn = rotation_y(-float(np.arctan2(facing[0, 2], facing[2, 2]))) @ turn
    head = turn @ upper[:, 0] @ upper[:, 1] @ upper[:, 2] @ upper[:, 3] @ upper[:, 4]
    upper[:, 4] = upper[:, 4] @ mean_rotation(head).T
    swaying = np.mean(sway, axis=0)
    swaying = swaying * min(1.0, SWAY_M / max(float(np.abs(swaying).max()), 1e-9))
    low = np.clip(np.mean(drop, axis=0), *DROP_RANGE_M)
    return Cycle(rotvec_from_matrix(turn), low, swaying, joints, rotvec_from_matrix(upper))


def mean_rotation(matrices: F64) -> F64:
    """The rotation (..., 3, 3) nearest to those along the first axis (chordal mean)."""
    u, _, vt = np.linalg.svd(matrices.mean(axis=0))
    sign = np.ones(u.shape[:-1])
    sign[..., 2] = np.linalg.det(u @ vt)
    return np.asarray((u * sign[..., None, :]) @ vt)


__all__ = ["MotionFileError", "read_gait", "with_gait"]

"""Distance-driven walking along an arbitrary planar root track (InteractiveWorld B.1.1, B.2.1).

Feet are anchored in the world while they stand: heel strike, flat, roll over the ball with flat toes. Between stances the ankle swings from
one foothold to the next; the legs follow by closed-form IK. The curves are fitted to textbook joint angles of adult walking (hip 28 to -11
degrees, knee 4-17-5-59, ankle +10 to -16) on the embedded body. Everything is a pure function of the track.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from humans import _gait_kernels as kernels
from humans.arms import ARM_ANGLES_RAD, LIMB_ROWS, ArmOverlay, finish, hang_arms, relaxed_fingers
from humans.footsteps import FPS, Hold, StepPlan, headings_of, plan_steps, segments, separation
from humans.gait_style import Cycle, GaitShape, GaitStyle
from humans.kinematics import root_matrix
from humans.legs import MAX_REACH, PITCH_GRID_RAD, SIDES, foot, leg_length_m
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.postures import TRUNK_ROWS, idle_pelvis_height_m, stand
from humans.rotations import F64, matrix_from_rotvec, rotation_y, rotvec_from_matrix, slerp_rotvec


class RootTrack(NamedTuple):
    """Root (pelvis over ground) per frame: xy_m (n, 2) and heading_rad (n,), world frame, 12 frames a second."""

    xy_m: F64
    heading_rad: F64


class GaitFrames(NamedTuple):
    """Poses (n, 156), translations (n, 3); stance masks (n,): the foot is on the floor; flat masks (n,): its whole sole is."""

    pose_rad: F64
    translation_m: F64
    left_stance: NDArray[np.bool_]
    right_stance: NDArray[np.bool_]
    left_flat: NDArray[np.bool_]
    right_flat: NDArray[np.bool_]


TOE_LEAD_FROM_M = 0.05
_STEP_LIFT_M = 0.03
"""Extra clearance of small steps (turning on the spot, side steps), which do not roll over the toes."""
_SMOOTH_M = 0.004
"""Width over which the pelvis' height passes from what the gait wants to what a leg reaches."""


def _tangents(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[float, ...]:
    """Slopes of the monotone cubic through (x, y) at its points (Fritsch-Carlson)."""
    slope = [(y[k + 1] - y[k]) / (x[k + 1] - x[k]) for k in range(len(x) - 1)]
    inner = [0.0 if a * b <= 0.0 else 2.0 * a * b / (a + b) for a, b in zip(slope, slope[1:], strict=False)]
    return (slope[0], *inner, slope[-1])


@lru_cache(maxsize=16)
def _curves(s: GaitShape) -> F64:
    """Places, values and slopes (6, 3, k) of a shape's curves, as the kernels number them; short ones repeat their last point."""
    curves = (
        (s.heel_strike_at, s.heel_strike), (s.toe_off_at, s.toe_off), (s.swing_at, s.swing_pitch_up), (s.swing_at, s.swing_pitch_down),
        (s.swing_along_at, s.swing_along), (s.clearance_at, s.clearance),
    )  # fmt: skip
    points = [np.array([x, y, _tangents(x, y)]) for x, y in curves]
    most = max(one.shape[1] for one in points)
    return np.array([np.pad(one, ((0, 0), (0, most - one.shape[1])), mode="edge") for one in points])


class _Feet(NamedTuple):
    """Of left and right foot: heel and ball (2, 2, 3) relative to the ankle, and its height (2, g) at PITCH_GRID_RAD."""

    pivots_m: F64
    lift_m: F64


@lru_cache(maxsize=8)
def _feet(body: BodyModel) -> _Feet:
    feet = [foot(body, side) for side in SIDES]
    return _Feet(np.array([[f.heel_m, f.ball_m] for f in feet]), np.array([f.lift_m for f in feet]))


class Frames(NamedTuple):
    """Consecutive frames of a walk: poses (n, 156), translations (n, 3); of left and right foot (n, 2) whether it stands, and its pitch."""

    pose_rad: F64
    translation_m: F64
    stands: NDArray[np.bool_]
    pitch_rad: F64


class Stride:
    """One walk between two idle stances; evaluates its frames. `walk` is the public face."""

    def __init__(self, body: BodyModel, track: RootTrack, plan: StepPlan, style: GaitStyle, floor_z_m: float) -> None:
        self.body, self.plan, self.style, self.floor = body, plan, style, floor_z_m
        self.shape: GaitShape = style.shape
        self.xy = track.xy_m[plan.first : plan.last + 1]
        self.heading = np.array(track.heading_rad[plan.first : plan.last + 1])
        self.phase = np.array(plan.phase)
        self.idle_height = floor_z_m + idle_pelvis_height_m(body)
        heading_at = np.interp(np.arange(plan.steps + 1), plan.phase, self.heading).tolist()
        spread = [separation(plan, heading, k) / self.shape.step_m for k, heading in enumerate(heading_at)]
        self.stride = [min(1.05, max(-0.4, s)) for s in spread]
        most = max(len(holds) for holds in plan.holds.values())
        self._holds = np.full((2, most, 8), np.inf)
        for rows, side in zip(self._holds, SIDES, strict=True):
            rows[: len(plan.holds[side])] = self._rows(plan.holds[side])

    def _rows(self, holds: tuple[Hold, ...]) -> F64:
        """Holds (h, 8) with the shares of heel strike and toe-off: how far root and foot are apart at landing and at lift, along it."""
        rows = np.array([(h.x_m, h.y_m, h.yaw_rad, h.land, h.lift, h.bow_m, 0.0, 0.0) for h in holds])
        x, y, yaw, land, lift = rows[:, :5].T

        def ahead(at: F64) -> F64:
            """How far the foot is ahead of the root."""
            root = [np.interp(at, self.plan.phase, self.xy[:, k]) for k in (0, 1)]
            return np.asarray((x - root[0]) * np.cos(yaw) + (y - root[1]) * np.sin(yaw))

        heel, toe = ahead(land) / self.shape.heel_lead_m, (-ahead(lift) - TOE_LEAD_FROM_M) / self.shape.toe_lead_m
        rows[:, 6] = np.where(np.isfinite(land), np.clip(heel, 0.0, 1.0), 0.0)
        rows[:, 7] = np.where(np.isfinite(lift), np.clip(toe, 0.0, 1.0), 0.0)
        return rows

    def _amplitude(self, phase: F64) -> F64:
        """Signed stride amplitude at phases (n,): 1 at a full forward stride, 0 when standing or turning on the spot."""
        k = np.minimum(phase.astype(np.int64), self.plan.steps - 1)
        t = phase - k
        t = t * t * (3.0 - 2.0 * t)
        stride = np.array(self.stride)
        return np.asarray((1.0 - t) * stride[k] + t * stride[k + 1])

    def frames(self, first: int, stop: int, overlay: ArmOverlay | None) -> Frames:
        """The frames from first to before stop."""
        phase, heading, xy = self.phase[first:stop], self.heading[first:stop], self.xy[first:stop]
        size = self._amplitude(phase)
        share = np.minimum(1.0, np.abs(size))
        begin = np.minimum(np.minimum(1.0, phase), self.plan.steps - phase)
        ahead = np.minimum(np.arange(first, stop) + 5, len(self.heading) - 1)
        # the head turns ahead of the body where the way bends
        look = begin * np.clip(0.6 * (self.heading[ahead] - heading), -0.5, 0.5)
        local = np.empty((len(phase), N_JOINTS, 3, 3))
        local[:] = relaxed_fingers(self.body)
        kernels.KERNELS.ready()
        if self.style.cycle is None:
            s, sway = self.shape, np.empty(len(phase))
            left_first = 1.0 if self.plan.first_side == "left" else -1.0
            kernels.trunk(phase, heading, size, look, left_first, ARM_ANGLES_RAD, TRUNK_ROWS, LIMB_ROWS, local, sway)
            sway, drop = s.sway_m * sway, s.drop_m + s.bob_m * np.cos(2.0 * np.pi * (phase - s.bob_phase))
        else:
            sway, drop = self._trunk_of(self.style.cycle, phase, heading, size, look, local)
        sway = sway * (0.5 + 0.5 * share) * begin
        pelvis = np.stack([xy[:, 0] - sway * np.sin(heading), xy[:, 1] + sway * np.cos(heading), self.idle_height - share * drop], axis=1)
        feet, stands, pitch = _feet(self.body), np.empty((len(phase), 2), np.bool_), np.empty((len(phase), 2))
        numbers = np.array([self.floor, _STEP_LIFT_M, MAX_REACH * leg_length_m(self.body), MAX_REACH, _SMOOTH_M])
        kernels.legs(
            phase, heading, self._holds, _curves(self.shape), feet.pivots_m, PITCH_GRID_RAD, feet.lift_m, numbers,
            self.style.cycle is not None, self.body.rest_joints_m, LIMB_ROWS, local, pelvis, stands, pitch,
        )  # fmt: skip
        return Frames(finish(local, overlay), pelvis - self.body.rest_joints_m[0], stands, pitch)

    def _trunk_of(self, cycle: Cycle, phase: F64, heading: F64, size: F64, look: F64, local: F64) -> tuple[F64, F64]:
        """Root, trunk, head and arms as a clip has them, from the idle pose to the clip's by the share of a full stride; returns sway and
        drop (n,) of the pelvis at a full one. A step backwards runs half a cycle later, so that arms and legs stay opposite."""
        low, high, t = cycle.at(phase + (1.0 * (self.plan.first_side != "left") + (size < 0.0)))
        share = np.minimum(1.0, np.abs(size))
        turn = matrix_from_rotvec(share[:, None] * ((1.0 - t[:, None]) * cycle.root_rotvec[low] + t[:, None] * cycle.root_rotvec[high]))
        local[:, 0] = [root_matrix(at) for at in heading.tolist()] @ turn
        hang_arms(self.body, local[0])
        idle = rotvec_from_matrix(local[0, cycle.joints])
        walking = slerp_rotvec(cycle.rotvec[low], cycle.rotvec[high], t[:, None, None])
        local[:, cycle.joints] = matrix_from_rotvec(slerp_rotvec(idle, walking, share[:, None, None]))
        for name, part in (("neck", 0.45), ("head", 0.55)):
            local[:, JOINT[name]] = [rotation_y(part * angle) for angle in look.tolist()] @ local[:, JOINT[name]]
        sway, drop = ((1.0 - t) * values[low] + t * values[high] for values in (cycle.sway_m, cycle.drop_m))
        return sway, drop


def walk(
    body: BodyModel,
    track: RootTrack,
    *,
    overlay: ArmOverlay | None = None,
    floor_z_m: float = 0.0,
    first_foot: str | None = None,
    fps: float = FPS,
    upto: int | None = None,
) -> GaitFrames:
    """Frames of a walk along a root track: one per track frame, starting and ending in the idle stance of `postures.stand`.

    The way of walking is the body's (`BodyModel.gait`). The pelvis follows the track exactly but for a lateral sway of
    at most 2 cm. Rests of half a second and more inside the track close the feet. overlay: arm joints that keep another pose (a carrying
    arm); first_foot: "left", "right" or None (the natural one); upto: only so many of its first frames.

    Raises ValueError when the track's shapes disagree, it has no frame, or holds values that are not finite.
    """
    xy, heading = np.asarray(track.xy_m, np.float64), np.asarray(track.heading_rad, np.float64)
    n = len(heading)
    if xy.shape != (n, 2) or n == 0:
        raise ValueError(f"track xy_m has shape {xy.shape} and heading_rad {heading.shape}; need (n, 2) and (n,) with n >= 1")
    if not (np.isfinite(xy).all() and np.isfinite(heading).all()):
        raise ValueError("track holds values that are not finite")
    if first_foot not in (None, *SIDES):
        raise ValueError(f"first_foot {first_foot!r} is not one of left, right, None")
    smooth = RootTrack(xy, headings_of(heading))
    n = n if upto is None else min(n, upto)
    poses, translations = np.zeros((n, 3 * N_JOINTS)), np.zeros((n, 3))
    masks = {key: np.ones(n, np.bool_) for key in ("left_stance", "right_stance", "left_flat", "right_flat")}
    done = np.zeros(n, np.bool_)
    for first, last in segments(smooth.xy_m, smooth.heading_rad, fps):
        if first >= n:
            break
        plan = plan_steps(smooth.xy_m, smooth.heading_rad, first, last, body.gait.shape, fps, first_foot)
        one = Stride(body, smooth, plan, body.gait, floor_z_m)
        here = slice(first, min(last + 1, n))
        frames = one.frames(0, here.stop - first, overlay)
        poses[here], translations[here], done[here] = frames.pose_rad, frames.translation_m, True
        for k, side in enumerate(SIDES):
            masks[f"{side}_stance"][here] = frames.stands[:, k]
            masks[f"{side}_flat"][here] = frames.stands[:, k] & (np.abs(frames.pitch_rad[:, k]) < np.radians(1.0))
    for index in np.flatnonzero(~done).tolist():
        if index and not done[index - 1] and np.array_equal(xy[index], xy[index - 1]) and heading[index] == heading[index - 1]:
            poses[index], translations[index] = poses[index - 1], translations[index - 1]
        else:
            poses[index], translations[index] = stand(body, xy[index], float(heading[index]), overlay, floor_z_m)
    return GaitFrames(poses, translations, **masks)

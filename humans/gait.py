"""Distance-driven walking along an arbitrary planar root track (InteractiveWorld B.1.1, B.2.1).

Feet are anchored in the world while they stand: heel strike, flat, roll over the ball with flat toes. Between stances the ankle swings from
one foothold to the next; the legs follow by closed-form IK. The curves are fitted to textbook joint angles of adult walking (hip 28 to -11
degrees, knee 4-17-5-59, ankle +10 to -16) on the embedded body. Everything is a pure function of the track.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from humans.arms import ArmOverlay, finish, hang_arms
from humans.footsteps import FPS, Hold, StepPlan, headings_of, plan_steps, segments, separation
from humans.gait_style import Cycle, GaitShape, GaitStyle
from humans.kinematics import pelvis_translation, root_matrix
from humans.legs import MAX_REACH, SIDES, foot, leg_length_m, planted_ankle, solve_leg
from humans.model import JOINT, N_JOINTS, BodyModel
from humans.postures import idle_pelvis_height_m, stand
from humans.rotations import F64, matrix_from_rotvec, rotation_x, rotation_y, rotation_z, rotvec_from_matrix, slerp_rotvec, wrap_angle


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


_UNTURNED = np.tile(np.eye(3), (N_JOINTS, 1, 1))
TOE_LEAD_FROM_M = 0.05
_STEP_LIFT_M = 0.03
"""Extra clearance of small steps (turning on the spot, side steps), which do not roll over the toes."""


@lru_cache(maxsize=64)
def _tangents(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[float, ...]:
    """Slopes of the monotone cubic through (x, y) at its points (Fritsch-Carlson)."""
    slope = [(y[k + 1] - y[k]) / (x[k + 1] - x[k]) for k in range(len(x) - 1)]
    inner = [0.0 if a * b <= 0.0 else 2.0 * a * b / (a + b) for a, b in zip(slope, slope[1:], strict=False)]
    return (slope[0], *inner, slope[-1])


def _pchip(x: tuple[float, ...], y: tuple[float, ...], at: float) -> float:
    """Monotone cubic through (x, y) with flat ends outside; scalar, dependency-free."""
    if at <= x[0]:
        return y[0]
    if at >= x[-1]:
        return y[-1]
    i = bisect_right(x, at) - 1
    tangent = _tangents(x, y)
    h = x[i + 1] - x[i]
    t = (at - x[i]) / h
    value = (2 * t**3 - 3 * t**2 + 1) * y[i] + (t**3 - 2 * t**2 + t) * h * tangent[i]
    return value + (-2 * t**3 + 3 * t**2) * y[i + 1] + (t**3 - t**2) * h * tangent[i + 1]


def _smooth_min(a: float, b: float, width: float = 0.004) -> float:
    overlap = max(width - abs(a - b), 0.0)
    return min(a, b) - overlap * overlap / (4.0 * width)


class FootState(NamedTuple):
    """One foot in one frame: ankle (3,), yaw, pitch, and whether it is on the floor."""

    ankle_m: F64
    yaw: float
    pitch: float
    stance: bool


class Stride:
    """One walk between two idle stances; evaluates its frames. `walk` is the public face."""

    def __init__(self, body: BodyModel, track: RootTrack, plan: StepPlan, style: GaitStyle, floor_z_m: float) -> None:
        self.body, self.plan, self.style, self.floor = body, plan, style, floor_z_m
        self.shape: GaitShape = style.shape
        self.xy = track.xy_m[plan.first : plan.last + 1]
        self.heading = track.heading_rad[plan.first : plan.last + 1]
        self.idle_height = floor_z_m + idle_pelvis_height_m(body)
        spread = [separation(plan, self._heading_at(k), k) / self.shape.step_m for k in range(plan.steps + 1)]
        self.stride = [float(np.clip(s, -0.4, 1.05)) for s in spread]
        self._lead = {hold: self._leads(hold) for holds in plan.holds.values() for hold in holds}
        self._landed: dict[tuple[str, Hold], F64] = {}
        self._lifted: dict[tuple[str, Hold], F64] = {}

    def _heading_at(self, phase: float) -> float:
        return float(np.interp(phase, self.plan.phase, self.heading))

    def _root_at(self, phase: float) -> F64:
        return np.array([np.interp(phase, self.plan.phase, self.xy[:, 0]), np.interp(phase, self.plan.phase, self.xy[:, 1])])

    def amplitude(self, phase: float) -> float:
        """Signed stride amplitude at a phase: 1 at a full forward stride, 0 when standing or turning on the spot."""
        k = min(int(phase), self.plan.steps - 1)
        t = phase - k
        t = t * t * (3.0 - 2.0 * t)
        return (1.0 - t) * self.stride[k] + t * self.stride[k + 1]

    def _leads(self, hold: Hold) -> tuple[float, float]:
        """Heel-strike and toe-off shares of a hold: how far root and foot are apart at landing and at lift, along the foot."""
        forward = np.array([np.cos(hold.yaw_rad), np.sin(hold.yaw_rad)])
        place = np.array([hold.x_m, hold.y_m])
        heel = toe = 0.0
        if np.isfinite(hold.land):
            heel = float((place - self._root_at(hold.land)) @ forward) / self.shape.heel_lead_m
        if np.isfinite(hold.lift):
            toe = float((self._root_at(hold.lift) - place) @ forward - TOE_LEAD_FROM_M) / self.shape.toe_lead_m
        return float(np.clip(heel, 0.0, 1.0)), float(np.clip(toe, 0.0, 1.0))

    def _stance_pitch(self, hold: Hold, phase: float) -> float:
        s = self.shape
        heel, toe = self._lead[hold]
        up = heel * _pchip(s.heel_strike_at, s.heel_strike, phase - hold.land) if np.isfinite(hold.land) else 0.0
        down = toe * _pchip(s.toe_off_at, s.toe_off, hold.lift - phase) if np.isfinite(hold.lift) else 0.0
        return float(np.radians(up - down))

    def _planted(self, side: str, hold: Hold, pitch: float) -> F64:
        return planted_ankle(self.body, side, np.array([hold.x_m, hold.y_m]), hold.yaw_rad, pitch, self.floor)

    def _lift_off(self, side: str, hold: Hold) -> F64:
        """The ankle when a hold ends."""
        if (side, hold) not in self._lifted:
            self._lifted[side, hold] = self._planted(side, hold, self._stance_pitch(hold, hold.lift))
        return self._lifted[side, hold]

    def _landing(self, side: str, hold: Hold) -> F64:
        """The ankle when a hold begins."""
        if (side, hold) not in self._landed:
            self._landed[side, hold] = self._planted(side, hold, self._stance_pitch(hold, hold.land))
        return self._landed[side, hold]

    def foot(self, side: str, phase: float) -> FootState:
        """Ankle, yaw, pitch and contact of a foot at a phase."""
        holds = self.plan.holds[side]
        for hold in holds:
            if hold.land <= phase <= hold.lift:
                pitch = self._stance_pitch(hold, phase)
                return FootState(self._planted(side, hold, pitch), hold.yaw_rad, pitch, True)
        old, new = next((a, b) for a, b in zip(holds, holds[1:], strict=False) if a.lift < phase < b.land)
        s = self.shape
        u = (phase - old.lift) / (new.land - old.lift)
        toe, heel = self._lead[old][1], self._lead[new][0]
        pitch = np.radians(heel * _pchip(s.swing_at, s.swing_pitch_up, u) - toe * _pchip(s.swing_at, s.swing_pitch_down, u))
        start, end = self._lift_off(side, old), self._landing(side, new)
        big = max(toe, heel)
        ease = u * u * (3.0 - 2.0 * u)
        # a foot that lifts flat leaves its place slowly, however long the step, so that it is up before it moves
        quick = big if self.style.cycle is None else toe + ease * (heel - toe)
        along = quick * _pchip(s.swing_along_at, s.swing_along, u) + (1.0 - quick) * ease
        ankle = start + along * (end - start)
        middle = old.yaw_rad + ease * float(wrap_angle(new.yaw_rad - old.yaw_rad))
        bow = new.bow_m * float(np.sin(np.pi * u)) * (1.0 if side == "left" else -1.0)
        ankle[:2] += bow * np.array([-np.sin(middle), np.cos(middle)])
        lift = _pchip(s.clearance_at, s.clearance, u) + (1.0 - big) * _STEP_LIFT_M * float(np.sin(np.pi * u)) ** 2
        ankle[2] = self.floor + foot(self.body, side).ankle_height(float(pitch)) + lift
        return FootState(ankle, middle, float(pitch), False)

    def pelvis(self, frame: int) -> tuple[F64, F64, float]:
        """Pelvis position (3,) before the reach limit, root rotation (3, 3) and amplitude of a frame."""
        phase = float(self.plan.phase[frame])
        k = min(int(phase), self.plan.steps - 1)
        f = phase - k
        size = self.amplitude(phase)
        sign = 1.0 if self.plan.swing_side(k) == "left" else -1.0
        s = self.shape
        swing = sign * float(np.sin(np.pi * f))
        yaw = np.radians(4.0) * size * sign * float(np.cos(np.pi * f))
        tilt = -np.radians(3.5) * abs(size) * swing
        heading = float(self.heading[frame])
        if self.style.cycle is not None:
            return self._pelvis_of(self.style.cycle, frame, size)
        root = root_matrix(heading) @ rotation_y(yaw) @ rotation_z(tilt) @ rotation_x(np.radians(2.5) * size)
        share = min(1.0, abs(size))
        begin = min(1.0, phase, self.plan.steps - phase)
        sway = -s.sway_m * swing * (0.5 + 0.5 * share) * begin
        drop = share * (s.drop_m + s.bob_m * float(np.cos(2.0 * np.pi * (phase - s.bob_phase))))
        place = self.xy[frame] + sway * np.array([-np.sin(heading), np.cos(heading)])
        return np.array([place[0], place[1], self.idle_height - drop]), root, size

    def highest(self, side: str, root: F64, pelvis: F64, ankle: F64) -> float:
        """Largest pelvis height from which the leg reaches the ankle."""
        rest = self.body.rest_joints_m
        offset = root @ (rest[JOINT[f"{side}_hip"]] - rest[0])
        flat = (pelvis + offset - ankle)[:2]
        leg = MAX_REACH * leg_length_m(self.body)
        return float(ankle[2] + np.sqrt(max(0.04, leg * leg - float(flat @ flat))) - offset[2])

    def upper(self, local: F64, frame: int, size: float) -> None:
        """Trunk, head and arms of a frame."""
        if self.style.cycle is not None:
            return self._upper_of(self.style.cycle, local, frame, size)
        phase = float(self.plan.phase[frame])
        start = 0.0 if self.plan.first_side == "left" else np.pi
        w = np.pi * phase + start
        yaw, tilt = np.radians(4.0) * size * np.cos(w), -np.radians(3.5) * abs(size) * np.sin(w)
        for name, share in (("spine1", 0.45), ("spine2", 0.5), ("spine3", 0.5)):
            local[JOINT[name]] = rotation_y(-1.5 * share * yaw) @ rotation_z(-0.7 * share * tilt) @ rotation_x(np.radians(0.6) * size)
        look = self._look(frame)
        counter = 0.55 * float(yaw)
        for name, share in (("neck", 0.45), ("head", 0.55)):
            local[JOINT[name]] = rotation_y(share * (look + counter)) @ rotation_x(-np.radians(2.0) * size)
        swing = np.radians(15.5) * size * np.cos(w - 0.25)
        bend = np.radians(6.0) * abs(size) * np.cos(w - 0.5)
        base, elbow = -np.radians(2.0) * abs(size), 0.31 + np.radians(6.0) * abs(size)
        hang_arms(self.body, local, (base + swing, base - swing), (elbow + bend, elbow - bend))

    def _place_in(self, cycle: Cycle, frame: int, size: float) -> tuple[int, int, float]:
        """Where a frame is in a cycle; a step backwards runs half a cycle later, so that arms and legs stay opposite."""
        later = (self.plan.first_side != "left") + (size < 0.0)
        return cycle.at(float(self.plan.phase[frame]) + later)

    def _pelvis_of(self, cycle: Cycle, frame: int, size: float) -> tuple[F64, F64, float]:
        """`pelvis` as a clip has it."""
        low, high, t = self._place_in(cycle, frame, size)
        share, phase, heading = min(1.0, abs(size)), float(self.plan.phase[frame]), float(self.heading[frame])
        turn = matrix_from_rotvec(share * ((1.0 - t) * cycle.root_rotvec[low] + t * cycle.root_rotvec[high]))
        begin = min(1.0, phase, self.plan.steps - phase)
        sway = ((1.0 - t) * cycle.sway_m[low] + t * cycle.sway_m[high]) * (0.5 + 0.5 * share) * begin
        drop = share * ((1.0 - t) * cycle.drop_m[low] + t * cycle.drop_m[high])
        place = self.xy[frame] + sway * np.array([-np.sin(heading), np.cos(heading)])
        return np.array([place[0], place[1], self.idle_height - drop]), root_matrix(heading) @ turn, size

    def _upper_of(self, cycle: Cycle, local: F64, frame: int, size: float) -> None:
        """`upper` as a clip has it: from the idle pose to the clip's by the share of a full stride."""
        low, high, t = self._place_in(cycle, frame, size)
        hang_arms(self.body, local)
        idle = rotvec_from_matrix(local[cycle.joints])
        walking = slerp_rotvec(cycle.rotvec[low], cycle.rotvec[high], t)
        local[cycle.joints] = matrix_from_rotvec(slerp_rotvec(idle, walking, min(1.0, abs(size))))
        for name, share in (("neck", 0.45), ("head", 0.55)):
            local[JOINT[name]] = rotation_y(share * self._look(frame)) @ local[JOINT[name]]

    def _look(self, frame: int) -> float:
        """Angle by which the head turns ahead of the body where the way bends."""
        phase = float(self.plan.phase[frame])
        ahead = min(frame + 5, len(self.heading) - 1)
        begin = min(1.0, phase, self.plan.steps - phase)
        return begin * float(np.clip(0.6 * (self.heading[ahead] - self.heading[frame]), -0.5, 0.5))

    def frame(self, index: int, overlay: ArmOverlay | None) -> tuple[F64, F64, dict[str, FootState]]:
        """Pose (156,), translation (3,) and feet of a frame."""
        phase = float(self.plan.phase[index])
        pelvis, root, size = self.pelvis(index)
        feet = {side: self.foot(side, phase) for side in SIDES}
        for side, state in feet.items():
            pelvis[2] = _smooth_min(float(pelvis[2]), self.highest(side, root, pelvis, state.ankle_m))
        local = _UNTURNED.copy()
        local[0] = root
        self.upper(local, index, size)
        heading = float(self.heading[index])
        for side, state in feet.items():
            knee_yaw = heading + 0.65 * float(wrap_angle(state.yaw - heading))
            hinge = np.array([-np.sin(knee_yaw), np.cos(knee_yaw), 0.0])
            rotation = root_matrix(state.yaw) @ rotation_x(-state.pitch)
            solve_leg(self.body, side, local, pelvis, state.ankle_m, rotation, max(0.0, -state.pitch), hinge)
        return finish(local, overlay), pelvis_translation(self.body, pelvis), feet


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
        for index in range(first, min(last + 1, n)):
            poses[index], translations[index], feet = one.frame(index - first, overlay)
            done[index] = True
            for side, state in feet.items():
                masks[f"{side}_stance"][index] = state.stance
                masks[f"{side}_flat"][index] = state.stance and abs(state.pitch) < np.radians(1.0)
    for index in np.flatnonzero(~done).tolist():
        if index and not done[index - 1] and np.array_equal(xy[index], xy[index - 1]) and heading[index] == heading[index - 1]:
            poses[index], translations[index] = poses[index - 1], translations[index - 1]
        else:
            poses[index], translations[index] = stand(body, xy[index], float(heading[index]), overlay, floor_z_m)
    return GaitFrames(poses, translations, **masks)

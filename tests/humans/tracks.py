"""Root tracks that the gait tests walk, and what is measured on the walked frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from humans.gait import GaitFrames, RootTrack
from humans.kinematics import joint_transforms, skin
from humans.legs import foot, foot_vertices
from humans.model import BodyModel
from humans.rotations import F64, matrix_from_rotvec

FPS = 12


def ramp(length_m: float, speed: float = 1.1, acceleration: float = 1.6) -> F64:
    """Distances of a trapezoid speed profile, one per frame."""
    rise = min(speed / acceleration, float(np.sqrt(length_m / acceleration)))
    top = acceleration * rise
    total = 2 * rise + (length_m - top * rise) / top
    t = np.linspace(0.0, total, int(np.ceil(total * FPS)) + 1)
    fast = 0.5 * acceleration * rise**2 + top * (t - rise)
    slow = length_m - 0.5 * acceleration * (total - t) ** 2
    return np.where(t < rise, 0.5 * acceleration * t**2, np.where(t < total - rise, fast, slow))


def rested(xy: F64, heading: F64, before: int = 1, after: int = 4) -> RootTrack:
    """The track with frames of rest at both ends."""
    return RootTrack(np.pad(xy, ((before, after), (0, 0)), mode="edge"), np.pad(heading, (before, after), mode="edge"))


def straight(length_m: float = 3.0, after: int = 4, direction: float = 0.0, speed: float = 1.1) -> RootTrack:
    s = ramp(length_m, speed)
    return rested(np.c_[s * np.cos(direction), s * np.sin(direction)], np.zeros(len(s)), after=after)


def circle(radius_m: float = 1.0, angle: float = np.pi) -> RootTrack:
    s = ramp(radius_m * abs(angle), 0.9)
    turn = np.sign(angle) * s / radius_m
    return rested(radius_m * np.c_[np.sin(np.abs(turn)), np.sign(angle) * (1 - np.cos(turn))], turn)


def turn_in_place(angle: float = np.pi, degrees_per_frame: float = 10.0) -> RootTrack:
    n = int(np.ceil(abs(np.degrees(angle)) / degrees_per_frame))
    weights = np.r_[0.4, 0.8, np.ones(n), 0.8, 0.4]
    heading = np.r_[0.0, np.cumsum(weights)] / weights.sum() * angle
    return rested(np.zeros((len(heading), 2)), heading)


def s_path(length_m: float = 5.0) -> RootTrack:
    s = ramp(length_m)
    heading = np.arctan(0.8 * np.cos(1.3 * s))
    step, middle = np.diff(s), 0.5 * (heading[1:] + heading[:-1])
    xy = np.r_[[[0.0, 0.0]], np.cumsum(np.c_[step * np.cos(middle), step * np.sin(middle)], axis=0)]
    return rested(xy, heading)


def turn_then_walk() -> RootTrack:
    """Turns 10 degrees a frame while walking off, as the heading controller does."""
    s = ramp(2.0)
    heading = np.minimum(np.radians(10.0) * np.arange(len(s)), np.pi / 2)
    step, middle = np.diff(s), 0.5 * (heading[1:] + heading[:-1])
    xy = np.r_[[[0.0, 0.0]], np.cumsum(np.c_[step * np.cos(middle), step * np.sin(middle)], axis=0)]
    return rested(xy, heading)


TRACKS: dict[str, RootTrack] = {
    "straight": straight(),
    "curve_left": circle(),
    "curve_right": circle(angle=-np.pi),
    "turn_180": turn_in_place(),
    "turn_right_90": turn_in_place(-np.pi / 2),
    "start_stop": straight(0.3, speed=0.5),
    "s_path": s_path(),
    "side_step": straight(0.5, direction=-np.pi / 2, speed=0.5),
    "back_step": straight(0.5, direction=np.pi, speed=0.5),
    "no_rest_at_end": straight(2.0, after=0),
    "turn_while_starting": turn_then_walk(),
}


@dataclass(frozen=True)
class Walked:
    """Skinned frames of a walk: transforms (n, 52, 4, 4), vertices (n, V, 3), local rotations (n, 52, 3, 3)."""

    frames: GaitFrames
    transforms: F64
    vertices: F64
    local: F64

    def joint_speed(self) -> F64:
        """Angular speed of every joint between frames, (n-1, 52), rad/s."""
        relative = np.einsum("njba,njbc->njac", self.local[:-1], self.local[1:])
        cosine = np.clip((np.trace(relative, axis1=2, axis2=3) - 1.0) / 2.0, -1.0, 1.0)
        return np.arccos(cosine) * FPS

    def sole_slide_m(self, body: BodyModel, side: str) -> float:
        """Largest distance of the sole's centroid from where it was at foot-flat, until heel-off, over all stances."""
        flat = getattr(self.frames, f"{side}_flat")
        centre = self.vertices[:, foot(body, side).sole].mean(axis=1)[:, :2]
        runs = np.split(np.arange(len(flat)), np.flatnonzero(np.diff(flat.astype(int))) + 1)
        return max(float(np.linalg.norm(centre[run] - centre[run[0]], axis=1).max()) for run in runs if flat[run[0]])

    def lowest_foot_m(self, body: BodyModel) -> F64:
        """Height of the lowest foot vertex per frame (n,)."""
        feet = np.concatenate([foot_vertices(body, side) for side in ("left", "right")])
        return self.vertices[:, feet, 2].min(axis=1)


def walked(body: BodyModel, frames: GaitFrames) -> Walked:
    transforms = np.array([joint_transforms(body, p, t) for p, t in zip(frames.pose_rad, frames.translation_m, strict=True)])
    vertices = np.array([skin(body, t) for t in transforms])
    return Walked(frames, transforms, vertices, matrix_from_rotvec(frames.pose_rad.reshape(len(transforms), 52, 3)))


def vertices_of(body: BodyModel, *joints: int) -> NDArray[np.int64]:
    return np.flatnonzero(np.isin(body.dominant_joint(), joints))

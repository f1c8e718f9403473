"""Root tracks at 12 frames a second (seed B.2.1, Execution): speed, look-ahead heading, turns on the spot, final facing.

Bounds kept by every track: at most `SPEED_M_S`; yaw changes of at most 10 degrees a frame; while the root moves, the body heading is within
35 degrees of the direction of travel.
"""

from __future__ import annotations

from bisect import bisect_right
from math import atan2, radians, sqrt

import numpy as np
from numpy.typing import NDArray

from actions.navigation.paths import resample
from assistcore.world.poses import wrap_angle
from humans.gait import RootTrack

F64 = NDArray[np.float64]

FPS = 12
SPEED_M_S = 1.1
ACCELERATION_M_S2 = 1.3
LOOK_AHEAD_M = 1.2
BLEND_M = 1.5
YAW_STEP_RAD = radians(9.0)
YAW_STEP_LIMIT_RAD = radians(10.0)
YAW_JERK_RAD = radians(2.5)
OFFSET_RAD = radians(33.0)
AIM_RAD = radians(24.0)
OFFSET_LIMIT_RAD = radians(35.0)
TURN_SLOWS = 0.3
"""Share of the speed that a turn at the full yaw rate costs: the outer hand stays below 2.5 m/s."""
FADE_RAD = radians(8.0)
"""Over this much of the offset the speed falls to nothing."""
CORNER_RAD = radians(20.0)
LEAD_FRAMES, TAIL_FRAMES = 2, 5
"""Frames of rest before and after a walk, which the first and the closing step use."""


def _clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


class _Curve:
    """A path by arc length."""

    def __init__(self, points: F64) -> None:
        self.points = resample(points, 0.02)
        self.s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(self.points, axis=0), axis=1))])
        self.length = float(self.s[-1])
        self._s: list[float] = self.s.tolist()
        self._xy: list[list[float]] = self.points.tolist()

    def at(self, s: float) -> F64:
        return np.array(self._at(s))

    def _at(self, s: float) -> tuple[float, float]:
        """`np.interp` of one value, which is asked for hundreds of times a second of walking."""
        i = bisect_right(self._s, s) - 1
        if i < 0 or i >= len(self._s) - 1:
            x, y = self._xy[0 if i < 0 else -1]
            return x, y
        (x, y), (to_x, to_y) = self._xy[i], self._xy[i + 1]
        along, span = s - self._s[i], self._s[i + 1] - self._s[i]
        return (to_x - x) / span * along + x, (to_y - y) / span * along + y

    def direction(self, a: float, b: float) -> float:
        from_x, from_y = self._at(max(0.0, a))
        to_x, to_y = self._at(min(b, self.length))
        return atan2(to_y - from_y, to_x - from_x)

    def tangent(self, s: float) -> float:
        if self.length < 0.04:
            return self.direction(0.0, self.length)
        s = min(max(s, 0.02), self.length - 0.02)
        return self.direction(s - 0.02, s + 0.02)

    def bend(self, s: float) -> float:
        """Largest curvature (1/m) over the next half metre."""
        worst = 0.0
        for ahead in (0.0, 0.12, 0.24):
            turn = abs(wrap_angle(self.tangent(s + ahead + 0.25) - self.tangent(s + ahead)))
            worst = max(worst, turn / 0.25)
        return worst


class _Heading:
    """Yaw with bounded rate and change of rate."""

    def __init__(self, heading: float) -> None:
        self.value = heading
        self.rate = 0.0

    def step(self, aim: float) -> float:
        error = wrap_angle(aim - self.value)
        wanted = _clip(0.4 * error, -YAW_STEP_RAD, YAW_STEP_RAD)
        self.rate = _clip(wanted, self.rate - YAW_JERK_RAD, self.rate + YAW_JERK_RAD)
        if abs(error) < abs(self.rate) and error * self.rate >= 0.0:
            self.rate = error
        self.value += self.rate
        return self.value


def _aim(curve: _Curve, s: float, after_m: float, final_rad: float | None) -> float:
    """Where the body should face: the look-ahead point, then more and more the final facing, never far from the direction of travel."""
    travel = curve.tangent(s)
    look = curve.direction(s, s + LOOK_AHEAD_M) if curve.length - s > 0.05 else travel
    turn = _clip(wrap_angle(look - travel), -0.44, 0.44)
    if final_rad is not None:
        share = _clip(1.0 - (curve.length - s + after_m) / BLEND_M, 0.0, 1.0)
        share = share * share * (3.0 - 2.0 * share)
        turn = (1.0 - share) * turn + share * wrap_angle(final_rad - travel)
    return travel + _clip(turn, -AIM_RAD, AIM_RAD)


def walk_track(points_m: F64, start_rad: float, final_rad: float | None = None) -> RootTrack:
    """A track along a path (n, 2) from a standing start at `start_rad` to a standing end facing `final_rad` (None: as it arrives).

    The first frame is the standing start itself. The root stops at sharp corners of the path and turns there.
    """
    points = np.asarray(points_m, np.float64)
    heading = _Heading(float(start_rad))
    xy = [points[0]] * LEAD_FRAMES
    yaw = [heading.value] * LEAD_FRAMES
    legs = _legs(points)
    after = [float(np.linalg.norm(np.diff(leg, axis=0), axis=1).sum()) for leg in legs]
    for k, leg in enumerate(legs):
        _walk_leg(_Curve(leg), sum(after[k + 1 :]), heading, final_rad, xy, yaw)
    end = points[-1]
    if final_rad is not None:
        _turn_to(heading, final_rad, end, xy, yaw)
    xy += [end] * TAIL_FRAMES
    yaw += [heading.value] * TAIL_FRAMES
    return RootTrack(np.array(xy), np.array(yaw))


def _legs(points: F64) -> list[F64]:
    """The path cut at its sharp corners; stretches without length are left out."""
    keep = np.concatenate([[True], np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-6])
    points = points[keep]
    if len(points) < 2:
        return []
    step = np.diff(points, axis=0)
    course = np.arctan2(step[:, 1], step[:, 0])
    corners = [k + 1 for k in range(len(course) - 1) if abs(wrap_angle(course[k + 1] - course[k])) > CORNER_RAD]
    cuts = [0, *corners, len(points) - 1]
    return [points[a : b + 1] for a, b in zip(cuts, cuts[1:], strict=False)]


def _walk_leg(curve: _Curve, after_m: float, heading: _Heading, final_rad: float | None, xy: list[F64], yaw: list[float]) -> None:
    """Frames along one smooth stretch, from rest to rest."""
    s = speed = 0.0
    slow = ACCELERATION_M_S2 / FPS
    blocked = False
    while curve.length > s:
        course = curve.direction(s, s + slow / FPS)
        heading.step(course if blocked else _aim(curve, s, after_m, final_rad))
        limit = min(SPEED_M_S, sqrt(2.0 * ACCELERATION_M_S2 * (curve.length - s)) + 0.06)
        bend = curve.bend(s)
        if bend > 1e-6:
            limit = min(limit, 0.9 * YAW_STEP_RAD * FPS / bend)
        off = abs(wrap_angle(heading.value - course))
        limit *= _clip((OFFSET_RAD - off) / FADE_RAD, 0.0, 1.0) * (1.0 - TURN_SLOWS * abs(heading.rate) / YAW_STEP_RAD)
        speed = max(min(limit, speed + slow), min(limit, speed - 2.0 * slow), 0.0)
        ahead = min(s + speed / FPS, curve.length)
        blocked = speed <= 1e-9 or abs(wrap_angle(heading.value - curve.direction(s, ahead))) > OFFSET_RAD
        if blocked:
            ahead, speed = s, 0.0
        elif curve.length - ahead < 0.006 and (ahead + 0.006 - s) * FPS <= SPEED_M_S:
            ahead = curve.length
        s = ahead
        xy.append(curve.at(s))
        yaw.append(heading.value)


def _turn_to(heading: _Heading, final_rad: float, place: F64, xy: list[F64], yaw: list[float]) -> None:
    """Frames of a turn on the spot until the heading is exactly the wanted one."""
    for _ in range(240):
        error = wrap_angle(final_rad - heading.value)
        if abs(error) < 1e-9 and abs(heading.rate) < YAW_JERK_RAD:
            return
        if abs(error) < np.radians(0.5) and abs(heading.rate) < YAW_JERK_RAD:
            heading.value += error
            heading.rate = 0.0
        else:
            heading.step(heading.value + error)
        xy.append(place)
        yaw.append(heading.value)


def turn_track(xy_m: tuple[float, float], start_rad: float, by_rad: float) -> RootTrack:
    """A turn on the spot by an angle (left positive, may exceed half a turn)."""
    place = np.array(xy_m, np.float64)
    heading = _Heading(float(start_rad))
    xy, yaw = [place] * LEAD_FRAMES, [heading.value] * LEAD_FRAMES
    end = start_rad + by_rad
    while abs(end - heading.value) > 0.9 * np.pi:
        heading.step(heading.value + np.copysign(0.9 * np.pi, by_rad))
        xy.append(place)
        yaw.append(heading.value)
    _turn_to(heading, end, place, xy, yaw)
    xy += [place] * TAIL_FRAMES
    yaw += [heading.value] * TAIL_FRAMES
    return RootTrack(np.array(xy), np.array(yaw))


def straight_track(xy_m: tuple[float, float], heading_rad: float, distance_m: float) -> RootTrack:
    """A straight walk along the heading by a distance (positive: forward)."""
    ahead = np.array([np.cos(heading_rad), np.sin(heading_rad)])
    start = np.array(xy_m, np.float64)
    return walk_track(np.array([start, start + distance_m * ahead]), heading_rad, heading_rad)


def back_track(xy_m: tuple[float, float], heading_rad: float, distance_m: float) -> RootTrack:
    """A short step backwards with unchanged heading, half as fast (leaving a tight place; not part of a walk)."""
    n = max(6, int(np.ceil(FPS * distance_m / 0.45)))
    t = np.linspace(0.0, 1.0, n + 1)
    ease = t * t * (3.0 - 2.0 * t)
    start = np.array(xy_m, np.float64)
    ahead = np.array([np.cos(heading_rad), np.sin(heading_rad)])
    moving = start - np.outer(ease * distance_m, ahead)
    xy = np.vstack([np.repeat(start[None], LEAD_FRAMES - 1, axis=0), moving, np.repeat(moving[-1:], TAIL_FRAMES, axis=0)])
    return RootTrack(xy, np.full(len(xy), float(heading_rad)))

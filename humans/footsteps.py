"""Where and when the feet step along an arbitrary planar root track.

The gait phase counts steps. It advances with the distance and the turn of the root, not with time, so that a slower or paused root slows or
pauses the legs (InteractiveWorld B.1.1). Cadence follows the walk ratio (step length / cadence, of adults 0.0060 m per step/min), so it
grows with the square root of the speed. Step k swings one foot during phase k..k+1; the foot lands where the root will be in
the middle of its stance, half a step later.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from humans import _gait_kernels as kernels
from humans.gait_style import SHAPE, GaitShape
from humans.postures import ANKLE_BACK_M, HALF_WIDTH_M
from humans.rotations import F64, wrap_angle

FPS = 12
TURN_PER_STEP_RAD = np.radians(52.0)
SIDE_COST, BACK_COST = 2.0, 1.6
"""Sideways and backward steps are shorter by these factors."""
MIN_SEPARATION_M = 0.125
PASSING_M, PASSING_BALL_M, BALL_M, MAX_BOW_M = 0.115, 0.09, 0.12, 0.12
"""Distance that a swinging foot keeps from the standing one at ankle and ball; distance of the ball from the ankle; widest detour."""
CROSSING_M = 0.015
"""A closing step that would cross over the other foot by more than this is avoided."""
LONG_M, WIDE_M, NARROW_M = 0.52, 0.30, 0.12
"""Comfortable distance of a foot from the root when it lands or lifts: along, to its own side, to the other side."""
MAX_STEPS_PER_FRAME = 0.3
_PASSING_M = np.array([PASSING_M, PASSING_BALL_M])
PAUSE_FRAMES = 6
"""A root at rest for this long ends the walk: the feet close; a shorter rest only slows it."""


@dataclass(frozen=True)
class Hold:
    """One foot flat on the floor at an ankle position, from phase `land` to phase `lift`. bow_m: how far the swing towards it bows out
    to the foot's own side, so that it passes the other foot."""

    x_m: float
    y_m: float
    yaw_rad: float
    land: float
    lift: float
    bow_m: float = 0.0


@dataclass(frozen=True, eq=False)
class StepPlan:
    """Steps of one walk: first and last frame of the track, phase (m,) of these frames, number of steps, side that swings first, the
    holds of each foot in order, and the share of a step during which both feet stand."""

    first: int
    last: int
    phase: F64
    steps: int
    first_side: str
    holds: dict[str, tuple[Hold, ...]]
    double_support: float = SHAPE.double_support

    def swing_side(self, step: int) -> str:
        """The foot that swings in a step."""
        other = "left" if self.first_side == "right" else "right"
        return self.first_side if step % 2 == 0 else other


def step_rates(xy_m: F64, heading_rad: F64, fps: float, walk_ratio: float = SHAPE.walk_ratio) -> F64:
    """Steps per frame interval (n-1,) that walking, side stepping and turning ask for."""
    delta = np.diff(xy_m, axis=0)
    middle = 0.5 * (heading_rad[1:] + heading_rad[:-1])
    forward = delta[:, 0] * np.cos(middle) + delta[:, 1] * np.sin(middle)
    aside = -delta[:, 0] * np.sin(middle) + delta[:, 1] * np.cos(middle)
    cost = np.hypot(np.where(forward < 0.0, BACK_COST * forward, forward), SIDE_COST * aside)
    walking = np.sqrt(cost * fps / (60.0 * walk_ratio)) / fps
    turning = np.abs(np.diff(heading_rad)) / TURN_PER_STEP_RAD
    return np.asarray(np.hypot(walking, turning))


def segments(xy_m: F64, heading_rad: F64, fps: float = FPS) -> list[tuple[int, int]]:
    """Frame ranges (first, last) that move, each with the rest around it that closing and starting steps may use."""
    moving = (np.linalg.norm(np.diff(xy_m, axis=0), axis=1) > 1e-4) | (np.abs(np.diff(heading_rad)) > 1e-3)
    frames = np.flatnonzero(moving)
    if len(frames) == 0:
        return []
    pause = PAUSE_FRAMES * fps / FPS
    breaks = np.flatnonzero(np.diff(frames) > pause)
    starts = [int(frames[0])] + [int(frames[b + 1]) for b in breaks]
    ends = [int(frames[b]) + 1 for b in breaks] + [int(frames[-1]) + 1]
    lead, tail = round(2 * fps / FPS), round(4 * fps / FPS)
    out = []
    for k, (start, end) in enumerate(zip(starts, ends, strict=True)):
        before = ends[k - 1] + tail if k else 0
        after = starts[k + 1] - lead if k + 1 < len(starts) else len(xy_m) - 1
        out.append((max(before, start - lead), min(after, end + tail)))
    return out


def _filled(rates: F64, ease: F64, amount: float) -> F64:
    """Raises low rates to a common level (eased in by `ease`, 0..1) until their sum has grown by `amount`.

    Raising any of the rates to a level adds at most what raising all that are below it adds, so that the level is the least of those at
    which the rates that are lowest for their ease would make up the amount alone.
    """
    order = np.argsort(rates / ease, kind="stable")
    level = float(((amount + np.cumsum(rates[order])) / np.cumsum(ease[order])).min())
    return np.asarray(np.maximum(rates, level * ease))


def phase_of(rates: F64, fps: float = FPS, extra: int = 0) -> tuple[F64, int]:
    """Phase (m,) of the frames of one walk and its whole number of steps (at least 2: one foot, then the other closes).

    Half a step is added at either end, where the root is slow: the first foot swings before the root is under way, and the last one closes
    when it has arrived. extra: steps on top of what the track asks for.
    """
    count = len(rates)
    width = max(1, round(3 * fps / FPS))
    padded = np.concatenate([np.zeros(width), rates, np.zeros(width)])
    smooth = np.convolve(padded, np.ones(width) / width, mode="same")[width:-width] + 1e-6
    window = min(round(14 * fps / FPS), max(1, count // 2))
    ease = np.minimum(1.0, (np.arange(window) + 0.6) * FPS / (3.0 * fps))

    def spread(steps: int) -> F64:
        increments = smooth * ((steps - 1) / smooth.sum())
        increments[:window] = _filled(increments[:window], ease, 0.5)
        increments[-window:] = _filled(increments[-window:], ease[::-1], 0.5)
        return np.asarray(increments)

    steps = max(2, round(float(rates.sum()) + 1.0))
    while steps > 2 and float(spread(steps).max()) > MAX_STEPS_PER_FRAME * FPS / fps:
        steps -= 1
    phase = np.concatenate([[0.0], np.cumsum(spread(steps + extra))])
    return phase * ((steps + extra) / phase[-1]), steps + extra


def _first_side(xy_m: F64, heading_rad: F64) -> str:
    turn, delta = float(heading_rad[-1] - heading_rad[0]), xy_m[-1] - xy_m[0]
    forward = float(delta @ (np.cos(heading_rad[0]), np.sin(heading_rad[0])))
    aside = float(delta @ (-np.sin(heading_rad[0]), np.cos(heading_rad[0])))
    if abs(turn) > 0.5 and abs(forward) < 0.35:
        return "left" if turn > 0.0 else "right"
    if abs(aside) > abs(forward):
        return "left" if aside > 0.0 else "right"
    return "right"


def ankle_xy(xy: F64, yaw: float, side: str, back: float) -> tuple[float, float]:
    sign = HALF_WIDTH_M if side == "left" else -HALF_WIDTH_M
    c, s = float(np.cos(yaw)), float(np.sin(yaw))
    return float(xy[0]) - c * back - s * sign, float(xy[1]) - s * back + c * sign


def _apart(x: float, y: float, yaw: float, side: str, other: Hold) -> tuple[float, float]:
    """Moves a foothold sideways so that the legs do not cross over the other foot."""
    c, s = float(np.cos(yaw)), float(np.sin(yaw))
    sign = 1.0 if side == "left" else -1.0
    aside = sign * (-(x - other.x_m) * s + (y - other.y_m) * c)
    push = max(0.0, MIN_SEPARATION_M - aside) * sign
    return x - s * push, y + c * push


def plan_steps(
    xy_m: F64, heading_rad: F64, first: int, last: int, shape: GaitShape, fps: float = FPS, first_side: str | None = None
) -> StepPlan:
    """Plans the steps between two frames of a track (n, 2), (n,); idle stances at both ends.

    shape.back_m: how far the ankle lands behind the root's mid-stance position at a full stride (on top of the idle offset). The other foot
    goes first, or one step more is taken, when the natural plan would cross the legs or spread them too far.
    """
    xy, heading = xy_m[first : last + 1], heading_rad[first : last + 1]
    rates = step_rates(xy, heading, fps, shape.walk_ratio)
    natural = first_side or _first_side(xy, heading)
    plans: list[tuple[float, StepPlan]] = []
    for extra in (0, 1):
        phase, steps = phase_of(rates, fps, extra)
        for side in (natural,) if first_side else (natural, "left" if natural == "right" else "right"):
            holds, crossing = _footholds(xy, heading, phase, steps, side, shape)
            strain = max(0.0, crossing - CROSSING_M) + _stretch(xy, heading, phase, holds)
            plans.append((strain, StepPlan(first, last, phase, steps, side, holds, shape.double_support)))
            if strain <= 0.0:
                return plans[-1][1]
    return min(plans, key=lambda pair: pair[0])[1]


def _stretch(xy: F64, heading: F64, phase: F64, holds: dict[str, tuple[Hold, ...]]) -> float:
    """By how much the widest stride exceeds what a leg does without effort, metres."""
    worst = 0.0
    for side, series in holds.items():
        sign = 1.0 if side == "left" else -1.0
        rows = [(at, hold.x_m, hold.y_m) for hold in series for at in (hold.land, hold.lift) if np.isfinite(at)]
        if not rows:
            continue
        at, x, y = np.array(rows).T
        yaw, dx, dy = np.interp(at, phase, heading), x - np.interp(at, phase, xy[:, 0]), y - np.interp(at, phase, xy[:, 1])
        along, aside = dx * np.cos(yaw) + dy * np.sin(yaw), sign * (dy * np.cos(yaw) - dx * np.sin(yaw))
        worst = max(worst, float(np.abs(along).max()) - LONG_M, float(aside.max()) - WIDE_M, -float(aside.min()) - NARROW_M)
    return worst


def bow_m(old: Hold, new: tuple[float, float, float], other: Hold, side: str) -> float:
    """Outward bow (metres) that keeps the swinging foot's ankle and ball PASSING_M from the standing foot's ankle and ball."""
    kernels.KERNELS.ready()
    rows = np.array([(old.x_m, old.y_m, old.yaw_rad), new, (other.x_m, other.y_m, other.yaw_rad)])
    return float(kernels.bow(rows, 1.0 if side == "left" else -1.0, BALL_M, _PASSING_M))


def _footholds(xy: F64, heading: F64, phase: F64, steps: int, side: str, shape: GaitShape) -> tuple[dict[str, tuple[Hold, ...]], float]:
    """Holds by foot, and by how much the last but one step crosses over the other foot, metres."""
    half, crossing = 0.5 * shape.double_support, 0.0
    holds: dict[str, list[Hold]] = {}
    for foot_side in ("left", "right"):
        x, y = ankle_xy(xy[0], float(heading[0]), foot_side, ANKLE_BACK_M)
        holds[foot_side] = [Hold(x, y, float(heading[0]), -np.inf, np.inf)]
    at = np.arange(steps) + 1.5
    at[-2:] = steps
    roots, before = (np.stack([np.interp(p, phase, xy[:, 0]), np.interp(p, phase, xy[:, 1])], axis=1) for p in (at, at - 1.0))
    yaws = np.interp(at, phase, heading)
    for k in range(steps):
        opposite = "left" if side == "right" else "right"
        foot_side, other_side = (side, opposite) if k % 2 == 0 else (opposite, side)
        closing = k >= steps - 2
        root, yaw = roots[k], float(yaws[k])
        ahead = 0.0 if closing else float((root - before[k]) @ (np.cos(yaw), np.sin(yaw)))
        stride = min(1.0, max(0.0, ahead / shape.step_m))
        x, y = ankle_xy(root, yaw, foot_side, ANKLE_BACK_M + shape.back_m * stride)
        apart_x, apart_y = _apart(x, y, yaw, foot_side, holds[other_side][-1])
        if not closing:
            x, y = apart_x, apart_y
        elif k == steps - 2:
            crossing = max(crossing, float(np.hypot(apart_x - x, apart_y - y)))
        old = holds[foot_side][-1]
        holds[foot_side][-1] = replace(old, lift=k + half)
        bow = bow_m(old, (x, y, yaw), holds[other_side][-1], foot_side)
        crossing = max(crossing, 0.5 * bow)
        holds[foot_side].append(Hold(x, y, yaw, k + 1.0 - half, np.inf, min(bow, MAX_BOW_M)))
    return {key: tuple(value) for key, value in holds.items()}, crossing


def separation(plan: StepPlan, heading_at: float, boundary: int) -> float:
    """Signed distance along a heading by which the foot that has just landed at a phase boundary leads the other, metres."""
    if boundary <= 0 or boundary >= plan.steps:
        return 0.0
    landed = plan.swing_side(boundary - 1)
    other = "left" if landed == "right" else "right"
    new = next(h for h in plan.holds[landed] if h.land <= boundary < h.lift)
    old = next(h for h in plan.holds[other] if h.land <= boundary < h.lift)
    return float((new.x_m - old.x_m) * np.cos(heading_at) + (new.y_m - old.y_m) * np.sin(heading_at))


def headings_of(heading_rad: NDArray[np.float64]) -> F64:
    """The headings unwrapped to a continuous series."""
    steps = wrap_angle(np.diff(heading_rad))
    return np.concatenate([heading_rad[:1], heading_rad[0] + np.cumsum(steps)])

"""Plan a walk: path, track, gait, validation in 3-D, repair (seed B.2.1). The result is screened frames or a refusal with the place."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from actions.motions import Segment
from actions.navigation.bottleneck import blocked
from actions.navigation.grid import Disk, Grid, carried_keys, grid_of
from actions.navigation.paths import RADII_M, Path, find_path
from actions.navigation.steps import screened_turn, screened_walk
from actions.navigation.tracks import back_track
from actions.navigation.walking import walk_segment
from actions.screening import Violation, collision_world, screen
from actions.world import ActionWorld
from assistcore.house.contacts import BODY
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle
from humans.proxies import walking_width_m

F64 = NDArray[np.float64]

REPAIRS = 8
"""Avoidance disks per walk before it is given up (the seed's bounded repair budget)."""
APPROACHES_M = (0.10, 0.25, 0.40, 0.0)
"""Lengths of the straight last stretch to an exact stance, tried in this order."""
BACK_STEPS_M = (0.15, 0.25, 0.40)
HERE_M = 0.02
FACING_RAD = np.radians(0.5)
END_ZONE_M = 0.15
APPROACH_ZONE_M = 0.80
"""A violation this near to an exact stance asks for a longer straight approach before any detour."""
START_ZONE_M = 0.06
ON_THE_WAY_M = 1.5
"""What is met farther from the goal than this is met on the way to its neighbours too."""


@dataclass(frozen=True, eq=False)
class Walk:
    """Screened segments of one walk (none when already there) and diagnostics for the plan's notes."""

    segments: tuple[Segment, ...]
    notes: dict[str, object] = field(default_factory=dict)


@dataclass
class Effort:
    """How many walks may still be generated and screened in full; shared by the stances of one journey.

    `met`: where the walks that were refused met something on the way, far from their goals.
    """

    walks: int = 12
    met: tuple[Disk, ...] = ()


@dataclass
class _Trial:
    """What the repair loop has learnt so far."""

    effort: Effort

    disks: tuple[Disk, ...] = ()
    approach: int = 0
    last: Violation | None = None
    at_start: bool = False

    @property
    def approach_m(self) -> float:
        return APPROACHES_M[self.approach]


def plan_walk(
    world: ActionWorld, goal_m: tuple[float, float], heading_rad: float | None, *, exact: bool = True, effort: Effort | None = None
) -> Walk | Refusal:
    """Walk from the present stance to a place, ending at `heading_rad` (None: as it arrives).

    `exact`: a validated stance, reached to the millimetre; otherwise the nearest legal stand-off within 0.60 m is good enough (`moved_m` in
    the notes). Closed doors are obstacles here; `actions.travel` opens them. `effort` bounds the trials. Changes no state.
    """
    body = world.state.body
    away = float(np.hypot(goal_m[0] - body.xy_m[0], goal_m[1] - body.xy_m[1]))
    if away < HERE_M:
        return _turn_only(world, heading_rad)
    effort = effort or Effort()
    trial = _Trial(effort)
    plain = _repaired(world, goal_m, heading_rad, exact, trial)
    if isinstance(plain, Walk) or not trial.at_start:
        return plain
    for back in BACK_STEPS_M:
        if effort.walks <= 0:
            break
        stepped = world.fork()
        segment = walk_segment(stepped, back_track(body.xy_m, body.heading_rad, back), "step_back")
        if screen(stepped, segment) is not None:
            continue
        stepped.advance(segment)
        rest = _repaired(stepped, goal_m, heading_rad, exact, _Trial(effort))
        if isinstance(rest, Walk):
            return Walk((segment, *rest.segments), {**rest.notes, "back_m": back})
    return plain


def _turn_only(world: ActionWorld, heading_rad: float | None) -> Walk | Refusal:
    body = world.state.body
    turn = 0.0 if heading_rad is None else wrap_angle(heading_rad - body.heading_rad)
    if abs(turn) < FACING_RAD:
        return Walk((), {"route_m": 0.0})
    return turn_on_spot(world, turn)


def turn_on_spot(world: ActionWorld, by_rad: float) -> Walk | Refusal:
    """Turn where one stands; after a step back when the arms would strike something. Left is positive."""
    body = world.state.body
    here = screened_turn(world, by_rad)
    if here.hit is None:
        return Walk(here.segments, {"route_m": 0.0})
    for back in BACK_STEPS_M if here.hit.hit.owner != BODY else ():
        stepped = world.fork()
        first = walk_segment(stepped, back_track(body.xy_m, body.heading_rad, back), "step_back")
        if screen(stepped, first) is not None:
            continue
        stepped.advance(first)
        second = screened_turn(stepped, by_rad)
        if second.hit is None:
            return Walk((first, *second.segments), {"route_m": back, "back_m": back})
    return Refusal(Code.TRAJECTORY_COLLISION, f"turning here: {here.hit}", "step away first")


def _repaired(world: ActionWorld, goal: tuple[float, float], heading: float | None, exact: bool, trial: _Trial) -> Walk | Refusal:
    grid = grid_of(world)
    for attempt in range(REPAIRS + len(APPROACHES_M)):
        path = _path(world, grid.with_disks(trial.disks), goal, heading, exact, trial)
        if path is None:
            break
        steps = screened_walk(world, path.points_m, heading)
        trial.effort.walks -= 1 if steps.segments else 0
        if steps.hit is None:
            return Walk(steps.segments, _notes(path, trial, attempt))
        trial.last = steps.hit
        if trial.effort.walks <= 0 or not _learn(
            trial, steps.where_m, steps.hit, world.state.body.xy_m, path, exact and heading is not None
        ):
            break
    far = tuple(d for d in trial.disks if np.hypot(d.x_m - goal[0], d.y_m - goal[1]) > ON_THE_WAY_M)
    trial.effort.met = (*trial.effort.met, *far)
    return _refused(world, grid, goal, trial)


def _path(world: ActionWorld, grid: Grid, goal: tuple[float, float], heading: float | None, exact: bool, trial: _Trial) -> Path | None:
    """A path whose last stretch to an exact stance is straight; longer stretches are tried when a shorter one starts where nobody fits."""
    start = world.state.body.xy_m
    if not exact or heading is None:
        return find_path(grid, start, goal, exact=exact)
    while True:
        a = trial.approach_m
        before = (goal[0] - a * float(np.cos(heading)), goal[1] - a * float(np.sin(heading)))
        path = find_path(grid, start, before)
        if path is not None:
            points = np.vstack([path.points_m, goal]) if a > 0.0 else path.points_m
            return Path(points, path.radius_m, path.cost_m, path.length_m + a, path.least_m)
        if trial.approach + 1 >= len(APPROACHES_M):
            return None
        trial.approach += 1


def _learn(trial: _Trial, here: tuple[float, float], hit: Violation, start: tuple[float, float], path: Path, approach: bool) -> bool:
    """Takes a violation into account: another approach near the goal, else an avoidance disk. False when nothing is left to try."""
    end = path.points_m[-1]
    left = float(np.hypot(here[0] - end[0], here[1] - end[1]))
    if approach and left < APPROACH_ZONE_M and trial.approach + 1 < len(APPROACHES_M):
        trial.approach += 1
        return True
    trial.at_start = float(np.hypot(here[0] - start[0], here[1] - start[1])) < START_ZONE_M
    if trial.at_start or left < END_ZONE_M or hit.hit.owner == BODY or len(trial.disks) >= REPAIRS:
        return False
    toward = np.array(hit.hit.point_m[:2]) - np.array(here)
    length = float(np.linalg.norm(toward))
    centre = np.array(here) + (0.10 * toward / length if length > 1e-6 else 0.0)
    trial.disks = (*trial.disks, Disk(float(centre[0]), float(centre[1])))
    return True


def _refused(world: ActionWorld, grid: Grid, goal: tuple[float, float], trial: _Trial) -> Refusal:
    reason = str(trial.last) if trial.last is not None else ""
    scene = collision_world(world)
    return blocked(scene, grid, world.state.body.xy_m, goal, _width_m(world), ignore=carried_keys(world), reason=reason)


def _width_m(world: ActionWorld) -> float:
    """How wide the person is that walks, with what is carried."""
    body, half = world.state.body, 0.5 * walking_width_m(world.body)
    left = np.array([-np.sin(body.heading_rad), np.cos(body.heading_rad), 0.0])
    sides = [-half, half]
    for key in carried_keys(world):
        low, high = world.stage.entity(key).box_m
        T = world.state.root(world.stage, key)
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        sides += ((corners @ T[:3, :3].T + T[:3, 3] - np.array([*body.xy_m, 0.0])) @ left).tolist()
    return max(sides) - min(sides)


def _notes(path: Path, trial: _Trial, attempt: int) -> dict[str, object]:
    notes: dict[str, object] = {
        "route_m": round(path.length_m, 3),
        "radius_m": path.radius_m,
        "least_clearance_m": round(path.least_m, 3),
        "repairs": attempt,
    }
    if trial.approach_m:
        notes["approach_m"] = trial.approach_m
    if path.moved_m:
        notes["moved_m"] = round(path.moved_m, 3)
    return notes


__all__ = ["RADII_M", "Effort", "Walk", "plan_walk", "turn_on_spot"]

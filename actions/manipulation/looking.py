"""LookAt from anywhere: turn, step closer, take a labelled thing in hand to read it and put it back (seed Table 5, look_at)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.goals import entity_stances
from actions.manipulation.approach import at_stance, recover, with_stance
from actions.manipulation.commands import empty_handed, graspable
from actions.manipulation.grab import Failure, plan_grab
from actions.manipulation.inspect import LEANS, MARK, held_rules, look_here, readable, sheet_of, show_label, showable
from actions.manipulation.put import put_back
from actions.manipulation.reach import Blocked
from actions.manipulation.surroundings import centre_of, closed_above
from actions.manipulation.taking import grab_goal
from actions.manipulation.undo import undo_grab
from actions.motions import Segment
from actions.navigation.route import Walk, turn_on_spot
from actions.stance import Stance, candidates_of, stances
from actions.travel import travel
from actions.world import ActionWorld
from assistcore.house.visibility import Uncovered, uncovered
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle
from humans.camera import gaze, head_camera
from humans.kinematics import joint_transforms

F64 = NDArray[np.float64]

TURN_RAD = np.radians(40.0)
"""A target farther to the side is turned to with the whole body."""
SEEN_SHARE = 0.25
FAR_M = 4.0
LEAST_SHARE = 0.02
"""With less of its outline uncovered a thing is not seen: something hides it."""
AROUND = 40
"""So many places round a thing that is hidden at first are considered."""
CLOSER = 8
ASIDE = ((0.5, 0.0), (0.6, 0.5 * np.pi), (0.6, -0.5 * np.pi), (0.7, np.pi))
"""Metres to step back and radians to turn where a label cannot be read at the place where the thing was taken up."""


def look_at(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """Everything that a look needs. Changes nothing; what is taken up to be read is put back where it was."""
    first = recover(world)
    here = world.fork()
    for segment in first:
        here.advance(segment)
    held = here.state.held
    if held is not None and held.entity == key:
        shown = show_label(here, key) or look_here(here, centre_of(here, key))
        if shown is None:
            return Refusal(Code.TRAJECTORY_COLLISION, f"there is no room to hold {key} before the eyes here", "step away first")
        return [*first, *shown]
    if world.stage.entity(key).kind == "movable" and (refusal := closed_above(here, key)):
        return refusal
    if world.stage.entity(key).labels:
        read = _read(here, key)
        if not isinstance(read, Refusal):
            return [*first, *read]
    seen = _see(here, key)
    return seen if isinstance(seen, Refusal) else [*first, *seen]


def print_shown(world: ActionWorld, key: str, segments: Iterable[Segment]) -> bool:
    """Whether a printed label of a thing is legible in the frame that a look holds."""
    here = world.fork()
    for segment in segments:
        here.advance(segment)
        if any(mark == MARK for _, mark in segment.marks):
            if readable(here, key, segment.pose_rad[-1], segment.translation_m[-1], with_ease=False):
                return True
    return False


def _read(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """A look at which a label can be read: with ease from here, from closer by, with the thing in hand; else legible at all."""
    in_hand = graspable(world, key) is None and empty_handed(world) is None
    found: list[Segment] | Refusal = _from_here(world, key, with_ease=True)
    if isinstance(found, Refusal):
        found = _closer(world, key, with_ease=True)
    if isinstance(found, Refusal) and in_hand:
        found = with_stance(world, grab_goal(world, key), lambda there: _taken_up(there, key))
    if isinstance(found, Refusal):
        found = _from_here(world, key, with_ease=False)
    return _closer(world, key, with_ease=False) if isinstance(found, Refusal) else found


def _from_here(world: ActionWorld, key: str, *, with_ease: bool) -> list[Segment] | Refusal:
    for point in _label_points(world, key):
        if float(np.linalg.norm(point[:2] - np.asarray(world.state.body.xy_m))) < 1.2:
            shown = look_here(world, point, label_of=key, with_ease=with_ease, leans=LEANS)
            if shown is not None:
                return shown
    return Refusal(Code.OUT_OF_REACH, f"the label of {key} is too small or turned away from here", "go closer")


def _label_points(world: ActionWorld, key: str) -> list[F64]:
    root = world.state.root(world.stage, key)
    return [root[:3, :3] @ sheet_of(world, key, label).centre_m + root[:3, 3] for label in world.stage.entity(key).labels]


def _closer(world: ActionWorld, key: str, *, with_ease: bool) -> list[Segment] | Refusal:
    """From a stance in front of a label, leaning as far as needed."""
    root = world.state.root(world.stage, key)
    for label in world.stage.entity(key).labels:
        sheet = sheet_of(world, key, label)
        point = root[:3, :3] @ sheet.centre_m + root[:3, 3]
        normal = root[:3, :3] @ sheet.R[:, 2]
        flat = float(np.linalg.norm(normal[:2]))
        facing = (float(normal[0] / flat), float(normal[1] / flat)) if flat > 0.4 else None
        if float(normal[2]) < -0.5:
            continue
        found = stances(
            world, point.tolist(), near_m=0.34, far_m=0.74, target=key, facing=facing, spread_rad=np.radians(40.0), hands=(), count=24
        )
        tried = sorted(found, key=lambda s: (round(s.cost_m + abs(s.reach_m - 0.5), 6), s.xy_m))[:CLOSER]
        for stance in tried:
            look = partial(look_here, look_m=point, label_of=key, with_ease=with_ease, leans=LEANS)
            if look(at_stance(world, stance.xy_m, stance.heading_rad)) is None:
                continue
            steps = _walk_then(world, stance, look)
            if steps is not None:
                return steps
    return Refusal(Code.OUT_OF_REACH, f"no place shows the label of {key} large enough to read", "pick it up")


def _walk_then(world: ActionWorld, stance: Stance, then: Callable[[ActionWorld], list[Segment] | None]) -> list[Segment] | None:
    trip = travel(world, stance)
    if isinstance(trip, Refusal):
        return None
    there = world.fork()
    for segment in trip:
        there.advance(segment)
    steps = then(there)
    return None if steps is None else [*trip, *steps]


def _taken_up(world: ActionWorld, key: str) -> list[Segment] | Failure:
    """Grab, read here or where there is room for it, put back where it was."""
    taken = plan_grab(world, key, partial(showable, key=key))
    if isinstance(taken, Failure):
        return taken
    there = _after(world, taken)
    shown = show_label(there, key)
    if shown is None:
        shown = _shown_aside(there, key)
    if shown is None:
        return Failure(7, Refusal(Code.OUT_OF_REACH, f"the label of {key} cannot be brought before the eyes from here"))
    again = _after(there, shown)
    back: list[Segment] | Blocked | Failure = undo_grab(again, key, world.state, taken[0], taken[1])
    if isinstance(back, Blocked):
        back = put_back(again, key, world.state.root(world.stage, key))
    return back if isinstance(back, Failure) else [*taken, *shown, *back]


def _shown_aside(world: ActionWorld, key: str) -> list[Segment] | None:
    """A step away from what is in the way of hand or label, read there, and back to the same place."""
    body = world.state.body
    here = Stance(body.xy_m, body.heading_rad, 0.0, 0.0, 0.0)
    check = candidates_of(world)
    rules = held_rules(world)
    for stance in _asides(body.xy_m, body.heading_rad):
        if check.idle_hits(stance.xy_m, stance.heading_rad, rules):
            continue
        ahead = at_stance(world, stance.xy_m, stance.heading_rad)
        if show_label(ahead, key) is None:
            continue
        away = travel(world, stance)
        if isinstance(away, Refusal):
            continue
        there = _after(world, away)
        shown = show_label(there, key)
        if shown is None:
            continue
        home = travel(_after(there, shown), here)
        if not isinstance(home, Refusal):
            return [*away, *shown, *home]
    return None


def _asides(xy_m: tuple[float, float], heading_rad: float) -> Iterator[Stance]:
    """Stances a step back from a place, turned or not."""
    along = heading_rad + np.pi
    for back_m, turn in ASIDE:
        xy = (xy_m[0] + back_m * float(np.cos(along)), xy_m[1] + back_m * float(np.sin(along)))
        yield Stance(xy, wrap_angle(heading_rad + turn), 0.0, 0.0, 0.0)


def _after(world: ActionWorld, segments: Iterable[Segment]) -> ActionWorld:
    there = world.fork()
    for segment in segments:
        there.advance(segment)
    return there


def _see(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """Turn and aim the gaze where the thing can be seen from here, else walk to it first."""
    point = centre_of(world, key)
    body = world.state.body
    line = point[:2] - np.asarray(body.xy_m)
    turn = wrap_angle(float(np.arctan2(line[1], line[0])) - body.heading_rad)
    if float(np.linalg.norm(line)) < FAR_M and _visible(at_stance(world, body.xy_m, body.heading_rad + turn), key, point):
        steps: list[Segment] = []
        if abs(turn) > TURN_RAD:
            turned = turn_on_spot(world, turn)
            steps = list(turned.segments) if isinstance(turned, Walk) else []
        shown = look_here(_after(world, steps), point)
        if shown is not None:
            return [*steps, *shown]
    goals = entity_stances(world, key)
    if not goals:
        return Refusal(Code.PATH_BLOCKED, f"there is no place to stand from which {key} can be seen", "clear the way to it")
    return _from_near(world, key, point, goals)


def _from_near(world: ActionWorld, key: str, point: F64, goals: list[Stance]) -> list[Segment] | Refusal:
    """From a place at the thing; where it is hidden from there, from one all round it that shows some of it."""
    found = _look_from(world, key, point, goals)
    if not isinstance(found, Refusal) or found.code != Code.NOT_VISIBLE:
        return found
    others = stances(world, point.tolist(), near_m=0.40, far_m=0.90, target=key, hands=(), count=AROUND)
    showing = [s for s in others if _visible(at_stance(world, s.xy_m, s.heading_rad), key, point, LEAST_SHARE)]
    again = _look_from(world, key, point, showing) if showing else found
    return found if isinstance(again, Refusal) else again


def _look_from(world: ActionWorld, key: str, point: F64, goals: list[Stance]) -> list[Segment] | Refusal:
    """From the place that is reached first: the first look that shows some of it, however it leans for that."""
    trip = travel(world, goals)
    if isinstance(trip, Refusal):
        return trip
    there = _after(world, trip)
    first: Refusal | None = None
    for lean in LEANS[:3]:
        shown = look_here(there, point, leans=(lean,))
        if shown is None:
            continue
        view = _seen(there, key, shown[0].pose_rad[-1], shown[0].translation_m[-1])
        if view.share >= LEAST_SHARE:
            return [*trip, *shown]
        first = first or _hidden(key, view)
    away = f"{key} is out of view even from {goals[0].reach_m:.1f} m"
    return first or Refusal(Code.NOT_VISIBLE, away, "clear what stands before it")


def _hidden(key: str, view: Uncovered) -> Refusal:
    """NOT_VISIBLE with what stands before it."""
    if not view.hider:
        return Refusal(Code.NOT_VISIBLE, f"nothing of {key} is in view from any place near it", "look somewhere else")
    return Refusal(Code.NOT_VISIBLE, f"{view.hider} hides {key}", f"take {view.hider} away first")


def _visible(world: ActionWorld, key: str, point: F64, least: float = SEEN_SHARE) -> bool:
    """Whether enough of the thing is uncovered when the person looks at it from where it stands."""
    state = world.state
    pose, residual = gaze(world.body, state.body.pose_rad, state.body.translation_m, point)
    return residual <= 0.1 and _seen(world, key, pose, state.body.translation_m).share >= least


def _seen(world: ActionWorld, key: str, pose_rad: F64, translation_m: F64) -> Uncovered:
    """How much of a thing the eyes of a posture see, and what hides it most."""
    position, R = head_camera(world.body, joint_transforms(world.body, pose_rad, translation_m))
    return uncovered(world.stage, world.state, key, position, R, rays=24)

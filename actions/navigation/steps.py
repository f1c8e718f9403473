"""Screened frames of a path or a turn. Where the legs would cross, the other foot begins, or turns and walking are done apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.motions import Segment
from actions.navigation.idle import sweep
from actions.navigation.paths import resample
from actions.navigation.tracks import turn_track, walk_track
from actions.navigation.walking import walk_segment
from actions.screening import Violation, screen
from actions.world import ActionWorld
from assistcore.house.contacts import BODY
from assistcore.world.poses import wrap_angle
from humans.gait import RootTrack

F64 = NDArray[np.float64]

APART_RAD = np.radians(25.0)
"""A course that differs less from the heading needs no turn before the walk."""


class Steps(NamedTuple):
    """Segments in order; `hit` is the first violation, or None when all may be committed; `where_m` is the root at the violation."""

    segments: tuple[Segment, ...]
    hit: Violation | None
    where_m: tuple[float, float] = (0.0, 0.0)


def _steps(segments: list[Segment], hit: Violation | None) -> Steps:
    """Steps whose violation is in the last segment."""
    if hit is None:
        return Steps(tuple(segments), None)
    x, y = segments[-1].xy_m[hit.frame]
    return Steps(tuple(segments), hit, (float(x), float(y)))


def _either_foot(world: ActionWorld, track: RootTrack, phase: str) -> tuple[Segment, Violation | None]:
    """The track with its natural first foot, or with the one that keeps the legs apart."""
    segment = walk_segment(world, track, phase)
    hit = screen(world, segment)
    if hit is None or hit.hit.owner != BODY:
        return segment, hit
    for foot in ("left", "right"):
        other = walk_segment(world, track, phase, foot)
        natural = other.pose_rad.tobytes() == segment.pose_rad.tobytes()  # and so it meets what that one met
        if not natural and screen(world, other) is None:
            return other, None
    return segment, hit


def screened_turn(world: ActionWorld, by_rad: float) -> Steps:
    """A turn on the spot, in one go or in parts."""
    first: Steps | None = None
    for shares in ((1.0,), (0.5, 0.5), (0.3, 0.7), (0.25, 0.25, 0.25, 0.25)):
        here, done = world.fork(), []
        hit: Violation | None = None
        for share in shares:
            body = here.state.body
            segment, hit = _either_foot(here, turn_track(body.xy_m, body.heading_rad, share * by_rad), "turn")
            done.append(segment)
            if hit is not None:
                break
            here.advance(segment)
        if hit is None or hit.hit.owner != BODY:
            return _steps(done, hit)
        first = first or _steps(done, hit)
    return first or Steps((), None)


def screened_walk(world: ActionWorld, points_m: F64, heading_rad: float | None) -> Steps:
    """A walk along a path, ending at a heading."""
    start = world.state.body.heading_rad
    track = walk_track(points_m, start, heading_rad)
    early = sweep(world, track)
    if early is not None:
        x, y = track.xy_m[early.frame + 1]
        return Steps((), early, (float(x), float(y)))
    segment, hit = _either_foot(world, track, "walk")
    if hit is None or hit.hit.owner != BODY:
        return _steps([segment], hit)
    apart = _apart(world, points_m, heading_rad)
    return apart if apart.hit is None or apart.hit.hit.owner != BODY else _steps([segment], hit)


def _apart(world: ActionWorld, points_m: F64, heading_rad: float | None) -> Steps:
    """Turn, walk, turn, with a rest between."""
    here, done = world.fork(), list[Segment]()
    ahead = resample(points_m, 0.05)
    course = ahead[min(6, len(ahead) - 1)] - ahead[0]
    turn = wrap_angle(float(np.arctan2(course[1], course[0])) - here.state.body.heading_rad)
    if abs(turn) > APART_RAD:
        steps = screened_turn(here, turn)
        if steps.hit is not None:
            return steps
        for segment in steps.segments:
            here.advance(segment)
        done += steps.segments
    segment, hit = _either_foot(here, walk_track(points_m, here.state.body.heading_rad), "walk")
    done.append(segment)
    if hit is not None:
        return _steps(done, hit)
    here.advance(segment)
    rest = 0.0 if heading_rad is None else wrap_angle(heading_rad - here.state.body.heading_rad)
    if abs(rest) > 1e-6:
        steps = screened_turn(here, rest)
        return Steps((*done, *steps.segments), steps.hit, steps.where_m)
    return Steps(tuple(done), None)

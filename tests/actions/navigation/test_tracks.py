"""Every emitted track keeps the bounds on speed, yaw and offset."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from actions.navigation.tracks import (
    OFFSET_LIMIT_RAD,
    SPEED_M_S,
    YAW_STEP_LIMIT_RAD,
    back_track,
    straight_track,
    turn_track,
    walk_track,
)
from assistcore.world.poses import wrap_angle

ANGLE = st.floats(-3.2, 3.2)
POINT = st.tuples(st.floats(-4, 4), st.floats(-4, 4))
STRETCHES_M = 5e-6
"""A path's stretches up to 1e-6 m count as none: the five that six points have may make one step onto its end, without direction."""


def check(track, *, backwards=False) -> None:
    move = np.diff(track.xy_m, axis=0)
    speed = np.linalg.norm(move, axis=1) * 12.0
    assert speed.max(initial=0.0) <= SPEED_M_S + 1e-6
    assert np.abs(np.diff(track.heading_rad)).max(initial=0.0) <= YAW_STEP_LIMIT_RAD + 1e-9
    onto_the_end = (track.xy_m[1:] == track.xy_m[-1]).all(axis=1) & (speed <= 12.0 * STRETCHES_M)
    for k in np.flatnonzero((speed > 1e-6) & ~onto_the_end):
        travel = np.arctan2(move[k, 1], move[k, 0]) + (np.pi if backwards else 0.0)
        assert abs(wrap_angle(track.heading_rad[k + 1] - travel)) < OFFSET_LIMIT_RAD


@settings(max_examples=60)
@given(st.lists(POINT, min_size=2, max_size=6), ANGLE, st.one_of(st.none(), ANGLE))
@example([(0.0, 0.0), (0.0, 1.2e-7)], 0.0, None)
def test_any_polyline_gives_a_legal_track(points, start, final) -> None:
    track = walk_track(np.array(points), start, final)
    check(track)
    assert np.allclose(track.xy_m[0], points[0]) and np.allclose(track.xy_m[-1], points[-1], atol=1e-9)
    assert track.heading_rad[0] == start
    if final is not None:
        assert abs(wrap_angle(track.heading_rad[-1] - final)) < 1e-6
    assert np.array_equal(track.xy_m[-1], track.xy_m[-4]) and track.heading_rad[-1] == track.heading_rad[-4]


@settings(max_examples=40)
@given(ANGLE, st.floats(-2 * np.pi, 2 * np.pi))
def test_turns_end_where_they_should(start, by) -> None:
    track = turn_track((1.0, 2.0), start, by)
    check(track)
    assert abs(track.heading_rad[-1] - start - by) < 1e-6
    assert np.ptp(track.xy_m, axis=0).max() == 0.0


@settings(max_examples=20)
@given(ANGLE, st.floats(0.1, 5.0))
def test_straight_and_back(heading, distance) -> None:
    ahead = straight_track((0.0, 0.0), heading, distance)
    check(ahead)
    assert np.allclose(ahead.xy_m[-1], distance * np.array([np.cos(heading), np.sin(heading)]), atol=1e-9)
    back = back_track((0.0, 0.0), heading, min(distance, 0.4))
    check(back, backwards=True)


def test_a_long_straight_walk_reaches_walking_speed() -> None:
    track = straight_track((0.0, 0.0), 0.0, 6.0)
    speed = np.linalg.norm(np.diff(track.xy_m, axis=0), axis=1) * 12.0
    assert np.median(speed) > 1.05 and len(track.xy_m) < 12 * (6.0 / 1.1 + 2.5)

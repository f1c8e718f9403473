"""Sweeping the floor nearby with the eyes: all round where there is room to turn, else from side to side (seed Table 5, look_scan)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.navigation.steps import screened_turn
from actions.postures.attitudes import HEAD, Attitude, attitude_now, frames_between, posed, rules
from actions.postures.seated import seat_of
from actions.postures.stepping import with_room
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from humans.camera import gaze
from humans.model import N_JOINTS

F64 = NDArray[np.float64]

AHEAD_M = 1.0
"""How far ahead the gaze meets the floor."""
STOPS = 4
SIDES_RAD = np.radians(np.array([62.0, 20.0, -20.0, -62.0]))
HOLD_FRAMES = 6
MARK = "look_hold"
NARROW = Refusal(Code.TRAJECTORY_COLLISION, "there is no room to turn here", "step away first")


def sweep_floor(world: ActionWorld, *, turning: bool) -> list[Segment] | Refusal:
    """The whole sweep, ending as it began. `turning`: all round on the spot, which needs room. Changes nothing."""
    if turning:
        found = with_room(world, _all_round)
        if not isinstance(found, Refusal):
            return found
    return _side_to_side(world)


def looking(world: ActionWorld, attitude: Attitude, left_rad: float, ahead_m: float = AHEAD_M) -> Attitude:
    """The attitude with the gaze on the floor at an angle to the left of where the head is."""
    body = world.state.body
    pose, place = posed(world.body, attitude)
    angle = body.heading_rad + left_rad
    point = (place[0] + ahead_m * float(np.cos(angle)), place[1] + ahead_m * float(np.sin(angle)), 0.0)
    turned, _ = gaze(world.body, pose, place, point)
    return attitude.with_head(turned.reshape(N_JOINTS, 3))


def _all_round(world: ActionWorld) -> list[Segment] | Refusal:
    here = world.fork()
    up = attitude_now(here)
    down = looking(here, up, 0.0)
    lowered = _moved(here, "look_down", up, down)
    if lowered is None:
        return NARROW
    here.advance(lowered)
    done = [lowered]
    for _ in range(STOPS):
        turn = screened_turn(_level(here, up), 2.0 * float(np.pi) / STOPS)
        if turn.hit is not None:
            return NARROW
        bent = [_bent(s, down) for s in turn.segments]
        bent[-1] = _held(bent[-1])
        for segment in bent:
            if screen(here, segment) is not None:
                return NARROW
            here.advance(segment)
        done += bent
    raised = _moved(here, "look_up", attitude_now(here), attitude_now(_level(here, up)))
    return NARROW if raised is None else [*done, raised]


def _level(world: ActionWorld, up: Attitude) -> ActionWorld:
    """The world with the head as it was before the sweep: turns are planned from a stance."""
    out = world.fork()
    rows = world.state.body.pose_rad.reshape(N_JOINTS, 3).copy()
    rows[HEAD] = up.rotvec_rad[HEAD]
    out.state = world.state.with_(body=replace(world.state.body, pose_rad=rows.reshape(-1)))
    return out


def _bent(segment: Segment, down: Attitude) -> Segment:
    """The frames of a turn with the head bent; nowhere a safe end."""
    rows = segment.pose_rad.reshape(len(segment), N_JOINTS, 3).copy()
    rows[:, HEAD] = down.rotvec_rad[HEAD]
    return replace(segment, phase="scan", pose_rad=rows.reshape(len(segment), -1), safe=np.zeros(len(segment), np.bool_))


def _held(segment: Segment) -> Segment:
    return replace(segment, marks=((len(segment) - 1, MARK),))


def _moved(world: ActionWorld, phase: str, a: Attitude, b: Attitude, hold: int = 0) -> Segment | None:
    """One screened change of attitude; its end is safe where it needs no hold."""
    poses, places = frames_between(world.body, a, b)
    more = np.repeat(poses[-1:], hold, axis=0), np.repeat(places[-1:], hold, axis=0)
    rows = np.concatenate([poses, more[0]]), np.concatenate([places, more[1]])
    marks = ((len(poses) + hold // 2, MARK),) if hold else ()
    made = segment_of(world, phase, *rows, allowed=rules(world, seat_of(world)), marks=marks, canonical_end=not hold)
    made = replace(made, posture=world.state.body.posture)
    return made if screen(world, made) is None else None


def _side_to_side(world: ActionWorld) -> list[Segment] | Refusal:
    here = world.fork()
    up = attitude_now(here)
    now, done = up, list[Segment]()
    for side in SIDES_RAD:
        then = looking(here, up, float(side))
        segment = _moved(here, "scan", now, then, HOLD_FRAMES)
        if segment is not None:
            here.advance(segment)
            done.append(segment)
            now = then
    back = _moved(here, "look_up", now, up)
    if back is None or not done:
        return Refusal(Code.TRAJECTORY_COLLISION, "there is no room to bend the head here", "step away first")
    back = replace(back, pose_rad=np.concatenate([back.pose_rad[:-1], world.state.body.pose_rad[None]]))
    return [*done, back]

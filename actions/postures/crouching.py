"""Crouching and coming up again (seed Table 5, squat)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.postures.attitudes import Attitude, attitude_now, frames_between, kept_arms, plain, posed, rules
from actions.screening import Violation, screen
from actions.world import ActionWorld
from assistcore.world.outcomes import Code, Refusal
from humans.camera import head_camera
from humans.kinematics import joint_transforms
from humans.model import N_JOINTS
from humans.postures import lean_posture

F64 = NDArray[np.float64]

DEPTHS = ((0.55, 1.0), (0.75, 1.0), (0.35, 0.9), (0.95, 0.9), (0.6, 0.8), (0.8, 0.7))
"""(lean, squat) of a crouch, deepest first."""
ARMS_RAD = (0.25, 0.55, 0.0, -1.2)
"""How far the free arms swing forward of where they hang; the last one passes them behind the thighs."""
LOWER_M = 0.30
"""A crouch brings the eyes down by at least this."""
HOLD_FRAMES = 9
MARK = "look_hold"


def crouch(world: ActionWorld) -> list[Segment] | Refusal:
    """Down into a crouch, a moment there, and up to the same stance; feet planted, what is held kept. Changes nothing."""
    up = attitude_now(world)
    first: Violation | None = None
    for low in _crouches(world, up):
        steps = _down_and_up(world, up, low)
        if not isinstance(steps, Violation):
            return steps
        first = first or steps
    return Refusal(Code.TRAJECTORY_COLLISION, f"crouching here: {first}", "step away first")


def _crouches(world: ActionWorld, up: Attitude) -> list[Attitude]:
    body, state = world.body, world.state.body
    out = []
    for lean, squat in DEPTHS:
        posture = lean_posture(body, state.xy_m, state.heading_rad, lean, squat)
        for swing in ARMS_RAD:
            low = kept_arms(world, plain(body, replace(posture, arm_raise_rad=swing)))
            if _eye_m(world, up) - _eye_m(world, low) >= LOWER_M:
                out.append(low)
    return out


def _eye_m(world: ActionWorld, attitude: Attitude) -> float:
    pose, translation = posed(world.body, attitude)
    return float(head_camera(world.body, joint_transforms(world.body, pose, translation))[0][2])


def _down_and_up(world: ActionWorld, up: Attitude, low: Attitude) -> list[Segment] | Violation:
    here = world.fork()
    pose, place = posed(world.body, low)
    still = segment_of(here, "crouch", pose[None], place[None], allowed=rules(here))
    if (hit := screen(here, still)) is not None:
        return hit
    poses, places = frames_between(world.body, up, low)
    hold = np.repeat(poses[-1:], HOLD_FRAMES, axis=0), np.repeat(places[-1:], HOLD_FRAMES, axis=0)
    marks = ((len(poses) + HOLD_FRAMES // 2, MARK),)
    rows = np.concatenate([poses, hold[0]]), np.concatenate([places, hold[1]])
    down = segment_of(here, "crouch", *rows, allowed=rules(here), marks=marks)
    if (hit := screen(here, down)) is not None:
        return hit
    here.advance(down)
    poses, places = frames_between(world.body, low, up)
    poses[-1], places[-1] = _exactly(world)
    back = segment_of(here, "rise", poses, places, allowed=rules(here), canonical_end=True)
    hit = screen(here, back)
    return [down, back] if hit is None else hit


def _exactly(world: ActionWorld) -> tuple[F64, F64]:
    """The pose before the crouch, to the last bit."""
    body = world.state.body
    return body.pose_rad.reshape(N_JOINTS, 3).reshape(-1), body.translation_m

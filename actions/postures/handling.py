"""Moving what is held with the arm alone, standing or seated: the hand frames that an arm takes with ease, and a free way to the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST
from actions.manipulation.carry import PLACES
from actions.manipulation.ik import arm_joints
from actions.manipulation.keys import Figure, arm_at
from actions.manipulation.segments import segment_of
from actions.motions import Effect, Segment
from actions.postures.attitudes import EASE_RAD, REACHED_M, Attitude, attitude_now, frames_between, posed, rules
from actions.postures.seated import seat_of
from actions.screening import Violation, screen
from actions.world import ActionWorld
from assistcore.house.contacts import BODY
from assistcore.house.state import Hand
from assistcore.world.poses import inverse
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.rotations import rotation_x, rotation_z, rotvec_from_matrix

F64 = NDArray[np.float64]

TRIED = 24
YAWS = 16
WAYS = ((0.0, 0.0, 0.0), (0.12, 0.14, 0.0), (0.16, 0.05, -0.08), (0.05, 0.18, 0.08))
"""By way of the middle moved ahead, outwards and up, metres: straight first."""


def moved_hand(
    world: ActionWorld, side: Hand, wrists: Sequence[F64], costs: Sequence[float], phase: str, effects: Sequence[tuple[int, Effect]] = ()
) -> Segment | Violation | None:
    """The arm goes from where it is to the easiest wrist frame (4, 4) that it reaches freely; effects fall due in its last frame.

    None: no frame is within reach; a violation: the first contact of the easiest one, with something else than oneself.
    """
    now = attitude_now(world)
    first: Violation | None = None
    for aim in _easiest(world, now, side, wrists, costs)[:TRIED]:
        found = _way(world, now, aim, side, phase, effects)
        if isinstance(found, Segment):
            return found
        if first is None or (found is not None and _with_oneself(world, first) and not _with_oneself(world, found)):
            first = found
    return first


def _with_oneself(world: ActionWorld, violation: Violation) -> bool:
    """Whether the body meets itself or what it holds."""
    held = world.state.held
    return violation.hit.owner in (BODY, "" if held is None else held.entity)


def _easiest(world: ActionWorld, now: Attitude, side: Hand, wrists: Sequence[F64], costs: Sequence[float]) -> list[Attitude]:
    """Attitudes with the hand at each frame that the arm takes with ease, least effort first."""
    trunk = joint_transforms(world.body, *posed(world.body, now))[JOINT["spine3"]]
    figure = Figure(world.body, side)
    found: list[tuple[float, int, F64]] = []
    for n, (T, cost) in enumerate(zip(wrists, costs, strict=True)):
        arm, _ = arm_at(figure, trunk, T)
        if float(arm.residual_m[0]) <= REACHED_M and float(arm.strain_rad[0]) <= EASE_RAD:
            found.append((float(arm.effort[0]) + 4.0 * float(arm.strain_rad[0]) + cost, n, arm.local[0]))
    found.sort(key=lambda row: row[:2])
    out = []
    for _, _, local in found:
        mixed = now.rotvec_rad.copy()
        mixed[arm_joints(side)] = rotvec_from_matrix(local)
        out.append(replace(now, rotvec_rad=mixed))
    return out


def _way(
    world: ActionWorld, now: Attitude, aim: Attitude, side: Hand, phase: str, effects: Sequence[tuple[int, Effect]]
) -> Segment | Violation | None:
    pose, place = posed(world.body, aim)
    allowed = rules(world, seat_of(world))
    if (hit := screen(world, segment_of(world, phase, pose[None], place[None], allowed=allowed))) is not None:
        return hit
    first: Violation | None = None
    for shift in WAYS:
        stops = [aim] if shift == WAYS[0] else _by_way(world, now, aim, side, shift)
        if not stops:
            continue
        rows: list[tuple[F64, F64]] = []
        before = now
        for stop in stops:
            rows.append(frames_between(world.body, before, stop))
            before = stop
        poses, places = (np.concatenate([row[k] for row in rows]) for k in range(2))
        due = tuple((len(poses) - 1, effect) for _, effect in effects)
        made = segment_of(world, phase, poses, places, allowed=allowed, effects=due, canonical_end=True)
        made = replace(made, posture=world.state.body.posture)
        hit = screen(world, made)
        if hit is None:
            return made
        first = first or hit
    return first


def _by_way(world: ActionWorld, now: Attitude, aim: Attitude, side: Hand, shift: tuple[float, float, float]) -> list[Attitude]:
    """The aim after a stop half-way with the hand moved aside; empty where the arm does not get there."""
    ends = [joint_transforms(world.body, *posed(world.body, a))[WRIST[side]] for a in (now, aim)]
    c, s = np.cos(world.state.body.heading_rad), np.sin(world.state.body.heading_rad)
    out = 1.0 if side == "left" else -1.0
    ahead, left, up = shift[0], out * shift[1], shift[2]
    point = 0.5 * (ends[0][:3, 3] + ends[1][:3, 3]) + np.array([c * ahead - s * left, s * ahead + c * left, up])
    trunk = joint_transforms(world.body, *posed(world.body, now))[JOINT["spine3"]]
    for end in ends:
        T = end.copy()
        T[:3, 3] = point
        arm, _ = arm_at(Figure(world.body, side), trunk, T)
        if float(arm.residual_m[0]) <= REACHED_M and float(arm.strain_rad[0]) <= 2.0 * EASE_RAD:
            mixed = now.rotvec_rad.copy()
            mixed[arm_joints(side)] = rotvec_from_matrix(arm.local[0])
            return [replace(now, rotvec_rad=mixed), aim]
    return []


def carried_again(world: ActionWorld) -> Segment | None:
    """The arm brings what it holds from the ear, or wherever it was raised, down into an easy carry posture; None where it cannot."""
    held = world.state.held
    if held is None:
        return None
    root = world.state.root(world.stage, held.entity)
    low, high = world.stage.entity(held.entity).box_m
    middle = 0.5 * (low + high)
    body = world.state.body
    drop = attitude_now(world).posture.pelvis_drop_m
    side = 1.0 if held.hand == "left" else -1.0
    c, s = float(np.cos(body.heading_rad)), float(np.sin(body.heading_rad))
    tilts = [np.eye(3), rotation_x(float(np.pi)), root[:3, :3]]
    wrists, costs = [], []
    for n, (ahead, out, up) in enumerate(PLACES):
        left = side * out
        point = np.array([body.xy_m[0] + c * ahead - s * left, body.xy_m[1] + s * ahead + c * left, up - drop])
        for k in range(YAWS):
            for tilt, R in enumerate(tilts):
                T = np.eye(4)
                T[:3, :3] = rotation_z(2.0 * np.pi * k / YAWS) @ R
                T[:3, 3] = point - T[:3, :3] @ middle
                wrists.append(T @ inverse(held.wrist_object.matrix()))
                costs.append(0.9 * n + 0.5 * tilt)
    found = moved_hand(world, held.hand, wrists, costs, "lower_arm")
    return found if isinstance(found, Segment) else None

"""From a track to committed frames: gait, the arm that carries, what is carried, and a smooth start from the present pose."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST, attached_track, pose_rows, trunk_transforms
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.stage import link_matrix
from assistcore.house.state import HouseState
from humans.arms import ArmOverlay, arm_overlay
from humans.gait import RootTrack, walk
from humans.halting import standing_frames
from humans.model import JOINT, N_JOINTS
from humans.postures import stand
from humans.rotations import slerp_rotvec

F64 = NDArray[np.float64]

EASE_FRAMES = 5
_LEGS = tuple(JOINT[f"{side}_{name}"] for side in ("left", "right") for name in ("hip", "knee", "ankle", "foot"))
_UPPER = tuple(j for j in range(1, N_JOINTS) if j not in _LEGS)


def carrying_overlay(state: HouseState) -> ArmOverlay | None:
    """The arm and hand (or both) that hold something keep their present joints; None with empty hands."""
    if state.held is None:
        return None
    return arm_overlay(state.body.pose_rad, (state.held.hand,) if state.held.second is None else ("left", "right"))


def carried_tracks(world: ActionWorld, pose_rad: F64, translation_m: F64) -> dict[str, F64]:
    """Root poses (n, 7) of the held object and of everything that rides on it, for poses (n, 156) and translations (n, 3)."""
    held = world.state.held
    if held is None:
        return {}
    T = trunk_transforms(world.body, pose_rad, translation_m)[:, WRIST[held.hand]]
    out = {held.entity: attached_track(T, held.wrist_object)}
    roots = {held.entity: T @ held.wrist_object.matrix()}
    waiting = list(world.state.riding)
    while waiting:
        ready = [r for r in waiting if r.carrier in roots]
        if not ready:
            break
        for ride in ready:
            waiting.remove(ride)
            carrier = world.stage.entity(ride.carrier)
            inner = np.eye(4)
            if ride.link:
                inner = link_matrix(carrier, carrier.link(ride.link), np.eye(4), world.state.joints)
            roots[ride.entity] = roots[ride.carrier] @ (inner @ ride.carrier_object.matrix())
            out[ride.entity] = pose_rows(roots[ride.entity])
    return out


def eased(world: ActionWorld, pose: F64) -> F64:
    """Frames after the first, which is the stance itself, blended from the present upper body (a look to the side) where it differs."""
    now = world.state.body.pose_rad.reshape(N_JOINTS, 3)[list(_UPPER)]
    out = pose[1:].copy()
    if float(np.abs(now - pose[0].reshape(N_JOINTS, 3)[list(_UPPER)]).max()) < 1e-6:
        return out
    for k in range(min(EASE_FRAMES, len(out))):
        t = (k + 1) / (EASE_FRAMES + 1)
        frame = out[k].reshape(N_JOINTS, 3)
        frame[list(_UPPER)] = slerp_rotvec(now, frame[list(_UPPER)], t * t * (3.0 - 2.0 * t))
    return out


def walk_segment(world: ActionWorld, track: RootTrack, phase: str = "walk", first_foot: str | None = None) -> Segment:
    """The frames of a track whose first frame is the present stance (it is dropped). Safe where it stands; elsewhere
    `stopping` shortens it. Not screened."""
    overlay = carrying_overlay(world.state)
    gait = walk(world.body, track, overlay=overlay, first_foot=first_foot)
    pose = eased(world, gait.pose_rad)
    translation = gait.translation_m[1:]
    xy, heading = np.asarray(track.xy_m)[1:], np.asarray(track.heading_rad)[1:]
    still = standing_frames(track)[1:]
    held = world.state.held
    return Segment(
        phase,
        pose,
        translation,
        xy,
        heading,
        still,
        carried=carried_tracks(world, pose, translation),
        allowed=Allowed(held=held.entity) if held is not None else Allowed(),
    )


def idle_segment(world: ActionWorld, frames: int = 1, phase: str = "idle") -> Segment:
    """The present stance, held still."""
    body, state = world.state.body, world.state
    pose, translation = np.repeat(body.pose_rad[None], frames, axis=0), np.repeat(body.translation_m[None], frames, axis=0)
    return Segment(
        phase,
        pose,
        translation,
        np.repeat(np.array([body.xy_m]), frames, axis=0),
        np.full(frames, body.heading_rad),
        np.ones(frames, np.bool_),
        carried={} if state.held is None else {k: np.repeat(state_row(state, k), frames, axis=0) for k in _held_keys(world)},
        allowed=Allowed(held=state.held.entity) if state.held is not None else Allowed(),
        posture=body.posture,
    )


def state_row(state: HouseState, key: str) -> F64:
    """Present root pose (1, 7) of a movable."""
    return np.asarray(state.poses[key].array())[None]


def _held_keys(world: ActionWorld) -> tuple[str, ...]:
    body = world.state.body
    return tuple(carried_tracks(world, body.pose_rad[None], body.translation_m[None]))


def standing(world: ActionWorld, xy_m: tuple[float, float], heading_rad: float) -> tuple[F64, F64]:
    """Idle pose (156,) and translation (3,) at a place, carrying what is carried now."""
    return stand(world.body, xy_m, heading_rad, carrying_overlay(world.state))

"""Building segments of a standing person: constant stance, carried tracks, contact rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from actions.frames import WRIST, attached_track, pose_rows, trunk_transforms
from actions.manipulation.paths import Frames
from actions.motions import Effect, Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.poses import Pose, inverse

F64 = NDArray[np.float64]


def segment_of(
    world: ActionWorld,
    phase: str,
    pose_rad: F64,
    translation_m: F64,
    *,
    allowed: Allowed,
    effects: Sequence[tuple[int, Effect]] = (),
    carried: Mapping[str, F64] | None = None,
    joints: Mapping[str, F64] | None = None,
    marks: Sequence[tuple[int, str]] = (),
    settle: bool = False,
    canonical_end: bool = False,
    carry: bool = True,
) -> Segment:
    """A segment at the world's stance. What is held already (and what rides on it) is carried along unless `carry` is off."""
    n = len(pose_rad)
    body = world.state.body
    tracks = dict(held_tracks(world, pose_rad, translation_m)) if carry else {}
    tracks.update(carried or {})
    safe = np.zeros(n, np.bool_)
    safe[-1] = canonical_end
    return Segment(
        phase,
        pose_rad,
        translation_m,
        np.tile(np.asarray(body.xy_m, np.float64), (n, 1)),
        np.full(n, body.heading_rad),
        safe,
        carried=tracks,
        joints=dict(joints or {}),
        effects=tuple(effects),
        allowed=allowed,
        marks=tuple(marks),
        settle=settle,
    )


def held_tracks(world: ActionWorld, pose_rad: F64, translation_m: F64) -> dict[str, F64]:
    """Tracks (n, 7) of the held object and what rides on it, for frames of the body."""
    held = world.state.held
    if held is None:
        return {}
    T = trunk_transforms(world.body, pose_rad, translation_m)[:, WRIST[held.hand]]
    return rigid_tracks(world, held.entity, T @ held.wrist_object.matrix(), attached_track(T, held.wrist_object))


def rigid_tracks(world: ActionWorld, key: str, roots: F64, own: F64 | None = None) -> dict[str, F64]:
    """Tracks of an entity moved to root transforms (n, 4, 4), and of what rides on it at its present relative place."""
    from actions.manipulation.surroundings import riders_of

    out = {key: pose_rows(roots) if own is None else own}
    now = inverse(world.state.root(world.stage, key))
    for rider in riders_of(world, key):
        out[rider] = pose_rows(roots @ (now @ world.state.root(world.stage, rider)))
    return out


def frames_segment(world: ActionWorld, phase: str, frames: Frames, **options: object) -> Segment:
    """`segment_of` for a motion."""
    return segment_of(world, phase, frames.pose_rad, frames.translation_m, **options)  # type: ignore[arg-type]


def wrist_object(world: ActionWorld, key: str, T_wrist: F64) -> Pose:
    """The object's root in the wrist joint's frame, as it is now."""
    return Pose.from_matrix(inverse(T_wrist) @ world.state.root(world.stage, key))

"""Building segments of a standing person: constant stance, carried tracks, contact rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from actions.frames import pose_rows
from actions.manipulation.paths import Frames
from actions.manipulation.surroundings import riders_of
from actions.motions import Effect, Hold, Segment
from actions.navigation.walking import carried_tracks
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand, Riding
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
    tracks = dict(carried_tracks(world, pose_rad, translation_m)) if carry else {}
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


def rigid_tracks(world: ActionWorld, key: str, roots: F64) -> dict[str, F64]:
    """Tracks of an entity moved to root transforms (n, 4, 4), and of what rides on it at its present relative place."""
    out = {key: pose_rows(roots)}
    now = inverse(world.state.root(world.stage, key))
    for rider in riders_of(world, key):
        out[rider] = pose_rows(roots @ (now @ world.state.root(world.stage, rider)))
    return out


def frames_segment(world: ActionWorld, phase: str, frames: Frames, **options: object) -> Segment:
    """`segment_of` for a motion."""
    return segment_of(world, phase, frames.pose_rad, frames.translation_m, **options)  # type: ignore[arg-type]


def hold_effect(world: ActionWorld, key: str, side: Hand, T_wrist: F64, on_it: Sequence[str], T_second: F64 | None = None) -> Hold:
    """Taking hold of a thing where it is, for a wrist transform (4, 4), and that of the other hand where both hold it; what is in or on
    it (`riders_of`) rides along."""
    root = world.state.root(world.stage, key)
    inv = inverse(root)
    riders = tuple(Riding(r, key, "", Pose.from_matrix(inv @ world.state.root(world.stage, r))) for r in on_it)
    second = None if T_second is None else Pose.from_matrix(inv @ T_second)
    return Hold(key, side, Pose.from_matrix(inverse(T_wrist) @ root), riders, second)

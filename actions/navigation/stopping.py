"""Stopping a walk before its end (RULES, Outcomes: `stopped` is interrupted at a safe pose): two more steps, screened like every motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from actions.motions import Segment
from actions.navigation.tracks import FPS, OFFSET_RAD
from actions.navigation.walking import carried_tracks, carrying_overlay, eased
from actions.screening import screen
from actions.world import ActionWorld
from humans.gait import RootTrack
from humans.halting import REST_FRAMES, halt
from humans.rotations import wrap_angle

STILL_M, STILL_RAD = 1e-4, 1e-3
MOVING_M_FRAME = 0.25 / FPS
"""Below this speed there is no way that the body could face."""


def stop_segment(world: ActionWorld, segment: Segment, frame: int) -> Segment | None:
    """What follows frame `frame` of a walking segment, shown now, when the walk is given up; safe in its last frames. Changes no state.

    None where the segment does not walk or ends by itself within two steps, or where the two steps would strike something.
    """
    if segment.posture != "standing" or segment.joints or segment.effects or not _moves(segment, frame):
        return None
    track = RootTrack(np.vstack([segment.xy_m[:1], segment.xy_m]), np.concatenate([segment.heading_rad[:1], segment.heading_rad]))
    rest = halt(world.body, track, frame + 1, world.state.body.pose_rad, carrying_overlay(world.state))
    if rest is None or not _faces_its_way(rest.track, segment.phase):
        return None
    pose, translation = eased(world, rest.pose_rad), rest.translation_m[1:]
    safe = np.zeros(len(pose), np.bool_)
    safe[-REST_FRAMES:] = True
    stop = replace(
        segment,
        phase="stop",
        pose_rad=pose,
        translation_m=translation,
        xy_m=rest.track.xy_m[1:],
        heading_rad=rest.track.heading_rad[1:],
        safe=safe,
        carried=carried_tracks(world, pose, translation),
        marks=(),
    )
    return stop if screen(world, stop) is None else None


def _faces_its_way(track: RootTrack, phase: str) -> bool:
    """Whether the heading keeps to the bound of every track; in a step back the way is behind."""
    step = np.diff(track.xy_m, axis=0)
    way = np.arctan2(step[:, 1], step[:, 0]) - (np.pi if phase == "step_back" else 0.0)
    off = np.abs(wrap_angle(way - 0.5 * (track.heading_rad[1:] + track.heading_rad[:-1])))
    return bool((off[np.linalg.norm(step, axis=1) > MOVING_M_FRAME] <= OFFSET_RAD).all())


def _moves(segment: Segment, frame: int) -> bool:
    """Whether the root is under way at a frame."""
    if not 0 < frame < len(segment) - 1:
        return False
    way = float(np.linalg.norm(segment.xy_m[-1] - segment.xy_m[frame]))
    turn = float(np.abs(segment.heading_rad[frame:] - segment.heading_rad[frame]).max())
    return way > STILL_M or turn > STILL_RAD

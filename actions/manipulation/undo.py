"""Setting a thing back the way it was taken: the frames of the grab run backwards, with the same speeds and the same clearances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.reach import Blocked
from actions.motions import LetGo, Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.state import HouseState

F64 = NDArray[np.float64]


def undo_grab(world: ActionWorld, key: str, before: HouseState, reached: Segment, lifted: Segment) -> list[Segment] | Blocked:
    """Segments that take the held thing back to where it stood and the hand home. Changes nothing.

    `before` is the state in which the grab (`reached`, then `lifted`) began; the person stands there again, in the carry posture in which
    `lifted` ended.
    """
    things = {name: np.asarray(before.poses[name].array()) for name in lifted.carried}
    lowered = _backwards(lifted, reached.pose_rad[-1], reached.translation_m[-1], things)
    support = lifted.allowed.support
    lowered = replace(
        lowered,
        phase="lower",
        allowed=replace(lifted.allowed, target=support),
        effects=((len(lowered) - 1, LetGo(key)),),
        safe=np.zeros(len(lowered), np.bool_),
    )
    if (hit := screen(world, lowered)) is not None:
        return Blocked.of(hit)
    back = _backwards(reached, before.body.pose_rad, before.body.translation_m, {})
    safe = np.zeros(len(back), np.bool_)
    safe[-1] = True
    back = replace(back, phase="retreat", effects=(), safe=safe, settle=True)
    there = world.fork()
    there.advance(lowered)
    hit = screen(there, back)
    return [lowered, back] if hit is None else Blocked.of(hit)


def _backwards(segment: Segment, pose_rad: F64, translation_m: F64, things: Mapping[str, F64]) -> Segment:
    """A segment from its last frame back to the pose (156,) before its first one, with what it carried at poses (7,) there."""

    def turned(rows: F64, first: F64) -> F64:
        return np.concatenate([rows[-2::-1], first[None]])

    return replace(
        segment,
        pose_rad=turned(segment.pose_rad, pose_rad),
        translation_m=turned(segment.translation_m, translation_m),
        xy_m=segment.xy_m[::-1],
        heading_rad=segment.heading_rad[::-1],
        carried={name: turned(track, things[name]) for name, track in segment.carried.items() if name in things},
    )

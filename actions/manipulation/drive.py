"""Open and Close from anywhere: stance, drive, and what refuses it."""

from __future__ import annotations

import numpy as np

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe
from actions.manipulation.handles import drive_of
from actions.manipulation.pulling import drive_here
from actions.manipulation.surroundings import closed_above
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house.relations import is_closed, openness
from assistcore.world.outcomes import Code, Refusal

OPEN_END = 980
"""Thousandths of the range from which something counts as fully open for a command."""


def plan_drive(world: ActionWorld, key: str, opening: bool) -> list[Segment] | Refusal:
    """The whole way: walk to a stance beside the swing, take the handle, drive the joint to its end, let go. Changes nothing."""
    entity = world.stage.entity(key)
    drive = drive_of(world, key)
    if drive is None:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} that neither opens nor closes", "name a door, drawer or cabinet")
    state = openness(world.stage, entity, world.state)
    if opening and all(v >= OPEN_END for v in state):
        return Refusal(Code.ALREADY, f"{key} is open already")
    if not opening and is_closed(state):
        return Refusal(Code.ALREADY, f"{key} is closed already")
    if entity.kind == "movable" and (refusal := closed_above(world, key)):
        return refusal
    value = world.state.joints.get(drive.joint.key, drive.joint.initial)
    end = drive.joint.open_at if opening else drive.joint.closed_at
    point, normal, _ = drive.frame_at(value)
    later, _, _ = drive.frame_at(value + 0.45 * (end - value))
    flat = np.array([normal[0], normal[1]])
    size = float(np.linalg.norm(flat))
    facing = None if size < 0.3 else (float(flat[0] / size), float(flat[1] / size))
    middle = 0.5 * (point + later)
    goal = Goal(key, middle, facing, np.radians(80.0), near_m=0.36, far_m=0.86, comfort_m=0.58, here=True)
    return with_stance(world, goal, lambda there: drive_here(there, key, opening))

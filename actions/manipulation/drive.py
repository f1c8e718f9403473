"""Open and Close from anywhere: stance, drive, and what refuses it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe
from actions.manipulation.handles import Drive, drives_of
from actions.manipulation.pulling import drive_here
from actions.manipulation.surroundings import closed_above
from actions.motions import Segment
from actions.world import ActionWorld
from assistcore.house.relations import is_closed, openness, room_of
from assistcore.world.outcomes import Code, Refusal

BODY_M = 0.33
TURNS_RAD = (0.0, 0.6, -0.6)
"""How far the person stands turned away from the handle: facing it first, then with one shoulder towards it."""
OPEN_END = 980
"""Thousandths of the range from which something counts as fully open for a command."""


def plan_drive(world: ActionWorld, key: str, opening: bool) -> list[Segment] | Refusal:
    """The whole way: walk to a stance beside the swing, take the handle, drive the joint to its end, let go. Changes nothing."""
    entity = world.stage.entity(key)
    drives = drives_of(world, key)
    if not drives:
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} that neither opens nor closes", "name a door, drawer or cabinet")
    state = openness(world.stage, entity, world.state)
    if opening and all(v >= OPEN_END for v in state):
        return Refusal(Code.ALREADY, f"{key} is open already")
    if not opening and is_closed(state):
        return Refusal(Code.ALREADY, f"{key} is closed already")
    if entity.kind == "movable" and (refusal := closed_above(world, key)):
        return refusal
    drive = drives[0]
    value = world.state.joints.get(drive.joint.key, drive.joint.initial)
    end = drive.joint.open_at if opening else drive.joint.closed_at
    first: Refusal | None = None
    for turn in TURNS_RAD:
        for side in _sides(drive):
            goal = replace(_goal(side, value, end, opening), turn_rad=turn)
            found = with_stance(world, goal, lambda there: drive_here(there, key, opening))
            if not isinstance(found, Refusal):
                return found
            first = first or found
    return first or Refusal(Code.OUT_OF_REACH, f"{key} cannot be reached")


def _sides(drive: Drive) -> list[Drive]:
    """For a room door: the side that the person can get to without it first, then the other; else the drive itself."""
    world, door = drive.world, drive.entity
    if door.kind != "door" or len(door.connects) != 2:
        return [drive]
    point, normal, _ = drive.frame_at(drive.joint.closed_at)
    flat = normal[:2] / max(float(np.linalg.norm(normal[:2])), 1e-9)
    out: list[tuple[bool, int, Drive]] = []
    for sign in (1.0, -1.0):
        spot = point[:2] + sign * 0.5 * flat
        viewer = (float(spot[0]), float(spot[1]))
        room = room_of(world.stage.rooms, *viewer)
        out.append((not _reaches(world, door.key, room), len(out), drives_of(world, door.key, viewer)[0]))
    return [side for _, _, side in sorted(out, key=lambda row: row[:2])]


def _reaches(world: ActionWorld, door: str, goal: str) -> bool:
    """Whether a room can be reached from the person's room through doors other than this one."""
    seen = {room_of(world.stage.rooms, *world.state.body.xy_m)}
    others = [set(e.connects) for e in world.stage.entities if e.kind == "door" and e.key != door and len(e.connects) == 2]
    grown = True
    while grown:
        more = {room for pair in others if pair & seen for room in pair} - seen
        seen |= more
        grown = bool(more)
    return goal in seen


def _goal(drive: Drive, value: float, end: float, opening: bool) -> Goal:
    """In front of the handle, out of the way of what swings."""
    point, normal, _ = drive.frame_at(value)
    later, _, _ = drive.frame_at(value + 0.45 * (end - value))
    size = float(np.linalg.norm(normal[:2]))
    facing = None if size < 0.3 or not opening else (float(normal[0] / size), float(normal[1] / size))
    large = drive.joint.kind == "hinge" and float(np.linalg.norm(later - point)) > 0.45
    middle = point if large else 0.5 * (point + later)
    return Goal(
        drive.entity.key, middle, facing, np.radians(85.0), near_m=0.36, far_m=0.86, comfort_m=0.58, avoid=_swept(drive, value, end)
    )


def _swept(drive: Drive, value: float, end: float) -> Callable[[tuple[float, float]], bool]:
    """Whether a stance is in the way of what swings, slides or folds down."""
    axis = drive.world.state.root(drive.world.stage, drive.entity.key)[:3, :3] @ np.asarray(drive.joint.axis, np.float64)
    root = drive.world.state.root(drive.world.stage, drive.entity.key)
    frames = [drive.frame_at(float(v)) for v in np.linspace(value, end, 13)]
    points = np.stack([f[0][:2] for f in frames])
    if drive.joint.kind == "slide":
        across = frames[0][2][:2]
        lines = points[None] + np.linspace(-0.18, 0.18, 5)[:, None, None] * across
    elif abs(float(axis[2])) > 0.9:
        hinge = (root @ np.append(np.asarray(drive.joint.anchor_m, np.float64), 1.0))[:2]
        tips = hinge + 1.12 * (points - hinge)
        lines = hinge + np.linspace(0.15, 1.0, 8)[:, None, None] * (tips - hinge)[None]
    else:
        low, high = -0.22, 0.22
        lines = points[None] + np.linspace(low, high, 5)[:, None, None] * frames[0][2][:2]

    def inside(xy: tuple[float, float]) -> bool:
        return bool(np.linalg.norm(lines - np.asarray(xy), axis=-1).min() < BODY_M)

    return inside

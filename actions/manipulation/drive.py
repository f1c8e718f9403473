"""Open and Close from anywhere: stance, drive, and what refuses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import cast

import numpy as np

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe
from actions.manipulation.grab import Failure
from actions.manipulation.handles import Drive, drives_of
from actions.manipulation.leading import COAST_SHARE, Leads, Part
from actions.manipulation.surroundings import closed_above
from actions.motions import Segment
from actions.screening import collision_world
from actions.world import ActionWorld
from assistcore.house.clearance import PLANNED_M
from assistcore.house.relations import is_closed, openness, room_of
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose

BODY_M = 0.33
STANCES = 4
"""Places from which one link is moved, one after the other."""
PROBED = 3
"""Places that are looked at for one from which the whole way can be led."""
ENOUGH = (0.9, 0.7, 0.5)
"""The share with which the first, second, ... of them is taken nevertheless."""
COASTS = (COAST_SHARE, COAST_SHARE, COAST_SHARE, 1.0)
"""What may coast at the end, in searches one after the other; the later ones begin elsewhere."""
SAME_PLACE_M = 0.05
HARDLY = 0.08
"""A difference in worth that does not count."""
MOST = 16
"""Places that are looked at where none of those leads at all."""
PLANS, PLANS_HOLDING = 24, 72
"""Plans of a part that one command makes, with empty hands and with something in them. With empty hands none of 55 leaves that were led
took more than 11, and refused ones made 40 to 50; with one hand full two doors were opened by the 19th and the 51st plan."""
LAST_SHARE = 1.0 / 3.0
"""Share of the plans that is kept for the last search."""
AT_END = 1e-6
SWEPT_M = 0.03
"""How far a link goes between two looks for what it strikes."""
OPENING = "opening"
"""Where a walk reads which doors it may not open."""
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
    if (refusal := _struck(world, drives[0], opening)) is not None:
        return refusal
    before = cast("frozenset[str]", world.caches.get(OPENING, frozenset()))
    world.caches[OPENING] = before | {key}  # no walk on the way may move it too
    try:
        return _in_parts(world, drives[0], opening)
    finally:
        world.caches[OPENING] = before


def _struck(world: ActionWorld, drive: Drive, opening: bool) -> Refusal | None:
    """What lies loose in the way of the link, whoever moves it from wherever: looked at before any stance."""
    key, joint, state = drive.entity.key, drive.joint, world.state
    start, end = state.joints.get(joint.key, joint.initial), joint.open_at if opening else joint.closed_at
    count = max(2, int(np.ceil(drive.lever_m(start, end) / SWEPT_M)))
    values = np.linspace(start, end, count + 1)
    riders = drive.rider_tracks(values)
    held = {state.held.entity, *(r.entity for r in state.riding)} if state.held is not None else set[str]()
    still = frozenset(e.key for e in world.stage.entities if e.kind != "movable") | frozenset(riders) | held
    scene = collision_world(world)
    light: frozenset[str] = frozenset()
    for k, value in enumerate(values.tolist()):
        poses = {**state.poses, **{rider: Pose.from_array(track[k]) for rider, track in riders.items()}}
        scene.place(poses, {**state.joints, joint.key: value}, state.removed)
        hits = [hit for hit in scene.entity(key, scene.root(key), ignore=still | light) if hit.distance_m < -PLANNED_M]
        if not k:
            light = frozenset(hit.owner for hit in hits)  # touched already: the screening of the motion judges that
        elif hits:
            hit = min(hits)
            x, y, z = hit.point_m
            share = 100.0 * (value - joint.closed_at) / (joint.open_at - joint.closed_at)
            fact = f"{hit.owner} is in the way of {key} at ({x:.2f}, {y:.2f}, {z:.2f}), when that is {share:.0f} % open"
            return Refusal(Code.TRAJECTORY_COLLISION, fact, f"move {hit.owner} away first")
    return None


def _in_parts(world: ActionWorld, drive: Drive, opening: bool) -> list[Segment] | Refusal:
    """From one stance, or from several one after the other; where that ends half-way, the link may coast the rest after the hand."""
    end = drive.joint.open_at if opening else drive.joint.closed_at
    first: Refusal | None = None
    spent: list[tuple[float, float]] = []
    leads = Leads(drive.entity.key, end)
    plans = PLANS if world.state.held is None else PLANS_HOLDING
    for coast in COASTS:
        here, done = world.fork(), list[Segment]()
        for _ in range(STANCES):
            avoid = tuple(spent) if coast < 1.0 and not done else ()
            most = plans if coast == 1.0 else round((1.0 - LAST_SHARE) * plans)
            part = _Search(here, leads, coast, avoid, most).part(opening, first=not done)
            if isinstance(part, Refusal):
                first = first or part
                break
            for segment in part:
                here.advance(segment)
            if not done:
                spent.append(here.state.body.xy_m)
            done += part
            if abs(end - here.state.joints[drive.joint.key]) < AT_END:
                return done
        if not spent:
            break
    return first or Refusal(Code.OUT_OF_REACH, f"{drive.entity.key} cannot be led to its end from {STANCES} places")


class _Search:
    """The stance from which a link is led farthest, of a few. What was planned at a stance is kept, however often it comes up."""

    def __init__(self, world: ActionWorld, leads: Leads, coast: float, avoid: tuple[tuple[float, float], ...], plans: int) -> None:
        self._world, self._leads, self._coast, self._avoid, self._plans = world, leads, coast, avoid, plans
        self._key, self._end = leads.key, leads.end
        self._joint = drives_of(world, leads.key)[0].joint.key
        self._tried: dict[object, Part | Failure] = {}

    def part(self, opening: bool, *, first: bool) -> list[Segment] | Refusal:
        """The whole way if there is one; any part of it where none of the few stances leads at all."""
        goals = list(_goals(self._world, self._key, self._end, opening, first))
        plain = goals[: len(goals) // len(TURNS_RAD)]
        for k, goal in enumerate(plain):
            found = self._with(goal, 1.0, PROBED * (k + 1))
            if not isinstance(found, Refusal):
                return found
        worths = [part.worth for part in self._tried.values() if isinstance(part, Part)]
        for goal in plain if worths else ():
            found = self._with(goal, max(worths) - HARDLY, len(self._tried))
            if not isinstance(found, Refusal):
                return found
        refused: Refusal | None = None  # what keeps every part from being led, not what keeps the whole way
        for goal in goals:
            found = self._with(goal, -1.0, MOST)
            if not isinstance(found, Refusal):
                return found
            refused = refused or found
            if len(self._leads.parts) >= self._plans:
                break
        return refused or Refusal(Code.OUT_OF_REACH, f"{self._key} cannot be reached")

    def _with(self, goal: Goal, least: float, most: int) -> list[Segment] | Refusal:
        return with_stance(self._world, goal, lambda there: self._attempt(there, least, most))

    def _attempt(self, there: ActionWorld, least: float, most: int) -> list[Segment] | Failure:
        body, key = there.state.body, self._key
        ahead = np.exp(1j * body.heading_rad)  # whole turns do not count
        at = (*np.round((*body.xy_m, ahead.real, ahead.imag, there.state.joints[self._joint]), 9).tolist(),)
        if any(float(np.hypot(body.xy_m[0] - x, body.xy_m[1] - y)) < SAME_PLACE_M for x, y in self._avoid):
            return Failure(0, Refusal(Code.OUT_OF_REACH, f"{key} was led from there before"))
        if at not in self._tried:
            if len(self._tried) >= most or len(self._leads.parts) >= self._plans:
                return Failure(0, Refusal(Code.OUT_OF_REACH, f"{key} was tried from {len(self._leads.parts)} places"))
            self._tried[at] = self._leads.here(there, self._coast)
            least = min(least, ENOUGH[min(len(self._tried), len(ENOUGH)) - 1])
        part = self._tried[at]
        if isinstance(part, Failure):
            return part
        if part.worth < least:
            return Failure(2, Refusal(Code.OUT_OF_REACH, f"{key} can be led over {100.0 * part.share:.0f} % of its way only"))
        return list(part.segments)


def _goals(world: ActionWorld, key: str, end: float, opening: bool, first: bool) -> Iterator[Goal]:
    drive = drives_of(world, key)[0]
    value = world.state.joints.get(drive.joint.key, drive.joint.initial)
    for turn in TURNS_RAD:
        for side in _sides(drive):
            goal = replace(_goal(side, value, end, opening), turn_rad=turn)
            yield goal if first else replace(goal, facing=None)


def _sides(drive: Drive) -> list[Drive]:
    """For a room door: the person's side first, else the one to be got to without it, then the other; else the drive itself."""
    world, door = drive.world, drive.entity
    if door.kind != "door" or len(door.connects) != 2:
        return [drive]
    point, normal, _ = drive.frame_at(drive.joint.closed_at)
    flat = normal[:2] / max(float(np.linalg.norm(normal[:2])), 1e-9)
    mine = room_of(world.stage.rooms, *world.state.body.xy_m)
    out: list[tuple[bool, bool, int, Drive]] = []
    for sign in (1.0, -1.0):
        spot = point[:2] + sign * 0.5 * flat
        viewer = (float(spot[0]), float(spot[1]))
        room = room_of(world.stage.rooms, *viewer)
        out.append((room != mine, not _reaches(world, door.key, room), len(out), drives_of(world, door.key, viewer)[0]))
    return [side for *_, side in sorted(out, key=lambda row: row[:3])]


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

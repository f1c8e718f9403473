"""Sitting down on a live seat and getting up again (seed Table 5, sit and standup)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.reach import idle_pose
from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.navigation.tracks import back_track, straight_track
from actions.navigation.walking import walk_segment
from actions.postures.attitudes import Attitude, attitude_now, frames_between, kept_arms, plain, posed, reached, rules
from actions.postures.seated import seat_of, sitting_on
from actions.postures.seats import BEFORE_M, Place, idle_hips_m, seats
from actions.screening import Violation, screen
from actions.stance import Stance, candidates_of
from actions.travel import travel
from actions.world import ActionWorld
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle
from humans.kinematics import joint_transforms
from humans.model import N_JOINTS
from humans.postures import Posture
from humans.proxies import CAPSULE, capsules

F64 = NDArray[np.float64]

TRIED = 12
"""Places of a seat that are planned in full before it is given up."""
BULGE_RAD = 0.62
"""How far the trunk leans forward half-way down or up: the weight stays over the feet."""
PITCHES_RAD = (-0.20, -0.12, 0.0, 0.10)
FREE_PITCHES_RAD = (0.02, 0.10, -0.05)
"""Trunk of a seated person with and without a backrest."""
ALONG = (0.62, 0.72, 0.52, 0.42)
INWARD_RAD = (0.25, 0.5, 0.0)
LIFTS_M = (0.004, 0.02, 0.04)
"""Where on the thigh a resting hand lies, how far it turns inward, and how high above it."""
AWAY_M = (0.35, 0.25, 0.15)
HERE_M = 0.015
SWINGS_RAD = (0.25, 0.55, 0.0)
"""How far the free arms swing ahead on the way down or up."""
FACING_RAD = np.radians(1.0)


@dataclass(frozen=True)
class Missed:
    """Why a place does not do: how far it came, and the refusal."""

    stage: int
    refusal: Refusal


def sit_down(world: ActionWorld, key: str, wanted: Callable[[Place], float] | None = None) -> list[Segment] | Refusal:
    """Walk before the seat, turn the back to it, step back, and lower; the places in the order of `wanted`, else easiest first.

    Changes nothing.
    """
    found = seats(world, key)
    if not found.places:
        return _no_place(world, key, found.tops_m)
    best: Missed | None = None
    tried = 0
    for place in found.places if wanted is None else sorted(found.places, key=wanted):
        steps = _sit(world, key, place)
        if not isinstance(steps, Missed):
            return steps
        best = steps if best is None or steps.stage > best.stage else best
        tried += steps.stage > 0
        if tried >= TRIED:
            break
    return best.refusal if best is not None else _no_place(world, key, found.tops_m)


def _no_place(world: ActionWorld, key: str, tops_m: tuple[float, float] | None) -> Refusal:
    if tops_m is None:
        return Refusal(Code.NOT_AFFORDED, f"{key} has no level top at the height of a seat", "name another seat")
    return Refusal(Code.PATH_BLOCKED, f"there is no free floor before {key} to sit down from", "clear the floor before it")


def _sit(world: ActionWorld, key: str, place: Place) -> list[Segment] | Missed:
    seated = _seated(world, key, place)
    if isinstance(seated, Missed):
        return seated
    trip = _backed_up(world, key, place)
    if isinstance(trip, Missed):
        return trip
    there = world.fork()
    for segment in trip:
        there.advance(segment)
    lower = _lowered(there, key, seated)
    return lower if isinstance(lower, Missed) else [*trip, *lower]


def _blocked(key: str, stage: int, hit: Violation, world: ActionWorld) -> Missed:
    """NO_FREE_SPACE where something lies on the seat, else the pair of the contact."""
    owner, held = hit.hit.owner, world.state.held
    carried = () if held is None else (held.entity, *(r.entity for r in world.state.riding))
    if owner in world.stage.by_key and world.stage.entity(owner).kind == "movable" and owner not in carried:
        return Missed(stage, Refusal(Code.NO_FREE_SPACE, f"{key} is taken by {owner}: {hit}", f"take {owner} away first"))
    return Missed(stage, Refusal(Code.TRAJECTORY_COLLISION, f"sitting down on {key}: {hit}", "clear the space round it"))


def _at_place(world: ActionWorld, place: Place) -> ActionWorld:
    from actions.manipulation.approach import at_stance

    return at_stance(world, place.stance_m, place.heading_rad)


def _seated(world: ActionWorld, key: str, place: Place) -> Attitude | Missed:
    """The attitude on the seat that touches nothing but it: trunk, then hands, in order of ease."""
    there = _at_place(world, place)
    first: Violation | None = None
    for pitch in PITCHES_RAD if place.backed else FREE_PITCHES_RAD:
        for attitude in _attitudes(there, place, pitch):
            pose, translation = posed(world.body, attitude)
            still = segment_of(there, "sit", pose[None], translation[None], allowed=rules(there, key))
            hit = screen(there, still)
            if hit is None:
                return attitude
            first = first or hit
            if not _of_arm(hit):
                break
    if first is None:
        return Missed(0, Refusal(Code.OUT_OF_REACH, f"the hands find no rest on {key}", "put down what is held"))
    return _blocked(key, 0, first, world)


def _of_arm(hit: Violation) -> bool:
    """Whether other places of the hands may cure a contact."""
    return any(part in name for part in ("arm", "hand") for name in (hit.hit.mine, hit.hit.link))


def _attitudes(there: ActionWorld, place: Place, pitch: float) -> Iterator[Attitude]:
    """Hands on the thighs in several ways (the one that holds something stays), for one trunk."""
    body = there.body
    x, y = place.stance_m
    back = float(np.hypot(x - place.hip_m[0], y - place.hip_m[1]))
    posture = Posture(x, y, place.heading_rad, idle_hips_m(body) - float(place.hip_m[2]), pitch, back)
    base = kept_arms(there, plain(body, posture))
    for lift in LIFTS_M:
        for along in ALONG:
            for inward in INWARD_RAD:
                made = resting(there, base, along, inward, lift)
                if made is not None:
                    yield made


def resting(world: ActionWorld, attitude: Attitude, along: float, inward: float, lift: float) -> Attitude | None:
    """The attitude with every free hand on its thigh; None where an arm does not reach."""
    held = world.state.held
    sides: tuple[Hand, ...] = ("left", "right")
    out: Attitude | None = attitude
    for side in sides:
        if out is not None and not (held is not None and held.hand == side):
            out = reached(world, out, side, _on_thigh(world, out, side, along, inward, lift))
    return out


def _on_thigh(world: ActionWorld, attitude: Attitude, side: Hand, along: float, inward: float, lift: float) -> F64:
    """World wrist frame (4, 4) of a hand that lies on its thigh, fingers towards the knee."""
    shapes = capsules(world.body, joint_transforms(world.body, *posed(world.body, attitude)))
    thigh, hand = CAPSULE[f"{side}_thigh"], CAPSULE[f"{side}_hand"]
    hip, knee = shapes.a_m[thigh], shapes.b_m[thigh]
    way = (knee - hip) / np.linalg.norm(knee - hip)
    sign = 1.0 if side == "left" else -1.0
    up = np.array([0.0, 0.0, 1.0]) - way[2] * way
    up /= np.linalg.norm(up)
    across = np.cross(up, way)
    fingers = np.cos(inward) * way - sign * np.sin(inward) * across
    out = np.eye(4)
    out[:3, :3] = np.stack([sign * fingers, up, np.cross(sign * fingers, up)], axis=1)
    above = float(shapes.radius_m[thigh] + shapes.radius_m[hand]) + 0.012 + lift
    out[:3, 3] = hip + along * (knee - hip) + above * up - 0.07 * fingers
    return out


def _backed_up(world: ActionWorld, key: str, place: Place) -> list[Segment] | Missed:
    """The way before the seat with the back to it, the last bit a step back."""
    body = world.state.body
    off = float(np.hypot(body.xy_m[0] - place.stance_m[0], body.xy_m[1] - place.stance_m[1]))
    if off < HERE_M and abs(wrap_angle(body.heading_rad - place.heading_rad)) < FACING_RAD and body.posture == "standing":
        return []
    check = candidates_of(world)
    worst: Missed | None = None
    for before in BEFORE_M:
        xy = place.ahead(before)
        if check.idle_hits(xy, place.heading_rad) or not np.isfinite(check.route_cost_m(xy)):
            continue
        trip = travel(world, Stance(xy, place.heading_rad, 0.0, 0.0, 0.0))
        if isinstance(trip, Refusal):
            worst = worst or Missed(1, trip)
            continue
        there = world.fork()
        for segment in trip:
            there.advance(segment)
        if before == 0.0:
            return trip
        at = there.state.body
        track = back_track(at.xy_m, at.heading_rad, before)
        step = walk_segment(there, track, "step_back")
        hit = screen(there, step)
        if hit is None:
            return [*trip, step]
        worst = _blocked(key, 2, hit, world)
    return worst or Missed(1, Refusal(Code.PATH_BLOCKED, f"there is no free floor before {key}", "clear the floor before it"))


def _lowered(there: ActionWorld, key: str, seated: Attitude) -> list[Segment] | Missed:
    """From the stance before the seat onto it, arms ahead for balance, then the hands come to rest; the last frame is the seated body."""
    start = attitude_now(there)
    stance = start.posture
    aim = replace(seated, posture=replace(seated.posture, x_m=stance.x_m, y_m=stance.y_m, heading_rad=stance.heading_rad))
    worst: Missed | None = None
    for swing in SWINGS_RAD:
        ready = arms_ahead(there, aim, swing)
        poses, places = frames_between(there.body, start, ready, bulge_rad=BULGE_RAD)
        down = segment_of(there, "lower", poses, places, allowed=rules(there, key))
        if (hit := screen(there, down)) is not None:
            worst = worst or _blocked(key, 3, hit, there)
            continue
        after = there.fork()
        after.advance(down)
        poses, places = frames_between(there.body, ready, aim)
        rest = segment_of(after, "seated", poses, places, allowed=rules(there, key), canonical_end=True)
        rest = replace(rest, posture=sitting_on(key))
        if (hit := screen(after, rest)) is None:
            return [down, rest]
        worst = worst or _blocked(key, 4, hit, there)
    return worst or Missed(3, Refusal(Code.OUT_OF_REACH, f"{key} cannot be sat on"))


def arms_ahead(world: ActionWorld, attitude: Attitude, swing_rad: float) -> Attitude:
    """The attitude with the free arms stretched ahead, as one has them while lowering or rising."""
    out = plain(world.body, replace(attitude.posture, arm_raise_rad=swing_rad)).with_head(attitude.rotvec_rad)
    held = world.state.held
    return out if held is None else out.with_arm(held.hand, attitude.rotvec_rad)


def on_the_feet(world: ActionWorld) -> tuple[ActionWorld, list[Segment]] | Refusal:
    """A fork with the person on the feet, and the frames of getting up (none while standing)."""
    first = stand_up(world) if seat_of(world) else []
    if isinstance(first, Refusal):
        return first
    there = world.fork()
    for segment in first:
        there.advance(segment)
    return there, first


def stand_up(world: ActionWorld) -> list[Segment] | Refusal:
    """From the seat onto the feet where they are, then a step away where there is room. Changes nothing."""
    rise = _risen(world, seat_of(world))
    if isinstance(rise, Refusal):
        return rise
    there = world.fork()
    for segment in rise:
        there.advance(segment)
    body = there.state.body
    for away in AWAY_M:
        step = walk_segment(there, straight_track(body.xy_m, body.heading_rad, away), "step_away")
        if screen(there, step) is None:
            return [*rise, step]
    return rise


def _risen(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """The arms come ahead, then the trunk leans and the legs push up to the idle stance."""
    pose, translation = idle_pose(world)
    start = attitude_now(world)
    now = world.state.body
    end = Attitude(Posture(float(now.xy_m[0]), float(now.xy_m[1]), float(now.heading_rad)), pose.reshape(N_JOINTS, 3))
    first: Violation | None = None
    for swing in SWINGS_RAD:
        ready = arms_ahead(world, start, swing)
        poses, places = frames_between(world.body, start, ready)
        ahead = segment_of(world, "rise", poses, places, allowed=rules(world, key))
        ahead = replace(ahead, posture=sitting_on(key))
        hit = screen(world, ahead)
        if hit is None:
            there = world.fork()
            there.advance(ahead)
            poses, places = frames_between(world.body, ready, end, bulge_rad=BULGE_RAD)
            poses[-1], places[-1] = pose, translation
            up = segment_of(there, "rise", poses, places, allowed=rules(world, key), canonical_end=True)
            hit = screen(there, up)
            if hit is None:
                return [ahead, up]
        first = first or hit
    return Refusal(Code.TRAJECTORY_COLLISION, f"getting up from {key}: {first}", "clear the space before it")

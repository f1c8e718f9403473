"""A hand that leads a moving link, by its handle or by pushing a face: what rides on it comes along (seed B.2.2, Table 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.crowding import clear_elbow
from actions.manipulation.follow import Track
from actions.manipulation.grab import Failure, collision
from actions.manipulation.handles import Drive
from actions.manipulation.keys import Key, key_at
from actions.manipulation.paths import FPS, PEAK, Frames, assemble, minimum_jerk, motion, peak_speeds
from actions.manipulation.reach import (
    Blocked,
    Standing,
    after,
    budget_of,
    home_key,
    open_fingers,
    plain,
    way,
    works,
)
from actions.manipulation.segments import segment_of
from actions.manipulation.shape import PAD_M, signed_distance
from actions.manipulation.vias import ways_between
from actions.motions import Segment
from actions.screening import screen
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points
from humans.hands import family_pose, wrap
from humans.kinematics import joint_transforms
from humans.model import JOINT, BodyModel
from humans.postures import solve_posture

F64 = NDArray[np.float64]

PRE_M = (0.11, 0.07, 0.04)
LEFT_OVER_M = 0.02
"""How far the hand may be from where it should be on the link."""
POSTURES = 3
OFFS_COASTING = 2
"""Ways off a link that goes on: it comes after the hand or it does not."""
WAYS_COASTING = 3
OFFS_ONWARD = 4
"""Ways off one hold that are tried on the way to the next."""
HINGE_RAD_S = 1.5
SLIDE_M_S = 0.6
HANDLE_M_S = 1.1
CHUNK_M = 0.18
"""The touch exemption is bound to a place: the drive is cut where the handle has moved this far."""


@dataclass(frozen=True, eq=False)
class Led:
    """One hold: how the hand comes to it, what it leads, and how it goes home from there.

    `now` stands at the end of the led part with the hand still on. `direct`: it comes from the hold before instead of from home.
    """

    come: tuple[Segment, ...]
    led: tuple[Segment, ...]
    home: tuple[Segment, ...]
    now: Standing
    track: Track
    direct: bool = False

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The whole hold."""
        return (*self.come, *self.led, *self.home)


Taken = tuple[Segment, F64]
"""A reach for the link, and the finger rotations (15, 3) with which it is held."""


def along(
    here: Standing, track: Track, end: float, before: Led | None = None, take: Callable[[Standing, Track], Taken | Failure] | None = None
) -> Led | Failure:
    """The way with the hand on the link as tracked: reach, lead, let go. What the track lacks up to `end` the link coasts.

    `here` is at home; the hand comes from the hold `before` where that is its own and the way is free. `take` plans the reach (`take_hold`
    unless given).
    """
    if before is not None and before.now.figure.side == here.figure.side:
        onward = _onward(before, track, end)
        if not isinstance(onward, Failure):
            return onward
    taken = (take or take_hold)(here, track)
    if isinstance(taken, Failure):
        return taken
    reached, grip = taken
    return _lead(after(here, reached), (reached,), _gripped(track, grip), end)


def _gripped(track: Track, grip: F64) -> Track:
    return replace(track, keys=tuple(replace(k, fingers=grip) for k in track.keys))


def _onward(before: Led, track: Track, end: float) -> Led | Failure:
    """From one hold straight to the next, without going home."""
    now, drive, last = before.now, before.track.drive, before.track.keys[-1]
    point, normal, _ = drive.frame_at(float(now.world.state.joints[drive.joint.key]))
    touch = _touch(now, drive, point)
    from_here = replace(now.start, posture=last.posture)
    opened = replace(from_here, fingers=open_fingers(now))
    for T in _offs(now, normal)[:OFFS_ONWARD]:
        off = _same_posture(now, opened, T)
        if not works(off, residual_m=0.01, strain_rad=0.3):
            continue
        away = way(now, [from_here, opened, off], plain(now, "change", touch), most=1)
        if isinstance(away, Blocked):
            continue
        there = after(now, away)
        there = replace(there, start=replace(there.start, posture=off.posture))
        taken = take_hold(there, track)
        if isinstance(taken, Failure):
            continue
        reached, grip = taken
        led = _lead(after(there, reached), (away, reached), _gripped(track, grip), end)
        if not isinstance(led, Failure):
            return replace(led, direct=True)
    return Failure(2, Refusal(Code.OUT_OF_REACH, f"the hand cannot change its hold of {drive.entity.key}"))


def take_hold(here: Standing, track: Track) -> Taken | Failure:
    """The reach for the handle and the fingers round it, or for the face that is pushed."""
    drive = track.drive
    what = f"the {'handle' if track.closed else 'face'} of {drive.entity.key}"
    point, normal, _ = drive.frame_at(float(track.values[0]))
    touch = _touch(here, drive, point)
    first = replace(track.keys[0], fingers=open_fingers(here))
    closed = replace(first, fingers=_closed(here, drive, first)) if track.closed else first
    ends = [first, closed] if track.closed else [first]
    best: Failure | None = None
    for offset in PRE_M:
        T = first.T_wrist.copy()
        T[:3, 3] += offset * normal
        near = _same_posture(here, first, T)
        if not works(near, strain_rad=0.3):
            continue
        pre = clear_elbow(here, near, touch, strain_rad=0.3)
        if isinstance(pre, Blocked):
            best = best or Failure(2, collision(f"reaching for {what}", pre))
            continue
        reached = way(here, [here.start, pre, *ends], plain(here, "reach", touch))
        if not isinstance(reached, Blocked):
            return reached, closed.fingers
        best = Failure(3, collision(f"reaching for {what}", reached))
    return best or Failure(2, Refusal(Code.OUT_OF_REACH, f"there is no room to bring the hand to {what}"))


def _touch(here: Standing, drive: Drive, point: F64) -> Allowed:
    held = here.world.state.held
    place = (float(point[0]), float(point[1]), float(point[2]))
    return Allowed(target=drive.entity.key, point_m=place, hands=(here.figure.side,), held="" if held is None else held.entity)


def _same_posture(here: Standing, key: Key, T_wrist: F64) -> Key:
    trunk = joint_transforms(here.figure.body, *solve_posture(here.figure.body, key.posture, here.figure.other))[JOINT["spine3"]]
    same = key_at(here.figure, key.posture, trunk, T_wrist, key.fingers, key.head, key.swivel_rad)
    return same if same.strain_rad <= 0.02 else key_at(here.figure, key.posture, trunk, T_wrist, key.fingers, key.head)


def _closed(here: Standing, drive: Drive, key: Key) -> F64:
    """Finger rotations (15, 3) closed round the handle."""
    T = inverse(here.world.state.link(here.world.stage, drive.entity.key, drive.link.key))
    return _wrapped(here.figure.body, here.figure.side, drive, T.tobytes(), key.T_wrist.tobytes())


@lru_cache(maxsize=32)
def _wrapped(body: BodyModel, side: Hand, drive: Drive, link: bytes, wrist: bytes) -> F64:
    """`_closed` by the bytes of link from world and of the wrist (4, 4): many ways lead on from one hold. Shared: read only."""
    T, T_wrist = (np.frombuffer(data).reshape(4, 4).copy() for data in (link, wrist))
    grip = wrap(body, "side_wrap", side, T_wrist, lambda points: signed_distance(drive.solids, transform_points(T, points), PAD_M))
    return (grip.pose_rad if len(grip.valid) >= 3 else family_pose("side_wrap", side)).reshape(15, 3)


@dataclass(frozen=True, eq=False)
class _Swing:
    """Joint values by frame, and for how many of them the hand leads."""

    values: F64
    led: int


def _swing(drive: Drive, track: Track, end: float, slower: float) -> _Swing:
    """From rest to rest at `end`; the speed decays where nobody leads."""
    start, last = float(track.values[0]), float(track.values[-1])
    lever = drive.lever_m(start, end)
    limit = HINGE_RAD_S if drive.joint.kind == "hinge" else SLIDE_M_S
    seconds = PEAK * max(abs(end - start) / limit, lever / HANDLE_M_S, 0.4) * slower
    share = abs(last - start) / max(abs(end - start), 1e-9)
    when = _time_of(share)
    led = max(3, int(np.ceil(FPS * seconds * when)))
    t = np.minimum(np.arange(1, int(np.ceil(led / when)) + 1) * when / led, 1.0)  # a frame falls on the last led value
    values = start + (end - start) * (minimum_jerk(t) if share >= 0.5 else _sent_off(t, share))
    values[led - 1], values[-1] = last, end
    return _Swing(values, led)


def _time_of(share: float) -> float:
    """When a share of the way is done, 0 to 1 of the whole time of `_swing`."""
    t = np.linspace(0.0, 1.0, 401)
    return float(np.interp(share, minimum_jerk(t), t)) if share >= 0.5 else 1.5 * share / (2.0 - 0.5 * share)


def _sent_off(t: F64, share: float) -> F64:
    """Shares of the way at times t: the hand brings it up to a speed that it then keeps; left alone it gets slower and slower."""
    speed, left = 2.0 - 0.5 * share, 1.0 - share
    up, when = share / speed, 1.5 * share / speed
    rest = np.maximum(1.0 - t, 0.0)
    led = np.where(t < up, 0.5 * speed * t**2 / max(up, 1e-9), share - speed * (when - t))
    return np.where(t < when, led, 1.0 - left * (rest / (1.0 - when)) ** 2)


def _led_frames(here: Standing, drive: Drive, track: Track, values: F64) -> Frames:
    """The hand on the handle at joint values (n,): exact on the handle's arc, its turn interpolated between the keys."""
    start, last = float(track.values[0]), float(track.values[-1])
    along = (values - start) / (last - start) * (len(track.values) - 1)
    index = np.minimum(along.astype(np.int64), len(track.keys) - 2)
    u = along - index
    inverses = [inverse(drive.link_at(float(v))) @ k.T_wrist for v, k in zip(track.values, track.keys, strict=True)]
    wrists = np.stack([drive.link_at(float(v)) @ _mix(drive, inverses[i], inverses[i + 1], float(t))
                       for v, i, t in zip(values, index, u, strict=True)])  # fmt: skip
    return assemble(here.figure, track.keys, index, u, wrists)


def _mix(drive: Drive, a: F64, b: F64, t: float) -> F64:
    """Between two hand frames in the link's frame, turning about the handle so that the bar stays in the hand."""
    from humans.rotations import matrix_from_rotvec, rotvec_from_matrix

    pivot = np.asarray(drive.handle.point_m)
    turn = matrix_from_rotvec(t * rotvec_from_matrix(b[:3, :3] @ a[:3, :3].T))
    out = np.eye(4)
    out[:3, :3] = turn @ a[:3, :3]
    whole = b[:3, :3] @ a[:3, :3].T
    end_error = b[:3, 3] - (pivot + whole @ (a[:3, 3] - pivot))
    out[:3, 3] = pivot + turn @ (a[:3, 3] - pivot) + t * end_error
    return out


def _lead(here: Standing, come: tuple[Segment, ...], track: Track, end: float) -> Led | Failure:
    """The led part, cut into places; then the hand lets go, while the link coasts where it is not at its end yet."""
    drive = track.drive
    for slower in (1.0, 1.5, 2.2):
        swing = _swing(drive, track, end, slower)
        frames = _led_frames(here, drive, track, swing.values[: swing.led])
        hand, joint = peak_speeds(here.figure, (come[-1].pose_rad[-1], come[-1].translation_m[-1]), frames)
        if hand < 2.4 and joint < 9.5:
            break
    else:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the arm cannot follow the handle of {drive.entity.key}"))
    if float(frames.residual_m.max()) > LEFT_OVER_M:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the handle of {drive.entity.key} leaves the reach of the hand"))
    led: list[Segment] = []
    now = here
    for cut in _cuts(drive, swing.values[: swing.led]):
        segment = _led_segment(now, drive, frames, swing.values, cut)
        if (hit := screen(now.world, segment)) is not None:
            return Failure(4, collision(f"moving {drive.entity.key}", Blocked.of(hit)))
        led.append(segment)
        now = after(now, segment)
    back = _let_go(now, drive, track.keys[-1], swing.values[swing.led :], frames)
    return back if isinstance(back, Failure) else Led(come, tuple(led), tuple(back), now, track)


def _cuts(drive: Drive, values: F64) -> list[slice]:
    points = np.stack([drive.frame_at(float(v))[0] for v in values])
    cuts, first = [], 0
    for i in range(len(values)):
        if float(np.linalg.norm(points[i] - points[first])) > CHUNK_M:
            cuts.append(slice(first, i))
            first = i
    cuts.append(slice(first, len(values)))
    return cuts


def _led_segment(here: Standing, drive: Drive, frames: Frames, values: F64, cut: slice) -> Segment:
    chosen = values[cut]
    point = drive.frame_at(float(chosen[len(chosen) // 2]))[0]
    return segment_of(
        here.world,
        "drive",
        frames.pose_rad[cut],
        frames.translation_m[cut],
        allowed=_touch(here, drive, point),
        joints={drive.joint.key: chosen},
        carried=drive.rider_tracks(chosen),
    )


def _let_go(here: Standing, drive: Drive, last: Key, rest: F64, frames: Frames) -> list[Segment] | Failure:
    """The hand opens and goes home while the joint swings on to its end."""
    value = here.world.state.joints[drive.joint.key]
    point, normal, _ = drive.frame_at(float(value))
    touch = _touch(here, drive, point)
    from_here = replace(here.start, posture=last.posture)
    opened = replace(from_here, fingers=open_fingers(here))
    worst: Blocked | None = None
    for T in _offs(here, normal)[: OFFS_COASTING if len(rest) else None]:
        moved = _same_posture(here, opened, T)
        if not works(moved, residual_m=0.03, strain_rad=0.5):
            continue
        off = clear_elbow(here, moved, touch, strain_rad=0.5)
        if isinstance(off, Blocked):
            worst = worst or off
            continue
        for extra, flare in ways_between(here, off, home_key(here))[: WAYS_COASTING if len(rest) else None]:
            budget = budget_of(here.world)
            if budget.motions <= 0:
                break
            budget.motions -= 1
            away = motion(here.figure, [from_here, opened, off, *extra, home_key(here)], flare_rad=flare)
            if away.too_fast:
                continue
            segment = _away_segment(here, drive, away, rest, touch)
            hit = screen(here.world, segment)
            if hit is None:
                return [segment]
            worst = Blocked.of(hit) if worst is None or hit.hit.distance_m > worst.depth_m else worst
    if worst is None:
        return Failure(4, Refusal(Code.OUT_OF_REACH, f"the hand cannot come away from the handle of {drive.entity.key}"))
    return Failure(5, collision(f"letting go of {drive.entity.key}", worst))


def _offs(here: Standing, normal: F64) -> list[F64]:
    """Wrist frames off the handle: straight off it, off the palm, back along the fingers, out to the hand's own side; far, then near."""
    sign = 1.0 if here.figure.side == "left" else -1.0
    fingers, palm = sign * here.start.T_wrist[:3, 0], -here.start.T_wrist[:3, 1]
    outward = sign * here.T_stance[:3, 1]
    out = []
    for distance in (0.10, 0.05):
        for direction in (normal, normal - 0.7 * palm, -fingers - 0.5 * palm, -palm + 0.3 * normal, outward + 0.4 * normal - 0.4 * palm):
            T = here.start.T_wrist.copy()
            T[:3, 3] += distance * direction / np.linalg.norm(direction)
            out.append(T)
    return out


def _away_segment(here: Standing, drive: Drive, away: Frames, rest: F64, touch: Allowed) -> Segment:
    value = here.world.state.joints[drive.joint.key]
    n = max(len(away), len(rest))
    values = np.concatenate([rest, np.full(n - len(rest), rest[-1] if len(rest) else value)])
    pad = n - len(away)
    pose = np.concatenate([away.pose_rad, np.repeat(away.pose_rad[-1:], pad, axis=0)])
    translation = np.concatenate([away.translation_m, np.repeat(away.translation_m[-1:], pad, axis=0)])
    joints = {drive.joint.key: values} if len(rest) else {}
    carried = drive.rider_tracks(values) if len(rest) else {}
    return segment_of(
        here.world, "retreat", pose, translation, allowed=touch, joints=joints, carried=carried, settle=bool(carried), canonical_end=True
    )

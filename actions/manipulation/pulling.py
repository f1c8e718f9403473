"""Opening and closing by the handle: the hand follows the moving part while it can, what rides on it comes along (seed B.2.2, Table 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.crowding import clear_elbow
from actions.manipulation.follow import Track, follow
from actions.manipulation.grab import Failure, collision, unreached
from actions.manipulation.handles import Drive, drives_of
from actions.manipulation.keys import Key, key_at
from actions.manipulation.paths import FPS, PEAK, Frames, assemble, minimum_jerk, motion, peak_speeds
from actions.manipulation.posture import Rung
from actions.manipulation.reach import (
    Blocked,
    Standing,
    after,
    budget_of,
    home_key,
    open_fingers,
    plain,
    standing,
    way,
    ways_between,
    works,
)
from actions.manipulation.segments import segment_of
from actions.manipulation.shape import PAD_M, signed_distance
from actions.motions import Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points
from humans.hands import family_pose, wrap
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.postures import solve_posture

F64 = NDArray[np.float64]

PRE_M = (0.11, 0.07, 0.04)
LEAST_SHARE = 0.28
"""Share of the way that the hand must lead; a leaf set in motion swings the rest by itself."""
FLING_SHARE = 0.12
LARGE_M = 0.9
"""A large leaf, whose handle goes this far, is set in motion from farther away."""
POSTURES = 3
HINGE_RAD_S = 1.5
SLIDE_M_S = 0.6
HANDLE_M_S = 1.1
CLEAR_FRAMES = 11
CHUNK_M = 0.18
"""The touch exemption is bound to a place: the drive is cut where the handle has moved this far."""


def drive_here(world: ActionWorld, key: str, opening: bool) -> list[Segment] | Failure:
    """Move the entity's joint to its open or closed end from where the person stands. Changes nothing."""
    drives = drives_of(world, key)
    if not drives:
        return Failure(0, Refusal(Code.NOT_AFFORDED, f"{key} has nothing that opens"))
    best: Failure | None = None
    for drive in drives:
        for side in _free_sides(world, drive):
            outcome = _with_hand(standing(world, side), drive, opening)
            if not isinstance(outcome, Failure):
                return outcome
            best = outcome if best is None or outcome.stage > best.stage else best
    return best or Failure(0, Refusal(Code.HAND_FULL, "both hands are busy"))


def _free_sides(world: ActionWorld, drive: Drive) -> tuple[Hand, ...]:
    held = world.state.held
    if held is not None:
        return ("left",) if held.hand == "right" else ("right",)
    body = world.state.body
    point, _, _ = drive.frame_at(world.state.joints.get(drive.joint.key, drive.joint.initial))
    left = -np.sin(body.heading_rad) * (point[0] - body.xy_m[0]) + np.cos(body.heading_rad) * (point[1] - body.xy_m[1])
    return ("left", "right") if left > 0.08 else ("right", "left")


def _with_hand(here: Standing, drive: Drive, opening: bool) -> list[Segment] | Failure:
    key = drive.entity.key
    start = here.world.state.joints.get(drive.joint.key, drive.joint.initial)
    end = drive.joint.open_at if opening else drive.joint.closed_at
    large = drive.joint.kind == "hinge" and drive.lever_m(drive.joint.closed_at, drive.joint.open_at) > LARGE_M
    least = FLING_SHARE if large else LEAST_SHARE
    banned: frozenset[Rung] = frozenset()
    best: Failure | None = None
    for _ in range(POSTURES):
        track = follow(here, drive, start, end, least, banned)
        if not isinstance(track, Track):
            return best or Failure(1, unreached(f"the handle of {key}", track))
        if track.share < least:
            short = f"the handle of {key} can be followed over {100.0 * track.share:.0f} % of its way only"
            return best or Failure(2, Refusal(Code.OUT_OF_REACH, short))
        outcome = along(here, drive, track, end)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if best is None or outcome.stage > best.stage else best
        banned |= {track.first}
    return best or Failure(1, Refusal(Code.OUT_OF_REACH, f"the handle of {key} is out of reach"))


def along(here: Standing, drive: Drive, track: Track, end: float) -> list[Segment] | Failure:
    """The whole way with the hand on the handle as tracked: reach, pull, let go."""
    taken = _take(here, drive, track)
    if isinstance(taken, Failure):
        return taken
    reached, grip = taken
    there = after(here, reached)
    return _pull(there, reached, drive, replace(track, keys=tuple(replace(k, fingers=grip) for k in track.keys)), end)


def _take(here: Standing, drive: Drive, track: Track) -> tuple[Segment, F64] | Failure:
    """The reach for the handle, and the fingers round it."""
    key = drive.entity.key
    point, normal, _ = drive.frame_at(float(track.values[0]))
    touch = _touch(here, drive, point)
    first = replace(track.keys[0], fingers=open_fingers(here))
    closed = replace(first, fingers=_closed(here, drive, first))
    best: Failure | None = None
    for offset in PRE_M:
        T = first.T_wrist.copy()
        T[:3, 3] += offset * normal
        near = _same_posture(here, first, T)
        if not works(near, strain_rad=0.3):
            continue
        pre = clear_elbow(here, near, touch, strain_rad=0.3)
        if isinstance(pre, Blocked):
            best = best or Failure(2, collision(f"reaching for the handle of {key}", pre))
            continue
        reached = way(here, [here.start, pre, first, closed], plain(here, "reach", touch))
        if not isinstance(reached, Blocked):
            return reached, closed.fingers
        best = Failure(3, collision(f"reaching for the handle of {key}", reached))
    return best or Failure(2, Refusal(Code.OUT_OF_REACH, f"there is no room to bring the hand to the handle of {key}"))


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
    solids = drive.solids()
    grip = wrap(here.figure.body, "side_wrap", here.figure.side, key.T_wrist,
                lambda points: signed_distance(solids, transform_points(T, points), PAD_M))  # fmt: skip
    if len(grip.valid) < 3:
        return family_pose("side_wrap", here.figure.side).reshape(15, 3)
    return grip.pose_rad.reshape(15, 3)


@dataclass(frozen=True, eq=False)
class _Swing:
    """Joint values of the whole way by frame, and how many frames the hand leads."""

    values: F64
    led: int


def _swing(drive: Drive, track: Track, end: float, slower: float) -> _Swing:
    start, last = float(track.values[0]), float(track.values[-1])
    way_length = abs(end - start)
    lever = drive.lever_m(start, end)
    limit = HINGE_RAD_S if drive.joint.kind == "hinge" else SLIDE_M_S
    seconds = PEAK * max(way_length / limit, lever / HANDLE_M_S, 0.4) * slower
    n = int(np.ceil(FPS * seconds))
    values = start + (end - start) * minimum_jerk(np.arange(1, n + 1) / n)
    values[-1] = end
    led = min(n, int(np.searchsorted(np.abs(values - start), abs(last - start) - 1e-9)) + 1)
    values[led - 1] = last
    return _Swing(values, led)


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


def _pull(here: Standing, reached: Segment, drive: Drive, track: Track, end: float) -> list[Segment] | Failure:
    """The led part, cut into places; then the hand lets go while the rest of the way is swung."""
    for slower in (1.0, 1.5, 2.2):
        swing = _swing(drive, track, end, slower)
        frames = _led_frames(here, drive, track, swing.values[: swing.led])
        hand, joint = peak_speeds(here.figure, (reached.pose_rad[-1], reached.translation_m[-1]), frames)
        if hand < 2.4 and joint < 9.5:
            break
    else:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the arm cannot follow the handle of {drive.entity.key}"))
    if float(frames.residual_m.max()) > 0.02:
        return Failure(3, Refusal(Code.OUT_OF_REACH, f"the handle of {drive.entity.key} leaves the reach of the hand"))
    pulled: list[Segment] = []
    now = here
    for cut in _cuts(drive, swing.values[: swing.led]):
        segment = _led_segment(now, drive, frames, swing.values, cut)
        if (hit := screen(now.world, segment)) is not None:
            return Failure(4, collision(f"moving {drive.entity.key}", Blocked.of(hit)))
        pulled.append(segment)
        now = after(now, segment)
    back = _let_go(now, drive, track.keys[-1], swing.values[swing.led :], frames)
    return back if isinstance(back, Failure) else [reached, *pulled, *back]


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
    for T in _offs(here, normal):
        moved = _same_posture(here, opened, T)
        if not works(moved, residual_m=0.03, strain_rad=0.5):
            continue
        off = clear_elbow(here, moved, touch, strain_rad=0.5)
        if isinstance(off, Blocked):
            worst = worst or off
            continue
        for extra, flare in ways_between(here, off, home_key(here)):
            budget = budget_of(here.world)
            if budget.motions <= 0:
                break
            budget.motions -= 1
            away = motion(here.figure, [from_here, opened, off, *extra, home_key(here)], flare_rad=flare)
            if away.too_fast:
                continue
            for wait in (0, CLEAR_FRAMES, len(away)) if len(rest) else (0,):
                segment = _away_segment(here, drive, away, rest, touch, wait)
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


def _away_segment(here: Standing, drive: Drive, away: Frames, rest: F64, touch: Allowed, wait: int) -> Segment:
    """`wait`: frames that the joint stands still before it swings on, so that the hand gets out of its way."""
    value = here.world.state.joints[drive.joint.key]
    n = max(len(away), wait + len(rest))
    values = np.concatenate([np.full(wait, value), rest, np.full(n - wait - len(rest), rest[-1] if len(rest) else value)])
    pad = n - len(away)
    pose = np.concatenate([away.pose_rad, np.repeat(away.pose_rad[-1:], pad, axis=0)])
    translation = np.concatenate([away.translation_m, np.repeat(away.translation_m[-1:], pad, axis=0)])
    joints = {drive.joint.key: values} if len(rest) else {}
    carried = drive.rider_tracks(values) if len(rest) else {}
    return segment_of(
        here.world, "retreat", pose, translation, allowed=touch, joints=joints, carried=carried, settle=bool(carried), canonical_end=True
    )

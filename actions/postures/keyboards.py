"""Typing with both hands, seated or standing (seed Table 5, use_computer).

A keyboard is the low level front of a thing: what is higher behind it (a screen) says which way it faces.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grasp import hand_rotation
from actions.manipulation.keys import FINGER_ROWS
from actions.manipulation.posture import COUNTER, FAR, FAR_M
from actions.manipulation.segments import segment_of
from actions.motions import Segment, SetAttribute
from actions.postures.attitudes import Attitude, attitude_now, frames_between, plain, posed, reached, rules
from actions.postures.seated import seat_of
from actions.postures.seats import top_m
from actions.screening import Violation, collision_world, screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle
from humans.camera import gaze
from humans.hands import hand_pose
from humans.kinematics import joint_transforms
from humans.model import FINGERS, JOINT, N_JOINTS
from humans.postures import lean_posture

F64 = NDArray[np.float64]

PAD_M = 0.07
"""Least depth of a keyboard."""
STEP_M = 0.01
LEVEL_M = 0.02
LEANS = (*((lean, squat, 0.0) for lean, squat in COUNTER), *((lean, squat, FAR_M) for lean, squat in FAR))
"""(lean, squat, weight forward) of a standing typist, upright first."""
PITCHES_RAD = (0.0, 0.15, 0.30, 0.45, 0.60, 0.75, 0.90)
"""Further lean of a seated one."""
HALF_SPREAD_M = (0.075, 0.10, 0.055)
TURNS = (0.0, 0.5, 1.0)
"""How far the hands turn from the keyboard's own direction to the person's."""
TIPS_M = (0.012, 0.025)
"""How high above the keys the finger tips hang."""
DIPS_RAD = np.radians(np.array([10.0, 25.0, 0.0]))
OVER_M = 0.09
SPAN_M = 0.74
READY_M = (0.24, 0.20, 0.12)
"""Of hands before they go to the keys: ahead, aside, and over the keys."""
STROKES = 10
STROKE_RAD = np.radians(12.0)
STROKE_FRAMES = 3


class Keyboard(NamedTuple):
    """Where one types: middle of the keys (3,), world, the way the typist faces (2,), and what lights up."""

    point_m: F64
    ahead: F64
    display: str


class Hemmed(NamedTuple):
    """Why typing does not work from a place: how far it came and the refusal."""

    stage: int
    refusal: Refusal


def keyboard_of(world: ActionWorld, key: str) -> Keyboard | None:
    """The keyboard of a device as it stands now, or None."""
    entity = world.stage.entity(key)
    root = world.state.root(world.stage, key)
    solids = collision_world(world).solids_of(key, root)
    low, high = entity.box_m
    best: tuple[float, F64, F64] | None = None
    for k in range(4):
        axis, sign = k // 2, 1.0 if k % 2 else -1.0
        front = np.zeros(3)
        front[axis] = sign
        middle = 0.5 * (low + high)
        edge = middle + front * 0.5 * (high - low)[axis]
        start = root[:3, :3] @ edge + root[:3, 3]
        inward = -(root[:3, :3] @ front)
        tops = [top_m(solids, *(float(v) for v in (start + d * inward)[:2])) for d in np.arange(0.5 * STEP_M, (high - low)[axis], STEP_M)]
        run = next((i for i, top in enumerate(tops) if top > tops[0] + LEVEL_M), len(tops))
        depth, behind = run * STEP_M, run < len(tops)
        width = float((high - low)[1 - axis])
        score = (2.0 if behind else 0.0) + width - depth
        if depth < PAD_M or width < 0.2 or not np.isfinite(tops[0]):
            continue
        point = start + 0.55 * min(depth, 0.2) * inward
        point[2] = max(top for top in tops[:run])
        if best is None or score > best[0]:
            best = (score, point, inward[:2] / np.linalg.norm(inward[:2]))
    if best is None:
        return None
    return Keyboard(best[1], best[2], display_of(world, key))


def display_of(world: ActionWorld, key: str) -> str:
    """What lights up when one types: the device itself, or the nearest computer to a keyboard; empty without any."""
    if "computer" in world.stage.entity(key).roles:
        return key
    here = world.state.root(world.stage, key)[:3, 3]
    found = [
        (float(np.linalg.norm(world.state.root(world.stage, e.key)[:3, 3] - here)), e.key)
        for e in world.stage.entities
        if "computer" in e.roles and e.key not in world.state.removed
    ]
    return min(found)[1] if found and min(found)[0] < 1.0 else ""


def type_here(world: ActionWorld, key: str, board: Keyboard) -> list[Segment] | Hemmed:
    """Both hands to the keys, a few strokes, and back, from where the person stands or sits. Changes nothing."""
    best = Hemmed(0, Refusal(Code.OUT_OF_REACH, f"the keys of {key} are out of reach of both hands", "come closer to it"))
    for base in _postures(world):
        for hands in _hands(world, base, board):
            steps = _typed(world, key, board, hands)
            if not isinstance(steps, Hemmed):
                return steps
            best = steps if steps.stage > best.stage else best
            if steps.stage == 1:
                break
    return best


def _postures(world: ActionWorld) -> list[Attitude]:
    """The attitudes that lean towards the keys, least first; a seated person leans from the seat."""
    now = attitude_now(world)
    if seat_of(world):
        return [replace(now, posture=replace(now.posture, trunk_pitch_rad=now.posture.trunk_pitch_rad + more)) for more in PITCHES_RAD]
    body = world.state.body
    return [plain(world.body, lean_posture(world.body, body.xy_m, body.heading_rad, *lean)) for lean in LEANS]


def _hands(world: ActionWorld, base: Attitude, board: Keyboard) -> list[Attitude]:
    """The attitude with both hands over the keys, fingers curled; in several ways."""
    if not _near(world, base, board):
        return []
    out = []
    off = wrap_angle(world.state.body.heading_rad - float(np.arctan2(board.ahead[1], board.ahead[0])))
    for tips in TIPS_M:
        for spread in HALF_SPREAD_M:
            for dip in DIPS_RAD:
                for turn in TURNS:
                    made = _over_keys(world, base, board, (tips, spread, float(dip), turn * off))
                    if made is not None:
                        out.append(made)
        if out:
            break
    return out


def _near(world: ActionWorld, base: Attitude, board: Keyboard) -> bool:
    """Whether the keys are within the length of arm and hand of both shoulders (cheap)."""
    T = joint_transforms(world.body, *posed(world.body, base))
    return all(float(np.linalg.norm(T[JOINT[f"{side}_shoulder"], :3, 3] - board.point_m)) < SPAN_M for side in ("left", "right"))


def _over_keys(world: ActionWorld, base: Attitude, board: Keyboard, how: tuple[float, float, float, float]) -> Attitude | None:
    tips, spread, dip, turn = how
    c, s = float(np.cos(turn)), float(np.sin(turn))
    ahead = np.array([c * board.ahead[0] - s * board.ahead[1], s * board.ahead[0] + c * board.ahead[1], 0.0])
    across = np.array([-board.ahead[1], board.ahead[0], 0.0])
    sides: tuple[Hand, ...] = ("left", "right")
    out: Attitude | None = base
    for side in sides:
        if out is None:
            return None
        out = _with_fingers(world, out, side)
        fingers = np.cos(dip) * ahead - np.sin(dip) * np.array([0.0, 0.0, 1.0])
        palm = -np.sin(dip) * ahead - np.cos(dip) * np.array([0.0, 0.0, 1.0])
        T = np.eye(4)
        T[:3, :3] = hand_rotation(side, fingers, palm)
        point = board.point_m + (spread if side == "left" else -spread) * across + np.array([0.0, 0.0, tips])
        T[:3, 3] = point - T[:3, :3] @ _tips_m(world, side)
        out = reached(world, out, side, T)
    return out


def _with_fingers(world: ActionWorld, attitude: Attitude, side: Hand) -> Attitude:
    rows = attitude.rotvec_rad.copy()
    rows[FINGER_ROWS[side]] = _curled(world, side)
    return replace(attitude, rotvec_rad=rows)


def _curled(world: ActionWorld, side: Hand) -> F64:
    """Finger rotations (15, 3) of a typing hand: between relaxed and open."""
    return 0.75 * hand_pose(world.body, "relaxed", side).reshape(15, 3) + 0.25 * hand_pose(world.body, "open", side).reshape(15, 3)


def _tips_m(world: ActionWorld, side: Hand) -> F64:
    """Mean place (3,) of the four finger tips in the wrist's frame for a typing hand."""
    body = world.body
    pose = np.zeros((N_JOINTS, 3))
    pose[FINGER_ROWS[side]] = _curled(world, side)
    T = joint_transforms(body, pose.reshape(-1), np.zeros(3))
    wrist = T[JOINT[f"{side}_wrist"]]
    tips = []
    for finger in ("index", "middle", "ring", "pinky"):
        row = JOINT[f"{side}_{finger}3"]
        tips.append(T[row, :3, :3] @ (body.tips_m[row] - body.rest_joints_m[row]) + T[row, :3, 3])
    out: F64 = wrist[:3, :3].T @ (np.min(tips, axis=0) * [0, 1, 0] + np.mean(tips, axis=0) * [1, 0, 1] - wrist[:3, 3])
    return out


def _raised(world: ActionWorld, attitude: Attitude, by_m: float) -> Attitude | None:
    """The attitude with both hands higher by so much."""
    T = joint_transforms(world.body, *posed(world.body, attitude))
    out: Attitude | None = attitude
    sides: tuple[Hand, ...] = ("left", "right")
    for side in sides:
        up = T[JOINT[f"{side}_wrist"]].copy()
        up[2, 3] += by_m
        out = reached(world, out, side, up) if out is not None else None
    return out


def _ready(world: ActionWorld, now: Attitude, board: Keyboard) -> Attitude | None:
    """Both hands raised close to the body, higher than the keys: from there they go over them, not through the table's edge."""
    body = world.state.body
    c, s = float(np.cos(body.heading_rad)), float(np.sin(body.heading_rad))
    out: Attitude | None = now
    sides: tuple[Hand, ...] = ("left", "right")
    hips = -now.posture.pelvis_back_m
    for side in sides:
        left = READY_M[1] if side == "left" else -READY_M[1]
        ahead = READY_M[0] + hips
        T = np.eye(4)
        T[:3, :3] = hand_rotation(side, np.array([c, s, 0.3]), np.array([0.0, 0.0, -1.0]))
        z = max(float(board.point_m[2]) + READY_M[2], 1.0 - now.posture.pelvis_drop_m)
        T[:3, 3] = (body.xy_m[0] + c * ahead - s * left, body.xy_m[1] + s * ahead + c * left, z)
        out = reached(world, _with_fingers(world, out, side), side, T) if out is not None else None
    return out


def _allowed(world: ActionWorld, key: str, board: Keyboard) -> Allowed:
    x, y, z = (float(v) for v in board.point_m)
    return replace(rules(world, seat_of(world)), target=key, point_m=(x, y, z), hands=("left", "right"))


def _typed(world: ActionWorld, key: str, board: Keyboard, hands: Attitude) -> list[Segment] | Hemmed:
    """The whole: over the keys, down, strokes, up and back to how it was."""
    now = attitude_now(world)
    turned, _ = gaze(world.body, *posed(world.body, hands), board.point_m + np.array([*(0.12 * board.ahead), 0.06]))
    hands = hands.with_head(turned.reshape(N_JOINTS, 3))
    over = _raised(world, hands, OVER_M) or hands
    ready = _ready(world, now, board)
    before = [ready] if ready is not None else []
    stops = [now, *before, over, hands, *_strokes(world, hands), hands, over, *before, now]
    onto = len(before) + 1
    allowed = _allowed(world, key, board)
    here, out = world.fork(), list[Segment]()
    names = [*["reach"] * (onto + 1), *["type"] * (len(stops) - 2 * onto - 3), *["retreat"] * (onto + 1)]
    pose, place = posed(world.body, hands)
    if (hit := screen(here, segment_of(here, "key", pose[None], place[None], allowed=allowed))) is not None:
        return _hit(key, 1 if not _arm(hit) else 2, hit)
    for k, (a, b) in enumerate(zip(stops, stops[1:], strict=False)):
        poses, places = frames_between(world.body, a, b)
        last = k == len(stops) - 2
        if last:
            poses[-1], places[-1] = world.state.body.pose_rad, world.state.body.translation_m
        due = ((len(poses) - 1, SetAttribute(board.display, "running", True)),) if k == onto + 1 and board.display else ()
        made = segment_of(here, names[k], poses, places, allowed=allowed, effects=due, canonical_end=last)
        made = replace(made, posture=world.state.body.posture)
        if (hit := screen(here, made)) is not None:
            return _hit(key, 3, hit)
        here.advance(made)
        out.append(made)
    return _joined(out)


def _arm(hit: Violation) -> bool:
    return any(part in name for part in ("arm", "hand") for name in (hit.hit.mine, hit.hit.link))


def _hit(key: str, stage: int, hit: Violation) -> Hemmed:
    return Hemmed(stage, Refusal(Code.TRAJECTORY_COLLISION, f"typing on {key}: {hit}", "clear the space before it"))


def _strokes(world: ActionWorld, hands: Attitude) -> list[Attitude]:
    """Attitudes of a typist: fingers of both hands go down in turn."""
    out = []
    order = (0, 2, 1, 3)
    for n in range(STROKES):
        rows = hands.rotvec_rad.copy()
        for s, side in enumerate(("left", "right")):
            finger = order[(n + 2 * s) % 4]
            row = JOINT[f"{side}_{FINGERS[finger]}1"]
            lift = STROKE_RAD * (1.0 if (n + s) % 2 == 0 else -0.6)
            rows[row] = rows[row] + world.body.flex_axes[s, 3 * finger] * lift
        out.append(replace(hands, rotvec_rad=rows))
    return out


def _joined(segments: list[Segment]) -> list[Segment]:
    """Strokes are one stretch: neighbouring segments of one phase without effects become one."""
    out: list[Segment] = []
    for segment in segments:
        if out and out[-1].phase == segment.phase == "type":
            before = out[-1]
            out[-1] = replace(
                before,
                pose_rad=np.concatenate([before.pose_rad, segment.pose_rad]),
                translation_m=np.concatenate([before.translation_m, segment.translation_m]),
                xy_m=np.concatenate([before.xy_m, segment.xy_m]),
                heading_rad=np.concatenate([before.heading_rad, segment.heading_rad]),
                safe=np.concatenate([before.safe, segment.safe]),
            )
        else:
            out.append(segment)
    return out

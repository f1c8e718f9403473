"""Looking at a thing: aim the gaze, step closer, bring the label of what is held to the eyes (seed Table 5, look_at)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.keys import Key, key_at, key_of_pose, look_from, pose_of_key, wrist_of_key
from actions.manipulation.paths import Frames, motion
from actions.manipulation.posture import Rung, at_stance, rung
from actions.manipulation.reach import Blocked, Standing, all_arms, budget_of, home_key, plain, screen_key, standing, way
from actions.manipulation.segments import frames_segment
from actions.motions import Segment
from actions.navigation.walking import carried_tracks, carrying_overlay
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.legibility import MAX_ANGLE_RAD, MIN_LINE_PX, MIN_SHARE, Reading, read_labels
from assistcore.house.stage import Label
from assistcore.house.state import BodyState, Hand, Held
from assistcore.world.poses import Pose, inverse
from humans.arms import ArmOverlay
from humans.camera import CAMERA_TILT_RAD, faces_in_view, gaze, head_camera
from humans.kinematics import joint_transforms, skin
from humans.model import BodyModel
from humans.postures import Posture, solve_posture
from humans.rotations import rotation_x, rotation_y, rotation_z

F64 = NDArray[np.float64]

HOLD_FRAMES = 8
MARK = "look_hold"
LINE_PX = 28.0
"""Wanted height of a line's share of the label: print of about 16 pixels in a 640 x 480 picture."""
FOCAL_PX = 320.0
NEAREST_M, FARTHEST_M = 0.24, 0.45
EASY_PX = 20.0
EASY_SHARE = 0.95
EASY_LETTER_PX, LETTER_PX = 8.0, 11.0
"""Height of the smallest capitals that are read with ease, and the wanted one."""
CAPITAL, PER_LETTER = 0.55, 0.9
"""A printed line's capitals take this share of its height, at most this share of the label's width divided by its letters."""
EASY_RAD = float(np.radians(32.0))
SHARES = (1.0, 0.85, 1.15)
PITCHES_DEG = (28.0, 15.0, 42.0)
ASIDES_M = (0.0, 0.10, -0.08)
TURNS_DEG = ((0, 0, 0), (25, 0, 0), (-25, 0, 0), (0, 25, 0), (0, -25, 0), (0, 0, 25), (25, 25, 0), (-25, -25, 0))
"""How a label is held: at these shares of the reading distance, so far below the level, aside, and turned (yaw, roll, tip)."""
TRIED, FIRST = 16, 8
"""Ways to hold a label that are looked at; the first of them say whether a grasp is worth its while."""
LEANS = ((0.0, 0.0), (0.2, 0.0), (0.4, 0.0), (0.6, 0.0), (0.5, 0.6), (0.8, 0.05), (0.9, 0.3),
         (0.25, 0.75), (0.35, 1.0), (0.75, 1.0), (1.1, 0.45), (0.9, 0.9), (1.4, 0.1), (1.1, 0.8), (1.3, 0.55), (1.2, 0.9),
         (1.5, 0.3))  # fmt: skip
"""(lean, squat) in which a print is looked at, the easiest first: upright, bent, squatting, bent low before a shelf."""
GUESS_M, GUESS_RAD = 0.12, 0.3
"""How far the eyes may be from where the posture alone puts them once the gaze is aimed, and what that does to the angle."""


@dataclass(frozen=True, eq=False)
class Sheet:
    """A label in an entity's root frame: centre (3,), rotation (3, 3) with columns right, up, normal, heights of line and letter."""

    centre_m: F64
    R: F64
    line_m: float
    letter_m: float

    def readable_to_m(self, line_px: float, letter_px: float) -> float:
        """The distance from which lines and letters are this large in the picture."""
        return FOCAL_PX * min(self.line_m / line_px, self.letter_m / letter_px)


def sheet_of(world: ActionWorld, key: str, label: Label) -> Sheet:
    """A label relative to the entity's root as it is now."""
    T = inverse(world.state.root(world.stage, key)) @ world.state.link(world.stage, key, label.link)
    normal = T[:3, :3] @ np.asarray(label.normal, np.float64)
    up = T[:3, :3] @ np.asarray(label.up, np.float64)
    normal, up = normal / np.linalg.norm(normal), up / np.linalg.norm(up)
    centre = T[:3, :3] @ np.asarray(label.centre_m) + T[:3, 3]
    return Sheet(centre, np.stack([np.cross(up, normal), up, normal], axis=1), line_m(label), letter_m(label))


def line_m(label: Label) -> float:
    """A line's share of a label's height."""
    return label.size_m[1] / max(1, len(label.lines))


def letter_m(label: Label) -> float:
    """About the height of the smallest capitals: a line is printed as large as its share of the height and the width allow."""
    most = max((len(line) for line in label.lines), default=1)
    return min(CAPITAL * line_m(label), PER_LETTER * label.size_m[0] / max(1, most))


def reading_distance_m(sheet: Sheet) -> float:
    """How far from the eyes a label is held so that its lines are large enough."""
    return float(np.clip(sheet.readable_to_m(LINE_PX, LETTER_PX), NEAREST_M, FARTHEST_M))


def well(reading: Reading, label: Label) -> bool:
    """Whether a label can be read with ease: a look tries for this before it is content with a legible one."""
    letter_px = reading.line_px * letter_m(label) / line_m(label)
    large = reading.line_px >= EASY_PX and letter_px >= EASY_LETTER_PX
    return reading.legible and large and reading.angle_rad <= EASY_RAD and reading.share >= EASY_SHARE


def readable(world: ActionWorld, key: str, pose_rad: F64, translation_m: F64, *, with_ease: bool) -> tuple[Reading, ...]:
    """The labels of an entity that can be read in a pose; what is carried goes with the pose, the body's own skin may cover them."""
    body = world.body
    T = joint_transforms(body, pose_rad, translation_m)
    position, R = head_camera(body, T)
    tracks = carried_tracks(world, pose_rad[None], translation_m[None])
    poses = {**world.state.poses, **{k: Pose.from_array(track[0]) for k, track in tracks.items()}}
    now = world.state.body
    state = world.state.with_(poses=poses, body=BodyState(pose_rad, translation_m, now.xy_m, now.heading_rad))
    found = read_labels(
        world.stage, state, position, R, entities=frozenset({key}), body_vertices_m=skin(body, T), body_faces=faces_in_view(body)
    )
    labels = world.stage.entity(key).labels
    return tuple(r for r in found if (well(r, labels[r.index]) if with_ease else r.legible))


def label_free(here: Standing, closed: Key, *, key: str) -> bool:
    """Whether a hand that has closed on a thing where it stands leaves one of its labels uncovered."""
    world, body = here.world, here.figure.body
    pose, translation = pose_of_key(here.figure, closed)
    skinned = skin(body, joint_transforms(body, pose, translation))
    faces = _arm_faces(body)
    root = world.state.root(world.stage, key)
    for index, label in enumerate(world.stage.entity(key).labels):
        sheet = sheet_of(world, key, label)
        R = root[:3, :3] @ sheet.R
        eye = root[:3, :3] @ sheet.centre_m + root[:3, 3] + reading_distance_m(sheet) * R[:, 2]
        found = read_labels(world.stage, world.state, eye, R, entities=frozenset({key}), body_vertices_m=skinned, body_faces=faces)
        if any(r.index == index and r.legible for r in found):
            return True
    return False


def showable(here: Standing, closed: Key, *, key: str) -> bool:
    """Whether a thing held with this closed hand can be brought before the eyes so that one of its labels can be read."""
    if not label_free(here, closed, key=key):
        return False
    world, side = here.world.fork(), here.figure.side
    wrist_object = Pose.from_matrix(inverse(wrist_of_key(here.figure, closed)) @ world.state.root(world.stage, key))
    world.state = world.state.with_(held=Held(key, side, wrist_object))
    held = standing(world, side)
    for label in world.stage.entity(key).labels:
        for shown in _before_the_eyes(held, sheet_of(world, key, label))[:FIRST]:
            if readable(world, key, *pose_of_key(held.figure, shown), with_ease=False):
                return True
    return False


@lru_cache(maxsize=8)
def _arm_faces(body: BodyModel) -> NDArray[np.int32]:
    """Faces (f, 3) of the lower arms and hands. Shared: read only."""
    arms = np.isin(body.dominant_joint(), [i for i, name in enumerate(body.joint_names) if _of_arm(name)])
    faces: NDArray[np.int32] = body.faces[arms[body.faces].all(axis=1)]
    faces.flags.writeable = False
    return faces


def _of_arm(name: str) -> bool:
    return name.endswith(("elbow", "wrist")) or name[-1].isdigit() and "spine" not in name


def held_rules(world: ActionWorld) -> Allowed:
    """Contacts while something may be in the hand."""
    held = world.state.held
    return Allowed(held=held.entity) if held is not None else Allowed()


def show_label(world: ActionWorld, key: str) -> list[Segment] | None:
    """Brings the label of the held thing before the eyes, holds it there, and back to the carry posture; None where none can be read."""
    held = world.state.held
    if held is None or held.entity != key:
        return None
    here = standing(world, held.hand)
    rules = held_rules(world)
    keys = [k for label in world.stage.entity(key).labels for k in _before_the_eyes(here, sheet_of(world, key, label))]
    for shown in _best_read(here, key, keys):
        if screen_key(here, shown, rules) is None:
            segments = _there_and_back(here, shown, home_key(here), rules)
            if segments is not None:
                return segments
    return None


def _best_read(here: Standing, key: str, keys: Sequence[Key]) -> Iterator[Key]:
    """The keys in which a label can be read: those with ease as they come, then the others, the clearest print first."""
    labels = here.world.stage.entity(key).labels
    rest: list[tuple[float, int]] = []
    for i, shown in enumerate(keys):
        found = readable(here.world, key, *pose_of_key(here.figure, shown), with_ease=False)
        if any(well(r, labels[r.index]) for r in found):
            yield shown
        elif found:
            rest.append((-max(_clearness(r, labels[r.index]) for r in found), i))
    yield from (keys[i] for _, i in sorted(rest))


def _clearness(reading: Reading, label: Label) -> float:
    """0 where a print is barely legible in some respect, 1 where it is read with ease in all: size, angle and what covers it."""
    letter_px = reading.line_px * letter_m(label) / line_m(label)
    size = min(1.0, reading.line_px / EASY_PX, letter_px / EASY_LETTER_PX)
    angle = min(1.0, (MAX_ANGLE_RAD - reading.angle_rad) / (MAX_ANGLE_RAD - EASY_RAD))
    return float(size * angle * (reading.share - MIN_SHARE) / (1.0 - MIN_SHARE))


def _before_the_eyes(here: Standing, sheet: Sheet) -> list[Key]:
    """At most `TRIED` keys with the label at reading distance, squarely first, then a little turned; least effort first."""
    held = here.world.state.held
    if held is None:
        return []
    upright = rung(here.figure.body, 0.0, 0.0)
    places = _reading_places(here.figure.body, here.figure.side, reading_distance_m(sheet))
    from_sheet = np.eye(4)
    from_sheet[:3, :3] = sheet.R.T
    from_sheet[:3, 3] = -sheet.R.T @ sheet.centre_m
    local = places.T_sheet @ (from_sheet @ inverse(held.wrist_object.matrix()))
    arm = all_arms(here, upright, local)
    score = arm.effort + places.cost
    good = [i for i in np.argsort(score, kind="stable") if arm.residual_m[i] < 0.001 and arm.strain_rad[i] < 0.15]
    wrists = here.T_stance @ local
    return [_shown(here, upright, wrists[i], here.world_point(*places.T_sheet[i, :3, 3]), float(arm.swivel_rad[i])) for i in good[:TRIED]]


class ReadingPlaces(NamedTuple):
    """Where a label may be held before the eyes of someone upright: frames (n, 4, 4) (right, up, normal), stance frame, and their costs."""

    T_sheet: F64
    cost: F64


@lru_cache(maxsize=128)
def _reading_places(body: BodyModel, side: Hand, distance_m: float) -> ReadingPlaces:
    """Squarely at the reading distance before the level camera, then nearer, farther, lower, aside and turned."""
    position, R_cam = head_camera(body, joint_transforms(body, *solve_posture(body, Posture(0.0, 0.0, 0.0))))
    sign = 1.0 if side == "right" else -1.0
    frames, costs = [], []
    for share in SHARES:
        for pitch in np.radians(PITCHES_DEG):
            view = R_cam @ rotation_x(CAMERA_TILT_RAD - pitch)
            for aside in ASIDES_M:
                for yaw, roll, tip in TURNS_DEG:
                    T = np.eye(4)
                    turn = rotation_y(np.radians(sign * yaw)) @ rotation_z(np.radians(sign * roll)) @ rotation_x(np.radians(tip))
                    T[:3, :3] = view @ turn
                    T[:3, 3] = position + view @ np.array([sign * aside, -0.02, -distance_m * share])
                    frames.append(T)
                    costs.append(0.02 * (abs(yaw) + abs(roll) + abs(tip)) + 3.0 * abs(share - 1.0) + 2.0 * abs(aside) + abs(pitch - 0.49))
    return ReadingPlaces(np.stack(frames), np.array(costs))


def _shown(here: Standing, option: Rung, T_wrist: F64, look: F64, swivel: float) -> Key:
    return key_at(
        here.figure, here.home, here.T_stance @ option.trunk, T_wrist, here.start.fingers, look_from(here.figure, here.home, look), swivel
    )


def _there_and_back(here: Standing, shown: Key, home: Key, rules: Allowed) -> list[Segment] | None:
    there = way(here, [here.start, shown], plain(here, "look", rules))
    if isinstance(there, Blocked):
        return None
    back = way(replace(here, start=shown), [shown, home], plain(here, "look_back", rules, canonical_end=True))
    if isinstance(back, Blocked):
        return None
    return [_held_still(there), back]


def _held_still(segment: Segment) -> Segment:
    """The segment with its last frame repeated, marked for the picture picker."""
    n = len(segment)

    def more(rows: F64) -> F64:
        return np.concatenate([rows, np.repeat(rows[-1:], HOLD_FRAMES, axis=0)])

    return replace(
        segment,
        pose_rad=more(segment.pose_rad),
        translation_m=more(segment.translation_m),
        xy_m=more(segment.xy_m),
        heading_rad=more(segment.heading_rad),
        safe=np.zeros(n + HOLD_FRAMES, np.bool_),
        carried={key: more(track) for key, track in segment.carried.items()},
        marks=((n + HOLD_FRAMES // 2, MARK),),
    )


def gaze_key(here: Standing, lean: tuple[float, float], look_m: F64) -> tuple[Key, float]:
    """A key that only leans and looks; the second value is the angle left between gaze and point."""
    body = here.figure.body
    posture = at_stance(rung(body, *lean).posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    overlay = _arms(here)
    pose, translation = solve_posture(body, posture, overlay)
    turned, residual = gaze(body, pose, translation, look_m)
    return key_of_pose(here.figure, posture, turned, translation), residual


def _hopeful(here: Standing, key: str, lean: tuple[float, float], *, with_ease: bool) -> bool:
    """Whether a print could be large and square enough from about where this posture has the eyes: a cheap bound before rays are cast."""
    world, body = here.world, here.figure.body
    eye = here.world_point(*rung_eye_m(body, *lean))
    root = world.state.root(world.stage, key)
    px, letter_px, most = (EASY_PX, EASY_LETTER_PX, EASY_RAD) if with_ease else (MIN_LINE_PX, 0.1, MAX_ANGLE_RAD)
    for label in world.stage.entity(key).labels:
        sheet = sheet_of(world, key, label)
        line = eye - (root[:3, :3] @ sheet.centre_m + root[:3, 3])
        far = float(np.linalg.norm(line))
        square = float(line @ (root[:3, :3] @ sheet.R[:, 2])) / max(far, 1e-9)
        if far <= sheet.readable_to_m(px, letter_px) + GUESS_M and np.arccos(np.clip(square, -1.0, 1.0)) <= most + GUESS_RAD:
            return True
    return False


@lru_cache(maxsize=64)
def rung_eye_m(body: BodyModel, lean_rad: float, squat: float) -> tuple[float, float, float]:
    """Camera position of a posture in the stance frame, the head as the posture has it."""
    pose, translation = solve_posture(body, rung(body, lean_rad, squat).posture)
    x, y, z = head_camera(body, joint_transforms(body, pose, translation))[0].tolist()
    return float(x), float(y), float(z)


def _arms(here: Standing) -> ArmOverlay | None:
    return carrying_overlay(here.world.state)


def look_here(
    world: ActionWorld, look_m: F64, *, label_of: str = "", with_ease: bool = False, leans: Sequence[tuple[float, float]] = ((0.0, 0.0),)
) -> list[Segment] | None:
    """Leans and looks at a point, holds, and stands up again; with `label_of`, only where one of its labels can then be read."""
    held = world.state.held
    here = standing(world, held.hand if held is not None else "right")
    rules = held_rules(world)
    for lean in leans:
        if label_of and not _hopeful(here, label_of, lean, with_ease=with_ease):
            continue
        shown, residual = gaze_key(here, lean, look_m)
        if residual > 0.06:
            continue
        pose, translation = pose_of_key(here.figure, shown)
        if label_of and not readable(world, label_of, pose, translation, with_ease=with_ease):
            continue
        if screen_key(here, shown, rules) is not None:
            continue
        segments = _gaze_motion(here, shown, rules)
        if segments is not None:
            return segments
    return None


def _gaze_motion(here: Standing, shown: Key, rules: Allowed) -> list[Segment] | None:
    home = home_key(here)
    out: list[Segment] = []
    for a, b, phase in ((here.start, shown, "look"), (shown, home, "look_back")):
        budget_of(here.world).motions -= 1
        frames: Frames = motion(here.figure, [a, b])
        if frames.too_fast:
            return None
        segment = frames_segment(here.world, phase, frames, allowed=rules, canonical_end=b is home)
        if screen(here.world, segment) is not None:
            return None
        out.append(_held_still(segment) if b is shown else segment)
    return out

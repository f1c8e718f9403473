"""Holds the arms of a walk taken from a clip within what the person may do: hand and joint speeds, and clear of trunk and legs.

The body of a clip is another one than ours: on ours, arms that hung free may pass through the hips. They are led away from the body as far
as needed, and their swing is made smaller while a hand would be too fast.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from humans.footsteps import FPS
from humans.gait import GaitFrames, RootTrack, walk
from humans.gait_style import GaitStyle
from humans.kinematics import joint_transforms
from humans.model import JOINT, BodyModel
from humans.motion_files import MotionFileError
from humans.proxies import ADJACENT_PAIRS, ARM_CAPSULES, CAPSULE, CAPSULE_NAMES, capsules, signed_distance
from humans.rotations import F64, matrix_from_rotvec, rotation_z, rotvec_from_matrix

SPEED_M_S = 1.1
HAND_M_S, JOINT_RAD_S = 2.15, 9.0
"""Bounds on a straight walk; the rules' 2.5 m/s and 10 rad/s leave the rest for turns and starts."""
CLEAR_M = 0.006
SWINGS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3)
LEADS_DEG = tuple(range(0, 27, 3))
"""How far the upper arms are led away from the body, tried in this order."""
_ARMS = tuple(f"{side}_{part}" for side in ("left", "right") for part in ("collar", "shoulder", "elbow", "wrist"))


def tamed(body: BodyModel, style: GaitStyle, name: str) -> GaitStyle:
    """The style with arms within their bounds, and notes on what was changed. Raises MotionFileError where no change helps."""
    worst = ""
    swing = 0
    lead = 0
    while swing < len(SWINGS) and lead < len(LEADS_DEG):
        tried = _led(style, SWINGS[swing], LEADS_DEG[lead])
        frames = walk(replace(body, gait=tried), _straight())
        fast, near, worst = _faults(body, frames)
        if not fast and not near:
            return replace(tried, notes=_notes(SWINGS[swing], LEADS_DEG[lead]))
        swing, lead = swing + fast, lead + near
    raise MotionFileError(f"{name}: on this body the walk cannot be kept within the person's bounds: {worst}")


def _notes(swing: float, lead_deg: int) -> tuple[str, ...]:
    out = [f"arm swing reduced to {100 * swing:.0f} % so that no hand is too fast"] if swing < 1.0 else []
    out += [f"arms led {lead_deg} degrees away from the body to clear it"] if lead_deg else []
    return tuple(out)


def _straight(length_m: float = 4.0) -> RootTrack:
    """A straight walk with a start and a stop at 1.3 m/s2."""
    rise = SPEED_M_S / 1.3
    total = length_m / SPEED_M_S + rise
    t = np.arange(round(total * FPS) + 1) / FPS
    speed = np.clip(np.minimum(1.3 * t, 1.3 * (total - t)), 0.0, SPEED_M_S)
    way = np.concatenate([[0.0], np.cumsum(0.5 * (speed[1:] + speed[:-1]) / FPS)])
    way = np.pad(way, (2, 5), mode="edge")
    return RootTrack(np.stack([way, np.zeros(len(way))], axis=1), np.zeros(len(way)))


def _led(style: GaitStyle, swing: float, lead_deg: int) -> GaitStyle:
    """The style with another share of the arms' swing, and the upper arms led outwards."""
    cycle = style.cycle
    if cycle is None or (swing == 1.0 and lead_deg == 0):
        return style
    rotvec = cycle.rotvec.copy()
    for column, joint in enumerate(cycle.joints.tolist()):
        name = next(key for key, index in JOINT.items() if index == joint)
        if name not in _ARMS:
            continue
        turns = matrix_from_rotvec(rotvec[:, column])
        u, _, vt = np.linalg.svd(turns.mean(axis=0))
        mean = u @ np.diag([1.0, 1.0, float(np.linalg.det(u @ vt))]) @ vt
        turns = mean @ matrix_from_rotvec(swing * rotvec_from_matrix(mean.T @ turns))
        if name.endswith("shoulder"):
            turns = rotation_z(np.radians(lead_deg if name == "left_shoulder" else -lead_deg)) @ turns
        rotvec[:, column] = rotvec_from_matrix(turns)
    return replace(style, cycle=replace(cycle, rotvec=rotvec))


def _faults(body: BodyModel, frames: GaitFrames) -> tuple[bool, bool, str]:
    """Whether something is too fast, whether an arm is too near, and the worst of it in words."""
    transforms = np.array([joint_transforms(body, p, t) for p, t in zip(frames.pose_rad, frames.translation_m, strict=True)])
    hands = transforms[:, JOINT["left_wrist"] : JOINT["right_wrist"] + 1, :3, 3]
    hand = float(np.linalg.norm(np.diff(hands, axis=0), axis=2).max()) * FPS
    local = matrix_from_rotvec(frames.pose_rad.reshape(len(transforms), -1, 3))
    relative = np.einsum("njba,njbc->njac", local[:-1], local[1:])[:, 1:]
    turn = np.arccos(np.clip(0.5 * (np.trace(relative, axis1=2, axis2=3) - 1.0), -1.0, 1.0)) * FPS
    fastest = int(turn.max(axis=0).argmax())
    gap = min(arm_gap_m(body, one) for one in transforms)
    words = (
        f"a hand moves at {hand:.2f} m/s (at most {HAND_M_S}), joint {body.joint_names[fastest + 1]} turns at {turn.max():.1f} rad/s "
        f"(at most {JOINT_RAD_S}), the arms keep {1000 * gap:.0f} mm from the body (at least {1000 * CLEAR_M:.0f})"
    )
    return hand > HAND_M_S or float(turn.max()) > JOINT_RAD_S, gap < CLEAR_M, words


def arm_gap_m(body: BodyModel, transforms: F64) -> float:
    """Smallest distance between the capsules of an arm and those of the rest that it must not touch, metres."""
    shapes = capsules(body, transforms)
    best = np.inf
    for side, arm in ARM_CAPSULES.items():
        for name in arm:
            k = CAPSULE[name]
            others = [CAPSULE[o] for o in CAPSULE_NAMES if o != name and (min(o, name), max(o, name)) not in ADJACENT_PAIRS]
            others = [o for o in others if not CAPSULE_NAMES[o].startswith(side) or CAPSULE_NAMES[o] not in arm]
            points = shapes.a_m[k] + np.linspace(0.0, 1.0, 12)[:, None] * (shapes.b_m[k] - shapes.a_m[k])
            best = min(best, float(signed_distance(points, shapes)[:, others].min()) - float(shapes.radius_m[k]))
    return best

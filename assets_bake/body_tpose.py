"""Turns MakeHuman's A pose into SMPL's T pose: every bone gets a wanted direction and hinge axis, and the skin follows its weights.

In the T pose arms lie along x with palms down, elbow hinges are vertical, fingers straight, legs vertical, toes 6 degrees out.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assets_bake.body_source import Source
from humans.model import JOINT, PARENTS
from humans.rotations import rotation_x, rotation_y, rotation_z

F64 = NDArray[np.float64]
FINGER_YAW_DEG = {"index": 4.0, "middle": 0.0, "ring": -4.0, "pinky": -9.0}
FINGER_DROP_DEG = (2.0, 4.0, 6.0)
THUMB_DIRECTIONS = ((0.60, -0.36, 0.71), (0.76, -0.26, 0.60), (0.80, -0.22, 0.56))
_X, _UP, _FORWARD = np.eye(3)


def unit(v: ArrayLike) -> F64:
    """The vector scaled to length 1."""
    out = np.asarray(v, np.float64)
    return np.asarray(out / np.linalg.norm(out))


def _frame(direction: F64, hinge: F64) -> F64:
    d = unit(direction)
    h = unit(hinge - d * (d @ hinge))
    return np.stack([d, h, np.cross(d, h)], axis=1)


def _between(direction: F64, hinge: F64, new_direction: ArrayLike, new_hinge: ArrayLike) -> F64:
    """Rotation that takes one (direction, hinge) frame to another."""
    return _frame(unit(new_direction), np.asarray(new_hinge, np.float64)) @ _frame(direction, hinge).T


def _shortest(a: F64, b: ArrayLike) -> F64:
    """Smallest rotation that takes one direction to another."""
    u, w = unit(a), unit(b)
    v = np.cross(u, w)
    k = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.asarray(np.eye(3) + k + k @ k / (1.0 + u @ w))


def _leg(rotation: F64, head: F64, side: str, sign: float) -> None:
    at = {part: head[JOINT[f"{side}_{part}"]] for part in ("hip", "knee", "ankle", "foot")}
    rotation[JOINT[f"{side}_hip"]] = _between(at["knee"] - at["hip"], _X, (sign * 0.022, -1.0, 0.0), _X)
    rotation[JOINT[f"{side}_knee"]] = _between(at["ankle"] - at["knee"], _X, (sign * 0.01, -1.0, -0.045), _X)
    toe = at["foot"] - at["ankle"]
    turn = rotation_y(sign * np.radians(6.0) - float(np.arctan2(toe[0], toe[2])))
    rotation[JOINT[f"{side}_ankle"]] = rotation[JOINT[f"{side}_foot"]] = turn


def _arm(rotation: F64, head: F64, side: str, sign: float) -> F64:
    """Collar to wrist; returns the hand's rotation. The forearm takes half of the hand's twist."""
    at = {part: head[JOINT[f"{side}_{part}"]] for part in ("shoulder", "elbow", "wrist", "middle1", "index1", "pinky1")}
    out = sign * _X
    upper, lower = at["elbow"] - at["shoulder"], at["wrist"] - at["elbow"]
    hinge, wanted = np.cross(upper, lower), np.cross(out, _FORWARD)
    rotation[JOINT[f"{side}_collar"]] = rotation_z(sign * np.radians(10.0))
    rotation[JOINT[f"{side}_shoulder"]] = _between(upper, hinge, out - 0.02 * _FORWARD, wanted)
    elbow = _between(lower, hinge, out + 0.03 * _FORWARD, wanted)
    hand = _between(at["middle1"] - at["wrist"], at["index1"] - at["pinky1"], out, _FORWARD)
    left = hand @ elbow.T
    twist = 0.5 * float(np.arctan2(sign * (left[2, 1] - left[1, 2]) / 2.0, (left[1, 1] + left[2, 2]) / 2.0))
    rotation[JOINT[f"{side}_elbow"]] = rotation_x(sign * twist) @ elbow
    rotation[JOINT[f"{side}_wrist"]] = hand
    return hand


def _fingers(rotation: F64, head: F64, tail: F64, side: str, sign: float, hand: F64) -> None:
    for finger in (*FINGER_YAW_DEG, "thumb"):
        index = [JOINT[f"{side}_{finger}{k}"] for k in (1, 2, 3)]
        points = [*head[index], tail[index[2]]]
        bones = [points[k + 1] - points[k] for k in range(3)]
        if finger == "thumb":
            for k in range(3):
                x, y, z = THUMB_DIRECTIONS[k]
                rotation[index[k]] = _shortest(hand @ bones[k], (sign * x, y, z)) @ hand
            continue
        yaw = np.radians(FINGER_YAW_DEG[finger])
        straight = np.array([sign * np.cos(yaw), 0.0, np.sin(yaw)])
        flexion = np.cross(bones[0], bones[1]) + np.cross(bones[1], bones[2])
        for k in range(3):
            drop = np.radians(FINGER_DROP_DEG[k])
            direction = straight * np.cos(drop) - _UP * np.sin(drop)
            rotation[index[k]] = _between(bones[k], flexion, direction, np.cross(straight, -_UP))


def t_pose(source: Source, weights: F64, vertices: F64) -> tuple[F64, F64, F64]:
    """The T-posed mesh (n, 3), its joints (52, 3) and bone tips (52, 3), for a shaped mesh in MakeHuman's pose."""
    head, tail = source.joints(vertices)
    rotation = np.tile(np.eye(3), (len(head), 1, 1))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        _leg(rotation, head, side, sign)
        hand = _arm(rotation, head, side, sign)
        _fingers(rotation, head, tail, side, sign, hand)
    joints = np.zeros_like(head)
    for j, parent in enumerate(PARENTS):
        joints[j] = head[j] if parent < 0 else joints[parent] + rotation[parent] @ (head[j] - head[parent])
    shift = joints - np.einsum("jab,jb->ja", rotation, head)
    blended = np.einsum("vj,jab->vab", weights, rotation)
    moved = np.einsum("vab,vb->va", blended, vertices) + weights @ shift
    return moved, joints, np.einsum("jab,jb->ja", rotation, tail) + shift

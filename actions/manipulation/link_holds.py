"""Ways for a hand to be on a moving link: closed round its handle, or flat against a face that it pushes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grasp import TURNS_DEG, cross, hand_rotation
from actions.manipulation.handles import Drive, clear_grips, grips
from actions.manipulation.shape import signed_distance
from assistcore.house.stage import Handle
from assistcore.house.state import Hand
from assistcore.world.poses import inverse, transform_points
from humans.hands import hand_pose, set_hand
from humans.kinematics import joint_transforms, skin
from humans.model import JOINT, BodyModel

F64 = NDArray[np.float64]

PUSH_TURNS = 12
"""Directions of the fingers in the face, 30 degrees apart."""
PITCHES_DEG = (20.0, 55.0)
"""How far the fingers point into the face: a flat hand, and finger tips where the forearm comes straight at it."""
PITCH_COST = (0.0, 0.35)
PRESS_M = 0.001
SKIN_M = 0.003
"""How deep the hand's skin may be in what it pushes."""
OUTER_M = (0.07, 0.20)
"""How far from the free edge a leaf is pushed."""
UPS_M = (0.0, 0.16)
"""How far above the handle (along the hinge) it is pushed."""
MARGIN_M = 0.05
SAME = 0.9
BAR_OTHER_COST = 0.3


@dataclass(frozen=True, eq=False)
class Holds:
    """Hand frames on a link: wrists (c, 4, 4) in the link's frame, in groups of `turns` neighbours, one contact for each group.

    cost (c,) is infinite where the hand would be inside the link. The first `plain` rows are the usual ones. `closed`: the fingers go
    round it.
    """

    wrists: F64
    cost: F64
    turns: int
    places: tuple[Handle, ...]
    plain: int
    closed: bool
    fixed: bool = False
    """Whether the hand keeps its turn: what is not round leaves a turning hand."""


def bar_holds(drive: Drive, side: Hand, body: BodyModel) -> Holds:
    """The hand round the drive's handle. Made in the link's frame: what is kept of it does not depend on where the link was, to the bit."""
    wrists = grips(side, *drive.own_frame())
    cost = np.where(clear_grips(drive, side, body), 0.0, np.inf)
    turns = len(TURNS_DEG)
    cost[2 * turns :] += BAR_OTHER_COST
    return Holds(wrists, cost, turns, (drive.handle,) * (len(wrists) // turns), 2 * turns, True)


def push_holds(drive: Drive, side: Hand, body: BodyModel, start: float, end: float) -> Holds | None:
    """A hand against the face that has to be pushed to go from `start` to `end`; None where the link has no such face."""
    places = _places(drive, start, end)
    if not places:
        return None
    hand = _open_hand_m(body, side)
    frames, cost, groups = [], [], []
    for place in places:  # the first half of them are the usual ones
        for pitch, extra in zip(PITCHES_DEG, PITCH_COST, strict=True):
            frames.append(_against(side, place, np.radians(pitch), hand))
            cost.append(np.full(PUSH_TURNS, extra))
            groups.append(place)
    wrists, costs = np.concatenate(frames), np.concatenate(cost)
    points = np.einsum("nij,kj->nki", wrists[:, :3, :3], hand) + wrists[:, None, :3, 3]
    gap = signed_distance(drive.solids, points.reshape(-1, 3), 0.0).reshape(len(wrists), -1).min(axis=1)
    costs[gap < -SKIN_M] = np.inf
    return Holds(wrists, costs, PUSH_TURNS, tuple(groups), len(wrists) // 2, False) if np.isfinite(costs).any() else None


def _against(side: Hand, place: Handle, pitch_rad: float, hand: F64) -> F64:
    """Wrist frames (t, 4, 4) that lay the open hand (k, 3) against a place, its fingers turned round the normal."""
    normal, along = np.asarray(place.normal), np.asarray(place.along)
    turn = 2.0 * np.pi * np.arange(PUSH_TURNS)[:, None] / PUSH_TURNS
    flat = np.cos(turn) * along + np.sin(turn) * cross(normal, along)
    fingers = np.cos(pitch_rad) * flat - np.sin(pitch_rad) * normal
    palm = -np.cos(pitch_rad) * normal - np.sin(pitch_rad) * flat
    T = np.tile(np.eye(4), (PUSH_TURNS, 1, 1))
    T[:, :3, :3] = hand_rotation(side, fingers, palm)
    turned = np.einsum("nij,kj->nki", T[:, :3, :3], hand)
    first = np.argmin(turned @ normal, axis=1)
    T[:, :3, 3] = np.asarray(place.point_m) - PRESS_M * normal - turned[np.arange(PUSH_TURNS), first]
    return T


@lru_cache(maxsize=8)
def _open_hand_m(body: BodyModel, side: Hand) -> F64:
    """Skin (k, 3) of the open hand in the wrist joint's frame."""
    pose = set_hand(np.zeros(156), side, hand_pose(body, "open", side))
    bones = joint_transforms(body, pose)
    first = 22 if side == "left" else 37
    rows = np.isin(body.dominant_joint(), [JOINT[f"{side}_wrist"], *range(first, first + 15)])
    return np.ascontiguousarray(transform_points(inverse(bones[JOINT[f"{side}_wrist"]]), skin(body, bones)[rows]))


def _places(drive: Drive, start: float, end: float) -> list[Handle]:
    """Points with outward normals on the pushed face, link frame."""
    link, joint = drive.link, drive.joint
    inv = inverse(link.T_root_link)
    axis = inv[:3, :3] @ np.asarray(joint.axis, np.float64)
    axis = axis / float(np.linalg.norm(axis))
    handle = np.asarray(drive.handle.point_m, np.float64)
    panel = _panel(drive, axis)
    if panel is None:
        return []
    low, high, thin = panel
    if joint.kind == "slide":
        ahead = axis * np.sign(end - start)
        points = _spread(low, high, thin, handle)
    else:
        anchor = transform_points(inv, np.asarray(joint.anchor_m, np.float64)[None])[0]
        lengthwise = int(np.argmax(np.abs(axis)))
        across = 3 - thin - lengthwise
        middle = 0.5 * (low + high)
        ahead = np.sign(end - start) * cross(axis, middle - anchor)
        free = high[across] if middle[across] > anchor[across] else low[across]
        points = []
        for up in UPS_M:
            for inward in OUTER_M:
                p = middle.copy()
                p[across] = free - np.sign(middle[across] - anchor[across]) * inward
                p[lengthwise] = handle[lengthwise] + up * np.sign(axis[lengthwise])
                p[lengthwise] = np.clip(p[lengthwise], low[lengthwise] + MARGIN_M, high[lengthwise] - MARGIN_M)
                points.append(p)
    normal = np.zeros(3)
    normal[thin] = -np.sign(ahead[thin])
    along = np.zeros(3)
    along[int(np.argmax(np.where(np.arange(3) == thin, -1.0, high - low)))] = 1.0
    out: dict[tuple[float, float, float], Handle] = {}
    for p in points:
        p[thin] = high[thin] if normal[thin] > 0 else low[thin]
        x, y, z = (float(v) for v in p)
        out.setdefault((x, y, z), Handle((x, y, z), _triple(normal), _triple(along)))
    return list(out.values())


def _spread(low: F64, high: F64, thin: int, handle: F64) -> list[F64]:
    """Places on the front of a drawer: beside its handle, and above it."""
    out = []
    wide, tall = sorted((k for k in range(3) if k != thin), key=lambda k: float(low[k] - high[k]))
    for share in (0.5, 0.25, 0.75):
        for up in (0.5, 0.8):
            p = 0.5 * (low + high)
            p[wide] = low[wide] + share * (high[wide] - low[wide])
            p[tall] = low[tall] + up * (high[tall] - low[tall])
            out.append(p)
    return out


def _panel(drive: Drive, axis: F64) -> tuple[F64, F64, int] | None:
    """Corners low, high (3,) and the thin axis of the leaf, or of a drawer's front, in the link's frame."""
    best: tuple[float, F64, F64, int] | None = None
    for piece in drive.link.pieces:
        corners = transform_points(piece.T_link_piece, piece.vertices_m)
        low, high = corners.min(axis=0), corners.max(axis=0)
        size = high - low
        thin = int(np.argmin(size))
        facing = abs(float(axis[thin]))
        if (facing < SAME) if drive.joint.kind == "slide" else (facing > 1.0 - SAME):
            continue
        area = float(np.prod(np.delete(size, thin)))
        out = float(high[thin]) if axis[thin] > 0 else -float(low[thin])
        score = area + (0.2 * area * out if drive.joint.kind == "slide" else 0.0)
        if best is None or score > best[0]:
            best = (score, low, high, thin)
    return None if best is None else best[1:]


def _triple(v: F64) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in v)
    return (x, y, z)


def on(drive: Drive, place: Handle) -> Drive:
    """The drive with its contact elsewhere."""
    return drive if place is drive.handle else replace(drive, handle=place)

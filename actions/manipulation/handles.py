"""Handles that move with a joint: where they are, which links and things go along, how a hand may hold them on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.grasp import bar_frames
from actions.manipulation.shape import entity_solids, signed_distance
from actions.manipulation.surroundings import link_riders
from actions.world import ActionWorld
from assistcore.house.collision import Solids
from assistcore.house.stage import Entity, Handle, Joint, Link, link_matrix
from assistcore.house.state import Hand
from assistcore.world.poses import inverse, transform_points
from humans.model import BodyModel
from humans.proxies import CAPSULE, rig

F64 = NDArray[np.float64]

BAR_OUT_M = 0.052
"""How far the middle of a bar lies out of the wrist's plane."""
CLEAR_M = 0.006
AJAR = 0.3
"""Open share from which the free edge of a leaf can be taken."""
EDGE_IN_M = 0.008
TILTS_DEG = (0.0, 25.0, -25.0)


@dataclass(frozen=True, eq=False)
class Drive:
    """A joint to be moved by its handle: entity, link, joint and the handle on the person's side; world frames by joint value."""

    world: ActionWorld
    entity: Entity
    link: Link
    joint: Joint
    handle: Handle

    def link_at(self, value: float) -> F64:
        """World transform (4, 4) of the moving link at a joint value."""
        joints = {**self.world.state.joints, self.joint.key: value}
        return link_matrix(self.entity, self.link, self.world.state.root(self.world.stage, self.entity.key), joints)

    def frame_at(self, value: float) -> tuple[F64, F64, F64]:
        """Point, outward normal and bar direction (3,) of the handle at a joint value."""
        return self._frame(self.link_at(value))

    def own_frame(self) -> tuple[F64, F64, F64]:
        """`frame_at` in the link's own frame: the same bits wherever the link is."""
        return self._frame(np.eye(4))

    def _frame(self, T: F64) -> tuple[F64, F64, F64]:
        point = T[:3, :3] @ np.asarray(self.handle.point_m) + T[:3, 3]
        normal = T[:3, :3] @ np.asarray(self.handle.normal, np.float64)
        along = T[:3, :3] @ np.asarray(self.handle.along, np.float64)
        normal = normal / np.linalg.norm(normal)
        along = along - (along @ normal) * normal
        return point, normal, along / np.linalg.norm(along)

    def lever_m(self, start: float, end: float) -> float:
        """How far the handle goes between two joint values, metres along its way."""
        points = np.stack([self.frame_at(float(v))[0] for v in np.linspace(start, end, 9)])
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())

    @cached_property
    def solids(self) -> Solids:
        """The moving link's pieces in its own frame."""
        return entity_solids(replace(self.entity, links=(replace(self.link, joint=None, T_root_link=np.eye(4), parent=""),)))

    def moving(self) -> frozenset[str]:
        """Links that move with the joint: its own and those below it."""
        keys = {self.link.key}
        grown = True
        while grown:
            more = {x.key for x in self.entity.links if x.parent in keys} - keys
            keys |= more
            grown = bool(more)
        return frozenset(keys)

    def rider_tracks(self, values: F64) -> dict[str, F64]:
        """Tracks (n, 7) of what stands in or on the moving links, for joint values (n,)."""
        from actions.frames import pose_rows

        riders = link_riders(self.world, self.entity.key, self.moving())
        if not riders:
            return {}
        now = inverse(self.link_at(self.world.state.joints.get(self.joint.key, self.joint.initial)))
        links = np.stack([self.link_at(float(v)) for v in values])
        return {key: pose_rows(links @ (now @ self.world.state.root(self.world.stage, key))) for key in riders}


def drives_of(world: ActionWorld, key: str, viewer_xy: tuple[float, float] | None = None) -> list[Drive]:
    """Ways to take hold of the entity's driven joint, the handle on the person's side first, then (standing open) the free edge.

    `viewer_xy`: from which side a door is taken (the person's place unless given).
    """
    entity = world.stage.entity(key)
    link = next((x for x in entity.links if x.joint is not None), None)
    if link is None or link.joint is None:
        return []
    handle = link.handle or _front_handle(link)
    value = world.state.joints.get(link.joint.key, link.joint.initial)
    drive = Drive(world, entity, link, link.joint, handle)
    if entity.kind == "door":
        point, normal, _ = drive.frame_at(value)
        if float((np.asarray(viewer_xy or world.state.body.xy_m) - point[:2]) @ normal[:2]) < 0.0:
            drive = Drive(world, entity, link, link.joint, mirrored(link, handle))
    if link.joint.kind != "hinge" or world.state.open_fraction(world.stage, link.joint.key) < AJAR:
        return [drive]
    return [drive, Drive(world, entity, link, link.joint, edge_handle(link, link.joint, handle))]


def edge_handle(link: Link, joint: Joint, handle: Handle) -> Handle:
    """The free edge of a leaf, at the height of its handle: where an open door is taken when its front is against something."""
    leaf = max(link.pieces, key=lambda p: float(np.prod(np.ptp(p.vertices_m, axis=0))))
    corners = transform_points(leaf.T_link_piece, leaf.vertices_m)
    low, high = corners.min(axis=0), corners.max(axis=0)
    point = 0.5 * (low + high)
    inv = inverse(link.T_root_link)
    anchor = transform_points(inv, np.asarray(joint.anchor_m, np.float64)[None])[0]
    axis = inv[:3, :3] @ np.asarray(joint.axis, np.float64)
    axis = axis / np.linalg.norm(axis)
    away = point - anchor
    away = away - (away @ axis) * axis
    k = int(np.argmax(np.abs(away)))
    outward = np.zeros(3)
    outward[k] = np.sign(away[k])
    point[k] = high[k] if away[k] > 0 else low[k]
    point = point + ((np.asarray(handle.point_m) - point) @ axis) * axis - EDGE_IN_M * outward
    x, y, z = point.tolist()
    a, b, c = outward.tolist()
    i, j, m = axis.tolist()
    return Handle((x, y, z), (a, b, c), (i, j, m))


def mirrored(link: Link, handle: Handle) -> Handle:
    """The handle on the other face of a leaf."""
    low, high = _link_box(link)
    normal = np.asarray(handle.normal, np.float64)
    centre = 0.5 * (low + high)
    point = np.asarray(handle.point_m)
    flipped = point - 2.0 * float((point - centre) @ normal) * normal
    x, y, z = flipped.tolist()
    a, b, c = (-normal).tolist()
    return Handle((x, y, z), (a, b, c), handle.along)


def _link_box(link: Link) -> tuple[F64, F64]:
    points = np.concatenate([transform_points(p.T_link_piece, p.vertices_m) for p in link.pieces])
    return points.min(axis=0), points.max(axis=0)


def _front_handle(link: Link) -> Handle:
    """For a leaf without a handle: the free edge of its front."""
    low, high = _link_box(link)
    centre = 0.5 * (low + high)
    joint = link.joint
    thin = int(np.argmin(high - low))
    normal = np.zeros(3)
    normal[thin] = -1.0
    point = centre.copy()
    point[thin] = low[thin]
    if joint is not None and joint.kind == "hinge":
        away = centre - np.asarray(joint.anchor_m)
        across = [k for k in range(3) if k != thin and abs(joint.axis[k]) < 0.5]
        for k in across:
            point[k] = high[k] - 0.05 if away[k] > 0 else low[k] + 0.05
    x, y, z = point.tolist()
    a, b, c = normal.tolist()
    return Handle((x, y, z), (a, b, c), (0.0, 0.0, 1.0) if thin != 2 else (1.0, 0.0, 0.0))


def grips(side: Hand, point: F64, normal: F64, along: F64) -> F64:
    """Wrist frames (6 k, 4, 4) that hold a handle's bar, in a fixed order (`bar_frames`)."""
    return bar_frames(side, point, normal, along, BAR_OUT_M, TILTS_DEG)


def clear_grips(drive: Drive, side: Hand, body: BodyModel) -> NDArray[np.bool_]:
    """Which rows of `grips` keep the hand's capsule out of the moving link (the same at every joint value)."""
    wrists = grips(side, *drive.own_frame())
    r = rig(body)
    row = CAPSULE[f"{side}_hand"]
    t = np.linspace(0.0, 1.0, 7)[:, None]
    axis = r.offset_a_m[row] * (1.0 - t) + r.offset_b_m[row] * t
    points = np.einsum("gij,kj->gki", wrists[:, :3, :3], axis) + wrists[:, None, :3, 3]
    radius = float(r.radius_m[row])
    gap = signed_distance(drive.solids, points.reshape(-1, 3), radius).reshape(len(wrists), -1).min(axis=1) - radius
    return np.asarray(gap > -CLEAR_M)

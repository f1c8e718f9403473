"""Findings that need the collision world: things inside each other, things that float, things that nobody can reach."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.collision import CollisionWorld
from assistcore.house.stage import Entity, StageModel, link_matrix
from assistcore.world.errors import Problem

DEEP_M = 0.005
GAP_M = 0.005
VOXEL_M = 0.04


def check_overlaps(stage: StageModel) -> list[Problem]:
    """No two entities are deeper than 5 mm inside each other (walls, floors and ceilings among themselves excepted)."""
    world = CollisionWorld(stage)
    kind = {e.key: e.kind for e in stage.entities}
    found: dict[tuple[str, str], float] = {}
    for e in stage.entities:
        if e.kind == "structure":
            continue
        for hit in world.entity(e.key, e.pose.matrix()):
            pair = (e.key, hit.owner) if kind[hit.owner] == "structure" else (min(e.key, hit.owner), max(e.key, hit.owner))
            found[pair] = min(found.get(pair, 0.0), hit.distance_m)
    return [
        Problem(f"{stage.name}#/entities/{a}", f"is {-d * 1000:.0f} mm inside {b!r}", "move one of them")
        for (a, b), d in sorted(found.items())
        if d < -DEEP_M
    ]


def check_support(stage: StageModel) -> list[Problem]:
    """Movables rest on something (gap at most 5 mm below them) or are mated to something; fixtures touch floor, wall or furniture."""
    world = CollisionWorld(stage)
    out = []
    for e in stage.entities:
        if e.kind not in ("movable", "fixture") or e.mated is not None or not any(link.pieces for link in e.links):
            continue
        hits = world.entity(e.key, e.pose.matrix(), margin_m=GAP_M)
        box = world.box_m(e.key)
        if box is None:
            continue
        below = [h for h in hits if e.kind == "fixture" or h.point_m[2] < box[0][2] + 0.012]
        if not below:
            x, y, _ = ((box[0] + box[1]) / 2).tolist()
            support = world.support_m(x, y, float(box[0][2]) + 1e-6)
            gap = "nothing below" if support is None else f"{(box[0][2] - support) * 1000:.0f} mm above what is below"
            out.append(Problem(f"{stage.name}#/entities/{e.key}", f"floats: {gap}", "put it down"))
    return out


def check_walled_in(stage: StageModel) -> list[Problem]:
    """From every movable a way through free air leads into the room, if all doors, lids and drawers were open (virtualhome#27)."""
    movables = [e for e in stage.entities if e.kind == "movable" and any(link.pieces for link in e.links)]
    if not movables or not stage.rooms:
        return []
    corners = np.concatenate([np.asarray(r.polygon_m) for r in stage.rooms])
    origin = np.array([*corners.min(axis=0) - 0.1, min(r.floor_m for r in stage.rooms) - 0.1])
    top = np.array([*corners.max(axis=0) + 0.1, max(r.ceiling_m for r in stage.rooms)])
    solid = _occupied(stage, origin, np.ceil((top - origin) / VOXEL_M).astype(int))
    air = _air(stage, solid, origin)
    out = []
    for e in movables:
        a, b = _box(e)
        i = np.clip(np.floor((a - origin) / VOXEL_M).astype(int) - 1, 0, np.array(air.shape) - 1)
        j = np.clip(np.floor((b - origin) / VOXEL_M).astype(int) + 2, 1, np.array(air.shape))
        if not air[i[0] : j[0], i[1] : j[1], i[2] : j[2]].any():
            out.append(
                Problem(f"{stage.name}#/entities/{e.key}", "is walled in: no free way from the room leads to it", "clear its surroundings")
            )
    return out


def _box(e: Entity) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    low, high = e.box_m
    points = np.array([[x, y, z, 1.0] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]) @ e.pose.matrix().T
    return points[:, :3].min(axis=0), points[:, :3].max(axis=0)


def _occupied(stage: StageModel, origin: NDArray[np.float64], shape: NDArray[np.int_]) -> NDArray[np.bool_]:
    """Voxels whose middle lies in the box round a piece of anything that neither moves nor opens."""
    grid = np.zeros(shape, np.bool_)
    for e in stage.entities:
        if e.kind in ("movable", "door"):
            continue
        for link in e.links:
            if link.joint is not None or link.parent:
                continue
            T = link_matrix(e, link, e.pose.matrix(), {})
            for piece in link.pieces:
                v = (piece.vertices_m @ piece.T_link_piece[:3, :3].T + piece.T_link_piece[:3, 3]) @ T[:3, :3].T + T[:3, 3]
                i = np.clip(np.ceil((v.min(axis=0) - origin) / VOXEL_M - 0.5).astype(int), 0, shape)
                j = np.clip(np.floor((v.max(axis=0) - origin) / VOXEL_M + 0.5).astype(int), 0, shape)
                # A thin panel between two voxel middles still closes the way.
                j = np.maximum(j, np.minimum(i + 1, shape))
                grid[i[0] : j[0], i[1] : j[1], i[2] : j[2]] = True
    return grid


def _air(stage: StageModel, solid: NDArray[np.bool_], origin: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Free voxels connected to the free air at 1.5 m over each room's floor."""
    from scipy.ndimage import label

    from assets_bake.check_rooms import inside

    labels, _ = label(~solid)
    wanted: set[int] = set()
    for room in stage.rooms:
        k = int((room.floor_m + 1.5 - origin[2]) / VOXEL_M)
        if not 0 <= k < solid.shape[2]:
            continue
        polygon = np.asarray(room.polygon_m)
        for index in np.argwhere(labels[::5, ::5, k] > 0) * 5:
            if inside(origin[:2] + (index + 0.5) * VOXEL_M, polygon):
                wanted.add(int(labels[index[0], index[1], k]))
    return np.isin(labels, sorted(wanted))


def check_swings(stage: StageModel) -> list[Problem]:
    """No door, lid or drawer strikes anything deeper than 5 mm on its way (what rides inside a drawer is not in its way)."""
    world = CollisionWorld(stage)
    kinds = {e.key: e.kind for e in stage.entities}
    out = []
    for e in stage.entities:
        for joint in e.joints:
            deepest: dict[str, float] = {}
            for share in np.linspace(0.0, 1.0, 9):
                value = joint.closed_at + float(share) * (joint.open_at - joint.closed_at)
                world.place({}, {joint.key: value}, frozenset())
                for hit in world.entity(e.key, e.pose.matrix()):
                    if not (joint.kind == "slide" and kinds[hit.owner] == "movable"):
                        deepest[hit.owner] = min(deepest.get(hit.owner, 0.0), hit.distance_m)
            world.place({}, {}, frozenset())
            out += [
                Problem(f"{stage.name}#/joints/{joint.key}", f"strikes {owner!r} {-d * 1000:.0f} mm deep on its way", "clear its swing")
                for owner, d in sorted(deepest.items())
                if d < -DEEP_M
            ]
    return out

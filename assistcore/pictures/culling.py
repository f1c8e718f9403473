"""What a camera can see: boxes against the view pyramid, and rooms through open portals."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import F64, Camera
from assistcore.pictures.scene import PictureRoom, Portal

_OPEN = 1e-3
_ROOM_MARGIN_M = 0.12


def world_boxes(low: F64, high: F64, transforms: F64) -> tuple[F64, F64]:
    """World boxes (n, 3), (n, 3) of local boxes (n, 3), (n, 3) under transforms (n, 4, 4)."""
    centre, half = (low + high) / 2.0, (high - low) / 2.0
    c = np.einsum("nij,nj->ni", transforms[:, :3, :3], centre) + transforms[:, :3, 3]
    h = np.einsum("nij,nj->ni", np.abs(transforms[:, :3, :3]), half)
    return c - h, c + h


def boxes_in_view(low: F64, high: F64, camera: Camera) -> NDArray[np.bool_]:
    """True for boxes (n, 3), (n, 3) that may touch the camera's view pyramid; shape (n,)."""
    M = camera.clip_from_world()
    planes = np.concatenate([M[3] + M[:3], M[3] - M[:3]], axis=0)  # shape (6, 4)
    centre, half = (low + high) / 2.0, (high - low) / 2.0
    distance = centre @ planes[:, :3].T + planes[:, 3]
    reach = half @ np.abs(planes[:, :3]).T
    return np.asarray((distance + reach >= 0).all(axis=1))


def points_in_polygon(points: F64, polygon: F64) -> NDArray[np.bool_]:
    """Even-odd test of points (n, 2) in a polygon (k, 2)."""
    inside: NDArray[np.bool_] = np.zeros(len(points), bool)
    x, y = points[:, 0], points[:, 1]
    for (x0, y0), (x1, y1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if y0 != y1:
            crosses = (y0 > y) != (y1 > y)
            inside = np.logical_xor(inside, crosses & (x < (x1 - x0) * (y - y0) / (y1 - y0) + x0))
    return inside


def room_boxes(rooms: Sequence[PictureRoom]) -> tuple[F64, F64]:
    """Lower and upper corners (r, 3) of the rooms."""
    low = [(*room.polygon_m.min(axis=0), room.floor_m) for room in rooms]
    high = [(*room.polygon_m.max(axis=0), room.ceiling_m) for room in rooms]
    return np.array(low, dtype=np.float64).reshape(-1, 3), np.array(high, dtype=np.float64).reshape(-1, 3)


def room_of_point(rooms: Sequence[PictureRoom], point_m: F64) -> int | None:
    """Index of the room that holds a world point, None outside all rooms."""
    for k, room in enumerate(rooms):
        if room.floor_m <= point_m[2] <= room.ceiling_m and points_in_polygon(point_m[None, :2], room.polygon_m)[0]:
            return k
    return None


def membership(low: F64, high: F64, fixed_room: NDArray[np.int64], rooms: Sequence[PictureRoom]) -> NDArray[np.bool_]:
    """Which room each box touches, shape (n, r): the fixed room where one is given (>= 0), else every room whose box it overlaps."""
    room_low, room_high = room_boxes(rooms)
    touches = (low[:, None] <= room_high + _ROOM_MARGIN_M).all(axis=2) & (high[:, None] >= room_low - _ROOM_MARGIN_M).all(axis=2)
    given = fixed_room >= 0
    return np.where(given[:, None], fixed_room[:, None] == np.arange(len(rooms)), touches)


def _portal_window(portal: Portal, camera: Camera, rect: tuple[float, float, float, float]) -> tuple[float, float, float, float] | None:
    """The part of a pixel rectangle through which a portal may be seen, None if no part."""
    low, high = np.array(portal.low_m), np.array(portal.high_m)
    if (camera.position_m >= low - 0.3).all() and (camera.position_m <= high + 0.3).all():
        return rect
    corners = np.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    pixels, depth = camera.project(corners)
    if (depth <= 0).all():
        return None
    if (depth <= camera.near_m).any():
        return rect
    x0, y0 = np.maximum(pixels.min(axis=0), rect[:2])
    x1, y1 = np.minimum(pixels.max(axis=0), rect[2:])
    return (float(x0), float(y0), float(x1), float(y1)) if x0 < x1 and y0 < y1 else None


def visible_rooms(
    rooms: Sequence[PictureRoom], portals: Sequence[Portal], open_share: NDArray[np.float64], camera: Camera, camera_room: int | None
) -> list[int]:
    """Rooms that may be seen, the camera's first, then in the order in which open portals reach them; all when the camera is in none."""
    start = room_of_point(rooms, camera.position_m) if camera_room is None else camera_room
    if start is None:
        return list(range(len(rooms)))
    order = [start]
    border = [(start, (0.0, 0.0, float(camera.width), float(camera.height)), frozenset([start]))]
    while border:
        room, rect, path = border.pop(0)
        for k, portal in enumerate(portals):
            if room not in (portal.room_a, portal.room_b) or open_share[k] <= _OPEN:
                continue
            other = portal.room_b if room == portal.room_a else portal.room_a
            window = None if other in path else _portal_window(portal, camera, rect)
            if window is not None:
                if other not in order:
                    order.append(other)
                border.append((other, window, path | {other}))
    return order

"""What is seen in a maze of square cells by somebody who stands in one: a ray caster by columns. Lengths are in cells, walls 1 high."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistworld.engines.puzzle.games._mazes import STEPS, Cell, Walls
from assistworld.engines.puzzle.puzzle import Picture

F32: TypeAlias = NDArray[np.float32]

SIDE_PX = 336
EYE_HEIGHT = 0.5
BACK = 0.42
"""The eye stands this far behind the middle of the cell, so that the floor of the cell itself is in the picture."""
BALL_RADIUS, BALL_HEIGHT = 0.17, 0.3
BALL_RGB, FLOOR_RGB, RED_FLOOR_RGB, SKY_RGB = (
    np.array(rgb, np.float32) for rgb in ((222, 40, 38), (168, 160, 146), (236, 96, 84), (196, 210, 224))
)
_FOCAL_PX = SIDE_PX / 2
"""90 degrees from left to right."""
_BRICKS = 64


def view(walls: Walls, cell: Cell, heading: int, target: Cell) -> Picture:
    """What is ahead; a new picture. heading: index into :data:`~assistworld.engines.puzzle.games._mazes.STEPS`."""
    ahead, right = _axes(heading)
    eye = np.array(cell, np.float32) + 0.5 - BACK * ahead
    rays = ahead + right * _across()[:, None]
    depth, hit, across_rows = _walls_hit(_closed(walls), eye, rays)
    background, tile = _background(heading)
    picture = background.copy()
    on_target = (tile[..., 0] == target[0] - cell[0]) & (tile[..., 1] == target[1] - cell[1])
    picture[SIDE_PX // 2 :][on_target] = _red_tile(heading)[on_target]
    _put_walls(picture, eye, rays, depth, hit, across_rows)
    _put_ball(picture, depth, np.array(target, np.float32) + 0.5 - eye, ahead, right)
    return picture


def _axes(heading: int) -> tuple[F32, F32]:
    """Ahead and to the right, in (row, column)."""
    ahead = np.array(STEPS[heading], np.float32)
    return ahead, np.array((ahead[1], -ahead[0]), np.float32)


@lru_cache(maxsize=1)
def _across() -> F32:
    """Tangent of every column's angle from the middle, and of every row's."""
    return ((np.arange(SIDE_PX) + 0.5 - SIDE_PX / 2) / _FOCAL_PX).astype(np.float32)


@lru_cache(maxsize=32)
def _closed(walls: Walls) -> NDArray[np.bool_]:
    return np.array([[cell == "#" for cell in row] for row in walls])


def _walls_hit(closed: NDArray[np.bool_], eye: F32, rays: F32) -> tuple[F32, NDArray[np.int64], NDArray[np.bool_]]:
    """For each ray the depth along the view axis, the wall's cell (n, 2), and whether it was entered across rows rather than columns."""
    cells = np.repeat(np.floor(eye).astype(np.int64)[None], len(rays), 0)
    step = np.where(rays < 0, -1, 1)
    with np.errstate(divide="ignore"):
        stride = np.abs(np.float32(1) / rays)
    edge = np.where(rays < 0, eye - cells, cells + 1 - eye)
    reach = np.where(np.isfinite(stride), edge * np.where(np.isfinite(stride), stride, 0), np.inf)
    depth = np.zeros(len(rays), np.float32)
    axis = np.zeros(len(rays), np.int64)
    going = np.ones(len(rays), np.bool_)
    every = np.arange(len(rays))
    while going.any():
        nearest = np.argmin(reach, axis=1)
        depth = np.where(going, reach[every, nearest], depth).astype(np.float32)
        axis = np.where(going, nearest, axis)
        moved = every[going]
        along = nearest[going]
        cells[moved, along] += step[moved, along]
        reach[moved, along] += stride[moved, along]
        going &= ~closed[cells[:, 0], cells[:, 1]]
    return depth, cells, axis == 0


@lru_cache(maxsize=4)
def _background(heading: int) -> tuple[Picture, NDArray[np.int64]]:
    """Floor tiles and sky without walls, and for every pixel of the lower half the cell it shows, relative to the player's.

    Tiles are half a cell wide, so that the pattern is the same from every cell. Shared, so not to be written to.
    """
    picture = np.empty((SIDE_PX, SIDE_PX, 3), np.uint8)
    half, (ahead, right) = SIDE_PX // 2, _axes(heading)
    far = _floor_depth()
    place = 0.5 - BACK * ahead + far[:, None, None] * (ahead + right * _across()[:, None])
    dark = np.floor(place * 2).sum(-1) % 2
    shade = _fog(far)[:, None, None]
    picture[half:] = (FLOOR_RGB - dark[..., None] * np.float32(26)) * shade
    picture[:half] = (SKY_RGB * shade)[::-1]
    return picture, np.floor(place).astype(np.int64)


@lru_cache(maxsize=4)
def _red_tile(heading: int) -> Picture:
    """The lower half as if every tile were the target's."""
    red = RED_FLOOR_RGB * _fog(_floor_depth())[:, None, None]
    return np.broadcast_to(red, (SIDE_PX // 2, SIDE_PX, 3)).astype(np.uint8)


def _floor_depth() -> F32:
    """Depth of the floor in every row of the lower half; of the ceiling in those of the upper half, from below."""
    return EYE_HEIGHT / _across()[SIDE_PX // 2 :]


def _fog(depth: F32) -> F32:
    return np.asarray(1 / (1 + 0.12 * np.maximum(depth - 0.5, 0)), dtype=np.float32)


_BRIGHT = np.array((0.62, 0.84, 0.89, 0.94, 0.99), np.float32)
"""Joints, and four kinds of brick."""


@lru_cache(maxsize=1)
def _brickwork() -> NDArray[np.uint8]:
    """A wall as indices into the brightnesses, shape (64, 64): courses of bricks with joints."""
    rows, columns = np.mgrid[0:_BRICKS, 0:_BRICKS]
    course = rows // 16
    along = columns + 16 * (course % 2)
    kind = 1 + (course * 5 + along // 32 * 3) % 4
    return np.where((rows % 16 < 2) | (along % 32 < 2), 0, kind).astype(np.uint8)


_PAINT = np.array(((196, 92, 70), (92, 130, 190), (108, 168, 106), (214, 174, 92), (150, 104, 178), (92, 170, 176)), np.float32)


def _put_walls(picture: Picture, eye: F32, rays: F32, depth: F32, hit: NDArray[np.int64], across_rows: NDArray[np.bool_]) -> None:
    """Bricks whose colour tells walls apart: it follows from the wall's cell, and is darker on the sides that face up or down the map."""
    along = np.where(across_rows, eye[1] + depth * rays[:, 1], eye[0] + depth * rays[:, 0]) % 1
    paint = _PAINT[(hit[:, 0] * 5 + hit[:, 1] * 3) % len(_PAINT)] * (_fog(depth) * np.where(across_rows, 0.82, 1.0))[:, None]
    looks = (paint[:, None] * _BRIGHT[:, None]).astype(np.uint8)
    rows = np.floor((_across()[:, None] * depth + EYE_HEIGHT) * _BRICKS).astype(np.int32)
    at_row, at_column = np.nonzero((rows >= 0) & (rows < _BRICKS))
    bricks = _brickwork()[rows[at_row, at_column], (along * _BRICKS).astype(np.int32)[at_column]]
    picture[at_row, at_column] = looks[at_column, bricks]


def _put_ball(picture: Picture, depth: F32, offset: F32, ahead: F32, right: F32) -> None:
    """The target: a red ball above the middle of its cell, hidden by walls."""
    far = float(offset @ ahead)
    if far <= 2 * BALL_RADIUS:
        return
    column = SIDE_PX / 2 + _FOCAL_PX * float(offset @ right) / far
    row = SIDE_PX / 2 + _FOCAL_PX * (EYE_HEIGHT - BALL_HEIGHT) / far
    radius = _FOCAL_PX * BALL_RADIUS / far
    top, bottom = max(int(row - radius), 0), min(int(row + radius) + 2, SIDE_PX)
    left, end = max(int(column - radius), 0), min(int(column + radius) + 2, SIDE_PX)
    if top >= bottom or left >= end:
        return
    dy = (np.arange(top, bottom) + 0.5 - row)[:, None] / radius
    dx = (np.arange(left, end) + 0.5 - column)[None, :] / radius
    inside = (dx**2 + dy**2 <= 1) & (depth[left:end] > far)[None, :]
    light = 0.55 + 0.45 * np.clip(np.sqrt(np.clip(1 - dx**2 - dy**2, 0, 1)) * 0.6 - dy * 0.6 - dx * 0.4, 0, 1)
    np.copyto(picture[top:bottom, left:end], (light[..., None] * BALL_RGB).astype(np.uint8), where=inside[..., None])

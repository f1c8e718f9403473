"""Views of the rooms as they stand: cameras at the height of a person, kept where every part of the picture shows something else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from assistcore.pictures import Camera, Picture

SIDE_PX = 384
TILES = 3


def room_camera(stage: StageModel, rng: np.random.Generator, side_px: int) -> tuple[str, Camera]:
    """A room and a camera in it that looks at one of the things in it."""
    room = stage.rooms[int(rng.integers(len(stage.rooms)))]
    low, high = np.array(room.polygon_m).min(axis=0) + 0.25, np.array(room.polygon_m).max(axis=0) - 0.25
    things = [entity for entity in stage.entities if entity.room == room.key and entity.kind == "movable"] or list(stage.entities)
    aim = np.array(things[int(rng.integers(len(things)))].pose.position_m) + rng.uniform(-0.2, 0.2, 3)
    for _ in range(200):
        eye = np.array([*rng.uniform(low, high), rng.uniform(1.0, 1.75)])
        if 1.0 < np.linalg.norm(eye - aim) < 4.0:
            break
    return room.key, Camera.look_at(eye, aim, hfov_rad=np.radians(rng.uniform(50.0, 64.0)), width=side_px, height=side_px)


def worth_taking(picture: Picture) -> float:
    """How much a view shows: the least standard deviation (of 255) of its nine parts; 0 for one that is blocked or nearly grey."""
    rgb, depth = picture.rgb.astype(np.float64), picture.depth_m
    if float(np.median(depth)) < 0.8 or float(np.quantile(depth, 0.02)) < 0.3:
        return 0.0
    colour = rgb.max(axis=2) - rgb.min(axis=2)
    if float(np.quantile(colour, 0.9)) < 60.0:
        return 0.0
    return min(float(tile.std(axis=(0, 1)).mean()) for tile in _tiles(rgb))


def unlike(picture: Picture, others: list[NDArray[np.float64]]) -> bool:
    """Whether a view differs from all those before, by its coarse colours (8 x 8)."""
    coarse = _coarse(picture)
    return all(float(np.abs(coarse - other).mean()) > 18.0 for other in others)


def _coarse(picture: Picture) -> NDArray[np.float64]:
    side = picture.rgb.shape[0] // 8
    return np.asarray(picture.rgb[: 8 * side, : 8 * side].reshape(8, side, 8, side, 3).mean(axis=(1, 3)))


def remember(picture: Picture, others: list[NDArray[np.float64]]) -> None:
    """Add a view to those that later ones must differ from."""
    others.append(_coarse(picture))


def _tiles(rgb: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    return [tile for rows in np.array_split(rgb, TILES, axis=0) for tile in np.array_split(rows, TILES, axis=1)]

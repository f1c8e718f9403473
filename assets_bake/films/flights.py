"""Ways that a camera can go: straight ahead through free space, looking about a little, each picture unlike the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from assistcore.pictures import Camera, Picture

F64 = NDArray[np.float64]

FRAMES = 10
SIDE_PX = 224
HFOV_RAD = np.radians(72.0)
CLEAR_M = 0.55
"""Nothing is nearer to the camera than this, at any time."""
LEAST_M, MOST_M = 1.7, 4.5
LEAST_CHANGE, MOST_CHANGE = 0.024, 0.16
"""Bounds of `change` between neighbouring frames: below, they could hardly be told apart; above, they would not look like one film."""


@dataclass(frozen=True, eq=False)
class Flight:
    """room: where it begins. eyes: (FRAMES, 3), metres, world frame. aims: (FRAMES, 3), what is looked at."""

    room: str
    eyes: F64
    aims: F64

    def camera(self, frame: int, side_px: int) -> Camera:
        """The camera of a frame."""
        return Camera.look_at(self.eyes[frame], self.aims[frame], hfov_rad=float(HFOV_RAD), width=side_px, height=side_px)

    @property
    def length_m(self) -> float:
        """From the first eye to the last."""
        return float(np.linalg.norm(self.eyes[-1] - self.eyes[0]))


def drawn_flight(stage: StageModel, rng: np.random.Generator) -> Flight:
    """A random way that begins in a random room; whether it is free is not known yet."""
    room = stage.rooms[int(rng.integers(len(stage.rooms)))]
    low, high = np.array(room.polygon_m).min(axis=0) + 0.3, np.array(room.polygon_m).max(axis=0) - 0.3
    start = np.array([*rng.uniform(low, high), rng.uniform(1.1, 1.6)])
    heading, length = rng.uniform(-np.pi, np.pi), rng.uniform(LEAST_M, MOST_M)
    share = np.linspace(0, 1, FRAMES)[:, None]
    end = start + length * np.array([np.cos(heading), np.sin(heading), 0.0]) + (0, 0, rng.uniform(-0.25, 0.25))
    eyes = start + share * (end - start)
    yaw = heading + np.radians(rng.uniform(-14, 14) + rng.uniform(-16, 16) * share[:, 0])
    pitch = np.radians(rng.uniform(-14, 0) + rng.uniform(-6, 6) * share[:, 0])
    looks = np.stack([np.cos(yaw) * np.cos(pitch), np.sin(yaw) * np.cos(pitch), np.sin(pitch)], 1)
    return Flight(room.key, eyes, eyes + 2.0 * looks)


def is_free(first: Picture, flight: Flight) -> bool:
    """Whether the first picture shows free space along the whole way, and nothing beside it that is too near."""
    camera = flight.camera(0, first.rgb.shape[0])
    directions = camera.pixel_rays() @ ((flight.eyes[-1] - flight.eyes[0]) / flight.length_m)
    depth = camera.ray_depth(first.depth_m)
    aside = depth * np.sqrt(np.clip(1 - directions**2, 0, 1))
    in_the_way = (directions > 0.2) & (depth * directions < flight.length_m + CLEAR_M) & (aside < 0.3)
    return not in_the_way.any() and float(first.depth_m.min()) > CLEAR_M


def change(before: NDArray[np.uint8], after: NDArray[np.uint8]) -> float:
    """Mean difference, 0 to 1, of two frames by areas of 8 x 8 pixels."""
    return float(np.abs(_coarse(before) - _coarse(after)).mean())


def _coarse(rgb: NDArray[np.uint8]) -> F64:
    cells = rgb.shape[0] // 8
    return np.asarray(rgb[: 8 * cells, : 8 * cells].reshape(cells, 8, cells, 8, 3).mean(axis=(1, 3)) / 255)


def worth_filming(pictures: Sequence[Picture]) -> bool:
    """Whether each frame has room before it and colours in it, and differs from the one before as much as it should."""
    for picture in pictures:
        if float(picture.depth_m.min()) < CLEAR_M * 0.8 or float(picture.rgb.std()) < 30.0:
            return False
    frames = [picture.rgb for picture in pictures]
    changes = [change(a, b) for a, b in zip(frames, frames[1:], strict=False)]
    return min(changes) >= LEAST_CHANGE and max(changes) <= MOST_CHANGE

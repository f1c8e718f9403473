"""Where things are spread and how: sorts and numbers are drawn, things lie apart, and a camera sees every one of them nearly whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assets_bake.stills.studio import Placed, Studio
from assets_bake.stills.things import LARGE, SORTS, Sort, box_of, radius_m
from assistcore.house.stage import StageModel
from assistcore.pictures import Camera

WIDTH_PX, HEIGHT_PX = 448, 336
LEAST_PX = 90
"""Least visible pixels of a thing that counts."""
LEAST_VISIBLE = 0.6
"""Least visible share of the convex outline of a thing; a thing with a hole or a handle fills about 0.8 of its own."""
EDGE_PX = 4


@dataclass(frozen=True)
class Place:
    """A rectangle to spread things on: its scene, the entities that are cleared away by standing on it, world corners, height."""

    scene: str
    room: str
    low_m: tuple[float, float]
    high_m: tuple[float, float]
    top_m: float
    floor: bool = False


def places(stages: dict[str, StageModel]) -> list[Place]:
    """Tables, counters and the bed as their regions say, and free pieces of floor."""
    tables = (
        ("flat", "dining_table_1", "top"), ("flat", "coffee_table_1", "top"), ("flat", "desk_1", "top"), ("flat", "bed_1", "top"),
        ("annex", "sorting_table_1", "top"), ("annex", "folding_table_1", "top"), ("annex", "packing_table_1", "top"),
        ("annex", "trestle_table_1", "top"), ("annex", "workbench_1", "top"), ("annex", "dining_table_1", "top"),
        ("annex", "desk_1", "top"),
    )  # fmt: skip
    found = []
    for scene, key, name in tables:
        entity = stages[scene].entity(key)
        region = next(region for region in entity.regions if region.name == name)
        link = entity.link(region.link)
        T = entity.pose.matrix() @ link.T_root_link
        corners = np.array([(*region.low_m[:2], region.low_m[2]), (*region.high_m[:2], region.low_m[2])]) @ T[:3, :3].T + T[:3, 3]
        low, high = corners.min(axis=0), corners.max(axis=0)
        if high[0] - low[0] > 2.0:  # a long bench: its middle
            middle = (low[0] + high[0]) / 2
            low[0], high[0] = middle - 0.7, middle + 0.7
        found.append(Place(scene, entity.room, (low[0], low[1]), (high[0], high[1]), float(corners[0, 2])))
    floors = (
        ("flat", "living_room", (1.2, 5.0), (3.0, 6.2)), ("flat", "bedroom", (2.4, 1.6), (4.2, 3.2)),
        ("flat", "kitchen", (7.4, 5.4), (9.4, 6.8)), ("annex", "break_room", (10.9, 2.1), (12.9, 3.4)),
        ("annex", "laundry", (4.4, 1.0), (5.7, 2.8)), ("annex", "office", (1.6, 6.2), (3.2, 8.2)),
    )  # fmt: skip
    return found + [Place(scene, room, low, high, 0.0, True) for scene, room, low, high in floors]


def in_the_way(stage: StageModel, place: Place) -> frozenset[str]:
    """Everything that can be carried and is in the room of a place: it is taken away, so that only what was put is to be counted."""
    return frozenset(entity.key for entity in stage.entities if entity.kind == "movable" and entity.room == place.room)


def draw_spread(flat: StageModel, place: Place, rng: np.random.Generator, main: Sort, wanted: int) -> list[Placed]:
    """Things on a place: about `wanted` of one sort, fewer of two to four others, none nearer to another than the two reach."""
    others = [sort for sort in SORTS if sort is not main and (not place.floor or sort.noun in LARGE)]
    chosen = [others[n] for n in rng.permutation(len(others))[: int(rng.integers(2, 5))]]
    order = [main] * wanted + [sort for sort in chosen for _ in range(int(rng.integers(1, 6)))]
    tints = {sort.noun: _some_colours(sort, rng) for sort in (main, *chosen)}
    placed: list[tuple[float, float, float]] = []
    found: list[Placed] = []
    for sort in (order[n] for n in _main_first(order, main, rng)):
        reach = radius_m(flat, sort)
        spot = _free_spot(place, reach, placed, rng)
        if spot is None:
            continue
        placed.append((*spot, reach))
        colour = str(rng.choice(tints[sort.noun])) if sort.colours else ""
        found.append(Placed(sort, colour, _standing(flat, sort, spot, place.top_m, rng)))
    return found


def _some_colours(sort: Sort, rng: np.random.Generator) -> list[str]:
    """Two or three of the colours of a sort; none where it has none."""
    if not sort.colours:
        return []
    return [sort.colours[n] for n in rng.permutation(len(sort.colours))[: int(rng.integers(2, 4))].tolist()]


def _main_first(order: Sequence[Sort], main: Sort, rng: np.random.Generator) -> list[int]:
    """A random order in which the smallest number of things is left over when the place is full."""
    shuffled = rng.permutation(len(order)).tolist()
    return sorted(shuffled, key=lambda n: order[n] is not main and rng.random() < 0.5)


def _free_spot(
    place: Place, reach: float, placed: Sequence[tuple[float, float, float]], rng: np.random.Generator
) -> tuple[float, float] | None:
    low, high = np.array(place.low_m) + reach, np.array(place.high_m) - reach
    if (low >= high).any():
        return None
    for _ in range(60):
        x, y = rng.uniform(low, high)
        if all((x - a) ** 2 + (y - b) ** 2 > (0.92 * (reach + r) + 0.01) ** 2 for a, b, r in placed):
            return float(x), float(y)
    return None


def _standing(flat: StageModel, sort: Sort, spot: tuple[float, float], top_m: float, rng: np.random.Generator) -> NDArray[np.float64]:
    angle = float(rng.uniform(-np.pi, np.pi))
    T = np.eye(4)
    T[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    T[:3, 3] = (*spot, top_m - float(box_of(flat.entity(sort.entity))[0][2]) + 0.001)
    return T


def cameras(stage: StageModel, place: Place, rng: np.random.Generator, count: int) -> list[Camera]:
    """Cameras inside the room that look down on a place from all sides, nearest first."""
    polygon = np.array(next(room.polygon_m for room in stage.rooms if room.key == place.room))
    low, high = polygon.min(axis=0) + 0.12, polygon.max(axis=0) - 0.12
    middle = np.array([*(0.5 * (np.array(place.low_m) + np.array(place.high_m))), place.top_m])
    found = []
    for _ in range(60 * count):
        azimuth, elevation = rng.uniform(-np.pi, np.pi), np.radians(rng.uniform(42.0, 68.0))
        far = rng.uniform(0.8, 2.6)
        away = np.array([np.cos(azimuth) * np.cos(elevation), np.sin(azimuth) * np.cos(elevation), np.sin(elevation)])
        eye = middle + far * away
        if (eye[:2] > low).all() and (eye[:2] < high).all() and eye[2] < 2.35:
            aim = middle + np.array([*rng.uniform(-0.06, 0.06, 2), 0.0])
            found.append((far, Camera.look_at(eye, aim, hfov_rad=np.radians(58.0), width=WIDTH_PX, height=HEIGHT_PX)))
    return [camera for _, camera in sorted(found[:count], key=lambda pair: pair[0])]


def in_frame(studio: Studio, placed: Sequence[Placed], camera: Camera) -> bool:
    """Whether every thing is wholly within the picture."""
    for thing in placed:
        outline = studio.outline_px(thing, camera)
        if (outline < EDGE_PX).any() or (outline > (camera.width - EDGE_PX, camera.height - EDGE_PX)).any():
            return False
    return True


def well_seen(studio: Studio, placed: Sequence[Placed], camera: Camera, ids: NDArray[np.int32]) -> list[bool]:
    """For each thing whether enough of it is seen."""
    from scipy.spatial import ConvexHull

    pixels = np.bincount(ids.ravel(), minlength=len(placed) + 1)[1:]
    outlines = [float(ConvexHull(studio.outline_px(thing, camera)).volume) for thing in placed]
    return [bool(n >= LEAST_PX and n >= LEAST_VISIBLE * area) for n, area in zip(pixels.tolist(), outlines, strict=True)]

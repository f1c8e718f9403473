"""What stands in vessels: one disc for each, as high, as wide and of such a colour as its look `level:<millilitres>:<contents>` says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel
from assistcore.house.vessels import Cone, room_of

if TYPE_CHECKING:
    from assistcore.pictures.scene import Drawable

F64 = NDArray[np.float64]

LIQUIDS: Mapping[str, tuple[float, float, float]] = {
    "water": (0.62, 0.76, 0.84),
    "milk": (0.97, 0.96, 0.92),
    "juice": (0.95, 0.62, 0.16),
    "coffee": (0.20, 0.11, 0.06),
    "tea": (0.55, 0.30, 0.10),
    "soup": (0.78, 0.40, 0.14),
    "oil": (0.88, 0.76, 0.24),
}
"""Colours by the first word of the contents; others look like water."""
SIDES = 24
WALL_M = 0.001
LEVEL = "level"


@dataclass(frozen=True)
class Filled:
    """A vessel's content: how much of what."""

    volume_ml: int
    contents: str


def filled(look: str) -> Filled | None:
    """The content that a look tells of."""
    for word in look.split("+"):
        if word.startswith(f"{LEVEL}:"):
            _, volume, contents = word.split(":", 2)
            return Filled(int(volume), contents)
    return None


def colour_of(contents: str) -> tuple[float, float, float]:
    """Colour of a liquid; of several poured together the mean."""
    found = [LIQUIDS.get(name.split(" ")[0], LIQUIDS["water"]) for name in contents.split(" and ")]
    r, g, b = np.mean(np.array(found), axis=0).tolist()
    return float(r), float(g), float(b)


@dataclass(frozen=True, eq=False)
class Level:
    """One vessel's disc: the entity, its drawable and transform row, and the room inside."""

    key: str
    drawable: Drawable
    row: int
    room: Cone

    def transform(self, root: F64, content: Filled) -> F64:
        """World transform (4, 4) of the unit disc."""
        height = self.room.level_m(content.volume_ml)
        T = np.diag([*([max(self.room.radius_m(height) - WALL_M, 1e-4)] * 3), 1.0])
        T[:3, 3] = np.asarray(self.room.bottom_m) + np.array([0.0, 0.0, height])
        out: F64 = root @ T
        return out


def levels_of(stage: StageModel, first_row: int) -> tuple[Level, ...]:
    """Discs for all movable vessels that are open at the top and have a rim to pour over; their rows begin at `first_row`."""
    from assistcore.pictures.scene import Drawable, Surface, TriMesh

    a = 2.0 * np.pi * np.arange(SIDES) / SIDES
    points = np.concatenate([np.zeros((1, 3)), np.stack([np.cos(a), np.sin(a), 0.0 * a], axis=1)])
    ring = np.arange(1, SIDES + 1)
    faces = np.stack([np.zeros(SIDES, np.int64), ring, np.roll(ring, -1)], axis=1)
    found: list[Level] = []
    for number, entity in enumerate(stage.entities):
        room = room_of(entity) if entity.kind == "movable" and any(t.kind == "rim" for t in entity.tips) else None
        if room is None:
            continue
        row = first_row + len(found)
        disc = Drawable(
            f"{entity.key}/|{LEVEL}", TriMesh.make(points, faces), Surface(roughness=0.12, specular=0.4), number, transform=row,
            casts_shadow=False,
        )  # fmt: skip
        found.append(Level(entity.key, disc, row, room))
    return tuple(found)


def place(levels: Sequence[Level], looks: Mapping[str, str], roots: Mapping[str, F64], out: NDArray[np.float32]) -> None:
    """Write the rows of the discs of what is filled; the others are not drawn."""
    for level in levels:
        content = filled(looks.get(level.key, ""))
        out[level.row] = np.eye(4) if content is None else level.transform(roots[level.key], content)

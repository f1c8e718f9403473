"""Water under a running tap, and what runs from a tilted vessel into the one below: drawn from the snapshot alone, felt by nothing.

A stream is glass to the renderer: it hides nothing, so that what is seen by rays and what the instance ids show stay the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Entity, Region, StageModel, Tip
from assistcore.house.vessels import capacity_ml, retained, rim_of, room_of, section_m
from assistworld.engines.house.picture_levels import LIQUIDS, filled

if TYPE_CHECKING:
    from assistcore.pictures.scene import Drawable, TriMesh

F64 = NDArray[np.float64]

PIECES = 26
PIECE_M = 0.02
RADIUS_M = 0.0045
SIDES = 10
ALPHA = 0.88
LEAST_TILT_RAD = 0.05
RUNS_WITHIN_ML = 2.0
"""A source runs where it holds just what its tilt lets it keep, as it does in every frame of a pour."""
SPEED_M_S = 0.12
GRAVITY_M_S2 = 9.81
POUR, TAP = "|pour", "|stream"


def spout_of(entity: Entity) -> Tip | None:
    """Where a tap's water comes out."""
    return next((t for t in entity.tips if t.kind == "spout"), None)


def basin_of(entity: Entity) -> Region | None:
    """What a tap runs into, or a thing holds that is open at the top."""
    return next((r for r in entity.regions if r.kind == "interior" and r.opening[2] > 0.9), None)


@dataclass(frozen=True)
class Pour:
    """What runs now: from which source, the way it takes (n, 3), world, from the lip down, and what it is."""

    source: str
    way_m: F64
    contents: str


@dataclass(frozen=True)
class Streams:
    """What can run in a stage: tap to its drawable, the pieces of a pour with their first transform row, sources and receivers."""

    taps: Mapping[str, str] = field(default_factory=dict)
    pieces: tuple[Drawable, ...] = ()
    first_row: int = 0
    sources: tuple[Entity, ...] = ()
    receivers: tuple[Entity, ...] = ()

    @property
    def rows(self) -> int:
        """How many transform rows they take."""
        return len(self.pieces)

    def dry(self, looks: Mapping[str, str]) -> frozenset[str]:
        """Drawables of taps that do not run."""
        return frozenset(name for key, name in self.taps.items() if "running" not in looks.get(key, "").split("+"))

    def pour(self, looks: Mapping[str, str], roots: Mapping[str, F64]) -> Pour | None:
        """What runs from one vessel into another, or None."""
        for source in self.sources:
            content = filled(looks.get(source.key, ""))
            if content is None or source.key not in roots or not _runs(source, content.volume_ml, roots[source.key]):
                continue
            lip = lip_of(source, roots[source.key])
            floor = max((z for e in self.receivers if e is not source and (z := _surface(e, lip, looks, roots)) is not None), default=None)
            if floor is not None:
                return Pour(source.key, fall(lip, roots[source.key][:2, 2], floor), content.contents)
        return None

    def place(self, pour: Pour | None, out: NDArray[np.float32]) -> None:
        """Write the rows of the pieces along a pour."""
        for k in range(self.rows):
            out[self.first_row + k] = np.eye(4)
        if pour is not None:
            for k, (a, b) in enumerate(zip(pour.way_m[:-1], pour.way_m[1:], strict=True)):
                out[self.first_row + k] = _between(a, b)

    def unused(self, pour: Pour | None) -> frozenset[str]:
        """Pieces that are not drawn."""
        used = 0 if pour is None else len(pour.way_m) - 1
        return frozenset(d.name for d in self.pieces[used:])


def streams_of(stage: StageModel, first_row: int, rooms: Mapping[str, int]) -> tuple[Streams, list[Drawable]]:
    """The streams of a stage and all their drawables; transform rows of the pieces begin at `first_row`."""
    from assistcore.pictures.scene import Drawable, Surface

    water = Surface(rgb=LIQUIDS["water"], roughness=0.1, specular=0.6, alpha=0.6)
    taps: dict[str, str] = {}
    made: list[Drawable] = []
    for number, entity in enumerate(stage.entities):
        spout, basin = spout_of(entity), basin_of(entity)
        if spout is None or basin is None or entity.kind == "movable":
            continue
        taps[entity.key] = f"{entity.key}/{TAP}"
        mesh = _column(entity, spout, basin)
        made.append(Drawable(taps[entity.key], mesh, water, number, room=rooms.get(entity.room, -1), casts_shadow=False))
    sources = tuple(e for e in stage.entities if e.kind == "movable" and rim_of(e) is not None)
    receivers = tuple(e for e in stage.entities if basin_of(e) is not None)
    pieces: list[Drawable] = []
    if sources:
        surface = Surface(roughness=0.15, specular=0.5, alpha=ALPHA)
        rod = _rod(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, PIECE_M]]), (RADIUS_M, RADIUS_M))
        number = stage.entities.index(sources[0])
        pieces = [
            Drawable(f"{POUR}/{k}", rod, surface, number, transform=first_row + k, casts_shadow=False) for k in range(PIECES)
        ]  # fmt: skip
    return Streams(taps, tuple(pieces), first_row, sources, receivers), [*made, *pieces]


def lip_of(source: Entity, root: F64) -> F64:
    """The lowest point (3,) of the rim of a source, world."""
    rim = rim_of(source)
    if rim is None:
        raise ValueError(f"{source.key} has no rim")
    along, out = np.asarray(rim.along), np.asarray(rim.out)
    a = np.linspace(0.0, 2.0 * np.pi, 36, endpoint=False)[:, None]
    ring = np.asarray(rim.point_m) + 0.5 * (rim.size_m[0] * np.cos(a) * along + rim.size_m[1] * np.sin(a) * np.cross(out, along))
    world: F64 = ring @ root[:3, :3].T + root[:3, 3]
    lowest: F64 = world[int(np.argmin(world[:, 2]))]
    return lowest


def fall(lip_m: F64, toward: F64, floor_m: float) -> F64:
    """The way (n, 3) of a drop from a lip down to a height, leaving in a horizontal direction (2,), in pieces of `PIECE_M`."""
    length = float(np.linalg.norm(toward))
    d = np.append(toward / length, 0.0) if length > 1e-6 else np.zeros(3)
    drop = max(0.004, float(lip_m[2]) - floor_m)
    n = min(PIECES, max(1, int(np.ceil(drop / PIECE_M))))
    t = np.sqrt(2.0 * drop * np.linspace(0.0, 1.0, n + 1) / GRAVITY_M_S2)[:, None]
    down = np.array([0.0, 0.0, -0.5 * GRAVITY_M_S2])
    way: F64 = lip_m + SPEED_M_S * t * d + t * t * down
    return way


def _runs(source: Entity, volume_ml: int, root: F64) -> bool:
    tilt = float(np.arccos(np.clip(root[2, 2], -1.0, 1.0)))
    full = float(max(capacity_ml(source), volume_ml))
    return tilt > LEAST_TILT_RAD and abs(volume_ml - full * retained(*section_m(source), tilt)) <= RUNS_WITHIN_ML


def _surface(receiver: Entity, lip: F64, looks: Mapping[str, str], roots: Mapping[str, F64]) -> float | None:
    """Height of the surface in a thing that what runs from a lip falls into; None where it does not."""
    root, basin = roots.get(receiver.key, receiver.pose.matrix()), basin_of(receiver)
    if basin is None or root[2, 2] < 0.9:
        return None
    room, content = room_of(receiver) if receiver.kind == "movable" else None, filled(looks.get(receiver.key, ""))
    x, y, z = (np.linalg.inv(root) @ np.append(lip, 1.0))[:3]
    if room is not None:
        bx, by, bz = room.bottom_m
        level = room.level_m(content.volume_ml) if content is not None else 0.001
        return float(root[2, 3] + bz + level) if np.hypot(x - bx, y - by) < room.high_radius_m and z > bz + level else None
    inside = basin.low_m[0] < x < basin.high_m[0] and basin.low_m[1] < y < basin.high_m[1] and z > basin.low_m[2]
    return float(root[2, 3] + basin.low_m[2]) if inside else None


def _column(entity: Entity, spout: Tip, basin: Region) -> TriMesh:
    """Water from a spout down to the bottom, where it spreads, world frame."""
    x, y, z = spout.point_m
    bottom, r = basin.low_m[2] + 0.002, 0.5 * spout.size_m[0]
    path = np.array([[x, y, z], [x, y, 0.5 * (z + bottom)], [x, y, bottom + 0.006], [x, y, bottom]])
    T = entity.pose.matrix()
    return _rod(path @ T[:3, :3].T + T[:3, 3], (r, 0.8 * r, 0.75 * r, 5.0 * r))


def _rod(path_m: F64, radii_m: Sequence[float]) -> TriMesh:
    """A round rod along points (n, 3) that lie one above the other."""
    from assistcore.pictures.scene import TriMesh

    a = 2.0 * np.pi * np.arange(SIDES) / SIDES
    rings = [p + r * np.stack([np.cos(a), np.sin(a), 0.0 * a], axis=1) for p, r in zip(path_m, radii_m, strict=True)]
    k = np.arange(SIDES)
    faces = []
    for ring in range(len(rings) - 1):
        low, high, after = ring * SIDES + k, (ring + 1) * SIDES + k, (k + 1) % SIDES
        faces += [np.stack([low, high, ring * SIDES + after], 1), np.stack([high, (ring + 1) * SIDES + after, ring * SIDES + after], 1)]
    return TriMesh.make(np.concatenate(rings), np.concatenate(faces))


def _between(a: F64, b: F64) -> F64:
    """The transform (4, 4) of a piece that begins at one point and points to another."""
    z = (b - a) / max(float(np.linalg.norm(b - a)), 1e-9)
    x = np.cross([0.0, 1.0, 0.0], z)
    x = x / np.linalg.norm(x) if float(np.linalg.norm(x)) > 1e-6 else np.array([1.0, 0.0, 0.0])
    T = np.eye(4)
    T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, a
    return T

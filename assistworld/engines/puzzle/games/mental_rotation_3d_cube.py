"""Mental Rotation 3D (cube): turn a figure of cubes until it is oriented like its twin."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assistcore.world.errors import InfrastructureError, InputError, Problem
from assistworld.engines.puzzle.games._rotations import Orientation
from assistworld.engines.puzzle.games._solids import Solid, together
from assistworld.engines.puzzle.games._turning import STRATEGIES, Oriented, Turning, TurningConfig, orientations
from assistworld.engines.puzzle.puzzle import Streams, Tightened

Cell3: TypeAlias = tuple[int, int, int]

_STEPS: tuple[Cell3, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
FACE_RGB, EDGE_RGB = (0.96, 0.66, 0.26), (0.38, 0.24, 0.12)


@dataclass(frozen=True, kw_only=True)
class CubeConfig(TurningConfig):
    """num_segments: straight runs of the figure, each at a right angle to the one before. min_length, max_length: cubes that a run adds."""

    num_segments: int
    min_length: int = 1
    max_length: int = 3

    def __post_init__(self) -> None:
        super().__post_init__()
        problems = []
        if not 3 <= self.num_segments <= 10:
            problems.append(Problem("num_segments", f"is {self.num_segments}", "3 to 10"))
        if not 1 <= self.min_length <= self.max_length <= 6:
            problems.append(
                Problem("max_length", f"is {self.max_length}, min_length {self.min_length}", "1 <= min_length <= max_length <= 6")
            )
        if problems:
            raise InputError("figure of cubes", problems)


@dataclass(frozen=True)
class CubeState(Oriented):
    """cells: where the cubes are, in the figure's own frame, from one end to the other."""

    cells: tuple[Cell3, ...]


class MentalRotation3DCube(Turning[CubeConfig, CubeState]):
    """A figure fills no plane and no rotation brings it back onto itself, so that each orientation looks different."""

    name = "mental_rotation_3d_cube"
    title = "Mental Rotation 3D (cube)"
    presets = {
        "easy": CubeConfig(max_steps=20, tolerance_deg=10.0, num_segments=4),
        "hard": CubeConfig(max_steps=30, tolerance_deg=5.0, num_segments=6),
    }
    tightened = (Tightened("num_segments", "more"), Tightened("tolerance_deg", "less"))
    strategies = ("pad3_by-axis", *(name for name in STRATEGIES if name != "pad3_by-axis"))
    state_type = CubeState
    order = (0, 1, 2)

    def what(self) -> str:
        return "A figure made of equal cubes"

    def new(self, streams: Streams) -> CubeState:
        start = orientations(streams("orientations"))
        return CubeState(start.current, start.target, _figure(self.config, streams("figure")))

    def solid(self, state: CubeState) -> Solid:
        return _built(state.cells)

    def turned(self, state: CubeState, current: Orientation) -> CubeState:
        return replace(state, current=current)

    def faults(self, state: CubeState) -> Sequence[str]:
        found = list(super().faults(state))
        if len(state.cells) < 2 or len(state.cells) > 100:
            return [*found, f"the figure has {len(state.cells)} cubes, expected 2 to 100"]
        gaps = [pair for pair in itertools.pairwise(state.cells) if sum(abs(a - b) for a, b in zip(*pair, strict=True)) != 1]
        found += [f"cubes {a} and {b} do not touch" for a, b in gaps]
        if len(set(state.cells)) < len(state.cells):
            found.append("two cubes are in one place")
        elif not gaps and not _tells_orientations_apart(state.cells):
            found.append("a rotation brings the figure back onto itself")
        return found


def _figure(config: CubeConfig, rng: np.random.Generator) -> tuple[Cell3, ...]:
    for _ in range(10_000):
        cells = _snake(config, rng)
        if cells is not None and _tells_orientations_apart(cells):
            return cells
    raise InfrastructureError("make a figure of cubes", f"none in 10000 tries with {config}")


def _snake(config: CubeConfig, rng: np.random.Generator) -> tuple[Cell3, ...] | None:
    """Runs at right angles; None where cubes touch that are not neighbours in it."""
    cells: list[Cell3] = [(0, 0, 0)]
    before: Cell3 = (0, 0, 0)
    for _ in range(config.num_segments):
        turns = [step for step in _STEPS if not any(a * b for a, b in zip(step, before, strict=True))]
        before = turns[int(rng.integers(len(turns)))]
        for _ in range(int(rng.integers(config.min_length, config.max_length + 1))):
            x, y, z = (at + step for at, step in zip(cells[-1], before, strict=True))
            if any(abs(x - a) + abs(y - b) + abs(z - c) <= 1 for a, b, c in cells[:-1]):
                return None
            cells.append((x, y, z))
    return tuple(cells)


def _tells_orientations_apart(cells: tuple[Cell3, ...]) -> bool:
    """Whether the figure fills no plane and none of the 23 rotations of a cube brings it back onto itself, wherever it is moved."""
    points = np.array(cells)
    if (np.ptp(points, axis=0) == 0).any():
        return False
    itself = _normalised(points)
    return all(_normalised(points @ rotation.T) != itself for rotation in _cube_rotations()[1:])


def _normalised(points: NDArray[np.int64]) -> tuple[tuple[int, ...], ...]:
    return tuple(sorted(map(tuple, (points - points.min(0)).tolist())))


@lru_cache(maxsize=1)
def _cube_rotations() -> list[NDArray[np.int64]]:
    """The 24 rotations of a cube as matrices (3, 3), the identity first."""
    found = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1, -1), repeat=3):
            matrix = np.zeros((3, 3), np.int64)
            matrix[range(3), order] = signs
            if round(float(np.linalg.det(matrix))) == 1:
                found.append(matrix)
    return found


@lru_cache(maxsize=64)
def _built(cells: tuple[Cell3, ...]) -> Solid:
    """Cubes with dark edges, around the middle of the figure."""
    at, filled = np.array(cells, np.float64), set(cells)
    sides = [(cell, step) for cell in cells for step in _STEPS if (cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]) not in filled]
    solid = together([part for cell, step in sides for part in _side(cell, step)])
    centre = (at.min(0) + at.max(0)) / 2
    reach = float(np.linalg.norm(solid.points - centre, axis=1).max())
    return solid.placed(offset=-centre / reach, scale=1 / reach)


def _side(cell: Cell3, step: Cell3) -> list[Solid]:
    """A dark side of a cube, and a lighter panel just above it."""
    axis = int(np.argmax(np.abs(step)))
    across = np.roll(np.eye(3), -axis - 1, 0)[:2]
    corners = np.array([-across[0] - across[1], across[0] - across[1], across[0] + across[1], across[1] - across[0]]) / 2
    faces = ((0, 1, 2), (0, 2, 3)) if step[axis] > 0 else ((0, 2, 1), (0, 3, 2))
    middle, out = np.array(cell, np.float64), np.array(step, np.float64)
    dark = Solid.of(corners + middle + 0.5 * out, faces, EDGE_RGB)
    return [dark, Solid.of(corners * 0.9 + middle + 0.502 * out, faces, FACE_RGB)]


PUZZLE = MentalRotation3DCube

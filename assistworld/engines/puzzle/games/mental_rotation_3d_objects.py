"""Mental Rotation 3D (objects): turn a toy, or a model from a folder of GLB files, until it is oriented like its twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.games._rotations import Orientation
from assistworld.engines.puzzle.games._solids import Solid
from assistworld.engines.puzzle.games._toys import KINDS, toy
from assistworld.engines.puzzle.games._turning import STRATEGIES, Oriented, Turning, TurningConfig, orientations
from assistworld.engines.puzzle.puzzle import Streams, Tightened

MOST_NUMBER = 2**31 - 1


@dataclass(frozen=True, kw_only=True)
class ObjectsConfig(TurningConfig):
    """folder: of GLB files (Objaverse), sub-folders included; empty for toys made by the program."""

    folder: str = ""


@dataclass(frozen=True)
class ObjectsState(Oriented):
    """model: kind of toy with `number`, or path of a file below the folder, where `number` is 0."""

    model: str
    number: int


class MentalRotation3DObjects(Turning[ObjectsConfig, ObjectsState]):
    """Toys have no symmetry; whether models from files have one is not checked."""

    name = "mental_rotation_3d_objects"
    title = "Mental Rotation 3D (objects)"
    presets = {"easy": ObjectsConfig(max_steps=20, tolerance_deg=15.0), "hard": ObjectsConfig(max_steps=30, tolerance_deg=5.0)}
    tightened = (Tightened("tolerance_deg", "less"),)
    strategies = STRATEGIES
    state_type = ObjectsState
    order = (2, 1, 0)

    def what(self) -> str:
        return "An object"

    def new(self, streams: Streams) -> ObjectsState:
        start, rng = orientations(streams("orientations")), streams("object")
        if self.config.folder:
            files = _files(self.config.folder)
            model, number = files[int(rng.integers(len(files)))], 0
        else:
            model, number = list(KINDS)[int(rng.integers(len(KINDS)))], int(rng.integers(MOST_NUMBER))
        return ObjectsState(start.current, start.target, model, number)

    def solid(self, state: ObjectsState) -> Solid:
        """Raises InputError where a file is gone or broken."""
        return _loaded(self.config.folder, state.model) if self.config.folder else toy(state.model, state.number)

    def turned(self, state: ObjectsState, current: Orientation) -> ObjectsState:
        return replace(state, current=current)

    def faults(self, state: ObjectsState) -> Sequence[str]:
        found = list(super().faults(state))
        if self.config.folder:
            try:
                _loaded(self.config.folder, state.model)
            except InputError as error:
                found.append(str(error))
        elif state.model not in KINDS:
            found.append(f"model {state.model!r} is no toy; toys: {', '.join(KINDS)}")
        if not 0 <= state.number <= MOST_NUMBER:
            found.append(f"number is {state.number}, expected 0 to {MOST_NUMBER}")
        return found


@lru_cache(maxsize=8)
def _files(folder: str) -> tuple[str, ...]:
    from assistworld.engines.puzzle.datasets.glb import glb_files

    return glb_files(Path(folder))


@lru_cache(maxsize=16)
def _loaded(folder: str, model: str) -> Solid:
    from assistworld.engines.puzzle.datasets.glb import load_glb

    return load_glb(Path(folder), model)


PUZZLE = MentalRotation3DObjects

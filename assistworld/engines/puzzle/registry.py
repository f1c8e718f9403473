"""The puzzles by name: every module below `games`, and the entry points `assistworld.puzzle`. A new puzzle is a new file."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any, get_type_hints

import numpy as np

from assistcore.world.errors import InputError, Problem, nearest
from assistcore.world.registry import Registry
from assistworld.engines.puzzle.codec import decode, decode_value
from assistworld.engines.puzzle.puzzle import AnyPuzzle

PUZZLES = Registry("puzzle", "assistworld.engines.puzzle.games")


def puzzle_type(name: str) -> type[AnyPuzzle]:
    """The class of a puzzle; its module calls it `PUZZLE`. Raises UnknownName with the nearest."""
    kind: type[AnyPuzzle] = PUZZLES.load(name).PUZZLE
    return kind


def make(name: str, preset: str = "easy", **parameters: Any) -> AnyPuzzle:
    """A puzzle with a preset, of which single parameters may be overridden.

    Raises:
        UnknownName: no such puzzle.
        InputError: no such preset or parameter, or values that the puzzle refuses.
    """
    kind = puzzle_type(name)
    if preset not in kind.presets:
        raise InputError(f"puzzle {name}", [Problem("preset", f"is {preset!r}", nearest(preset, list(kind.presets)))])
    config = kind.presets[preset]
    known = [field.name for field in dataclasses.fields(config)]
    if wrong := [key for key in parameters if key not in known]:
        raise InputError(f"puzzle {name}", [Problem(key, "is no parameter", nearest(key, known)) for key in wrong])
    hints, problems = get_type_hints(type(config)), list[Problem]()
    fitting = {key: decode_value(hints[key], _plain(value), key, problems) for key, value in parameters.items()}
    if problems:
        raise InputError(f"puzzle {name}", problems)
    return kind(dataclasses.replace(config, **fitting))


def _plain(value: object) -> object:
    """A parameter as a file would hold it: numpy numbers and paths as Python's numbers and texts."""
    if isinstance(value, np.generic):
        return value.item()
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def make_saved(name: str, config: object, where: str) -> AnyPuzzle:
    """A puzzle with a configuration as :func:`~assistworld.engines.puzzle.codec.encode` wrote it. Raises UnknownName, InputError."""
    kind = puzzle_type(name)
    return kind(decode(type(kind.presets["easy"]), config, where))


def presets() -> Mapping[str, tuple[str, ...]]:
    """Every puzzle with the names of its presets."""
    return {name: tuple(puzzle_type(name).presets) for name in PUZZLES.names()}

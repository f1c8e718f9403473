"""Contract values as JSON and raw bytes, and back: a closed list of types, floats bit for bit, nothing that could run code.

JSON lists are tuples and JSON objects are mappings; every other type is an object with the key `!`, the name of its type. Bytes, and
tuples of many floats, are sent beside the JSON as raw blobs (little-endian float64).
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from assistcore.world import commands, engine, graph, ids, outcomes, snapshots, views
from assistcore.world.errors import InfrastructureError

TYPES: dict[str, type] = {
    t.__name__: t
    for t in (
        ids.EntityRef, commands.PlaceSpot, commands.Command, commands.How, commands.Parsed,
        outcomes.Status, outcomes.Refusal, outcomes.Outcome,
        graph.Change, graph.SceneGraph,
        snapshots.Kind, snapshots.Snapshot, snapshots.Observation,
        views.Offered,
        engine.NumberArg, engine.VerbInfo, engine.PredicateInfo, engine.AttributeInfo, engine.ChannelInfo, engine.Vocabulary,
        engine.Abilities, engine.Scenario, engine.Step,
    )
}  # fmt: skip
"""What may cross the wire."""
RAW_FLOATS = 8
"""Tuples of at least so many floats travel raw."""
TAG = "!"


def encode(value: Any, blobs: list[bytes]) -> Any:
    """JSON of a value; raw parts are appended to `blobs`. Raises TypeError naming a type that may not cross."""
    if value is None or isinstance(value, bool | str) or type(value) is int:
        return value
    if isinstance(value, float):
        number = float(value)
        return number if math.isfinite(number) else {TAG: "float", "v": repr(number)}
    if isinstance(value, Enum):
        return {TAG: _name(value), "v": value.value}
    if isinstance(value, graph.SceneGraph):
        return {TAG: "SceneGraph", "v": [[s, k, encode(v, blobs)] for (s, k), v in value.values.items()]}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: encode(getattr(value, f.name), blobs) for f in dataclasses.fields(value) if f.init}
        return {TAG: _name(value), **fields}
    if isinstance(value, commands.PlaceSpot):
        return {TAG: "PlaceSpot", "u": encode(float(value.u), blobs), "v": encode(float(value.v), blobs)}
    if isinstance(value, bytes):
        blobs.append(value)
        return {TAG: "bytes", "i": len(blobs) - 1}
    if isinstance(value, tuple):
        return _tuple(value, blobs)
    if isinstance(value, list):
        return {TAG: "list", "v": [encode(v, blobs) for v in value]}
    if isinstance(value, frozenset):
        return {TAG: "frozenset", "v": [encode(v, blobs) for v in sorted(value)]}
    if isinstance(value, Fraction):
        return {TAG: "Fraction", "v": [value.numerator, value.denominator]}
    if isinstance(value, Mapping) and all(isinstance(k, str) and k != TAG for k in value):
        return {k: encode(v, blobs) for k, v in value.items()}
    raise TypeError(f"a {type(value).__name__} does not cross the wire: {value!r}")


def _name(value: Any) -> str:
    name = type(value).__name__
    if TYPES.get(name) is not type(value):
        raise TypeError(f"a {name} does not cross the wire: {value!r}")
    return name


def _tuple(value: tuple[Any, ...], blobs: list[bytes]) -> Any:
    if len(value) >= RAW_FLOATS and all(isinstance(v, float) for v in value):
        blobs.append(np.asarray(value, dtype="<f8").tobytes())
        return {TAG: "floats", "i": len(blobs) - 1}
    return [encode(v, blobs) for v in value]


def decode(value: Any, blobs: list[bytes]) -> Any:
    """Inverse of `encode`. Raises InfrastructureError naming what is no such value."""
    try:
        return _decode(value, blobs)
    except (TypeError, ValueError, LookupError) as error:
        raise InfrastructureError("wire", f"not a value of this protocol: {type(error).__name__}: {error}") from error


def _decode(value: Any, blobs: list[bytes]) -> Any:
    if isinstance(value, list):
        return tuple([_decode(v, blobs) for v in value])
    if not isinstance(value, dict):
        return value
    if TAG not in value:
        return {k: _decode(v, blobs) for k, v in value.items()}
    tag = value[TAG]
    if tag in PLAIN:
        return PLAIN[tag](value, blobs)
    kind = TYPES[tag]
    if kind is graph.SceneGraph:
        return graph.SceneGraph({(s, k): _decode(v, blobs) for s, k, v in value["v"]})
    if issubclass(kind, Enum):
        return kind(value["v"])
    return kind(**{k: _decode(v, blobs) for k, v in value.items() if k != TAG})


PLAIN: dict[str, Any] = {
    "bytes": lambda value, blobs: blobs[value["i"]],
    "floats": lambda value, blobs: tuple(np.frombuffer(blobs[value["i"]], dtype="<f8").tolist()),
    "float": lambda value, blobs: float(value["v"]),
    "list": lambda value, blobs: [_decode(v, blobs) for v in value["v"]],
    "frozenset": lambda value, blobs: frozenset(_decode(v, blobs) for v in value["v"]),
    "Fraction": lambda value, blobs: Fraction(*value["v"]),
}

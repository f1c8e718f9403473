"""Canonical JSON and digests: the same value always gives the same bytes, on every machine."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

Value = bool | int | str | tuple[Any, ...] | None
"""A canonical graph value: integers (millimetres, microradians, grams, millilitres), strings, booleans, tuples of them."""


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces, ASCII only; tuples as lists; floats by shortest round-trip repr.

    Raises ValueError for NaN or infinity, TypeError for a type JSON does not have (numpy scalars included: convert first).
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def digest(value: Any) -> str:
    """SHA-256 of the canonical JSON, as 64 hex digits."""
    return hashlib.sha256(canonical_json(value).encode("ascii")).hexdigest()


def digest_bytes(data: bytes) -> str:
    """SHA-256 of bytes, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def millimetres(value_m: float) -> int:
    """Nearest integer millimetre, halves away from zero (platform-independent)."""
    return scaled(value_m, 1000.0)


def scaled(value: float, factor: float) -> int:
    """`value * factor` as the nearest integer, halves away from zero. Raises ValueError for NaN or infinity."""
    product = value * factor
    if not math.isfinite(product):
        raise ValueError(f"cannot make an integer of {value!r} * {factor!r}")
    return int(math.floor(product + 0.5)) if product >= 0 else -int(math.floor(-product + 0.5))


def thaw(value: Any) -> Any:
    """Lists to tuples, recursively: the inverse of what JSON does to canonical values."""
    if isinstance(value, list):
        return tuple(thaw(v) for v in value)
    if isinstance(value, dict):
        return {k: thaw(v) for k, v in value.items()}
    return value

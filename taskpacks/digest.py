"""The canonical description of a pack and its digest: the same for the same meaning, whatever the YAML looked like."""

from __future__ import annotations

import json
from typing import Any

from assistcore.world.canonical import canonical_json, digest, scaled
from taskpacks.schema import TaskPack


def pack_json(pack: TaskPack) -> str:
    """The whole pack as canonical JSON, from which `pack_from_json` makes an equal pack."""
    return canonical_json(pack.model_dump(mode="json", by_alias=True))


def pack_from_json(text: str) -> TaskPack:
    """Inverse of `pack_json`. Raises pydantic's ValidationError."""
    return TaskPack.model_validate(json.loads(text))


def pack_digest(pack: TaskPack) -> str:
    """SHA-256 of the canonical description: every number as an integer of millionths, so that `2` and `2.0` are one pack."""
    return digest(_canonical(pack.model_dump(mode="json", by_alias=True)))


def _canonical(value: Any) -> Any:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return ["number", scaled(value, 1e6)]
    if isinstance(value, dict):
        return {k: _canonical(v) for k, v in value.items()}
    return [_canonical(v) for v in value]

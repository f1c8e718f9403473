"""The catalogue as tests walk it: every pack by default, but of packs in which nobody helps only some; the others are slow."""

from __future__ import annotations

import pytest

from taskpacks.loader import list_packs


def packs(solo: str = "_easy") -> list[object]:
    """Parameters for `pytest.mark.parametrize("name", ...)`. solo: how the ids of those packs for one end that are walked by default."""
    listed = [(p.id, p.pack is not None and p.pack.protocol.kind == "solo" and not p.id.endswith(solo)) for p in list_packs()]
    return [pytest.param(name, marks=pytest.mark.slow) if rare else name for name, rare in listed]

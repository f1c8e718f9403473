"""The catalogue as tests walk it: every pack by default, but of packs in which nobody helps only the easy ones; the hard ones are slow."""

from __future__ import annotations

import pytest

from taskpacks.loader import list_packs


def packs() -> list[object]:
    """Parameters for `pytest.mark.parametrize("name", ...)`."""
    listed = [(p.id, p.pack is not None and p.pack.protocol.kind == "solo" and p.id.endswith("_hard")) for p in list_packs()]
    return [pytest.param(name, marks=pytest.mark.slow) if rare else name for name, rare in listed]

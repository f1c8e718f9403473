"""Packs on the embedded house and on a fake PhysX: places within tolerances, the same outcomes, relations and scores."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from assistcore.world.engine import Engine
from assistworld.studies.parity import compare
from assistworld.studies.trials import shared_engine
from taskpacks.loader import find_pack, list_packs
from tests.engines.contract import fake_physx

FOLDER = Path(__file__).parent / "packs"
"""Short packs for what back ends may do differently: joints and their riders, falls, what is taken off and out."""
PACKS = {p.id: p.pack for p in list_packs([FOLDER]) if p.pack is not None and p.pack.scenario.engine == "house"}
DEFAULT = "parity_drop"


@pytest.mark.parametrize("name", [name if name == DEFAULT else pytest.param(name, marks=pytest.mark.slow) for name in PACKS])
def test_a_pack_of_the_house_ends_alike_on_both(name: str, tmp_path: Path) -> None:
    fake = fake_physx.make()
    found = compare(PACKS[name], (cast(Engine, shared_engine()), cast(Engine, fake)), out=tmp_path)
    fake.close()
    assert found.equal, found.differences
    if name.startswith("parity"):
        assert found.scores[0].startswith("SUCCESS"), found.scores


def test_every_short_pack_is_read() -> None:
    assert {path.stem for path in FOLDER.glob("*.yaml")} <= PACKS.keys()
    assert find_pack(DEFAULT, [FOLDER]).id == DEFAULT

"""The catalogue on the embedded house and on a fake PhysX: places within tolerances, the same outcomes, relations and scores."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from assistcore.world.engine import Engine
from assistworld.studies.parity import compare
from assistworld.studies.trials import shared_engine
from taskpacks.loader import find_pack, list_packs
from tests.engines.contract import fake_physx

PACKS = tuple(listed.id for listed in list_packs() if find_pack(listed.id).scenario.engine == "house")


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_a_pack_of_the_house_ends_alike_on_both(name: str, tmp_path: Path) -> None:
    fake = fake_physx.make()
    found = compare(find_pack(name), (cast(Engine, shared_engine()), cast(Engine, fake)), out=tmp_path)
    fake.close()
    assert found.equal, found.differences

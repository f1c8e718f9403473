"""Every pack of the catalogue is sound, is loaded by its id, and is the same pack after a round trip."""

from __future__ import annotations

import pytest

from assistworld.studies.attempt import make_engine
from taskpacks.check import check_pack
from taskpacks.digest import pack_digest, pack_from_json, pack_json
from taskpacks.loader import find_pack, list_packs

PACKS = list_packs()


def test_the_catalogue_has_a_decision_and_a_finding() -> None:
    assert {p.pack.protocol.family.value for p in PACKS if p.pack is not None} >= {"ask", "find"}


@pytest.mark.parametrize("name", [p.id for p in PACKS])
def test_a_pack_is_sound(name: str) -> None:
    pack = find_pack(name)
    assert pack_digest(pack_from_json(pack_json(pack))) == pack_digest(pack)
    engine = make_engine(pack.scenario.engine)
    try:
        assert [str(p) for p in check_pack(pack, engine)] == []
    finally:
        engine.close()

"""Every pack of the catalogue proves itself in its own world: oracle succeeds; silent, wrong, early and do-nothing fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistworld.studies.attempt import make_engine
from assistworld.studies.prove import prove
from taskpacks.loader import find_pack
from tests.taskpacks.walked import packs


@pytest.mark.parametrize("name", packs(solo="maze_2d_hard"))
def test_a_pack_proves_itself(name: str, tmp_path: Path) -> None:
    pack = find_pack(name)
    engine = make_engine(pack.scenario.engine)
    try:
        proved = prove(pack, engine, out=tmp_path)
    finally:
        engine.close()
    assert {c.name: c.problems for c in proved.controls if c.problems} == {}
    completion = {c.name: c.attempt.score.completion.value for c in proved.controls}
    assert completion["oracle"] == 1.0 and {completion[name] for name in completion if name in ("nothing", "silent")} == {0.0}

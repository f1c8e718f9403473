"""Every pack of the catalogue proves itself: one case is one control of one pack."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from assistcore.world.engine import Engine
from assistworld.studies.attempt import make_engine
from assistworld.studies.prove import CONTROLS, prove
from taskpacks.loader import CATALOGUE, find_pack

NAMES = tuple(sorted(p.stem for p in CATALOGUE.glob("*.yaml")))
ROWS = tuple((name, control) for name in NAMES for control, _, _ in CONTROLS[find_pack(name).protocol.kind])
CASES = len(ROWS)


def case(number: int) -> dict[str, Any]:
    """Control `number` of the list packs x controls."""
    name, control = ROWS[number]
    pack = find_pack(name)
    with tempfile.TemporaryDirectory() as folder:
        proved = prove(pack, _engine(pack.scenario.engine), out=Path(folder), controls=_needed(control))
    row = proved.as_json()["controls"][-1]
    return {"ok": not row["problems"], "pack": name, "seed": 0, **row}


def _needed(control: str) -> tuple[str, ...]:
    """Wrong help is compared with the oracle."""
    return ("oracle", "wrong") if control == "wrong" else (control,)


@cache
def _engine(name: str) -> Engine:
    return make_engine(name)

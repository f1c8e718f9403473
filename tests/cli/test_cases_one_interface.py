"""RULES, One interface: `list`, `check`, `prove`, `run`, `replay`, `view` work on the packs of every engine with the same flags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistworld.cli.main import main
from assistworld.studies.prove import CONTROLS
from taskpacks.loader import find_pack
from tests.taskpacks.walked import packs


@pytest.mark.parametrize("name", packs())
def test_every_command_works_on_every_pack(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    def told(*words: str) -> dict[str, Any]:
        assert main([*words, "--json"]) == 0, (words, capsys.readouterr())
        found = json.loads(capsys.readouterr().out)
        assert isinstance(found, dict)
        return found

    assert name in [p["name"] for p in told("list")["packs"]]
    assert told("check", name)["sound"] is True
    controls = [control for control, _, _ in CONTROLS[find_pack(name).protocol.kind]]
    assert [c["control"] for c in told("prove", name, "--out", "proof")["controls"]] == controls
    run = told("run", name, "--seed", "0", "--frames", "none")
    assert run["score"]["success"] is True
    assert told("replay", run["bundle"])["equal"] is True
    page = Path(told("view", run["bundle"])["page"])
    assert page.is_file() and name in page.read_text(encoding="utf-8")

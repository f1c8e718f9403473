"""RULES, One interface: `list`, `check`, `prove`, `run`, `replay`, `view` work on the packs of every engine with the same flags."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assistworld.cli.main import main
from taskpacks.loader import list_packs


@pytest.mark.parametrize("name", [p.id for p in list_packs()])
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
    assert {c["control"] for c in told("prove", name, "--out", "proof")["controls"]} >= {"oracle", "silent", "wrong", "early", "nothing"}
    run = told("run", name, "--assistant", "oracle", "--human", "rule", "--seed", "0", "--frames", "none")
    assert run["score"]["success"] is True
    assert told("replay", run["bundle"])["equal"] is True
    page = Path(told("view", run["bundle"])["page"])
    assert page.is_file() and name in page.read_text(encoding="utf-8")

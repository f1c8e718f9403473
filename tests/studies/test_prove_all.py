"""The full counts: resumable by case, started over by other code, failures kept."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from assistworld.studies import prove_all
from assistworld.studies.parts import packs
from assistworld.studies.prove import CONTROLS
from taskpacks.loader import CATALOGUE, find_pack
from tests.cli.toy_agents import Fakes


def test_a_part_resumes_and_counts_its_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def case(number: int) -> dict[str, object]:
        ran.append(number)
        if number == 2:
            raise ValueError("slipped")
        return {"ok": number != 3, "seed": number}

    part = SimpleNamespace(CASES=5, case=case, PACKAGES=("evaluator",), __doc__="Five cases.\n\nMore.")
    monkeypatch.setattr(prove_all, "PARTS", Fakes("part", five=part))
    options: dict[str, Any] = {"results": tmp_path / "results", "work": tmp_path / "work", "echo": lambda line: None}
    assert prove_all.run_part("five", limit=2, **options) is None and not (tmp_path / "results").exists()
    result = prove_all.run_part("five", **options)
    assert ran == [0, 1, 2, 3, 4] and result is not None
    assert (result["attempted"], result["passed"], result["failed"]) == (5, 3, 2)
    assert [f["number"] for f in result["failures"]] == [2, 3] and result["failures"][0]["raised"] == "ValueError: slipped"
    written = json.loads((tmp_path / "results" / "five.json").read_text())
    assert written == result and written["code_packages"] == ["evaluator"] and written["description"] == "Five cases."
    prove_all.run_part("five", **options)
    assert len(ran) == 5, "nothing is run twice by the same code"
    monkeypatch.setattr(prove_all, "code_digest", lambda packages: "other")
    prove_all.run_part("five", **options)
    assert len(ran) == 10


def test_shares_of_a_part_run_beside_each_other_and_commit_what_the_part_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def committed(case: dict[str, Any]) -> dict[str, Any]:
        return {"number": case["number"]}

    def case(number: int) -> dict[str, object]:
        return {"ok": number != 3, "long": 100 * "x"}

    part = SimpleNamespace(CASES=5, case=case, committed=committed, PACKAGES=("evaluator",), __doc__="Five.")
    monkeypatch.setattr(prove_all, "PARTS", Fakes("part", five=part))
    options: dict[str, Any] = {"results": tmp_path / "results", "work": tmp_path / "work", "echo": lambda line: None}
    assert prove_all.run_part("five", share=(1, 2), **options) is None
    result = prove_all.run_part("five", share=(0, 2), **options)
    assert sorted(p.name for p in (tmp_path / "work").iterdir()) == ["five.0of2.jsonl", "five.1of2.jsonl"]
    assert result is not None and result["cases"][0] == {"number": 0} and "long" in result["cases"][3], "a failure is kept whole"


def test_cases_that_belong_together_are_in_one_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[int] = []

    def case(number: int) -> dict[str, object]:
        ran.append(number)
        return {"ok": True}

    monkeypatch.setattr(prove_all, "PARTS", Fakes("part", six=SimpleNamespace(CASES=6, TOGETHER=2, case=case, PACKAGES=("evaluator",))))
    prove_all.run_part("six", share=(0, 2), results=tmp_path, work=tmp_path, echo=lambda line: None)
    assert ran == [0, 1, 4, 5]


@pytest.mark.parametrize("text", ["2", "0/2", "3/2", "a/b"])
def test_a_share_that_is_none_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        prove_all.main(["packs", "--share", text])
    assert repr(text) in capsys.readouterr().err


def test_unknown_parts_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert prove_all.main(["pakcs"]) == 2
    assert "did you mean 'packs'" in capsys.readouterr().err


def test_the_packs_part_walks_every_pack_and_control() -> None:
    found = [find_pack(path.stem) for path in CATALOGUE.glob("*.yaml")]
    assert sum(len(CONTROLS[pack.protocol.kind]) for pack in found) == packs.CASES

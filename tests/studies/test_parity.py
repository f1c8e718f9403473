"""Parity of two back ends: what agrees, what differs and why, in words; the commands `parity` and `contract`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from assistcore.world.commands import Command
from assistcore.world.engine import Scenario
from assistcore.world.errors import InfrastructureError
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.snapshots import Snapshot
from assistworld.cli.main import main
from assistworld.episodes.bundle import open_bundle
from assistworld.studies import attempt as attempts
from assistworld.studies.contract import CHECKS
from assistworld.studies.parity import Compared, compare, compare_all, report
from tests.cli import toy_agents
from tests.episodes.playing import PACK, pack
from tests.episodes.toy_engine import ToyEngine
from tests.repository.tree import ROOT


class Slippery(ToyEngine):
    """What is put down ends on the shelf."""

    def _apply(self, command: Command) -> None:
        super()._apply(command)
        if command.verb == "place":
            self._at[command.entities()[0].key] = "shelf_1"


class Tidy(ToyEngine):
    """The key lies elsewhere from the start: a relation that no goal names."""

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        super().reset(scenario, seed)
        self._at["key_1"] = "table_1"
        self._graph = self._read()
        return self._snapshot()


class Weak(ToyEngine):
    """Cannot pick anything up."""

    def can(self, command: Command) -> Refusal | None:
        return Refusal(Code.HAND_FULL, "no grip") if command.verb == "pick" else super().can(command)


class Slow(ToyEngine):
    """Another plan, another time, the same end."""

    def begin(self, command: Command) -> Refusal | None:
        refused = super().begin(command)
        self._left += 2
        return refused


MADE: dict[str, Callable[[], ToyEngine]] = {
    "toy": ToyEngine,
    "slow": Slow,
    "slippery": Slippery,
    "tidy": Tidy,
    "weak": Weak,
    "crashing": lambda: ToyEngine(crash_at=4),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the toy pack, toy agents and these engines by name."""
    monkeypatch.chdir(tmp_path)
    engines = {name: SimpleNamespace(make=make) for name, make in MADE.items()}
    monkeypatch.setattr(attempts, "ENGINES", toy_agents.Fakes("engine", **engines))
    monkeypatch.setattr(attempts, "ASSISTANTS", toy_agents.ASSISTANTS)
    monkeypatch.setattr(attempts, "HUMANS", toy_agents.HUMANS)
    (tmp_path / "toy_cup.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(PACK))))
    return tmp_path


def compared(name: str, home: Path) -> Compared:
    return compare(pack(), (ToyEngine(), MADE[name]()), out=home / "runs")


@pytest.mark.parametrize("name", ["toy", "slow"])
def test_the_same_outcomes_relations_and_scores_agree_whatever_the_ticks(name: str, home: Path) -> None:
    found = compared(name, home)
    assert found.equal and found.differences == (), found.differences
    assert found.folders[0] != found.folders[1] and all(f.is_dir() for f in found.folders)
    assert "SUCCESS" in found.scores[0] and "SUCCESS" in found.scores[1]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("slippery", ["on of red_cup_1: ('bed_1',) and ('shelf_1',)", "success: True / False"]),
        ("tidy", ["inside of key_1: ('drawer_1',) and None", "on of key_1: None and ('table_1',)"]),
        ("weak", ["command 2: [Grab] <red_cup> (1) done / [Grab] <red_cup> (1) refused (HAND_FULL)", "success: True / False"]),
    ],
)
def test_what_differs_is_told(name: str, told: list[str], home: Path) -> None:
    found = compared(name, home)
    assert not found.equal
    for words in told:
        assert any(d == words for d in found.differences), found.differences


@pytest.mark.parametrize("kinds", [("toy", "elsewhere"), ("elsewhere", "toy")])
def test_the_one_in_another_process_is_played_first_and_stays_in_its_column(kinds: tuple[str, str], home: Path) -> None:
    """In Isaac Sim's environment only the application reads USD: the embedded house needs what it has read."""
    played: list[str] = []

    class Here(ToyEngine):
        name = "here"

        def reset(self, scenario: Scenario, seed: int) -> Snapshot:
            played.append(self.name)
            return super().reset(scenario, seed)

    class There(Here):
        name, process = "there", "warm process"

    made = {"toy": Here, "elsewhere": There}
    found = compare(pack(), (made[kinds[0]](), made[kinds[1]]()), out=home / "runs")
    assert played == ["there", "here"] and found.equal
    engines = [open_bundle(folder).opened.engine for folder in found.folders]
    assert engines == [made[kind].name for kind in kinds]


def test_a_library_that_is_missing_is_named_with_the_way_out(home: Path) -> None:
    class Bare(ToyEngine):
        def reset(self, scenario: Scenario, seed: int) -> Snapshot:
            raise ModuleNotFoundError("No module named 'pxr'")

    with pytest.raises(InfrastructureError, match=r"a library is missing: No module named 'pxr'.*Isaac Sim's own environment") as caught:
        compare(pack(), (Bare(), ToyEngine()), out=home / "runs")
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


def test_a_void_attempt_is_no_agreement(home: Path) -> None:
    found = compared("crashing", home)
    assert len(found.differences) == 1 and "is void" in found.differences[0] and "the toy broke" in found.differences[0]
    twice = compare(pack(), (MADE["crashing"](), MADE["crashing"]()), out=home / "runs")
    assert not twice.equal, "void in the same way on both is no agreement"


def test_a_report_has_a_row_for_each_pack_and_what_differs(home: Path) -> None:
    told: list[Compared] = []
    both = (ToyEngine(), Slippery())
    found = compare_all([pack(), pack(id="toy_again")], both, out=home / "runs", say=told.append)
    assert [c.pack for c in told] == ["toy_cup", "toy_again"] and tuple(told) == found
    page = report(found, ("toy", "slippery"))
    assert "0 of 2 packs agree." in page and "| toy_again |" in page and "## toy_cup" in page
    assert "- success: True / False" in page


@pytest.mark.parametrize(("other", "code"), [("slow", 0), ("slippery", 1), ("crashing", 1)])
def test_the_command_exits_with_the_verdict(other: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["parity", "toy", other, "--packs", "toy_cup.yaml"]
    assert main([*words, "--report", "page.md"]) == code
    shown = capsys.readouterr().out
    assert ("toy_cup: agree" if code == 0 else "toy_cup: DIFFER") in shown
    assert f"# toy and {other}" in Path("page.md").read_text()
    assert main([*words, "--json"]) == code
    found: Any = json.loads(capsys.readouterr().out)
    assert found["engines"] == ["toy", other] and found["packs"][0]["equal"] is (code == 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["parity", "toy", "slowe", "--packs", "toy_cup.yaml"], "did you mean 'slow'"),
        (["parity", "toy", "slow", "--packs", "toy_cub.yaml"], "cannot be read"),
        (["contract", "freshnes"], "did you mean 'freshness'"),
        (["contract", "stamps", "still", "--json"], "no such check"),
        (["contract", "stamps", "--engine", "toi"], "did you mean 'toy'"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(words: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    shown = capsys.readouterr()
    assert told in shown.err and "Traceback" not in shown.err and shown.out == ""


def test_an_engine_without_a_flat_breaks_the_contract_of_the_house(capsys: pytest.CaptureFixture[str]) -> None:
    """An engine of another world raises in each check, which is a finding, not a crash of the command."""
    assert main(["contract", "stamps", "refusals", "--engine", "toy"]) == 1
    shown = capsys.readouterr().out
    assert "NO  stamps" in shown and "toy: 0 of 2 promises are kept" in shown
    assert main(["contract", "stamps", "--engine", "toy", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["kept"] is False and found["checks"]["stamps"]


def test_a_kept_contract_is_zero(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Flat(ToyEngine):
        def reset(self, scenario: Scenario, seed: int) -> Snapshot:
            return super().reset(Scenario("toy", {"spot": "table_1"}, ()), seed)

    monkeypatch.setattr(attempts, "ENGINES", toy_agents.Fakes("engine", flat=SimpleNamespace(make=Flat)))
    assert main(["contract", "stamps", "--engine", "flat"]) == 0
    assert "ok  stamps" in capsys.readouterr().out
    assert main(["contract", "stamps", "--engine", "flat", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"engine": "flat", "checks": {"stamps": []}, "kept": True}


def test_the_page_on_back_ends_has_every_promise() -> None:
    page = (ROOT / "docs" / "back_ends.md").read_text(encoding="utf-8")
    for name, check in CHECKS.items():
        assert f"| `{name}` | {(check.__doc__ or '').strip().splitlines()[0]} |" in page

"""The command line in the toy world: what it prints, its JSON, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from assistworld.cli.main import main
from assistworld.episodes.bundle import faults_of, open_bundle, seal_cancelled
from assistworld.studies import attempt as attempts
from tests.cli import toy_agents
from tests.episodes.playing import PACK, merged


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the toy pack, and the toy world as the only one."""
    monkeypatch.chdir(tmp_path)
    for name in ("ENGINES", "ASSISTANTS", "HUMANS"):
        monkeypatch.setattr(attempts, name, getattr(toy_agents, name))
    save(tmp_path)
    return tmp_path


def save(folder: Path, **changes: Any) -> None:
    (folder / "packs").mkdir(exist_ok=True)
    (folder / "packs" / "toy_cup.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(merged(PACK, changes)))))


RUN = ["run", "toy_cup", "--packs", "packs", "--frames", "1"]


def test_run_plays_scores_and_leaves_a_sealed_bundle(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(RUN) == 0
    shown = capsys.readouterr().out
    assert "SUCCESS, completion 1.00" in shown and "person" not in shown.split("score")[0].split("human")[0]
    assert "[Put] <red_cup> (1) <bed> (1) -> done" in shown and "assistant: Pick up the red cup." in shown
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    assert faults_of(folder) == () and open_bundle(folder).sealed
    score = json.loads((folder / "scores" / "score-1.json").read_text())
    assert score["success"] is True and score["events_head"] == open_bundle(folder).head


def test_json_is_one_object(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--json", "--assistant", "wrong"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["score"]["success"] is False and Path(found["bundle"]).is_dir()
    for words in (
        ["list", "--json", "--packs", "packs"],
        ["check", "toy_cup", "--packs", "packs", "--json"],
        ["replay", found["bundle"], "--json"],
    ):
        assert main(words) == 0
        assert isinstance(json.loads(capsys.readouterr().out), dict)


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["run", "toycup", "--packs", "packs"], 2, "did you mean 'toy_cup'"),
        (["run", "nowhere.yaml"], 2, "cannot be read"),
        ([*RUN, "--assistant", "orcale"], 2, "no assistant named 'orcale'; did you mean 'oracle'"),
        ([*RUN, "--human", "ruler"], 2, "did you mean 'rule'"),
        ([*RUN, "--engine", "toi"], 2, "did you mean 'toy'"),
        (["replay", "nothing"], 2, "no such file"),
        (["list", "--packs", "absent"], 2, "no such folder"),
    ],
)
def test_bad_input_is_two_and_says_what_is_meant(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, told: str
) -> None:
    assert main(words) == code
    shown = capsys.readouterr()
    assert told in shown.err and "Traceback" not in shown.err and shown.out == ""


def test_frames_are_none_or_a_number(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN[:-1], "none"]) == 0
    assert not [*(home / "runs").rglob("*.png"), *(home / "runs").rglob("*.jpg")]
    with pytest.raises(SystemExit) as stopped:
        main([*RUN[:-1], "many"])
    assert stopped.value.code == 2 and "neither `none` nor a number" in capsys.readouterr().err


def test_a_void_attempt_is_three(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.episodes.toy_engine import ToyEngine

    engines = toy_agents.Fakes("engine", toy=SimpleNamespace(make=lambda: ToyEngine(crash_at=8)))
    monkeypatch.setattr(attempts, "ENGINES", engines)
    assert main(RUN) == 3
    assert "VOID (infrastructure" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"protocol": {"opening": {"commands": ["[Put] <red_cup> (1) <bed> (1)"]}}}, "commands/0: [Put] <red_cup> (1) <bed> (1): NOT_HELD"),
        ({"score": {"goals": [{"id": "g", "holds": {"is": ["on", "red_cup_1", "table_1"]}}]}}, "holds already when the request is made"),
        ({"score": {"goals": [{"id": "g", "holds": {"is": ["on", "rad_cup_1", "bed_1"]}}]}}, "did you mean 'red_cup_1'"),
    ],
)
def test_a_pack_that_is_unsound_is_not_played(home: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], told: str) -> None:
    save(home, **changes)
    assert main(RUN) == 2
    shown = capsys.readouterr()
    assert told in shown.err and shown.out == "" and not (home / "runs").exists()


def test_prove_refuses_a_shortest_solution_that_is_longer_than_the_oracles(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for actions, code in ((2, 0), (3, 1)):
        save(home, proof={"actions": actions})
        assert main(["prove", "toy_cup", "--packs", "packs"]) == code
    assert "the shortest solution has 3 commands, the oracle's had 2" in capsys.readouterr().out


def test_what_is_said_cannot_write_over_the_terminal(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(home, protocol={"opening": {"handoff": "Which \x1bc cup\r goes\u202e to the bed? \u00e9"}})
    assert main(RUN) == 0
    shown = capsys.readouterr().out
    assert "Which \\x1bc cup\\r goes\\u202e to the bed? \u00e9" in shown and not set(shown) & {"\x1b", "\r", "\u202e"}


def test_replay_says_equal_and_refuses_what_was_touched(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    assert main(["replay", str(folder)]) == 0 and "every digest equal" in capsys.readouterr().out
    assert main(["replay", str(folder), "--verify-only"]) == 0 and "in the ledger" in capsys.readouterr().out
    events = folder / "events.jsonl"
    events.write_bytes(events.read_bytes().replace(b"red_cup", b"rad_cup", 1))
    assert main(["replay", str(folder)]) == 2
    assert "events.jsonl line" in capsys.readouterr().err


def test_a_cut_tail_that_was_sealed_again_is_known_to_the_ledger(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """cases.md K, Aegis PR#173: a chain does not notice tail truncation, nor does a seal made afterwards."""
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    events = folder / "events.jsonl"
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:-5]))
    (folder / "manifest.json").unlink()
    seal_cancelled(folder)
    capsys.readouterr()
    assert faults_of(folder) == ()
    assert main(["replay", str(folder)]) == 2 and "was sealed with" in capsys.readouterr().err


def test_check_reports_every_problem(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "toy_cup", "--packs", "packs"]) == 0 and "is sound" in capsys.readouterr().out
    save(home, proof={"oracle": [{"say": "[Grab] it"}]}, score={"goals": [{"id": "g", "holds": {"is": ["on", "rad_cup_1", "bed_1"]}}]})
    assert main(["check", "toy_cup", "--packs", "packs"]) == 1
    shown = capsys.readouterr().out
    assert "2 problem(s)" in shown and "did you mean 'red_cup_1'" in shown


def test_prove_runs_the_controls(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prove", "toy_cup", "--packs", "packs"]) == 0
    shown = capsys.readouterr().out
    assert "attempted 5, completed 5, void 0; success 1/5" in shown and "toy_cup is proved" in shown


def test_prove_names_what_a_pack_does_not_keep(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oracle = PACK["proof"]["oracle"]
    save(home, proof={"wrong": [*oracle, {"say": "Thank you."}], "early": [{"say": "Hello."}]})
    assert main(["prove", "toy_cup", "--packs", "packs", "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    problems = {row["control"]: row["problems"] for row in report["controls"]}
    assert problems == {
        "oracle": [],
        "silent": [],
        "wrong": ["wrong succeeds", "wrong help ends in the oracle's world"],
        "early": [],
        "nothing": [],
    }


def test_list_shows_names_and_broken_packs(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--packs", "packs"]) == 0
    shown = capsys.readouterr().out
    assert "toy_cup" in shown and "Bring the red cup to the bed" in shown and "a toy engine" in shown
    (home / "packs" / "broken.yaml").write_text("schema: taskpack/1\n")
    assert main(["list", "packs", "--packs", "packs"]) == 2 and "key 'score' is missing" in capsys.readouterr().out


def test_view_writes_one_page_that_needs_nothing_else(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import re

    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    assert main(["view", str(folder)]) == 0
    text = (folder / "view.html").read_text()
    assert "DATA_HERE" not in text and "TITLE_HERE" not in text and "data:image/webp;base64," in text
    addresses = set(re.findall(r"https?://[^\s\"'<>`]+", text))
    assert addresses <= {"http://www.w3.org/2000/svg"}, addresses
    assert not re.search(r"<(script|link|img)[^>]+(src|href)=", text)
    assert faults_of(folder) == (), "the page lies beside what was sealed"


def test_the_audit_views_have_the_names_of_the_benchmark(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    assert main(["view", str(folder), "--audit", "audit"]) == 0
    found = {p.name: json.loads(p.read_text()) for p in sorted((home / "audit").iterdir())}
    assert {"dialogue.json", "eval.json", "human_action_trace.json", "receipts.json", "visibility.json", "baselines.json"} <= set(found)
    assert [u["text"] for u in found["dialogue.json"]][:3] == ["Let me see.", "Which cup goes to the bed?", "Pick up the red cup."]
    assert ["red_cup_1", "on", ["bed_1"]] in found["final_relations.json"]["relations"]
    assert ["red_cup_1", "on", ["table_1"]] in found["baselines.json"]["handoff"]
    assert found["attempt.json"]["sealed"] is True


def test_a_scenario_that_the_engine_refuses_is_bad_input_and_leaves_no_folder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(home, scenario={"changes": [{"move": "rad_cup_1", "onto": "bed_1"}]})
    assert main(RUN) == 2
    assert "did you mean 'red_cup_1'" in capsys.readouterr().err
    assert not (home / "runs").exists()


@pytest.mark.parametrize("out", ["/proc/nope", "/dev/null", "afile/x", "/dev/null/x"])
def test_a_folder_that_cannot_be_is_three_and_named(home: Path, capsys: pytest.CaptureFixture[str], out: str) -> None:
    (home / "afile").write_text("no folder")
    for words in ([*RUN, "--out", out], ["prove", "toy_cup", "--packs", "packs", "--out", out]):
        assert main(words) == 3
        shown = capsys.readouterr()
        assert f"make folder {out}" in shown.err and len(shown.err.splitlines()) == 1
    assert main(RUN) == 0
    folder = str(home / "runs" / "toy_cup-oracle-rule-0-001")
    assert main(["view", folder, "--out", f"{out}/page.html"]) == 3 and "write page.html" in capsys.readouterr().err
    assert main(["view", folder, "--audit", out]) == 3 and f"make folder {out}" in capsys.readouterr().err


def rechained(folder: Path, change: Any) -> None:
    """Forge records: `change(rows)` may alter them; hashes, seals and the ledger's absence are made to fit."""
    from assistcore.world.canonical import canonical_json
    from assistcore.world.records import GENESIS, row_hash
    from assistworld.episodes.log import seal_files

    rows = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    change(rows)
    head = GENESIS
    for row in rows:
        row["prev"] = head
        row["hash"] = head = row_hash(row)
    (folder / "events.jsonl").write_text("".join(canonical_json(row) + "\n" for row in rows))
    (folder.parent / "ledger.jsonl").unlink()
    timing = (folder / "timing.jsonl").read_bytes().splitlines(keepends=True)[:-1]
    (folder / "timing.jsonl").write_bytes(b"".join(timing))
    seal_files(folder, len(rows), head)


def test_a_forged_change_is_refused_with_its_line(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    line = 0

    def forge(rows: list[dict[str, Any]]) -> None:
        nonlocal line
        line = next(i for i, row in enumerate(rows, 1) if row["type"] == "changes")
        rows[line - 1]["data"]["changes"][0][2] = "elsewhere"

    rechained(folder, forge)
    capsys.readouterr()
    for words in (["view", str(folder)], ["replay", str(folder)], ["replay", str(folder), "--verify-only"]):
        assert main(words) == 2
        shown = capsys.readouterr().err
        assert f"events.jsonl line {line}: does not follow" in shown and "'elsewhere'" in shown


def test_a_record_without_what_a_page_needs_is_a_damaged_bundle(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    rechained(folder, lambda rows: [row["data"].update(view={}) for row in rows if row["type"] == "view"])
    capsys.readouterr()
    assert main(["view", str(folder), "--audit", "audit"]) == 2
    assert "not as an episode writes them" in capsys.readouterr().err


@pytest.mark.parametrize("kind", [".png", ".snap", ".json"])
def test_forged_content_is_a_damaged_bundle(home: Path, capsys: pytest.CaptureFixture[str], kind: str) -> None:
    """Content that nobody could have written, under the digest that it has."""
    from assistcore.world.canonical import digest_bytes

    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    new = digest_bytes(b"AWSN forged")
    old = next((folder / "attachments").glob(f"*{kind}"))
    old.unlink()
    (folder / "attachments" / f"{new}{kind}").write_bytes(b"AWSN forged")
    events = folder / "events.jsonl"
    events.write_text(events.read_text().replace(old.stem, new))
    rechained(folder, lambda rows: None)
    (folder.parent / "ledger.jsonl").write_text('5\n{"bundle":"toy_cup-oracle-rule-0-001"}\n')
    capsys.readouterr()
    assert faults_of(folder) == () and main(["view", str(folder)]) == 2
    shown = capsys.readouterr().err
    assert ("not a snapshot chunk" if kind == ".snap" else "not as an episode writes them") in shown


def test_a_cut_bundle_without_its_seal_is_known_to_the_ledger(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    events = folder / "events.jsonl"
    events.write_bytes(b"".join(events.read_bytes().splitlines(keepends=True)[:-5]))
    (folder / "manifest.json").unlink()
    capsys.readouterr()
    for command in ("view", "replay"):
        assert main([command, str(folder)]) == 2 and "was sealed with" in capsys.readouterr().err
    (home / "runs" / "ledger.jsonl").unlink()
    assert main(["view", str(folder)]) == 0 and main(["replay", str(folder)]) == 0, "a killed run is shown as far as it went"


def test_killed_before_it_began_is_said_by_all(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = home / "runs" / "killed"
    folder.mkdir(parents=True)
    for torn in (b"", b'{"data":{"assis'):
        (folder / "events.jsonl").write_bytes(torn)
        for words in (["view", str(folder)], ["replay", str(folder)], ["replay", str(folder), "--verify-only"]):
            assert main(words) == 2 and "killed before it began" in capsys.readouterr().err
    (folder / "timing.jsonl").write_bytes(b"")
    seal_cancelled(folder)
    assert main(["view", str(folder)]) == 2 and "killed before it began" in capsys.readouterr().err


@pytest.mark.parametrize("field", ["count", "head", "events_sha256"])
def test_a_changed_manifest_is_blamed_itself(home: Path, capsys: pytest.CaptureFixture[str], field: str) -> None:
    main(RUN)
    folder = home / "runs" / "toy_cup-oracle-rule-0-001"
    path = folder / "manifest.json"
    sound = path.read_text()
    old = str(json.loads(sound)[field])
    path.write_text(sound.replace(old, ("1" if old[0] != "1" else "2") + old[1:], 1))
    faults = faults_of(folder)
    assert faults and faults[0].place == "manifest.json", faults
    path.write_text(sound)
    assert faults_of(folder) == ()
    (folder / "events.jsonl").write_bytes(b"")
    assert "every row is missing" in str(faults_of(folder)[0].detail)

"""Conversations for fine-tuning: what was played is what is written, only successes, nothing that is held out, nothing twice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assistcore.world.errors import InputError
from assistworld.agents.assistants.silent import SilentAssistant
from assistworld.cli.main import main
from assistworld.engines.puzzle import make as make_engine
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.prompting import Toggles, instructions
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from assistworld.studies.attempt import attempt, make_human
from assistworld.studies.histories import followed
from assistworld.studies.sft import Counts, demonstrations, export, fingerprints, read_held_out
from taskpacks.loader import find_pack
from tests.models.stub import chat_server

CASES = [(name, "easy", None, seed) for name in ("maze_2d", "sliding_block") for seed in (3, 4)]


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "data.jsonl").read_text(encoding="utf-8").splitlines()]


def written(folder: Path, **options: Any) -> tuple[list[dict[str, Any]], Counts]:
    counts = Counts()
    channels = options.pop("channels", ("view",))
    given = {"toggles": Toggles(), **options}
    export(demonstrations(CASES, channels=channels, counts=counts), folder, counts=counts, **given)
    return rows_of(folder), counts


def test_every_conversation_solves_its_puzzle_and_every_picture_is_there(tmp_path: Path) -> None:
    rows, counts = written(tmp_path / "out")
    assert len(rows) == counts.written == len(CASES)
    for row, (name, preset, _, seed) in zip(rows, CASES, strict=True):
        puzzle = make(name, preset)
        turns = row["conversations"]
        assert [t["from"] for t in turns] == ["human", "gpt"] * row["steps"] and row["reward"] == 1
        assert turns[0]["value"].startswith(instructions(puzzle))
        play = Play(puzzle, seed=seed)
        places = 0
        for asked, answered in zip(turns[::2], turns[1::2], strict=True):
            assert asked["value"].count("<image>") == 1
            with Image.open(tmp_path / "out" / row["images"][places]) as picture:
                assert picture.tobytes() == play.picture().tobytes()
            assert not play.turns or play.turns[-1].feedback in asked["value"]
            places += 1
            play.act(answered["value"])
        assert play.reward == 1 and places == len(row["images"])


def test_only_successes_are_written_and_nothing_twice(tmp_path: Path) -> None:
    puzzle, counts = make("maze_2d"), Counts()
    failed = followed(Play(puzzle, seed=3), ["('stop', 'stop')"], who="made")
    solved = next(demonstrations(CASES, counts=counts))
    export([failed, solved, solved], tmp_path, toggles=Toggles(), counts=counts)
    assert (counts.written, counts.failed, counts.repeated) == (1, 1, 1) and len(rows_of(tmp_path)) == 1


def test_what_is_held_out_is_left_out_whatever_the_strategy_and_the_preset(tmp_path: Path) -> None:
    held = fingerprints([(make("maze_2d"), 3), (make("maze_2d"), 3)])
    assert len(held) == 1
    (tmp_path / "list.txt").write_text("\n".join(held) + "\n")
    rows, counts = written(tmp_path / "out", held_out=read_held_out(tmp_path / "list.txt"))
    assert counts.held_out == 1 and len(rows) == 3 and held[0] not in {row["episode"] for row in rows}
    assert fingerprints([(make("maze_2d", max_steps=25), 3)]) == held, "the limit of steps makes no other maze"
    (tmp_path / "bad.txt").write_text(f"{held[0]}\nnonsense\n")
    with pytest.raises(InputError, match=r"bad.txt:2"):
        read_held_out(tmp_path / "bad.txt")


def test_toggles_and_channels_are_those_of_a_player(tmp_path: Path) -> None:
    rows, _ = written(tmp_path / "text", channels=("text",), toggles=Toggles(feedback=False))
    assert all(not row["images"] and "<image>" not in t["value"] for row in rows for t in row["conversations"])
    assert "P player" in rows[0]["conversations"][2]["value"] and "left." not in rows[0]["conversations"][2]["value"]
    rows, _ = written(tmp_path / "goal", channels=("view", "goal"), toggles=Toggles(repeat=True))
    assert rows[0]["conversations"][0]["value"].count("<image>") == 2
    assert rows[0]["conversations"][2]["value"].startswith(instructions(make("maze_2d")))
    with pytest.raises(InputError, match="thoughts"):
        written(tmp_path / "thoughts", toggles=Toggles(reasoning=True))
    with pytest.raises(InputError, match="not empty"):
        written(tmp_path / "goal")


def test_bundles_become_the_conversations_that_were_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pack = find_pack("maze_2d_easy")
    folders = [
        attempt(pack, make_engine(), SilentAssistant(), make_human(who, pack, 0), out=tmp_path / "runs", frames=1).folder
        for who in ("solver", "stopper")
    ]
    assert main(["sft", "bundles", *map(str, folders), "--out", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["written"], told["failed"]) == (1, 1)
    (row,) = rows_of(tmp_path / "out")
    assert row["by"] == "solver" and row["conversations"][-1]["value"] == "('stop', 'stop')"
    assert main(["failures", *map(str, folders), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["episodes"]
    assert main(["failures", *map(str, folders), "--annotate", "judge", "--url", "here"]) == 2
    with chat_server(["[]"]) as stub:
        assert main(["failures", *map(str, folders), "--annotate", "judge", "--url", stub.url]) == 0
    assert len(stub.asked) == 1, "what was solved is not sent"
    assert [e["success"] for e in found] == [True, False] and [x["kind"] for x in found[1]["labels"]] == ["early_termination"]


def test_long_thoughts_are_written_whole(tmp_path: Path) -> None:
    play = Play(make("maze_2d"), seed=3)
    answers = [f"<think>{'so ' * 3000}</think><answer>{answer}</answer>" for answer in solve(play.puzzle, play.state)]
    export([followed(play, answers, who="made")], tmp_path, toggles=Toggles(reasoning=True), counts=Counts())
    (row,) = rows_of(tmp_path)
    assert [turn["value"] for turn in row["conversations"][1::2]] == answers


def test_the_command_holds_out_what_its_list_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    common = ["--puzzles", "maze_2d,matchstick_equation", "--presets", "easy"]
    assert main(["sft", "held-out", *common, "--seeds", "0:3", "--out", str(tmp_path / "test.txt")]) == 0
    asked = ["sft", "solvers", *common, "--seeds", "2:5", "--strategies", "all", "--held-out", str(tmp_path / "test.txt")]
    capsys.readouterr()
    assert main([*asked, "--out", str(tmp_path / "out"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    strategies = 1 + len(make("matchstick_equation").strategies)
    assert told["held_out"] == strategies and told["written"] + told["repeated"] == 2 * strategies and not told["unsolved"]
    assert main(["sft", "solvers", "--puzzles", "maze2d", "--out", str(tmp_path / "none")]) == 2
    assert "maze_2d" in capsys.readouterr().err


def test_hugging_face_datasets_loads_it(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="Hugging Face datasets is not installed here")
    rows, _ = written(tmp_path / "out")
    loaded = datasets.load_dataset(str(tmp_path / "out"), split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.num_rows == len(rows) and loaded[0] == rows[0]
    paths = loaded.map(lambda row: {"images": [str(tmp_path / "out" / name) for name in row["images"]]})
    pictures = paths.cast_column("images", datasets.List(datasets.Image()))[0]["images"]
    assert [picture.size for picture in pictures] == [(225, 225)] * len(rows[0]["images"])


def test_a_held_out_list_that_cannot_be_read_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        read_held_out(tmp_path / "nowhere.txt")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xd8")
    with pytest.raises(InputError, match=r"binary\.txt:1"):
        read_held_out(tmp_path / "binary.txt")

"""Packs as files: every problem in one report, with file, line and pointer; the traps of YAML are errors."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from assistcore.world.errors import InputError
from taskpacks.digest import pack_digest, pack_from_json, pack_json
from taskpacks.loader import find_pack, list_packs, load_pack
from tests.episodes.playing import PACK, pack


def write(folder: Path, text: str, name: str = "toy_cup") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def refused(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as error:
        load_pack(write(folder, text))
    return str(error.value)


SOUND = yaml.safe_dump(PACK, sort_keys=False)


def test_a_pack_is_read_and_predicates_stay_words(tmp_path: Path) -> None:
    """`{is: [on, red_cup_1, bed_1]}`: `on` is a boolean in YAML 1.1."""
    text = SOUND.replace("is:\n      - 'on'\n      - red_cup_1\n      - bed_1", "is: [on, red_cup_1, bed_1]")
    assert "[on, red_cup_1" in text
    loaded = load_pack(write(tmp_path, text))
    assert loaded == pack() and pack_digest(loaded) == pack_digest(pack())


def test_all_problems_are_in_one_report(tmp_path: Path) -> None:
    text = SOUND.replace("family: ask", "family: aks").replace("licence:", "license:").replace("idle_s: 1.0", "idle_s: -1")
    report = refused(tmp_path, text)
    assert "3 problem(s)" not in report and "4 problem(s)" in report
    assert "unknown key 'license' (did you mean 'licence'?)" in report and "key 'licence' is missing" in report
    assert "#/protocol/family" in report and "'aks'" in report
    assert "#/protocol/timing/idle_s" in report and "got -1" in report
    assert f"toy_cup.yaml:{text.splitlines().index('    idle_s: -1') + 1}#" in report


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("title:", "title: A\ntitle:", "key 'title' stands here twice"),
        ("licence: Apache-2.0", "licence: no", "no is a boolean in YAML 1.1"),
        ("version: 1", "on: 1", "key 'on' is a boolean"),
        ("idle_s: 1.0", "idle_s: 1:30", "1:30 is read as another number"),
        ("seconds: 20", "seconds: 020", "020 is read as another number"),
        ("id: toy_cup", "id: other_cup", "id 'other_cup' in a file named 'toy_cup.yaml'"),
        ("goals:", "goals: [", "not YAML"),
        ("seconds: 20", "seconds: .inf", "is no number that a pack can hold"),
        ("seconds: 20", "seconds: .nan", "is no number that a pack can hold"),
        ("seconds: 20", "seconds: 1.0e+400", "is no number that a pack can hold"),
        ("version: 1", f"version: {'9' * 5000}", "cannot be read"),
        ("version: 1", f"version: {'9' * 500}", "is no number that a pack can hold"),
        ("title: Bring", 'title: "\\e[31mRed\\nBring"\nsource: ', "a title is one line of printable characters"),
        ("version: 1", "? [version, one]\n: 1", "a key is a word, here it is a list or a mapping"),
        ("version: 1", "version: !!int one", "cannot be read"),
        ("version: 1", "version: !odd one", "cannot be read"),
    ],
)
def test_traps_are_errors(tmp_path: Path, old: str, new: str, words: str) -> None:
    assert words in refused(tmp_path, SOUND.replace(old, new, 1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"score": {"goals": []}}, "at least 1 item"),
        ({"score": {"goals": [{"id": "a", "holds": {"is": ["on"]}}]}}, "at least 2 items"),
        ({"score": {"goals": [{"id": "a", "holds": {"both": []}}]}}, "a condition has exactly one of the keys"),
        ({"score": {"guards": [{"id": "cup_on_bed", "holds": {"unmoved": "key_1"}}]}}, "check ids used twice: cup_on_bed"),
        ({"protocol": {"family": "watch"}}, "plan is for family watch only"),
        ({"protocol": {"kind": "duet"}}, "'two_agent', 'solo'"),
        ({"protocol": {"kind": "solo"}}, "unknown key 'family' (allowed: budget, channels, kind, task)"),
    ],
)
def test_contracts_that_cannot_score_are_refused(tmp_path: Path, change: dict, words: str) -> None:
    """cases.md H, tau2-bench: `checks: []` -> load error."""
    from tests.episodes.playing import merged

    assert words in refused(tmp_path, yaml.safe_dump(merged(PACK, change)))


def test_who_helps_nobody_says_nothing_and_who_helps_does(tmp_path: Path) -> None:
    solo = {**PACK, "protocol": {"kind": "solo"}}
    assert "proof/oracle: its sentences are given, and nobody helps" in refused(tmp_path, yaml.safe_dump(solo))
    assert "proof/oracle: its sentences are missing" in refused(tmp_path, yaml.safe_dump({**PACK, "proof": {}}))


def test_one_wrong_goal_is_one_problem_that_names_its_key(tmp_path: Path) -> None:
    from tests.episodes.playing import merged

    text = yaml.safe_dump(merged(PACK, {"score": {"goals": [{"id": "a", "holds": {"unmove": "key_1"}}]}}))
    report = refused(tmp_path, text)
    assert "1 problem(s)" in report and "got 'unmove' (no condition 'unmove': did you mean 'unmoved'?)" in report


def test_packs_are_found_by_id_and_by_path(tmp_path: Path) -> None:
    path = write(tmp_path, SOUND)
    assert find_pack("toy_cup", [tmp_path]) == find_pack(str(path)) == pack()
    with pytest.raises(InputError, match="did you mean 'toy_cup'"):
        find_pack("toycup", [tmp_path])
    write(tmp_path, "schema: taskpack/9\n", "broken")
    listed = {entry.id: entry for entry in list_packs([tmp_path])}
    assert listed["toy_cup"].pack is not None and listed["broken"].error is not None


def test_the_digest_is_of_the_meaning(tmp_path: Path) -> None:
    assert pack_digest(pack(protocol={"budget": {"seconds": 20.0}})) == pack_digest(pack())
    assert pack_digest(pack(protocol={"budget": {"seconds": 21}})) != pack_digest(pack())
    again = pack_from_json(pack_json(pack()))
    assert again == pack() and pack_digest(again) == pack_digest(pack())


BOMB = "a: &a [x, x, x]\n" + "".join(f"{c}: &{c} [{', '.join([f'*{b}'] * 10)}]\n" for b, c in zip("abcdefgh", "bcdefghi", strict=True))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (BOMB, "broken.yaml:1: &a: anchors and aliases are not read"),
        ("a: &a [*a]\n", "anchors and aliases are not read"),
        ("a: " + "[" * 3000 + "]" * 3000, "is nested deeper than 60 levels"),
        ("# " + "x" * 1_000_000, "is larger than"),
        ("a: *nothing\n", "anchors and aliases are not read"),
    ],
    ids=["bomb", "recursive", "deep", "large", "unknown alias"],
)
def test_what_would_hang_or_break_the_reader_is_a_problem_and_hides_no_other_pack(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path, SOUND)
    write(tmp_path, text, "broken")
    listed = {entry.id: entry for entry in list_packs([tmp_path])}
    assert listed["toy_cup"].pack is not None and words in str(listed["broken"].error)


def test_an_id_that_two_files_have_is_refused_with_both(tmp_path: Path) -> None:
    name = "best_value_coffee"
    path = write(tmp_path, SOUND.replace("id: toy_cup", f"id: {name}"), name)
    with pytest.raises(InputError) as error:
        find_pack(name, [tmp_path])
    assert str(path) in str(error.value) and str(Path("catalogue") / f"{name}.yaml") in str(error.value)
    assert {e.id: e.pack for e in list_packs([tmp_path])}[name] is None
    assert find_pack(str(path)).id == name, "the file itself can be meant"
    write(tmp_path / ".", SOUND)
    assert find_pack("toy_cup", [tmp_path, tmp_path]).id == "toy_cup", "the same folder twice is no second file"

"""What every puzzle promises, checked on everything that is registered: a new puzzle is walked without being named here.

Small samples stand for the full counts; those whose seeds come from `sample_seed` rotate with the commit.
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistcore.world.canonical import canonical_json
from assistcore.world.errors import AssistWorldError, InputError
from assistworld.engines.puzzle.actions import Action, Malformed, examples, read, sample, write
from assistworld.engines.puzzle.codec import decode, encode
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.policies import random_answers
from assistworld.engines.puzzle.prompting import instructions
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.registry import PUZZLES, make, puzzle_type
from assistworld.engines.puzzle.solving import solve
from tests.engines.puzzle.walking import CASES, NAMES, REPORTED, fuzzed, played, puzzle_of, rotating_seeds
from tests.repository.tree import ROOT

EVERY = pytest.mark.parametrize(("name", "preset"), CASES)
EVERY_NAME = pytest.mark.parametrize("name", NAMES)
EPISODES = 70


@EVERY
def test_the_default_solver_solves_within_the_limit(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    for number, seed in enumerate(rotating_seeds(sample_seed, name, 8)):
        play = Play(puzzle, seed=seed)
        assert not puzzle.solved(play.state), f"seed {seed} begins solved"
        answers = solve(puzzle, play.state)
        for answer in answers:
            asked = read(answer, puzzle.spaces)
            assert isinstance(asked, Action) and write(asked, puzzle.spaces) == answer, f"seed {seed}: {answer} does not round-trip"
            turn = play.act(answer)
            assert turn.kind in ("done", "stopped"), f"seed {seed}: {answer}: {turn.feedback}"
            if number == 0:
                picture = play.picture()
                assert picture.dtype == np.uint8 and picture.shape == puzzle.image_shape
        assert play.reward == 1 and play.turns[-1].terminated and not play.turns[-1].truncated, f"seed {seed}"
        assert [answer for answer in answers if "stop" in answer] == ["('stop', 'stop')"], f"seed {seed} stops exactly once"
        assert play.step <= puzzle.config.max_steps


@EVERY
def test_every_strategy_solves(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    for strategy, seed in itertools.product(puzzle.strategies, rotating_seeds(sample_seed, name, 4)):
        play = Play(puzzle, seed=seed)
        answers = solve(puzzle, play.state, strategy=strategy, seed=seed)
        assert played(play, answers).reward == 1, f"{strategy}, seed {seed}"
        assert solve(puzzle, play.start, strategy=strategy, seed=seed) == answers, f"{strategy}, seed {seed}: not seeded"


@EVERY
def test_a_solution_can_be_padded_to_any_number_of_steps(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    most = puzzle.config.max_steps - 1
    for seed in rotating_seeds(sample_seed, name, 3):
        start = Play(puzzle, seed=seed).state
        shortest = len(solve(puzzle, start)) - 1
        for wanted in {min(shortest + 3, most - 1), most - 1}:
            answers = solve(puzzle, start, num_steps=wanted, seed=seed)
            assert len(answers) - 1 in ({wanted, wanted + 1} if wanted >= shortest else {shortest}), f"seed {seed}, {wanted} steps"
            assert played(Play(puzzle, state=start), answers).reward == 1, f"seed {seed}, {wanted} steps"
    with pytest.raises(InputError, match="num_steps"):
        solve(puzzle, start, num_steps=most + 1)


@EVERY
def test_a_solver_goes_on_from_where_somebody_has_come(name: str, preset: str, sample_seed: int) -> None:
    """From states a few random actions away from the beginning; a puzzle in which one can get stuck may say Unsolved, never be wrong."""
    puzzle = puzzle_of(name, preset)
    others = {key: space for key, space in puzzle.spaces.items() if key != "stop"}
    solved = 0
    for seed in rotating_seeds(sample_seed, name, 4):
        play, rng = Play(puzzle, seed=seed), np.random.default_rng(seed)
        played(play, [sample(others, rng) for _ in range(3)])
        try:
            answers = solve(puzzle, play.state, steps_left=play.steps_left)
        except AssistWorldError:
            continue
        assert played(play, answers).reward == 1, f"seed {seed}"
        solved += 1
    assert solved > 0


@EVERY
def test_stopping_at_once_never_succeeds(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    rewards = [played(Play(puzzle, seed=seed), ["('stop', 'stop')"]).reward for seed in range(EPISODES)]
    assert rewards == [0] * EPISODES


@EVERY
def test_a_random_policy_succeeds_in_less_than_a_tenth(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    rewards = [
        played(Play(puzzle, seed=seed), list(random_answers(puzzle, np.random.default_rng(seed)))).reward for seed in range(EPISODES)
    ]
    assert sum(rewards) < 0.1 * EPISODES


@EVERY
def test_without_a_stop_the_limit_truncates(name: str, preset: str) -> None:
    """Properties 6 and 9: feedback on every path, `truncated` real, the limit the puzzle's own."""
    puzzle = puzzle_of(name, preset)
    play = Play(puzzle, seed=1)
    while not play.over:
        turn = play.act("nothing at all" if play.step % 2 else next(iter(examples(puzzle.spaces))))
        assert turn.feedback and f"{play.steps_left} left" in turn.feedback
    assert play.step == puzzle.config.max_steps and play.steps_left == 0
    assert (turn.truncated, turn.terminated, turn.reward) == (True, False, 0)
    with pytest.raises(AssistWorldError, match="ended at step"):
        play.act("('stop', 'stop')")


@EVERY
def test_limits_of_steps_are_those_of_the_paper(name: str, preset: str) -> None:
    """Issue: 20 easy, 30 hard; 20 for Dot-Pointing and Reach, 30 for Pick-and-Place."""
    fixed = {"referring_dot_pointing": 20, "fetch_reach": 20, "fetch_pick_and_place": 30}
    wanted = fixed.get(name, {"easy": 20, "hard": 30}.get(preset))
    assert wanted is None or puzzle_of(name, preset).config.max_steps == wanted


@EVERY_NAME
def test_hard_is_stricter_than_easy_by_its_declared_order(name: str) -> None:
    """Property 7: never equal, never inverted, and nothing else differs."""
    kind = puzzle_type(name)
    easy, hard = kind.presets["easy"], kind.presets["hard"]
    declared = {tightened.parameter: tightened.harder for tightened in kind.tightened}
    assert declared, "hard tightens nothing"
    for parameter, harder in declared.items():
        before, after = getattr(easy, parameter), getattr(hard, parameter)
        assert (after > before) if harder == "more" else (after < before), f"{parameter}: easy {before}, hard {after}, harder is {harder}"
    different = {f.name for f in dataclasses.fields(easy) if getattr(easy, f.name) != getattr(hard, f.name)}
    assert different - {"max_steps"} == set(declared)


@EVERY
def test_the_instructions_say_what_the_code_does(name: str, preset: str) -> None:
    """Property 7: tolerances in the unit that the code uses; every action; the limit of steps."""
    puzzle = puzzle_of(name, preset)
    told = instructions(puzzle)
    assert f"{puzzle.config.max_steps} steps" in told
    for written in examples(puzzle.spaces):
        assert written in told
    state = Play(puzzle, seed=0).state
    assert len(puzzle.errors(state)) == len(puzzle.tolerances())
    for tolerance in puzzle.tolerances():
        assert f"{tolerance.what} is off by at most {tolerance.limit:g} {tolerance.unit}" in told
    if puzzle.tolerances():
        limits = [tolerance.limit for tolerance in puzzle.tolerances()]
        assert puzzle.solved(state) == all(error <= limit for error, limit in zip(puzzle.errors(state), limits, strict=True))


@EVERY
def test_the_goal_is_a_solved_state_with_another_picture(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    for seed in rotating_seeds(sample_seed, name, 3):
        start = Play(puzzle, seed=seed).state
        goal = puzzle.goal(start)
        assert puzzle.solved(goal), f"seed {seed}"
        assert not puzzle.faults(goal), f"seed {seed}"
        assert puzzle.draw(goal).shape == puzzle.image_shape


@EVERY
def test_drawing_changes_nothing_and_hands_out_a_new_picture(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    play = Play(puzzle, seed=5)
    saved, first = canonical_json(encode(play.state)), play.picture()
    kept = first.copy()
    first[:] = 0
    assert np.array_equal(play.picture(), kept) and canonical_json(encode(play.state)) == saved
    assert kept.flags.writeable and int(kept.max()) > int(kept.min())


@EVERY
def test_samples_are_in_their_space_and_are_read_back(name: str, preset: str) -> None:
    """Properties 1 and 5."""
    puzzle = puzzle_of(name, preset)
    drawn = [sample(puzzle.spaces, np.random.default_rng(seed)) for seed in range(60)]
    assert {action.name for action in drawn} == set(puzzle.spaces)
    assert drawn == [sample(puzzle.spaces, np.random.default_rng(seed)) for seed in range(60)]
    for action in drawn:
        assert read(write(action, puzzle.spaces), puzzle.spaces) == action
    for text in examples(puzzle.spaces):
        assert isinstance(read(text, puzzle.spaces), Action)


def _as_numpy(payload: Any) -> Any:
    """The payload as solvers that compute with numpy leave it."""
    if isinstance(payload, tuple):
        return np.array(payload) if all(isinstance(item, int | float) for item in payload) else tuple(_as_numpy(item) for item in payload)
    return payload if isinstance(payload, str) else np.float64(payload) if isinstance(payload, float) else np.int64(payload)


@EVERY
def test_numbers_of_numpy_are_written_as_plain_ones(name: str, preset: str) -> None:
    """Property 1: numpy 2 shows its scalars as `np.float64(1.5)`, which is no literal."""
    puzzle = puzzle_of(name, preset)
    for seed in range(20):
        action = sample(puzzle.spaces, np.random.default_rng(seed))
        text = write(Action(action.name, _as_numpy(action.payload)), puzzle.spaces)
        assert "np." not in text and "array" not in text and text == write(action, puzzle.spaces)


def check_unchanged(play: Play, answer: object) -> None:
    before, step = canonical_json(encode(play.state)), play.step
    turn = play.act(answer)
    assert turn.kind == "malformed" and turn.action is None and turn.reward == 0 and not turn.terminated
    assert canonical_json(encode(play.state)) == before and play.step == step + 1
    assert len(turn.message) <= 800
    named = ("('name', payload)", "expected", "the actions are")
    assert any(words in turn.message for words in named), f"{answer!r:.80}: {turn.message}"


@EVERY
def test_reported_malformed_answers_change_nothing(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    play = Play(puzzle, seed=2)
    for answer in REPORTED:
        check_unchanged(play, answer)
        play = Play(puzzle, state=play.state) if play.over else play


@EVERY
def test_fuzzed_malformed_answers_change_nothing(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    play = Play(puzzle, seed=2)
    broken = (text for text in fuzzed(puzzle, sample_seed) if isinstance(read(text, puzzle.spaces), Malformed))
    for answer in itertools.islice(broken, 200):
        check_unchanged(play, answer)
        play = Play(puzzle, state=play.state) if play.over else play


@EVERY
def test_payloads_of_the_wrong_kind_are_refused_by_name(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    wrong = [
        None,
        True,
        False,
        {},
        {"x": 1},
        set(),
        "nonsense",
        float("nan"),
        float("inf"),
        -float("inf"),
        10**400,
        1e308,
        (),
        [[]],
        b"",
        object(),
    ]
    for function, payload in itertools.product(puzzle.spaces, wrong):
        asked = read((function, payload), puzzle.spaces)
        assert isinstance(asked, Malformed) and asked.kind == "bad_payload", f"{function} takes {payload!r}"
        assert f"'{function}'" in asked.message and "expected" in asked.message


@EVERY
def test_an_episode_is_saved_and_restored_exactly(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    for seed in rotating_seeds(sample_seed, name, 2):
        play = Play(puzzle, seed=seed)
        answers = solve(puzzle, play.state)
        half = len(answers) // 2
        played(play, answers[:half])
        saved = json.loads(json.dumps(play.save()))
        again = Play.restore(saved)
        assert again.state == play.state and again.turns == play.turns and again.start == play.start and again.seed == seed
        assert np.array_equal(again.picture(), play.picture())
        assert played(again, answers[half:]).turns == played(play, answers[half:]).turns
        assert decode(puzzle.state_type, encode(again.state), "state") == again.state


@EVERY
def test_a_saved_state_that_is_broken_is_refused_by_name(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    saved = json.loads(json.dumps(Play(puzzle, seed=3).save()))
    for field in saved["state"]:
        for value in (None, {"?": 1}):
            broken = {**saved, "state": {**saved["state"], field: value}}
            with pytest.raises(InputError, match=field):
                Play.restore(broken)
    without = {**saved, "state": dict(list(saved["state"].items())[1:])}
    with pytest.raises(InputError, match="missing"):
        Play.restore(without)
    with pytest.raises(AssistWorldError, match="99"):
        Play.restore({**saved, "format": 99})


@EVERY
def test_states_of_the_puzzle_have_no_faults(name: str, preset: str, sample_seed: int) -> None:
    puzzle = puzzle_of(name, preset)
    for seed in rotating_seeds(sample_seed, name, 3):
        play = Play(puzzle, seed=seed)
        for answer in random_answers(puzzle, np.random.default_rng(seed)):
            assert list(puzzle.faults(play.state)) == [], f"seed {seed}"
            play.act(answer)


@EVERY
def test_other_seeds_give_other_episodes(name: str, preset: str) -> None:
    puzzle = puzzle_of(name, preset)
    assert len({canonical_json(encode(Play(puzzle, seed=seed).state)) for seed in range(12)}) >= 6


@EVERY
def test_text_is_given_always_or_never(name: str, preset: str) -> None:
    """Property of 1.8: four puzzles can be written; what is written tells states apart."""
    puzzle = puzzle_of(name, preset)
    play = Play(puzzle, seed=4)
    texts = {puzzle.text(play.state), puzzle.text(puzzle.goal(play.state))}
    assert texts == {None} or (None not in texts and len(texts) == 2)


def _trajectories(names: list[str]) -> dict[str, str]:
    """Digest of first observation, trajectory and last picture of every puzzle and preset."""
    found = {}
    for name, preset in CASES:
        if name in names:
            puzzle = puzzle_of(name, preset)
            digest = hashlib.sha256()
            for seed in (11, 12):
                play = Play(puzzle, seed=seed)
                digest.update(play.picture().tobytes())
                played(play, solve(puzzle, play.state, seed=seed))
                digest.update(canonical_json(play.save()).encode())
                digest.update(play.picture().tobytes())
            found[f"{name} {preset}"] = digest.hexdigest()
    return found


def test_two_processes_see_the_same_episodes(tmp_path: Path) -> None:
    """Another working folder, another hash seed (cases.md A, IsaacLab#904)."""
    script = "import json; from tests.engines.puzzle.test_every_puzzle import NAMES, _trajectories; print(json.dumps(_trajectories(NAMES)))"
    env = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    other = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert other.returncode == 0, other.stderr
    assert json.loads(other.stdout) == _trajectories(NAMES)


@EVERY_NAME
def test_a_puzzle_is_named_and_described(name: str) -> None:
    kind = puzzle_type(name)
    assert kind.name == name and kind.title and re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert {"easy", "hard"} <= set(kind.presets) <= {"easy", "hard", "standard"}
    assert next(entry.description for entry in PUZZLES.entries() if entry.name == name)
    for value in (*kind.presets.values(), Play(puzzle_of(name, "easy"), seed=0).state):
        assert dataclasses.is_dataclass(value)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, None)


def test_unknown_names_are_refused_with_the_nearest() -> None:
    with pytest.raises(AssistWorldError, match="maze_2d"):
        make("maze2d")
    with pytest.raises(InputError, match="easy"):
        make("maze_2d", "eazy")
    with pytest.raises(InputError, match="width"):
        make("maze_2d", widht=9)


def _puzzles() -> list[AnyPuzzle]:
    return [puzzle_of(name, preset) for name, preset in CASES]


def test_configurations_are_saved_exactly() -> None:
    for puzzle in _puzzles():
        assert decode(type(puzzle.config), json.loads(json.dumps(encode(puzzle.config))), "config") == puzzle.config


NOT_TURNS: tuple[object, ...] = (5, None, "x", [7], {"0": {}})


@pytest.mark.parametrize("turns", NOT_TURNS)
def test_answers_of_a_saved_episode_that_are_none_are_refused_by_place(turns: object) -> None:
    with pytest.raises(InputError, match="turns"):
        Play.restore({**Play(make("jigsaw"), seed=3).save(), "turns": turns})


@pytest.mark.parametrize(
    ("field", "value"), [("step", 3), ("steps_left", 10**30), ("terminated", True), ("truncated", True), ("reward", 1), ("reward", -2)]
)
def test_an_answer_that_cannot_be_where_it_is_in_a_saved_episode_is_refused(field: str, value: object) -> None:
    saved = json.loads(json.dumps(played(Play(make("jigsaw"), seed=3), ["x", "x"]).save()))
    assert len(Play.restore(saved).turns) == 2
    saved["turns"][1][field] = value
    with pytest.raises(InputError, match=f"turns/1: has {field}"):
        Play.restore(saved)


def test_a_saved_episode_does_not_go_on_after_its_end() -> None:
    play = played(Play(make("jigsaw"), seed=3), ["x", "('stop', 'stop')"])
    saved = json.loads(json.dumps(play.save()))
    assert Play.restore(saved).over
    third = {**saved["turns"][0], "step": 3, "steps_left": saved["turns"][1]["steps_left"] - 1}
    with pytest.raises(InputError, match="turns/1: ends the episode"):
        Play.restore({**saved, "turns": [*saved["turns"], third]})


@pytest.mark.parametrize("seed", [1.5, "3", True])
def test_a_seed_is_a_whole_number(seed: Any) -> None:
    with pytest.raises(InputError, match="seed"):
        Play(make("maze_2d"), seed=seed)
    saved = Play(make("maze_2d"), seed=3).save()
    with pytest.raises(InputError, match="seed"):
        Play.restore({**saved, "seed": seed})


def test_a_seed_of_numpy_is_saved_as_a_plain_one() -> None:
    saved = Play(make("maze_2d"), seed=np.int64(3)).save()  # type: ignore[arg-type]
    assert json.dumps(saved) == json.dumps(Play(make("maze_2d"), seed=3).save())


@pytest.mark.parametrize(
    ("name", "parameter", "value"),
    [
        ("maze_2d", "width", "13"),
        ("maze_2d", "width", 13.0),
        ("maze_2d", "width", None),
        ("colorization", "accuracy_radius_px", [1]),
        ("colorization", "folder", 3),
        ("counting", "annotations", {}),
        ("zoom_in_puzzle", "nested", 1),
        ("video_unshuffle", "sampling", "odd"),
        ("fetch_reach", "tolerance_cm", float("nan")),
    ],
)
def test_a_parameter_of_the_wrong_type_is_refused_by_name(name: str, parameter: str, value: Any) -> None:
    with pytest.raises(InputError, match=parameter):
        make(name, **{parameter: value})


def test_parameters_may_be_numbers_of_numpy_and_paths(tmp_path: Path) -> None:
    assert make("maze_2d", width=np.int64(13)).config == make("maze_2d", width=13).config
    assert make("jigsaw", folder=tmp_path).config == make("jigsaw", folder=str(tmp_path)).config


@pytest.mark.parametrize("max_steps", [-1, 0, 1])
@pytest.mark.parametrize("name", NAMES)
def test_a_limit_without_a_step_besides_stop_is_refused(name: str, max_steps: int) -> None:
    with pytest.raises(InputError, match="max_steps"):
        make(name, max_steps=max_steps)


@pytest.mark.parametrize("name", ["fetch_reach", "fetch_pick_and_place"])
def test_a_limit_too_small_for_the_gripper_ends_in_an_error(name: str) -> None:
    with pytest.raises(InputError, match="max_steps"):
        Play(make(name, max_steps=2), seed=1)


@pytest.mark.parametrize("options", [{"num_steps": 2.5}, {"num_steps": "x"}, {"noise": float("nan")}, {"noise": -1.0}, {"noise": "x"}])
def test_options_of_a_solver_that_are_no_amounts_are_refused_by_name(options: dict[str, Any]) -> None:
    puzzle = make("referring_dot_pointing")
    with pytest.raises(InputError, match=next(iter(options))):
        solve(puzzle, Play(puzzle, seed=1).state, **options)

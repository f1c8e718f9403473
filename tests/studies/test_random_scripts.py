"""Random scripts in both scenes, seeds rotating with the commit; and what their checks must not let pass."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from actions.verb import all_verbs
from assistcore.house.state import Held
from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistcore.world.poses import Pose
from assistworld.studies.parts import scripts
from assistworld.studies.scripts import SCENES, Drift, Twin, play_script
from assistworld.studies.trials import shared_engine, warm_engine
from assistworld.studies.wishes import wish

SCRIPTS = 60
"""Scripts of a commit, which the default tests play: each takes some ten seconds of a processor, most of them for planning."""


def played(seed: int, numbers: Sequence[int], play: Callable[[int, int], Any] = play_script) -> Iterator[dict[str, Any]]:
    """The results of scripts, each scene played in a process of its own; one that raised has only its number and what was raised."""
    with ExitStack() as stack:
        fresh = multiprocessing.get_context("spawn")
        workers = [stack.enter_context(ProcessPoolExecutor(1, mp_context=fresh)) for _ in SCENES]
        waiting: dict[int, Future[dict[str, Any]]] = {n: workers[n % len(SCENES)].submit(play, seed, n) for n in numbers}
        for number, result in waiting.items():
            try:
                yield result.result()
            except Exception as error:
                yield {"number": number, "sample_seed": seed, "ok": False, "raised": f"{type(error).__name__}: {error}"}


def told(result: dict[str, Any]) -> str:
    """Which script, how it is repeated, what was wrong and which commands it was made of."""
    wrong = [*result.get("problems", ()), *result.get("faults", ()), *filter(None, [result.get("raised")])]
    ended = [f"{row['command']}: {row['status']} {row['fact']}".rstrip() for row in result.get("outcomes", ())]
    again = f"play_script({result['sample_seed']}, {result['number']})"
    return "\n  ".join([f"script {result['number']} of seed {result['sample_seed']}, again with {again}:", *wrong, "played:", *ended])


def test_random_scripts_keep_the_rules(sample_seed: int) -> None:
    numbers = range(SCRIPTS)
    results = list(played(sample_seed, numbers))
    failed = [told(result) for result in results if not result["ok"]]
    assert not failed, "\n".join([f"{len(failed)} of {len(numbers)} scripts failed", *failed])
    assert [r["number"] for r in results] == list(numbers) and {r["scene"] for r in results} == set(SCENES)


def test_a_script_that_fails_is_named_with_its_seed_and_command() -> None:
    row = {"command": "[Grab] <cup> (1)", "status": "done", "fact": ""}
    shared = {"number": 7, "sample_seed": 5, "ok": False, "outcomes": [row]}
    text = told({**shared, "problems": ["[Grab] <cup> (1): can changed the state"], "faults": ["frame 3"], "raised": "ValueError: x"})
    assert "script 7 of seed 5" in text and "play_script(5, 7)" in text
    assert all(line in text for line in ("[Grab] <cup> (1): can changed the state", "frame 3", "ValueError: x", "[Grab] <cup> (1): done"))


def test_what_a_worker_raises_is_a_failed_script() -> None:
    (result,) = played(5, [0], divmod)
    assert not result["ok"] and result["number"] == 0 and "ZeroDivisionError" in told(result)


def test_a_script_is_the_same_again(sample_seed: int) -> None:
    first, second = (play_script(sample_seed, 4, commands=2) for _ in range(2))
    assert first == second


def test_every_verb_is_wished_and_every_wish_can_be_read(sample_seed: int) -> None:
    said: set[str] = set()
    for scene in ("flat", "annex"):
        engine = shared_engine(scene)
        engine.reset(Scenario(scene, {"spot": "kitchen"}), 0)
        rng = np.random.default_rng(sample_seed)
        for text in (text for _ in range(220) for text in wish(engine, rng)):
            parsed = engine.parse(text)
            assert not isinstance(parsed, Refusal), (text, parsed)
            said.add(parsed.command.verb)
    assert said == {info.name for info in all_verbs()}


def test_the_part_says_what_its_scripts_do_not_show() -> None:
    rows: list[dict[str, Any]] = [{"verb": info.name, "ticks": 2} for info in all_verbs()]
    enough = {"asked": 500, "held_ticks": 10_000, "saved_at": ["pick: segment 1"], "outcomes": rows}
    assert scripts.problems([enough]) == []
    assert len(scripts.problems([{**enough, "asked": 499}])) == len(scripts.problems([{**enough, "held_ticks": 9_999}])) == 1
    assert scripts.problems([{**enough, "outcomes": rows[1:]}]) == [f"no script tries {rows[0]['verb']}"]
    assert scripts.problems([{**enough, "saved_at": []}]) == ["1 scripts were never saved"]
    often = [enough] * (scripts.PLAYED - 1)
    assert scripts.problems(often) == []
    assert len(scripts.problems([*often, enough])) == len(rows) - 1  # Now every verb but the one saved in is played often.
    moments = [f"{info.name}: segment 0" for info in all_verbs()]
    assert scripts.problems([*often, {**enough, "saved_at": moments}]) == []
    brief = [{**row, "ticks": 1} for row in rows]
    assert scripts.problems([{**enough, "outcomes": brief}] * scripts.PLAYED) == []


# The checks are shown what they must not let pass.


def test_what_leaves_the_hand_by_two_micrometres_is_found() -> None:
    from humans.kinematics import joint_transforms
    from humans.model import JOINT

    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    body = engine.state.body
    wrist = joint_transforms(engine.body, body.pose_rad, body.translation_m)[JOINT["right_wrist"]]
    state = engine.state.with_(held=Held("red_mug_1", "right", Pose()), poses={**engine.state.poses, "red_mug_1": Pose.from_matrix(wrist)})
    drift = Drift(engine.body)
    drift.watch(state)
    assert drift.worst_m < 1e-12 and drift.held_ticks == 1
    x, y, z = state.poses["red_mug_1"].position_m
    drift.watch(state.with_(poses={**state.poses, "red_mug_1": replace(state.poses["red_mug_1"], position_m=(x, y, z + 2e-6))}))
    assert drift.worst_m == pytest.approx(2e-6, rel=1e-3)


def test_a_twin_that_goes_on_differently_is_found() -> None:
    engine, other = shared_engine(), warm_engine("flat", 1)
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    twin = Twin(other)
    twin.take_over(engine, commands=2)
    assert twin.differences(engine, "[Wait]") == [] and twin.running
    engine.tick()
    assert len(twin.differences(engine, "[Wait]")) == 1 and not twin.running


def test_a_twin_goes_on_for_as_many_commands_as_it_is_told() -> None:
    engine, twin = shared_engine(), Twin(warm_engine("flat", 1))
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    twin.take_over(engine, commands=2)
    assert twin.differences(engine, "[Wait]") == [] and twin.running
    assert twin.differences(engine, "[Wait]") == [] and not twin.running


def test_what_is_taken_does_not_jump_although_the_wrist_is_a_little_off() -> None:
    """The reach to the dish soap beside the sink ends 0.3 mm short; the thing is held from where the wrist is, not where it should be."""
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    drift = Drift(engine.body)
    for text in ("[Walk] <wall_cabinet> (1)", "[Grab] <dish_soap> (1)"):
        parsed = engine.parse(text)
        assert not isinstance(parsed, Refusal) and engine.begin(parsed.command) is None
        while not engine.idle():
            engine.tick()
            drift.watch(engine.state)
    assert drift.held_ticks > 10 and drift.worst_m < 1e-6

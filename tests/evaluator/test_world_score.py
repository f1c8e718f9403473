"""Scores in the toy world: claims never score, guards earn nothing, prohibitions and orders count, void is no failure."""

from __future__ import annotations

from typing import Any

import pytest

from assistcore.world.errors import BundleError
from evaluator.aggregate import aggregate
from evaluator.evaluate import evaluate
from evaluator.scores import Measured, Score
from tests.episodes.playing import CARRY, pack, play
from tests.episodes.reading import rows
from tests.episodes.toy_engine import ToyEngine


def scored(*texts: str, engine: ToyEngine | None = None, **changes: Any) -> Score:
    the_pack = pack(**changes)
    _, episode, _, _ = play(texts=texts, the_pack=the_pack, engine=engine, frames=0)
    return evaluate(the_pack, rows(episode), "head")


def check(score: Score, name: str) -> Any:
    return next(c for c in score.checks if c.id == name)


def test_success_is_read_from_the_world() -> None:
    score = scored(CARRY, "$silent$", "$done$")
    assert (score.success, score.completion.value, score.goal_at_end, score.declared, score.actions) == (True, 1.0, True, True, 2)
    goal = check(score, "cup_on_bed")
    assert (goal.role, goal.passed, goal.tick, goal.since) == ("goal", True, 12, 12)
    assert "red_cup_1 is on bed_1" in goal.explanation
    assert check(score, "other_cup").role == "guard"
    assert score.stable_action.value == 2 and score.efficiency.value is None and "no shortest solution" in score.efficiency.reason


def test_a_claim_makes_no_success() -> None:
    """cases.md H, reasoning-bank#1: claimed=true, goal not reached -> success False and both stored."""
    score = scored("$interrupt$ All done, the cup is on the bed.", "$done$")
    assert (score.success, score.declared, score.completion.value) == (False, True, 0.0)


def test_doing_nothing_is_zero() -> None:
    score = scored()
    assert (score.success, score.completion.value, score.stop_reason) == (False, 0.0, "tick_budget")


def test_reached_and_undone_is_not_success() -> None:
    back = "$interrupt$ do: [Grab] <red_cup> (1); [Put] <red_cup> (1) <table> (1)"
    score = scored(CARRY, "$silent$", back, "$silent$", "$done$")
    assert score.success is False and score.completion.value == 0.0
    assert "it did hold at tick 12" in check(score, "cup_on_bed").explanation


def test_declaring_counts_only_where_the_pack_says_so() -> None:
    silent = scored(CARRY, protocol={"completion_protocol": "declared"})
    assert (silent.success, silent.goal_at_end, silent.completion.value) == (False, True, 1.0)
    assert scored(CARRY, "$silent$", "$done$", protocol={"completion_protocol": "declared"}).success is True


GOALS = [
    {"id": "red", "holds": {"is": ["on", "red_cup_1", "bed_1"]}, "bundle": "cups"},
    {"id": "blue", "holds": {"is": ["on", "blue_cup_1", "bed_1"]}, "bundle": "cups"},
    {"id": "open", "holds": {"is": ["open", "drawer_1"]}},
    {"id": "key", "holds": {"is": ["inside", "key_1", "drawer_1"]}},
]


def test_bundles_count_as_one_and_guards_in_neither_part() -> None:
    score = scored(CARRY, "$silent$", "$interrupt$ do: [Open] <drawer> (1)", "$done$", score={"goals": GOALS})
    assert score.completion.value == 0.5, "the drawer of two: half of a bundle is none of it, the key held from the start"
    assert check(score, "key").role == "guard" and score.success is False


def test_binary_completion() -> None:
    assert scored(CARRY, "$done$", score={"goals": GOALS, "binary": True}).completion.value == 0.0
    assert scored(CARRY, "$silent$", "$done$", score={"binary": True}).completion.value == 1.0


def test_a_broken_guard_fails_and_keeps_the_completion() -> None:
    moved = "$interrupt$ do: [Grab] <blue_cup> (1); [Put] <blue_cup> (1) <table> (1)"
    score = scored(CARRY, "$silent$", moved, "$silent$", "$done$")
    assert (score.success, score.completion.value, check(score, "other_cup").passed) == (False, 1.0, False)


def test_prohibitions_name_their_tick() -> None:
    never = [{"id": "no_drawer", "holds": {"is": ["open", "drawer_1"]}}]
    opened = "$interrupt$ do: [Open] <drawer> (1); [Close] <drawer> (1)"
    score = scored(CARRY, "$silent$", opened, "$silent$", "$done$", score={"never": never})
    found = check(score, "no_drawer")
    assert score.success is False and (found.passed, found.tick) == (False, 14) and score.goal_at_end is True


@pytest.mark.parametrize(("first", "passed"), [("closed", True), ("open", False)])
def test_forbidden_before(first: str, passed: bool) -> None:
    order = [{"id": "o", "first": {"is": [first, "drawer_1"]}, "later": {"is": ["on", "red_cup_1", "bed_1"]}}]
    score = scored(CARRY, "$silent$", "$done$", score={"order": order})
    assert check(score, "o").passed is passed and score.success is passed


def test_void_is_null_with_a_reason() -> None:
    score = scored(CARRY, engine=ToyEngine(crash_at=10))
    assert score.void and score.success is None and score.completion.value is None
    assert "infrastructure" in score.completion.reason and "the toy broke" in score.void_reason
    assert "VOID" in score.summary()


def test_a_running_attempt_has_no_score() -> None:
    _, episode, _, _ = play()
    with pytest.raises(BundleError, match="was not ended"):
        evaluate(pack(), rows(episode)[:-1])


def test_not_measured_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="exactly one of them"):
        Measured(value=None)


def test_aggregates_show_attempted_completed_void_and_bounds() -> None:
    """cases.md J, SWE-bench_Pro-os#78: 7 success, 1 fail, 1 rate limit, 1 crash -> 7/8, bounds 7/10..9/10, ids and seeds listed."""
    good, bad = scored(CARRY, "$silent$", "$done$"), scored("$done$")
    lost = [scored(CARRY, engine=ToyEngine(crash_at=at)).model_copy(update={"seed": at}) for at in (9, 10)]
    total = aggregate([good] * 7 + [bad] + lost)
    assert (total.attempted, total.completed, total.successes) == (10, 8, 7)
    assert "success 7/8, bounds 7/10..9/10" in str(total) and "void 2" in f"{total}"
    assert [(e.pack_id, e.seed) for e in total.excluded] == [("toy_cup", 9), ("toy_cup", 10)]
    with pytest.raises(TypeError, match="is not one number"):
        float(total)
    assert total.as_json()["bounds"] == ["7/10", "9/10"]
    assert str(aggregate([])) == "nothing attempted"

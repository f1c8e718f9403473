"""Goals over several things of one name, and attempts that are no score (cases.md H and J)."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import TypeAdapter

from assistcore.world.conditions import Condition, describe, holds
from assistcore.world.graph import SceneGraph
from evaluator.aggregate import aggregate
from evaluator.evaluate import evaluate
from evaluator.scores import Score
from tests.episodes.playing import CARRY, pack, play
from tests.episodes.reading import rows
from tests.episodes.toy_engine import ToyEngine

BOTH: Condition = TypeAdapter(Condition).validate_python({"all": [{"is": ["running", "lamp_1"]}, {"is": ["running", "lamp_2"]}]})


@pytest.mark.parametrize(("one", "two", "reached"), [(True, True, True), (True, False, False), (False, True, False), (False, False, False)])
def test_a_goal_that_needs_both_lamps_needs_both(one: bool, two: bool, reached: bool) -> None:
    """embodied-agent-interface#9: hitting the same lamp twice is not success."""
    graph = SceneGraph({("lamp_1", "running"): one, ("lamp_2", "running"): two})
    assert holds(BOTH, graph) is reached
    assert "lamp_1" in describe(BOTH) and "lamp_2" in describe(BOTH)


def scored(*texts: str, engine: ToyEngine | None = None, **changes: Any) -> Score:
    the_pack = pack(**changes)
    _, episode, _, _ = play(texts=texts, the_pack=the_pack, engine=engine, frames=0)
    return evaluate(the_pack, rows(episode), "head")


def test_half_of_two_subgoals_is_progress_and_no_success() -> None:
    """android_world#361: composite 0.5 called "mean success"."""
    goals = [{"id": "red", "holds": {"is": ["on", "red_cup_1", "bed_1"]}}, {"id": "blue", "holds": {"is": ["on", "blue_cup_1", "bed_1"]}}]
    score = scored(CARRY, "$silent$", "$done$", score={"goals": goals, "guards": []})
    assert (score.success, score.completion.value) == (False, 0.5)
    total = aggregate([score, score])
    assert (total.completed, total.successes) == (2, 0)


def test_what_was_not_measured_is_null_with_a_reason_in_the_record() -> None:
    """RULES, Not measured is not zero; vla-evaluation-harness#129."""
    lost = scored(CARRY, engine=ToyEngine(crash_at=9)).model_dump(mode="json")
    assert lost["success"] is None and lost["completion"]["value"] is None and lost["completion"]["reason"]
    nulls = [v for v in lost.values() if isinstance(v, dict) and "value" in v and v["value"] is None]
    assert nulls and all(v["reason"] for v in nulls)


def test_only_void_attempts_have_no_rate_and_are_all_listed() -> None:
    """RoboDojo#32: infrastructure errors silently outside the denominator."""
    lost = [scored(CARRY, engine=ToyEngine(crash_at=at)).model_copy(update={"seed": at}) for at in (9, 10)]
    total = aggregate(lost)
    assert (total.attempted, total.completed, total.successes) == (2, 0, 0)
    assert [e.seed for e in total.excluded] == [9, 10] and total.as_json()["bounds"] == ["0/2", "2/2"]

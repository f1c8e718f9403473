"""The scene graph folds; conditions read it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from assistcore.world.conditions import UNMOVED_MM, Condition, describe, holds, leaves
from assistcore.world.graph import Change, SceneGraph, fold

GRAPHS = st.dictionaries(
    st.tuples(st.sampled_from(["a_1", "b_1"]), st.sampled_from(["on", "wet", "place"])), st.integers(0, 3) | st.just(("c_1",)), max_size=6
).map(SceneGraph)


def condition(value: object) -> Condition:
    return TypeAdapter(Condition).validate_python(value)


@given(GRAPHS, GRAPHS)
def test_differences_fold_into_the_later_graph(before: SceneGraph, after: SceneGraph) -> None:
    folded = fold(before, before.difference(after, tick=1, cause="test"))
    assert folded == after and folded.digest() == after.digest()
    assert (before.digest() == after.digest()) == (before == after)


def test_a_change_that_does_not_fit_is_named() -> None:
    with pytest.raises(ValueError, match="tick 4: change of on of a_1 expects 1, the graph has None"):
        fold(SceneGraph(), [Change(4, "a_1", "on", 1, 2, "test")])


WORLD = SceneGraph(
    {
        ("mug_1", "on"): ("table_1",),
        ("mug_1", "place"): (0, 0, 740, 1000000, 0, 0, 0),
        ("tap_1", "running"): True,
        ("pot_1", "volume_ml"): 200,
    }
)


@pytest.mark.parametrize(
    ("value", "truth", "read"),
    [
        ({"is": ["on", "mug_1", "table_1"]}, True, "on(mug_1, table_1)"),
        ({"is": ["on", "mug_1", "bed_1"]}, False, "on(mug_1, bed_1)"),
        ({"is": ["running", "tap_1"]}, True, "running(tap_1)"),
        ({"is": ["running", "mug_1"]}, False, "running(mug_1)"),
        ({"not": {"is": ["held", "mug_1"]}}, True, "not held(mug_1)"),
        ({"attribute": ["pot_1", "volume_ml", ">=", 200]}, True, "volume_ml(pot_1) >= 200"),
        ({"attribute": ["pot_1", "volume_ml", ">", 200]}, False, "volume_ml(pot_1) > 200"),
        ({"attribute": ["pot_1", "lid", "<", 3]}, False, "lid(pot_1) < 3"),
        ({"attribute": ["pot_1", "lid", "!=", 3]}, True, "lid(pot_1) != 3"),
        ({"attribute": ["tap_1", "running", ">=", 0]}, False, "running(tap_1) >= 0"),
        ({"all": [{"is": ["running", "tap_1"]}, {"is": ["on", "mug_1", "bed_1"]}]}, False, "(running(tap_1) and on(mug_1, bed_1))"),
        ({"any": [{"is": ["running", "tap_1"]}, {"is": ["on", "mug_1", "bed_1"]}]}, True, "(running(tap_1) or on(mug_1, bed_1))"),
        (
            {"count": {"of": [{"is": ["running", "tap_1"]}, {"is": ["held", "mug_1"]}], "min": 1, "max": 1}},
            True,
            "at least 1 and at most 1 of [running(tap_1), held(mug_1)]",
        ),
    ],
)  # fmt: skip
def test_conditions(value: dict[str, object], truth: bool, read: str) -> None:
    parsed = condition(value)
    assert holds(parsed, WORLD) is truth and describe(parsed) == read and list(leaves(parsed))
    assert condition(TypeAdapter(Condition).dump_python(parsed, by_alias=True)) == parsed


def test_unmoved_is_within_its_tolerance_and_not_in_a_hand() -> None:
    unmoved = condition({"unmoved": "mug_1"})

    def at(x_mm: int, **more: tuple[str, ...]) -> SceneGraph:
        held = {("mug_1", kind): value for kind, value in more.items()}
        return SceneGraph({**WORLD.values, ("mug_1", "place"): (x_mm, 0, 740, 1000000, 0, 0, 0), **held})

    assert holds(unmoved, at(UNMOVED_MM), WORLD) and not holds(unmoved, at(UNMOVED_MM + 1), WORLD)
    assert not holds(unmoved, at(0, held=("right",)), WORLD)
    assert not holds(unmoved, SceneGraph(), WORLD)


@pytest.mark.parametrize(
    "value", [{"is": ["on"]}, {"is": ["on", "a", "b", "c"]}, {"all": []}, {"is": ["on", "a_1"], "not": {}}, {}, {"count": {"of": []}}, "on"]
)
def test_what_is_no_condition_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        condition(value)

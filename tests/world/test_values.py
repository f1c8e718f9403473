"""Canonical values, ids, time, streams, registries and errors."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistcore.world.canonical import canonical_json, digest, millimetres, scaled, thaw
from assistcore.world.clock import HOUSE_TICK_SECONDS, seconds_at, ticks_in
from assistcore.world.errors import InputError, Problem, VersionError, nearest
from assistcore.world.ids import EntityRef, normal_name
from assistcore.world.randomness import stream
from assistcore.world.registry import Registry, UnknownName


def test_equal_values_have_equal_bytes_whatever_their_order() -> None:
    assert canonical_json({"b": 1, "a": (1, 2)}) == canonical_json({"a": [1, 2], "b": 1}) == '{"a":[1,2],"b":1}'
    assert digest({"x": "é"}) == digest({"x": "\u00e9"}) and canonical_json("é") == '"\\u00e9"'


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_json_cannot_say_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        canonical_json([value])
    with pytest.raises(ValueError, match="cannot make an integer"):
        scaled(value, 1.0)
    with pytest.raises(TypeError):
        canonical_json(np.int64(3))


def test_millimetres_round_halves_away_from_zero() -> None:
    assert [millimetres(v) for v in (0.0005, -0.0005, 0.0015, 1.2344, -1.2346)] == [1, -1, 2, 1234, -1235]


@given(st.recursive(st.integers() | st.text() | st.booleans() | st.none(), lambda inner: st.lists(inner).map(tuple), max_leaves=12))
def test_thaw_undoes_what_json_does_to_tuples(value: object) -> None:
    import json

    assert thaw(json.loads(canonical_json(value))) == value


def test_entity_references_have_three_forms() -> None:
    ref = EntityRef(normal_name("  Red   Mug "), 2)
    assert (ref.key, ref.surface) == ("red_mug_2", "<red_mug> (2)") and EntityRef.from_key("red_mug_2") == ref
    assert EntityRef.from_key("shelf_2_1") == EntityRef("shelf_2", 1)
    with pytest.raises(ValueError, match="'red_mug' is not of the form"):
        EntityRef.from_key("red_mug")


def test_time_never_drifts() -> None:
    assert ticks_in(1, HOUSE_TICK_SECONDS) == 12 and ticks_in(0.1, HOUSE_TICK_SECONDS) == 2 and ticks_in(0, HOUSE_TICK_SECONDS) == 0
    assert ticks_in(seconds_at(7, HOUSE_TICK_SECONDS), HOUSE_TICK_SECONDS) == 7
    assert [ticks_in(Fraction(k, 12), HOUSE_TICK_SECONDS) for k in range(1, 500)] == list(range(1, 500))


def test_streams_are_named_and_independent() -> None:
    """cases.md J, ManiSkill: adding one draw shifts no other."""
    first = stream(5, "poses", 3).random(4)
    stream(5, "looks", 3).random(100)
    assert np.array_equal(first, stream(5, "poses", 3).random(4))
    others = [stream(6, "poses", 3), stream(5, "pose", 3), stream(5, "poses", 4)]
    assert all(not np.array_equal(first, other.random(4)) for other in others)


def test_registries_read_names_without_importing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "zoo_for_tests" / "animals"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").write_text("")
    (package / "owl.py").write_text('"""Sees at night.\n\nMore."""\nraise RuntimeError("imported")\n')
    (package / "_hidden.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    zoo = Registry("animal", "zoo_for_tests.animals")
    assert [(e.name, e.description) for e in zoo.entries()] == [("owl", "Sees at night.")]
    with pytest.raises(UnknownName, match="no animal named 'owll'; did you mean 'owl'"):
        zoo.load("owll")
    with pytest.raises(RuntimeError, match="imported"):
        zoo.load("owl")


def test_errors_say_where_and_what_next() -> None:
    error = InputError("pack x", [Problem("x.yaml:3#/id", "is wrong", "make it right"), Problem("x.yaml", "is short")])
    assert str(error) == "pack x: 2 problem(s)\n  - x.yaml:3#/id: is wrong (make it right)\n  - x.yaml: is short"
    assert "version 2, this reader knows 1" in str(VersionError("log", "2", "1"))
    assert nearest("frige", ["fridge", "oven"]) == "did you mean 'fridge'?" and nearest("zzz", ["a", "b"]) == "allowed: a, b"

"""Leaves are moved by a hand: a few of `prove-all leaves`, other ones for each commit, and what the measure itself must see."""

from __future__ import annotations

import numpy as np
import pytest

from assistworld.studies import leading
from assistworld.studies.parts import leaves
from assistworld.studies.trials import shared_engine

PLAYED = 3


def test_every_leaf_is_a_case() -> None:
    assert len(leading.cases()) == leaves.CASES


@pytest.mark.parametrize("nth", range(PLAYED))
def test_a_leaf_is_led_to_its_end(sample_seed: int, nth: int) -> None:
    number = int(np.random.default_rng(sample_seed).permutation(leaves.CASES)[nth])
    result = leaves.case(number)
    assert result["ok"], "\n".join(f"{key}: {value}" for key, value in result.items())


def watched() -> tuple[leading.Leading, object, str]:
    """The fridge of the flat, shut, and a state to move it in."""
    engine = shared_engine("flat")
    engine.reset(leading.trial_of(leading.Case("flat", "fridge_1", True, "kitchen")).scenario, 0)
    watch = leading.Leading(engine, "fridge_1")
    return watch, engine.state, engine.stage.entity("fridge_1").joints[0].key


def moved(watch: leading.Leading, state, joint: str, values: list[float]) -> None:
    for value in values:
        watch.watch(state.with_(joints={**state.joints, joint: value}))


def test_a_leaf_that_starts_by_itself_is_a_ghost() -> None:
    watch, state, joint = watched()
    moved(watch, state, joint, [-0.1, -0.2, -0.3])
    assert watch.ghosts == 1 and watch.share == 0.0


def test_a_pause_before_it_goes_on_is_a_ghost_too() -> None:
    watch, state, joint = watched()
    moved(watch, state, joint, [-0.1, -0.1, -0.2])
    assert watch.ghosts == 2


def test_a_decaying_speed_is_none() -> None:
    watch, state, joint = watched()
    moved(watch, state, joint, [-0.1, -0.19, -0.26, -0.31])
    assert watch.ghosts == 1, "only the start"

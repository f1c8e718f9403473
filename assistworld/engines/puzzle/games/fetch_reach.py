"""Fetch Reach: bring a robot's gripper to a red ball in the air."""

from __future__ import annotations

import math

from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games._arm_game import (
    AXES,
    MOST_DRAWS,
    ArmConfig,
    ArmGame,
    ArmState,
    drawn,
    steps_between,
    too_few_steps,
    towards,
)
from assistworld.engines.puzzle.games._arm_scene import HOME, REACH_HIGH, REACH_LOW, Vec3, resting
from assistworld.engines.puzzle.puzzle import Streams, Tightened

LEAST_M = 0.18
"""The ball is at least this far from where the gripper begins."""


class FetchReach(ArmGame):
    """`standard` is the seed paper's setting; hard halves the distance that counts as there."""

    name = "fetch_reach"
    title = "MuJoCo Fetch (Reach)"
    presets = {
        "easy": ArmConfig(max_steps=20, tolerance_cm=10.0),
        "standard": ArmConfig(max_steps=20, tolerance_cm=10.0),
        "hard": ArmConfig(max_steps=20, tolerance_cm=5.0),
    }
    tightened = (Tightened("tolerance_cm", "less"),)
    with_cube = False
    judged = "the point between the fingers"

    def task(self) -> str:
        return (
            "A robot arm with a gripper stands at a table. Bring the point between its fingers to the middle of the red ball; then stop. "
            f"{AXES}"
        )

    def new(self, streams: Streams) -> ArmState:
        rng = streams("target")
        for _ in range(MOST_DRAWS):
            target = drawn(rng, (REACH_LOW[0], REACH_LOW[1], 0.04), (REACH_HIGH[0], REACH_HIGH[1], 0.38))
            if math.dist(target, HOME) >= LEAST_M and steps_between(HOME, target) <= self.config.max_steps - 3:
                return ArmState(resting(None), target)
        raise too_few_steps(self.config.max_steps)

    def judged_m(self, state: ArmState) -> Vec3:
        return state.physics.tip_m

    def next_action(self, state: ArmState, units: float) -> Action | None:
        return towards(state.physics.tip_m, state.target_m, units)


PUZZLE = FetchReach

"""Fetch Pick-and-Place: grasp a cube with a robot's gripper and bring it to a red ball."""

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
from assistworld.engines.puzzle.games._arm_scene import CUBE_HALF, HOME, OPEN, Physics, Vec3, resting
from assistworld.engines.puzzle.puzzle import Streams, Tightened

ABOVE_M = 0.11
"""The tip is this high, above the table, before it goes sideways with the cube below."""
ON_TABLE_SHARE = 0.3
LEAST_M = 0.12
"""Between the cube at first and the ball; also between the cube and the point below the gripper, as far as half of it."""
_OPENED, _CLOSED = Action("gripper", 0), Action("gripper", 1)


class FetchPickAndPlace(ArmGame):
    """`standard` is the seed paper's setting; hard tightens the distance that counts as there."""

    name = "fetch_pick_and_place"
    title = "MuJoCo Fetch (Pick-and-Place)"
    presets = {
        "easy": ArmConfig(max_steps=30, tolerance_cm=5.0),
        "standard": ArmConfig(max_steps=30, tolerance_cm=5.0),
        "hard": ArmConfig(max_steps=30, tolerance_cm=2.5),
    }
    tightened = (Tightened("tolerance_cm", "less"),)
    with_cube = True
    judged = "the middle of the cube"

    def task(self) -> str:
        return (
            "A robot arm with a gripper stands at a table with a blue cube on it. Grasp the cube, bring it to the middle of the red ball, "
            "which may float above the table, and hold it there; then stop. At first the fingers are closed; they open and close along y. "
            f"{AXES}"
        )

    def new(self, streams: Streams) -> ArmState:
        rng = streams("cube and target")
        for _ in range(MOST_DRAWS):
            cube = drawn(rng, (-0.16, -0.20, CUBE_HALF), (0.16, 0.20, CUBE_HALF))
            on_table = rng.random() < ON_TABLE_SHARE
            low, high = (CUBE_HALF, CUBE_HALF) if on_table else (0.08, 0.30)
            target = drawn(rng, (-0.18, -0.22, low), (0.18, 0.22, high))
            aside = math.dist(cube[:2], HOME[:2]) >= LEAST_M / 2
            if aside and math.dist(cube, target) >= LEAST_M and _estimated(cube, target) <= self.config.max_steps - 5:
                return ArmState(resting(cube), target)
        raise too_few_steps(self.config.max_steps)

    def judged_m(self, state: ArmState) -> Vec3:
        return state.physics.cube_m

    def next_action(self, state: ArmState, units: float) -> Action | None:
        """Above the cube, open, down, close, then cube to ball: by where things are, so that it goes on from any state."""
        physics = state.physics
        tip, cube = physics.tip_m, physics.cube_m
        if _held(physics):
            return towards(cube, state.target_m, units)
        aside = towards(tip, cube, units, axes=(0, 1))
        if aside is not None:
            safe = cube[2] + ABOVE_M - CUBE_HALF
            up = towards(tip, (tip[0], tip[1], safe), units) if tip[2] < safe else None
            return up or aside
        if physics.ctrl[3] < OPEN:
            over = towards(tip, (tip[0], tip[1], cube[2] + ABOVE_M - CUBE_HALF), units) if tip[2] < cube[2] + 0.06 else None
            return over or _OPENED
        return towards(tip, cube, units) or _CLOSED


def _held(physics: Physics) -> bool:
    """Whether the fingers are told to close and the cube is between them."""
    off = math.dist(physics.tip_m, physics.cube_m)
    return physics.ctrl[3] < OPEN and min(physics.fingers_m) > CUBE_HALF / 2 and off < CUBE_HALF


def _estimated(cube: Vec3, target: Vec3) -> int:
    """Actions of the oracle, from home."""
    over = (cube[0], cube[1], HOME[2])
    return steps_between(HOME, over) + steps_between(over, cube) + 2 + steps_between(cube, target)


PUZZLE = FetchPickAndPlace

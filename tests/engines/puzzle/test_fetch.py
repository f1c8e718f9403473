"""The Fetch games by rules of their own: how far a unit is, what is grasped and held, where the judge draws the line, what is seen."""

from __future__ import annotations

import dataclasses
import itertools
import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from assistworld.engines.puzzle.actions import Action, read
from assistworld.engines.puzzle.games import _arm_drawing as drawing
from assistworld.engines.puzzle.games import _arm_scene as scene
from assistworld.engines.puzzle.games._arm_game import ArmState
from assistworld.engines.puzzle.games.fetch_pick_and_place import _estimated
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve

pytest.importorskip("mujoco")


def sent(physics: scene.Physics, *moves: scene.Vec3) -> scene.Physics:
    for units in moves:
        physics, _ = scene.moved(physics, units)
    return physics


@pytest.mark.parametrize("axis", range(3))
def test_a_unit_is_five_centimetres_along_its_axis(axis: int) -> None:
    for unit in (1.0, -0.5):
        units = tuple(unit if each == axis else 0.0 for each in range(3))
        after = sent(scene.resting(None), units)  # type: ignore[arg-type]
        gone = [b - a for a, b in zip(scene.HOME, after.tip_m, strict=True)]
        assert gone == pytest.approx([0.05 * part for part in units], abs=0.001)
        assert max(map(abs, after.qvel)) < 0.05, "it has come to rest"


def test_the_gripper_stops_at_the_end_of_its_reach_and_says_so() -> None:
    puzzle = make("fetch_reach")
    state = Play(puzzle, seed=1).state
    for _ in range(9):
        effect = puzzle.apply(state, Action("move", (1.0, 0.0, -1.0)))
        state = effect.state
    assert effect.done and "reach along x and z" in effect.message
    assert state.physics.tip_m == pytest.approx((scene.REACH_HIGH[0], 0.0, scene.REACH_LOW[2]), abs=0.003)
    assert "reach" not in puzzle.apply(state, Action("move", (-0.5, 0.5, 0.5))).message


def grasped(cube: scene.Vec3) -> scene.Physics:
    """The cube lifted by 10 cm, by moves that are worked out from where it is."""
    off = [(b - a) / 0.05 for a, b in zip(scene.HOME, cube, strict=True)]
    physics = scene.gripped(scene.resting(cube), close=False)
    physics = sent(physics, *[(off[0] / 4, off[1] / 4, 0.0)] * 4, *[(0.0, 0.0, off[2] / 4)] * 4)
    return sent(scene.gripped(physics, close=True), (0.0, 0.0, 1.0), (0.0, 0.0, 1.0))


@pytest.mark.parametrize("cube", [(0.1, 0.05, scene.CUBE_HALF), (-0.12, -0.16, scene.CUBE_HALF)])
def test_a_cube_is_grasped_held_and_dropped(cube: scene.Vec3) -> None:
    held = grasped(cube)
    assert held.cube_m == pytest.approx((cube[0], cube[1], scene.CUBE_HALF + 0.10), abs=0.006)
    later = sent(held, *[(0.0, 0.0, 0.0)] * 10)
    assert math.dist(held.cube_m, later.cube_m) < 0.005, "it does not slip in three seconds"
    dropped = sent(scene.gripped(later, close=False), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert dropped.cube_m[2] == pytest.approx(scene.CUBE_HALF, abs=0.002)


def test_closed_fingers_do_not_lift_a_cube() -> None:
    cube = (0.05, 0.0, scene.CUBE_HALF)
    physics = sent(scene.resting(cube), (1.0, 0.0, 0.0), (1.0, 0.0, 0.0), *[(0.0, 0.0, -1.0)] * 4, *[(0.0, 0.0, 1.0)] * 3)
    assert physics.cube_m[2] < 0.04
    pushed = sent(scene.resting(cube), *[(0.0, 0.0, -1.0)] * 4, *[(1.0, 0.0, 0.0)] * 3)
    assert pushed.cube_m[0] > cube[0] + 0.02, "but they push it"


@pytest.mark.parametrize("name", ["fetch_reach", "fetch_pick_and_place"])
@pytest.mark.parametrize("preset", ["easy", "standard", "hard"])
def test_just_inside_the_distance_is_solved_and_just_outside_is_not(name: str, preset: str) -> None:
    puzzle = make(name, preset)
    state = Play(puzzle, seed=4).state
    physics = state.physics
    at = physics.cube_m if "place" in name else physics.tip_m
    limit = puzzle.config.tolerance_cm / 100
    for direction in np.random.default_rng(0).standard_normal((6, 3)):
        unit = direction / np.linalg.norm(direction)
        for metres, solved in ((limit - 1e-4, True), (limit + 1e-4, False)):
            x, y, z = (np.array(at) + unit * metres).tolist()
            assert puzzle.solved(ArmState(physics, (x, y, z))) == solved


def test_an_action_follows_from_the_state_alone() -> None:
    """Whatever was simulated before, here or elsewhere: also while the cube is touched."""
    held = grasped((0.1, 0.05, scene.CUBE_HALF))
    once = scene.moved(held, (-1.0, 0.3, 0.5))
    sent(scene.resting((0.0, 0.1, scene.CUBE_HALF)), (1.0, 1.0, -1.0), (0.2, 0.0, -1.0))
    assert scene.moved(held, (-1.0, 0.3, 0.5)) == once
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda _: scene.moved(held, (-1.0, 0.3, 0.5)), range(4))) == [once] * 4


def test_the_oracle_needs_about_the_steps_that_episodes_are_chosen_by() -> None:
    """Else an episode could be drawn that does not fit the limit of steps."""
    puzzle = make("fetch_pick_and_place")
    for seed in range(12):
        state = Play(puzzle, seed=seed).state
        assert abs(len(solve(puzzle, state)) - 1 - _estimated(state.physics.cube_m, state.target_m)) <= 3


@pytest.mark.parametrize("name", ["fetch_reach", "fetch_pick_and_place"])
def test_exploring_goes_a_unit_along_axes_and_back_first(name: str) -> None:
    puzzle = make(name)
    play = Play(puzzle, seed=2)
    answers = solve(puzzle, play.state, strategy="explore_first")
    assert answers[:2] == ["('move', [0.0, 0.0, 1.0])", "('move', [0.0, 0.0, -1.0])"]
    for answer in answers[:2]:
        play.act(answer)
    assert math.dist(play.state.physics.tip_m, scene.HOME) < 0.002


def test_an_oracle_makes_up_for_noise_and_for_a_dropped_cube() -> None:
    puzzle = make("fetch_pick_and_place", "hard", max_steps=60)
    start = Play(puzzle, seed=3).state
    noisy = solve(puzzle, start, noise=0.2)
    assert noisy != solve(puzzle, start)
    play = Play(puzzle, state=start)
    for answer in noisy:
        play.act(answer)
    assert play.reward == 1
    play = Play(puzzle, state=start)
    for answer in solve(puzzle, start)[:-3]:
        play.act(answer)
    play.act("('gripper', 0)")
    for answer in solve(puzzle, play.state, steps_left=play.steps_left):
        assert isinstance(read(answer, puzzle.spaces), Action)
        play.act(answer)
    assert play.reward == 1


def test_both_cameras_see_wherever_the_gripper_can_be() -> None:
    corners = list(itertools.product(*zip(scene.REACH_LOW, scene.REACH_HIGH, strict=True)))
    for lens in drawing.lenses():
        pixels = lens.project(corners)
        assert (pixels > 10).all() and (pixels < drawing.SIDE_PX - 10).all()


@pytest.mark.parametrize("view", [0, 1])
def test_things_are_drawn_where_they_are(view: int) -> None:
    """The red ball and the blue cube, found by colour, against the projection of their middles."""
    state = dataclasses.replace(Play(make("fetch_pick_and_place"), seed=6).state, target_m=(0.12, 0.14, 0.28))
    physics = scene.resting((0.10, -0.12, scene.CUBE_HALF))
    picture = drawing.pictured(physics, state.target_m)[:, view * drawing.SIDE_PX : (view + 1) * drawing.SIDE_PX].astype(int)
    red = (picture[..., 0] > 90) & (picture[..., 1] < 60) & (picture[..., 2] < 60)
    blue = (picture[..., 2] > 60) & (picture[..., 0] * 2 < picture[..., 2])
    for mask, middle in ((red, state.target_m), (blue, physics.cube_m)):
        rows, columns = np.nonzero(mask)
        assert len(rows) > 100
        assert (columns.mean(), rows.mean()) == pytest.approx(drawing.lenses()[view].project([middle])[0], abs=6)


@pytest.mark.parametrize(("field", "value", "told"), [("qvel", 1e4, "qvel"), ("warmstart", -1e9, "warmstart"), ("ctrl", 7.0, "ctrl")])
def test_numbers_that_would_make_the_physics_diverge_are_faults(field: str, value: float, told: str) -> None:
    puzzle = make("fetch_pick_and_place")
    state = Play(puzzle, seed=1).state
    for place in range(len(getattr(state.physics, field))):
        values = list(getattr(state.physics, field))
        values[place] = value
        broken = dataclasses.replace(state, physics=dataclasses.replace(state.physics, **{field: tuple(values)}))
        assert told in puzzle.faults(broken)[0]


def test_a_cube_that_is_thrown_off_the_table_lies_on_the_floor() -> None:
    puzzle = make("fetch_pick_and_place")
    state = Play(puzzle, seed=1).state
    thrown = dataclasses.replace(state.physics, qvel=(0.0,) * 5 + (4.0, 0.0, 1.0, 0.0, 20.0, 0.0))
    for _ in range(20):
        thrown = scene.simulated(thrown)
    assert thrown.cube_m[2] == pytest.approx(scene.FLOOR_M + scene.CUBE_HALF, abs=0.002)
    assert not puzzle.faults(dataclasses.replace(state, physics=thrown))


def test_numbers_that_no_gripper_has_are_faults() -> None:
    puzzle = make("fetch_pick_and_place")
    state = Play(puzzle, seed=1).state
    short = dataclasses.replace(state, physics=dataclasses.replace(state.physics, qvel=(0.0,)))
    far = dataclasses.replace(state, physics=dataclasses.replace(state.physics, qpos=(9.0, *state.physics.qpos[1:])))
    high = dataclasses.replace(state, target_m=(0.0, 0.0, 3.0))
    assert (
        "qvel has 1 numbers" in puzzle.faults(short)[0]
        and "tip's x is 9.0" in puzzle.faults(far)[0]
        and "target_m" in puzzle.faults(high)[0]
    )

"""Puzzles as Gymnasium environments: its own checker, the declared spaces, the ids."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from assistcore.world.errors import InputError
from assistworld.engines.puzzle import register
from assistworld.engines.puzzle.gym_env import PuzzleEnv
from assistworld.engines.puzzle.puzzle import Puzzle
from assistworld.engines.puzzle.registry import puzzle_type
from tests.engines.puzzle.walking import CASES, NAMES
from tests.repository.tree import ROOT

IDS = register()
EVERY = pytest.mark.parametrize(("name", "preset"), CASES)


def env_of(name: str, preset: str, **options: Any) -> PuzzleEnv:
    env = gymnasium.make(f"assistworld/{name}-{preset}-v0", disable_env_checker=True, **options).unwrapped
    assert isinstance(env, PuzzleEnv)
    return env


def test_every_puzzle_and_preset_is_registered_once() -> None:
    assert {f"assistworld/{name}-{preset}-v0" for name, preset in CASES} == set(IDS)
    assert register() == IDS and {f"assistworld/{name}-{p}-v0" for name in NAMES for p in ("easy", "hard")} <= set(IDS)


@EVERY
def test_the_checker_of_gymnasium_passes(name: str, preset: str) -> None:
    """Properties 3, 4 and 8; warnings of the checker are failures."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = env_of(name, preset)
        check_env(env, skip_render_check=True)
        assert env.observation_space.shape == env.puzzle.image_shape


@EVERY
def test_every_render_mode_draws(name: str, preset: str) -> None:
    env = env_of(name, preset, render_mode="rgb_array")
    observation, _ = env.reset(seed=3)
    assert np.array_equal(env.render(), observation) and observation in env.observation_space
    written = env_of(name, preset, render_mode="ansi")
    written.reset(seed=3)
    assert isinstance(written.render(), str)


@EVERY
def test_the_action_space_contains_its_samples_and_nothing_else(name: str, preset: str) -> None:
    """Property 5: seeded by the space, whatever the global generators do."""
    space = env_of(name, preset).action_space
    space.seed(4)
    drawn = [space.sample() for _ in range(40)]
    space.seed(4)
    np.random.seed(0)  # noqa: NPY002
    assert [space.sample() for _ in range(40)] == drawn
    assert all(text in space for text in drawn)
    for other in ("", "stop", f"I answer {drawn[0]}", drawn[0][:-1], drawn[0] + drawn[0], None, 3, ("stop", "stop")):
        assert other not in space


@EVERY
def test_an_episode_through_gymnasium(name: str, preset: str) -> None:
    env = env_of(name, preset)
    observation, info = env.reset(seed=6)
    assert info["env_feedback"] and info["steps_left"] == env.puzzle.config.max_steps and observation in env.observation_space
    for answer in ["no action", *env.solve()]:
        observation, reward, terminated, truncated, info = env.step(answer)
        assert observation in env.observation_space and info["env_feedback"] and isinstance(reward, float)
    assert (reward, terminated, truncated, info["success"]) == (1.0, True, False, True)
    assert env.goal_image().shape == env.puzzle.image_shape and str(env.puzzle.config.max_steps) in env.get_prompt()


@EVERY
def test_an_initial_state_is_restored_exactly(name: str, preset: str) -> None:
    first, second = env_of(name, preset), env_of(name, preset)
    observation, _ = first.reset(seed=7)
    first.step(first.action_space.sample())
    again, info = second.reset(options={"init_state": first.get_init_state()})
    assert np.array_equal(again, observation) and info["step"] == 0


def test_an_initial_state_of_another_puzzle_is_refused() -> None:
    maze = env_of("maze_2d", "easy")
    maze.reset(seed=1)
    with pytest.raises(InputError, match="maze_2d"):
        env_of("sliding_block", "easy").reset(options={"init_state": maze.get_init_state()})
    with pytest.raises(InputError, match="init_state"):
        maze.reset(options={"init_state": 3})
    with pytest.raises(InputError, match="config"):
        env_of("maze_2d", "hard").reset(options={"init_state": maze.get_init_state()})


@pytest.mark.parametrize("name", NAMES)
def test_text_observations_are_in_their_space_or_refused(name: str) -> None:
    if puzzle_type(name).text is Puzzle.text:
        with pytest.raises(InputError, match="only pictures"):
            env_of(name, "easy", observation="text")
        return
    env = env_of(name, "easy", observation="text")
    written, _ = env.reset(seed=1)
    after, *_ = env.step(env.solve()[0])
    assert written in env.observation_space and after in env.observation_space and written != after


def test_parameters_override_a_preset() -> None:
    env = env_of("maze_2d", "easy", width=13, height=7)
    assert env.reset(seed=1)[0].shape == (7 * 25, 13 * 25, 3)


def test_a_vector_of_environments() -> None:
    many = gymnasium.make_vec("assistworld/maze_2d-easy-v0", num_envs=2, vectorization_mode="sync")
    observations, _ = many.reset(seed=1)
    assert observations.shape == (2, 225, 225, 3)
    _, rewards, terminated, _, _ = many.step(("('move', 0)", "('stop', 'stop')"))
    assert rewards.tolist() == [0.0, 0.0] and terminated.tolist() == [False, True]
    many.close()


def test_the_id_can_name_the_module_that_registers_it(tmp_path: Path) -> None:
    script = (
        "import gymnasium; print(gymnasium.make('assistworld.engines.puzzle.gym_ids:assistworld/maze_2d-easy-v0').unwrapped.puzzle.name)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "maze_2d\n"), ran.stderr


def test_environments_and_spaces_cross_to_another_process() -> None:
    """Vectors of environments send them: pickle finds their classes by name."""
    env = pickle.loads(pickle.dumps(PuzzleEnv("maze_2d")))
    assert type(env) is PuzzleEnv and isinstance(env, gymnasium.Env) and isinstance(env.action_space, gymnasium.Space)
    space = copy.deepcopy(env.action_space)
    assert pickle.loads(pickle.dumps(space)) == space == env.action_space


def test_without_gymnasium_the_extra_is_named_that_brings_it(tmp_path: Path) -> None:
    (tmp_path / "gymnasium.py").write_text("raise ModuleNotFoundError('no gymnasium here', name='gymnasium')\n")
    script = (
        "import assistworld.engines.puzzle as puzzle\n"
        "from assistcore.world.errors import InfrastructureError\n"
        "from assistworld.engines.puzzle import gym_env, gym_ids\n"
        "for use in puzzle.register, lambda: gym_env.PuzzleEnv, lambda: gym_env.ActionTexts:\n"
        "    try: use()\n"
        "    except InfrastructureError as error: print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], env={"PYTHONPATH": f"{tmp_path}:{ROOT}"}, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0 and ran.stdout.splitlines() == [ran.stdout.splitlines()[0]] * 3, ran.stderr
    assert "gymnasium is missing; pip install 'assistworld[train]'" in ran.stdout


def test_the_text_of_the_largest_maze_is_in_the_declared_space() -> None:
    env = env_of("maze_2d", "easy", width=99, height=99, max_steps=2000, observation="text")
    observation, _ = env.reset(seed=1)
    assert observation in env.observation_space


def test_options_of_a_reset_that_are_no_mapping_are_refused() -> None:
    with pytest.raises(InputError, match="options"):
        env_of("maze_2d", "easy").reset(options=[1])  # type: ignore[arg-type]

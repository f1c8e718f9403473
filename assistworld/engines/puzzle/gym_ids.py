"""Importing this registers the puzzles, for `gymnasium.make("assistworld.engines.puzzle.gym_ids:assistworld/maze_2d-easy-v0")`."""

from __future__ import annotations

from assistworld.engines.puzzle.gym_env import register_all

IDS = register_all()
"""All ids."""

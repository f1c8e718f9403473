"""Gymnasium imports this and finds the puzzles: `gymnasium.make("assistworld.engines.puzzle.gym_ids:assistworld/maze_2d-easy-v0")`.

Imported by anybody else, before Gymnasium, it does nothing; :func:`~assistworld.engines.puzzle.register` registers them by hand.
"""

from __future__ import annotations

import sys

from assistworld.engines.puzzle.gym_env import register_all

if "gymnasium" in sys.modules:
    register_all()

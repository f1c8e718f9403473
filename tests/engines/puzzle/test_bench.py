"""The figures of the puzzles: what is measured, and the reference suite measured by its own interpreter (here a stand-in for it)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bench import puzzles

FAKE = """
import time

class Env:
    def __init__(self, name):
        if name.startswith("jigsaw"):
            raise RuntimeError("no pictures here")
        self.unwrapped = self
    def reset(self, seed=None):
        time.sleep(0.002)
    def step(self, action):
        time.sleep(0.001)
    def render(self):
        pass
    def solve(self):
        return ["('stop', 'stop')"] * 5

def make(name):
    return Env(name)
"""


def test_a_puzzle_has_figures() -> None:
    found = puzzles.measured("maze_2d", "easy", 0.01)
    assert found["reset_ms"] > 0 and found["steps_per_s"] > 0


def test_the_reference_is_measured_in_its_own_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gymnasium.py").write_text(FAKE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    keys = ["maze_2d easy", "jigsaw hard", "mental_rotation_3d_objects easy"]
    found = puzzles.measured_there(sys.executable, keys, 0.01)
    assert found["jigsaw hard"] == {"error": "RuntimeError: no pictures here"}
    for key in (keys[0], keys[2]):
        assert found[key]["reset_ms"] >= 2 and 0 < found[key]["steps_per_s"] <= 1000
    rows = {key: {"reset_ms": 1.0, "steps_per_s": 10 * found[keys[0]]["steps_per_s"], "reference": found[key]} for key in keys}
    told = list(puzzles.rows(rows))
    assert "10.0 and " in told[0][1] and told[0][2] == "aim >= 2" and "RuntimeError: no pictures here" in told[1][1]


def test_a_reference_that_does_not_start_leaves_no_figure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text("raise ImportError('broken environment')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = puzzles.measured_there(sys.executable, ["maze_2d easy"], 0.01)
    assert "broken environment" in found["maze_2d easy"]["error"]
    assert "not measured" in list(puzzles.rows({"maze_2d easy": {"reset_ms": 1.0, "steps_per_s": 1.0}}))[-1][1]

"""Resets and steps a second of every puzzle with its picture, beside the reference suite where its Python is named.

The reference (VisGym) replaces Gymnasium by its own, so that it needs an environment of its own: `./dev bench --reference PYTHON` starts
that interpreter and measures the same there, in the same run. The Fetch games are compared with the bare physics and drawing as well.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import perf_counter
from typing import Any

from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import PUZZLES, make
from assistworld.engines.puzzle.solving import solve

SECONDS = 0.5
"""How long each figure of a puzzle is measured."""
REFERENCE_NAMES = {"mental_rotation_3d_objects": "mental_rotation_3d_objaverse"}
"""Where theirs is another than ours."""
AIMS = {
    **dict.fromkeys(
        ("maze_2d", "sliding_block", "matchstick_equation", "matchstick_rotation", "patch_reassembly", "mental_rotation_3d_cube"), 2.0
    ),
    "maze_3d": 20.0,
}
"""Least ratio of our steps a second to the reference's, for what needs no data set there."""


REFERENCE: str | None = None
"""The interpreter of an environment with the reference suite, where one was named."""


def measure(*, seconds: float = SECONDS) -> dict[str, Any]:
    """Figures by puzzle and preset: `reset_ms` (median, with the first picture), `steps_per_s` (with a picture each), and `reference`."""
    found: dict[str, Any] = {}
    for name in PUZZLES.names():
        for preset in ("easy", "hard"):
            found[f"{name} {preset}"] = measured(name, preset, seconds)
    for name in ("fetch_reach", "fetch_pick_and_place"):
        found[f"{name} easy"]["share_of_bare"] = share_of_bare(name, seconds)
    if REFERENCE is not None:
        for key, theirs in measured_there(REFERENCE, list(found), seconds).items():
            found[key]["reference"] = theirs
    return found


def measured(name: str, preset: str, seconds: float) -> dict[str, float]:
    """Our figures. The first episode is not counted: it loads what is loaded once."""
    puzzle = make(name, preset)
    Play(puzzle, seed=0).picture()
    resets: list[float] = []
    while len(resets) < 3 or (sum(resets) < seconds and len(resets) < 200):
        began = perf_counter()
        Play(puzzle, seed=1 + len(resets)).picture()
        resets.append(perf_counter() - began)
    spent, steps, seed = 0.0, 0, 0
    while spent < seconds and seed < 50:
        play = Play(puzzle, seed=seed)
        answers = solve(puzzle, play.state, num_steps=min(10, puzzle.config.max_steps - 2))
        began = perf_counter()
        for answer in answers:
            play.act(answer)
            play.picture()
        spent, steps, seed = spent + perf_counter() - began, steps + len(answers), seed + 1
    return {"reset_ms": 1000 * statistics.median(resets), "steps_per_s": steps / spent}


def share_of_bare(name: str, seconds: float) -> float:
    """Our speed of the moves of solutions, as a share of that of nothing but MuJoCo on one kept simulation and the drawing of both cameras.

    Both take every move in turn, so that what else the machine does meets both.
    """
    import mujoco

    from assistworld.engines.puzzle.games import _arm_drawing, _arm_scene

    puzzle = make(name)
    ours_s, bare_s, seed = 0.0, 0.0, 0
    while ours_s < seconds and seed < 50:
        play = Play(puzzle, seed=seed)
        start = play.state
        model = _arm_scene._model(len(start.physics.qpos) > _arm_scene.N_HAND)
        data = mujoco.MjData(model)
        data.qpos[:], data.ctrl[:] = start.physics.qpos, start.physics.ctrl
        for answer in solve(puzzle, start)[:-1]:
            began = perf_counter()
            play.act(answer)
            play.picture()
            between = perf_counter()
            data.ctrl[:] = play.state.physics.ctrl
            mujoco.mj_step(model, data, _arm_scene.STEPS)
            numbers = (tuple(part.tolist()) for part in (data.qpos, data.qvel, data.ctrl, data.qacc_warmstart))
            _arm_drawing.pictured(_arm_scene.Physics(*numbers), start.target_m)
            ours_s, bare_s = ours_s + between - began, bare_s + perf_counter() - between
        seed += 1
    return bare_s / ours_s


def measured_there(python: str, keys: list[str], seconds: float) -> dict[str, Any]:
    """What the reference's interpreter measures, by our names; an environment that fails there has `error` instead of figures."""
    ids = {key: f"{REFERENCE_NAMES.get(name, name)}/{preset}" for key in keys for name, preset in [key.split(" ")]}
    script = Path(__file__).with_name("puzzles_there.py")
    asked = json.dumps({"ids": list(ids.values()), "seconds": seconds})
    done = subprocess.run([python, str(script)], input=asked, capture_output=True, text=True, check=False)
    if done.returncode:
        failed = {"error": f"{python} ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"}
        return dict.fromkeys(keys, failed)
    told = json.loads(done.stdout.splitlines()[-1])
    return {key: told[ids[key]] for key in keys}


def rows(found: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """What is measured, its value, and the aim: ours, and the ratio to the reference where it was measured."""
    for key, row in found.items():
        value = f"reset {row['reset_ms']:.1f} ms, {row['steps_per_s']:.0f} steps/s"
        theirs = row.get("reference")
        aim = AIMS.get(key.split(" ")[0])
        if theirs is None:
            yield key, value, ""
        elif "error" in theirs:
            yield key, f"{value}; reference: {theirs['error']}", ""
        else:
            steps, resets = row["steps_per_s"] / theirs["steps_per_s"], theirs["reset_ms"] / row["reset_ms"]
            yield key, f"{value}; {steps:.1f} and {resets:.1f} x reference", f"aim >= {aim:g}" if aim else ""
        if "share_of_bare" in row:
            yield "  of the bare physics and drawing", f"{row['share_of_bare']:.2f}", "aim >= 0.8"
    if not any("reference" in row for row in found.values()):
        yield "reference suite", "not measured; name its interpreter with --reference PYTHON", ""

"""Matchstick Rotation and Patch Reassembly by rules of their own."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistcore.world.errors import InputError
from assistworld.engines.puzzle.actions import Action
from assistworld.engines.puzzle.games import _patches as patches
from assistworld.engines.puzzle.games.matchstick_rotation import RotationState, Stick
from assistworld.engines.puzzle.games.patch_reassembly import PatchState
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve

OUTLINE = Stick(200.0, 200.0, 10.0)


@pytest.mark.parametrize(("preset", "position_px", "angle_deg"), [("easy", 10.0, 15.0), ("hard", 5.0, 10.0)])
def test_a_stick_is_judged_in_pixels_and_degrees_whatever_a_unit_is(preset: str, position_px: float, angle_deg: float) -> None:
    """The reference tells pixels and compares units of the hidden scale."""
    puzzle = make("matchstick_rotation", preset)
    for scale in (0.3, 3.0):
        for share, good in ((0.99, True), (1.01, False)):
            aside = Stick(200.0 + share * position_px * math.cos(1.0), 200.0 + share * position_px * math.sin(1.0), 10.0)
            assert puzzle.solved(RotationState(aside, OUTLINE, scale)) is good
            for sign in (-1, 1):
                turned = Stick(200.0, 200.0, (10.0 + sign * share * angle_deg) % 180)
                assert puzzle.solved(RotationState(turned, OUTLINE, scale)) is good


def test_a_stick_moves_in_hidden_units_right_and_down_and_turns_counter_clockwise() -> None:
    puzzle = make("matchstick_rotation")
    start = RotationState(Stick(100.0, 100.0, 170.0), OUTLINE, 2.0)
    assert puzzle.apply(start, Action("move", (10.0, -5.0, 20.0))).state.stick == Stick(120.0, 90.0, 10.0)
    out = puzzle.apply(start, Action("move", (-60.0, 0.0, 0.0)))
    assert not out.done and out.state == start and "leave the picture" in out.message
    upright = puzzle.draw(replace(start, stick=Stick(100.0, 100.0, 90.0)))
    assert tuple(upright[70, 100]) == (190, 132, 70) and tuple(upright[99, 70]) != (190, 132, 70)
    slanted = puzzle.draw(replace(start, stick=Stick(100.0, 100.0, 45.0)))
    assert tuple(slanted[80, 120]) == (190, 132, 70) and tuple(slanted[120, 120]) != (190, 132, 70)


def test_moves_of_one_unit_come_first_and_reveal_the_scale() -> None:
    puzzle = make("matchstick_rotation")
    for seed in range(20):
        play = Play(puzzle, seed=seed)
        answers = solve(puzzle, play.state, strategy="unit_first", num_steps=4)
        before = play.state.stick
        for answer in answers[:3]:
            turn = play.act(answer)
            after = play.state.stick
            moved = math.hypot(after.x_px - before.x_px, after.y_px - before.y_px)
            assert turn.kind == "done" and after.angle_deg == before.angle_deg
            assert moved == pytest.approx(play.state.px_per_unit * (1 if answer.count("0.0") == 2 else math.sqrt(2)))
            before = after


@pytest.mark.parametrize("noise", [0.0, 4.0])
def test_a_stochastic_solver_arrives_in_the_steps_that_were_asked_for(noise: float) -> None:
    puzzle = make("matchstick_rotation", "hard")
    for seed in range(10):
        play = Play(puzzle, seed=seed)
        answers = solve(puzzle, play.state, strategy="stochastic", num_steps=12, noise=noise, seed=seed)
        for answer in answers:
            assert play.act(answer).kind != "refused"
        assert len(answers) == 13 and play.reward == 1


@pytest.mark.parametrize("wrong", [{"position_tolerance_px": 60.0}, {"angle_tolerance_deg": 0.0}, {"max_steps": 3}])
def test_tolerances_that_the_start_would_meet_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(wrong))):
        make("matchstick_rotation", **wrong)


L_SHAPE, BAR, SQUARE = ((0, 0), (1, 0), (1, 1)), ((0, 0), (0, 1), (0, 2), (0, 3)), ((0, 0), (0, 1), (1, 0), (1, 1))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("size", "count"), [(6, 5), (8, 6), (4, 4)])
def test_a_cut_grid_is_patches_that_fill_it_again(seed: int, size: int, count: int) -> None:
    cut = patches.cut(size, count, np.random.default_rng(seed))
    assert len(cut) == count and all(patches.is_patch(patch) for patch in cut)
    assert max(max(map(max, patch)) for patch in cut) < patches.largest_side(size)
    corners = patches.filling(cut, (None,) * count, size)
    assert corners is not None
    covered = [cell for patch, corner in zip(cut, corners, strict=True) for cell in patches.at(patch, corner)]
    assert sorted(covered) == [(r, c) for r in range(size) for c in range(size)]


def test_no_filling_is_found_where_there_is_none() -> None:
    """Sixteen cells in four squares fill a grid of four; two L-shapes, a bar and a square cannot: they have fourteen cells."""
    assert patches.filling([SQUARE] * 4, (None,) * 4, 4) == [(0, 0), (0, 2), (2, 0), (2, 2)]
    assert patches.filling([L_SHAPE, L_SHAPE, BAR, SQUARE], (None,) * 4, 4) is None
    assert patches.filling([SQUARE] * 4, ((1, 0), None, None, None), 4) is None, "a square in the middle of a side leaves a hole"


def test_patches_that_are_none_are_told() -> None:
    assert not patches.is_patch(((0, 0), (1, 1))) and not patches.is_patch(((0, 1), (0, 2)))
    assert not patches.is_patch(((1, 0), (0, 0))) and not patches.is_patch(()) and patches.is_patch(L_SHAPE)


def test_patches_are_placed_moved_removed_and_refused_with_words() -> None:
    puzzle = make("patch_reassembly", size=4, patches=4)
    state = PatchState((BAR, SQUARE, SQUARE, L_SHAPE), (None, None, None, None))
    play = Play(puzzle, state=state)
    told = [
        play.act(answer).message
        for answer in ("('remove', 1)", "('place', (0, 0, 1))", "('place', (0, 0, 0))", "('place', (1, 0, 2))", "('place', (0, 3, 0))")
    ]
    assert "parked already" in told[0] and "cannot be placed at (0, 1)" in told[1] and "was placed" in told[2]
    assert "cannot be placed at (0, 2)" in told[3] and play.state.corners == ((3, 0), None, None, None)
    assert str(puzzle.text(play.state)).splitlines()[:5] == ["   0 1 2 3", " 0 . . . .", " 1 . . . .", " 2 . . . .", " 3 0 0 0 0"]
    assert str(puzzle.text(play.state)).splitlines()[-3:] == ["patch 3", "3 .", "3 3"]


def test_a_padded_solution_makes_mistakes_and_corrects_them() -> None:
    puzzle = make("patch_reassembly")
    start = Play(puzzle, seed=1).state
    answers = solve(puzzle, start, num_steps=12, seed=4)
    placed = [answer.split("(")[2].split(",")[0] for answer in answers if "place" in answer]
    assert len(answers) == 13 and len(placed) == 12 and {placed.count(str(n)) for n in range(5)} != {1}
    play = Play(puzzle, state=start)
    assert all(play.act(answer).kind in ("done", "stopped") for answer in answers) and play.reward == 1


def test_a_saved_patch_that_cannot_lie_there_is_named() -> None:
    puzzle = make("patch_reassembly", size=4, patches=4)
    squares = PatchState((SQUARE,) * 4, (None,) * 4)
    assert puzzle.faults(squares) == []
    assert "patch 0 at (3, 3)" in puzzle.faults(replace(squares, corners=((3, 3), None, None, None)))[0]
    assert "patch 1" in puzzle.faults(replace(squares, patches=(SQUARE, ((0, 0), (1, 1)), SQUARE, SQUARE)))[0]
    assert "do not fill" in puzzle.faults(replace(squares, patches=(SQUARE, SQUARE, SQUARE, L_SHAPE)))[0]
    assert "3 patches" in puzzle.faults(replace(squares, patches=(SQUARE,) * 3))[0]

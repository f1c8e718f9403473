"""The mental rotations in space by rules of their own: axes and signs, the judge, the rounds that show a solid, the pictures."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from assistworld.engines.puzzle.actions import Action, read
from assistworld.engines.puzzle.games import _raster as raster
from assistworld.engines.puzzle.games import _rotations as rotations
from assistworld.engines.puzzle.games import _solids as solids
from assistworld.engines.puzzle.games._turning import Turning
from assistworld.engines.puzzle.games.mental_rotation_3d_cube import CubeState, _cube_rotations
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve

RIGHT, UP, NEAR = np.eye(3)
GAMES = ["mental_rotation_3d_cube", "mental_rotation_3d_objects"]


def turned(turn: rotations.Turn, point: np.ndarray) -> np.ndarray:
    """A point after a turn, by scipy."""
    return Rotation.from_quat(rotations.quat_of(turn), scalar_first=True).apply(point)


def test_signs_are_those_that_the_instructions_tell() -> None:
    assert np.allclose(turned((90, 0, 0), NEAR), RIGHT), "yaw brings the front to the right"
    assert np.allclose(turned((0, 90, 0), UP), NEAR), "pitch brings the top to the viewer"
    assert np.allclose(turned((0, 0, 90), RIGHT), UP), "roll is anticlockwise"
    assert np.allclose(turned((90, 90, 0), UP), NEAR), "yaw first, which leaves the top where it is"
    assert np.allclose(turned((90, 0, 90), NEAR), UP), "roll last"


@pytest.mark.parametrize("seed", range(5))
def test_turns_and_quaternions_agree_with_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        yaw, pitch, roll = rng.uniform(-180, 180, 3).tolist()
        ours, theirs = rotations.quat_of((yaw, pitch, roll)), Rotation.from_euler("yxz", (yaw, pitch, roll), degrees=True)
        assert np.allclose(Rotation.from_quat(ours, scalar_first=True).as_matrix(), theirs.as_matrix())
        assert math.isclose(rotations.angle_deg(ours), math.degrees(theirs.magnitude()), abs_tol=1e-6)
        assert (
            rotations.angle_deg(rotations.between(rotations.plain(rotations.quat_of(rotations.turn_of(ours))), rotations.plain(ours)))
            < 1e-6
        )
        half = rotations.share_of(ours, 0.5)
        again = rotations.between(rotations.plain(half), rotations.plain(ours))
        assert math.isclose(rotations.angle_deg(again), rotations.angle_deg(half), abs_tol=1e-6)


@pytest.mark.parametrize("pitch", [90.0, -90.0])
def test_a_pitch_of_a_right_angle_is_found_again(pitch: float) -> None:
    quat = rotations.quat_of((35.0, pitch, 20.0))
    assert rotations.angle_deg(rotations.between(rotations.plain(rotations.quat_of(rotations.turn_of(quat))), rotations.plain(quat))) < 1e-4


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("preset", ["easy", "hard"])
def test_just_inside_the_tolerance_is_solved_and_just_outside_is_not(game: str, preset: str) -> None:
    puzzle = make(game, preset)
    goal = puzzle.goal(Play(puzzle, seed=1).state)
    limit = puzzle.config.tolerance_deg
    for axis in np.random.default_rng(0).standard_normal((8, 3)):
        unit = axis / np.linalg.norm(axis)
        for degrees, solved in ((limit - 0.01, True), (limit + 0.01, False)):
            off = rotations.after(rotations.turn_of(rotations.about(tuple(unit), degrees)), goal.target)
            assert puzzle.solved(dataclasses.replace(goal, current=off)) == solved
    opposite = dataclasses.replace(goal, current=tuple(-part for part in goal.target))
    assert puzzle.solved(opposite), "q and -q are one orientation"


@pytest.mark.parametrize("game", GAMES)
def test_rounds_show_the_solid_from_all_sides_before_it_is_turned(game: str) -> None:
    puzzle = make(game)
    assert isinstance(puzzle, Turning)
    start = Play(puzzle, seed=5).state
    quarter = {axis: f"('rotate', [{', '.join('90.0' if each == axis else '0.0' for each in puzzle.order)}])" for axis in range(3)}
    whole = solve(puzzle, start, strategy="pad3_by-axis")
    assert len(whole) == 16 and all(whole[5 * axis : 5 * axis + 4] == [quarter[axis]] * 4 for axis in range(3))
    once = solve(puzzle, start, strategy="pad1_axis-angle")
    assert len(once) == 6 and once[:4] == [quarter[0]] * 4
    assert [len(solve(puzzle, start, strategy=name)) for name in ("axis-angle", "by-axis")] == [2, 4]


@pytest.mark.parametrize("strategy", ["axis-angle", "by-axis"])
def test_noise_is_made_up_for_by_the_last_turn(strategy: str) -> None:
    puzzle = make("mental_rotation_3d_cube", "hard")
    start = Play(puzzle, seed=5).state
    noisy, exact = (solve(puzzle, start, strategy=strategy, num_steps=6, noise=noise) for noise in (8.0, 0.0))
    assert noisy != exact and len(noisy) == 7
    state = start
    for answer in noisy[:-1]:
        asked = read(answer, puzzle.spaces)
        assert isinstance(asked, Action)
        state = puzzle.apply(state, asked).state
    assert puzzle.errors(state)[0] < 0.05


def test_no_rotation_brings_a_figure_of_cubes_onto_itself() -> None:
    """By nearest distances between centred sets, not by the cells that the puzzle compares."""
    for seed in range(10):
        points = np.array(Play(make("mental_rotation_3d_cube", "hard"), seed=seed).state.cells, float)
        points -= points.mean(0)
        for rotation in _cube_rotations()[1:]:
            away = np.linalg.norm(points[:, None] - (points @ rotation.T)[None], axis=2).min(1).max()
            assert away > 0.4, f"seed {seed}"


def test_figures_that_cannot_be_told_apart_are_faults() -> None:
    puzzle, whole = make("mental_rotation_3d_cube"), (1.0, 0.0, 0.0, 0.0)
    assert "onto itself" in puzzle.faults(CubeState(whole, whole, ((0, 0, 0), (1, 0, 0), (1, 1, 0))))[0]
    assert "do not touch" in puzzle.faults(CubeState(whole, whole, ((0, 0, 0), (2, 0, 0))))[0]
    assert "quaternion" in puzzle.faults(CubeState((1.0, 1.0, 0.0, 0.0), whole, Play(puzzle, seed=1).state.cells))[0]


def cast(lens: raster.Lens, solid: solids.Solid) -> np.ndarray:
    """Index of the front face that the ray through each sample meets first, -1 for none: every triangle against every ray."""
    height, width = raster.FINE * lens.height, raster.FINE * lens.width
    y, x = np.mgrid[0:height, 0:width] + 0.5
    rays = np.stack([(x - width / 2) / lens.focal_samples, (height / 2 - y) / lens.focal_samples, -np.ones_like(x)], -1).reshape(-1, 3)
    nearest, found = np.full(len(rays), np.inf), np.full(len(rays), -1)
    for number, (a, b, c) in enumerate(lens.seen(solid.points)[solid.faces]):
        normal = np.cross(b - a, c - a)
        with np.errstate(divide="ignore", invalid="ignore"):
            depth = (a @ normal) / (rays @ normal)
        at = rays * depth[:, None]
        inside = np.all([np.cross(q - p, at - p) @ normal >= 0 for p, q in ((a, b), (b, c), (c, a))], axis=0)
        hit = inside & (rays @ normal < 0) & (depth < nearest)
        nearest[hit], found[hit] = depth[hit], number
    return found


@pytest.mark.parametrize("seed", range(3))
def test_the_rasteriser_shows_what_rays_meet(seed: int) -> None:
    """Each face in its own colour, no shading; samples on an edge may fall to either side."""
    rng = np.random.default_rng(seed)
    parts = [solids.box(rng.uniform(0.2, 0.8, 3), (1, 1, 1), rng.uniform(-0.5, 0.5, 3)) for _ in range(4)]
    parts.append(solids.cone(0.4, 1.0, (1, 1, 1), sides=7))
    parts.append(solids.rod(rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3), 0.15, (1, 1, 1), sides=5))
    shape = solids.together(parts)
    colours = np.stack([np.arange(len(shape.faces)) + 1, np.zeros(len(shape.faces)), np.zeros(len(shape.faces))], 1) / 255
    shape = solids.Solid.of(shape.points, shape.faces, colours)
    lens = dataclasses.replace(raster.Lens.look_at((2.5, -2, 1.5), (0, 0, 0), hfov_rad=0.7, height=40, width=56), dark=1.0)
    plate = raster.exposed(raster.Plate.blank(lens, (0, 0, 0), (0, 0, 0)), lens, shape)
    expected = cast(lens, shape)
    same = plate.rgb[..., 0].ravel().astype(int) - 1 == expected
    assert (expected >= 0).mean() > 0.1 and same.mean() > 0.999
    again = raster.exposed(raster.exposed(raster.Plate.blank(lens, (0, 0, 0), (0, 0, 0)), lens, parts[0]), lens, solids.together(parts[1:]))
    once = raster.exposed(raster.Plate.blank(lens, (0, 0, 0), (0, 0, 0)), lens, solids.together(parts))
    assert np.array_equal(again.rgb, once.rgb) and np.array_equal(again.picture, once.picture), "one after the other is as together"


def test_solids_are_closed_and_face_outwards() -> None:
    """Signed volume against the formula."""
    shapes = {
        "box": (solids.box((1, 2, 3), (1, 1, 1)), 6.0),
        "cylinder": (solids.cylinder(1, 2, (1, 1, 1), sides=200), 2 * math.pi),
        "cone": (solids.cone(1, 3, (1, 1, 1), sides=200), math.pi),
        "ball": (solids.ball(1, (1, 1, 1), sides=120), 4 / 3 * math.pi),
        "ring": (solids.ring(1, 0.2, (1, 1, 1), sides=200), 2 * math.pi * 4 * 0.04 / math.sqrt(2)),
        "rod": (solids.rod((0, 0, 0), (1, 1, 1), 0.5, (1, 1, 1), sides=200), math.sqrt(3) * math.pi / 4),
    }
    for name, (shape, volume) in shapes.items():
        a, b, c = (shape.points[shape.faces[:, k]] for k in range(3))
        assert math.isclose(float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6, volume, rel_tol=0.01), name

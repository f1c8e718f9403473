"""Grid and paths on small stages; cases.md section E."""

from __future__ import annotations

import time

import numpy as np
import pytest

from actions.navigation.bottleneck import blocked, find_bottleneck
from actions.navigation.grid import Disk, build_grid
from actions.navigation.paths import RADII_M, find_path, flood
from assistcore.house.collision import CollisionWorld
from assistcore.house.contacts import floors
from assistcore.world.outcomes import Code
from tests.actions.navigation.rooms import gap_wall, open_room
from tests.house.shapes import block, floor, hull_piece, stage, thing, wall, walls_round


def grid_for(model, step=0.10):
    return build_grid(CollisionWorld(model), floors(model), frozenset(), step_m=step)


def test_clearance_is_the_exact_distance() -> None:
    prism = [(x, y, z) for x, y in ((0, 0), (0.6, 0.1), (0.2, 0.7), (-0.2, 0.4)) for z in (0.0, 1.0)]
    model = stage(
        floor((0, 0), (5, 5)), thing("rock_1", [hull_piece(prism)], (2.0, 2.0, 0.0), yaw=0.4), block("crate_1", (3, 3, 0), (3.5, 4, 1))
    )
    scene = CollisionWorld(model)
    grid = build_grid(scene, floors(model), frozenset())
    compared = 0
    for i in range(2, 50):
        for j in range(2, 50):
            point = np.array([[*grid.centre(i, j), 0.5]])
            want = float(scene.sphere_free_m(point, 0.8, ignore=frozenset({"floor_1"}))[0])
            if want > 0.0:
                assert grid.furniture_m[i, j] == pytest.approx(want, abs=1e-9)
                compared += 1
    assert compared > 1500


def test_a_footprint_is_cut_at_the_band() -> None:
    pyramid = thing("tent_1", [hull_piece([(-1, -1, 0), (1, -1, 0), (-1, 1, 0), (1, 1, 0), (0, 0, 1)])], (3, 3, 0))
    grid = grid_for(stage(floor((0, 0), (6, 6)), pyramid))
    i, j = grid.cell(4.35, 3.05)
    x, _ = grid.centre(i, j)
    assert grid.furniture_m[i, j] == pytest.approx(x - 3.0 - 0.95, abs=1e-9)  # 0.95: the half width 0.05 m above the floor


def test_bands_and_support() -> None:
    model = stage(
        floor((0, 0), (2, 4)), floor((2.5, 0), (4, 4), "floor_2"),
        block("rug_1", (0.5, 0.5, 0.0), (1.5, 1.5, 0.02)), block("beam_1", (0.5, 2.5, 1.95), (1.5, 3.5, 2.1)),
        wall("wall_1", (1.0, 2.0), (1.2, 2.2), 0.15), block("shelf_1", (3.0, 1.0, 1.0), (3.4, 1.4, 1.2)),
    )  # fmt: skip
    grid = grid_for(model)
    assert grid.at(1.0, 1.0) > 0.5  # a rug is floor
    assert grid.at(1.0, 3.0) > 0.5  # above 1.90 m
    assert grid.at(1.1, 2.1) > 0.5  # a threshold below 0.20 m is no wall
    assert grid.at(3.2, 1.2) < 0.0  # overhanging furniture blocks
    assert grid.at(2.25, 2.0) <= 0.0  # no floor there


def test_a_door_that_leaves_eight_centimetres_is_passed() -> None:
    """cases.md E, navigation#22: no rounding of the inflation to cells."""

    def way(gap, radius):
        model = gap_wall(gap)
        return find_path(grid_for(model, 0.05), (1, 3), (5, 3), radii_m=(radius,))

    assert way(0.70, 0.31) is not None
    assert way(0.58, 0.30) is None
    exact = way(0.60, 0.30)  # a body exactly as wide as the gap passes: contact without penetration
    assert exact is not None and exact.least_m >= 0.30 - 1e-6


def test_a_start_inside_the_inflation_zone_gets_out_and_a_goal_in_it_is_moved() -> None:
    """cases.md E, navigation2#5685."""
    model = open_room()
    grid = grid_for(model)
    out = find_path(grid, (0.25, 1.0), (5, 1), radii_m=(0.30,))
    assert out is not None and out.moved_m == 0.0
    near_wall = find_path(grid, (3, 1), (5.9, 1.0), exact=False, radii_m=(0.30,))
    assert near_wall is not None and 0.15 < near_wall.moved_m < 0.31
    end = near_wall.points_m[-1]
    assert grid.at(*end) >= 0.30 - 1e-9
    inside_table = find_path(grid, (1, 1), (2.7, 3.0), exact=False)
    assert inside_table is not None and grid.at(*inside_table.points_m[-1]) >= inside_table.radius_m - 1e-9


def test_a_path_keeps_to_the_middle_of_a_corridor() -> None:
    """cases.md E, navigation#26: mean offset below 0.05 m in a 1.0 m corridor, also when it starts beside the middle."""
    model = stage(floor((0, 0), (8, 1)), *walls_round((0, 0), (8, 1)))
    path = find_path(grid_for(model), (0.4, 0.35), (7.6, 0.62))
    assert path is not None
    middle = path.points_m[(path.points_m[:, 0] > 1.5) & (path.points_m[:, 0] < 6.5)]
    assert np.abs(middle[:, 1] - 0.5).mean() < 0.05


def test_corners_are_cleared() -> None:
    model = stage(floor((0, 0), (6, 6)), *walls_round((0, 0), (6, 6)), wall("wall_9", (0, 2.9), (4, 3.1)))
    path = find_path(grid_for(model), (1, 1), (1, 5))
    assert path is not None and path.least_m > 0.35


def test_no_corner_is_cut_between_diagonal_boxes() -> None:
    model = stage(
        floor((0, 0), (4, 4)), *walls_round((0, 0), (4, 4)),
        block("crate_1", (0, 0, 0), (2.0, 2.0, 1)), block("crate_2", (2.05, 2.05, 0), (4, 4, 1)),
    )  # fmt: skip
    assert find_path(grid_for(model), (1, 3), (3, 1)) is None


def test_the_refusal_names_the_bottleneck_and_both_widths() -> None:
    """cases.md E, aituber#55: gap 0.9, needed 1.0 -> `gap sofa/table 0.90 < 1.00 at (x, y)`."""
    model = stage(
        floor((0, 0), (6, 4)), *walls_round((0, 0), (6, 4)),
        block("sofa_1", (2.5, 0.0, 0.0), (3.5, 1.5, 0.8)), block("table_1", (2.5, 2.4, 0.0), (3.5, 4.0, 0.75)),
    )  # fmt: skip
    scene = CollisionWorld(model)
    grid = build_grid(scene, floors(model), frozenset())
    assert find_path(grid, (1, 2), (5, 2), radii_m=(0.50,)) is None
    refusal = blocked(scene, grid, (1, 2), (5, 2), 1.0)
    assert refusal.code == Code.PATH_BLOCKED and refusal.fact.startswith("gap sofa_1/table_1 0.90 m < 1.00 m at (")
    narrow = find_bottleneck(scene, grid, (1, 2), (5, 2))
    assert narrow is not None and narrow.y_m == pytest.approx(1.95, abs=0.02) and 2.4 < narrow.x_m < 3.6


def test_a_lintel_blocks_only_below_the_head() -> None:
    """cases.md E, Replica#20: a lintel at 1.90 m passes, at 1.60 m it does not."""
    assert find_path(grid_for(gap_wall(1.0, lintel=1.901)), (1, 3), (5, 3)) is not None
    assert find_path(grid_for(gap_wall(1.0, lintel=1.60)), (1, 3), (5, 3)) is None


def test_radius_shrinks_only_where_it_must() -> None:
    wide, narrow = (find_path(grid_for(gap_wall(gap)), (1, 3), (5, 3)) for gap in (0.9, 0.42))
    assert wide is not None and wide.radius_m == RADII_M[0]
    assert narrow is not None and narrow.radius_m == 0.15


def test_a_disk_is_avoided() -> None:
    grid = grid_for(stage(floor((0, 0), (6, 6)), *walls_round((0, 0), (6, 6)))).with_disks((Disk(3.0, 3.0),))
    path = find_path(grid, (1, 3), (5, 3))
    assert path is not None and np.hypot(*(path.points_m - (3.0, 3.0)).T).min() >= 0.20 - 1e-6


def test_flood_costs_grow_with_distance_and_stop_at_walls() -> None:
    grid = grid_for(gap_wall(0.0))
    costs = flood(grid, (1.0, 3.0))
    assert costs[grid.cell(2.0, 3.0)] == pytest.approx(1.0, abs=0.15)
    assert not np.isfinite(costs[grid.cell(5.0, 3.0)])


def test_planning_is_quick() -> None:
    grid = grid_for(open_room(12.0))
    find_path(grid, (1, 1), (11, 11))
    best = min(_timed(lambda: find_path(grid, (1, 1), (11, 11))) for _ in range(5))
    assert best < 0.05


def _timed(run) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began

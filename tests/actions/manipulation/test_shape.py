"""The object as the hand feels it: its grid against an independent interpolation and against the exact distance."""

from __future__ import annotations

import numpy as np

from actions.manipulation.shape import PAD_M, build_shape, entity_solids, signed_distance
from tests.actions.manipulation.scenes import mug


def test_distance_is_the_trilinear_value_of_the_grid_and_close_to_the_exact_one(sample_seed: int) -> None:
    from scipy.interpolate import RegularGridInterpolator

    entity = mug("mug_1", 0.0, 0.0)
    shape = build_shape(entity)
    rng = np.random.default_rng(sample_seed)
    reach = 1.5 * PAD_M
    points = rng.uniform(shape.low_m - reach, shape.high_m + reach, size=(3000, 3))
    axes = [shape.origin_m[c] + shape.voxel_m * np.arange(shape.grid.shape[c]) for c in range(3)]
    wanted = RegularGridInterpolator(axes, shape.grid, bounds_error=False, fill_value=PAD_M)(points)
    found = shape.distance(points)
    assert np.allclose(found, wanted, atol=1e-9)
    assert (found == PAD_M).any() and (found < 0.0).any()
    exact = signed_distance(entity_solids(entity), points, PAD_M)
    assert np.abs(found - exact)[np.abs(exact) < 0.5 * PAD_M].max() < shape.voxel_m

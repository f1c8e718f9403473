"""How much a vessel holds and keeps when tilted: against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.house.vessels import FULL, Cone, capacity_ml, retained, tilt_for
from tests.actions.tools.scenes import vessel


def test_a_cylinder_holds_its_volume_and_the_level_follows() -> None:
    cone = Cone((0.0, 0.0, 0.0), 0.05, 0.05, 0.1)
    assert cone.volume_ml(0.1) == pytest.approx(np.pi * 0.05**2 * 0.1 * 1e6)
    assert cone.level_m(0.5 * cone.volume_ml(0.1)) == pytest.approx(0.05)
    wide = Cone((0.0, 0.0, 0.0), 0.03, 0.06, 0.1)
    assert wide.level_m(0.5 * wide.volume_ml(0.1)) > 0.05, "a cone is half full above half its height"


def test_what_stays_in_a_tilted_box() -> None:
    assert retained(0.1, 0.2, 0.0) == 1.0 and retained(0.1, 0.2, np.pi / 2) == 0.0
    # at 45 degrees a triangle of width 0.1 and height 0.1 has run out of 0.1 x 0.2
    assert retained(0.1, 0.2, np.pi / 4) == pytest.approx(1.0 - 0.5 * 0.1 * 0.1 / (0.1 * 0.2))
    shares = [retained(0.1, 0.2, t) for t in np.linspace(0.0, np.pi / 2, 50)]
    assert all(a >= b for a, b in zip(shares, shares[1:], strict=False))
    for share in (0.9, 0.5, 0.1):
        assert retained(0.1, 0.2, tilt_for(0.1, 0.2, share)) == pytest.approx(share, abs=1e-6)


def test_the_capacity_is_the_room_inside() -> None:
    bowl = vessel("bowl_1", 0.0, 0.0, radius=0.07, height=0.066)
    assert capacity_ml(bowl) == pytest.approx(FULL * np.pi * 0.064**2 * 0.058 * 1e6, rel=0.01)

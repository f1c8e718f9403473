"""How a person walks, as data: pace, curves of the feet, and for a walk taken from a clip the trunk and arms over a whole cycle.

The built-in style has no tables: `gait` makes trunk and arms from formulas. `clip_gait` measures a style on a motion clip.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class GaitShape:
    """Pace and foot curves of a full stride, angles in degrees, lengths in metres, phases in steps; shorter steps take a share of them.

    walk_ratio: step length (m) over cadence (steps a minute). step_m: the step at which the curves are taken whole. double_support: share
    of a step during which both feet stand. heel_lead_m and toe_lead_m: distances of root and foot, at landing and beyond 5 cm at lift, from
    which the foot rolls over heel and toes by the whole curve.
    """

    walk_ratio: float = 0.0060
    step_m: float = 0.63
    double_support: float = 0.24
    heel_lead_m: float = 0.30
    toe_lead_m: float = 0.42
    back_m: float = 0.029
    heel_strike: tuple[float, ...] = (27.0, 12.5, 4.0, 0.0)
    heel_strike_at: tuple[float, ...] = (0.0, 0.08, 0.16, 0.26)
    toe_off: tuple[float, ...] = (63.0, 30.0, 10.0, 3.5, 0.6, 0.0)
    toe_off_at: tuple[float, ...] = (0.0, 0.12, 0.24, 0.36, 0.48, 0.62)
    swing_pitch_down: tuple[float, ...] = (63.0, 52.0, 32.0, 6.0, 0.0, 0.0)
    swing_pitch_up: tuple[float, ...] = (0.0, 0.0, 0.0, 1.0, 19.0, 27.0)
    swing_at: tuple[float, ...] = (0.0, 0.16, 0.37, 0.58, 0.84, 1.0)
    swing_along: tuple[float, ...] = (0.0, 0.117, 0.29, 0.521, 0.806, 0.956, 1.0)
    swing_along_at: tuple[float, ...] = (0.0, 0.12, 0.27, 0.47, 0.68, 0.85, 1.0)
    clearance: tuple[float, ...] = (0.0, 0.031, 0.026, 0.028, 0.024, 0.0)
    clearance_at: tuple[float, ...] = (0.0, 0.2, 0.4, 0.6, 0.82, 1.0)
    drop_m: float = 0.0174
    bob_m: float = 0.0120
    bob_phase: float = -0.04
    sway_m: float = 0.020


SHAPE = GaitShape()


@dataclass(frozen=True, eq=False)
class Cycle:
    """Two steps in n equal parts of the distance walked; row 0 is the middle of the double support after which the left foot swings.

    root_rotvec (n, 3): pelvis relative to the upright heading; drop_m (n,): below the idle height; sway_m (n,): to the left of the track;
    joints (k,) and rotvec (n, k, 3): local rotations of trunk, head and arms.
    """

    root_rotvec: F64
    drop_m: F64
    sway_m: F64
    joints: NDArray[np.int64]
    rotvec: F64

    def at(self, steps: F64) -> tuple[NDArray[np.int64], NDArray[np.int64], F64]:
        """The rows before and after places in the cycle (m,), given in steps (any number), and the share of the second."""
        n = len(self.drop_m)
        place = (0.5 * steps) % 1.0 * n
        whole = place.astype(np.int64)
        return whole % n, (whole + 1) % n, place - whole


@dataclass(frozen=True, eq=False)
class GaitStyle:
    """A way of walking.

    cycle: None for the built-in trunk and arms. source: the clip's name and a digest of its bytes, "" for the built-in. notes: what had to
    be given up to keep the bounds of the body.
    """

    shape: GaitShape = SHAPE
    cycle: Cycle | None = None
    source: str = ""
    notes: tuple[str, ...] = ()


BUILT_IN = GaitStyle()

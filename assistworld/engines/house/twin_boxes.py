"""World boxes round the geoms of the kinematic twins, kept up to date one twin at a time: what is near what, without the solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.world.poses import matrix_from_quat_wxyz
from assistworld.engines.house.mujoco_model import Compiled, Driven

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]


class TwinBoxes:
    """Axis-aligned boxes, world metres. Row `i` is the twin of movable `order[i]`; its geoms are `starts[i] : starts[i + 1]` of the boxes.

    A twin is a mocap body, so that its pose in the model's data is all that its boxes depend on.
    """

    def __init__(self, compiled: Compiled, order: Sequence[str]) -> None:
        model = compiled.model
        R = _matrices(model.geom_quat)
        # Each geom's box in the frame of its body: centre (3,), axes (3, 3) as columns, half size (3,).
        self._centre = model.geom_pos + np.einsum("gij,gj->gi", R, model.geom_aabb[:, :3])
        self._axes, self._half = R, np.array(model.geom_aabb[:, 3:])
        twins = [compiled.movables[key] for key in order]
        self._mocap = [m.mocap for m in twins]
        self._geoms = [np.array(m.twin_geoms, dtype=np.int64) for m in twins]
        self._starts = np.cumsum([0, *(len(g) for g in self._geoms)])
        self._row = np.repeat(np.arange(len(twins)), [len(g) for g in self._geoms])
        self._low, self._high = np.zeros((3, len(self._row))), np.zeros((3, len(self._row)))
        self._rows_low, self._rows_high = np.zeros((len(twins), 3)), np.zeros((len(twins), 3))

    def measure(self, data: Any) -> None:
        """All twins, where the data has them."""
        for row in range(len(self._mocap)):
            self.move(row, data)

    def move(self, row: int, data: Any) -> None:
        """One twin, where the data has it now."""
        low, high = self._boxes(self._geoms[row], self._mocap[row], data)
        mine = slice(self._starts[row], self._starts[row + 1])
        self._low[:, mine], self._high[:, mine] = low.T, high.T
        self._rows_low[row], self._rows_high[row] = low.min(axis=0), high.max(axis=0)

    def _boxes(self, geoms: I64, mocap: int, data: Any) -> tuple[F64, F64]:
        R = matrix_from_quat_wxyz(data.mocap_quat[mocap])
        centre = self._centre[geoms] @ R.T + data.mocap_pos[mocap]
        half = (np.abs(R @ self._axes[geoms]) * self._half[geoms, None, :]).sum(axis=2)
        return centre - half, centre + half

    def of(self, row: int) -> tuple[F64, F64]:
        """Low and high corner (3,) of the box round one twin."""
        return self._rows_low[row], self._rows_high[row]

    def rows(self) -> tuple[F64, F64]:
        """Low and high corners (rows, 3) of all twins."""
        return self._rows_low, self._rows_high

    def round(self, links: Sequence[Driven], data: Any) -> tuple[F64, F64] | None:
        """Low and high corner (3,) of the box round driven links where the data has them; None without pieces."""
        found = [self._boxes(np.array(d.geoms, dtype=np.int64), d.mocap, data) for d in links if d.geoms]
        if not found:
            return None
        return np.concatenate([low for low, _ in found]).min(axis=0), np.concatenate([high for _, high in found]).max(axis=0)

    def touching(self, low_m: F64, high_m: F64) -> list[int]:
        """Rows of which some geom's box overlaps a box, in order."""
        near = (self._high[0] > low_m[0]) & (self._low[0] < high_m[0]) & (self._high[1] > low_m[1]) & (self._low[1] < high_m[1])
        near &= (self._high[2] > low_m[2]) & (self._low[2] < high_m[2])
        return sorted(set(self._row[near].tolist()))


def _matrices(quat_wxyz: F64) -> F64:
    """Rotation matrices (n, 3, 3) of unit quaternions (n, 4)."""
    w, x, y, z = quat_wxyz.T
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)

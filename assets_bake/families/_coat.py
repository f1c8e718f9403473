"""A coat on a hook: body, sleeves, collar, lapels, pockets and buttons, all drawn from one outline."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from assets_bake import meshes
from assets_bake.builder import AssetMaker
from assets_bake.looks import BRASS, Look, lightened, textured
from assets_bake.pieces import box_piece

F64 = NDArray[np.float64]
FRONT = 1.5 * np.pi
OUTLINE = np.array(
    [  # height below the hook, half width, half depth, how far the middle is before the wall
        (-1.00, 0.168, 0.070, 0.094),
        (-0.80, 0.160, 0.068, 0.092),
        (-0.55, 0.150, 0.066, 0.090),
        (-0.30, 0.150, 0.068, 0.090),
        (-0.16, 0.154, 0.064, 0.088),
        (-0.10, 0.140, 0.056, 0.085),
        (-0.07, 0.105, 0.050, 0.083),
        (-0.045, 0.066, 0.044, 0.081),
        (-0.03, 0.052, 0.040, 0.080),
    ]
)


def coat(m: AssetMaker, x: float, rgb: tuple[float, float, float]) -> None:
    """Hang a coat, 1 m long and 0.44 m wide, on the hook at `x`; the wall is y = 0 and the hook z = 0."""
    fabric = textured("weave", 0.16, rgb, 1.0)
    dark = textured("weave", 0.16, lightened(rgb, 0.80), 1.0)
    skin = _skin(x)
    z = np.concatenate([np.linspace(-1.0, -0.18, 16), np.linspace(-0.16, -0.03, 11)])
    m.body.mesh(meshes.sheet(skin(np.linspace(0, 2 * np.pi, 49)[None], z[:, None], 0.0), 0.16), fabric)
    hem = skin(np.linspace(2 * np.pi, 0, 25)[None], np.array([-1.0, -0.99])[:, None], np.array([-0.06, 0.0])[:, None])
    m.body.mesh(meshes.sheet(hem), dark)
    for s in (-1.0, 1.0):
        arm = [(0.105, 0.086, -0.100), (0.155, 0.088, -0.145), (0.172, 0.090, -0.25), (0.176, 0.094, -0.42), (0.172, 0.102, -0.62)]
        path = np.array([(x + s * a, -b, c) for a, b, c in arm])
        thick = np.interp(np.linspace(0, 1, 20), (0, 0.2, 0.5, 1), (0.026, 0.044, 0.046, 0.040)).tolist()
        m.body.mesh(meshes.tube(_smooth(path, 20), thick, 14), fabric)
        m.body.mesh(meshes.tube(path[-1] + np.array([(0, 0, 0.035), (0, 0, -0.004)]), 0.0425, 14), dark)
        _patch(m, skin, s, dark)
    t = np.linspace(0, 1, 9)[:, None]
    lining = skin(FRONT + (0.05 + 0.42 * (1 - t)) * np.linspace(-1, 1, 9)[None], -0.092 - 0.228 * t, 0.0045)
    m.body.mesh(meshes.both_sides(meshes.sheet(lining, 0.16)), textured("weave", 0.16, lightened(rgb, 0.45), 1.0))
    _collar(m, x, dark)
    strip = skin(np.linspace(FRONT - 0.09, FRONT + 0.09, 5)[None], np.linspace(-0.985, -0.30, 12)[:, None], 0.003)
    m.body.mesh(meshes.sheet(strip, 0.16), dark)
    for height in (-0.36, -0.49, -0.62, -0.75):
        at = skin(np.array(FRONT), np.array(height), 0.005)
        m.body.mesh(meshes.ball((0.010, 0.005, 0.010), (float(at[0]), float(at[1]), float(at[2])), 10), BRASS)
    m.body.add([box_piece(f"coat_{round(x * 100)}", (0.43, 0.15, 0.98), (x, -0.095, -0.51))])


def _skin(x: float) -> Callable[[F64, F64, float | F64], F64]:
    from scipy.interpolate import PchipInterpolator

    curve = PchipInterpolator(OUTLINE[:, 0], OUTLINE[:, 1:])

    def point(u: F64, z: F64, out: float | F64) -> F64:
        """A point of the cloth at angle `u` (FRONT looks into the room) and height `z`, moved `out` metres off it."""
        rx, ry, y = np.moveaxis(curve(z), -1, 0)
        fold = 1 + 0.05 * np.sin(7 * u + 0.5) * np.clip(-z - 0.35, 0, 0.6) * 1.6
        parts = np.broadcast_arrays(x + (rx * fold + out) * np.cos(u), -y + (ry * fold + out) * np.sin(u), z)
        return np.stack(parts, -1)

    return point


def _smooth(path: F64, n: int) -> F64:
    from scipy.interpolate import PchipInterpolator

    return np.asarray(PchipInterpolator(np.linspace(0, 1, len(path)), path)(np.linspace(0, 1, n)))


def _patch(m: AssetMaker, skin: Callable[[F64, F64, float | F64], F64], s: float, look: Look) -> None:
    """A lapel from the collar down to the first button, and a pocket flap; both lie on the cloth."""
    t = np.linspace(0, 1, 9)[:, None]
    inner, width = 0.03 + 0.42 * (1 - t), np.where(t < 0.3, 0.34 + 0.5 * t, 0.7 * (1.05 - t))
    lapel = skin(FRONT + s * (inner + width * np.linspace(0, 1, 7)[None]), -0.092 - 0.228 * t, 0.007)
    u = FRONT + s * np.linspace(0.42, 0.95, 6)[None]
    flap = skin(u, np.linspace(-0.66, -0.61, 3)[:, None], np.array([0.009, 0.008, 0.002])[:, None])
    for grid in (lapel[::-1], flap):
        mesh = meshes.sheet(np.ascontiguousarray(grid), 0.16)
        m.body.mesh(meshes.both_sides(mesh), look)


def _collar(m: AssetMaker, x: float, look: Look) -> None:
    """A stand-up collar round the hook, meeting in front, folded over outwards."""
    u = np.linspace(FRONT - 2 * np.pi + 0.03, FRONT - 0.03, 41)
    rows = []
    for grow, z in ((1.55, -0.078), (1.42, -0.045), (1.22, -0.008), (1.12, 0.006), (1.0, 0.002), (0.96, -0.03)):
        dip = -0.012 * np.clip(-np.sin(u), 0, 1) ** 2
        rows.append(np.stack([x + 0.052 * grow * np.cos(u), -0.080 + 0.040 * grow * np.sin(u), z + dip], 1))
    m.body.mesh(meshes.both_sides(meshes.sheet(np.array(rows), 0.16)), look)

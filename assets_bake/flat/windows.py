"""A window in an outer wall: frame, sash, sill, glass, curtains and its daylight."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes
from assets_bake.builder import AssetMaker
from assets_bake.looks import CHROME, Look, plain, textured
from assets_bake.scene_maker import SceneMaker, upright
from assistcore.house.stage import WindowLight
from assistcore.house.usd_spec import instantiate
from assistcore.world.ids import EntityRef

PANE = plain((0.82, 0.9, 0.95), 0.05, opacity=0.08)
FRAME = plain((0.94, 0.94, 0.93), 0.4)
CURTAIN = {
    "living_room": textured("weave", 0.16, (0.80, 0.70, 0.54), 0.95),
    "bedroom": textured("weave", 0.16, (0.42, 0.52, 0.64), 0.95),
}


def window(
    scene: SceneMaker,
    number: int,
    axis: str,
    faces_m: tuple[float, float],
    opening: tuple[float, float, float, float, str],
    room: str,
    inward: tuple[float, float],
) -> None:
    """Build one window. Its local frame: x along the wall, -y into the room, origin at the opening's lower middle on the inner face."""
    at, width, low, high, _ = opening
    deep = abs(faces_m[1] - faces_m[0])
    inner = faces_m[1] if sum(inward) > 0 else faces_m[0]
    x, y = (at, inner) if axis == "x" else (inner, at)
    yaw = float(np.arctan2(inward[0], -inward[1]))
    h, w = high - low, width / 2
    m = AssetMaker(f"window_{round(width * 100)}x{round(h * 100)}_{room}", "window", "structure", scene.textures, nouns=("window",))
    b = m.body
    f = 0.05
    for a, c in (
        ((-w, 0.0, 0.0), (-w + f, deep, h)),
        ((w - f, 0.0, 0.0), (w, deep, h)),
        ((-w + f, 0.0, h - f), (w - f, deep, h)),
        ((-w + f, 0.0, 0.0), (w - f, deep, f)),
    ):
        b.box(a, c, FRAME, solid=False)
    y0 = deep * 0.55
    sashes = [(-w + f, w - f)] if width < 0.8 else [(-w + f, 0.0), (0.0, w - f)]
    s = 0.045
    for x0, x1 in sashes:
        for a, c in (
            ((x0, y0, f), (x0 + s, y0 + 0.04, h - f)),
            ((x1 - s, y0, f), (x1, y0 + 0.04, h - f)),
            ((x0 + s, y0, f), (x1 - s, y0 + 0.04, f + s)),
            ((x0 + s, y0, h - f - s), (x1 - s, y0 + 0.04, h - f)),
        ):
            b.box(a, c, FRAME, 0.004, solid=False)
        b.mesh(meshes.quad(((x0 + x1) / 2, y0 + 0.02, h / 2), (1, 0, 0), (0, 0, 1), (x1 - x0 - 2 * s, h - 2 * f - 2 * s)), PANE)
    b.mesh(meshes.soft_box((0.015, 0.03, 0.11), (sashes[0][1] - s / 2, y0 - 0.015, h * 0.45), 0.006), CHROME)
    b.solid((-w, y0, 0.0), (w, y0 + 0.04, h), "pane")
    b.box((-w - 0.04, -0.10, -0.025), (w + 0.04, 0.0, 0.0), FRAME, 0.004, name="sill")
    if room in CURTAIN:
        _curtains(m, w, h, low, CURTAIN[room])
    scene.add(instantiate(m.entity(), EntityRef("window", number), room, upright(x, y, low, yaw)))
    centre = (x, y, (low + high) / 2)
    scene.windows.append(WindowLight(centre, (inward[0], inward[1], 0.0), (width, h), room))


def _curtains(m: AssetMaker, w: float, h: float, low: float, look: Look) -> None:
    top, bottom = h + 0.16, -low + 0.04
    rod = h + 0.18
    m.body.mesh(meshes.tube(np.array([(-w - 0.34, -0.13, rod), (w + 0.34, -0.13, rod)]), 0.011, 8), CHROME)
    for s in (-1, 1):
        m.body.mesh(meshes.ball((0.02, 0.02, 0.02), (s * (w + 0.35), -0.13, rod), 10), CHROME)
        m.body.mesh(meshes.tube(np.array([(s * (w + 0.2), -0.13, rod), (s * (w + 0.2), 0.0, rod)]), 0.008, 6), CHROME)
        x0, x1 = sorted((s * (w - 0.06), s * (w + 0.3)))
        u = np.linspace(0.0, 1.0, 25)
        rows = []
        for z, spread, swing in ((bottom, 1.0, 0.030), (bottom * 0.4 + top * 0.6, 0.96, 0.026), (top, 0.92, 0.018)):
            mid = s * (w + 0.12)
            x = mid + (x0 + (x1 - x0) * u - mid) * spread
            rows.append(np.stack([x, -0.13 + swing * np.sin(u * 2 * np.pi * 4.5), np.full_like(u, z)], 1))
        m.body.mesh(meshes.both_sides(meshes.sheet(np.array(rows), look.tile_m)), look)
        a = np.linspace(0, 2 * np.pi, 13)[:-1]
        for k in range(10):  # where a fold crosses the rod
            across = float(np.interp(k / 9, u, rows[-1][:, 0]))
            ring = np.stack([np.full(12, across), -0.13 + 0.02 * np.cos(a), rod - 0.004 + 0.02 * np.sin(a)], 1)
            m.body.mesh(meshes.tube(ring, 0.003, 5, closed=True), CHROME)

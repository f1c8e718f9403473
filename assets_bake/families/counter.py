"""A kitchen worktop on side panels, with a hole for the sink."""

from __future__ import annotations

from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import COUNTER, SAGE, Look, plain
from assistcore.house.stage import Entity


def build(
    textures: Textures,
    *,
    asset: str = "kitchen_counter",
    category: str = "kitchen_counter",
    length_m: float = 3.8,
    depth_m: float = 0.6,
    top_m: float = 0.9,
    sink: tuple[float, float, float, float] | None = None,
    holes: tuple[tuple[float, float], ...] = (),
    panels_x_m: tuple[float, ...] = (),
    fillers_x_m: tuple[tuple[float, float], ...] = (),
    look: Look = COUNTER,
) -> Entity:
    """Origin under the middle of the slab. `sink`: x0, x1, y0, y1 of its hole. `holes`: x spans where no surface is offered (hob).

    `panels_x_m`: centres of 18 mm side panels that carry it. `fillers_x_m`: gaps between the units below, closed with strips.
    """
    m = AssetMaker(asset, category, "fixture", textures, 80.0, ("surface",), (), ("counter", "worktop", "countertop"))
    w, d, t = length_m / 2, depth_m / 2, 0.04
    b, z0, z1 = m.body, top_m - t, top_m
    if sink is None:
        b.box((-w, -d, z0), (w, d, z1), look, name="slab")
    else:
        x0, x1, y0, y1 = sink
        b.box((-w, -d, z0), (x0, d, z1), look, name="slab_left")
        b.box((x1, -d, z0), (w, d, z1), look, name="slab_right")
        b.box((x0, -d, z0), (x1, y0, z1), look, name="slab_front")
        b.box((x0, y1, z0), (x1, d, z1), look, name="slab_back")
    for x in panels_x_m:
        b.box((x - 0.009, -d + 0.02, 0.0), (x + 0.009, d, z0), plain((0.72, 0.73, 0.75), 0.5), name="panel")
    for a, c in fillers_x_m:
        b.box((a + 0.0005, -d + 0.036, 0.1), (c - 0.0005, -d + 0.06, z0), SAGE, solid=False)
    cuts = sorted([*holes, *([(sink[0] - 0.02, sink[1] + 0.02)] if sink else [])])
    edges = [-w, *(v for cut in cuts for v in cut), w]
    names = ("left", "middle", "right", "far_right")
    spans = [(edges[k], edges[k + 1]) for k in range(0, len(edges), 2) if edges[k + 1] - edges[k] > 0.12]
    for name, (a, c) in zip(names, spans, strict=False):
        m.surface(name, (a, -d, z1), (c, d, z1 + 0.45))
    return m.entity()

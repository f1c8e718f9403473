"""Tall fridge with a hinged door, glass shelves and a light inside; or a small freezer."""

from __future__ import annotations

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M, bar_handle
from assets_bake.looks import GLASS, STEEL, WHITE_PAINT, Look, plain
from assistcore.house.stage import Entity, Joint


def build(
    textures: Textures,
    *,
    asset: str = "fridge_steel",
    category: str = "fridge",
    nouns: tuple[str, ...] = ("refrigerator",),
    width_m: float = 0.62,
    depth_m: float = 0.62,
    height_m: float = 1.75,
    shelves_z_m: tuple[float, ...] = (0.52, 0.86, 1.16, 1.44),
    look: Look = STEEL,
    hinge: str = "left",
    open_rad: float = 1.55,
) -> Entity:
    """The doors' front is at -depth / 2, handle side opposite the hinge."""
    m = AssetMaker(
        asset, category, "fixture", textures, 60.0, ("openable", "container", "cold"), ("tall",) if height_m > 1.2 else ("small",), nouns
    )
    m.attributes = {"running": True}
    w, d, wall, door = width_m / 2, depth_m / 2, 0.045, 0.06
    front = -d + door + GAP_M
    shell = plain((0.72, 0.73, 0.75), 0.5)
    lining = plain((0.95, 0.96, 0.97), 0.4, emissive=0.18)
    b = m.body
    b.box((-w, front + 0.05, 0.0), (w, d - 0.02, 0.06), plain((0.2, 0.2, 0.21)), name="plinth")
    b.box((-w, front, 0.06), (-w + wall, d, height_m), shell, name="left")
    b.box((w - wall, front, 0.06), (w, d, height_m), shell, name="right")
    b.box((-w + wall, d - wall, 0.06), (w - wall, d, height_m), shell, name="back")
    b.box((-w + wall, front, 0.06), (w - wall, d - wall, 0.06 + wall), shell, name="bottom")
    b.box((-w + wall, front, height_m - wall), (w - wall, d - wall, height_m), shell, name="top")
    x, y1, e = w - wall, d - wall, 0.001
    z0, z1 = 0.06 + wall, height_m - wall
    b.mesh(meshes.box((2 * x, 0.002, z1 - z0), (0.0, y1 - e, (z0 + z1) / 2)), lining)
    b.mesh(meshes.box((2 * x, y1 - front, 0.002), (0.0, (y1 + front) / 2, z0 + e - 0.0005)), lining)
    b.mesh(meshes.box((2 * x, y1 - front, 0.002), (0.0, (y1 + front) / 2, z1 - e)), lining)
    for s in (-1, 1):
        b.mesh(meshes.box((0.002, y1 - front, z1 - z0), (s * (x - e), (y1 + front) / 2, (z0 + z1) / 2)), lining)
    floors = [z0 + 0.001, *shelves_z_m]
    for z in shelves_z_m:
        b.box((-x + 0.002, front + 0.06, z - 0.012), (x - 0.002, y1 - 0.002, z), GLASS, name="shelf")
        b.box((-x + 0.002, front + 0.055, z - 0.014), (x - 0.002, front + 0.065, z), WHITE_PAINT, name="rim", solid=False)
    for k, (a, c) in enumerate(zip(floors, [*(z - 0.012 for z in shelves_z_m), z1], strict=True), 1):
        m.interior(f"shelf_{k}", (-x + 0.002, front + (0.06 if k > 1 else 0.0), a), (x - 0.002, y1 - 0.002, c), (0.0, -1.0, 0.0), ("door",))
    left = hinge == "left"
    joint = Joint("door", "hinge", (0.0, 0.0, 1.0), (-w if left else w, -d, 0.0), 0.0, -open_rad if left else open_rad)
    leaf = m.link("door", joint)
    leaf.box((-w, -d, 0.07), (w, -d + door, height_m), look, 0.008)
    leaf.mesh(meshes.box((2 * x - 0.02, 0.004, height_m - 0.25), (0.0, -d + door + 0.001, height_m / 2)), lining)
    handle_z = min(1.05, height_m - 0.15)
    leaf.handle = bar_handle(leaf, ((w - 0.05) if left else (-w + 0.05), -d, handle_z), 0.42 if height_m > 1.2 else 0.24, True, 0.045)
    return m.entity()

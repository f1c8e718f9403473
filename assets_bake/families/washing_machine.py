"""A washing machine or a tumble dryer with a round door, a drum and a start button."""

from __future__ import annotations

import numpy as np

from assets_bake import meshes, prints
from assets_bake.builder import AssetMaker, Textures
from assets_bake.families._parts import GAP_M
from assets_bake.looks import CHROME, GLASS, STEEL, WHITE_PAINT, plain, textured
from assets_bake.pieces import box_piece
from assistcore.house.stage import Control, Entity, Handle, Joint

KINDS = {"washing_machine": (65.0, "washer", ("washer",)), "dryer": (45.0, "dryer", ("tumble dryer", "drier"))}
"""Mass in kilograms, role and further nouns by category."""


def build(
    textures: Textures,
    *,
    asset: str = "washing_machine",
    category: str = "washing_machine",
    size_m: tuple[float, float, float] = (0.6, 0.58, 0.85),
) -> Entity:
    """Door hinged at its left, handle at its right. Raises KeyError for a category that is not among `KINDS`."""
    mass_kg, role, nouns = KINDS[category]
    roles = ("openable", "container", "device", "surface", role)
    m = AssetMaker(asset, category, "fixture", textures, mass_kg, roles, ("white",), nouns)
    m.attributes = {"running": False}
    w, d, h = size_m[0] / 2, size_m[1] / 2, size_m[2]
    front, b = -d + 0.05, m.body
    half, z0, z1 = 0.20, 0.23, 0.63
    grey = plain((0.42, 0.43, 0.45), 0.5)
    b.box((-w, front, 0.02), (-half, d, h), WHITE_PAINT, name="left")
    b.box((half, front, 0.02), (w, d, h), WHITE_PAINT, name="right")
    b.box((-half, front, 0.02), (half, d, z0), WHITE_PAINT, name="bottom")
    b.box((-half, front, z1), (half, d, h), WHITE_PAINT, name="top")
    b.box((-half, d - 0.16, z0), (half, d, z1), STEEL, name="drum_back")
    drum = meshes.lathe([(0.188, 0.0), (0.198, 0.36)], 28).turned(meshes.rotation("x", np.pi / 2))
    flipped = meshes.Mesh(drum.vertices_m, drum.faces[:, ::-1], -drum.normals, drum.uvs)
    b.mesh(flipped.moved((0, d - 0.16, (z0 + z1) / 2)), STEEL)
    _face(m, w, front, half, z0, z1)
    for x in (-w + 0.05, w - 0.05):
        for y in (front + 0.06, d - 0.06):
            b.box((x - 0.02, y - 0.02, 0.0), (x + 0.02, y + 0.02, 0.02), grey, name="foot")
    b.box((-w + 0.02, front - 0.006, h - 0.12), (-0.08, front, h - 0.03), plain((0.86, 0.87, 0.88), 0.4), 0.003, solid=False)
    shown = textured(m.picture("display", prints.screen("clock", (256, 96))), 0.0, roughness=0.2)
    b.mesh(meshes.quad((0.12, front - 0.0015, h - 0.075), (1, 0, 0), (0, 0, 1), (0.11, 0.045)), shown, "display")
    knob = meshes.lathe([(0.03, 0.0), (0.027, 0.024), (0.0001, 0.024)], 20).turned(meshes.rotation("x", np.pi / 2))
    b.mesh(knob.moved((0.0, front, h - 0.075)), CHROME)
    b.box((0.215, front - 0.014, h - 0.092), (0.249, front, h - 0.058), plain((0.25, 0.62, 0.36)), 0.004, name="button")
    m.control = Control("body", (0.232, front - 0.014, h - 0.075), (0.0, -1.0, 0.0))
    s = 0.17
    m.interior("drum", (-s, front + 0.03, z0 + 0.003), (s, d - 0.165, z1 - 0.02), (0.0, -1.0, 0.0), ("door",))
    b.solid((-half, front + 0.02, z0), (half, d - 0.16, z0 + 0.003), "drum_floor")
    m.surface("top", (-w, front, h), (w, d, h + 0.4))
    _door(m, front, (z0 + z1) / 2, "foam" if role == "washer" else "lit")
    return m.entity()


def _face(m: AssetMaker, w: float, front: float, half: float, z0: float, z1: float) -> None:
    """The steel ring around the opening hides the square corners of the drum's mouth."""
    a = np.linspace(0, 2 * np.pi, 33)
    mid = (z0 + z1) / 2
    inner = np.stack([0.195 * np.cos(a), np.full(33, front - 0.002), mid + 0.195 * np.sin(a)], 1)
    outer = np.stack(
        [
            half * 1.42 * np.clip(np.cos(a) * 1.4, -1, 1) * 0.72,
            np.full(33, front - 0.002),
            mid + half * 1.02 * np.clip(np.sin(a) * 1.4, -1, 1),
        ],
        1,
    )
    m.body.mesh(meshes.sheet(np.array([inner, outer])[:, ::-1]), WHITE_PAINT)


def _door(m: AssetMaker, front: float, mid: float, pane: str) -> None:
    """`pane`: the name of the glass as a part of its own, which looks different while the machine runs."""
    y = front - GAP_M
    joint = Joint("door", "hinge", (0.0, 0.0, 1.0), (-0.24, y, 0.0), 0.0, -1.75)
    leaf = m.link("door", joint)
    R = meshes.rotation("x", np.pi / 2)
    ring = meshes.lathe([(0.165, 0.0), (0.23, 0.0), (0.235, 0.012), (0.22, 0.035), (0.17, 0.04), (0.165, 0.0)], 32).turned(R)
    leaf.mesh(ring.moved((0, y, mid)), CHROME)
    bowl = meshes.lathe([(0.17, 0.012), (0.10, 0.02), (0.0001, 0.022)], 28).turned(R).moved((0, y, mid))
    leaf.mesh(bowl, GLASS.coloured((0.42, 0.48, 0.52)), pane)
    leaf.add([box_piece("leaf", (0.46, 0.038, 0.46), (0.0, y - 0.02, mid))])
    leaf.box((0.195, y - 0.052, mid - 0.05), (0.22, y - 0.03, mid + 0.05), plain((0.75, 0.77, 0.80), 0.3), 0.008, name="handle")
    leaf.handle = Handle((0.2075, y - 0.052, mid), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0))

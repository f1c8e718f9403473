"""Containers with a lid that comes off: the body has a socket at its rim, the lid a plug on its underside (both kinds share a `fits`)."""

from __future__ import annotations

from assets_bake import meshes
from assets_bake.builder import AssetMaker, Textures
from assets_bake.looks import CHROME, COLOURS, Look, plain
from assets_bake.pieces import open_box, round_piece, standing, wall_ring
from assistcore.house.stage import Connector, Entity

KNOB_M = (0.10, 0.018, 0.034)


def build(
    textures: Textures,
    *,
    asset: str,
    part: str = "body",
    form: str = "box",
    size_m: tuple[float, float, float] = (0.30, 0.22, 0.15),
    colour: str = "blue",
    look: Look | None = None,
    category: str = "",
    nouns: tuple[str, ...] = (),
    mass_kg: float = 0.6,
) -> Entity:
    """`part`: body or lid; `form`: box or round (diameter is `size_m[0]`). Body and lid of one size and form fit each other."""
    if part not in ("body", "lid") or form not in ("box", "round"):
        raise ValueError(f"{asset}: part {part!r} is none of body, lid, or form {form!r} none of box, round")
    skin = look or plain(COLOURS[colour], 0.45)
    fits = f"{form} lid {round(size_m[0] * 1000)} x {round(size_m[1] * 1000)}"
    turns = 2 if form == "box" else 12
    if part == "body":
        m = AssetMaker(asset, category or "storage_box", "movable", textures, mass_kg, ("container",), (colour,), nouns, "edge")
        _body(m, form, size_m, skin)
        m.connectors.append(Connector("rim", "socket", fits, "body", (0.0, 0.0, size_m[2]), turns=turns, closes=("inside",)))
    else:
        m = AssetMaker(asset, category or "lid", "movable", textures, mass_kg, ("lid",), (colour,), nouns, "bar")
        _lid(m, form, size_m, skin)
        m.connectors.append(Connector("underside", "plug", fits, "body", turns=turns))
    return m.entity()


def _body(m: AssetMaker, form: str, size: tuple[float, float, float], skin: Look) -> None:
    w, d, h, t = size[0] / 2, size[1] / 2, size[2], 0.008
    if form == "box":
        for low, high in (
            ((-w, -d, 0.0), (-w + t, d, h)),
            ((w - t, -d, 0.0), (w, d, h)),
            ((-w + t, d - t, 0.0), (w - t, d, h)),
            ((-w + t, -d, 0.0), (w - t, -d + t, h)),
            ((-w + t, -d + t, 0.0), (w - t, d - t, t)),
        ):
            m.body.box(low, high, skin, solid=False)
        m.body.add(open_box("wall", (-w, -d, 0.0), (w, d, h), t))
        m.interior("inside", (-w + t, -d + t, t), (w - t, d - t, h), (0.0, 0.0, 1.0))
        return
    r = w
    m.body.mesh(meshes.lathe([(0.0001, 0.0), (r, 0.0), (r, h), (r - t, h)], 28), skin)
    m.body.mesh(meshes.lathe([(r - t, h), (r - t, t), (0.0001, t)], 28), skin)
    m.body.add(standing("bottom", [(r, 0.0), (r, t)]))
    m.body.add(wall_ring("wall", [(r - t, t), (r - t, h)], [(r, t), (r, h)], 12))
    s = (r - t) * 0.7071
    m.interior("inside", (-s, -s, t), (s, s, h), (0.0, 0.0, 1.0))


def _lid(m: AssetMaker, form: str, size: tuple[float, float, float], skin: Look) -> None:
    w, d, t = size[0] / 2 + 0.004, size[1] / 2 + 0.004, 0.014
    if form == "box":
        m.body.box((-w, -d, 0.0), (w, d, t), skin, 0.003, name="plate")
    else:
        m.body.mesh(meshes.lathe([(0.0001, 0.0), (w, 0.0), (w, t * 0.7), (w * 0.9, t), (0.0001, t)], 28), skin)
        m.body.add([round_piece("plate", [(w, 0.0), (w, t)], 16)])
    a, b, c = KNOB_M
    m.body.mesh(meshes.soft_box((a, b, 0.016), (0.0, 0.0, t + c - 0.008), 0.006), CHROME)
    for s in (-1, 1):
        m.body.mesh(meshes.box((0.012, 0.010, c - 0.010), (s * (a / 2 - 0.012), 0.0, t + (c - 0.010) / 2)), CHROME)
        m.body.solid((s * (a / 2 - 0.012) - 0.006, -0.006, t), (s * (a / 2 - 0.012) + 0.006, 0.006, t + c - 0.016), "foot")
    m.body.solid((-a / 2, -b / 2, t + c - 0.016), (a / 2, b / 2, t + c), "handle")

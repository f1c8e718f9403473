"""What attributes do to the looks of things: colours of what is cooked, burnt, dirty or wet, and the cut variant of what can be cut.

A look is the text that `assistcore.house.attributes.look_of` makes of a thing's attributes: words joined by `+`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from assistcore.house.stage import Entity, StageModel
from assistworld.engines.house.picture_cut import Halves, cut_axis, flesh
from assistworld.engines.house.picture_levels import colour_of, filled

if TYPE_CHECKING:
    from assistcore.pictures.scene import Drawable, Surface

TINTS: tuple[tuple[str, tuple[float, float, float], float], ...] = (
    ("burnt", (0.07, 0.05, 0.04), 0.88),
    ("cooked", (0.40, 0.20, 0.06), 0.62),
    ("dirty", (0.36, 0.27, 0.16), 0.45),
    ("wet", (0.20, 0.24, 0.30), 0.35),
)
"""Look, colour and its share; the first that applies is seen."""
TINTED_ROLES = frozenset({"food", "wipe", "tool", "container", "surface", "drinkable"})
WHOLE, CUT = "", "|cut"


def words(look: str) -> frozenset[str]:
    """The words of a look."""
    return frozenset(look.split("+")) if look else frozenset()


@dataclass(frozen=True)
class Looks:
    """Drawable names by entity: all that a tint colours, those of the whole and of the cut variant, those of spills and stains."""

    surfaces: Mapping[str, tuple[tuple[str, Surface], ...]] = field(default_factory=dict)
    whole: Mapping[str, frozenset[str]] = field(default_factory=dict)
    cut: Mapping[str, frozenset[str]] = field(default_factory=dict)
    patches: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def hidden(self, looks: Mapping[str, str]) -> frozenset[str]:
        """Drawables that are not seen: the cut variant of what is whole, the whole of what is cut, absent patches."""
        open_ = {key for key, look in looks.items() if key in self.cut and "cut" in words(look)}
        out: set[str] = set()
        for key, names in self.cut.items():
            out |= self.whole[key] if key in open_ else names
        for key, names in self.patches.items():
            out |= frozenset() if "present" in words(looks.get(key, "")) else names
        return frozenset(out)

    def tints(self, looks: Mapping[str, str]) -> dict[str, Surface]:
        """Surfaces that differ from the thing's own, by drawable."""
        out: dict[str, Surface] = {}
        for key, look in sorted(looks.items()):
            said = words(look)
            tint = next(((rgb, share) for name, rgb, share in TINTS if name in said), None)
            content = filled(look) if key in self.patches else None
            tint = (colour_of(content.contents), 1.0) if content is not None else tint
            if tint is None or key not in self.surfaces:
                continue
            for name, surface in self.surfaces[key]:
                rgb = (1.0 - tint[1]) * np.asarray(surface.rgb) + tint[1] * np.asarray(tint[0])
                out[name] = replace(surface, rgb=(float(rgb[0]), float(rgb[1]), float(rgb[2])))
        return out


def looks_of(stage: StageModel, drawables: list[Drawable]) -> tuple[Looks, list[Drawable]]:
    """The looks of a stage, and the drawables of the variants."""
    own: dict[str, list[Drawable]] = {}
    for d in drawables:
        own.setdefault(d.name.split("/", 1)[0], []).append(d)
    more: list[Drawable] = []
    whole: dict[str, frozenset[str]] = {}
    cut: dict[str, frozenset[str]] = {}
    patches: dict[str, frozenset[str]] = {}
    surfaces: dict[str, tuple[tuple[str, Surface], ...]] = {}
    for entity in stage.entities:
        mine = own.get(entity.key, [])
        if "patch" in entity.roles:
            patches[entity.key] = frozenset(d.name for d in mine)
            surfaces[entity.key] = tuple((d.name, d.surface) for d in mine)
        if entity.kind != "movable" or not mine:
            continue
        made = _cut(entity, mine) if "cuttable" in entity.roles else []
        if made:
            whole[entity.key], cut[entity.key] = frozenset(d.name for d in mine), frozenset(d.name for d in made)
            more += made
        if entity.roles & TINTED_ROLES:
            surfaces[entity.key] = tuple((d.name, d.surface) for d in (*mine, *made))
    return Looks(surfaces, whole, cut, patches), more


def _cut(entity: Entity, mine: list[Drawable]) -> list[Drawable]:
    """Both halves of every part as one drawable each, and the flesh of the largest."""
    from assistcore.pictures.scene import TriMesh

    parts = [(link, part) for link in entity.links for part in link.parts]
    every = np.concatenate([part.vertices_m for _, part in parts])
    low, high = every.min(axis=0).astype(np.float64), every.max(axis=0).astype(np.float64)
    axis = cut_axis(low, high)
    largest = max(range(len(parts)), key=lambda k: (float(np.prod(np.ptp(parts[k][1].vertices_m, axis=0))), -k))
    by_name = {d.name: d for d in mine}
    out: list[Drawable] = []
    for k, (link, part) in enumerate(parts):
        base = by_name[f"{entity.key}/{link.key}/{part.name}"]
        halves = Halves(part, axis, low, high)
        if len(halves.vertices):
            out.append(replace(base, name=base.name + CUT, mesh=TriMesh.make(halves.vertices, halves.faces, None, halves.uvs)))
        if k == largest and len(halves.cap_vertices):
            inner = replace(base.surface, rgb=flesh(base.surface.rgb), texture=None)
            mesh = TriMesh.make(halves.cap_vertices, halves.cap_faces)
            out.append(replace(base, name=f"{base.name}{CUT} flesh", mesh=mesh, surface=inner))
    return out

"""What attributes do to the looks of things: colours of what is cooked, burnt, dirty or wet, and the cut variant of what can be cut.

A look is the text that `assistcore.house.attributes.look_of` makes of a thing's attributes: words joined by `+`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from assistcore.house.household import BURN_TICKS, COOK_TICKS
from assistcore.house.stage import Entity, StageModel
from assistworld.engines.house.picture_cut import Halves, cut_axis, flesh
from assistworld.engines.house.picture_levels import colour_of, filled

if TYPE_CHECKING:
    from assistcore.pictures.scene import Drawable, Surface

BROWN, BLACK = ((0.36, 0.17, 0.04), 0.85), ((0.05, 0.04, 0.035), 0.92)
"""Colours, with their share, of what is cooked and of what is burnt."""
SOILED = ((0.33, 0.24, 0.13), 0.55)
WET_SHADE, WET_ROUGHNESS, WET_SPECULAR = 0.66, 0.12, 0.6
"""What is wet is darker and shines."""
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

    def tints(self, looks: Mapping[str, str], tick: int = 0) -> dict[str, Surface]:
        """Surfaces that differ from the thing's own at a tick, by drawable."""
        out: dict[str, Surface] = {}
        for key, look in sorted(looks.items()):
            if key not in self.surfaces:
                continue
            content = filled(look) if key in self.patches else None
            for name, surface in self.surfaces[key]:
                found = surface.with_rgb(colour_of(content.contents)) if content is not None else tinted(surface, look, tick)
                if found is not surface:
                    out[name] = found
        return out


def tinted(surface: Surface, look: str, tick: int = 0) -> Surface:
    """A surface as heat, dirt and water make it look; the same object where they change nothing."""
    said = words(look)
    rgb = np.asarray(surface.rgb, dtype=np.float64)
    brown, black = browning(look, tick)
    for (colour, share), part in ((BROWN, brown), (BLACK, black), (SOILED, float("dirty" in said))):
        rgb = (1.0 - share * part) * rgb + share * part * np.asarray(colour)
    if "wet" in said:
        rgb = WET_SHADE * rgb
        surface = replace(surface, roughness=min(surface.roughness, WET_ROUGHNESS), specular=max(surface.specular, WET_SPECULAR))
    elif not (brown or black or "dirty" in said):
        return surface
    return surface.with_rgb((float(rgb[0]), float(rgb[1]), float(rgb[2])))


def browning(look: str, tick: int) -> tuple[float, float]:
    """How far something is on its way to cooked, and from there to burnt, each 0..1: by the heat it has had until a tick."""
    said = words(look)
    done = 1.0 if said & {"cooked", "burnt"} else 0.0
    total = next((_heated(word, tick) for word in said if word.startswith("heat:")), 0)
    brown = max(done, min(1.0, total / COOK_TICKS))
    black = 1.0 if "burnt" in said else float(np.clip((total - COOK_TICKS) / (BURN_TICKS - COOK_TICKS), 0.0, 1.0))
    return brown, black


def _heated(word: str, tick: int) -> int:
    """Ticks of heat that the word `heat:<since>:<before>` tells of at a tick."""
    _, since, before = word.split(":")
    return int(before) + (max(0, tick - int(since)) if since else 0)


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
            out.append(replace(base, name=base.name + CUT, mesh=TriMesh.make(halves.vertices, halves.faces, halves.normals, halves.uvs)))
        if k == largest and len(halves.cap_vertices):
            inner = replace(base.surface, rgb=flesh(base.surface.rgb), texture=None)
            mesh = TriMesh.make(halves.cap_vertices, halves.cap_faces)
            out.append(replace(base, name=f"{base.name}{CUT} flesh", mesh=mesh, surface=inner))
    return out

"""How a running device looks: plates red, windows lit, displays bright, the glass of a washing machine full of foam, water at the tap.

The asset says which part of it changes by the part's name; everything else of a device looks the same whether it runs or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistcore.house.stage import StageModel

if TYPE_CHECKING:
    from assistcore.pictures.scene import Drawable, Surface


@dataclass(frozen=True)
class Glow:
    """What running changes of a surface: its colour (None: its own), how much light it gives off, and its opacity (None: its own); `off`
    is the share of its own colour that is left while it does not run."""

    rgb: tuple[float, float, float] | None
    emissive: float
    alpha: float | None = None
    off: float = 1.0


GLOWS: Mapping[str, Glow] = {
    "hot": Glow((1.0, 0.20, 0.07), 0.9),
    "lit": Glow((0.62, 0.27, 0.09), 0.22),
    "display": Glow(None, 0.5),
    "screen": Glow(None, 0.45, off=0.06),
    "programme": Glow((0.36, 0.58, 0.82), 0.7),
    "foam": Glow((0.84, 0.92, 0.97), 0.1, 0.85),
}
"""By the name of the part. What is not listed does not change."""
STARTED = ("running", "ringing")
"""The words of a look at which a part glows."""


@dataclass(frozen=True)
class Glowing:
    """Parts that running changes: entity, drawable, its surface while it runs and while it does not."""

    parts: tuple[tuple[str, str, Surface, Surface], ...] = ()

    def surfaces(self, looks: Mapping[str, str]) -> dict[str, Surface]:
        """The surface of every such part now, by drawable."""
        return {name: on if _started(looks.get(key, "")) else off for key, name, on, off in self.parts}


def _started(look: str) -> bool:
    return any(word in STARTED for word in look.split("+"))


def glowing_of(stage: StageModel, drawables: Iterable[Drawable]) -> Glowing:
    """The parts of a stage's devices that change."""
    own = {d.name: d for d in drawables}
    found: list[tuple[str, str, Surface, Surface]] = []
    for entity in stage.entities:
        for link in entity.links:
            for part in link.parts:
                glow, drawable = GLOWS.get(part.name), own.get(f"{entity.key}/{link.key}/{part.name}")
                if glow is not None and drawable is not None:
                    found.append((entity.key, drawable.name, *_both(drawable.surface, glow)))
    return Glowing(tuple(found))


def _both(surface: Surface, glow: Glow) -> tuple[Surface, Surface]:
    """A surface while it runs, and while it does not."""
    r, g, b = surface.rgb
    on = replace(surface, rgb=glow.rgb or surface.rgb, emissive=glow.emissive, alpha=surface.alpha if glow.alpha is None else glow.alpha)
    return on, replace(surface, rgb=(glow.off * r, glow.off * g, glow.off * b))

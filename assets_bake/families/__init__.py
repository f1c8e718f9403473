"""Asset families: one module each, found by its file name, whose `build(...)` makes a prototype entity from parameters."""

from __future__ import annotations

from typing import Any

from assets_bake.builder import Textures
from assistcore.house.stage import Entity
from assistcore.world.registry import Registry

FAMILIES = Registry("asset_family", "assets_bake.families")


def build(family: str, textures: Textures, **parameters: Any) -> Entity:
    """A prototype of the family. Raises UnknownName for a family, TypeError for a parameter that it does not have."""
    prototype: Entity = FAMILIES.load(family).build(textures, **parameters)
    return prototype

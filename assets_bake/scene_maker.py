"""Composing a scene: one prototype per asset name, placed as often as wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from assets_bake import textures as procedural
from assets_bake.builder import Textures
from assets_bake.families import build
from assistcore.house.stage import Entity, LampLight, Room, StageModel, WindowLight
from assistcore.house.usd_spec import instantiate
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose, yaw_quat_wxyz

FACING_RAD = {"S": 0.0, "E": np.pi / 2, "N": np.pi, "W": -np.pi / 2}
"""Yaw that turns an asset's front (-y) towards a compass direction (N is +y)."""


def upright(x_m: float, y_m: float, z_m: float, yaw_rad: float) -> Pose:
    """A pose on its base, turned about z."""
    q = yaw_quat_wxyz(yaw_rad)
    return Pose((float(x_m), float(y_m), float(z_m)), (float(q[0]), 0.0, 0.0, float(q[3])))


@dataclass
class SceneMaker:
    """A scene in the making."""

    name: str
    room: str = ""
    """The room that `put` uses unless it is given one."""
    textures: Textures = field(default_factory=dict)
    prototypes: dict[str, Entity] = field(default_factory=dict)
    entities: list[Entity] = field(default_factory=list)
    rooms: list[Room] = field(default_factory=list)
    lamps: list[LampLight] = field(default_factory=list)
    windows: list[WindowLight] = field(default_factory=list)
    spots: dict[str, tuple[float, float, float]] = field(default_factory=dict)

    def prototype(self, family: str, asset: str, **parameters: Any) -> Entity:
        """The asset, built on first use. `parameters` must be the same each time (checked by name only)."""
        if asset not in self.prototypes:
            self.prototypes[asset] = build(family, self.textures, asset=asset, **parameters)
        return self.prototypes[asset]

    def add(self, entity: Entity) -> Entity:
        """Add a finished entity. Raises ValueError for a second one with the same key."""
        if any(e.key == entity.key for e in self.entities):
            raise ValueError(f"scene {self.name!r} already has {entity.key!r}")
        self.entities.append(entity)
        return entity

    def put(
        self,
        key: str,
        family: str,
        asset: str,
        at: tuple[float, float, float],
        facing: str | float = "S",
        *,
        room: str = "",
        connects: Sequence[str] = (),
        attributes: Mapping[str, bool | int | str] | None = None,
        adjectives: Sequence[str] = (),
        nouns: Sequence[str] = (),
        joints: Mapping[str, float] | None = None,
        mated: Sequence[str] = (),
        **parameters: Any,
    ) -> Entity:
        """Place an asset: `facing` is a compass letter or a yaw in radians (0: front to the south).

        `adjectives` and `nouns`, where given, replace the family's own.
        """
        yaw = FACING_RAD[facing] if isinstance(facing, str) else facing
        own = self.prototype(family, asset, **parameters)
        own = replace(own, adjectives=() if adjectives else own.adjectives, nouns=() if nouns else own.nouns)
        entity = instantiate(
            own,
            EntityRef.from_key(key),
            room or self.room,
            upright(*at, yaw),
            connects=connects,
            attributes=attributes,
            adjectives=adjectives,
            nouns=nouns,
            joints=joints,
            mated=mated,
        )
        return self.add(entity)

    def stage(self) -> StageModel:
        """The stage with all textures that its surfaces name."""
        used = {p.surface.texture for e in self.entities for link in e.links for p in link.parts if p.surface.texture}
        found = {name: self.textures[name] if name in self.textures else procedural.make_texture(name) for name in sorted(used)}
        order = {"structure": 0, "door": 1, "fixture": 2, "movable": 3}
        entities = tuple(sorted(self.entities, key=lambda e: (order[e.kind], e.room, e.ref)))
        return StageModel(self.name, tuple(self.rooms), entities, found, tuple(self.lamps), tuple(self.windows), dict(self.spots))

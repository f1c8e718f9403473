"""The spec beside an asset's USD file: facts that USD has no schema for, as JSON; and prototypes turned into placed entities.

A spec belongs to one asset. Joint keys in it are local (`door`); a placed entity's are `<entity key>.<local key>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistcore.house.stage import Entity, Link, Region
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

SPEC_VERSION = 1


def instantiate(
    prototype: Entity,
    ref: EntityRef,
    room: str,
    pose: Pose,
    *,
    connects: Sequence[str] = (),
    attributes: Mapping[str, bool | int | str] | None = None,
    adjectives: Sequence[str] = (),
    nouns: Sequence[str] = (),
    joints: Mapping[str, float] | None = None,
) -> Entity:
    """A placed entity of an asset. `attributes` are merged over the asset's; `joints` sets initial values by local key."""
    initial = dict(joints or {})

    def placed(link: Link) -> Link:
        if link.joint is None:
            return link
        value = initial.get(link.joint.key, link.joint.initial)
        return replace(link, joint=replace(link.joint, key=f"{ref.key}.{link.joint.key}", initial=value))

    def region(r: Region) -> Region:
        return replace(r, doors=tuple(f"{ref.key}.{d}" for d in r.doors))

    return replace(
        prototype,
        ref=ref,
        room=room,
        pose=pose,
        links=tuple(placed(link) for link in prototype.links),
        regions=tuple(region(r) for r in prototype.regions),
        connects=tuple(connects),
        attributes={**prototype.attributes, **(attributes or {})},
        adjectives=tuple(dict.fromkeys([*prototype.adjectives, *adjectives])),
        nouns=tuple(dict.fromkeys([*prototype.nouns, *nouns])),
    )


def facts(entity: Entity) -> dict[str, Any]:
    """What a spec file says about a prototype (JSON types), without geometry."""
    return {"version": SPEC_VERSION, "asset": entity.asset, "category": entity.category}

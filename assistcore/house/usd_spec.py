"""The spec beside an asset's USD file: facts that USD has no schema for, as JSON; and prototypes turned into placed entities.

A spec belongs to one asset. Joint keys in it are local (`door`); a placed entity's are `<entity key>.<local key>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from assistcore.house.stage import Connector, Control, Entity, GraspHint, Handle, Joint, Label, Link, Mating, Region, Tip
from assistcore.world.errors import VersionError
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

SPEC_VERSION = 1
KINDS = ("structure", "fixture", "door", "movable")
TIPS = ("edge", "tip", "face", "rim", "spout")
Json = dict[str, Any]


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
    mated: Sequence[str] = (),
) -> Entity:
    """A placed entity of an asset. `attributes` are merged over the asset's; `joints` sets initial values by local key.

    `mated`: own plug, parent's key, its socket, for what is attached to another thing from the start.
    """
    initial = dict(joints or {})

    def placed(link: Link) -> Link:
        if link.joint is None:
            return link
        value = initial.get(link.joint.key, link.joint.initial)
        return replace(link, joint=replace(link.joint, key=f"{ref.key}.{link.joint.key}", initial=value))

    return replace(
        prototype,
        ref=ref,
        room=room,
        pose=pose,
        links=tuple(placed(link) for link in prototype.links),
        regions=tuple(replace(r, doors=tuple(f"{ref.key}.{d}" for d in r.doors)) for r in prototype.regions),
        connects=tuple(connects),
        attributes={**prototype.attributes, **(attributes or {})},
        adjectives=tuple(dict.fromkeys([*prototype.adjectives, *adjectives])),
        nouns=tuple(dict.fromkeys([*prototype.nouns, *nouns])),
        mated=Mating(*mated) if mated else None,
    )


def local_joint(entity_key: str, joint_key: str) -> str:
    """The asset's own name of a placed entity's joint."""
    return joint_key.removeprefix(f"{entity_key}.")


def facts_of(entity: Entity) -> Json:
    """What the spec file of a (placed or prototype) entity's asset says, as JSON types; geometry and looks are in the USD."""
    key = entity.key

    def link(x: Link) -> Json:
        joint = {**asdict(x.joint), "key": local_joint(key, x.joint.key), "initial": 0.0} if x.joint else None
        return {"key": x.key, "parent": x.parent, "joint": joint, "handle": asdict(x.handle) if x.handle else None}

    facts = {
        "version": SPEC_VERSION,
        "asset": entity.asset,
        "category": entity.category,
        "kind": entity.kind,
        "mass_kg": entity.mass_kg,
        "roles": sorted(entity.roles),
        "grasp": entity.grasp,
        "links": [link(x) for x in entity.links],
        "regions": [{**asdict(r), "doors": [local_joint(key, d) for d in r.doors]} for r in entity.regions],
        "labels": [asdict(x) for x in entity.labels],
        "control": asdict(entity.control) if entity.control else None,
        **({"tips": [asdict(t) for t in entity.tips]} if entity.tips else {}),
        **({"grip_m": entity.grip_m} if entity.grip_m else {}),
    }
    if entity.connectors:
        facts["connectors"] = [asdict(c) for c in entity.connectors]
    return facts


def placing_of(entity: Entity) -> Json:
    """What the scene file says about one placed entity beyond its asset and pose."""
    placing = {
        "room": entity.room,
        "connects": list(entity.connects),
        "adjectives": list(entity.adjectives),
        "nouns": list(entity.nouns),
        "attributes": dict(entity.attributes),
        "joints": {local_joint(entity.key, j.key): j.initial for j in entity.joints if j.initial != 0.0},
    }
    if entity.mated is not None:
        placing["mated"] = [entity.mated.plug, entity.mated.parent, entity.mated.socket]
    return placing


def prototype_from(facts: Json, links: Sequence[Link]) -> Entity:
    """A prototype from a spec and its links (geometry already read, facts of joints and handles added here).

    Raises VersionError for another spec version, KeyError or ValueError for a spec that lacks a field or has a wrong kind.
    """
    if facts["version"] != SPEC_VERSION:
        raise VersionError(f"spec of asset {facts.get('asset')!r}", str(facts["version"]), str(SPEC_VERSION))
    if facts["kind"] not in KINDS:
        raise ValueError(f"kind {facts['kind']!r} is none of {', '.join(KINDS)}")
    geometry = {x.key: x for x in links}
    return Entity(
        EntityRef(facts["category"]),
        facts["kind"],
        facts["category"],
        facts["asset"],
        "",
        Pose(),
        tuple(
            replace(geometry[x["key"]], joint=_joint(x["joint"]), handle=_handle(x["handle"]), parent=x["parent"]) for x in facts["links"]
        ),
        mass_kg=float(facts["mass_kg"]),
        roles=frozenset(facts["roles"]),
        regions=tuple(_region(r) for r in facts["regions"]),
        labels=tuple(_label(x) for x in facts["labels"]),
        control=_control(facts["control"]),
        grasp=cast(GraspHint, facts["grasp"]),
        tips=tuple(_tip(t) for t in facts.get("tips", ())),
        grip_m=_triple(facts["grip_m"]) if "grip_m" in facts else None,
        connectors=tuple(_connector(c) for c in facts.get("connectors", ())),
    )


def _triple(v: Sequence[float]) -> tuple[float, float, float]:
    x, y, z = v
    return (float(x), float(y), float(z))


def _joint(j: Json | None) -> Joint | None:
    if j is None:
        return None
    return Joint(
        j["key"], j["kind"], _triple(j["axis"]), _triple(j["anchor_m"]), float(j["closed_at"]), float(j["open_at"]), float(j["initial"])
    )


def _handle(h: Json | None) -> Handle | None:
    return None if h is None else Handle(_triple(h["point_m"]), _triple(h["normal"]), _triple(h["along"]))


def _control(c: Json | None) -> Control | None:
    return None if c is None else Control(c["link"], _triple(c["point_m"]), _triple(c["normal"]))


def _region(r: Json) -> Region:
    return Region(r["name"], r["kind"], r["link"], _triple(r["low_m"]), _triple(r["high_m"]), tuple(r["doors"]), _triple(r["opening"]))


def _connector(c: Json) -> Connector:
    w, x, y, z = (float(v) for v in c["quat_wxyz"])
    at = _triple(c["point_m"])
    return Connector(c["name"], c["kind"], c["fits"], c["link"], at, (w, x, y, z), int(c["turns"]), tuple(c["closes"]))


def _label(x: Json) -> Label:
    w, h = x["size_m"]
    return Label(x["link"], _triple(x["centre_m"]), _triple(x["normal"]), _triple(x["up"]), (float(w), float(h)), tuple(x["lines"]))


def _tip(t: Json) -> Tip:
    if t["kind"] not in TIPS:
        raise ValueError(f"tip kind {t['kind']!r} is none of {', '.join(TIPS)}")
    length, width = t["size_m"]
    return Tip(t["kind"], _triple(t["point_m"]), _triple(t["out"]), _triple(t["along"]), (float(length), float(width)))

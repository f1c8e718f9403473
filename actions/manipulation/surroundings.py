"""What stands in, on and under what, as a hand meets it: enclosing regions, closed doors on the way, things that ride along."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from actions.world import ActionWorld
from assistcore.house.collision import CollisionWorld
from assistcore.house.stage import Entity, Region
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse, transform_points

F64 = NDArray[np.float64]

OPEN_ENOUGH = 0.5
"""Share of its range from which an enclosing door or drawer lets a hand through."""
AJAR = 0.25
"""From here on a small thing may still go in past it, which its geometry says."""
RESTS_M = 0.03


@dataclass(frozen=True, eq=False)
class Place:
    """A region of an entity with its frame: T_region (4, 4), world from the region's link."""

    entity: str
    region: Region
    T_region: F64

    @property
    def opening(self) -> F64:
        """Outward direction (3,) in the world through which a hand enters."""
        out = self.T_region[:3, :3] @ np.asarray(self.region.opening, np.float64)
        unit: F64 = out / float(np.linalg.norm(out))
        return unit


def regions_of(world: ActionWorld, key: str) -> list[Place]:
    """The regions of an entity where they are now, in the stage's order."""
    entity = world.stage.entity(key)
    return [Place(key, r, world.state.link(world.stage, key, r.link)) for r in entity.regions]


def centre_of(world: ActionWorld, key: str) -> F64:
    """World centre (3,) of an entity's box."""
    low, high = world.stage.entity(key).box_m
    T = world.state.root(world.stage, key)
    centre: F64 = transform_points(T, 0.5 * (low + high)[None])[0]
    return centre


def world_box(world: ActionWorld, key: str) -> tuple[F64, F64]:
    """Low and high corner (3,) of an entity's box, axis-aligned in the world (at joint zero)."""
    low, high = world.stage.entity(key).box_m
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    moved = transform_points(world.state.root(world.stage, key), corners)
    return moved.min(axis=0), moved.max(axis=0)


def contains(place: Place, point_m: F64, margin_m: float = 0.01) -> bool:
    """Whether a world point is in the region."""
    local = transform_points(inverse(place.T_region), point_m[None])[0]
    low, high = np.asarray(place.region.low_m) - margin_m, np.asarray(place.region.high_m) + margin_m
    return bool(np.all(local >= low) and np.all(local <= high))


def enclosure(world: ActionWorld, key: str) -> Place | None:
    """The smallest interior region that holds the centre of a movable thing, or None."""
    centre = centre_of(world, key)
    found: list[tuple[float, Place]] = []
    for entity in world.stage.entities:
        if entity.key == key or entity.key in world.state.removed or not entity.regions:
            continue
        for place in regions_of(world, entity.key):
            if place.region.kind == "interior" and contains(place, centre):
                size = np.subtract(place.region.high_m, place.region.low_m)
                found.append((float(np.prod(size)), place))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def shut(world: ActionWorld, place: Place, least: float = OPEN_ENOUGH) -> str | None:
    """The entity whose door, lid or drawer front closes the region, or None while a hand can get in; `least`: how far it must be open."""
    for joint in place.region.doors:
        if world.state.open_fraction(world.stage, joint) < least:
            return world.stage.joint_owner[joint][0]
    return lid_on(world, place)


def lid_on(world: ActionWorld, place: Place) -> str | None:
    """The lid that is mated to the region's owner and closes the region, or None."""
    sockets = {c.name for c in world.stage.entity(place.entity).connectors if place.region.name in c.closes}
    return next((a.child for a in world.state.attached if a.parent == place.entity and a.socket in sockets), None)


def how_shut(world: ActionWorld, owner: str) -> str:
    """In which way something closes a region."""
    return f"{owner} is on it" if world.state.attachment(owner) is not None else f"{owner} is closed"


def how_to_open(world: ActionWorld, owner: str) -> str:
    """What to do about what closes a region."""
    mated = world.state.attachment(owner)
    return f"take {owner} off {mated.parent} first" if mated is not None else f"open {owner} first"


def closed_above(world: ActionWorld, key: str) -> Refusal | None:
    """CLOSED naming the first closed container round a thing (an open box in a closed cabinet is closed too), or None."""
    seen = {key}
    hop: str | None = key
    while hop is not None:
        place = enclosure(world, hop) if world.stage.entity(hop).kind == "movable" else None
        if place is None or place.entity in seen:
            return None
        if owner := shut(world, place):
            return Refusal(Code.CLOSED, f"{key} is inside {place.entity}, and {how_shut(world, owner)}", how_to_open(world, owner))
        seen.add(place.entity)
        hop = place.entity
    return None


def movables(world: ActionWorld) -> list[Entity]:
    """Present movable entities, in the stage's order."""
    return [e for e in world.stage.entities if e.kind == "movable" and e.key not in world.state.removed]


def riders_of(world: ActionWorld, key: str) -> tuple[str, ...]:
    """Movable things that a movable carrier takes along: those in its regions or resting on it, and what those carry."""
    out: list[str] = []
    frontier = [key]
    while frontier:
        carrier = frontier.pop(0)
        for entity in movables(world):
            if entity.key in out or entity.key == key:
                continue
            mated = world.state.attachment(entity.key)
            if _rests(world, entity.key, carrier) or (mated is not None and mated.parent == carrier):
                out.append(entity.key)
                frontier.append(entity.key)
    return tuple(out)


def _rests(world: ActionWorld, thing: str, carrier: str) -> bool:
    held = world.state.held
    if held is not None and held.entity == thing:
        return False
    centre = centre_of(world, thing)
    low, high = world_box(world, carrier)
    if any(contains(place, centre) for place in regions_of(world, carrier) if place.region.kind == "interior"):
        return True
    base = world_box(world, thing)[0]
    over = bool(low[0] < centre[0] < high[0] and low[1] < centre[1] < high[1])
    return over and base[2] > low[2] + 0.3 * (high[2] - low[2]) and base[2] < high[2] + RESTS_M


def link_riders(world: ActionWorld, key: str, links: frozenset[str]) -> tuple[str, ...]:
    """Movable things in regions that move with these links of a fixture (in a drawer, in a fridge door), and what they carry."""
    places = [p for p in regions_of(world, key) if p.region.link in links]
    out: list[str] = []
    for entity in movables(world):
        held = world.state.held
        if held is not None and held.entity == entity.key:
            continue
        if entity.key not in out and any(contains(p, centre_of(world, entity.key)) for p in places):
            out += [entity.key, *(r for r in riders_of(world, entity.key) if r not in out)]
    return tuple(dict.fromkeys(out))


def support_of(world: ActionWorld, key: str) -> str:
    """The entity that a thing stands on: the owner of the nearest surface below its box, empty without one."""
    scene = world.scene()
    if not isinstance(scene, CollisionWorld):
        return ""
    root = world.state.root(world.stage, key).copy()
    root[2, 3] -= 0.004
    hits = scene.entity(key, root, margin_m=0.012)
    low, _ = world_box(world, key)
    below = [h for h in hits if h.point_m[2] < low[2] + 0.02]
    return min(below).owner if below else ""

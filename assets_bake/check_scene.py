"""`check_scene`: every finding about a scene in one list; an empty list is a sound scene.

One small function a promise: keys, references, rooms and doors, textures, regions, overlaps, support, rooms of things, reach, contents.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assets_bake.check_geometry import check_overlaps, check_support, check_swings, check_walled_in
from assets_bake.check_rooms import check_rooms, inside
from assistcore.house.stage import Entity, Region, StageModel
from assistcore.world.errors import Problem, nearest

SLACK_M = 0.01


def check_scene(stage: StageModel) -> list[Problem]:
    """All findings, in a fixed order. Geometry is only looked at when keys and references are sound."""
    out: list[Problem] = []
    for check in _FACTS:
        out += check(stage)
    if not out:
        for check in _GEOMETRY:
            out += check(stage)
    return out


def _where(stage: StageModel, entity: Entity, *rest: str) -> str:
    return "/".join([f"{stage.name}#", "entities", entity.key, *rest])


def check_keys(stage: StageModel) -> list[Problem]:
    """Entity, joint, link and region keys are unique."""
    out: list[Problem] = []
    keys = [e.key for e in stage.entities]
    out += [
        Problem(f"{stage.name}#/entities/{k}", f"key {k!r} is used {keys.count(k)} times") for k in sorted(set(keys)) if keys.count(k) > 1
    ]
    joints = [j.key for e in stage.entities for j in e.joints]
    out += [
        Problem(f"{stage.name}#/joints/{k}", f"joint key {k!r} is used {joints.count(k)} times")
        for k in sorted(set(joints))
        if joints.count(k) > 1
    ]
    for e in stage.entities:
        for what, names in (("links", [x.key for x in e.links]), ("regions", [r.name for r in e.regions])):
            if len(set(names)) != len(names):
                out.append(Problem(_where(stage, e, what), f"a name is used twice: {names}"))
    return out


def check_references(stage: StageModel) -> list[Problem]:
    """Rooms, links, joints and lamps that are named exist."""
    out: list[Problem] = []
    rooms = [r.key for r in stage.rooms]
    entities = {e.key for e in stage.entities}
    for e in stage.entities:
        if e.room and e.room not in rooms:
            out.append(Problem(_where(stage, e, "room"), f"unknown room {e.room!r}", nearest(e.room, rooms)))
        links = [x.key for x in e.links]
        joints = [j.key for j in e.joints]
        named = (
            [("regions", r.link) for r in e.regions]
            + [("labels", x.link) for x in e.labels]
            + [("links", x.parent) for x in e.links if x.parent]
        )
        named += [("control", e.control.link)] if e.control else []
        out += [
            Problem(_where(stage, e, what), f"unknown link {link!r}", nearest(link, links)) for what, link in named if link not in links
        ]
        out += [
            Problem(_where(stage, e, "regions", r.name), f"unknown joint {d!r}", nearest(d, joints))
            for r in e.regions
            for d in r.doors
            if d not in joints
        ]
        if "openable" in e.roles and len(joints) != 1:
            out.append(Problem(_where(stage, e), f"is openable and has {len(joints)} joints", "an openable entity has exactly one"))
    for lamp in stage.lamps:
        if lamp.entity and lamp.entity not in entities:
            out.append(Problem(f"{stage.name}#/lamps", f"unknown entity {lamp.entity!r}", nearest(lamp.entity, sorted(entities))))
        if lamp.room not in rooms:
            out.append(Problem(f"{stage.name}#/lamps", f"unknown room {lamp.room!r}", nearest(lamp.room, rooms)))
    return out


def check_textures(stage: StageModel) -> list[Problem]:
    """Every texture that a surface names is there and is a picture."""
    out = []
    for e in stage.entities:
        for link in e.links:
            for part in link.parts:
                name = part.surface.texture
                if name and name not in stage.textures:
                    out.append(
                        Problem(_where(stage, e, link.key, part.name), f"missing texture {name!r}", nearest(name, list(stage.textures)))
                    )
    return out


def check_meshes(stage: StageModel) -> list[Problem]:
    """Meshes have extent, finite values and valid indices; movables have mass and collision pieces."""
    out = []
    for e in stage.entities:
        for link in e.links:
            for part in link.parts:
                v = part.vertices_m
                if not np.isfinite(v).all() or not np.isfinite(part.normals).all():
                    out.append(Problem(_where(stage, e, link.key, part.name), "has values that are not finite"))
                elif len(v) == 0 or float(np.ptp(v, axis=0).max()) == 0.0:
                    out.append(Problem(_where(stage, e, link.key, part.name), "has no extent"))
                elif len(part.faces) and int(part.faces.max()) >= len(v):
                    out.append(Problem(_where(stage, e, link.key, part.name), f"face index {int(part.faces.max())} of {len(v)} vertices"))
        if e.kind == "movable" and e.mass_kg <= 0.0:
            out.append(Problem(_where(stage, e, "mass_kg"), f"mass {e.mass_kg} kg of a movable", "a dynamic body needs a positive mass"))
        if e.kind == "movable" and not any(link.pieces for link in e.links):
            out.append(Problem(_where(stage, e), "movable without collision pieces"))
    return out


def check_regions(stage: StageModel) -> list[Problem]:
    """Regions have volume and lie within their entity (a surface may reach above it)."""
    out = []
    for e in stage.entities:
        low, high = e.box_m
        for r in e.regions:
            a, b = np.array(r.low_m), np.array(r.high_m)
            where = _where(stage, e, "regions", r.name)
            if (b - a <= 0).any():
                out.append(Problem(where, f"has no volume: from {r.low_m} to {r.high_m}"))
                continue
            above = r.kind == "surface" or r.opening[2] > 0.5
            beyond = (a < low - SLACK_M) | ((b > high + SLACK_M) & ~np.array([False, False, above]))
            if beyond.any():
                axes = ", ".join("xyz"[k] for k in np.flatnonzero(beyond))
                out.append(
                    Problem(
                        where,
                        f"reaches outside the entity along {axes}: {r.low_m}..{r.high_m}",
                        f"the entity is {low.round(3).tolist()}..{high.round(3).tolist()}",
                    )
                )
    return out


def check_rooms_of_things(stage: StageModel) -> list[Problem]:
    """The middle of everything in a room lies in that room, between floor and ceiling."""
    rooms = {r.key: r for r in stage.rooms}
    out = []
    for e in stage.entities:
        if e.kind not in ("fixture", "movable") or e.room not in rooms:
            continue
        room = rooms[e.room]
        low, high = e.box_m
        middle = e.pose.matrix() @ np.array([*((low + high) / 2), 1.0])
        if not inside(middle[:2], np.asarray(room.polygon_m)):
            out.append(Problem(_where(stage, e), f"is outside its room {e.room!r}: middle at {middle[:2].round(3).tolist()}"))
        elif not room.floor_m - 0.01 <= middle[2] <= room.ceiling_m:
            out.append(Problem(_where(stage, e), f"is not between floor and ceiling of {e.room!r}: middle at z {middle[2]:.3f}"))
    return out


def fits(thing: Entity, region: Region) -> str:
    """Empty when the thing fits into the region in some upright orientation, else `needs 0.50, has 0.30 (z)` (virtualhome#155)."""
    low, high = thing.box_m
    size, room = high - low, np.subtract(region.high_m, region.low_m)
    if size[2] > room[2] and region.opening[2] < 0.5:
        return f"needs {size[2]:.2f}, has {room[2]:.2f} (z)"
    for (a, b), (w, d) in (((size[0], size[1]), (room[0], room[1])), ((size[1], size[0]), (room[0], room[1]))):
        if a <= w and b <= d:
            return ""
    axis = 0 if size[0] > room[0] else 1
    return f"needs {size[axis]:.2f}, has {room[axis]:.2f} ({'xy'[axis]})"


Check = Callable[[StageModel], list[Problem]]
_FACTS: tuple[Check, ...] = (check_keys, check_references, check_rooms, check_textures, check_meshes, check_regions)
_GEOMETRY: tuple[Check, ...] = (check_rooms_of_things, check_overlaps, check_support, check_swings, check_walled_in)

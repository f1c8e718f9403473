"""Layouts: a scene as a graph in JSON (`nodes` with class, states, size; `edges` with INSIDE or ON), validated in one report and arranged.

```json
{"nodes": [{"id": 1, "class": "fridge", "states": ["CLOSED"]}, {"id": 2, "class": "apple", "size_m": [0.08, 0.08, 0.08]}],
 "edges": [{"from": 2, "relation": "INSIDE", "to": 1}]}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assistcore.house.stage import Entity, StageModel
from assistcore.world.errors import InputError, Problem, nearest

RELATIONS = ("INSIDE", "ON")
STATES = {"OPEN": "openable", "CLOSED": "openable", "ON": "device", "OFF": "device", "CLEAN": "", "DIRTY": ""}
Triple = tuple[float, float, float]


@dataclass(frozen=True)
class ClassInfo:
    """What the catalogue knows of a class: roles, outer size, the largest interior and surface (None: it has none), metres."""

    name: str
    roles: frozenset[str]
    size_m: Triple
    interior_m: Triple | None = None
    surface_m: Triple | None = None


@dataclass(frozen=True)
class Arranged:
    """What became of one node: where it went, or why it was refused."""

    node: int
    placed: bool
    into: int | None = None
    reason: str = ""


def catalogue_of(stage: StageModel) -> dict[str, ClassInfo]:
    """The classes of a stage by category; of several assets of a category the first in the stage's order counts."""
    out: dict[str, ClassInfo] = {}
    for e in stage.entities:
        if e.kind != "structure" and e.category not in out:
            low, high = e.box_m
            out[e.category] = ClassInfo(e.category, e.roles, _triple(high - low), _largest(e, "interior"), _largest(e, "surface"))
    return out


def _triple(v: Iterable[float]) -> Triple:
    x, y, z = v
    return (float(x), float(y), float(z))


def _largest(e: Entity, kind: str) -> Triple | None:
    sizes = [_triple(np.subtract(r.high_m, r.low_m)) for r in e.regions if r.kind == kind]
    return max(sizes, key=lambda s: s[0] * s[1] * s[2], default=None)


def check_layout(document: Mapping[str, Any], catalogue: Mapping[str, ClassInfo], where: str = "layout.json") -> list[Problem]:
    """Every finding, each with a JSON pointer; empty for a layout that can be arranged (virtualhome#114)."""
    problems = _shape(document, where)
    if problems:
        return problems
    nodes, edges = document["nodes"], document["edges"]
    ids = [n["id"] for n in nodes]
    out: list[Problem] = []
    for k, node in enumerate(nodes):
        out += _node(node, f"{where}#/nodes/{k}", catalogue, ids.index(node["id"]) < k)
    for k, edge in enumerate(edges):
        out += _edge(edge, f"{where}#/edges/{k}", ids)
    return out + _cycles(edges, ids, where)


def _shape(document: Mapping[str, Any], where: str) -> list[Problem]:
    out = []
    for key, fields in (("nodes", {"id": int, "class": str}), ("edges", {"from": int, "to": int, "relation": str})):
        rows = document.get(key)
        if not isinstance(rows, list):
            out.append(Problem(f"{where}#/{key}", f"is {type(rows).__name__}, expected a list"))
            continue
        for k, row in enumerate(rows):
            if not isinstance(row, dict):
                out.append(Problem(f"{where}#/{key}/{k}", f"is {type(row).__name__}, expected an object"))
                continue
            for name, kind in fields.items():
                if not isinstance(row.get(name), kind) or isinstance(row.get(name), bool):
                    out.append(Problem(f"{where}#/{key}/{k}/{name}", f"is {row.get(name)!r}, expected {kind.__name__}"))
    return out


def _node(node: Mapping[str, Any], at: str, catalogue: Mapping[str, ClassInfo], repeated: bool) -> list[Problem]:
    out = []
    if repeated:
        out.append(Problem(f"{at}/id", f"id {node['id']} is used by an earlier node", "give every node its own id"))
    info = catalogue.get(node["class"])
    if info is None:
        out.append(Problem(f"{at}/class", f"unknown class {node['class']!r}", nearest(node["class"], list(catalogue))))
    for k, state in enumerate(node.get("states", [])):
        if state not in STATES:
            out.append(Problem(f"{at}/states/{k}", f"unknown state {state!r}", nearest(str(state), list(STATES))))
        elif info is not None and STATES[state] and STATES[state] not in info.roles:
            possible = [s for s, role in STATES.items() if not role or role in info.roles]
            out.append(Problem(f"{at}/states/{k}", f"a {info.name} cannot be {state}", f"possible: {', '.join(possible)}"))
    return out


def _edge(edge: Mapping[str, Any], at: str, ids: list[int]) -> list[Problem]:
    out = []
    if edge["relation"] not in RELATIONS:
        out.append(Problem(f"{at}/relation", f"unknown relation {edge['relation']!r}", nearest(edge["relation"], RELATIONS)))
    for end in ("from", "to"):
        if edge[end] not in ids:
            out.append(Problem(f"{at}/{end}", f"id {edge[end]} is no node", f"ids: {', '.join(str(i) for i in sorted(set(ids))[:12])}"))
    if edge["from"] == edge["to"]:
        out.append(Problem(at, f"node {edge['from']} is {edge['relation']} itself", "remove the edge"))
    return out


def _cycles(edges: list[dict[str, Any]], ids: list[int], where: str) -> list[Problem]:
    """Rings of two or more nodes, each reported once at the edge that closes it."""
    parents: dict[int, int] = {}
    out = []
    for k, edge in enumerate(edges):
        a, b = edge["from"], edge["to"]
        if a == b or a not in ids or b not in ids:
            continue
        chain = [a, b]
        while chain[-1] in parents and chain[-1] != a:
            chain.append(parents[chain[-1]])
        if chain[-1] == a:
            out.append(Problem(f"{where}#/edges/{k}", f"closes a ring: {' in '.join(str(i) for i in chain)}", "nothing can contain itself"))
        else:
            parents[a] = b
    return out


def arrange(document: Mapping[str, Any], catalogue: Mapping[str, ClassInfo], where: str = "layout.json") -> list[Arranged]:
    """Decide for every node that is INSIDE or ON another whether it goes there; the list has every such node (virtualhome#155).

    Raises InputError with all findings of `check_layout`. Footprints that are already taken are counted by area.
    """
    problems = check_layout(document, catalogue, where)
    if problems:
        raise InputError(f"layout {where} is not valid", problems)
    nodes = {n["id"]: n for n in document["nodes"]}
    used: dict[tuple[int, str], float] = {}
    out = []
    for edge in document["edges"]:
        thing, holder = nodes[edge["from"]], nodes[edge["to"]]
        room = _room(holder, catalogue, edge["relation"])
        size = _triple(thing.get("size_m", catalogue[thing["class"]].size_m))
        reason = "it has no such place" if room is None else _misfit(size, room, edge["relation"])
        key = (holder["id"], edge["relation"])
        if not reason and room is not None:
            area = size[0] * size[1]
            if used.get(key, 0.0) + area > room[0] * room[1]:
                reason = f"full: needs {area:.3f} m2, has {room[0] * room[1] - used.get(key, 0.0):.3f} m2 left"
            else:
                used[key] = used.get(key, 0.0) + area
        out.append(Arranged(thing["id"], not reason, None if reason else holder["id"], reason))
    return out


def _room(holder: Mapping[str, Any], catalogue: Mapping[str, ClassInfo], relation: str) -> Triple | None:
    own = holder.get("interior_m" if relation == "INSIDE" else "surface_m")
    if own is not None:
        return _triple(own)
    info = catalogue[holder["class"]]
    return info.interior_m if relation == "INSIDE" else info.surface_m


def _misfit(size: Triple, room: Triple, relation: str) -> str:
    if relation == "INSIDE" and size[2] > room[2]:
        return f"needs {size[2]:.2f}, has {room[2]:.2f} (z)"
    if (size[0] <= room[0] and size[1] <= room[1]) or (size[1] <= room[0] and size[0] <= room[1]):
        return ""
    axis = 0 if size[0] > room[0] else 1
    return f"needs {size[axis]:.2f}, has {room[axis]:.2f} ({'xy'[axis]})"

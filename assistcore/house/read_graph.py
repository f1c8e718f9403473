"""Reads the scene graph out of a state, the only source of facts (DESIGN section 2): a pure function, faster with an earlier reading.

Subjects. Movables have `place`, `room`, `on`, `inside`, `near` (tuples, maybe empty), and `held` while held. Fixtures and doors have
`room`, and with a joint `joint` (of the most open one), `open`, `closed`. The person is `human_1`: `place` (ground point and heading),
`room`, `posture`, `near`, and `sitting` with what is sat on. What has attributes has them by name;
`off` is the opposite of `running`. Removed entities have no facts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from assistcore.house import relations
from assistcore.house.placed import B1, I64, Placed, placed
from assistcore.house.stage import Entity, StageModel
from assistcore.house.state import AttributeValue, HouseState
from assistcore.world.canonical import Value, millimetres, scaled
from assistcore.world.graph import Key, SceneGraph
from assistcore.world.poses import Pose, yaw_quat_wxyz

HUMAN = "human_1"
Previous = tuple[HouseState, SceneGraph]
_NOTHING: Mapping[str, AttributeValue] = {}


def read_graph(stage: StageModel, state: HouseState, reuse: Previous | None = None) -> SceneGraph:
    """The graph of a state. `reuse`, an earlier state of the same stage with its graph, changes no bit of the result."""
    world = placed(stage, state)
    before = reuse[0] if reuse is not None and reuse[0].removed == state.removed else None
    values: dict[Key, Value] = dict(reuse[1].values) if reuse is not None and before is not None else {}
    present, movables, everything = _present(stage, state.removed)
    stirred = list(present) if before is None else _stirred_among(present, state, before)
    for entity in stirred:
        _write_measured(values, stage, entity, state, world)
    _write_relations(values, world, state, (present, movables, everything), stirred, fresh=before is None)
    if before is None or before.attributes is not state.attributes:
        for entity in present:
            _write_attributes(values, entity.key, state, before)
    _write_person(values, stage, state, world)
    return SceneGraph(values)


Present = tuple[tuple[Entity, ...], tuple[str, ...], tuple[str, ...]]


_PRESENT: WeakKeyDictionary[StageModel, tuple[frozenset[str], Present]] = WeakKeyDictionary()
_SOLID: WeakKeyDictionary[StageModel, tuple[frozenset[str], tuple[list[str], I64]]] = WeakKeyDictionary()


def _present(stage: StageModel, removed: frozenset[str]) -> Present:
    """Entities that are not removed, keys of the movable ones, keys of all; kept while the stage lives."""
    kept = _PRESENT.get(stage)
    if kept is None or kept[0] != removed:
        kept = _PRESENT[stage] = (removed, _read_present(stage, removed))
    return kept[1]


def _read_present(stage: StageModel, removed: frozenset[str]) -> Present:
    found = tuple(e for e in stage.entities if e.key not in removed)
    return found, tuple(e.key for e in found if e.kind == "movable"), tuple(e.key for e in found)


def _stirred_among(present: tuple[Entity, ...], state: HouseState, before: HouseState) -> list[Entity]:
    """The entities that anything measured can differ of (cheap: states share what did not change)."""
    if state.poses is before.poses and state.joints is before.joints and state.held is before.held:
        return []
    still, hands = state.joints is before.joints, {h.entity for h in (state.held, before.held) if h is not None}
    now, then = state.poses, before.poses
    return [
        e
        for e in present
        if ((not still and e.joints) or now.get(e.key) is not then.get(e.key) or e.key in hands) and _stirred(e, state, before)
    ]


def _stirred(entity: Entity, state: HouseState, before: HouseState | None) -> bool:
    """Whether anything that its measured facts depend on differs."""
    if before is None:
        return True
    key = entity.key
    now, then = state.poses.get(key), before.poses.get(key)
    if now is not then and now != then:
        return True
    if any(state.joints.get(j.key, j.initial) != before.joints.get(j.key, j.initial) for j in entity.joints):
        return True
    return state.held != before.held and key in {h.entity for h in (state.held, before.held) if h is not None}


def _write_measured(values: dict[Key, Value], stage: StageModel, entity: Entity, state: HouseState, world: Placed) -> None:
    key = entity.key
    if entity.kind == "structure":
        return
    if entity.kind == "movable":
        values[key, "place"] = place_of(state.poses.get(key, entity.pose))
        x, y, _ = world.centre[world.row[key]]
        values[key, "room"] = relations.room_of(stage.rooms, float(x), float(y))
        hand = relations.held_by(state, key)
        if hand:
            values[key, "held"] = (hand,)
        else:
            values.pop((key, "held"), None)
    else:
        values[key, "room"] = entity.room
    if entity.joints:
        thousandths = relations.openness(stage, entity, state)
        values[key, "joint"] = max(thousandths)
        values[key, "open"] = relations.is_open(thousandths)
        values[key, "closed"] = relations.is_closed(thousandths)


def place_of(pose: Pose) -> tuple[int, ...]:
    """Seven integers: millimetres, then the quaternion w, x, y, z in millionths (w >= 0)."""
    sign = -1.0 if pose.quat_wxyz < (0.0, 0.0, 0.0, 0.0) else 1.0
    return (*(millimetres(v) for v in pose.position_m), *(scaled(sign * v, 1e6) for v in pose.quat_wxyz))


def _write_relations(
    values: dict[Key, Value], world: Placed, state: HouseState, among: Present, stirred: list[Entity], *, fresh: bool
) -> None:
    if not stirred:
        return
    present, movables, everything = among
    again = {e.key for e in stirred}
    fully = [k for k in movables if k in again]
    if fully:
        related = _related(world, state, fully, everything, present)
        for key in fully:
            for kind in ("on", "inside", "near"):
                values[key, kind] = tuple(sorted(related[key][kind])) if key in related else ()
    rest = [] if fresh else [k for k in movables if k not in again]
    moved = [k for k in everything if k in again]
    if not rest or not moved:
        return
    related = _related(world, state, rest, moved, stirred)
    for key in rest:
        for kind in ("on", "inside", "near"):
            names, old = related[key][kind] if key in related else (), values.get((key, kind))
            if not names and isinstance(old, tuple) and again.isdisjoint(old):
                continue
            kept = [k for k in old if k not in again] if isinstance(old, tuple) else []
            if names or not isinstance(old, tuple) or len(kept) != len(old):
                values[key, kind] = tuple(sorted([*kept, *names]))


def _related(
    world: Placed, state: HouseState, subjects: Sequence[str], objects: Sequence[str], entities: Sequence[Entity]
) -> dict[str, dict[str, list[str]]]:
    """on, inside and near of each subject among the objects; of those that have any."""
    s, o = relations.rows(world, subjects), relations.rows(world, objects)
    structure = {e.key for e in entities if e.kind == "structure"}
    loose = np.array([not relations.held_by(state, k) for k in subjects], dtype=bool)[:, None]
    inside = relations.inside(world, s, o) & loose
    on = relations.on(world, s, o) & ~inside & loose
    near = np.zeros_like(on)
    solid = np.array([k not in structure for k in objects], dtype=bool)
    near[:, solid] = relations.near(world, s, o[solid])
    found: dict[str, dict[str, list[str]]] = {}
    for kind, mask in (("on", on), ("inside", inside), ("near", near)):
        for i, j in np.argwhere(mask).tolist():
            found.setdefault(subjects[i], {"on": [], "inside": [], "near": []})[kind].append(objects[j])
    return found


def _solid(stage: StageModel, removed: frozenset[str]) -> tuple[list[str], I64]:
    """Keys and rows of the present entities that are not structure; kept while the stage lives."""
    kept = _SOLID.get(stage)
    if kept is None or kept[0] != removed:
        kept = _SOLID[stage] = (removed, _read_solid(stage, removed))
    return kept[1]


def _read_solid(stage: StageModel, removed: frozenset[str]) -> tuple[list[str], I64]:
    found = [(i, e) for i, e in enumerate(stage.entities) if e.key not in removed and e.kind != "structure"]
    return [e.key for _, e in found], np.array([i for i, _ in found], dtype=np.int64)


def _names(keys: Sequence[str], mask: B1) -> list[str]:
    return [keys[i] for i in np.nonzero(mask)[0].tolist()]


def _write_attributes(values: dict[Key, Value], key: str, state: HouseState, before: HouseState | None) -> None:
    now = state.attributes.get(key, _NOTHING)
    if before is not None:
        then = before.attributes.get(key, _NOTHING)
        if now is then:
            return
        for name in then:
            if name not in now:
                values.pop((key, name), None)
    for name, value in now.items():
        values[key, name] = value
    if "running" in now:
        values[key, "off"] = not now["running"]
    else:
        values.pop((key, "off"), None)


def _write_person(
    values: dict[Key, Value],
    stage: StageModel,
    state: HouseState,
    world: Placed,
) -> None:
    body = state.body
    floor = next((r.floor_m for r in stage.rooms if relations.in_polygon(r.polygon_m, *body.xy_m)), 0.0)
    quat = yaw_quat_wxyz(body.heading_rad)
    x, y = body.xy_m
    values[HUMAN, "place"] = place_of(Pose((x, y, floor), (float(quat[0]), 0.0, 0.0, float(quat[3]))))
    values[HUMAN, "room"] = relations.room_of(stage.rooms, x, y)
    posture, _, seat = body.posture.partition(":")
    values[HUMAN, "posture"] = posture
    if seat:
        values[HUMAN, "sitting"] = (seat,)
    else:
        values.pop((HUMAN, "sitting"), None)
    held = state.held.entity if state.held is not None else ""
    keys, objects = _solid(stage, state.removed)
    mask = relations.near_person(world, body, floor, objects)
    values[HUMAN, "near"] = tuple(sorted(k for k in _names(keys, mask) if k != held))

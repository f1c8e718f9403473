"""Reads the scene graph out of a state, the only source of facts (DESIGN section 2): a pure function, faster with an earlier reading.

Subjects. Movables have `place`, `room`, `on`, `inside`, `near` (tuples, maybe empty), `held` while held, `attached` while mated, and
`raised` where they can be stood upright. Fixtures and doors have
`room`, and with a joint `joint` (of the most open one), `open`, `closed`. The person is `human_1`: `place` (ground point and heading),
`room`, `posture`, `near`, and `sitting` with what is sat on. What has attributes has them by name;
`off` is the opposite of `running`. Removed entities have no facts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
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
RELATIONS = ("on", "inside", "near")
_NOTHING: Mapping[str, AttributeValue] = {}


class Draft:
    """Facts being written over those of an earlier graph, and which of them were touched."""

    def __init__(self, before: SceneGraph | None) -> None:
        self._before = before
        self.values: dict[Key, Value] = dict(before.values) if before is not None else {}
        self._touched: set[Key] = set()

    def __setitem__(self, key: Key, value: Value) -> None:
        self.values[key] = value
        self._touched.add(key)

    def drop(self, key: Key) -> None:
        """Takes out a fact that may be there."""
        if self.values.pop(key, None) is not None:
            self._touched.add(key)

    def graph(self) -> SceneGraph:
        """The graph of the facts written."""
        return SceneGraph(self.values) if self._before is None else self._before.revised(self.values, self._touched)


@dataclass(frozen=True, eq=False)
class _Present:
    """What of a stage is not removed: its entities in order, the keys of all and of the movable ones with their rows.

    `solid`, by row of the stage: whether it is no structure. `facts`: the keys of the relations of each movable.
    """

    entities: tuple[Entity, ...]
    keys: tuple[str, ...]
    rows: I64
    movables: tuple[str, ...]
    movable_rows: I64
    solid: B1
    facts: tuple[tuple[Key, ...], ...]

    @cached_property
    def solid_rows(self) -> I64:
        """Rows of those that are no structure."""
        return self.rows[self.solid[self.rows]]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Rows by key."""
        return dict(zip(self.keys, self.rows.tolist(), strict=True))


def read_graph(stage: StageModel, state: HouseState, reuse: Previous | None = None) -> SceneGraph:
    """The graph of a state. `reuse`, an earlier state of the same stage with its graph, changes no bit of the result."""
    world = placed(stage, state)
    before = reuse[0] if reuse is not None and reuse[0].removed == state.removed else None
    draft = Draft(reuse[1] if reuse is not None and before is not None else None)
    among = _present(stage, state.removed)
    stirred = list(among.entities) if before is None else _stirred_among(stage, among, state, before)
    for entity in stirred:
        _write_measured(draft, stage, entity, state, world)
    _write_relations(draft, world, state, among, stirred, fresh=before is None)
    if before is None or before.attributes is not state.attributes:
        for entity in among.entities:
            _write_attributes(draft, entity.key, state, before)
    if before is None or before.attached is not state.attached:
        _write_attached(draft, state, before)
    _write_person(draft, stage, state, world, among)
    return draft.graph()


_PRESENT: WeakKeyDictionary[StageModel, tuple[frozenset[str], _Present]] = WeakKeyDictionary()


def _present(stage: StageModel, removed: frozenset[str]) -> _Present:
    """What is not removed; kept while the stage lives."""
    kept = _PRESENT.get(stage)
    if kept is None or kept[0] != removed:
        kept = _PRESENT[stage] = (removed, _read_present(stage, removed))
    return kept[1]


def _read_present(stage: StageModel, removed: frozenset[str]) -> _Present:
    found = [(i, e) for i, e in enumerate(stage.entities) if e.key not in removed]
    moving = [(i, e) for i, e in found if e.kind == "movable"]
    return _Present(
        entities=tuple(e for _, e in found),
        keys=tuple(e.key for _, e in found),
        rows=np.array([i for i, _ in found], dtype=np.int64),
        movables=tuple(e.key for _, e in moving),
        movable_rows=np.array([i for i, _ in moving], dtype=np.int64),
        solid=np.array([e.kind != "structure" for e in stage.entities], dtype=np.bool_),
        facts=tuple(tuple((e.key, kind) for kind in RELATIONS) for _, e in moving),
    )


def _stirred_among(stage: StageModel, among: _Present, state: HouseState, before: HouseState) -> list[Entity]:
    """The entities that anything measured can differ of, in order (cheap: states share what did not change)."""
    if state.poses is before.poses and state.joints is before.joints and state.held is before.held:
        return []
    hands = {h.entity for h in (state.held, before.held) if h is not None}
    now, then = state.poses, before.poses
    if state.joints is before.joints and now.keys() == then.keys():
        moved = {key for key, pose in now.items() if pose is not then[key]} | hands
        perhaps = [stage.entities[row] for row in sorted(among.row_of[key] for key in moved if key in among.row_of)]
    else:
        perhaps = [e for e in among.entities if e.joints or now.get(e.key) is not then.get(e.key) or e.key in hands]
    return [e for e in perhaps if _stirred(e, state, before)]


def _stirred(entity: Entity, state: HouseState, before: HouseState) -> bool:
    """Whether anything that its measured facts depend on differs."""
    key = entity.key
    now, then = state.poses.get(key), before.poses.get(key)
    if now is not then and now != then:
        return True
    if any(state.joints.get(j.key, j.initial) != before.joints.get(j.key, j.initial) for j in entity.joints):
        return True
    return state.held != before.held and key in {h.entity for h in (state.held, before.held) if h is not None}


def _write_measured(draft: Draft, stage: StageModel, entity: Entity, state: HouseState, world: Placed) -> None:
    key = entity.key
    if entity.kind == "structure":
        return
    if entity.kind == "movable":
        draft[key, "place"] = place_of(state.poses.get(key, entity.pose))
        x, y, _ = world.centre[world.row[key]]
        draft[key, "room"] = relations.room_of(stage.rooms, float(x), float(y))
        hand = relations.held_by(state, key)
        if hand:
            draft[key, "held"] = (hand,)
        else:
            draft.drop((key, "held"))
        if "erectable" in entity.roles:
            draft[key, "raised"] = relations.is_upright(state.poses.get(key, entity.pose))
    else:
        draft[key, "room"] = entity.room
    if entity.joints:
        thousandths = relations.openness(stage, entity, state)
        draft[key, "joint"] = max(thousandths)
        draft[key, "open"] = relations.is_open(thousandths)
        draft[key, "closed"] = relations.is_closed(thousandths)


def place_of(pose: Pose) -> tuple[int, ...]:
    """Seven integers: millimetres, then the quaternion w, x, y, z in millionths (w >= 0)."""
    sign = -1.0 if pose.quat_wxyz < (0.0, 0.0, 0.0, 0.0) else 1.0
    return (*(millimetres(v) for v in pose.position_m), *(scaled(sign * v, 1e6) for v in pose.quat_wxyz))


def _write_relations(draft: Draft, world: Placed, state: HouseState, among: _Present, stirred: list[Entity], *, fresh: bool) -> None:
    if not stirred:
        return
    moved = np.array([world.row[e.key] for e in stirred], dtype=np.int64)
    again = np.zeros(len(world.keys), dtype=np.bool_)
    again[moved] = True
    fully = again[among.movable_rows]
    if fully.any():
        at = np.nonzero(fully)[0]
        related = _related(world, state, among.movable_rows[at], among.rows, among)
        for n, i in enumerate(at.tolist()):
            names = related.get(n, _NO_NAMES)
            for key, found in zip(among.facts[i], names, strict=True):
                draft[key] = tuple(sorted(found))
    if fresh or fully.all():
        return
    rest = np.nonzero(~fully)[0]
    related = _related(world, state, among.movable_rows[rest], moved, among)
    keys = frozenset(e.key for e in stirred)
    values = draft.values
    new: dict[Key, list[str]] = {}
    for n, names in related.items():
        new.update(zip(among.facts[rest[n]], names, strict=True))
    for i in rest.tolist():
        for key in among.facts[i]:
            old = values[key]
            if key in new or (old and isinstance(old, tuple) and not keys.isdisjoint(old)):
                kept = [k for k in old if k not in keys] if isinstance(old, tuple) else []
                draft[key] = tuple(sorted([*kept, *new.get(key, ())]))


_Names = tuple[list[str], list[str], list[str]]
_NO_NAMES: _Names = ([], [], [])


def _related(world: Placed, state: HouseState, subjects: I64, objects: I64, among: _Present) -> dict[int, _Names]:
    """on, inside and near of each subject row (by its place among them) among the object rows; of those that have any."""
    near = np.zeros((len(subjects), len(objects)), dtype=np.bool_)
    solid = among.solid[objects]
    near[:, solid] = relations.near(world, subjects, objects[solid])
    masks = [(2, near)]
    held = world.row[state.held.entity] if state.held is not None else -1
    if len(subjects) > 1 or subjects[0] != held:
        loose = (subjects != held)[:, None]
        inside = relations.inside(world, subjects, objects) & loose
        masks += [(0, relations.on(world, subjects, objects) & ~inside & loose), (1, inside)]
    found: dict[int, _Names] = {}
    for kind, mask in masks:
        rows, columns = np.nonzero(mask)
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
            found.setdefault(i, ([], [], []))[kind].append(world.keys[objects[j]])
    return found


def _write_attributes(draft: Draft, key: str, state: HouseState, before: HouseState | None) -> None:
    now = state.attributes.get(key, _NOTHING)
    if before is not None:
        then = before.attributes.get(key, _NOTHING)
        if now is then:
            return
        for name in then:
            if name not in now:
                draft.drop((key, name))
    for name, value in now.items():
        draft[key, name] = value
    if "running" in now:
        draft[key, "off"] = not now["running"]
    else:
        draft.drop((key, "off"))


def _write_attached(draft: Draft, state: HouseState, before: HouseState | None) -> None:
    for one in before.attached if before is not None else ():
        draft.drop((one.child, "attached"))
    for one in state.attached:
        draft[one.child, "attached"] = (one.parent,)


def _write_person(draft: Draft, stage: StageModel, state: HouseState, world: Placed, among: _Present) -> None:
    body = state.body
    x, y = body.xy_m
    room = relations.room_under(stage.rooms, x, y)
    floor = room.floor_m if room is not None else 0.0
    quat = yaw_quat_wxyz(body.heading_rad)
    draft[HUMAN, "place"] = place_of(Pose((x, y, floor), (float(quat[0]), 0.0, 0.0, float(quat[3]))))
    draft[HUMAN, "room"] = room.key if room is not None else relations.room_of(stage.rooms, x, y)
    posture, _, seat = body.posture.partition(":")
    draft[HUMAN, "posture"] = posture
    if seat:
        draft[HUMAN, "sitting"] = (seat,)
    else:
        draft.drop((HUMAN, "sitting"))
    held = state.held.entity if state.held is not None else ""
    mask = relations.near_person(world, body, floor, among.solid_rows)
    close = [world.keys[row] for row in among.solid_rows[mask].tolist()]
    draft[HUMAN, "near"] = tuple(sorted(k for k in close if k != held))

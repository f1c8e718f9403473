"""The house's scenario: where the person stands and what differs from the scene as baked. Everything wrong is said in one report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from assistcore.house.attributes import ATTRIBUTES
from assistcore.house.stage import Entity, Region, StageModel
from assistcore.house.state import AttributeValue
from assistcore.house.vessels import capacity_ml, rim_of
from assistcore.world.engine import Scenario
from assistcore.world.errors import InputError, Problem, nearest
from assistcore.world.poses import Pose, inverse, quat_wxyz_from_matrix, transform_points, yaw_quat_wxyz

Finite = Annotated[float, Field(allow_inf_nan=False)]
READ = frozenset({"place", "joint", "room", "on", "inside", "near", "open", "closed", "held", "attached", "sitting"})
"""Facts that are read from geometry and constraints; no scenario can set them (see `assistcore.world.graph`)."""
IN_M = 0.01
"""How far outside a region the middle of a thing in it may lie."""
TYPES: Mapping[str, type] = {a.name: {"bool": bool, "int": int, "str": str}[a.type] for a in ATTRIBUTES}


class _Schema(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Standing(_Schema):
    """Where the person starts: a named spot of the scene, or a place and heading (metres, degrees counter-clockwise from +x)."""

    spot: str | None = None
    xy_m: tuple[Finite, Finite] | None = None
    heading_deg: Finite = 0.0


class Remove(_Schema):
    """Take a movable out of the scene."""

    remove: str


class Move(_Schema):
    """Put a movable onto a surface region or into an interior region of `onto` / `into`.

    `spot` is the place on the region's floor as fractions of its x and y extent; `yaw_deg` turns the object about the vertical.
    """

    move: str
    onto: str | None = None
    into: str | None = None
    region: str | None = None
    spot: tuple[Annotated[float, Field(ge=0, le=1)], Annotated[float, Field(ge=0, le=1)]] = (0.5, 0.5)
    yaw_deg: Finite = 0.0


class Turn(_Schema):
    """Open or close an openable or a door: `{set_open: fridge_1, fraction: 1.0}`."""

    set_open: str
    fraction: Annotated[float, Field(ge=0, le=1)] = 1.0


class SetFact(_Schema):
    """Give an attribute a value: `{set: tap_1, attribute: running, value: true}`."""

    set: str
    attribute: str
    value: bool | int | str


ScenarioChange = Remove | Move | Turn | SetFact
_KINDS: Mapping[str, type[_Schema]] = {"remove": Remove, "move": Move, "set_open": Turn, "set": SetFact}


@dataclass(frozen=True)
class Start:
    """A checked scenario, resolved against a stage."""

    xy_m: tuple[float, float]
    heading_rad: float
    poses: Mapping[str, Pose]
    joints: Mapping[str, float]
    removed: frozenset[str]
    attributes: Mapping[str, Mapping[str, AttributeValue]]
    moved: frozenset[str]
    """Movables that must settle before the episode starts."""


def resolve(scenario: Scenario, stage: StageModel) -> Start:
    """Check a scenario and resolve it. Raises InputError with every problem, each with a JSON pointer and the nearest allowed value."""
    problems: list[Problem] = []
    xy, heading = _standing(scenario, stage, problems)
    poses = {e.key: e.pose for e in stage.entities if e.kind == "movable"}
    joints = {j.key: j.initial for e in stage.entities for j in e.joints}
    attributes: dict[str, dict[str, AttributeValue]] = {e.key: dict(e.attributes) for e in stage.entities if e.attributes}
    changes = [(f"scenario#/changes/{i}", _change(raw, f"scenario#/changes/{i}", problems)) for i, raw in enumerate(scenario.changes)]
    before = dict(joints)
    for where, change in changes:
        if isinstance(change, Turn):
            _turn(change, where, stage, joints, problems)
    poses = _taken_along(stage, poses, before, joints)
    removed: set[str] = set()
    moved: set[str] = set()
    for where, change in changes:
        match change:
            case Remove(remove=key):
                if _movable(key, where, stage, problems):
                    removed.add(key)
            case Move(move=key):
                pose = _placed(change, where, stage, joints, problems)
                if pose is not None:
                    poses[key] = pose
                    moved.add(key)
            case SetFact(set=key, attribute=name, value=value):
                entity = _known(key, where, stage, problems)
                if entity is not None and _settable(change, entity, where, problems):
                    attributes.setdefault(key, {})[name] = value
    if problems:
        raise InputError(f"scenario for scene {stage.name!r}", problems)
    kept = {k: v for k, v in poses.items() if k not in removed}
    return Start(xy, heading, kept, joints, frozenset(removed), attributes, frozenset(moved - removed))


def _standing(scenario: Scenario, stage: StageModel, problems: list[Problem]) -> tuple[tuple[float, float], float]:
    try:
        standing = TypeAdapter(Standing).validate_python(dict(scenario.human))
    except ValidationError as error:
        problems.extend(_pydantic_problems("scenario#/human", error))
        return (0.0, 0.0), 0.0
    if standing.xy_m is not None and standing.spot is not None:
        problems.append(Problem("scenario#/human", f"has both spot {standing.spot!r} and xy_m {list(standing.xy_m)}", "give one of them"))
    if standing.xy_m is not None:
        return standing.xy_m, float(np.radians(standing.heading_deg))
    name = standing.spot or ("start" if "start" in stage.spots else next(iter(sorted(stage.spots)), ""))
    if name not in stage.spots:
        problems.append(Problem("scenario#/human/spot", f"no spot {name!r} in scene", nearest(name, list(stage.spots))))
        return (0.0, 0.0), 0.0
    x, y, heading = stage.spots[name]
    return (x, y), heading


def _change(raw: Mapping[str, Any], where: str, problems: list[Problem]) -> ScenarioChange | None:
    kinds = [k for k in _KINDS if k in raw]
    if len(kinds) != 1:
        problems.append(Problem(where, f"has keys {sorted(raw)}", f"exactly one of {', '.join(_KINDS)}"))
        return None
    try:
        return TypeAdapter(_KINDS[kinds[0]]).validate_python(dict(raw))  # type: ignore[return-value]
    except ValidationError as error:
        problems.extend(_pydantic_problems(where, error))
        return None


def _pydantic_problems(where: str, error: ValidationError) -> list[Problem]:
    return [Problem(where + "".join(f"/{p}" for p in e["loc"]), f"{e['msg']}, got {e['input']!r}") for e in error.errors()]


def _known(key: str, where: str, stage: StageModel, problems: list[Problem]) -> Entity | None:
    found = stage.by_key.get(key)
    if found is None:
        problems.append(Problem(where, f"no entity {key!r} in scene", nearest(key, list(stage.by_key))))
    return found


def _settable(change: SetFact, entity: Entity, where: str, problems: list[Problem]) -> bool:
    """Whether an attribute may be given this value: not a fact that is read, of the type that the house knows for it, no more than fits."""
    expected = TYPES.get(change.attribute, type(change.value))
    if change.attribute in READ:
        what = f"{change.attribute!r} is read from the world, it cannot be set"
        problems.append(Problem(f"{where}/attribute", what, "move or open things"))
    elif type(change.value) is not expected:
        problems.append(Problem(f"{where}/value", f"{change.attribute} is {change.value!r}", f"it takes a {expected.__name__}"))
    elif change.attribute == "volume_ml" and rim_of(entity) is not None and not 0 <= int(change.value) <= capacity_ml(entity):
        what = f"{entity.key} is to hold {change.value} ml"
        problems.append(Problem(f"{where}/value", what, f"it holds 0 to {capacity_ml(entity)} ml"))
    else:
        return True
    return False


def _movable(key: str, where: str, stage: StageModel, problems: list[Problem]) -> Entity | None:
    found = _known(key, where, stage, problems)
    if found is not None and found.kind != "movable":
        problems.append(Problem(where, f"{key!r} is a {found.kind}, it cannot be moved or removed"))
        return None
    return found


def _turn(change: Turn, where: str, stage: StageModel, joints: dict[str, float], problems: list[Problem]) -> None:
    entity = _known(change.set_open, where, stage, problems)
    if entity is None:
        return
    if not entity.joints:
        problems.append(Problem(where, f"{entity.key!r} has nothing that opens"))
        return
    for joint in entity.joints:
        joints[joint.key] = joint.closed_at + change.fraction * (joint.open_at - joint.closed_at)


def _taken_along(stage: StageModel, poses: Mapping[str, Pose], before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, Pose]:
    """Poses with what stands in or on a link that was turned or pulled (in a drawer, in a fridge door) moved along with it."""
    from assistcore.house.stage import link_matrix

    out = dict(poses)
    for owner in stage.entities:
        if owner.kind == "movable" or all(before[j.key] == after[j.key] for j in owner.joints):
            continue
        for region in owner.regions:
            link = owner.link(region.link)
            was, now = (link_matrix(owner, link, owner.pose.matrix(), joints) for joints in (before, after))
            if np.array_equal(was, now):
                continue
            moved = now @ inverse(was)
            for key, pose in poses.items():
                if _stands_in(stage.entity(key), pose, region, was):
                    out[key] = Pose.from_matrix(moved @ pose.matrix())
    return out


def _stands_in(thing: Entity, pose: Pose, region: Region, T_region: NDArray[np.float64]) -> bool:
    """Whether the middle of a thing is in a region."""
    low, high = thing.box_m
    middle = transform_points(inverse(T_region), transform_points(pose.matrix(), 0.5 * (low + high)[None]))[0]
    return bool(np.all(middle >= np.asarray(region.low_m) - IN_M) and np.all(middle <= np.asarray(region.high_m) + IN_M))


def _placed(change: Move, where: str, stage: StageModel, joints: Mapping[str, float], problems: list[Problem]) -> Pose | None:
    thing = _movable(change.move, where, stage, problems)
    if (change.onto is None) == (change.into is None):
        problems.append(Problem(where, f"move of {change.move!r} needs exactly one of onto, into"))
        return None
    kind: Literal["surface", "interior"] = "surface" if change.onto is not None else "interior"
    owner = _known(change.onto or change.into or "", where, stage, problems)
    if thing is None or owner is None:
        return None
    region = _region(owner, kind, change, where, problems)
    if region is None:
        return None
    from assistcore.house.stage import link_matrix

    T = link_matrix(owner, owner.link(region.link), owner.pose.matrix(), joints)
    low, high = np.array(region.low_m), np.array(region.high_m)
    fx, fy = change.spot
    local = np.array([low[0] + fx * (high[0] - low[0]), low[1] + fy * (high[1] - low[1]), low[2]])
    at = T[:3, :3] @ local + T[:3, 3]
    below, above = thing.box_m
    size, room = above - below, high - low
    if kind == "interior" and size[2] > room[2]:
        problems.append(Problem(where, f"{thing.key} needs {size[2]:.2f} m, {owner.key} {region.name} has {room[2]:.2f} m (z)"))
        return None
    yaw = np.arctan2(T[1, 0], T[0, 0]) + np.radians(change.yaw_deg)
    turn = yaw_quat_wxyz(float(yaw))
    centre = 0.5 * (below + above)
    c, s = np.cos(yaw), np.sin(yaw)
    offset = np.array([c * centre[0] - s * centre[1], s * centre[0] + c * centre[1], below[2] - 0.002])
    position = at - offset
    q = quat_wxyz_from_matrix(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])) if turn[0] < 0 else turn
    return Pose((float(position[0]), float(position[1]), float(position[2])), (float(q[0]), 0.0, 0.0, float(q[3])))


def _region(owner: Entity, kind: str, change: Move, where: str, problems: list[Problem]) -> Region | None:
    fitting = [r for r in owner.regions if r.kind == kind and change.region in (None, r.name)]
    if not fitting:
        known = [f"{r.name} ({r.kind})" for r in owner.regions]
        problems.append(Problem(where, f"{owner.key!r} has no {kind} region {change.region or ''}".rstrip(), f"it has {known or 'none'}"))
        return None
    return fitting[0]

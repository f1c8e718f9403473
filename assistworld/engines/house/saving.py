"""Save, restore and digest a house: JSON for values, raw little-endian arrays for frames; no pickle. A running command is saved too."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from actions.motions import Attach, Detach, Effect, Hold, LetGo, Motion, Plan, Pour, Segment, SetAttribute
from assistcore.house.clearance import Allowed
from assistcore.house.state import Attachment, BodyState, Held, HouseState, Riding
from assistcore.world.bounded import MIB, inflate
from assistcore.world.canonical import canonical_json, thaw
from assistcore.world.commands import Arg, Command, PlaceSpot
from assistcore.world.errors import InputError, Problem, VersionError
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

VERSION = "house-state/1"
LIMIT_BYTES = 256 * MIB
"""What a saved state may be when it is unpacked."""


def state_digest(engine: HouseEngine) -> str:
    """SHA-256 over every bit of state: measured poses and joints, tables, body, cursor of the running command, physics."""
    hasher = sha256()
    state = engine.state
    for key in sorted(state.poses):
        hasher.update(key.encode())
        hasher.update(state.poses[key].array().tobytes())
    hasher.update(np.array([state.joints[k] for k in sorted(state.joints)]).tobytes())
    hasher.update(np.ascontiguousarray(state.body.pose_rad).tobytes())
    hasher.update(np.ascontiguousarray(state.body.translation_m).tobytes())
    hasher.update(canonical_json(_tables(state)).encode())
    clock = engine.clock
    motion = engine.motion
    cursor = None if motion is None else [motion.segment, motion.frame, motion.settling, motion.stopping]
    hasher.update(canonical_json([clock, cursor]).encode())
    if not engine.resting:
        hasher.update(engine.physics.save())  # Velocities; at rest there are none.
    return hasher.hexdigest()


def save(engine: HouseEngine) -> bytes:
    """The whole state of an engine, compressed."""
    document = {
        "version": VERSION,
        "stage": engine.stage.digest(),
        "person": engine.person.mark,
        "clock": engine.clock,
        "state": _state_out(engine.state),
        "motion": None if engine.motion is None else _motion_out(engine.motion),
        "physics": _bytes_out(engine.physics.save()),
    }
    return zlib.compress(json.dumps(document, sort_keys=True).encode())


def restore(engine: HouseEngine, data: bytes) -> None:
    """Put an engine that has been reset to the same scene into a saved state. Raises VersionError or InputError."""
    try:
        document = json.loads(inflate(data, LIMIT_BYTES, "state"))
    except ValueError as error:
        raise InputError("saved state", [Problem("saved state", f"cannot be read: {error}", "use bytes from save()")]) from error
    if document.get("version") != VERSION:
        raise VersionError("saved state", str(document.get("version")), VERSION)
    if document["stage"] != engine.stage.digest():
        found, here = document["stage"][:12], engine.stage.digest()[:12]
        raise InputError("saved state", [Problem("saved state#/stage", f"is of scene {found}, this is {here}", "reset to that scene")])
    if document.get("person", "") != engine.person.mark:
        found, here = document.get("person", "") or "the house's own", engine.person.mark or "the house's own"
        problem = Problem("saved state#/person", f"is of person {found}, this is {here}", "make the engine with the same body and gait")
        raise InputError("saved state", [problem])
    motion = None if document["motion"] is None else _motion_in(document["motion"])
    engine.set_saved(_state_in(document["state"]), motion, document["clock"], _bytes_in(document["physics"]))


def _tables(state: HouseState) -> dict[str, Any]:
    held = state.held
    return {
        "held": None if held is None else [held.entity, held.hand, list(held.wrist_object.array()), *_pose_out(held.second)],
        "riding": [_riding_out(r) for r in state.riding],
        "attached": [attachment_out(a) for a in state.attached],
        "attributes": {k: dict(v) for k, v in state.attributes.items()},
        "removed": sorted(state.removed),
        "body": [list(state.body.xy_m), state.body.heading_rad, state.body.posture],
    }


def _state_out(state: HouseState) -> dict[str, Any]:
    return {
        **_tables(state),
        "poses": {k: state.poses[k].array().tolist() for k in state.poses},
        "joints": dict(state.joints),
        "pose_rad": _array_out(state.body.pose_rad),
        "translation_m": _array_out(state.body.translation_m),
    }


def _state_in(d: dict[str, Any]) -> HouseState:
    (x, y), heading, posture = d["body"]
    body = BodyState(_array_in(d["pose_rad"]), _array_in(d["translation_m"]), (x, y), heading, posture)
    held = None if d["held"] is None else _held_in(d["held"])
    riding = tuple(_riding_in(r) for r in d["riding"])
    poses = {k: Pose.from_array(np.array(v)) for k, v in d["poses"].items()}
    attached = tuple(attachment_in(a) for a in d["attached"])
    return HouseState(poses, d["joints"], body, held, riding, d["attributes"], frozenset(d["removed"]), attached)


def _held_in(row: list[Any]) -> Held:
    entity, hand, at, *second = row
    return Held(entity, hand, Pose.from_array(np.array(at)), _pose_in(second))


def _motion_out(motion: Motion) -> dict[str, Any]:
    return {
        "cursor": [motion.segment, motion.frame, motion.settling, motion.stopping],
        "command": _command_out(motion.plan.command),
        "notes": dict(motion.plan.notes),
        "segments": [_segment_out(s) for s in motion.plan.segments],
    }


def _motion_in(d: dict[str, Any]) -> Motion:
    plan = Plan(_command_in(d["command"]), tuple(_segment_in(s) for s in d["segments"]), d["notes"])
    segment, frame, settling, stopping = d["cursor"]
    return Motion(plan, segment, frame, settling, stopping)


def _command_out(command: Command) -> dict[str, Any]:
    args = [{"entity": a.name, "index": a.index} if isinstance(a, EntityRef) else a for a in command.args]
    return {"verb": command.verb, "args": args, "spot": None if command.place_spot is None else list(command.place_spot)}


def _command_in(d: dict[str, Any]) -> Command:
    args: list[Arg] = [EntityRef(a["entity"], a["index"]) if isinstance(a, dict) else thaw(a) for a in d["args"]]
    return Command(d["verb"], tuple(args), None if d["spot"] is None else PlaceSpot(*d["spot"]))


def _segment_out(s: Segment) -> dict[str, Any]:
    return {
        "phase": s.phase,
        "arrays": {n: _array_out(getattr(s, n)) for n in ("pose_rad", "translation_m", "xy_m", "heading_rad", "safe")},
        "carried": {k: _array_out(v) for k, v in s.carried.items()},
        "joints": {k: _array_out(v) for k, v in s.joints.items()},
        "effects": [[at, _effect_out(e)] for at, e in s.effects],
        "allowed": asdict(s.allowed),
        "marks": [list(m) for m in s.marks],
        "settle": s.settle,
        "posture": s.posture,
    }


def _segment_in(d: dict[str, Any]) -> Segment:
    allowed: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in d["allowed"].items()}
    return Segment(
        phase=d["phase"],
        **{n: _array_in(v) for n, v in d["arrays"].items()},
        carried={k: _array_in(v) for k, v in d["carried"].items()},
        joints={k: _array_in(v) for k, v in d["joints"].items()},
        effects=tuple((at, _effect_in(e)) for at, e in d["effects"]),
        allowed=Allowed(**allowed),
        marks=tuple((at, name) for at, name in d["marks"]),
        settle=d["settle"],
        posture=d["posture"],
    )


def _effect_out(effect: Effect) -> dict[str, Any]:
    match effect:
        case Hold():
            riders = [_riding_out(r) for r in effect.riders]
            at, second = effect.wrist_object.array().tolist(), _pose_out(effect.second)
            return {"hold": effect.entity, "hand": effect.hand, "at": at, "riders": riders, "second": second}
        case LetGo():
            return {"let_go": effect.entity}
        case Attach():
            return {"attach": attachment_out(effect.attachment)}
        case Detach():
            return {"detach": effect.child}
        case SetAttribute():
            return {"set": effect.entity, "name": effect.name, "value": effect.value}
        case Pour():
            return {"pour": [effect.source, effect.target, effect.ml, effect.holds_ml, effect.spill]}


def _effect_in(d: dict[str, Any]) -> Effect:
    if "hold" in d:
        riders = tuple(_riding_in(r) for r in d["riders"])
        return Hold(d["hold"], d["hand"], Pose.from_array(np.array(d["at"])), riders, _pose_in(d.get("second", [])))
    if "attach" in d:
        return Attach(attachment_in(d["attach"]))
    if "detach" in d:
        return Detach(d["detach"])
    if "pour" in d:
        return Pour(*d["pour"])
    return LetGo(d["let_go"]) if "let_go" in d else SetAttribute(d["set"], d["name"], d["value"])


def _pose_out(pose: Pose | None) -> list[list[float]]:
    """A pose that may be missing: one row, or none."""
    return [] if pose is None else [pose.array().tolist()]


def _pose_in(rows: list[list[float]]) -> Pose | None:
    return Pose.from_array(np.array(rows[0])) if rows else None


def attachment_out(a: Attachment) -> list[Any]:
    """An attachment as JSON values."""
    return [a.child, a.plug, a.parent, a.socket, a.parent_child.array().tolist()]


def attachment_in(d: list[Any]) -> Attachment:
    """Inverse."""
    child, plug, parent, socket, pose = d
    return Attachment(child, plug, parent, socket, Pose.from_array(np.array(pose)))


def _riding_out(riding: Riding) -> list[Any]:
    return [riding.entity, riding.carrier, riding.link, riding.carrier_object.array().tolist()]


def _riding_in(d: list[Any]) -> Riding:
    entity, carrier, link, pose = d
    return Riding(entity, carrier, link, Pose.from_array(np.array(pose)))


def _bytes_out(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes_in(text: str) -> bytes:
    return base64.b64decode(text)


def _array_out(array: NDArray[Any]) -> list[Any]:
    data = np.ascontiguousarray(array)
    return [data.dtype.newbyteorder("<").str, list(data.shape), _bytes_out(data.astype(data.dtype.newbyteorder("<")).tobytes())]


def _array_in(d: list[Any]) -> NDArray[Any]:
    kind, shape, text = d
    return np.frombuffer(_bytes_in(text), dtype=np.dtype(kind)).reshape(shape).copy()

"""What the manipulation verbs share: arguments, hands, affordances, plans (RULES, Hands and Outcomes).

Every verb asks in one order: what the arguments name; the hand, as `INFO.hands` says; what the things afford; where they are. Only
where the promise holds already and the hand's own refusal would mislead (a thing in the hand, a lid that is on) is ALREADY told first.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from actions.motions import Plan, Segment
from actions.world import ActionWorld
from assistcore.house.constraints import parts_of
from assistcore.house.stage import Entity
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal

HEAVIEST_KG = 8.0


def keys_of(command: Command) -> tuple[str, ...]:
    """Keys of the entity arguments, in order."""
    return tuple(ref.key for ref in command.entities())


def known(world: ActionWorld, command: Command, least: int, *, most: int | None = None) -> Refusal | None:
    """UNKNOWN_ENTITY or BAD_ARGUMENT for arguments that name nothing here. `most`: so many name entities; what follows is symbolic."""
    keys = keys_of(command)[:most]
    if len(keys) < least:
        return Refusal(Code.BAD_ARGUMENT, f"{command.verb} needs {least} entities, got {len(keys)}")
    absent = world.state.absent(world.stage)
    for key in keys:
        if key not in world.stage.by_key or key in absent:
            return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here")
    return None


def describe(entity: Entity) -> str:
    """What it is, for a refusal."""
    return "part of the building" if entity.kind == "structure" else f"a {entity.kind}" if entity.kind != "movable" else "a movable thing"


def graspable(world: ActionWorld, key: str) -> Refusal | None:
    """NOT_AFFORDED or TOO_HEAVY for what cannot be lifted."""
    entity = world.stage.entity(key)
    if entity.kind != "movable":
        return Refusal(Code.NOT_AFFORDED, f"{key} is {describe(entity)} and cannot be picked up", "name a movable thing")
    if mated := world.state.attachment(key):
        return Refusal(Code.NOT_AFFORDED, f"{key} is attached to {mated.parent}", f"detach it from {mated.parent} first")
    weight = entity.mass_kg + sum(world.stage.entity(part).mass_kg for part in parts_of(world.state.attached, key))
    if weight > HEAVIEST_KG:
        return Refusal(Code.TOO_HEAVY, f"{key} weighs {weight:.1f} kg, more than {HEAVIEST_KG:.0f} kg", "leave it where it is")
    return None


def empty_handed(world: ActionWorld) -> Refusal | None:
    """HAND_FULL naming what is held."""
    held = world.state.held
    if held is None:
        return None
    return Refusal(Code.HAND_FULL, f"{held.entity} is in the {held.hand} hand", f"put {held.entity} down first")


def holding(world: ActionWorld, key: str) -> Refusal | None:
    """NOT_HELD unless the named thing is in the hand."""
    held = world.state.held
    if held is not None and held.entity == key:
        return None
    what = f"{held.entity} is in the hand, not {key}" if held is not None else f"{key} is not in the hand"
    return Refusal(Code.NOT_HELD, what, f"take {key} first")


def plan_of(command: Command, segments: Sequence[Segment] | Refusal, **notes: object) -> Plan | Refusal:
    """The plan, or the refusal as it is."""
    if isinstance(segments, Refusal):
        return segments
    kept = tuple(s for s in segments if len(s))
    frames = int(np.sum([len(s) for s in kept]))
    return Plan(command, kept, {"frames": frames, "phases": [s.phase for s in kept], **notes})

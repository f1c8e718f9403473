"""What an assembly command asks for: child and parent with their connectors, and the one missing fact where it cannot be (pure)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from actions.manipulation.commands import empty_handed, graspable, holding
from actions.manipulation.surroundings import closed_above
from actions.world import ActionWorld
from assistcore.house.constraints import parts_of
from assistcore.house.mating import connector_frame
from assistcore.house.stage import Connector
from assistcore.world.commands import Command
from assistcore.world.errors import nearest
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal

SIDEWAYS_RAD = np.radians(20.0)
"""A connection whose axis is more than this off the vertical is neither made nor undone from above."""


class Joining(NamedTuple):
    """A child's plug, a parent's socket, and by how much the mating is turned about its axis (radians)."""

    child: str
    plug: Connector
    parent: str
    socket: Connector
    angle_rad: float


def joining(world: ActionWorld, command: Command) -> Joining | Refusal:
    """What `attach` is asked to mate, or what is missing for it. Connectors that are not named are the first that fit."""
    names = _names(world, command)
    if isinstance(names, Refusal):
        return names
    child, plug_name, parent, socket_name = names
    stage = world.stage
    now = world.state.attachment(child)
    if now is not None and now.parent == parent:
        return Refusal(Code.ALREADY, f"{child} is attached to {parent} already ({now.plug} in {now.socket})")
    if refusal := holding(world, child):
        return refusal
    plugs = _connectors(world, child, "plug", plug_name)
    sockets = plugs if isinstance(plugs, Refusal) else _connectors(world, parent, "socket", socket_name)
    if isinstance(plugs, Refusal) or isinstance(sockets, Refusal):
        return plugs if isinstance(plugs, Refusal) else sockets  # type: ignore[return-value]
    pairs = [(p, s) for p in plugs for s in sockets if p.fits == s.fits]
    if not pairs:
        fact = f"{child} has {_list(plugs)}, {parent} has {_list(sockets)}"
        return Refusal(Code.DOES_NOT_FIT, f"{child} does not fit {parent}: {fact}", "use parts that belong together")
    taken = {a.socket: a.child for a in world.state.attached if a.parent == parent}
    free = [(p, s) for p, s in pairs if s.name not in taken]
    if not free:
        there = taken[pairs[0][1].name]
        return Refusal(Code.NO_FREE_SPACE, f"{pairs[0][1].name} of {parent} is taken by {there}", f"detach {there} first")
    if parent == child or parent in parts_of(world.state.attached, child):
        return Refusal(Code.BAD_ARGUMENT, f"{parent} is part of {child}", "name another parent")
    plug, socket = free[0]
    angle = next((float(v) for v in command.args if isinstance(v, int | float) and not isinstance(v, bool)), 0.0)
    refusal = sideways(world, parent, socket)
    if refusal is None and stage.entity(parent).kind == "movable":
        refusal = closed_above(world, parent)
    return refusal or Joining(child, plug, parent, socket, float(np.radians(round(angle))))


def parting(world: ActionWorld, command: Command) -> tuple[str, str] | Refusal:
    """The child and the parent that `detach` is asked to part, or what is missing for it."""
    keys = [ref.key for ref in command.entities()][:2]
    if not keys:
        return Refusal(Code.BAD_ARGUMENT, "detach needs a child", "name what is to come off")
    if refusal := next((r for key in keys if (r := _unknown(world, key))), None):
        return refusal
    if refusal := empty_handed(world):
        return refusal
    child = keys[0]
    now = world.state.attachment(child)
    if now is None:
        if not any(c.kind == "plug" for c in world.stage.entity(child).connectors):
            return Refusal(Code.NOT_AFFORDED, f"{child} has nothing that could be attached or detached")
        return Refusal(Code.ALREADY, f"{child} is attached to nothing")
    if len(keys) > 1 and keys[1] != now.parent:
        return Refusal(Code.BAD_ARGUMENT, f"{child} is attached to {now.parent}, not to {keys[1]}", f"name {now.parent}")
    socket = world.stage.entity(now.parent).connector(now.socket)
    refusal = sideways(world, now.parent, socket) if socket is not None else None
    refusal = refusal or graspable(without(world, child), child) or closed_above(world, now.parent)
    return refusal or (child, now.parent)


def without(world: ActionWorld, child: str) -> ActionWorld:
    """A fork in which a child is its own thing."""
    there = world.fork()
    there.state = world.state.with_(attached=tuple(a for a in world.state.attached if a.child != child))
    return there


def sideways(world: ActionWorld, parent: str, socket: Connector) -> Refusal | None:
    """NOT_AFFORDED where a socket does not point upwards."""
    axis = (world.state.root(world.stage, parent) @ connector_frame(world.stage.entity(parent), socket))[:3, 2]
    tilt = float(np.arccos(np.clip(axis[2], -1.0, 1.0)))
    if tilt <= SIDEWAYS_RAD:
        return None
    return Refusal(
        Code.NOT_AFFORDED, f"{socket.name} of {parent} points {np.degrees(tilt):.0f} degrees off the vertical", f"stand {parent} up first"
    )


def _names(world: ActionWorld, command: Command) -> tuple[str, str, str, str] | Refusal:
    """Child, its connector, parent, its connector; a connector that is not named is an empty string."""
    refs = command.entities()
    if len(refs) < 2:
        return Refusal(Code.BAD_ARGUMENT, "attach needs a child and a parent", "name both")
    child, *rest = refs
    second = [r for r in rest if r.key in world.stage.by_key]
    parent = second[0] if second else rest[-1] if len(rest) < 3 else rest[1]
    at = rest.index(parent)
    for key in (child.key, parent.key):
        if refusal := _unknown(world, key):
            return refusal
    return child.key, _symbol(rest[:at]), parent.key, _symbol(rest[at + 1 :])


def _symbol(refs: list[EntityRef]) -> str:
    if not refs:
        return ""
    return refs[0].name if refs[0].index <= 0 else refs[0].key


def _unknown(world: ActionWorld, key: str) -> Refusal | None:
    if key in world.stage.by_key and key not in world.state.removed:
        return None
    return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here", nearest(key, list(world.stage.by_key)))


def _connectors(world: ActionWorld, key: str, kind: str, name: str) -> list[Connector] | Refusal:
    found = [c for c in world.stage.entity(key).connectors if c.kind == kind]
    if not found:
        return Refusal(Code.NOT_AFFORDED, f"{key} has no {kind}", "name a thing that can be put together")
    named = [c for c in found if name in ("", c.name)]
    if not named:
        return Refusal(Code.BAD_ARGUMENT, f"{key} has no {kind} {name!r}", f"{kind}s: {', '.join(c.name for c in found)}")
    return named


def _list(connectors: list[Connector]) -> str:
    return ", ".join(f"{c.name} ({c.fits})" for c in connectors)

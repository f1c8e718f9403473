"""Mate two connectors: the held child onto its parent."""

from __future__ import annotations

from actions.assembly.asked import joining
from actions.assembly.joining import plan_attach
from actions.manipulation.commands import plan_of
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="attach",
    surface=("Attach", "Assemble", "Install"),
    args=("child", "child_connector?", "parent", "parent_connector?", "angle_error?"),
    hands="holds",
    english=("attach {child} to {parent}", "put {child} on {parent}", "fit {child} to {parent}"),
    meaning="Mate the held thing to another by their connectors (lids, poles, panels, table tops); connectors may be left out.",
    group="assembly",
    numbers=(NumberArg("angle_error", None, -180.0, 180.0),),
    symbols=(("child_connector", 0), ("parent_connector", 0)),
    targets=("lid", "part"),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.NOT_HELD,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.CLOSED,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.NO_FREE_SPACE,
        Code.DOES_NOT_FIT,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    asked = joining(world, command)
    if isinstance(asked, Refusal):
        return asked
    return plan_of(command, plan_attach(world, asked), plug=asked.plug.name, socket=asked.socket.name)


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """`attached`, and no longer held."""
    keys = [ref.key for ref in command.entities()]
    if not graph.has("held", keys[0]) and any(graph.has("attached", keys[0], key) for key in keys[1:]):
        return None
    now = graph.value(keys[0], "attached")
    return Refusal(Code.POSTCONDITION_FAILED, f"{keys[0]} is attached to {', '.join(now) if isinstance(now, tuple) else 'nothing'}")

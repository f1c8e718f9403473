"""Push a movable fixture with what stands on it."""

from __future__ import annotations

from actions.fixtures.arrived import verify
from actions.fixtures.asked import Moving, moving
from actions.fixtures.rolling import plan_roll
from actions.manipulation.commands import plan_of
from actions.motions import Plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.outcomes import Code, Refusal

__all__ = ["INFO", "plan", "verify"]

INFO = VerbInfo(
    name="push",
    surface=("Push", "PushRack"),
    args=("fixture", "destination"),
    hands="empty",
    english=("push {fixture} to {destination}",),
    meaning="Push a fixture on wheels by its bar, walking behind it, to a place or a room; what stands on it comes along.",
    group="fixtures",
    targets=("wheeled",),
    codes=(
        Code.UNKNOWN_ENTITY,
        Code.BAD_ARGUMENT,
        Code.HAND_FULL,
        Code.NOT_AFFORDED,
        Code.ALREADY,
        Code.PATH_BLOCKED,
        Code.DOOR_CLOSED,
        Code.OUT_OF_REACH,
        Code.TRAJECTORY_COLLISION,
        Code.NO_FREE_SPACE,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    asked = moving(world, command)
    return plan_of(command, plan_roll(world, asked, "push")) if isinstance(asked, Moving) else asked

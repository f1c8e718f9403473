"""Tools and what they work on, as synthetic things."""

from __future__ import annotations

from actions.world import ActionWorld
from assistcore.house.stage import Entity, Tip
from assistcore.world.commands import Command
from assistcore.world.ids import EntityRef
from tests.actions.manipulation.scenes import at, box, thing


def command(verb: str, *keys: str) -> Command:
    """A command on entities."""
    return Command(verb, tuple(EntityRef.from_key(k) for k in keys))


def knife(key: str = "knife_1", x: float = 0.6, y: float = -0.25, z: float = 0.75, yaw: float = 1.4) -> Entity:
    """A table knife: handle towards -y, blade towards +y, its edge at +x."""
    pieces = (box("handle", (0.01, 0.055, 0.008), (0, -0.085, 0.008)), box("blade", (0.013, 0.08, 0.0045), (0, 0.055, 0.0045)))
    edge = Tip("edge", (0.013, 0.055, 0.0045), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.15, 0.002))
    roles = frozenset({"tool", "cut"})
    return thing(key, "knife", at(x, y, z, yaw), pieces, 0.09, roles=roles, tips=(edge,), grip_m=(0.0, -0.1, 0.008), grasp="pinch")


def loaf(key: str, x: float, y: float, z: float = 0.75, half: tuple[float, float, float] = (0.05, 0.035, 0.03), yaw: float = 0.0) -> Entity:
    """Something to cut."""
    piece = box("body", half, (0, 0, half[2]))
    return thing(key, "loaf", at(x, y, z, yaw), (piece,), 0.3, roles=frozenset({"food", "cuttable"}))


def told(world: ActionWorld, key: str, name: str) -> object:
    """An attribute as the scratch world has it."""
    return world.state.attributes.get(key, {}).get(name)

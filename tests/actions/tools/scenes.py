"""Tools and what they work on, as synthetic things."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from actions.world import ActionWorld
from assistcore.house.stage import ConvexPiece, Entity, Region, Tip
from assistcore.world.commands import Command
from assistcore.world.ids import EntityRef
from tests.actions.manipulation.scenes import at, box, fixed, thing


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


def spoon(key: str = "spoon_1", x: float = 0.6, y: float = -0.25, z: float = 0.75, yaw: float = 1.4) -> Entity:
    """A spoon: its head at +y."""
    pieces = (box("stem", (0.0055, 0.07, 0.004), (0, -0.03, 0.004)), box("head", (0.019, 0.028, 0.005), (0, 0.062, 0.005)))
    tip = Tip("tip", (0.0, 0.09, 0.005), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.038, 0.01))
    return thing(key, "spoon", at(x, y, z, yaw), pieces, 0.04, tips=(tip,), grip_m=(0.0, -0.075, 0.004), grasp="pinch")


def vessel(key: str, x: float, y: float, z: float = 0.75, radius: float = 0.07, height: float = 0.066, **more: object) -> Entity:
    """A round vessel of twelve staves with a rim and an interior."""
    wall, n = 0.006, 12
    staves = []
    for k in range(n):
        a = 2.0 * np.pi * k / n
        half = (wall / 2, radius * np.tan(np.pi / n), height / 2)
        stave = box(f"wall{k}", half)
        T = np.eye(4)
        T[:2, :2] = [[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]
        T[:3, 3] = (radius - wall / 2) * np.cos(a), (radius - wall / 2) * np.sin(a), height / 2
        staves.append(ConvexPiece(stave.name, stave.vertices_m, T, half))
    inner = (radius - wall) * 0.7071
    region = Region("inside", "interior", "base", (-inner, -inner, 0.008), (inner, inner, height))
    rim = Tip("rim", (0.0, 0.0, height), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (2 * (radius - wall), 2 * (radius - wall)))
    floor = box("floor", (0.7 * radius, 0.7 * radius, 0.004), (0, 0, 0.004))
    kind = frozenset({"container", "drinkable"})
    return thing(key, "bowl", at(x, y, z), (floor, *staves), 0.3, roles=kind, regions=(region,), tips=(rim,), **more)


def sponge(key: str = "sponge_1", x: float = 0.6, y: float = -0.3, z: float = 0.75, wet: bool = False) -> Entity:
    """A sponge lying on its face."""
    face = Tip("face", (0.0, 0.0, 0.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.1, 0.065))
    piece = box("body", (0.05, 0.0325, 0.0185), (0, 0, 0.0185))
    facts: dict[str, bool | int | str] = {"wet": wet}
    return thing(key, "sponge", at(x, y, z, 1.57), (piece,), 0.05, tips=(face,), roles=frozenset({"wipe"}), attributes=facts, grasp="wrap")


def patch(kind: str, x: float, y: float, z: float = 0.75, present: bool = True) -> Entity:
    """A spill or stain of the table."""
    facts: dict[str, bool | int | str] = {"present": present}
    return replace(fixed(f"{kind}_1", kind, at(x, y, z), ()), roles=frozenset({"patch", kind}), attributes=facts)

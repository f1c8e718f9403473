"""Ceiling and standing lamps with the light that they give."""

from __future__ import annotations

import numpy as np

from assets_bake.flat.shell import CEILING_M
from assets_bake.scene_maker import FACING_RAD, SceneMaker
from assistcore.house.stage import LampLight

WARM = (1.0, 0.90, 0.76)


def ceiling_lamp(
    scene: SceneMaker,
    key: str,
    room: str,
    at: tuple[float, float],
    switch: tuple[float, float],
    facing: str,
    intensity: float = 1.0,
    on: bool = True,
) -> None:
    """A lamp on the ceiling at `at` and its switch on a wall at `switch`, whose plate looks to `facing`."""
    yaw = FACING_RAD[facing]
    normal = (float(np.sin(yaw)), float(-np.cos(yaw)), 0.0)
    scene.put(
        key,
        "lamp",
        f"ceiling_lamp_{key}",
        (at[0], at[1], 0.0),
        0.0,
        room=room,
        kind="ceiling",
        category="ceiling_lamp",
        nouns=("lamp", "light", "ceiling lamp", "light switch"),
        switch=(switch[0] - at[0], switch[1] - at[1], 1.1),
        switch_normal=_clean(normal),
        ceiling_m=CEILING_M,
        attributes={"running": on},
    )
    scene.lamps.append(LampLight((at[0], at[1], CEILING_M - 0.42), WARM, intensity, room, key))


def standing_lamp(scene: SceneMaker, key: str, room: str, at: tuple[float, float, float], facing: str, kind: str, on: bool = False) -> None:
    """A floor or table lamp."""
    category = f"{kind}_lamp"
    scene.put(key, "lamp", category, at, facing, room=room, kind=kind, category=category, attributes={"running": on})
    scene.lamps.append(LampLight((at[0], at[1], at[2] + (1.4 if kind == "floor" else 0.33)), WARM, 0.45, room, key))


def _clean(v: tuple[float, float, float]) -> tuple[float, float, float]:
    x, y, z = (float(round(c)) for c in v)
    return (x, y, z)

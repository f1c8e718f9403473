"""The scene `flat`: kitchen, living room, bedroom, bathroom and hall on 11 x 8 m."""

from __future__ import annotations

from assets_bake.flat import bathroom, bedroom, hall, kitchen, living_room, patches, shell
from assets_bake.scene_maker import SceneMaker
from assistcore.house.stage import StageModel


def build_flat() -> StageModel:
    """The furnished flat with movables at geometrically exact rest poses (physics settles them afterwards)."""
    scene = SceneMaker("flat")
    for part in (shell, kitchen, living_room, bedroom, bathroom, hall, patches):
        part.furnish(scene)
    return scene.stage()

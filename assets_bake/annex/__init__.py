"""The scene `annex`: the house of a small repair club, ten rooms on 14 x 9 m along a corridor, with several doors in a row."""

from __future__ import annotations

from assets_bake.annex import north_rooms, patches, shell, south_rooms, things, workshop
from assets_bake.scene_maker import SceneMaker
from assistcore.house.stage import StageModel


def build_annex() -> StageModel:
    """The furnished annex with movables at geometrically exact rest poses (physics settles them afterwards)."""
    scene = SceneMaker("annex")
    for part in (shell, north_rooms, workshop, south_rooms, things, patches):
        part.furnish(scene)
    return scene.stage()

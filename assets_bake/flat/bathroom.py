"""The bathroom."""

from __future__ import annotations

from assets_bake.scene_maker import SceneMaker


def furnish(scene: SceneMaker) -> None:
    """Add fixtures and movables."""

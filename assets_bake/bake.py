"""Baking a scene: build, settle, check, write USD and the inventory page."""

from __future__ import annotations

from pathlib import Path

from assets_bake.usd_write import write_scene
from assistcore.house.stage import StageModel

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "assistworld" / "engines" / "house" / "content"


def build_scene(name: str) -> StageModel:
    """The unsettled stage of a scene by name. Raises ValueError for one that is not there."""
    if name != "flat":
        raise ValueError(f"no scene {name!r}; there is: flat")
    from assets_bake.flat import build_flat

    return build_flat()


def bake(name: str, content: Path = CONTENT) -> Path:
    """Write a scene below `content` and return its USD file."""
    return write_scene(build_scene(name), content / name)

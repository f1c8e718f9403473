"""The scenes that come with AssistWorld, by name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from assistcore.house.stage import StageModel
from assistcore.world.errors import AssistWorldError, nearest

CONTENT = Path(__file__).resolve().parent / "content"


def scene_names() -> tuple[str, ...]:
    """Names of the scenes in the content folder, sorted."""
    return tuple(sorted(p.name for p in CONTENT.iterdir() if (p / f"{p.name}.usda").is_file())) if CONTENT.is_dir() else ()


def scene_file(name: str) -> Path:
    """The USD file of a scene. Raises AssistWorldError with the nearest name."""
    if name not in scene_names():
        raise AssistWorldError(f"no scene {name!r}; {nearest(name, scene_names())}")
    return CONTENT / name / f"{name}.usda"


@lru_cache(maxsize=2)
def load_scene(name: str) -> StageModel:
    """The stage model of a scene: a frozen value, shared by everybody who asks."""
    from assistcore.house.usd_cache import read_stage_cached

    return read_stage_cached(scene_file(name))

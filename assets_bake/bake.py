"""Baking a scene: build, settle, check, write USD and the inventory page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assets_bake.check_scene import check_scene
from assets_bake.inventory import inventory
from assets_bake.settle import settled
from assets_bake.usd_write import write_scene
from assistcore.house.stage import StageModel
from assistcore.world.errors import InputError

ROOT = Path(__file__).resolve().parents[1]
CONTENT = ROOT / "assistworld" / "engines" / "house" / "content"
DOCS = ROOT / "docs"
SCENES = ("flat", "annex")


def build_scene(name: str) -> StageModel:
    """The unsettled stage of a scene by name. Raises ValueError for one that is not there."""
    if name not in SCENES:
        raise ValueError(f"no scene {name!r}; there is: {', '.join(SCENES)}")
    if name == "annex":
        from assets_bake.annex import build_annex

        return build_annex()
    from assets_bake.flat import build_flat

    return build_flat()


def _silent(text: str) -> None:
    """Tell nobody."""


def bake(name: str, content: Path = CONTENT, docs: Path | None = DOCS, progress: Callable[[str], object] = _silent) -> Path:
    """Write a settled and checked scene below `content`, its inventory below `docs`; return its USD file.

    `progress` is told before each step. Raises NotSettled, or InputError with every finding of `check_scene`; then nothing is written.
    """
    progress(f"{name}: building")
    stage = build_scene(name)
    progress(f"{name}: {len(stage.entities)} entities, {len(stage.textures)} textures; settling")
    stage = settled(stage)
    progress(f"{name}: checking")
    problems = check_scene(stage)
    if problems:
        raise InputError(f"scene {name!r} is not sound", problems)
    progress(f"{name}: writing")
    file = write_scene(stage, content / name)
    if docs is not None:
        docs.mkdir(exist_ok=True)
        (docs / f"{name}.md").write_text(inventory(stage), encoding="utf-8")
    return file

"""Start an episode by names, to be stepped from outside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assistcore.world.engine import Engine
from assistcore.world.records import AgentInfo
from assistcore.world.registry import Registry
from assistworld.episodes.episode import Episode
from assistworld.episodes.log import FolderSink, MemorySink
from taskpacks.loader import find_pack
from taskpacks.schema import TaskPack

ENGINES = Registry("engine", "assistworld.engines")


def open_episode(
    pack: TaskPack | str,
    *,
    engine: Engine | str | None = None,
    seed: int = 0,
    frames: int = 4,
    folder: Path | str | None = None,
    packs: Sequence[Path] = (),
    assistant: str = "outside",
    human: str = "outside",
) -> Episode:
    """An episode of a pack (a value, an id or a file), not yet begun; `next()` and `answer()` play it.

    `folder` is a new bundle on disk; without one the log stays in memory. Raises InputError or UnknownName with the nearest name.
    """
    chosen = find_pack(pack, packs) if isinstance(pack, str) else pack
    world: Engine = ENGINES.load(engine or chosen.scenario.engine).make() if engine is None or isinstance(engine, str) else engine
    return Episode(
        pack=chosen,
        engine=world,
        sink=MemorySink() if folder is None else FolderSink(Path(folder)),
        seed=seed,
        frames=frames,
        assistant=AgentInfo(name=assistant),
        human=AgentInfo(name=human),
    )

"""Resets of the house on one server, both scenes in turn: memory comes to rest, no file stays open, worlds go (cases.md A, #812)."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from itertools import cycle, islice

import pytest

from assistcore.world.engine import Engine, Scenario
from assistcore.world.outcomes import Refusal
from assistcore.world.snapshots import Snapshot
from assistworld.engines import house
from assistworld.engines.remote.client import RemoteEngine
from assistworld.engines.remote.memory import open_files
from assistworld.engines.remote.process import ServerProcess
from taskpacks.loader import list_packs

GROWTH_MB = 10.0
PICTURES_MB = 130.0
"""With pictures, how far resident memory swings between one reset and the next: what the driver keeps for two scenes comes and goes."""
FLOOR = 40
"""The least of so many resets in turn does not swing."""
PACKS = [listed.pack.scenario for listed in list_packs() if listed.pack is not None and listed.pack.scenario.engine == "house"]


def scenarios() -> Iterator[Scenario]:
    """What the packs start from, with the bare annex and the bare flat between them, for ever."""
    return cycle([s for spec in PACKS for s in (spec.scenario(), Scenario("annex"))] + [Scenario("flat"), Scenario("annex")])


def after_resets(number: int, *, pictures: bool = False) -> tuple[list[float], set[tuple[int | None, int | None]]]:
    """Resident megabytes of a server after each reset, and the different numbers of files that it and this process had open."""
    place = ServerProcess("house")
    remote = RemoteEngine(place)
    sizes, files = [], set()
    try:
        for seed, scenario in enumerate(islice(scenarios(), number)):
            shot = remote.reset(scenario, seed)
            sizes.append(remote.resident_mb)
            if pictures:
                remote.draw((shot, _moved(remote, shot)), "fpv")
            files.add((open_files(), open_files(place.pid)))
    finally:
        remote.close()
    return sizes, files


def _moved(engine: Engine, shot: Snapshot) -> Snapshot:
    """The end of the first of these commands that the person can do here."""
    for text in ("[TurnLeft]", "[TurnRight]", "[TurnAround]"):
        parsed = engine.parse(text)
        if not isinstance(parsed, Refusal) and engine.begin(parsed.command) is None:
            while not engine.idle():
                shot = engine.tick().snapshot
            break
    return shot


def test_resets_of_the_house_leave_memory_and_files_where_they_were() -> None:
    """Nine, for every run; the slow ones below are the promise."""
    sizes, files = after_resets(9)
    assert sizes[-1] - sizes[5] < GROWTH_MB, sizes
    assert len(files) == 1, files


@pytest.mark.slow
@pytest.mark.parametrize("pictures", [False, True], ids=["resets alone", "with commands and pictures"])
def test_two_hundred_resets_of_the_house(pictures: bool) -> None:
    sizes, files = after_resets(200, pictures=pictures)
    print(f"after 20: {sizes[19]:.1f} MB, after 200: {sizes[199]:.1f} MB, between: {min(sizes[19:]):.1f} .. {max(sizes[19:]):.1f} MB")
    assert sizes[199] - sizes[19] < GROWTH_MB + (PICTURES_MB if pictures else 0.0), sizes[19::20]
    assert min(sizes[-FLOOR:]) - min(sizes[19 : 19 + FLOOR]) < GROWTH_MB, sizes[19::20]
    assert len(files) == 1, files


def test_the_world_before_is_gone_after_a_reset_of_another_scene() -> None:
    engine = house.make()
    engine.reset(Scenario("flat"), 0)
    before = engine.parts
    assert before is not None
    gone = [weakref.ref(part) for part in (before, before.collision, before.physics)]
    del before
    engine.reset(Scenario("annex"), 0)
    gc.collect()
    assert [ref() for ref in gone] == [None, None, None]
    engine.close()

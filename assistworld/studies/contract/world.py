"""Promises of the physics: things lie where the stage has them, settle, stay, and relations read as on the embedded house."""

from __future__ import annotations

from collections.abc import Iterator

from assistcore.world.engine import Engine
from assistworld.studies.contract.playing import (
    PLACE_MM,
    STILL_MM,
    exact,
    moved,
    reference,
    relations,
    rest,
    start,
    unlike,
)

MUG_ON_TABLE = ({"move": "red_mug_1", "onto": "dining_table_1", "spot": (0.5, 0.5)},)


def poses(engine: Engine) -> Iterator[str]:
    """Things are where the stage has them settled."""
    start(engine)
    start(reference())
    yield from moved(reference().graph(), engine.graph(), mm=0 if exact(engine) else PLACE_MM)


def stillness(engine: Engine) -> Iterator[str]:
    """What lies at rest stays where it is for a second."""
    start(engine)
    before = engine.graph()
    rest(engine, 12)
    yield from moved(before, engine.graph(), mm=STILL_MM)


def settling(engine: Engine) -> Iterator[str]:
    """What a scenario puts on a table settles on it, as it does on the embedded house, and stays."""
    start(engine, changes=MUG_ON_TABLE)
    start(reference(), changes=MUG_ON_TABLE)
    before = engine.graph()
    yield from moved(reference().graph(), before, mm=0 if exact(engine) else PLACE_MM)
    if not before.has("on", "red_mug_1", "dining_table_1"):
        yield f"red_mug_1 is on {before.value('red_mug_1', 'on')}, not on dining_table_1"
    rest(engine, 24)
    yield from moved(before, engine.graph(), mm=STILL_MM)


def same_relations(engine: Engine) -> Iterator[str]:
    """Relations at the start are those of the embedded house."""
    for changes in ((), MUG_ON_TABLE):
        start(engine, changes=changes)
        start(reference(), changes=changes)
        yield from unlike(relations(reference().graph()), relations(engine.graph()))


CHECKS = {"poses": poses, "stillness": stillness, "settling": settling, "relations": same_relations}

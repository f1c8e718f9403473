"""Promises of the `Engine` face itself: ticks, refusals, digests, repeating, saving."""

from __future__ import annotations

from collections.abc import Iterator

from assistcore.world.engine import Engine
from assistcore.world.graph import fold
from assistcore.world.outcomes import Refusal
from assistworld.studies.contract.playing import done, exact, moved, relations, rest, start, unlike

WALK = ("[TurnLeft]", "[Forward]", "[TurnRight]")


def stamps(engine: Engine) -> Iterator[str]:
    """Every snapshot carries its own tick, counted from zero."""
    first = start(engine)
    if first.tick != 0:
        yield f"reset gives the snapshot of tick {first.tick}"
    for tick in range(1, 6):
        step = engine.tick()
        if step.snapshot.tick != tick:
            yield f"tick {tick} gives the snapshot of tick {step.snapshot.tick}"
        if step.outcome is not None:
            yield f"tick {tick} has an outcome and nothing was begun"
    if not engine.idle():
        yield "nothing was begun and the engine is not idle"


def refusals(engine: Engine) -> Iterator[str]:
    """What is refused changes nothing, and `can` says the same as `begin`."""
    start(engine)
    for text in ("[Grab] <fridge> (1)", "[Put] <red_mug> (1) <dining_table> (1)", "[Close] <fridge> (1)"):
        parsed = engine.parse(text)
        if isinstance(parsed, Refusal):
            yield f"{text} is not understood: {parsed.fact}"
            continue
        before = engine.digest()
        could, refused = engine.can(parsed.command), engine.begin(parsed.command)
        if could != refused:
            yield f"{text}: can says {could}, begin {refused}"
        if refused is None:
            yield f"{text} is not refused"
            start(engine)
        elif engine.digest() != before:
            yield f"{text} was refused and the state is another"


def folding(engine: Engine) -> Iterator[str]:
    """The first graph and the changes give the graph at every outcome."""
    start(engine)
    graph = engine.graph()
    for text in WALK:
        try:
            for step in done(engine, text).steps:
                graph = fold(graph, step.changes)
        except ValueError as error:  # how `fold` says that a change does not begin where the graph is
            yield f"in {text}: {error}"
            return
        yield from (f"after {text}: {fact}" for fact in unlike(graph.values, engine.graph().values))


def repeating(engine: Engine) -> Iterator[str]:
    """The same scenario, seed and commands give the same again: bits where promised, else relations and places."""
    runs = []
    for _ in range(2):
        start(engine)
        for text in WALK:
            done(engine, text)
        runs.append((engine.digest(), engine.graph()))
    (digest, graph), (again, later) = runs
    if exact(engine) and digest != again:
        yield f"the state is {digest[:12]} once and {again[:12]} the other time"
    yield from moved(graph, later, mm=0 if exact(engine) else 2)
    yield from unlike(relations(graph), relations(later))


def saving(engine: Engine) -> Iterator[str]:
    """A saved state is restored as promised: in the middle of a command, at rest, or not at all."""
    if engine.abilities.restore == "none":
        return
    start(engine)
    parsed = engine.parse("[Forward]")
    if isinstance(parsed, Refusal):
        yield f"[Forward] is not understood: {parsed.fact}"
        return
    if engine.abilities.restore == "exact" and engine.begin(parsed.command) is None:
        rest(engine, 4)
    saved, digest, graph = engine.save(), engine.digest(), engine.graph()
    ends = []
    for _ in range(2):
        rest(engine, 12)
        ends.append(engine.digest())
        engine.restore(saved)
        if exact(engine) and engine.digest() != digest:
            yield "the restored state is not the saved one"
        yield from moved(graph, engine.graph(), mm=0 if exact(engine) else 2)
    if exact(engine) and ends[0] != ends[1]:
        yield "what follows a restored state is not what followed the saved one"


CHECKS = {"stamps": stamps, "refusals": refusals, "folding": folding, "repeating": repeating, "saving": saving}

"""Give an engine commands and play them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assistcore.world.engine import Scenario, Step
from assistcore.world.outcomes import Outcome, Refusal
from assistworld.engines.house.engine import HouseEngine

DOORS_OPEN = tuple({"set_open": f"{room}_door_1"} for room in ("kitchen", "living_room", "bedroom", "bathroom"))


def stand(engine: HouseEngine, spot: str = "kitchen", *changes: dict, seed: int = 0) -> None:
    """Reset to a spot of the flat with its doors open."""
    engine.reset(Scenario("flat", {"spot": spot}, [*DOORS_OPEN, *changes]), seed)


def begin(engine: HouseEngine, text: str) -> Refusal | None:
    """Begin a command that parses."""
    parsed = engine.parse(text)
    assert not isinstance(parsed, Refusal), parsed
    return engine.begin(parsed.command)


def act(engine: HouseEngine, text: str, each: Callable[[Step], None] | None = None) -> Outcome | Refusal:
    """Play a command to its end."""
    refusal = begin(engine, text)
    if refusal is not None:
        return refusal
    for _ in range(10_000):
        step = engine.tick()
        if each is not None:
            each(step)
        if step.outcome is not None:
            return step.outcome
    raise AssertionError(f"{text} does not end")


def random_commands(engine: HouseEngine, seed: int, number: int) -> list[str]:
    """Command texts of many kinds about random things of the flat."""
    rng = np.random.default_rng(seed)
    stage = engine.stage
    movable = [e.ref.surface for e in stage.entities if e.kind == "movable"]
    fixture = [e.ref.surface for e in stage.entities if e.kind == "fixture"]
    surface = [e.ref.surface for e in stage.entities if e.kind == "fixture" and any(r.kind == "surface" for r in e.regions)]
    openable = [e.ref.surface for e in stage.entities if e.kind == "fixture" and e.joints]
    device = [e.ref.surface for e in stage.entities if "device" in e.roles]
    door = [e.ref.surface for e in stage.entities if e.kind == "door"]

    def one(names: list[str]) -> str:
        return names[int(rng.integers(len(names)))]

    makers: list[Callable[[], str]] = [
        lambda: f"[Walk] {one(fixture)}",
        lambda: f"[Walk] {one(movable)}",
        lambda: f"[Grab] {one(movable)}",
        lambda: f"[Put] {one(movable)} {one(surface)}",
        lambda: f"[Open] {one(openable)}",
        lambda: f"[Close] {one(openable)}",
        lambda: f"[TurnOn] {one(device)}",
        lambda: f"[CloseDoor] {one(door)}",
        lambda: "[TurnLeft] 60",
        lambda: "[Forward] 1",
        lambda: "[Wait] 2",
        lambda: "[Drop]",
        lambda: "[Sit] <sofa> (1)",
    ]
    return [makers[int(rng.integers(len(makers)))]() for _ in range(number)]

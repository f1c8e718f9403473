"""A door that stands wide open leaves a way between its two rooms, in both directions."""

from __future__ import annotations

import pytest

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.scenes import load_scene

DOORS = [
    (scene, door.key, *rooms)
    for scene in ("flat", "annex")
    for door in load_scene(scene).entities
    if door.kind == "door"
    for rooms in (door.connects, door.connects[::-1])
]


@pytest.mark.parametrize(("scene", "door", "here", "there"), DOORS, ids=[f"{s}-{d}-from-{h}" for s, d, h, _ in DOORS])
@pytest.mark.rotating(4)
def test_the_open_leaf_leaves_a_way(empty: HouseEngine, scene: str, door: str, here: str, there: str) -> None:
    empty.reset(Scenario(scene, {"spot": here}, ({"set_open": door},)), 0)
    parsed = empty.parse(f"[Walk] <{there}>")
    assert not isinstance(parsed, Refusal)
    assert empty.can(parsed.command) is None


@pytest.fixture(scope="module")
def empty() -> HouseEngine:
    """An engine of its own."""
    return HouseEngine()

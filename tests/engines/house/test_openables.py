"""All in the flat that opens opens and closes from the middle of its room, also with a full hand; open places take what fits."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.trials import Trial, play
from tests.engines.house.acting import DOORS_OPEN, act

PLAYED = 3
NOT_YET = {"Close": frozenset({"oven_1"})}
"""Refused where a person would manage: the low edge of the oven's open door, where arm and own thighs meet on the way."""
ROOMS = {"kitchen_door_1": "kitchen", "bathroom_door_1": "bathroom", "bedroom_door_1": "bedroom", "living_room_door_1": "living_room"}


def openables(engine: HouseEngine) -> list[str]:
    """Keys of the doors and fixtures with a joint."""
    return [e.key for e in engine.stage.entities if e.kind in ("door", "fixture") and e.joints]


def refused(engine: HouseEngine, text: str) -> Refusal | None:
    """What `can` says of a command that parses."""
    parsed = engine.parse(text)
    assert not isinstance(parsed, Refusal), parsed
    return engine.can(parsed.command)


def before(engine: HouseEngine, key: str, fraction: float) -> Scenario:
    """In the middle of the thing's room, the other doors open, the thing open by a fraction."""
    others = [c for c in DOORS_OPEN if c["set_open"] != key]
    spot = ROOMS.get(key, engine.stage.entity(key).room)
    return Scenario("flat", {"spot": spot}, [*others, {"set_open": key, "fraction": fraction}])


@pytest.mark.parametrize("fraction", [0.0, 1.0])
def test_all_that_opens_opens_and_closes(flat: HouseEngine, fraction: float) -> None:
    verb = "Close" if fraction else "Open"
    found = {}
    for key in sorted(set(openables(flat)) - NOT_YET.get(verb, frozenset())):
        flat.reset(before(flat, key, fraction), 0)
        entity = flat.stage.entity(key)
        refusal = refused(flat, f"[{verb}{'Door' if entity.kind == 'door' else ''}] {entity.ref.surface}")
        if refusal is not None:
            found[key] = f"{refusal.code}: {refusal.fact}"
    assert not found


def test_opened_and_closed_under_the_independent_checker(flat: HouseEngine, sample_seed: int) -> None:
    """A few of them, other ones for each commit, in random states of openness."""
    rng = np.random.default_rng(sample_seed)
    fixtures = [key for key in openables(flat) if flat.stage.entity(key).kind == "fixture" and key not in NOT_YET["Close"]]
    for key in rng.choice(fixtures, PLAYED, replace=False).tolist():
        surface = flat.stage.entity(key).ref.surface
        first, then = ("Open", "Close") if rng.random() < 0.5 else ("Close", "Open")
        trial = Trial(before(flat, key, 0.0 if first == "Open" else 1.0), 0, (f"[{first}] {surface}", f"[{then}] {surface}"))
        result = play(trial)
        assert result["ok"], (key, result["faults"], result["problems"], result["raised"])
        assert [row["status"] for row in result["outcomes"]] == ["done", "done"], (key, result["outcomes"])


def test_doors_and_cabinets_open_while_something_is_held(flat: HouseEngine) -> None:
    flat.reset(Scenario("flat", {"spot": "kitchen"}, []), 0)
    act(flat, "[Grab] <red_mug> (1)")
    for text in ("[OpenDoor] <kitchen_door> (1)", "[Open] <fridge> (1)", "[Open] <drawer> (1)", "[Open] <wall_cabinet> (1)"):
        assert refused(flat, text) is None, text


@pytest.mark.parametrize(
    ("thing", "containers"),
    [
        ("apple", ("cabinet_1", "oven_1", "fridge_1", "wall_cabinet_2", "drawer_1", "kitchen_sink_1")),
        ("blue_mug", ("sideboard_1", "shoe_cabinet_1")),
    ],
)
def test_open_places_take_what_fits(flat: HouseEngine, thing: str, containers: tuple[str, ...]) -> None:
    """Shelves behind an opened door, at knee height too, an oven, a drawer, a basin."""
    found = {}
    room = "kitchen" if thing == "apple" else "living_room"
    for key in containers:
        opened = [{"set_open": key}] if flat.stage.entity(key).joints else []
        flat.reset(Scenario("flat", {"spot": room}, [*DOORS_OPEN, *opened]), 0)
        act(flat, f"[Grab] <{thing}> (1)")
        refusal = refused(flat, f"[PutIn] <{thing}> (1) {flat.stage.entity(key).ref.surface}")
        if refusal is not None:
            found[key] = f"{refusal.code}: {refusal.fact}"
    assert not found

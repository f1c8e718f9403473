"""What is wished of a verb is mostly something that it could make something of now."""

from __future__ import annotations

import numpy as np
import pytest

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal
from assistworld.studies.likely import likely
from assistworld.studies.trials import shared_engine
from assistworld.studies.wishes import wish


@pytest.mark.parametrize(
    ("scene", "verb", "argument", "first", "kept", "left_out"),
    [
        ("flat", "open", "object", "", "fridge_1", "living_room_door_1"),
        ("flat", "close_door", "door", "", "living_room_door_1", "fridge_1"),
        ("flat", "stir", "target", "", "cooking_pot_1", "sewing_box_1"),
        ("flat", "stir", "target", "", "cooking_pot_1", "wall_cabinet_1"),
        ("flat", "wipe", "target", "grey_towel_1", "spill_1", "stain_1"),
        ("annex", "raise", "assembly", "", "base_2", "base_1"),
        ("annex", "push", "destination", "cart_1", "kitchen", "spill_1"),
        ("annex", "pick", "object", "", "apple_1", "pole_3"),
        ("annex", "place_on_floor", "anchor", "apple_1", "packing_table_1", "kitchen"),
        ("annex", "turn_off", "device", "", "break_room_lamp_1", "microwave_1"),
    ],
)
def test_what_is_so_already_or_cannot_be_is_left_out(scene: str, verb: str, argument: str, first: str, kept: str, left_out: str) -> None:
    engine = shared_engine(scene)
    door = "living_room_door_1" if scene == "flat" else "hall_door_1"
    true = {"flat": {"spill_1": "present", "stain_1": "present"}, "annex": {"break_room_lamp_1": "running"}}[scene]
    made = [{"set": key, "attribute": fact, "value": True} for key, fact in true.items()]
    engine.reset(Scenario(scene, {"spot": "start"}, [{"set_open": door, "fraction": 1.0}, *made]), 0)
    assert likely(engine.stage, engine.graph(), verb, argument, first, [kept, left_out]) == [kept]
    assert likely(engine.stage, engine.graph(), verb, argument, first, [left_out]) == [left_out]


def test_nothing_is_wished_with_itself_or_with_a_tool_that_the_scene_lacks() -> None:
    """The annex has no spoon: whoever wished to stir there took a table or an apple for one."""
    engine = shared_engine("annex")
    engine.reset(Scenario("annex", {"spot": "start"}), 0)
    rng, stirred = np.random.default_rng(5), 0
    for text in (text for _ in range(400) for text in wish(engine, rng)):
        parsed = engine.parse(text)
        assert not isinstance(parsed, Refusal), (text, parsed)
        keys = [ref.key for ref in parsed.command.entities()]
        assert len(set(keys)) == len(keys), text
        stirred += parsed.command.verb == "stir"
    assert stirred < 8

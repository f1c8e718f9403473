"""Things that fall from their supports by themselves: from where to where, what goes along, what is refused (seed Table 5)."""

from __future__ import annotations

import pytest

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Code
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.scripts import Drift
from tests.engines.house.acting import begin, stand
from tests.engines.house.annex import at, refused
from tests.engines.house.test_postures import done

FALLS = {
    "a mug from the counter": ("kitchen", (), "<red_mug>", "<kitchen_counter>"),
    "an apple from a table": ("kitchen", (), "<apple> (1)", "<dining_table>"),
    "a box past a full hand": ("kitchen", ("[Grab] <bread>",), "<cereal_box>", "<kitchen_counter>"),
    "a bowl with what is in it": ("kitchen", (), "<fruit_basket>", "<dining_table>"),
    "a remote control, the person sitting": ("living_room", ("[Sit] <armchair>",), "<remote>", "<coffee_table>"),
    "a vase from the sideboard": ("living_room", (), "<vase>", "<sideboard>"),
}


@pytest.mark.rotating(2)
@pytest.mark.parametrize("name", FALLS)
def test_a_thing_falls_to_the_floor_beside_its_support(flat: HouseEngine, name: str) -> None:
    spot, first, thing, support = FALLS[name]
    stand(flat, spot)
    done(flat, *first)
    body, held = flat.state.body, flat.state.held
    key = flat.parse(f"[FallToFloor] {thing} {support}").command.entities()[0].key  # type: ignore[union-attr]
    before = flat.state.poses[key].position_m
    done(flat, f"[FallToFloor] {thing} {support}")
    after = flat.state.poses[key].position_m
    assert after[2] < 0.25 < before[2] and flat.state.held == held
    assert (flat.state.body.pose_rad == body.pose_rad).all() and flat.state.body.posture == body.posture


def test_it_falls_the_same_way_again(flat: HouseEngine) -> None:
    ends = []
    for _ in range(2):
        stand(flat, "kitchen")
        done(flat, "[FallToFloor] <red_mug> <kitchen_counter>")
        ends.append(flat.digest())
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("code", "words", "first"),
    [
        (Code.NOT_AFFORDED, "<bread> <kitchen_counter>", ("[Grab] <bread>",)),
        (Code.NOT_AFFORDED, "<milk_carton> <fridge>", ()),
        (Code.NOT_AFFORDED, "<fridge> <kitchen_counter>", ()),
        (Code.NOT_AFFORDED, "<red_mug> <kitchen_floor>", ()),
        (Code.BAD_ARGUMENT, "<blue_bowl> <kitchen_counter>", ()),
        (Code.UNKNOWN_ENTITY, "<unicorn> <kitchen_counter>", ()),
    ],
)
def test_what_is_held_contained_or_stands_elsewhere_does_not_fall(flat: HouseEngine, code: str, words: str, first: tuple[str, ...]) -> None:
    stand(flat, "kitchen")
    done(flat, *first)
    digest = flat.digest()
    parsed = flat.parse(f"[FallToFloor] {words}")
    refusal = parsed if not hasattr(parsed, "command") else begin(flat, f"[FallToFloor] {words}")
    assert refusal is not None and refusal.code == code, refusal  # type: ignore[union-attr]
    assert flat.digest() == digest


def test_nothing_falls_onto_the_feet(flat: HouseEngine) -> None:
    """A card strays on its way down: from where this person stands it came to rest 7 cm in the left foot."""
    flat.reset(Scenario("flat", {"xy_m": [8.12, 7.01], "heading_deg": 75}), 0)
    refusal = begin(flat, "[FallToFloor] <recipe_card> (1) <kitchen_counter> (1)")
    assert refusal is not None and refusal.code == Code.NO_FREE_SPACE and "foot" in refusal.fact


def test_what_is_attached_does_not_fall_by_itself_and_falls_with_its_parent() -> None:
    """The panel slid out of its base, still attached to it."""
    annex = at("corridor")
    assert annex.state.attachment("panel_4") is not None
    refusal = refused(annex, "[FallToFloor] <panel> (4) <sorting_table> (1)")
    assert refusal.code == Code.NOT_AFFORDED and "attached" in refusal.fact
    drift = Drift(annex.body)
    assert begin(annex, "[FallToFloor] <base> (4) <sorting_table> (1)") is None
    while not annex.idle():
        annex.tick()
        drift.watch(annex.state)
    assert drift.worst_m < 1e-6

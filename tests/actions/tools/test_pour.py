"""Pour on small synthetic stages: what leaves one is in the other or spilt; what it lacks is said with its code."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from actions.motions import Motion
from actions.tools.taking import handy
from actions.verbs import pick, pour
from actions.world import ActionWorld
from assistcore.house.pours import poured, volume_ml
from assistcore.house.stage import Entity
from assistcore.house.state import HouseState
from assistcore.house.vessels import capacity_ml
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from assistworld.engines.house.playing import next_segment, play_frame
from tests.actions.manipulation.checks import held_steadily, planned, play, speeds
from tests.actions.manipulation.scenes import drawer, mug, table, world
from tests.actions.tools.scenes import command, patch, told, vessel

CUP = {"radius": 0.035, "height": 0.1}


def source(volume: int = 200, **more: object) -> Entity:
    """A cup with something in it."""
    facts = {"contents": "tea", "volume_ml": volume, **more}
    return vessel("cup_1", 0.62, -0.25, attributes=facts, **CUP)  # type: ignore[arg-type]


def holding(*things: object, cup: Entity | None = None) -> ActionWorld:
    """A table with a cup of tea, which is taken, and things."""
    w = world(table(), cup or source(), *things)  # type: ignore[arg-type]
    return play(w, planned(pick.plan(w, command("pick", "cup_1"))).segments)


def test_what_is_full_is_taken_as_one_pours_from_it_and_what_is_empty_in_any_way() -> None:
    for volume in (200, 0):
        w = world(table(), source(volume))
        suits = handy(w, "cup_1")
        if not volume:
            assert suits is None
            continue
        held = holding(cup=source(volume)).state.held
        assert suits is not None and held is not None
        R = held.wrist_object.matrix()[:3, :3].T
        assert R[2, 2] > 0.8 and abs(R[2, 0]) < 0.4, "the thumb is up and the fingers are level while the cup stands upright"


@pytest.mark.parametrize(
    "target",
    [
        vessel("bowl_1", 0.65, 0.15),
        vessel("bowl_1", 0.7, 0.3, radius=0.1, height=0.12),
        vessel("bowl_1", 0.62, 0.2, radius=0.04, height=0.11),
    ],
    ids=["bowl", "pot", "glass"],
)
def test_what_leaves_the_source_comes_into_the_target(target: Entity) -> None:
    w = holding(target)
    plan = planned(pour.plan(w, command("pour", "bowl_1", "cup_1")))
    after = play(w, plan.segments)
    hand, joint = speeds(w, plan.segments)
    assert hand <= 2.5 and joint <= 10.0 and held_steadily(w, plan.segments) < 1e-6
    assert told(after, "cup_1", "volume_ml") == 0 and told(after, "bowl_1", "volume_ml") == 200
    assert told(after, "bowl_1", "contents") == "tea" and told(after, "bowl_1", "provenance") == "cup_1"
    rows = next(s.carried["cup_1"] for s in plan.segments if s.phase == "pour")
    up = np.array([Pose.from_array(row).matrix()[2, 2] for row in rows])
    assert up.min() < 0.1 and up[-1] > 0.99, "tilted to the horizontal and righted again"


def frames(w: ActionWorld) -> list[HouseState]:
    """The states of a pour, frame by frame as the engine plays them."""
    motion, state, found = Motion(planned(pour.plan(w, command("pour", "bowl_1", "cup_1")))), w.state, [w.state]
    while motion.segment < len(motion.plan.segments):
        played = play_frame(motion, state)
        motion, state = next_segment(motion) if played.segment_ended else played.motion, played.state
        found.append(state)
    return found


def total(state: HouseState) -> int:
    """Millilitres in all."""
    return sum(volume_ml(state.attributes, key) for key in ("cup_1", "bowl_1", "spill_1"))


def test_nothing_is_lost_or_made_in_any_frame() -> None:
    seen = frames(holding(vessel("bowl_1", 0.65, 0.15)))
    assert {total(state) for state in seen} == {200}
    assert len({volume_ml(state.attributes, "bowl_1") for state in seen}) > 5, "it runs, it does not jump"
    assert volume_ml(seen[-1].attributes, "cup_1") == 0


def test_a_vessel_never_holds_more_than_it_can() -> None:
    small = vessel("bowl_1", 0.65, 0.15, radius=0.035, height=0.08)
    holds = capacity_ml(small)
    part = replace(small, attributes={"contents": "water", "volume_ml": holds - 5})
    seen = frames(holding(part, patch("spill", 0.62, 0.05, present=False)))
    assert {total(state) for state in seen} == {200 + holds - 5}
    assert max(volume_ml(state.attributes, "bowl_1") for state in seen) == holds


def test_what_ran_out_on_the_way_is_not_poured_again() -> None:
    """More than a jug holds (500 of 385 ml) runs over at once by the rule of spills: the target got the planned 500 all the same."""
    rows = poured({"jug_1": {"volume_ml": 385}, "bowl_1": {"volume_ml": 0}}, "jug_1", "bowl_1", 500, 600)
    assert {key: value for key, _, value in rows} == {"jug_1": 0, "bowl_1": 385}


def test_a_full_vessel_runs_over_on_the_table() -> None:
    bowl = vessel("bowl_1", 0.65, 0.15)
    holds = capacity_ml(bowl)
    full = replace(bowl, attributes={"contents": "water", "volume_ml": holds})
    w = holding(full, patch("spill", 0.62, 0.05, present=False))
    after = play(w, planned(pour.plan(w, command("pour", "bowl_1", "cup_1"))).segments)
    assert told(after, "spill_1", "present") is True and told(after, "spill_1", "contents") == "tea"
    assert told(after, "cup_1", "volume_ml") == 100 and told(after, "bowl_1", "volume_ml") == holds
    assert told(after, "spill_1", "volume_ml") == 100
    nowhere = holding(full)
    refusal = pour.plan(nowhere, command("pour", "bowl_1", "cup_1"))
    assert isinstance(refusal, Refusal) and refusal.code == Code.NO_FREE_SPACE and str(holds) in refusal.fact


def test_no_more_is_poured_than_there_is_room_for() -> None:
    small = vessel("bowl_1", 0.65, 0.15, radius=0.035, height=0.08)
    w = holding(small)
    after = play(w, planned(pour.plan(w, command("pour", "bowl_1", "cup_1"))).segments)
    assert told(after, "bowl_1", "volume_ml") == capacity_ml(small) < 200
    assert told(after, "cup_1", "volume_ml") == 200 - capacity_ml(small)


def test_contents_keep_the_order_in_which_they_came() -> None:
    w = holding(replace(vessel("bowl_1", 0.65, 0.15), attributes={"contents": "milk", "volume_ml": 50, "provenance": "carton_1"}))
    after = play(w, planned(pour.plan(w, command("pour", "bowl_1", "cup_1"))).segments)
    assert told(after, "bowl_1", "contents") == "milk and tea" and told(after, "bowl_1", "provenance") == "carton_1 cup_1"


def test_what_pouring_lacks_is_said() -> None:
    bowl, hidden = vessel("bowl_1", 0.65, 0.15), patch("spill", 0.6, 0.0, present=False)
    w = holding(bowl, hidden, mug("mug_1", 0.7, 0.45), drawer())

    def code(w: ActionWorld, *keys: str) -> str:
        result = pour.plan(w, command("pour", *keys))
        assert isinstance(result, Refusal), result
        return result.code

    assert code(w, "mug_1", "cup_1") == Code.NOT_AFFORDED
    assert code(w, "bowl_1", "mug_1") == Code.NOT_HELD
    assert code(w, "drawer_1", "cup_1") == Code.CLOSED
    assert code(w, "spill_1", "cup_1") == Code.UNKNOWN_ENTITY, "what is not there cannot be named"
    assert code(holding(bowl, cup=source(0)), "bowl_1", "cup_1") == Code.NOT_AFFORDED
    assert code(holding(bowl, cup=source(100, sealed=True)), "bowl_1", "cup_1") == Code.CLOSED
    lying = replace(bowl, pose=Pose((0.65, 0.15, 0.82), (0.70710678, 0.70710678, 0.0, 0.0)))
    assert code(holding(lying), "bowl_1", "cup_1") == Code.NOT_AFFORDED

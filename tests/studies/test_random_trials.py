"""Small samples of the full counts: walks, reaches, sight and labels on the real flat, seeds rotating with the commit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistcore.house.clearance import Allowed
from assistcore.pictures import open_pictures
from assistcore.pictures.protocol import PicturesUnavailable
from assistcore.world.engine import Scenario
from assistworld.studies.contact_check import MujocoWorld
from assistworld.studies.doorways import Doorways, room_at
from assistworld.studies.motion_check import MotionChecker
from assistworld.studies.parts import labels, sight
from assistworld.studies.sampling import reach_trial, walk_trial
from assistworld.studies.trials import Trial, play, shared_engine

LABELS = 3


def told(result: dict[str, Any]) -> str:
    """What repeats a trial and what was wrong with it."""
    return "\n".join(f"{key}: {value}" for key, value in result.items())


@pytest.fixture(scope="module")
def pictures() -> None:
    try:
        open_pictures().close()
    except PicturesUnavailable as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("number", range(20))
def test_a_random_walk_ends_as_the_rules_say(sample_seed: int, number: int) -> None:
    result = play(walk_trial(sample_seed, number))
    assert result["ok"], told(result)


@pytest.mark.parametrize("number", range(20))
def test_a_random_reach_ends_as_the_rules_say(sample_seed: int, number: int) -> None:
    result = play(reach_trial(sample_seed, number))
    assert result["ok"], told(result)


@pytest.mark.parametrize("thing", ["coffee_jar> (2)", "cooking_pot> (1)", "red_mug> (1)", "cereal_box> (1)"])
def test_what_is_dropped_where_it_was_taken_does_not_meet_the_hand(thing: str) -> None:
    """Two random scripts: a jar fell on another and stayed where the hand went home, a pot threw a box at the hand."""
    result = play(Trial(Scenario("flat", {"spot": "kitchen"}), 0, (f"[Grab] <{thing}", f"[Drop] <{thing}")))
    assert result["ok"] and result["outcomes"][0]["status"] == "done", told(result)


def test_sight_agrees_with_the_pictures_of_the_flat(sample_seed: int, pictures: None) -> None:
    wrong = [case for n in range(30) if not (case := sight.compare(sample_seed, n))["ok"]]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("nth", range(LABELS))
def test_the_look_shows_a_label_that_can_be_read(sample_seed: int, nth: int, pictures: None) -> None:
    pytest.importorskip("rapidocr_onnxruntime")
    number = int(np.random.default_rng(sample_seed).permutation(labels.CASES)[nth])
    result = labels.case(number)
    assert result["ok"], told(result)


def test_every_labelled_thing_is_a_case() -> None:
    assert len(labels.labelled()) == labels.CASES


def test_a_trial_is_the_same_in_any_order() -> None:
    first = walk_trial(5, 3)
    walk_trial(5, 4)
    assert walk_trial(5, 3) == first != walk_trial(5, 4)


# The checker is shown what it must not let pass.


@pytest.fixture(scope="module")
def checker() -> MotionChecker:
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    return MotionChecker(engine.stage, engine.body)


def moved(by: tuple[float, float, float], *, heading: float = 0.0, joint: int = -1, turn: float = 0.0) -> Any:
    """The state at the kitchen's spot with the body moved, and one joint turned about its x axis."""
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    body = engine.state.body
    pose = body.pose_rad.copy()
    if joint >= 0:
        pose[3 * joint] += turn
    xy = (body.xy_m[0] + by[0], body.xy_m[1] + by[1])
    return engine.state.with_(
        body=replace(body, pose_rad=pose, translation_m=body.translation_m + by, xy_m=xy, heading_rad=body.heading_rad + heading)
    )


def faults(checker: MotionChecker, *states: Any) -> list[str]:
    checker.forget()
    first = len(checker.faults)
    for tick, state in enumerate(states):
        checker.watch(tick, state, Allowed())
    return [str(f) for f in checker.faults[first:]]


def test_standing_still_has_no_fault(checker: MotionChecker) -> None:
    assert faults(checker, *[moved((0.0, 0.0, 0.0))] * 3) == []


def test_a_body_in_the_counter_is_found(checker: MotionChecker) -> None:
    engine = shared_engine()
    y = engine.stage.entity("kitchen_counter_1").pose.position_m[1]
    inside = moved((0.0, y - engine.stage.spots["kitchen"][1], 0.0))
    assert any("kitchen_counter_1" in f for f in faults(checker, inside))


def test_the_boxes_that_are_asked_about_miss_no_contact(sample_seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bodies put anywhere, in furniture too: every pair asked, whatever its boxes, finds nothing more."""
    from humans.kinematics import joint_transforms
    from humans.proxies import capsules

    engine, rng = shared_engine(), np.random.default_rng(sample_seed)
    world = MujocoWorld(engine.stage)
    found = drawn = 0
    while drawn < 4 or (found <= 4 and drawn < 60):
        drawn += 1
        state = moved((*rng.uniform(-2.0, 2.0, 2), 0.0), heading=float(rng.uniform(-3.0, 3.0)))
        world.place(engine.stage, state)
        shapes = capsules(engine.body, joint_transforms(engine.body, state.body.pose_rad, state.body.translation_m))
        asked = (shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m, frozenset[str]())
        hits = list(world.capsule_hits(*asked))
        with monkeypatch.context() as patched:
            patched.setattr(world, "_meeting", lambda low, high: np.argwhere(np.ones((len(low), len(world._geoms)), bool)))
            assert hits == list(world.capsule_hits(*asked))
        found += len(hits)
    assert found > 4


def test_feet_that_slide_are_found(checker: MotionChecker) -> None:
    slow = [moved((0.0, -0.004 * k, 0.0)) for k in range(6)]
    found = faults(checker, *slow)
    assert len([f for f in found if "foot slides" in f]) == 2, found
    assert faults(checker, *slow[:4]) == [], "12 mm are within the bound"


def test_lifted_feet_do_not_slide(checker: MotionChecker) -> None:
    assert not [f for f in faults(checker, *[moved((0.0, -0.03 * k, 0.02)) for k in range(4)]) if "foot" in f]


def test_walking_sideways_is_found(checker: MotionChecker) -> None:
    crab = [moved((0.05 * k, 0.0, 0.02)) for k in range(3)]
    assert [f for f in faults(checker, *crab) if "heading" in f]
    ahead = [moved((0.0, -0.05 * k, 0.02), heading=-np.pi) for k in range(3)]
    assert not [f for f in faults(checker, *ahead) if "heading" in f]


def test_only_a_short_step_goes_backwards(checker: MotionChecker) -> None:
    back = [moved((0.0, -0.045 * k, 0.02)) for k in range(14)]
    assert not [f for f in faults(checker, *back[:8]) if "heading" in f], "0.32 m"
    assert len([f for f in faults(checker, *back) if "heading" in f]) == 4, "beyond 0.41 m"


def test_speeds_across_commands_are_found(checker: MotionChecker) -> None:
    from humans.model import JOINT

    still = moved((0.0, 0.0, 0.0))
    found = faults(checker, still, moved((0.0, 0.0, 0.0), joint=JOINT["right_shoulder"], turn=1.0))
    assert any("joint right_shoulder rad/s" in f for f in found) and any("right hand m/s" in f for f in found), found


def test_going_through_a_closed_door_is_found() -> None:
    engine = shared_engine()
    engine.reset(Scenario("flat", {"spot": "hall"}), 0)
    kitchen = engine.stage.spots["kitchen"]
    watch = Doorways(engine.stage, engine.state)
    through = engine.state.with_(body=replace(engine.state.body, xy_m=kitchen[:2]))
    watch.watch(1, through)
    assert watch.problems and "kitchen_door_1 (0 % open)" in watch.problems[0] and watch.opened == []
    door = engine.stage.entity("kitchen_door_1").joints[0]
    watch = Doorways(engine.stage, engine.state)
    watch.watch(1, through.with_(joints={**engine.state.joints, door.key: door.open_at}))
    assert watch.problems == [] and watch.opened == ["kitchen_door_1"]


def test_rooms_of_points() -> None:
    stage = shared_engine().stage
    assert room_at(stage, 10.0, 1.0) == "hall" and room_at(stage, 6.0, 1.0) == "bathroom" and room_at(stage, 6.0, 3.5) == "hall"
    assert room_at(stage, 6.46, 6.0) == "" and room_at(stage, -3.0, 1.0) == ""


def test_texts_are_compared_as_documented() -> None:
    assert labels.unread([("FLOUR 500 g", "$3.60")], ["F1our 5OOg", "$ 3.60"]) == []
    assert labels.unread([("FLOUR 500 g",)], ["FLOUR 600 g"]) == ["FLOUR 500 g"]
    assert labels.unread([("FRONT", "A"), ("BACK",)], ["back"]) == []

"""The locomotion verbs on small stages: plans, refusals as data, what is read back."""

from __future__ import annotations

import numpy as np
import pytest

from actions.goals import entity_stances, inside
from actions.motions import Plan, Segment
from actions.verb import load_verb
from assistcore.world.commands import Command
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import wrap_angle
from tests.actions.navigation.rooms import holding, open_room, two_rooms, world_at
from tests.house.shapes import block, floor, room, stage, walls_round


def plan(world, verb, *args):
    before = world.state
    found = load_verb(verb).plan(world, Command(verb, args))
    assert world.state is before
    return found


def last(found):
    assert isinstance(found, Plan), found
    return found.segments[-1]


def test_walk_ends_in_front_of_the_thing_and_faces_it() -> None:
    world = world_at(open_room(), (1.0, 1.0))
    end = last(plan(world, "navigate_to", EntityRef("mug", 1)))
    x, y = end.xy_m[-1]
    assert 0.3 < np.hypot(2.8 - x, 2.5 - y) < 0.9
    assert abs(wrap_angle(np.arctan2(2.5 - y, 2.8 - x) - end.heading_rad[-1])) < 0.02
    sofa = last(plan(world, "navigate_to", EntityRef("sofa", 1)))
    assert 0.2 < 4.6 - sofa.xy_m[-1][1] < 0.8 or sofa.xy_m[-1][0] > 2.6


def test_walk_never_ends_behind_a_wall() -> None:
    """A thing at a wall is 0.5 m away from the next room, but nobody reaches through the wall."""
    parts = [floor((0, 0), (8.1, 4)), *walls_round((0, 0), (8.1, 4)), block("wall_20", (4, 0, 0), (4.1, 3.0, 2.6), kind="structure")]
    model = stage(
        *parts, block("jar_1", (4.15, 1.0, 0.9), (4.25, 1.1, 1.1), kind="movable"), block("shelf_1", (4.1, 0.5, 0.8), (4.4, 1.5, 0.9))
    )
    for s in entity_stances(world_at(model, (1.0, 1.0)), "jar_1"):
        assert s.xy_m[0] > 4.1


def test_a_walk_to_what_is_crowded_ends_as_near_as_one_can_stand() -> None:
    """A random script: a plant with a fallen table top before it was walked to from 2 m away, though a gap led nearer."""
    crates = (
        block("crate_1", (0.0, 1.3, 0), (1.36, 2.5, 0.6)),
        block("crate_2", (2.02, 1.3, 0), (5.0, 2.5, 0.6)),
        block("crate_3", (0.0, 0.55, 0), (5.0, 1.3, 0.6)),
    )
    model = stage(floor((0, 0), (5, 5)), *walls_round((0, 0), (5, 5)), block("plant_1", (1.7, 0.2, 0), (2.0, 0.5, 1.2)), *crates)
    end = last(plan(world_at(model, (2.0, 4.0)), "navigate_to", EntityRef("plant", 1)))
    assert np.hypot(1.85 - end.xy_m[-1][0], 0.35 - end.xy_m[-1][1]) < 1.5


def test_walk_refusals_are_data() -> None:
    world = holding(world_at(open_room(), (1.0, 1.0)), "mug_1")
    assert plan(world, "navigate_to", EntityRef("mug", 1)).code == Code.ALREADY
    unknown = plan(world, "navigate_to", EntityRef("mugg", 1))
    assert unknown.code == Code.UNKNOWN_ENTITY and "mug_1" in unknown.hint
    assert plan(world, "navigate_to", EntityRef("wall", 1)).code == Code.NOT_AFFORDED
    assert plan(world, "navigate_to").code == Code.BAD_ARGUMENT


def test_walk_to_a_room_ends_inside_it() -> None:
    left, right = room("kitchen", (0, 0), (4, 4)), room("hall", (4.1, 0), (8.1, 4))
    model = two_rooms(initial=-0.5 * np.pi)
    model = stage(*model.entities, rooms=(left, right))
    world = world_at(model, (1.0, 1.0))
    end = last(plan(world, "navigate_to", EntityRef("hall", 1)))
    assert inside(right, tuple(end.xy_m[-1]))
    assert plan(world, "navigate_to", EntityRef("kitchen", 1)).segments == ()


def test_a_thing_in_a_lumber_room_without_door_is_unreachable() -> None:
    """cases.md C, virtualhome#27: walled in: refused before anything moves."""
    model = stage(
        floor((0, 0), (6, 6)),
        *walls_round((0, 0), (6, 6)),
        *walls_round((3, 3), (5, 5), start=30),
        block("lime_1", (4, 4, 0), (4.1, 4.1, 0.1), kind="movable"),
    )
    refusal = plan(world_at(model, (1, 1)), "navigate_to", EntityRef("lime", 1))
    assert isinstance(refusal, Refusal) and refusal.code == Code.PATH_BLOCKED and "lime_1" in refusal.fact


def test_forward_goes_straight_or_says_how_far() -> None:
    world = world_at(open_room(), (1.0, 1.0), 0.0)
    end = last(plan(world, "forward", 1.2))
    assert np.allclose(end.xy_m[-1], (2.2, 1.0), atol=1e-9) and end.heading_rad[-1] == 0.0
    assert np.allclose(last(plan(world, "forward")).xy_m[-1], (1.6, 1.0), atol=1e-9)
    blocked = plan(world, "forward", 5.5)
    assert blocked.code == Code.PATH_BLOCKED and "wall_4" in blocked.fact and blocked.hint.startswith("walk ")
    nearer = float(blocked.hint.removeprefix("walk ").removesuffix("m"))
    assert isinstance(plan(world, "forward", nearer), Plan)
    cliff = world_at(stage(floor((0, 0), (2, 2))), (1.0, 1.0))
    assert "floor ends" in plan(cliff, "forward", 3.0).fact
    assert plan(world, "forward", 25.0).code == Code.BAD_ARGUMENT


@pytest.mark.parametrize(("args", "degrees"), [(("left",), 90), (("right", 30.0), -30), (("around",), 180), (("left", 360.0), 360)])
def test_turns(args, degrees) -> None:
    world = world_at(open_room(), (1.0, 1.0), 0.4)
    end = last(plan(world, "turn", *args))
    assert (
        end.heading_rad[-1] - 0.4 == pytest.approx(np.radians(degrees), abs=1e-6)
        or abs(wrap_angle(end.heading_rad[-1] - 0.4 - np.radians(degrees))) < 1e-6
    )
    assert np.allclose(end.xy_m, (1.0, 1.0))


def test_look_around_sees_all_sides_and_ends_as_before() -> None:
    world = world_at(open_room(), (1.0, 1.0), 0.4)
    found = plan(world, "look_around")
    marks = [s for s in found.segments if s.marks]
    assert len(marks) == 4 and abs(wrap_angle(found.segments[-1].heading_rad[-1] - 0.4)) < 1e-6
    headings = sorted(round(float(np.degrees(s.heading_rad[-1] - 0.4))) % 360 for s in marks)
    assert headings == [0, 90, 180, 270]


def test_waiting_has_no_frames_however_long() -> None:
    world = world_at(open_room(), (1.0, 1.0))
    found = plan(world, "wait", 600.0)
    assert found.segments == () and found.notes["hold_ticks"] == 7200
    assert plan(world, "wait").notes["hold_ticks"] == 36 and plan(world, "wait", 0.1).notes["hold_ticks"] == 2
    assert plan(world, "wait", 601.0).code == Code.BAD_ARGUMENT
    assert plan(world, "confirm").segments == ()


def test_doors_are_opened_and_closed_once(monkeypatch) -> None:
    calls = []

    def plan_drive(world, key, is_open):
        calls.append((key, is_open))
        body = world.state.body
        one = Segment("swing", body.pose_rad[None], body.translation_m[None], np.array([body.xy_m]), np.array([0.0]), np.ones(1, bool))
        return [one]

    monkeypatch.setattr("actions.verbs._opening.plan_drive", plan_drive)
    shut, wide = world_at(two_rooms(), (1.0, 1.0)), world_at(two_rooms(initial=-0.5 * np.pi), (1.0, 1.0))
    door = EntityRef("door", 1)
    assert isinstance(plan(shut, "open_door", door), Plan) and isinstance(plan(wide, "close_door", door), Plan)
    assert calls == [("door_1", True), ("door_1", False)]
    assert plan(wide, "open_door", door).code == Code.ALREADY and plan(shut, "close_door", door).code == Code.ALREADY
    assert plan(shut, "open_door", EntityRef("wall", 1)).code == Code.NOT_AFFORDED
    verify = load_verb("open_door").verify
    assert verify(SceneGraph({("door_1", "open"): True}), Command("open_door", (door,))) is None
    refusal = verify(SceneGraph({("door_1", "joint"): 12}), Command("open_door", (door,)))
    assert refusal is not None and refusal.code == Code.POSTCONDITION_FAILED


def test_walk_to_what_stands_on_furniture_comes_as_near_as_possible() -> None:
    model = open_room()
    vase = block("vase_1", (2.95, 2.95, 0.75), (3.05, 3.05, 1.0))
    world = world_at(stage(*model.entities, vase), (1.0, 1.0))
    end = last(plan(world, "navigate_to", EntityRef("vase", 1)))
    assert np.hypot(end.xy_m[-1][0] - 3.0, end.xy_m[-1][1] - 3.0) < 0.9

"""check_scene: one seeded fault, one named finding."""

from __future__ import annotations

import numpy as np
import pytest

from assets_bake.check_rooms import check_rooms
from assets_bake.check_scene import check_scene, fits
from assistcore.house.stage import Entity, Joint, Link, Room, StageModel
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose, yaw_quat_wxyz
from tests.assets_bake.scenes import SQUARE, block, region, stage, textured


def _whats(found: StageModel) -> list[str]:
    return [f"{p.where.split('/')[-1]}: {p.what}" for p in check_scene(found)]


def test_a_sound_scene_has_no_finding() -> None:
    table = block("table_1", (1.0, 0.6, 0.7), (2.0, 1.5, 0.0), kind="fixture")
    assert check_scene(stage(table, block("cup_1", (0.08, 0.08, 0.1), (2.0, 1.5, 0.7)))) == []


@pytest.mark.parametrize(
    ("entities", "expected"),
    [
        ([block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0)), block("cup_1", (0.1, 0.1, 0.1), (2, 1, 0))], "key 'cup_1' is used 2 times"),
        ([block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0), room="hal")], "unknown room 'hal'"),
        ([textured("cup_1", "wod")], "missing texture 'wod'"),
        ([block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0.02))], "floats: 20 mm above what is below"),
        ([block("cup_1", (0.1, 0.1, 0.1), (4.1, 1, 0))], "is outside its room 'hall'"),
        (
            [block("bin_1", (0.3, 0.3, 0.3), (1, 1, 0), regions=(region("inside", (-0.2, -0.1, 0.01), (0.1, 0.1, 0.3)),))],
            "reaches outside the entity along x",
        ),
        ([block("a_1", (0.2, 0.2, 0.2), (1, 1, 0)), block("b_1", (0.2, 0.2, 0.2), (1.19, 1, 0))], "is 10 mm inside 'b_1'"),
    ],
)
def test_one_fault_is_one_finding(entities: list[Entity], expected: str) -> None:
    found = _whats(stage(*entities))
    assert len(found) == 1 and expected in found[0], found


def test_touching_by_less_than_5_mm_is_no_overlap() -> None:
    found = check_scene(stage(block("a_1", (0.2, 0.2, 0.2), (1, 1, 0)), block("b_1", (0.2, 0.2, 0.2), (1.196, 1, 0))))
    assert found == []


def test_a_massless_movable_is_found() -> None:
    """cases.md D, newton#3592: a dynamic body of mass 0 is an error."""
    made = block("cup_1", (0.1, 0.1, 0.1), (1, 1, 0))
    bare = Entity(made.ref, made.kind, made.category, made.asset, made.room, made.pose, made.links, mass_kg=0.0)
    assert any("needs a positive mass" in p.fix for p in check_scene(stage(bare)))


def test_a_lime_behind_boxes_is_walled_in_and_one_beside_them_is_not() -> None:
    """cases.md C, virtualhome#27."""
    walls = [
        block("box_1", (0.1, 0.5, 0.5), (0.8, 1.0, 0.0), kind="fixture"),
        block("box_2", (0.1, 0.5, 0.5), (1.2, 1.0, 0.0), kind="fixture"),
        block("box_3", (0.3, 0.1, 0.5), (1.0, 0.8, 0.0), kind="fixture"),
        block("box_4", (0.3, 0.1, 0.5), (1.0, 1.2, 0.0), kind="fixture"),
        block("box_5", (0.5, 0.5, 0.1), (1.0, 1.0, 0.5), kind="fixture"),
    ]
    lime, free = block("lime_1", (0.06, 0.06, 0.06), (1.0, 1.0, 0.0)), block("lime_2", (0.06, 0.06, 0.06), (2.0, 1.0, 0.0))
    found = check_scene(stage(*walls, lime, free))
    assert [p.where for p in found] == ["test#/entities/lime_1"] and "walled in" in found[0].what


def test_a_door_that_strikes_a_table_is_found() -> None:
    leaf = block("gate_1", (0.8, 0.04, 1.0), (2.0, 2.0, 0.0), kind="fixture")
    joint = Joint("gate_1.leaf", "hinge", (0, 0, 1), (-0.4, 0.0, 0.0), 0.0, -1.5)
    link = Link("body", np.eye(4), (), leaf.links[0].pieces, joint)
    gate = Entity(leaf.ref, "fixture", "gate", "gate", "hall", leaf.pose, (link,), roles=frozenset({"openable"}))
    found = check_scene(stage(gate, block("table_1", (0.5, 0.5, 0.7), (2.0, 1.4, 0.0), kind="fixture")))
    assert [p.where for p in found] == ["test#/joints/gate_1.leaf"]


def test_a_box_too_big_for_a_shelf_is_told_in_numbers() -> None:
    """cases.md C, virtualhome#155."""
    shelf = region("shelf", (-0.4, -0.2, 0.0), (0.4, 0.2, 0.30))
    sideways = type(shelf)(shelf.name, shelf.kind, shelf.link, shelf.low_m, shelf.high_m, (), (0.0, -1.0, 0.0))
    assert fits(block("box_1", (0.3, 0.3, 0.5), (0, 0, 0)), sideways) == "needs 0.50, has 0.30 (z)"
    assert fits(block("cup_1", (0.1, 0.1, 0.1), (0, 0, 0)), sideways) == ""


def _door(key: str, at: tuple[float, float], width: float, yaw: float = 0.0) -> Entity:
    made = block(key, (width, 0.1, 2.0), (at[0], at[1], 0.0), kind="door", room="hall")
    q = yaw_quat_wxyz(yaw)
    pose = Pose((at[0], at[1], 0.0), (float(q[0]), 0.0, 0.0, float(q[3])))
    return Entity(EntityRef.from_key(key), "door", "door", key, "hall", pose, made.links, connects=("hall",))


PLANS = {
    "repeated vertex": (((0, 0), (4, 0), (4, 0), (4, 3), (0, 3)), "repeated vertex"),
    "bow-tie": (((0, 0), (4, 3), (4, 0), (0, 3)), "crosses itself (bow-tie)"),
    "collinear": (((0, 0), (2, 0), (4, 0), (4, 3), (0, 3)), "collinear"),
}


@pytest.mark.parametrize("name", PLANS)
def test_bad_polygons(name: str) -> None:
    """cases.md C, procthor#52."""
    polygon, expected = PLANS[name]
    found = check_rooms(StageModel("test", (Room("hall", "hall", polygon),), ()))
    assert len(found) == 1 and expected in found[0].what, found


def test_identical_nested_and_ill_placed_are_named_in_one_report() -> None:
    """cases.md C, procthor#52: identical rooms, a room in a room, a door wider than its wall, a door on no wall."""
    hall, twin = Room("hall", "hall", SQUARE), Room("twin", "twin", SQUARE)
    inner = Room("closet", "closet", ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)))
    small = Room("hall", "hall", ((0.0, 0.0), (0.7, 0.0), (0.7, 3.0), (0.0, 3.0)))
    assert ["is identical to room 'hall'"] == [p.what for p in check_rooms(StageModel("t", (hall, twin), ()))]
    assert ["lies inside room 'hall'"] == [p.what for p in check_rooms(StageModel("t", (hall, inner), ()))]
    wide = check_rooms(StageModel("t", (small,), (_door("door_1", (0.35, 0.0), 0.9),)))
    assert len(wide) == 1 and "is 0.90 m wide, its wall in room 'hall' only 0.70 m" in wide[0].what
    lost = check_rooms(StageModel("t", (hall,), (_door("door_2", (2.0, 1.5), 0.9),)))
    assert len(lost) == 1 and "is on no wall of room 'hall'" in lost[0].what
    assert check_rooms(StageModel("t", (hall,), (_door("door_3", (4.0, 1.5), 0.9, np.pi / 2),))) == []


def test_the_committed_flat_is_sound() -> None:
    from assistworld.engines.house.scenes import load_scene

    assert check_scene(load_scene("flat")) == []

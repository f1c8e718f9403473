"""Predicates at their tolerances (cases.md H: BEHAVIOR-1K#1047, IsaacLab-Arena PR#979, BEHAVIOR-1K PR#2327)."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from assistcore.house.read_graph import HUMAN, read_graph
from assistcore.house.relations import in_polygon, room_of
from assistcore.house.stage import Entity, Link, Room, StageModel
from assistcore.house.state import Held
from assistcore.world.poses import Pose, quat_multiply_wxyz, yaw_quat_wxyz
from tests.house import stages


def related(kind: str, subject: str, model: StageModel, **more: object) -> tuple[str, ...]:
    value = read_graph(model, stages.state_of(model, **more)).value(subject, kind)  # type: ignore[arg-type]
    assert isinstance(value, tuple)
    return value


def box_on_table(gap_m: float) -> StageModel:
    return stages.stage(stages.floor(), stages.table(), stages.block("box_1", (0.05, 0.05, 0.05), (0.0, 0.0, 0.80 + gap_m)))


@pytest.mark.parametrize(("gap_m", "expected"), [(0.0, True), (0.0049, True), (0.0051, False), (-0.0049, True), (-0.02, False)])
def test_on_holds_at_once_within_five_millimetres(gap_m: float, expected: bool) -> None:
    assert (related("on", "box_1", box_on_table(gap_m)) == ("table_1",)) is expected


def test_on_is_direct_support_only() -> None:
    plate = stages.block("plate_1", (0.1, 0.1, 0.01), (0.0, 0.0, 0.76))
    model = stages.stage(stages.floor(), stages.table(), plate, stages.block("cup_1", (0.03, 0.03, 0.04), (0.02, 0.0, 0.81)))
    assert related("on", "cup_1", model) == ("plate_1",)
    assert related("on", "plate_1", model) == ("table_1",)


def test_things_side_by_side_are_not_on_each_other() -> None:
    one, two = (stages.block(f"plate_{i}", (0.1, 0.1, 0.003), (0.1998 * i, 0.0, 0.753)) for i in (1, 2))
    model = stages.stage(stages.floor(), stages.table(), one, two)
    assert related("on", "plate_1", model) == ("table_1",)
    assert related("on", "plate_2", model) == ("table_1",)


def test_a_tilted_box_rests_on_an_edge() -> None:
    """Two boxes whose edges cross: no corner of either is above the other."""
    tilt = np.array([np.cos(pi / 8), np.sin(pi / 8), 0.0, 0.0])
    ridge = quat_multiply_wxyz(yaw_quat_wxyz(pi / 2), tilt)
    below = stages.block("below_1", (0.3, 0.05, 0.05), (0.0, 0.0, 1.0))
    above = stages.block("above_1", (0.3, 0.05, 0.05))
    reach = 0.05 * np.sqrt(2.0)
    model = stages.stage(below, above)
    for gap, expected in ((0.003, True), (0.008, False)):
        poses = {
            "below_1": Pose((0.0, 0.0, 1.0), tuple(tilt)),
            "above_1": Pose((0.0, 0.0, 1.0 + 2 * reach + gap), tuple(ridge)),
        }
        assert (related("on", "above_1", model, poses=poses) == ("below_1",)) is expected


def leaning(yaw_rad: float) -> StageModel:
    """An apple that touches the outer wall of an open box from outside."""
    box = stages.open_box("bin_1", (0.15, 0.12, 0.08), (0.0, 0.0, 0.08), yaw_rad)
    out = np.array([np.cos(yaw_rad), np.sin(yaw_rad)]) * (0.15 + 0.0395)
    return stages.stage(stages.floor(), box, stages.ball("apple_1", at=(float(out[0]), float(out[1]), 0.04)))


@pytest.mark.parametrize("yaw_rad", [0.0, pi / 4])
def test_leaning_outside_is_not_inside(yaw_rad: float) -> None:
    model = leaning(yaw_rad)
    assert related("inside", "apple_1", model) == ()
    assert related("on", "apple_1", model) == ("floor_1",)
    poses = {"apple_1": Pose((0.08 * np.cos(yaw_rad), 0.08 * np.sin(yaw_rad), 0.05))}
    assert related("inside", "apple_1", model, poses=poses) == ("bin_1",)


def test_lying_across_the_rim_is_not_inside() -> None:
    box = stages.open_box("bin_1", at=(0.0, 0.0, 0.08))
    model = stages.stage(stages.floor(), box, stages.block("board_1", (0.3, 0.02, 0.01), (0.0, 0.0, 0.17)))
    assert related("inside", "board_1", model) == ()
    assert related("on", "board_1", model) == ("bin_1",)


def test_inside_rides_with_the_drawer() -> None:
    model = stages.stage(stages.floor(), stages.drawer(), stages.ball("apple_1", at=(0.0, 0.0, 0.47)))
    assert related("inside", "apple_1", model) == ("drawer_1",)
    assert related("on", "apple_1", model) == ()
    pulled = {"drawer_1_slide": 0.4}
    assert related("inside", "apple_1", model, joints=pulled) == ()
    assert related("inside", "apple_1", model, joints=pulled, poses={"apple_1": Pose((0.4, 0.0, 0.47))}) == ("drawer_1",)


def test_nested_containers_hold_it_all() -> None:
    box = stages.open_box("bin_1", (0.10, 0.08, 0.05), (0.0, 0.0, 0.09))
    model = stages.stage(stages.floor(), stages.cabinet(), box, stages.block("egg_1", (0.02, 0.02, 0.02), (0.0, 0.0, 0.08)))
    assert related("inside", "egg_1", model) == ("bin_1", "cabinet_1")
    assert related("inside", "bin_1", model) == ("cabinet_1",)


def test_near_is_the_closest_distance_not_the_centre() -> None:
    big = stages.entity("chest_1", "fixture", [stages.boxes_link("base", [((0.0, 0.0, 0.0), (0.6, 0.6, 0.6))])], (1.0, 0.0, 0.0))
    model = stages.stage(big, stages.block("pin_1", (0.001, 0.001, 0.001)))
    assert related("near", "pin_1", model) == ("chest_1",)
    for x, expected in ((-0.09, ("chest_1",)), (-0.12, ())):
        assert related("near", "pin_1", model, poses={"pin_1": Pose((x, 0.0, 0.0))}) == expected


def test_near_of_turned_boxes_is_exact() -> None:
    model = stages.stage(stages.block("a_1", (0.2, 0.2, 0.2)), stages.block("b_1", (0.2, 0.2, 0.2)))
    turned = tuple(yaw_quat_wxyz(pi / 4))
    for gap, expected in ((0.49, ("b_1",)), (0.51, ())):
        poses = {"a_1": Pose(), "b_1": Pose((0.2 + 0.2 * np.sqrt(2.0) + gap, 0.0, 0.0), turned)}
        assert related("near", "a_1", model, poses=poses) == expected


def test_the_person_is_near_what_is_within_reach_of_the_body() -> None:
    model = stages.stage(stages.floor(), stages.table())
    assert related("near", HUMAN, model, body=stages.body_at(-1.2)) == ("table_1",)
    assert related("near", HUMAN, model, body=stages.body_at(-1.4)) == ()


@pytest.mark.parametrize("reversed_limits", [False, True])
@pytest.mark.parametrize(
    ("fraction", "is_open", "is_closed"),
    [(0.0, False, True), (0.01, False, True), (0.05, False, False), (0.5, True, False), (1.0, True, False)],
)
def test_open_and_closed_with_limits_either_way(reversed_limits: bool, fraction: float, is_open: bool, is_closed: bool) -> None:
    closed_at, open_at = (0.4, 0.0) if reversed_limits else (0.0, 0.4)
    model = stages.stage(stages.drawer("drawer_1", closed_at=closed_at, open_at=open_at))
    graph = read_graph(model, stages.state_of(model, joints={"drawer_1_slide": closed_at + fraction * (open_at - closed_at)}))
    assert graph.value("drawer_1", "joint") == round(1000 * fraction)
    assert graph.has("open", "drawer_1") is is_open
    assert graph.has("closed", "drawer_1") is is_closed


def test_what_is_held_stands_on_nothing_and_its_contents_stay_inside() -> None:
    box = stages.open_box("bin_1", at=(0.0, 0.0, 0.83))
    model = stages.stage(stages.floor(), stages.table(), box, stages.ball("apple_1", at=(0.0, 0.0, 0.80)))
    held = Held("bin_1", "right", Pose())
    graph = read_graph(model, stages.state_of(model, held=held))
    assert graph.value("bin_1", "held") == ("right",)
    assert graph.value("bin_1", "on") == ()
    assert graph.has("inside", "apple_1", "bin_1")
    assert graph.value("apple_1", "held") is None


def test_rooms_by_polygon_and_the_nearest_in_a_doorway() -> None:
    hall = Room("hall", "hall", ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)))
    kitchen = Room("kitchen", "kitchen", ((2.1, 0.0), (4.0, 0.0), (4.0, 2.0), (2.1, 2.0)))
    assert in_polygon(hall.polygon_m, 0.5, 1.5)
    assert not in_polygon(hall.polygon_m, 1.5, 1.5)
    assert room_of((hall, kitchen), 3.0, 1.0) == "kitchen"
    assert room_of((hall, kitchen), 2.03, 0.5) == "hall"
    assert room_of((hall, kitchen), 2.07, 0.5) == "kitchen"
    assert room_of((), 0.0, 0.0) == ""


def test_flat_and_empty_pieces_do_not_break_the_reading() -> None:
    paper = stages.block("paper_1", (0.1, 0.07, 0.0), (0.0, 0.0, 0.7505))
    flat = np.array([[x, y, 0.0] for x in (-0.05, 0.05) for y in (-0.05, 0.05)])
    card = stages.entity(
        "card_1", "movable", [Link("base", np.eye(4), (), (stages.ConvexPiece("card", flat, np.eye(4)),))], (0.3, 0.0, 0.7505), mass_kg=0.01
    )
    ghost: Entity = stages.entity("ghost_1", "fixture", [Link("base", np.eye(4), (), ())])
    model = stages.stage(stages.floor(), stages.table(), paper, card, ghost)
    assert related("on", "paper_1", model) == ("table_1",)
    assert related("on", "card_1", model) == ("table_1",)

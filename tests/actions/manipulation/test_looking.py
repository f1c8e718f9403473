"""LookAt at what is printed: by bending down to it, by taking it out and setting it back the way it came, and what is said otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from actions.frames import trunk_transforms
from actions.manipulation.freedom import Freedom
from actions.manipulation.inspect import MARK, letter_m, readable
from actions.manipulation.posture import rung, stance_matrix
from actions.motions import Segment
from actions.verbs import look_at, pick
from actions.world import ActionWorld
from assistcore.house.stage import Entity, Label
from assistcore.house.visibility import uncovered
from assistcore.world.commands import Command
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal
from humans.camera import head_camera
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.actions.manipulation.checks import held_steadily, planned, play, same_state, speeds
from tests.actions.manipulation.scenes import at, box, fixed, mug, packet, shelf, table, thing, world


def command(verb: str, key: str) -> Command:
    """A command on one entity."""
    return Command(verb, (EntityRef.from_key(key),))


def readings(w: ActionWorld, key: str, segments: tuple[Segment, ...]) -> int:
    """In how many of the frames that are held for reading a print of the thing is legible."""
    scratch, found = w.fork(), 0
    for segment in segments:
        scratch.advance(segment)
        for frame, mark in segment.marks:
            assert mark == MARK
            found += bool(readable(scratch, key, segment.pose_rad[frame], segment.translation_m[frame], with_ease=False))
    return found


@pytest.fixture(scope="module")
def low() -> ActionWorld:
    """A packet with small print on the lowest board of a shelf."""
    return world(shelf(), packet("packet_1", 0.97, 2.05, 0.35), xy=(-0.3, 1.2))


@pytest.fixture(scope="module")
def read(low: ActionWorld) -> tuple[Segment, ...]:
    """The look at it."""
    before = low.state
    plan = planned(look_at.plan(low, command("look_at", "packet_1")))
    assert same_state(low.state, before), "planning changes nothing"
    return plan.segments


def test_what_is_printed_small_on_a_low_shelf_is_taken_out_to_be_read(low: ActionWorld, read: tuple[Segment, ...]) -> None:
    phases = [s.phase for s in read]
    assert "reach" in phases and phases.index("lift") < phases.index("look") < phases.index("lower")
    assert readings(low, "packet_1", read) == 1


def test_it_is_set_back_exactly_where_it_was(low: ActionWorld, read: tuple[Segment, ...]) -> None:
    after = play(low, read)
    assert after.state.held is None
    there, back = (s.poses["packet_1"].matrix() for s in (low.state, after.state))
    assert np.abs(there - back).max() < 1e-9
    assert read[-1].settle and read[-1].safe[-1], "physics has the last word, and the person stands canonically again"


def test_the_way_back_is_the_way_there_reversed(read: tuple[Segment, ...]) -> None:
    lift, lower = (next(s for s in read if s.phase == phase) for phase in ("lift", "lower"))
    assert np.array_equal(lift.carried["packet_1"][-2::-1], lower.carried["packet_1"][:-1])
    assert np.array_equal(lift.pose_rad[-2::-1], lower.pose_rad[:-1])


def test_limits_hold_and_feet_stay_planted(low: ActionWorld, read: tuple[Segment, ...]) -> None:
    hand, joint = speeds(low, read)
    assert hand <= 2.5 and joint <= 10.0
    assert held_steadily(low, read) < 1e-6
    manual = [s for s in read if s.phase in ("reach", "lift", "look", "look_back", "lower", "retreat")]
    feet = [JOINT["left_ankle"], JOINT["right_ankle"]]
    ankles = [trunk_transforms(low.body, s.pose_rad, s.translation_m)[:, feet][..., :3, 3] for s in manual]
    assert np.ptp(np.concatenate(ankles), axis=0).max() < 1e-6


def test_it_is_drawn_out_of_the_shelf_before_it_is_raised(low: ActionWorld, read: tuple[Segment, ...]) -> None:
    """The board above is at 0.85 m, the shelf's front at x = 0.84 m."""
    track = next(s for s in read if s.phase == "lift").carried["packet_1"]
    above = track[track[:, 2] > 0.85 - 0.2 - 0.025]
    assert len(above) and above[:, 0].max() < 0.84


def test_a_large_print_in_front_is_read_without_touching_it() -> None:
    large = Label("base", (-0.0305, 0.0, 0.1), (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.11, 0.18), ("OATS", "1 kg"))
    w = world(shelf(), replace(packet("packet_1", 0.97, 2.05, 0.85), labels=(large,)), xy=(-0.3, 1.2))
    plan = planned(look_at.plan(w, command("look_at", "packet_1")))
    assert not {"reach", "lift"} & {s.phase for s in plan.segments}
    assert readings(w, "packet_1", plan.segments) == 1
    assert "remark" not in plan.notes


def test_a_look_that_cannot_show_the_print_says_so() -> None:
    """With a mug in the hand what is turned away on the shelf cannot be turned round."""
    w = world(shelf(), packet("packet_1", 0.97, 2.05, 0.35, yaw=np.pi), table(), mug("mug_1", 0.65, -0.1), xy=(-0.6, 0.3))
    holding = play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)
    plan = planned(look_at.plan(holding, command("look_at", "packet_1")))
    assert readings(holding, "packet_1", plan.segments) == 0
    assert "packet_1" in str(plan.notes["remark"]) and "could be read" in str(plan.notes["remark"])


def test_letters_are_as_large_as_height_and_width_allow() -> None:
    one = Label("base", (0, 0, 0), (0, 0, 1), (0, 1, 0), (0.10, 0.02), ("A",))
    long = Label("base", (0, 0, 0), (0, 0, 1), (0, 1, 0), (0.10, 0.02), ("A" * 20,))
    assert letter_m(one) == pytest.approx(0.011), "of a line of 20 mm a capital takes 55 %"
    assert letter_m(long) == pytest.approx(0.0045), "20 letters on 100 mm"


def test_hands_and_postures_that_meet_something_are_told_apart() -> None:
    w = world(table(), xy=(0.0, 0.0))
    free = Freedom(w, stance_matrix((0.0, 0.0), 0.0), "right", frozenset())
    wrists = np.tile(np.eye(4), (2, 1, 1))
    wrists[:, :3, 3] = [(0.8, 0.0, 0.74), (0.8, 0.0, 0.95)]
    assert free.hands(wrists).tolist() == [False, True], "in the table top, above it"
    assert free.posture(rung(w.body, 0.0, 0.0)) and free.arms(rung(w.body, 0.0, 0.0), np.empty((0, 4, 3, 3))).shape == (0,)
    near = Freedom(w, stance_matrix((0.30, 0.0), 0.0), "right", frozenset())
    assert not near.posture(rung(w.body, 0.35, 1.0)), "in a squat the knees are in the table that begins 0.2 m ahead"
    assert near.posture(rung(w.body, 0.30, 0.0)), "upright they are not"
    behind = Freedom(w, stance_matrix((0.30, 0.0), 0.0), "right", frozenset({"table_1"}))
    assert behind.posture(rung(w.body, 0.35, 1.0))


def die(x: float, y: float) -> Entity:
    """A block of 6 cm on the table."""
    return thing("die_1", "die", at(x, y, 0.75), (box("body", (0.03, 0.03, 0.03), (0.0, 0.0, 0.03)),))


def cover(x: float, y: float, z: float) -> Entity:
    """A box without a bottom, upside down, 18 cm wide and 16 cm high."""
    walls = [box(f"side{i}", (0.003, 0.09, 0.08), (sx * 0.087, 0.0, 0.08)) for i, sx in enumerate((-1, 1))]
    walls += [box(f"end{i}", (0.09, 0.003, 0.08), (0.0, sy * 0.087, 0.08)) for i, sy in enumerate((-1, 1))]
    return thing("cover_1", "cover", at(x, y, z), (*walls, box("top", (0.09, 0.09, 0.003), (0.0, 0.0, 0.157))))


@pytest.mark.parametrize("near", [True, False])
def test_what_is_under_a_cover_cannot_be_looked_at(near: bool) -> None:
    """It ended as done, although nothing of it was ever in view."""
    w = world(table(), die(0.65, 0.0), cover(0.65, 0.0, 0.75), xy=(0.0, 0.0) if near else (-2.0, 1.5))
    before = w.state
    refusal = look_at.plan(w, command("look_at", "die_1"))
    assert isinstance(refusal, Refusal) and refusal.code == Code.NOT_VISIBLE and "cover_1" in refusal.fact, refusal
    assert same_state(w.state, before)
    planned(look_at.plan(w, command("look_at", "cover_1")))


def test_what_stands_behind_something_is_looked_at_from_a_side() -> None:
    board = fixed("board_1", "board", at(0.5, 0.0, 0.75), (box("board", (0.005, 0.08, 0.4), (0.0, 0.0, 0.4)),))
    w = world(table(), die(0.65, 0.0), board)
    plan = planned(look_at.plan(w, command("look_at", "die_1")))
    scratch = w.fork()
    for segment in plan.segments:
        scratch.advance(segment)
        for frame, _ in segment.marks:
            joints = joint_transforms(w.body, segment.pose_rad[frame], segment.translation_m[frame])
            assert uncovered(w.stage, scratch.state, "die_1", *head_camera(w.body, joints)).share > 0.02

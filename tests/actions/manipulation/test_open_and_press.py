"""Open, Close, TurnOn, TurnOff, LookAt on small synthetic stages."""

from __future__ import annotations

import numpy as np
import pytest

from actions.manipulation import drive, leading
from actions.manipulation.drive import plan_drive
from actions.manipulation.inspect import MARK
from actions.manipulation.keys import Figure
from actions.manipulation.paths import Frames, peak_speeds
from actions.manipulation.pulling import HINGE_RAD_S, SLIDE_M_S
from actions.verbs import close as close_verb
from actions.verbs import look_at, pick, turn_off, turn_on
from actions.verbs import open as open_verb
from actions.world import ActionWorld
from assistcore.house.read_graph import read_graph
from assistcore.world.commands import Command
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal
from humans.model import JOINT, load_body
from humans.postures import Posture, solve_posture
from tests.actions.manipulation.checks import held_steadily, planned, play, same_state, speeds
from tests.actions.manipulation.scenes import at, box, cabinet, carcass, drawer, lamp, mug, packet, room_door, table, thing, world


def command(verb: str, *keys: str) -> Command:
    """A command on entities."""
    return Command(verb, tuple(EntityRef.from_key(k) for k in keys))


@pytest.fixture(scope="module")
def house() -> ActionWorld:
    """A drawer with a cup in it, a wall cabinet, a table with a lamp and a packet."""
    cup = mug("cup_1", 1.0, -2.0, 0.614, 0.03, 0.08)
    return world(table(), drawer(), carcass(), cup, cabinet(), lamp(), packet("packet_1", 0.66, -0.15), xy=(-0.3, -0.8), heading=-0.8)


@pytest.mark.parametrize("key", ["drawer_1", "cabinet_1"])
def test_open_then_close(house: ActionWorld, key: str) -> None:
    before = house.state
    plan = planned(open_verb.plan(house, command("open", key)))
    assert same_state(house.state, before), "planning changes nothing"
    opened = play(house, plan.segments)
    graph = read_graph(opened.stage, opened.state)
    assert open_verb.verify(graph, command("open", key)) is None and graph.has("open", key)
    hand, joint = speeds(house, plan.segments)
    assert hand <= 2.5 and joint <= 10.0
    back = planned(close_verb.plan(opened, command("close", key)))
    shut = play(opened, back.segments)
    assert close_verb.verify(read_graph(shut.stage, shut.state), command("close", key)) is None
    assert speeds(opened, back.segments)[0] <= 2.5


def test_an_opening_that_gets_nowhere_is_given_up_after_so_many_plans(house: ActionWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    coasts: list[float] = []

    def promises_much(world: ActionWorld, leads: leading.Leads, coast: float = leading.COAST_SHARE) -> leading.Part:
        coasts.append(coast)
        return leading.Part((), 0.6, 1)

    def planned_with(plans: int) -> list[float]:
        coasts.clear()
        monkeypatch.setattr(drive, "PLANS", plans)
        refused = plan_drive(house, "drawer_1", True)
        assert isinstance(refused, Refusal) and refused.code == Code.OUT_OF_REACH
        return coasts.copy()

    monkeypatch.setattr(leading, "lead_here", promises_much)
    assert len(planned_with(1000)) > 12
    few = planned_with(12)
    assert len(few) == 12 and few.count(1.0) == 4, "some are kept for the search in which everything may coast"


def test_joint_moves_without_jumps(house: ActionWorld) -> None:
    for key, limit in (("drawer_1", SLIDE_M_S), ("cabinet_1", HINGE_RAD_S)):
        plan = planned(open_verb.plan(house, command("open", key)))
        joint = house.stage.entity(key).joints[0].key
        values = np.concatenate([[house.state.joints[joint]], *(s.joints[joint] for s in plan.segments if joint in s.joints)])
        assert values[-1] == pytest.approx(house.stage.entity(key).joints[0].open_at)
        assert float(np.abs(np.diff(values)).max()) * 12.0 <= 2.0 * limit


def test_what_is_in_a_drawer_comes_along(house: ActionWorld) -> None:
    plan = planned(open_verb.plan(house, command("open", "drawer_1")))
    after = play(house, plan.segments)
    moved = np.subtract(after.state.poses["cup_1"].position_m, house.state.poses["cup_1"].position_m)
    assert moved == pytest.approx([-0.34, 0.0, 0.0], abs=1e-6)


def test_the_free_hand_opens_while_the_other_holds() -> None:
    w = world(table(), mug("mug_1", 0.65, 0.0), cabinet(), xy=(0.2, 0.0))
    held = play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)
    plan = planned(open_verb.plan(held, command("open", "cabinet_1")))
    after = play(held, plan.segments)
    assert after.state.held is not None and after.state.held == held.state.held
    assert held_steadily(held, plan.segments) < 1e-6
    assert read_graph(after.stage, after.state).has("open", "cabinet_1")


@pytest.mark.parametrize("y", [2.0, 4.2])
def test_a_room_door_opens_from_either_side(y: float) -> None:
    """Pulled from one side, pushed from the other."""
    w = world(room_door(), xy=(0.2, y), heading=1.57 if y < 3.0 else -1.57)
    segments = plan_drive(w, "kitchen_door_1", True)
    assert not isinstance(segments, Refusal), segments
    after = play(w, segments)
    assert after.state.open_fraction(after.stage, "kitchen_door_1_hinge") == pytest.approx(1.0)


@pytest.mark.parametrize("y", [1.9, 4.2])
def test_what_stands_behind_a_door_is_named(y: float) -> None:
    """From either side: a crate where the leaf would swing keeps it shut."""
    crate = thing("crate_1", "crate", at(-0.1, 3.45, 0.0), (box("crate", (0.15, 0.15, 0.2), (0.0, 0.0, 0.2)),), 8.0)
    w = world(room_door(), crate, xy=(0.2, y), heading=1.57 if y < 3.0 else -1.57)
    before = w.state
    refusal = plan_drive(w, "kitchen_door_1", True)
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION
    assert refusal.fact.startswith("crate_1 is in the way of kitchen_door_1") and "crate_1" in refusal.hint
    assert same_state(w.state, before)


def test_a_crate_beside_the_swing_does_not_keep_it_shut() -> None:
    crate = thing("crate_1", "crate", at(0.8, 3.6, 0.0), (box("crate", (0.15, 0.15, 0.2), (0.0, 0.0, 0.2)),), 8.0)
    w = world(room_door(), crate, xy=(0.2, 1.9), heading=1.57)
    assert not isinstance(plan_drive(w, "kitchen_door_1", True), Refusal)


@pytest.mark.parametrize("opening", [True, False])
@pytest.mark.parametrize("key", ["cabinet_1", "kitchen_door_1"])
def test_a_hand_is_on_the_leaf_wherever_it_moves(key: str, opening: bool) -> None:
    """It neither starts nor goes on untouched; at most the last tenth of its range it may coast, slower and slower."""
    w = world(room_door()) if key.endswith("door_1") else world(cabinet(), xy=(0.3, 0.0))
    joint = w.stage.entity(key).joints[0]
    w.state = w.state.with_(joints={**w.state.joints, joint.key: joint.closed_at if opening else joint.open_at})
    segments = plan_drive(w, key, opening)
    assert not isinstance(segments, Refusal), segments
    coasted, value = 0.0, w.state.joints[joint.key]
    for segment in segments:
        track = segment.joints.get(joint.key)
        if track is None:
            continue
        step = np.abs(np.diff(np.concatenate([[value], track])))
        if segment.phase == "retreat":
            coasted += float(step.sum())
            assert (np.diff(step) <= 1e-9).all(), "a leaf that is left alone gets slower"
        else:
            assert segment.phase == "drive" and segment.allowed.hands
        value = float(track[-1])
    assert value == pytest.approx(joint.open_at if opening else joint.closed_at, abs=1e-6)
    assert coasted <= 0.1 * abs(joint.open_at - joint.closed_at) + 1e-9


def test_a_press_switches_at_the_touch(house: ActionWorld) -> None:
    plan = planned(turn_on.plan(house, command("turn_on", "lamp_1")))
    effects = [(s.phase, at, len(s)) for s in plan.segments for at, _ in s.effects]
    assert [(phase, at == n - 1) for phase, at, n in effects] == [("reach", True)]
    lit = play(house, plan.segments)
    assert turn_on.verify(read_graph(lit.stage, lit.state), command("turn_on", "lamp_1")) is None
    dark = play(lit, planned(turn_off.plan(lit, command("turn_off", "lamp_1"))).segments)
    assert turn_off.verify(read_graph(dark.stage, dark.state), command("turn_off", "lamp_1")) is None


def test_a_look_at_a_held_packet_shows_its_label_and_ends_where_it_began(house: ActionWorld) -> None:
    held = play(house, planned(pick.plan(house, command("pick", "packet_1"))).segments)
    plan = planned(look_at.plan(held, command("look_at", "packet_1")))
    assert MARK in [name for s in plan.segments for _, name in s.marks]
    after = play(held, plan.segments)
    assert after.state.held == held.state.held
    assert np.abs(after.state.body.pose_rad - held.state.body.pose_rad).max() < 1e-6


def test_looking_at_a_thing_leaves_it_where_it_was(house: ActionWorld) -> None:
    for key in ("packet_1", "lamp_1"):
        plan = planned(look_at.plan(house, command("look_at", key)))
        after = play(house, plan.segments)
        assert after.state.held is None
        if key in house.state.poses:
            assert after.state.poses[key].position_m == pytest.approx(house.state.poses[key].position_m, abs=0.004)


def test_refusals(house: ActionWorld) -> None:
    def code(result: object) -> str:
        assert isinstance(result, Refusal), result
        assert result.fact
        return result.code

    assert code(close_verb.plan(house, command("close", "drawer_1"))) == Code.ALREADY
    assert code(open_verb.plan(house, command("open", "table_1"))) == Code.NOT_AFFORDED
    assert code(turn_off.plan(house, command("turn_off", "lamp_1"))) == Code.ALREADY
    assert code(turn_on.plan(house, command("turn_on", "table_1"))) == Code.NOT_AFFORDED
    assert code(look_at.plan(house, command("look_at", "floor_1"))) == Code.NOT_AFFORDED
    assert code(look_at.plan(house, command("look_at", "cup_1"))) == Code.CLOSED


def test_the_hand_that_does_nothing_keeps_the_limit_too() -> None:
    """[Open] <drawer> (2) of the flat: a trunk that straightened in two frames threw the hanging hand forward at 2.86 m/s."""
    body = load_body()
    pose, translation = solve_posture(body, Posture(0.0, 0.0, 0.0))
    raised = pose.copy()
    raised[3 * JOINT["left_shoulder"] + 1] += 0.5
    arm = np.linalg.norm(body.rest_joints_m[JOINT["left_wrist"]] - body.rest_joints_m[JOINT["left_shoulder"]])
    frames = Frames(raised[None], translation[None], np.eye(4)[None], np.zeros(1))
    for side in ("right", "left"):
        hand, _ = peak_speeds(Figure(body, side), (pose, translation), frames)
        assert 0.5 * arm < hand / 12.0 * 2.0 and hand / 12.0 < 0.5 * arm + 1e-9, "a chord of at most half a radian about the shoulder"

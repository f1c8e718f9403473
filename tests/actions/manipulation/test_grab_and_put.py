"""Grab, Put, PutIn, Drop on small synthetic stages: limits, clearance, constant grasp, refusals."""

from __future__ import annotations

import numpy as np
import pytest

from actions.verbs import pick, place, place_inside, release
from actions.world import ActionWorld
from assistcore.house.read_graph import read_graph
from assistcore.house.stage import Region
from assistcore.world.commands import Command, PlaceSpot
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal
from humans.arms import arm_overlay
from humans.postures import stand
from tests.actions.manipulation.checks import held_steadily, planned, play, same_state, speeds
from tests.actions.manipulation.scenes import at, box, carcass, drawer, mug, packet, shelf, table, thing, world


def command(verb: str, *keys: str, spot: PlaceSpot | None = None) -> Command:
    """A command on entities."""
    return Command(verb, tuple(EntityRef.from_key(k) for k in keys), spot)


@pytest.fixture(scope="module")
def stocked() -> ActionWorld:
    """A table with two mugs, and a shelf."""
    return world(table(), mug("mug_1", 0.65, -0.1), mug("mug_2", 0.75, 0.3), shelf(), xy=(-0.6, 0.3))


@pytest.fixture(scope="module")
def holding(stocked: ActionWorld) -> ActionWorld:
    """The same with mug_1 in the hand."""
    return play(stocked, planned(pick.plan(stocked, command("pick", "mug_1"))).segments)


def test_a_grab_keeps_every_limit(stocked: ActionWorld) -> None:
    before = stocked.state
    plan = planned(pick.plan(stocked, command("pick", "mug_1")))
    assert same_state(stocked.state, before), "planning changes nothing"
    after = play(stocked, plan.segments)
    hand, joint = speeds(stocked, plan.segments)
    assert hand <= 2.5 and joint <= 10.0
    assert held_steadily(stocked, plan.segments) < 1e-6
    assert after.state.held is not None and after.state.held.entity == "mug_1"
    assert pick.verify(read_graph(after.stage, after.state), command("pick", "mug_1")) is None


def test_planning_twice_gives_the_same_frames(stocked: ActionWorld) -> None:
    one, two = (planned(pick.plan(stocked, command("pick", "mug_1"))) for _ in range(2))
    assert all(np.array_equal(a.pose_rad, b.pose_rad) for a, b in zip(one.segments, two.segments, strict=True))


def test_the_body_ends_in_the_canonical_stance_with_the_carrying_arm(holding: ActionWorld) -> None:
    state = holding.state
    assert state.held is not None
    pose, translation = stand(holding.body, state.body.xy_m, state.body.heading_rad, arm_overlay(state.body.pose_rad, (state.held.hand,)))
    assert np.abs(pose - state.body.pose_rad).max() < 1e-6
    assert np.abs(translation - state.body.translation_m).max() < 1e-6


def test_a_carried_mug_stays_upright(holding: ActionWorld) -> None:
    tilt = float(holding.state.poses["mug_1"].matrix()[2, 2])
    assert tilt > 0.985, "no artificial snap, but no spill either"


@pytest.mark.parametrize(("module", "target", "relation"), [(place, "table_1", "on"), (place_inside, "shelf_1", "inside")])
def test_what_was_grabbed_can_be_put(holding: ActionWorld, module, target: str, relation: str) -> None:  # type: ignore[no-untyped-def]
    cmd = command(module.INFO.name, "mug_1", target)
    plan = planned(module.plan(holding, cmd))
    after = play(holding, plan.segments)
    hand, joint = speeds(holding, plan.segments)
    assert hand <= 2.5 and joint <= 10.0
    assert after.state.held is None
    assert float(after.state.poses["mug_1"].matrix()[2, 2]) > 0.999, "set down upright"
    assert read_graph(after.stage, after.state).has(relation, "mug_1", target)
    assert module.verify(read_graph(after.stage, after.state), cmd) is None


@pytest.mark.parametrize(("region", "height_m"), [(EntityRef("level0", 0), 0.35), (EntityRef("region", 2), 0.85)])
def test_a_region_is_named_or_numbered(holding: ActionWorld, region: EntityRef, height_m: float) -> None:
    cmd = Command("place_inside", (*command("place_inside", "mug_1", "shelf_1").args, region))
    after = play(holding, planned(place_inside.plan(holding, cmd)).segments)
    assert height_m - 0.01 < after.state.poses["mug_1"].position_m[2] < height_m + 0.02


@pytest.mark.parametrize("u", [-0.8, 0.8])
def test_a_place_spot_is_left_or_right_as_the_person_faces_it(holding: ActionWorld, u: float) -> None:
    plan = planned(place.plan(holding, command("place", "mug_1", "table_1", spot=PlaceSpot(u, 0.3))))
    after = play(holding, plan.segments)
    y = after.state.poses["mug_1"].position_m[1]
    # the table is ahead in +x, so the person's left is +y
    assert np.sign(y) == -np.sign(u) and abs(y) > 0.25


def test_a_drop_lets_go_and_lowers_the_arm(holding: ActionWorld) -> None:
    at_its_edge = release.plan(holding, command("release"))
    assert isinstance(at_its_edge, Refusal) and "on table_1 where the ground is uneven" in at_its_edge.fact
    scratch = holding.fork()
    scratch.state = holding.state.with_(removed=holding.state.removed | {"table_1", "mug_2"})
    plan = planned(release.plan(scratch, command("release")))
    assert plan.segments[0].settle
    for segment in plan.segments:
        scratch.advance(segment)
    assert scratch.state.held is None
    pose, _ = stand(holding.body, scratch.state.body.xy_m, scratch.state.body.heading_rad)
    assert np.abs(pose - scratch.state.body.pose_rad).max() < 1e-6


def test_refusals_name_the_missing_fact(stocked: ActionWorld, holding: ActionWorld) -> None:
    def code(result: object) -> str:
        assert isinstance(result, Refusal), result
        assert result.fact
        return result.code

    assert code(pick.plan(stocked, command("pick", "spoon_1"))) == Code.UNKNOWN_ENTITY
    assert code(pick.plan(stocked, command("pick", "table_1"))) == Code.NOT_AFFORDED
    assert code(place.plan(stocked, command("place", "mug_1", "table_1"))) == Code.NOT_HELD
    assert code(release.plan(stocked, command("release"))) == Code.HAND_EMPTY
    assert code(pick.plan(holding, command("pick", "mug_2"))) == Code.HAND_FULL
    assert code(pick.plan(holding, command("pick", "mug_1"))) == Code.ALREADY
    assert code(place.plan(holding, command("place", "mug_2", "table_1"))) == Code.NOT_HELD
    assert code(place_inside.plan(holding, command("place_inside", "mug_1", "table_1"))) == Code.NOT_AFFORDED


def test_too_heavy_and_shut_away() -> None:
    stone = thing("stone_1", "stone", at(0.7, 0.2, 0.75), (box("b", (0.05, 0.05, 0.05), (0, 0, 0.05)),), 12.0)
    inner = mug("mug_1", 1.0, -2.0, 0.614, 0.03, 0.09)
    w = world(table(), stone, drawer(), carcass(), inner)
    heavy = pick.plan(w, command("pick", "stone_1"))
    assert isinstance(heavy, Refusal) and heavy.code == Code.TOO_HEAVY and "12.0 kg" in heavy.fact
    shut = pick.plan(w, command("pick", "mug_1"))
    assert isinstance(shut, Refusal) and shut.code == Code.CLOSED and "drawer_1" in shut.fact


def test_a_covered_table_has_no_free_space() -> None:
    """cases.md G, virtualhome#53: refused with the reason, still in the hand."""
    tiny = table("stool_1", 0.62, 0.0, 0.75, (0.13, 0.13))
    crate = thing("crate_1", "crate", at(0.62, 0.0, 0.75), (box("b", (0.12, 0.12, 0.1), (0, 0, 0.1)),))
    w = world(tiny, crate, table("table_2", 0.3, 1.3), mug("mug_1", 0.3, 1.1), xy=(0.3, 0.55), heading=1.57)
    held = play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)
    result = place.plan(held, command("place", "mug_1", "stool_1"))
    assert isinstance(result, Refusal) and result.code == Code.NO_FREE_SPACE and "crate_1" in result.fact
    assert held.state.held is not None


def test_a_box_too_big_for_a_shelf_says_needs_and_has() -> None:
    """cases.md C, virtualhome#155: needs 0.50, has 0.30 (z)."""
    tall = thing("board_1", "board", at(0.65, 0.0, 0.75), (box("b", (0.02, 0.04, 0.25), (0, 0, 0.25)),))
    low = thing("rack_1", "rack", at(0.9, 0.35, 0.75), (box("b", (0.1, 0.1, 0.005), (0, 0, 0.005)),),
                regions=(Region("level", "interior", "base", (-0.1, -0.1, 0.01), (0.1, 0.1, 0.31), opening=(-1.0, 0.0, 0.0)),))  # fmt: skip
    w = world(table(), tall, low, xy=(0.18, 0.0))
    held = play(w, planned(pick.plan(w, command("pick", "board_1"))).segments)
    result = place_inside.plan(held, command("place_inside", "board_1", "rack_1"))
    assert isinstance(result, Refusal) and result.code == Code.DOES_NOT_FIT
    assert "needs 0.50, has 0.30 (z)" in result.fact


def test_a_tray_takes_its_cups_along() -> None:
    """cases.md G, ai2thor#301: what stands on a carried thing rides with it."""
    tray = thing("tray_1", "tray", at(0.66, 0.0, 0.75), (box("b", (0.1, 0.15, 0.008), (0, 0, 0.008)),), 0.4, roles=frozenset({"surface"}))
    cup = mug("cup_1", 0.68, 0.06, 0.766, 0.03, 0.06)
    w = world(table(), tray, cup, xy=(0.2, 0.0))
    plan = planned(pick.plan(w, command("pick", "tray_1")))
    after = play(w, plan.segments)
    assert [r.entity for r in after.state.riding] == ["cup_1"]
    before = np.linalg.inv(w.state.poses["tray_1"].matrix()) @ w.state.poses["cup_1"].matrix()
    now = np.linalg.inv(after.state.poses["tray_1"].matrix()) @ after.state.poses["cup_1"].matrix()
    assert np.abs(before - now).max() < 1e-6


def test_a_packet_is_held_by_its_thin_side() -> None:
    w = world(table(), packet("packet_1", 0.66, -0.1, yaw=0.4), xy=(0.2, -0.05))
    plan = planned(pick.plan(w, command("pick", "packet_1")))
    after = play(w, plan.segments)
    assert after.state.held is not None

"""Wipe on small synthetic stages: the face touches all over the patch; what it lacks is said with its code."""

from __future__ import annotations

import numpy as np
import pytest

from actions.tools.tips import frame_of
from actions.verbs import pick, wipe
from actions.world import ActionWorld
from assistcore.house.stage import Region
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from tests.actions.manipulation.checks import held_steadily, planned, play, speeds
from tests.actions.manipulation.scenes import at, box, lamp, mug, packet, table, thing, world
from tests.actions.tools.scenes import command, patch, sponge, told


@pytest.mark.parametrize("kind", ["spill", "stain"])
@pytest.mark.parametrize(("x", "y"), [(0.65, 0.1), (0.75, 0.35)])
def test_the_face_goes_over_the_patch_which_goes(kind: str, x: float, y: float) -> None:
    w = world(table(), sponge(wet=kind == "stain"), patch(kind, x, y))
    plan = planned(wipe.plan(w, command("wipe", "sponge_1", f"{kind}_1")))
    after = play(w, plan.segments)
    hand, joint = speeds(w, plan.segments)
    assert hand <= 2.5 and joint <= 10.0 and held_steadily(w, plan.segments) < 1e-6
    assert told(after, f"{kind}_1", "present") is False and after.state.held is not None
    assert told(after, "sponge_1", "wet") is True
    face = frame_of(w.stage.entity("sponge_1").tips[0])
    rows = next(s.carried["sponge_1"] for s in plan.segments if s.phase == "wipe")
    tips = np.stack([(Pose.from_array(row).matrix() @ face)[:3, 3] for row in rows])
    low = tips[tips[:, 2] < 0.775]
    assert (np.abs(low[:, :2] - (x, y)).max(axis=0) < 0.12).all() and np.ptp(low[:, :2], axis=0).max() > 0.05, "to and fro over it"


def test_a_dish_comes_clean_with_water_and_dry_without() -> None:
    region = Region("top", "surface", "base", (-0.07, -0.07, 0.012), (0.07, 0.07, 0.3))
    plate = thing("plate_1", "plate", at(0.66, 0.1, 0.75), (box("b", (0.1, 0.1, 0.006), (0, 0, 0.006)),), regions=(region,),
                  attributes={"clean": False, "wet": True})  # fmt: skip
    wet = world(table(), sponge(wet=True), plate)
    after = play(wet, planned(wipe.plan(wet, command("wipe", "sponge_1", "plate_1"))).segments)
    assert told(after, "plate_1", "clean") is True and told(after, "plate_1", "wet") is True
    dry = world(table(), sponge(), plate)
    after = play(dry, planned(wipe.plan(dry, command("wipe", "sponge_1", "plate_1"))).segments)
    assert told(after, "plate_1", "clean") is False and told(after, "plate_1", "wet") is False


def test_the_legacy_order_means_the_same() -> None:
    w = world(table(), sponge(), patch("spill", 0.65, 0.1))
    one = planned(wipe.plan(w, command("wipe", "sponge_1", "spill_1")))
    two = planned(wipe.plan(w, command("wipe", "spill_1", "sponge_1")))
    assert [len(s) for s in one.segments] == [len(s) for s in two.segments]
    assert all(np.array_equal(a.pose_rad, b.pose_rad) for a, b in zip(one.segments, two.segments, strict=True))


def code(w: ActionWorld, *keys: str) -> str:
    result = wipe.plan(w, command("wipe", *keys))
    assert isinstance(result, Refusal), result
    return result.code


def test_what_wiping_lacks_is_said() -> None:
    w = world(table(), sponge(), patch("stain", 0.65, 0.1), mug("mug_1", 0.7, 0.4), mug("mug_2", 0.6, 0.25), lamp(y=-0.5))
    assert code(w, "mug_1", "table_1") == Code.NOT_AFFORDED
    assert code(w, "sponge_1", "sponge_1") == Code.BAD_ARGUMENT
    assert code(w, "sponge_1", "lamp_1") == Code.NOT_AFFORDED
    assert code(w, "sponge_1", "stain_1") == Code.NOT_AFFORDED, "dry"
    held = play(w, planned(pick.plan(w, command("pick", "mug_2"))).segments)
    assert code(held, "sponge_1", "table_1") == Code.HAND_FULL
    absent = world(table(), sponge(), patch("stain", 0.65, 0.1, present=False))
    assert code(absent, "sponge_1", "stain_1") == Code.UNKNOWN_ENTITY


def test_what_stands_on_the_patch_is_named() -> None:
    w = world(table(), sponge(), patch("spill", 0.65, 0.1), packet("packet_1", 0.65, 0.1))
    refusal = wipe.plan(w, command("wipe", "sponge_1", "spill_1"))
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION and "packet_1" in refusal.fact

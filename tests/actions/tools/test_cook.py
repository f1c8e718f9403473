"""Cook: what it lacks is said with its code; else the person goes there and waits."""

from __future__ import annotations

from dataclasses import replace

from actions.verbs import cook, pick
from actions.world import ActionWorld
from assistcore.house.stage import Entity, Region
from assistcore.world.outcomes import Code, Refusal
from tests.actions.manipulation.checks import planned, play
from tests.actions.manipulation.scenes import at, box, cabinet, fixed, mug, table, world
from tests.actions.tools.scenes import command, loaf, vessel


def hob(running: bool) -> Entity:
    """A plate let into the table."""
    region = Region("top", "surface", "base", (-0.2, -0.2, 0.0), (0.2, 0.2, 0.3))
    facts: dict[str, bool | int | str] = {"running": running}
    piece = box("plate", (0.2, 0.2, 0.005), (0, 0, 0.005))
    return fixed("hob_1", "hob", at(0.75, 0.1, 0.75), (piece,), roles=frozenset({"heat", "device"}), regions=(region,), attributes=facts)


def food(x: float, y: float, z: float) -> Entity:
    """A loaf that can be cooked."""
    made = loaf("loaf_1", x, y, z, half=(0.025, 0.025, 0.02))
    return replace(made, roles=made.roles | {"cookable"})


def code(w: ActionWorld, key: str = "loaf_1") -> str:
    result = cook.plan(w, command("cook", key))
    assert isinstance(result, Refusal), result
    return result.code


def test_food_on_a_running_hob_is_waited_for() -> None:
    for thing in (food(0.72, 0.1, 0.76), food(0.72, 0.1, 0.768)):
        pan = (vessel("pan_1", 0.72, 0.1, 0.76),) if thing.pose.position_m[2] > 0.765 else ()
        w = world(table(), hob(True), *pan, thing)
        plan = planned(cook.plan(w, command("cook", "loaf_1")))
        assert plan.notes["until"] == ["cooked", "loaf_1"] and plan.notes["hold_ticks"] == 7200


def test_what_cooking_lacks_is_said() -> None:
    assert code(world(table(), hob(False), food(0.72, 0.1, 0.76))) == Code.NOT_AFFORDED
    w = world(table(), hob(True), food(0.72, 0.45, 0.75), mug("mug_1", 0.6, -0.3))
    assert code(w) == Code.NOT_AFFORDED and code(w, "mug_1") == Code.NOT_AFFORDED and code(w, "loaf_9") == Code.UNKNOWN_ENTITY
    held = play(w, planned(pick.plan(w, command("pick", "mug_1"))).segments)
    assert code(held) == Code.HAND_FULL
    done = world(table(), hob(True), replace(food(0.72, 0.1, 0.76), attributes={"cooked": True}))
    assert code(done) == Code.ALREADY


def test_an_open_oven_does_not_cook() -> None:
    oven = replace(cabinet("oven_1", low=1.0), roles=frozenset({"heat", "openable", "device"}), attributes={"running": True})
    inside = food(-1.5, 0.0, 1.01)
    shut = world(oven, inside)
    assert not isinstance(cook.plan(shut, command("cook", "loaf_1")), Refusal)
    shut.state = shut.state.with_(joints=dict.fromkeys(shut.state.joints, 1.5))
    refusal = cook.plan(shut, command("cook", "loaf_1"))
    assert isinstance(refusal, Refusal) and refusal.code == Code.NOT_AFFORDED and "open" in refusal.fact

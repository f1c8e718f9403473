"""A thing does not fall where the floor beside its support is taken."""

from __future__ import annotations

from assistcore.world.outcomes import Code, Refusal
from tests.actions.manipulation import scenes
from tests.actions.postures.watching import plan_of


def test_without_free_floor_below_nothing_falls() -> None:
    boxes = [
        scenes.fixed(f"chest_{k}", "chest", scenes.at(0.85 + dx, dy, 0.0), (scenes.box("body", half, (0, 0, half[2])),))
        for k, (dx, dy, half) in enumerate(((-0.8, 0.0, (0.4, 1.4, 0.3)), (0.8, 0.0, (0.4, 1.4, 0.3)),
                                            (0.0, 1.0, (0.4, 0.35, 0.3)), (0.0, -1.0, (0.4, 0.35, 0.3))), 1)
    ]  # fmt: skip
    world = scenes.world(scenes.table(), scenes.mug("mug_1", 0.7, 0.0), *boxes, xy=(-2.0, 0.0))
    refusal = plan_of(world, "fall_to_floor", "mug_1", "table_1")
    assert isinstance(refusal, Refusal) and refusal.code == Code.NO_FREE_SPACE and "mug_1" in refusal.fact
    open_side = scenes.world(scenes.table(), scenes.mug("mug_1", 0.7, 0.0), *boxes[1:], xy=(-2.0, 0.0))
    assert not isinstance(plan_of(open_side, "fall_to_floor", "mug_1", "table_1"), Refusal)


def test_it_does_not_fall_on_the_person() -> None:
    table = scenes.table(x=0.6)
    before = scenes.world(table, scenes.mug("mug_1", 0.35, 0.0), xy=(0.12, 0.0))
    plan = plan_of(before, "fall_to_floor", "mug_1", "table_1")
    assert not isinstance(plan, Refusal)
    beside = scenes.world(table, scenes.mug("mug_1", 0.35, 0.0), xy=(-2.0, 0.0))
    alone = plan_of(beside, "fall_to_floor", "mug_1", "table_1")
    assert not isinstance(alone, Refusal)
    assert alone.segments[0].carried["mug_1"][-1][0] < 0.26  # over the near edge, where the person stood
    x, y = plan.segments[0].carried["mug_1"][-1][:2]
    assert abs(y) > 0.6 or x > 0.95  # over another one

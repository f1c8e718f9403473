"""Setting things down on the floor beside something, and picking them up from there again, under the independent checker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.house.stage import Entity
from assistcore.world.outcomes import Code, Refusal
from tests.actions.manipulation import scenes
from tests.actions.manipulation.checks import held_steadily, planned, same_state
from tests.actions.postures import furniture
from tests.actions.postures.watching import command, does, plan_of, watched


def book(x: float, y: float) -> Entity:
    """A flat book on the table."""
    return scenes.thing("book_1", "book", scenes.at(x, y, 0.75), (scenes.box("body", (0.07, 0.10, 0.012), (0, 0, 0.012)),))


def taken(thing: Entity, *more: Entity) -> ActionWorld:
    """A person who has taken a thing from a table in front."""
    return does(scenes.world(scenes.table(), thing, *more), "pick", thing.key).world


def ball(x: float, y: float) -> Entity:
    """A small thing on the floor."""
    return scenes.thing("ball_1", "ball", scenes.at(x, y, 0.0), (scenes.cylinder("body", 0.1, 0.2),))


def ring(x: float, y: float, inner: float = 0.12, outer: float = 0.46) -> tuple[Entity, ...]:
    """Four low blocks that cover the floor round a point, but for a square in the middle."""
    middle, half = 0.5 * (inner + outer), 0.5 * (outer - inner)
    sides = (
        (middle, 0, (half, outer, 0.1)),
        (-middle, 0, (half, outer, 0.1)),
        (0, middle, (inner, half, 0.1)),
        (0, -middle, (inner, half, 0.1)),
    )
    return tuple(
        scenes.fixed(f"block_{k}", "block", scenes.at(x + dx, y + dy, 0.0), (scenes.box("body", size, (0, 0, 0.1)),))
        for k, (dx, dy, size) in enumerate(sides, 1)
    )


Scene = Callable[[], ActionWorld]
ANCHORS: dict[str, tuple[str, str, Scene]] = {
    "a mug beside a chair": ("mug_1", "chair_1", lambda: taken(scenes.mug("mug_1", 0.6, -0.15), furniture.chair(x=-1.5, yaw=np.pi))),
    "a packet beside a sofa": ("packet_1", "sofa_1", lambda: taken(
        scenes.packet("packet_1", 0.6, -0.15), furniture.sofa(x=-1.8, yaw=np.pi))),
    "a book beside the table": ("book_1", "table_1", lambda: taken(book(0.62, -0.2))),
    "a mug beside a thing on the floor": ("mug_1", "ball_1", lambda: taken(
        scenes.mug("mug_1", 0.6, -0.15), ball(-1.0, 0.8))),
    "a book past what crowds a ball": ("book_1", "ball_1", lambda: taken(
        book(0.62, 0.2), ball(-1.3, 0.4), *ring(-1.3, 0.4))),
    "a book beside a chest in a corner": ("book_1", "chest_1", lambda: taken(
        book(0.62, 0.2), scenes.carcass(x=-2.0, y=0.5), furniture.wall("wall_1", -2.4, 0.5, (0.05, 2.0)))),
}  # fmt: skip


@pytest.mark.parametrize("name", ANCHORS)
def test_a_held_thing_is_set_down_on_the_floor_beside(name: str) -> None:
    key, anchor, scene = ANCHORS[name]
    world = scene()
    plan = planned(plan_of(world, "place_on_floor", key, anchor))
    assert held_steadily(world, plan.segments) < 1e-9
    seen = watched(world, plan)
    assert not seen.faults, seen.faults[:5]
    assert load_verb("place_on_floor").verify(seen.graph, command("place_on_floor", key, anchor)) is None
    root = seen.world.state.poses[key].matrix()
    low, _ = world.stage.entity(key).box_m
    assert -0.002 < root[2, 3] + low[2] < 0.01 and root[2, 2] > 0.99
    hips = seen.joints_m("left_hip")[:, 2]
    assert hips.min() < 0.65 * hips[-1] and seen.worst_slide_m < 0.015
    again = does(seen.world, "pick", key)
    assert again.world.state.held is not None


def test_deep_down_the_feet_stand_on_their_balls() -> None:
    world = taken(scenes.mug("mug_1", 0.6, -0.15), furniture.chair(x=-1.5, yaw=np.pi))
    seen = does(world, "place_on_floor", "mug_1", "chair_1")
    k = int(np.argmin(seen.joints_m("left_hip")[:, 2]))
    assert seen.joints_m("left_ankle")[k, 2] > 0.10 and seen.joints_m("left_foot")[k, 2] < 0.05
    left, right = (seen.joints_m(f"{side}_knee")[k] for side in ("left", "right"))
    assert float(np.linalg.norm(left - right)) > 0.35  # the trunk is between the knees


@pytest.mark.parametrize(
    ("code", "anchor", "more"),
    [
        (Code.NOT_AFFORDED, "floor_1", ()),
        (Code.NOT_AFFORDED, "mug_2", (scenes.mug("mug_2", 0.7, 0.3),)),
        (Code.BAD_ARGUMENT, "mug_1", ()),
        (Code.UNKNOWN_ENTITY, "chair_9", ()),
        (Code.NO_FREE_SPACE, "stool_1", tuple(
            scenes.fixed(f"block_{k}", "block", scenes.at(-1.5 + dx, dy, 0.0), (scenes.box("body", half, (0, 0, 0.1)),))
            for k, (dx, dy, half) in enumerate(((0.45, 0, (0.24, 0.7, 0.1)), (-0.45, 0, (0.24, 0.7, 0.1)),
                                                (0, 0.45, (0.2, 0.24, 0.1)), (0, -0.45, (0.2, 0.24, 0.1))), 1)
        ) + (furniture.stool(x=-1.5),)),
    ],
)  # fmt: skip
def test_what_cannot_be_put_beside_says_why(code: str, anchor: str, more: tuple[Entity, ...]) -> None:
    world = taken(scenes.mug("mug_1", 0.6, -0.15), *more)
    before = world.state
    refusal = plan_of(world, "place_on_floor", "mug_1", anchor)
    assert isinstance(refusal, Refusal) and refusal.code == code, refusal
    assert same_state(world.state, before)

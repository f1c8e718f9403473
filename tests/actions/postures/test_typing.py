"""Typing with both hands: where the finger tips are, that the display lights up, and who sits down for it, under the checker."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from actions.postures.keyboards import keyboard_of
from actions.world import ActionWorld
from assistcore.house.stage import Entity
from assistcore.world.outcomes import Code, Refusal
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.actions.manipulation import scenes
from tests.actions.manipulation.checks import same_state
from tests.actions.postures import furniture
from tests.actions.postures.watching import Watched, does, plan_of


def laptop(x: float, y: float = 0.0, z: float = 0.75, yaw: float = 0.0) -> Entity:
    """Keys towards -x, the screen behind them."""
    pieces = (scenes.box("base", (0.115, 0.165, 0.009), (0, 0, 0.009)), scenes.box("lid", (0.04, 0.165, 0.11), (0.145, 0, 0.125)))
    roles = frozenset({"computer", "device"})
    return scenes.fixed("laptop_1", "laptop", scenes.at(x, y, z, yaw), pieces, roles=roles, attributes={"running": False})


def keyboard(x: float, y: float = 0.0) -> Entity:
    """A keyboard of its own."""
    return scenes.thing("keyboard_1", "keyboard", scenes.at(x, y, 0.75), (scenes.box("keys", (0.07, 0.21, 0.01), (0, 0, 0.01)),),
                        roles=frozenset({"keyboard"}))  # fmt: skip


def monitor(x: float) -> Entity:
    """A workstation's screen."""
    return scenes.fixed("workstation_1", "workstation", scenes.at(x, 0.0, 0.75), (scenes.box("screen", (0.03, 0.25, 0.2), (0, 0, 0.2)),),
                        roles=frozenset({"computer", "device"}), attributes={"running": False})  # fmt: skip


Scene = Callable[[], ActionWorld]
DESKS: dict[str, tuple[str, Scene]] = {
    "at a table": ("laptop_1", lambda: scenes.world(scenes.table(), laptop(0.68), xy=(-1.2, 1.0))),
    "deep on it": ("laptop_1", lambda: scenes.world(scenes.table(), laptop(0.8, 0.1))),
    "turned": ("laptop_1", lambda: scenes.world(scenes.table(), laptop(0.7, 0.1, yaw=0.5))),
    "at a standing desk": ("laptop_1", lambda: scenes.world(scenes.table(height=1.0), laptop(0.68, z=1.0))),
    "keys before a screen": ("keyboard_1", lambda: scenes.world(scenes.table(), keyboard(0.62), monitor(0.9))),
    "the chair in the way": (
        "laptop_1",
        lambda: scenes.world(scenes.table(x=1.0), laptop(0.82), furniture.chair(x=0.2, yaw=np.pi), xy=(-1.2, 1.0)),
    ),
}


def nearest_tip_m(seen: Watched, point: np.ndarray) -> dict[str, float]:
    """For each hand, how near an index finger's last joint came to the middle of the keys."""
    return {side: float(np.linalg.norm(seen.joints_m(f"{side}_index3") - point, axis=1).min()) for side in ("left", "right")}


@pytest.mark.parametrize("name", DESKS)
def test_both_hands_type_and_the_display_lights_up(name: str) -> None:
    key, scene = DESKS[name]
    world = scene()
    board = keyboard_of(world, key)
    assert board is not None
    seen = does(world, "use_computer", key)
    assert seen.graph.value(board.display, "running") is True
    assert max(nearest_tip_m(seen, board.point_m).values()) < 0.16
    left, right = (seen.joints_m(f"{side}_wrist") for side in ("left", "right"))
    n = int(np.argmin(np.linalg.norm(right - board.point_m, axis=1)))
    assert float(np.linalg.norm(left[n] - right[n])) > 0.08  # side by side, not crossed
    assert seen.graph.value("human_1", "posture") == "standing" and seen.worst_slide_m < 0.015


def before_a_chair() -> ActionWorld:
    """A chair half a metre before a table with a laptop at its edge."""
    return scenes.world(scenes.table(x=1.27), laptop(1.04), furniture.chair(x=0.15, yaw=np.pi), xy=(-1.2, 1.0))


def test_who_finds_a_seat_before_it_sits_down_for_it_and_gets_up() -> None:
    seen = does(before_a_chair(), "use_computer", "laptop_1")
    postures = [s.body.posture for s in seen.states]
    assert "sitting:chair_1" in postures and postures[-1] == "standing"
    running = [s.attributes["laptop_1"]["running"] for s in seen.states]
    assert postures[running.index(True)] == "sitting:chair_1"


def test_who_sits_before_it_already_stays_seated() -> None:
    sat = does(before_a_chair(), "sit", "chair_1").world
    seen = does(sat, "use_computer", "laptop_1")
    assert all(s.body.posture == "sitting:chair_1" for s in seen.states)
    T = joint_transforms(seen.world.body, seen.world.state.body.pose_rad, seen.world.state.body.translation_m)
    assert float(np.linalg.norm(T[JOINT["left_wrist"], :3, 3] - seen.states[0].body.translation_m)) > 0.0
    assert np.array_equal(seen.world.state.body.pose_rad, sat.state.body.pose_rad)


def test_who_sits_elsewhere_gets_up_for_it() -> None:
    sat = does(scenes.world(scenes.table(), laptop(0.68), furniture.stool(x=-1.4)), "sit", "stool_1").world
    seen = does(sat, "use_computer", "laptop_1")
    assert not seen.graph.value("human_1", "sitting")


WALLED = tuple(furniture.wall(f"wall_{k}", 0.7 + dx, dy, half) for k, dx, dy, half in (
    (1, -1.1, 0.0, (0.05, 1.4)), (2, 1.1, 0.0, (0.05, 1.4)), (3, 0.0, 1.4, (1.1, 0.05)), (4, 0.0, -1.4, (1.1, 0.05))))  # fmt: skip


@pytest.mark.parametrize(
    ("code", "key", "scene"),
    [
        (Code.UNKNOWN_ENTITY, "abacus_1", lambda: scenes.world()),
        (Code.NOT_AFFORDED, "lamp_1", lambda: scenes.world(scenes.table(), scenes.lamp())),
        (Code.PATH_BLOCKED, "laptop_1", lambda: scenes.world(scenes.table(x=0.7), laptop(0.7), *WALLED, xy=(-2.0, 0.0))),
        (Code.OUT_OF_REACH, "laptop_1", lambda: scenes.world(scenes.table(height=1.9), laptop(0.68, z=1.9), xy=(-1.0, 0.0))),
        (
            Code.TRAJECTORY_COLLISION,
            "laptop_1",
            lambda: scenes.world(
                scenes.table(), laptop(0.68), scenes.fixed("lid_1", "lid", scenes.at(0.6, 0, 0.84), (scenes.box("lid", (0.3, 0.5, 0.01)),))
            ),
        ),
    ],
)
def test_what_cannot_be_typed_on_says_why(code: str, key: str, scene: Scene) -> None:
    world = scene()
    before = world.state
    refusal = plan_of(world, "use_computer", key)
    assert isinstance(refusal, Refusal) and refusal.code == code, refusal
    assert same_state(world.state, before)


def test_full_hands_do_not_type() -> None:
    world = does(scenes.world(scenes.table(), laptop(0.7, 0.3), scenes.mug("mug_1", 0.6, -0.2)), "pick", "mug_1").world
    refusal = plan_of(world, "use_computer", "laptop_1")
    assert isinstance(refusal, Refusal) and refusal.code == Code.HAND_FULL and "mug_1" in refusal.fact

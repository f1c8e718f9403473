"""Promises of the house that need the furnished flat: exact state, cheap waiting, pictures without a word in them (RULES; cases.md A)."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assistcore.world.commands import Parsed
from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Status

pytest.importorskip("mujoco")

from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine


@pytest.fixture(scope="module")
def house() -> Iterator[HouseEngine]:
    engine = make()
    engine.reset(Scenario("flat", {}, ()), 0)
    yield engine
    engine.close()


def test_a_pose_off_by_1e_12_is_another_state_and_the_same_graph(house: HouseEngine) -> None:
    """IsaacLab#3505: state exact, to the last bit; the graph is in millimetres."""
    state, graph = house.digest(), house.graph().digest()
    key = next(k for k in house.state.poses if k.startswith("red_mug"))
    pose = house.state.poses[key]
    x, y, z = pose.position_m
    nudged = house.state.with_(poses={**house.state.poses, key: replace(pose, position_m=(x + 1e-12, y, z))})
    before = (house.state, house.clock, house.physics.save())
    house.set_saved(nudged, None, before[1], before[2])
    assert house.digest() != state and house.graph().digest() == graph
    house.set_saved(before[0], None, before[1], before[2])
    assert house.digest() == state


def test_ten_minutes_of_waiting_cost_less_than_a_second(house: HouseEngine) -> None:
    """RULES, Process time: `[Wait] 600` fast-forwards without physics while everything is at rest."""
    parsed = house.parse("[Wait] 600")
    assert isinstance(parsed, Parsed) and house.begin(parsed.command) is None
    began, step = time.process_time(), house.tick()
    while step.outcome is None:
        step = house.tick()
    assert time.process_time() - began < 1.0
    assert step.outcome.status is Status.DONE and step.outcome.ended - step.outcome.began == 600 * 12


class Blank:
    """A renderer of grey pictures."""

    def load(self, scene: Any) -> None:
        pass

    def draw(self, view: Any) -> Any:
        return SimpleNamespace(rgb=np.full((view.camera.height, view.camera.width, 3), 90, np.uint8))

    def close(self) -> None:
        pass


def test_a_picture_holds_pixels_and_nothing_else(house: HouseEngine) -> None:
    """RULES, Leaks: no handle, id, coordinate or text in image metadata."""
    from PIL import Image

    from assistworld.engines.house.drawing import HousePainter, snapshot_of

    painter = HousePainter(width=32, height=24, pictures=Blank())  # type: ignore[arg-type]
    painter.load(house.stage, house.body)
    data = painter.observe(snapshot_of(house.stage, house.state, 5), "fpv").data
    with Image.open(io.BytesIO(data)) as image:
        assert set(image.info) <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"} and not image.getexif()
        assert image.size == (32, 24)

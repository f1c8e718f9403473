"""A small house written as USD, and the physics back end on the fake PhysX."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assets_bake.usd_write import write_scene
from assistcore.house.stage import StageModel
from assistcore.house.usd import read_stage
from assistcore.world.poses import Pose
from extension.physics import IsaacPhysics
from tests.extension.fake_simulation import FakeSimulation
from tests.house import stages

MUG_ON_TABLE = Pose((0.0, 0.0, 0.80))


def small_house(folder: Path) -> tuple[StageModel, Path]:
    """A floor, a table with a mug and a box beside it, a drawer with a bar of soap in it, a cabinet; as read back from its USD."""
    things = [
        stages.floor(),
        stages.table(),
        stages.block("mug_1", at=(0.0, 0.0, 0.80)),
        stages.block("box_1", at=(0.3, 0.0, 0.80)),
        stages.block("lid_1", half=(0.04, 0.04, 0.01), at=(-0.3, 0.0, 0.76), mass_kg=0.05),
        stages.drawer(at=(2.0, 0.0, 0.5)),
        stages.cabinet(at=(2.0, 2.0, 0.0)),
    ]
    model = stages.stage(*(replace(e, asset=e.key) for e in things), name="small")
    file = write_scene(model, folder / "small")
    return read_stage(file), file


OPEN: list[IsaacPhysics] = []
"""What the tests have made; the fixture `closing` closes it."""


def physics_of(model: StageModel, file: Path, simulation: FakeSimulation | None = None) -> tuple[IsaacPhysics, FakeSimulation]:
    simulation = simulation or FakeSimulation(model)
    physics = IsaacPhysics(simulation, lambda name: file)
    OPEN.append(physics)
    return physics, simulation


@pytest.fixture
def closing() -> Iterator[None]:
    """Close every back end that a test has made."""
    yield
    while OPEN:
        OPEN.pop().close()


def settle(physics: IsaacPhysics, most: int = 600) -> int:
    """Steps until everything is at rest."""
    for n in range(most):
        if physics.at_rest():
            return n
        physics.step(1)
    raise AssertionError(f"not at rest after {most} steps")

"""The whole house engine on the Isaac back end, its flat opened as USD, with the fakes below: same facts as on the embedded engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistcore.world.engine import Scenario
from assistworld.engines import house
from assistworld.engines.house.drawing import HousePainter
from assistworld.engines.house.scenes import load_scene, scene_file
from assistworld.studies.attempt import attempt, make_assistant, make_human
from extension.engine import make
from extension.frames import Patience
from extension.physics import IsaacPhysics
from extension.pictures import IsaacPictures
from taskpacks.loader import find_pack
from tests.extension.fake_cameras import FakeCameras
from tests.extension.fake_simulation import FakeSimulation

pytest.importorskip("pxr")


@pytest.fixture
def isaac() -> Iterator[tuple[Any, IsaacPictures]]:
    simulation = FakeSimulation(load_scene("flat"))
    pictures = IsaacPictures(FakeCameras(simulation.stage), simulation.stage, lambda: Patience(4, 0))
    engine = make(physics=IsaacPhysics(simulation, scene_file), pictures=pictures, width="160", height="120")
    yield engine, pictures
    engine.close()
    pictures.close()


def test_at_reset_the_graph_is_that_of_the_embedded_engine_and_a_picture_can_be_drawn(isaac: tuple[Any, IsaacPictures]) -> None:
    engine, pictures = isaac
    embedded = house.make()
    snapshot = engine.reset(Scenario("flat"), 0)
    assert snapshot == embedded.reset(Scenario("flat"), 0)
    assert engine.graph() == embedded.graph()
    embedded.close()
    (seen,) = engine.draw((snapshot,), "fpv")
    assert seen.tick == snapshot.tick and seen.data[:2] == b"\xff\xd8"
    painter = HousePainter(width=160, height=120, pictures=pictures)
    painter.load(engine.stage, engine.body)
    ids = painter.picture(snapshot).ids
    assert len(np.unique(ids)) > 3 and ids.max() <= len(engine.stage.entities)


@pytest.mark.slow
def test_a_pack_is_played_to_success(isaac: tuple[Any, IsaacPictures], tmp_path: Path) -> None:
    pack = find_pack("best_value_coffee")
    done = attempt(pack, isaac[0], make_assistant("oracle", pack, 0), make_human("rule", pack, 0), out=tmp_path, frames=0)
    assert done.failure is None and done.score.success, done.score.summary()

"""The check that a person runs on an RTX machine passes on sound back ends and names each fault of a broken one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assistcore.pictures.protocol import Picture, View
from extension import selftest
from extension.frames import Patience
from extension.pictures import IsaacPictures
from tests.extension.fake_cameras import FakeCameras
from tests.extension.fake_simulation import FakeSimulation
from tests.extension.houses import closing as closing
from tests.extension.houses import physics_of, small_house

pytest.importorskip("pxr")


@pytest.fixture
def pictures() -> Iterator[IsaacPictures]:
    from pxr import Usd

    usd = Usd.Stage.CreateInMemory()
    made = IsaacPictures(FakeCameras(lambda: usd, coloured=True), lambda: usd, lambda: Patience(12, 1))
    yield made
    made.close()


def said(part: Any) -> tuple[int, list[str]]:
    lines: list[str] = []
    return selftest.run((("part", part),), lines.append), lines


@pytest.mark.usefixtures("closing")
def test_sound_physics_passes_and_faults_are_named(tmp_path: Path) -> None:
    model, file = small_house(tmp_path)
    physics, simulation = physics_of(model, file)
    simulation.views_survive = True
    status, lines = said(lambda: selftest.physics_checks(physics, simulation, model))
    assert status == 0 and len(lines) == 6, lines

    class Slow(FakeSimulation):
        def step(self, steps: int) -> None:
            if self.starts and self.steps % 2:
                self.steps += steps
            else:
                super().step(steps)

    physics, simulation = physics_of(model, file, Slow(model))
    status, lines = said(lambda: selftest.physics_checks(physics, simulation, model))
    assert status == 1 and any(line.startswith("FAIL falls") for line in lines), lines
    assert any("RuntimeError: the simulation view was invalidated" in line for line in lines), "one that raises is named too"


def test_sound_pictures_pass_and_each_fault_is_named(pictures: IsaacPictures) -> None:
    status, lines = said(lambda: selftest.picture_checks(pictures))
    assert status == 0 and len(lines) == 10, lines

    class Wrong:
        def __init__(self, change: Any) -> None:
            self.change = change

        def __getattr__(self, name: str) -> Any:
            return getattr(pictures, name)

        def draw(self, view: View) -> Picture:
            return self.change(pictures.draw(view))

    for name, change in (
        ("place", lambda p: replace(p, ids=np.roll(p.ids, 5, axis=1), depth_m=np.roll(p.depth_m, 5, axis=1))),
        ("depth", lambda p: replace(p, depth_m=p.depth_m * np.float32(1.02))),
        ("colours", lambda p: replace(p, rgb=p.rgb[..., ::-1])),
        ("ids", lambda p: replace(p, ids=p.ids - 8)),
    ):
        status, lines = said(lambda change=change: selftest.picture_checks(Wrong(change)))
        assert status == 1 and any(line.startswith(f"FAIL {name}") for line in lines), (name, lines)


def test_without_isaac_sim_one_line_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "isaacsim", None)
    assert selftest.main() == 1
    assert "FAIL start: start Isaac Sim: this Python" in capsys.readouterr().out


def test_the_application_ends_with_the_outcome() -> None:
    class App:
        def close(self, status: int = 0) -> None:
            self.status = status

    app = App()
    assert selftest.main(start=lambda: app) == 1 and app.status == 1, "there is no Isaac Sim here: both parts fail and are named"

"""The contract of a back end on the extension's own code: `extension.engine.make()` as Isaac Sim runs it, over an Isaac Sim of cardboard.

Real are `IsaacHouse`, `IsaacPhysics`, `KitSimulation`, `IsaacPictures`, `KitCameras`, `FrameTaker` and `pxr`; the modules of Kit that they
import are those of `tests.extension.kit`, which reads and writes the stage as PhysX and RTX do, habits included.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from assistcore.world.engine import Engine, Scenario
from assistworld.cli.main import main
from assistworld.engines import isaac
from assistworld.engines.house.scenes import load_scene
from assistworld.episodes.bundle import open_bundle
from assistworld.studies.contract import CHECKS, check_engine
from assistworld.studies.parity import compare
from assistworld.studies.trials import shared_engine
from extension import conversions
from extension.engine import make
from extension.kit_simulation import KitSimulation
from tests.engines.contract.test_parity_house import PACKS
from tests.extension.kit.modules import CRASH, Kit, installed

pytest.importorskip("pxr")

DEFAULT = ("stamps", "refusals", "poses", "settling", "stamped")
"""Those that are cheap, or touch what only this back end has; the others are the slow part."""
PATIENCE = {"/exts/assistworld/warm_up_renders": 16, "/exts/assistworld/settle_renders": 1}


@pytest.fixture(scope="module")
def kit() -> Iterator[Kit]:
    with installed(Kit(load_scene)) as found:
        found.settings |= PATIENCE
        yield found


@pytest.fixture(scope="module")
def house(kit: Kit) -> Iterator[Engine]:
    made = make(width="240", height="180")
    yield cast(Engine, made)
    made.close()


def problems(engine: Engine, name: str) -> tuple[str, ...]:
    (found,) = check_engine(engine, (name,))
    return found.problems


@pytest.mark.parametrize("name", [name if name in DEFAULT else pytest.param(name, marks=pytest.mark.slow) for name in CHECKS])
def test_isaac_house_keeps(name: str, house: Engine) -> None:
    assert problems(house, name) == ()


def _no_fabric_switch(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kit, "fabric", property(lambda self: True, lambda self, value: None), raising=False)


def _on_the_gpu(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kit, "device", property(lambda self: "cuda", lambda self, value: None), raising=False)


def _quaternions_otherwise(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    right = conversions.gf_quat
    monkeypatch.setattr("extension.physics_stage.gf_quat", lambda q: right((q[3], q[0], q[1], q[2])))


def _another_lens(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extension.picture_stage.focal_length_mm", lambda hfov_rad: 0.5 * conversions.focal_length_mm(hfov_rad))


def _rows_as_columns(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    def turned(T: Any) -> Any:
        other = np.array(T, dtype=np.float64)
        other[:3, :3] = other[:3, :3].T
        return conversions.gf_matrix(other)

    monkeypatch.setattr("extension.picture_stage.gf_matrix", turned)


def _first_frame(kit: Kit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.settings |= {"/exts/assistworld/warm_up_renders": 3}


BREAKS: list[tuple[str, Callable[[Kit, pytest.MonkeyPatch], None], str]] = [
    ("dropping", _no_fabric_switch, "fell"),
    ("dropping", _on_the_gpu, "fell"),
    ("settling", _quaternions_otherwise, "moved while it started"),
    ("camera", _another_lens, "without the stage's own marks"),
    ("camera", _rows_as_columns, "is drawn round|taking it away changes"),
    ("stamped", _first_frame, "not ready after"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "breaks", "said"), BREAKS, ids=[b.__name__.strip("_") for _, b, _ in BREAKS])
def test_the_cardboard_has_its_habits(name: str, breaks: Callable[..., None], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the extension does about a habit of Kit, left out or done wrong, breaks a promise: what is kept above says something."""
    with installed(Kit(load_scene)) as other:
        other.settings |= PATIENCE
        breaks(other, monkeypatch)
        engine = make(width="240", height="180")
        found = problems(cast(Engine, engine), name)
        engine.close()
    assert any(re.search(said, p) for p in found), found


@pytest.mark.slow
def test_both_scenes_are_reset_in_turn(house: Engine, kit: Kit) -> None:
    """The stage is opened anew, physics starts on it, and the first picture is of it."""
    for scene in ("annex", "flat"):
        shot = house.reset(Scenario(scene), 0)
        assert kit.name == scene and kit.physx is not None and kit.physx.usd is kit.usd
        (seen,) = house.draw((shot,), "fpv")
        assert seen.tick == 0


def test_physx_gives_its_own_rows_for_the_self_test(house: Engine, kit: Kit) -> None:
    """`omni.physics.tensors` through `KitSimulation`: x, y, z, then the quaternion as x, y, z, w."""
    house.reset(Scenario("flat"), 0)
    rows = KitSimulation().tensor_rows(["/World/red_mug_1", "/World/red_mug_1"])
    pose = load_scene("flat").entity("red_mug_1").pose
    assert rows.shape == (2, 7) and conversions.pose_from_tensor_row(rows[0]).position_m == pytest.approx(pose.position_m, abs=1e-6)
    assert KitSimulation().tensor_rows([]).shape == (0, 7)


@pytest.fixture
def isaac_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Isaac Sim's Python with this Isaac Sim in it."""
    monkeypatch.setattr(isaac, "server_command", lambda: (sys.executable, "-m", "tests.extension.kit.serve"))


@pytest.mark.usefixtures("isaac_python")
def test_the_command_line_starts_it_in_a_process_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    """`assistworld contract --engine isaac` as on an RTX machine: application first, server, calls, end."""
    assert main(["contract", "stamps", "stamped", "--engine", "isaac", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == {"engine": "isaac", "checks": {"stamps": [], "stamped": []}, "kept": True}
    assert "shutdown" not in shown.err, "it ends as asked, which is the end of its process too"


@pytest.mark.slow
@pytest.mark.usefixtures("isaac_python")
def test_an_application_that_crashes_at_its_end_takes_no_result_with_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """cases.md A, IsaacLab#3730, at the end of `extension/serve.py` itself."""
    monkeypatch.setenv(CRASH, "1")
    assert main(["contract", "stamps", "--engine", "isaac", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["kept"] is True
    assert "was ended by SIGSEGV at shutdown; results written before are complete" in shown.err


@pytest.mark.slow
@pytest.mark.usefixtures("isaac_python")
def test_a_pack_is_run_with_pictures_and_the_bundle_says_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "best_value_coffee", "--engine", "isaac", "--frames", "1", "--out", str(tmp_path), "--json"]
    assert main(words) == 0
    bundle = open_bundle(Path(json.loads(capsys.readouterr().out)["bundle"]))
    assert bundle.opened.engine == "isaac" and "+isaacsim-" in bundle.opened.engine_version
    assert bundle.timing()[0]["engine_process"] == "warm process"


@pytest.mark.slow
@pytest.mark.parametrize("name", PACKS)
def test_a_pack_ends_alike_on_the_embedded_house_and_on_it(name: str, house: Any, tmp_path: Path) -> None:
    found = compare(PACKS[name], (cast(Engine, shared_engine()), house), out=tmp_path)
    assert found.equal, found.differences

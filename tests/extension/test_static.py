"""`extension/` calls Kit by signatures that exist; each of thirteen planted mistakes is found."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.extension import static_check
from tests.extension.static_check import ROOT, STUBS, WHEELS, check_with_basedpyright, check_with_mypy, unpacked
from tests.repository.tree import files

# (what is planted, file, what stands there, what is put there)
MISTAKES = [
    ("unknown function", "kit_simulation.py", "app_utils.play(commit=True)", "app_utils.start(commit=True)"),
    ("wrong keyword", "kit_simulation.py", "app_utils.stop(commit=True)", "app_utils.stop(comit=True)"),
    ("positional to keyword-only", "kit_simulation.py", "SimulationManager.step(steps=steps)", "SimulationManager.step(steps)"),
    ("wrong literal", "kit_simulation.py", 'switch_physics_engine("physx")', 'switch_physics_engine("physix")'),
    ("wrong type", "kit_simulation.py", "scene.set_dt(step_seconds)", 'scene.set_dt("1/60")'),
    ("number for a vector", "kit_simulation.py", "scene.set_gravity((0.0, 0.0, -GRAVITY_M_S2))", "scene.set_gravity(GRAVITY_M_S2)"),
    ("unknown method", "kit_host.py", "omni.usd.get_context().open_stage(str(file))", "omni.usd.get_context().open(str(file))"),
    ("missing argument", "kit_host.py", "store.unsubscribe_to_change_events(subscription)", "store.unsubscribe_to_change_events()"),
    ("unknown annotator", "kit_cameras.py", "annotators=list(ANNOTATORS)", 'annotators=["rgbx"]'),
    ("unknown name in a module", "kit_simulation.py", "stage_utils.is_stage_loading()", "stage_utils.stage_loading()"),
    ("unknown method of a view", "kit_simulation.py", "view.invalidate()", "view.invalidated()"),
    ("bad pxr overload", "conversions.py", "return Gf.Quatd(w, x, y, z)", 'return Gf.Quatd("w", x, y, z)'),
    (
        "unknown pxr method",
        "picture_stage.py",
        "mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(corners))",
        "mesh.GetPointAttr().Set(corners)",
    ),
]


def planted(folder: Path) -> dict[tuple[str, int], str]:
    """A copy of `extension/` with every mistake; where each is."""
    shutil.copytree(ROOT / "extension", folder / "extension", ignore=shutil.ignore_patterns("__pycache__"))
    for name, file, old, new in MISTAKES:
        path = folder / "extension" / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{name}: {old!r} stands {text.count(old)} times in {file}"
        path.write_text(text.replace(old, new), encoding="utf-8")
    places = {}
    for name, file, _, new in MISTAKES:
        lines = (folder / "extension" / file).read_text(encoding="utf-8").splitlines()
        places[file, next(n for n, line in enumerate(lines, 1) if new in line)] = name
    return places


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("static")


def test_the_extension_has_no_error_and_every_planted_mistake_is_found(work: Path) -> None:
    assert check_with_mypy(ROOT / "extension", work) == []
    places = planted(work)
    found = check_with_mypy(work / "extension", work)
    where = {(finding.file, finding.line) for finding in found}
    assert not set(places) - where, [places[place] for place in set(places) - where]
    assert not where - set(places), [finding for finding in found if (finding.file, finding.line) not in places]


def test_the_checker_for_the_wheels_finds_the_same_against_our_stubs(work: Path, tmp_path: Path) -> None:
    checker = static_check.basedpyright()
    if checker is None:
        pytest.skip("basedpyright is not installed (pip install basedpyright)")
    assert check_with_basedpyright(ROOT / "extension", tmp_path, [STUBS], checker) == []
    places = planted(tmp_path)
    found = {(finding.file, finding.line) for finding in check_with_basedpyright(tmp_path / "extension", tmp_path, [STUBS], checker)}
    assert not set(places) - found, [places[place] for place in set(places) - found]


def test_the_extension_has_no_error_against_the_sources_of_isaac_sim(tmp_path: Path) -> None:
    checker, wheels = static_check.basedpyright(), os.environ.get(WHEELS, "")
    if checker is None or not wheels:
        pytest.skip(f"needs basedpyright with types-usd, and {WHEELS} naming a folder with the wheels of Isaac Sim 6.2 (docs/isaac_sim.md)")
    paths = unpacked(Path(wheels), tmp_path)
    assert (paths[0] / "carb").is_dir() and len(paths) > 10, f"{wheels} has not the wheels kernel, core and sensor"
    assert check_with_basedpyright(ROOT / "extension", tmp_path, paths, checker) == []


def test_nothing_of_kit_lies_in_the_checkout() -> None:
    kit = {"isaacsim", "omni", "carb", "pxr"}
    inside = [path for path in files() if kit & set(path.parts[:-1]) and path.parts[:3] != ("tests", "extension", "stubs")]
    assert not inside and not [path for path in files() if path.suffix == ".whl"]

"""The extension in the bare Kit kernel, where the person has it and has accepted NVIDIA's licence: enable, settings, disable, enable again.

Never accepts a licence for anybody: it runs only where OMNI_KIT_ACCEPT_EULA is set already, and says so where it does not.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from extension.settings import Settings
from tests.repository.tree import ROOT

MARK = "ASSISTWORLD-CHECK "
APP = '[package]\ntitle = "bare"\nversion = "1.0.0"\n\n[dependencies]\n"omni.kit.async_engine" = {}\n'
SCRIPT = """
import json, sys

import isaacsim
from kit_app import KitApp

words = json.loads(sys.argv[1])
app = KitApp()
app.startup(words)
for _ in range(3):
    app.update()
import carb.settings
import omni.kit.app

manager = omni.kit.app.get_app().get_extension_manager()
seen = [manager.is_extension_enabled("assistworld")]
for enabled in (False, True):
    manager.set_extension_enabled_immediate("assistworld", enabled)
    app.update()
    seen.append(manager.is_extension_enabled("assistworld"))
store = carb.settings.get_settings()
names = ("open_house", "scene", "warm_up_renders", "settle_renders")
values = {name: store.get("/exts/assistworld/" + name) for name in names}
status = app.shutdown()
print("MARK" + json.dumps({"enabled": seen, "settings": values, "status": status}), flush=True)
"""


def problems_of(output: str, status: int) -> list[str]:
    """What is wrong with a run: an extension that fails to start is only logged, and the process ends with 0 all the same."""
    found = [line.strip() for line in output.splitlines() if "[Error]" in line]
    marks = [json.loads(line.removeprefix(MARK)) for line in output.splitlines() if line.startswith(MARK)]
    if len(marks) != 1:
        return [*found, f"the check's own mark came {len(marks)} times, the process ended with {status}"]
    (mark,) = marks
    if mark["enabled"] != [True, False, True]:
        found.append(f"enabled, disabled, enabled again: {mark['enabled']}")
    expected = {name: getattr(Settings(), name) for name in mark["settings"]}
    if mark["settings"] != expected:
        found.append(f"settings are {mark['settings']}, not {expected}")
    if status or mark["status"]:
        found.append(f"the kernel ended with {mark['status']}, the process with {status}")
    return found


GOOD = MARK + json.dumps(
    {"enabled": [True, False, True], "settings": {"scene": "flat", "settle_renders": 4, "open_house": False}, "status": 0}
)


@pytest.mark.parametrize(
    ("output", "status", "said"),
    [
        (GOOD + "\n[Error] [omni.ext.plugin] Failed to startup python extension", 0, "Failed to startup"),
        ("", 0, "mark came 0 times"),
        (GOOD.replace("[true, false, true]", "[true, true, true]"), 0, "enabled again"),
        (GOOD.replace('"flat"', '"annex"'), 0, "settings are"),
        (GOOD.replace('"status": 0', '"status": 55'), 0, "ended with 55"),
        (GOOD, 1, "the process with 1"),
    ],
)
def test_a_run_that_went_wrong_is_seen(output: str, status: int, said: str) -> None:
    assert problems_of(GOOD, 0) == []
    assert any(said in problem for problem in problems_of(output, status))


def kernel_python() -> str | None:
    """The Python that has the Kit kernel."""
    named = os.environ.get("ASSISTWORLD_ISAAC_PYTHON", "")
    return named or (sys.executable if importlib.util.find_spec("isaacsim") is not None else None)


def test_it_starts_stops_and_starts_again_in_the_bare_kernel(tmp_path: Path) -> None:
    python = kernel_python()
    if python is None:
        pytest.skip("no Kit kernel: pip install --no-deps isaacsim-kernel==6.2.0.0 isaacsim==6.2.0.0 (docs/isaac_sim.md)")
    if os.environ.get("OMNI_KIT_ACCEPT_EULA", "").lower() not in {"y", "yes", "1"}:
        pytest.skip("NVIDIA's licence is not accepted here: OMNI_KIT_ACCEPT_EULA is yours to set (docs/isaac_sim.md)")
    (tmp_path / "exts").mkdir()
    (tmp_path / "exts" / "assistworld").symlink_to(ROOT, target_is_directory=True)
    (tmp_path / "bare.kit").write_text(APP)
    (tmp_path / "boot.py").write_text(SCRIPT.replace("MARK", MARK))
    words = [
        str(tmp_path / "bare.kit"), "--no-window", "--allow-root", "--portable-root", str(tmp_path / "portable"),
        "--/app/extensions/registryEnabled=0", "--/app/fastShutdown=0",
        "--ext-folder", str(tmp_path / "exts"), "--enable", "assistworld",
    ]  # fmt: skip
    command = [python, str(tmp_path / "boot.py"), json.dumps(words)]
    ran = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False)
    assert problems_of(ran.stdout + ran.stderr, ran.returncode) == [], (ran.stdout + ran.stderr)[-3000:]

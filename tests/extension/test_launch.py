"""Starting Isaac Sim: what is refused and how it says so, whose arguments reach whom, and the engine that is served."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assistcore.world.errors import InfrastructureError, InputError
from assistworld.engines import isaac
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.remote.process import ServerProcess, how_to_start, needs_own_process
from extension import engine, requirements, serve
from extension.app import KIT_ARGUMENTS, IsaacApp
from extension.frames import Patience
from tests.repository.tree import ROOT


class Application:
    """What SimulationApp is to `IsaacApp`."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.config, self.words = config, list(sys.argv)
        self.closed: tuple[bool, int] | None = None

    def update(self) -> None: ...

    def is_running(self) -> bool:
        return True

    def close(self, *, wait_for_replicator: bool, exit_code: int) -> None:
        self.closed = (wait_for_replicator, exit_code)


def test_the_application_is_headless_and_does_not_see_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["serve.py", "--engine", "isaac", "--port", "0"])
    app = IsaacApp(kit_arguments=["--/a/b=1"], start=Application)
    assert app._app.words == ["serve.py"] and sys.argv[1:] == ["--engine", "isaac", "--port", "0"]
    assert app._app.config["headless"] is True and app._app.config["extra_args"] == [*KIT_ARGUMENTS, "--/a/b=1"]
    assert app.running
    app.close(4)
    assert app._app.closed == (False, 4), "the process ends with this status: Isaac Sim ends it in close()"


def test_a_python_without_isaac_sim_and_early_imports_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "isaacsim", None)
    with pytest.raises(InfrastructureError, match="has no isaacsim"):
        IsaacApp()
    monkeypatch.setitem(sys.modules, "omni.usd", sys)
    with pytest.raises(InfrastructureError, match=r"omni.usd was imported before the application"):
        IsaacApp()


def test_what_is_missing_is_said_at_once_with_the_command_that_brings_it() -> None:
    """And not when the application has started, which takes minutes: Isaac Sim's own environment has no Numba, for one."""
    requirements.check()
    with pytest.raises(InfrastructureError, match=r"lacks numba; .* pip install numba llvmlite==0.46.0"):
        requirements.check(lambda name: name != "numba")
    with pytest.raises(InfrastructureError, match=r"lacks pydantic, tqdm; .* pip install pydantic tqdm$"):
        requirements.check(lambda name: name not in ("pydantic", "tqdm"))


def test_the_checkout_itself_must_be_installed_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides of a session tell their version, which an installation has and a folder has not."""
    monkeypatch.setattr(requirements, "OURSELVES", "no-such-distribution")
    with pytest.raises(
        InfrastructureError, match=rf"lacks {re.escape(str(ROOT))}, numba; .* pip install -e {re.escape(str(ROOT))} numba llvm"
    ):
        requirements.check(lambda name: name != "numba")


def test_what_is_needed_is_what_the_package_needs() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {re.split(r"[><=]", text)[0] for text in project["dependencies"]}
    assert set(requirements.NEEDED.values()) == {*named, "numba"}


class Recorder:
    """A server that says what it was asked, and an application that says how it ended."""

    def __init__(self, status: int | Exception = 0) -> None:
        self.status = status
        self.events: list[Any] = []

    def start(self, **options: Any) -> Recorder:
        self.events.append(("start", options))
        return self

    def serve(self, words: Sequence[str]) -> int:
        self.events.append(("serve", list(words)))
        if isinstance(self.status, Exception):
            raise self.status
        return self.status

    def close(self, status: int = 0) -> None:
        self.events.append(("close", status))


def test_the_server_starts_the_application_first_and_ends_it_last_with_its_status() -> None:
    seen = Recorder(75)
    assert serve.main(["--engine", "isaac", "--port", "5", "--kit=--/x=1"], start=seen.start, serve=seen.serve) == 75
    assert seen.events == [
        ("start", {"headless": True, "kit_arguments": ["--/x=1"]}),
        ("serve", ["--engine", "extension.engine:make", "--port", "5"]),
        ("close", 75),
    ]
    failing = Recorder(OSError("no port"))
    with pytest.raises(OSError, match="no port"):
        serve.main(["--window"], start=failing.start, serve=failing.serve)
    assert failing.events[0][1]["headless"] is False and failing.events[-1] == ("close", 1)


def test_the_engine_is_the_house_under_its_own_name_and_promises_less() -> None:
    made = engine.make(width="320", height="240")
    assert isinstance(made, HouseEngine) and made.name == "isaac"
    assert (made.abilities.restore, made.abilities.repeat) == ("at_rest", "tolerance")
    assert "+isaacsim-" in made.version and made.vocabulary == HouseEngine().vocabulary


def test_the_wait_for_a_frame_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    values: dict[str, object] = {"/exts/assistworld/warm_up_renders": 128}
    monkeypatch.setattr("extension.kit_host.KitHost.setting", lambda self, path: values.get(path))
    assert engine.patience() == Patience(128, 4)


def test_the_file_runs_by_itself_with_the_checkout_on_its_path(tmp_path: Path) -> None:
    """As Isaac Sim's Python runs it: nothing installed, another working folder; here it ends because there is no Isaac Sim."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {"ASSISTWORLD_TOKEN": "0123456789abcdef"}
    ran = subprocess.run(
        [sys.executable, str(ROOT / "extension" / "serve.py"), "--engine", "isaac"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1 and "has no isaacsim" in ran.stderr and "Traceback" not in ran.stderr, ran.stderr


def test_isaac_is_started_in_its_own_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(isaac.PYTHON, sys.executable)
    assert needs_own_process("isaac") and not needs_own_process("house")
    command, seconds = how_to_start("isaac")
    assert command == (sys.executable, str(ROOT / "extension" / "serve.py")) and seconds == isaac.FIRST_START_S
    monkeypatch.setenv(isaac.ARGUMENTS, "--/app/asyncRendering=false '--/log/file=a log.txt'")
    assert how_to_start("isaac")[0][2:] == ("--kit=--/app/asyncRendering=false", "--kit=--/log/file=a log.txt")
    monkeypatch.setenv(isaac.ARGUMENTS, "'--/log/file=a log.txt")
    with pytest.raises(InputError, match=r"ASSISTWORLD_ISAAC_ARGUMENTS: is .*No closing quotation"):
        how_to_start("isaac")
    assert how_to_start("house")[0] == how_to_start("a.module:function")[0] == (sys.executable, "-m", "assistworld.engines.remote")


def test_without_isaac_sim_the_engine_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(isaac.PYTHON, raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InfrastructureError, match=r"pip install .isaacsim\[all,extscache\]==6.2.0.0") as said:
        isaac.isaac_python()
    assert isaac.PYTHON in str(said.value) and "docs/isaac_sim.md" in str(said.value)
    with pytest.raises(InfrastructureError, match="'/no/such/python', which is no program"):
        isaac.isaac_python({isaac.PYTHON: "/no/such/python"})


def test_a_server_that_does_not_start_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Python without Isaac Sim in ASSISTWORLD_ISAAC_PYTHON: what it printed reaches the user."""
    monkeypatch.setenv(isaac.PYTHON, sys.executable)
    place = ServerProcess("isaac")
    with pytest.raises(InfrastructureError, match=r"(?s)start engine: isaac: ended with status 1; it printed last.*has no isaacsim"):
        place.connect()
    assert place.close() == ""


def test_the_command_line_runs_it_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    from assistworld.cli.shared import opened_engine

    monkeypatch.setenv(isaac.PYTHON, sys.executable)
    with pytest.raises(InfrastructureError, match="has no isaacsim"), opened_engine("isaac"):
        raise AssertionError("there is no Isaac Sim here")

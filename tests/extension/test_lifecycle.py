"""Start and end inside Kit: what is taken is given back, and the extension can be enabled again."""

from __future__ import annotations

import asyncio
import importlib
import sys
import types
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import extension
import extension.tests
from assistcore.world.errors import InputError
from assistworld.engines.house.scenes import scene_file
from extension.lifecycle import Lifecycle
from extension.settings import ROOT, Settings, read
from extension.tests.cases import make_cases


class FakeHost:
    """Kit's settings and events; counts what is subscribed to."""

    def __init__(self, **settings: object) -> None:
        self.settings: dict[str, object] = {ROOT + key: value for key, value in settings.items()}
        self.watching: list[Callable[[], None]] = []
        self.waiting: list[Callable[[], None]] = []
        self.opened: list[Path] = []

    def setting(self, path: str) -> object:
        return self.settings.get(path)

    def on_setting(self, path: str, changed: Callable[[], None]) -> Callable[[], None]:
        assert path == ROOT + "open_house"
        self.watching.append(changed)
        return lambda: self.watching.remove(changed)

    def on_ready(self, ready: Callable[[], None]) -> Callable[[], None]:
        self.waiting.append(ready)
        return lambda: self.waiting.clear()

    def open_stage(self, file: Path) -> None:
        self.opened.append(file)

    def ready(self) -> None:
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            call()

    def change(self, **settings: object) -> None:
        self.settings |= {ROOT + key: value for key, value in settings.items()}
        for call in list(self.watching):
            call()


def test_nothing_is_opened_unless_it_is_asked_for_and_all_is_given_back() -> None:
    host = FakeHost()
    for _ in range(3):
        lifecycle = Lifecycle(host)
        lifecycle.start("assistworld-0.1.0")
        assert len(host.watching) == 1 and not host.waiting
        lifecycle.stop()
        lifecycle.stop()
        assert not host.watching and not host.waiting
    assert host.opened == []


def test_the_house_opens_once_the_app_is_ready_or_when_the_setting_changes() -> None:
    host = FakeHost(open_house=True)
    lifecycle = Lifecycle(host)
    lifecycle.start("assistworld-0.1.0")
    host.change(open_house=True)
    assert host.opened == [] and len(host.waiting) == 1, "asked twice, opened once"
    host.ready()
    assert host.opened == [scene_file("flat")] and lifecycle.opened == scene_file("flat")
    host.change(scene="annex", open_house=True)
    host.ready()
    assert host.opened[-1] == scene_file("annex")
    lifecycle.stop()


def test_stopped_before_the_app_is_ready_it_opens_nothing() -> None:
    host = FakeHost(open_house=True)
    lifecycle = Lifecycle(host)
    lifecycle.start("assistworld-0.1.0")
    lifecycle.stop()
    host.ready()
    assert host.opened == [] and not host.watching


@pytest.mark.parametrize(
    "wrong", [{"open_house": True, "scene": "flatt"}, {"open_house": "yes"}, {"open_house": True, "settle_renders": 0}]
)
def test_wrong_settings_are_logged_and_stop_nothing(wrong: dict[str, object], caplog: pytest.LogCaptureFixture) -> None:
    host = FakeHost(**wrong)
    lifecycle = Lifecycle(host)
    lifecycle.start("assistworld-0.1.0")
    host.ready()
    assert host.opened == [] and "flat" in caplog.text + "flat" * ("settings of the extension" in caplog.text)
    assert [record.levelname for record in caplog.records if record.levelname != "INFO"] == ["WARNING"]
    lifecycle.stop()


def read_from(**values: object) -> Settings:
    return read(FakeHost(**values).setting)


def test_settings_are_read_with_their_types() -> None:
    assert read_from() == Settings()
    assert read_from(settle_renders=9, scene="annex") == Settings(scene="annex", settle_renders=9)
    with pytest.raises(InputError, match=r"2 problem\(s\)(?s:.*)warm_up_renders: is 1.5, a float; expected a int") as said:
        read_from(warm_up_renders=1.5, settle_renders=True)
    assert "settle_renders: is True, a bool" in str(said.value)


def fake_kit(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The modules of the kernel that the extension uses, with counters."""
    made: dict[str, Any] = {"subscriptions": {}, "observers": []}

    class Store:
        def get(self, path: str) -> object:
            return made.get(path)

        def subscribe_to_node_change_events(self, path: str, callback: Callable[[object, object], None]) -> int:
            made["subscriptions"][len(made["subscriptions"]) + 1] = callback
            return len(made["subscriptions"])

        def unsubscribe_to_change_events(self, number: int) -> None:
            del made["subscriptions"][number]

    class Guard:
        def __init__(self, on_event: Callable[[object], None]) -> None:
            self.on_event = on_event
            made["observers"].append(self)

        def reset(self) -> None:
            made["observers"].remove(self)

    class Dispatcher:
        def observe_event(self, *, observer_name: str, event_name: str, on_event: Callable[[object], None]) -> Guard:
            made["event"] = event_name
            return Guard(on_event)

    class App:
        def is_app_ready(self) -> bool:
            return bool(made.get("ready"))

    def module(name: str, **members: Any) -> Any:
        found = types.ModuleType(name)
        for key, value in members.items():
            setattr(found, key, value)
        monkeypatch.setitem(sys.modules, name, found)
        return found

    opened: list[str] = made.setdefault("opened", [])
    settings = module("carb.settings", get_settings=Store)
    events = module("carb.eventdispatcher", get_eventdispatcher=Dispatcher, ObserverGuard=Guard)
    module("carb", settings=settings, eventdispatcher=events)
    app = module("omni.kit.app", get_app=App, GLOBAL_EVENT_UPDATE="update", GLOBAL_EVENT_APP_READY="ready")
    kit = module("omni.kit", app=app)
    context = types.SimpleNamespace(open_stage=opened.append)
    usd = module("omni.usd", get_context=lambda: context)
    ext = module("omni.ext", IExt=type("IExt", (), {}))
    module("omni", kit=kit, usd=usd, ext=ext)
    return made


@pytest.mark.parametrize("ready", [False, True])
def test_the_entry_class_takes_and_gives_back_kits_own_subscriptions(monkeypatch: pytest.MonkeyPatch, ready: bool) -> None:
    made = fake_kit(monkeypatch)
    made |= {"ready": ready, ROOT + "open_house": True}
    try:
        entry = importlib.reload(extension).AssistWorldExtension
        for _ in range(2):
            running = entry()
            running.on_startup("assistworld-0.1.0")
            assert len(made["subscriptions"]) == len(made["observers"]) == 1
            assert made["event"] == ("update" if ready else "ready"), "an event that has passed does not come again"
            made["observers"][0].on_event(None)
            assert made["opened"].pop() == str(scene_file("flat")) and not made["observers"]
            running.on_shutdown()
            running.on_shutdown()
            assert not made["subscriptions"] and not made["observers"] and not extension._running
        asked = entry()
        asked.on_startup("assistworld-0.1.0")
        asked.on_shutdown()
        assert not made["subscriptions"] and not made["observers"] and not made["opened"]
    finally:
        vars(extension).pop("AssistWorldExtension", None)


def test_kit_finds_test_cases_and_others_find_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert extension.tests.__all__ == []
    monkeypatch.setitem(sys.modules, "omni.kit.test", types.SimpleNamespace(AsyncTestCase=unittest.IsolatedAsyncioTestCase))
    try:
        inside = importlib.reload(extension.tests)
        assert set(inside.__all__) == {"TestExtension", "TestHouse"}
        for name in inside.__all__:
            case = getattr(inside, name)
            tests = [n for n in dir(case) if n.startswith("test_")]
            assert issubclass(case, unittest.IsolatedAsyncioTestCase) and tests
            assert all(asyncio.iscoroutinefunction(getattr(case, n)) for n in tests), "omni.kit.test awaits every test"
    finally:
        for name in ("TestExtension", "TestHouse"):
            vars(extension.tests).pop(name, None)
        extension.tests.__all__.clear()


def test_the_case_of_settings_fails_where_a_default_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fake_kit(monkeypatch)
    name = "test_settings_have_the_defaults_of_the_code"
    case = make_cases(unittest.TestCase)["TestExtension"](name)
    asyncio.run(getattr(case, name)())
    made[ROOT + "settle_renders"] = 5
    with pytest.raises(AssertionError):
        asyncio.run(getattr(case, name)())

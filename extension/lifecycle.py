"""What the extension does between its start and its end inside Kit. Everything that it takes it gives back; it can be enabled again."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from assistcore.world.errors import AssistWorldError
from extension import settings

_LOG = logging.getLogger("assistworld")


class Host(Protocol):
    """The calls of Kit that are needed here. Each subscription is given as the function that ends it."""

    def setting(self, path: str) -> object:
        """Value of a setting, None where there is none."""
        ...

    def on_setting(self, path: str, changed: Callable[[], None]) -> Callable[[], None]:
        """Call `changed` whenever a setting changes."""
        ...

    def on_ready(self, ready: Callable[[], None]) -> Callable[[], None]:
        """Call `ready` once, at the first update after the app is ready."""
        ...

    def open_stage(self, file: Path) -> None:
        """Open a USD file."""
        ...


class Lifecycle:
    """One run of the extension."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._subscriptions: list[Callable[[], None]] = []
        self._waiting = False
        self.opened: Path | None = None
        """The scene file opened last."""

    def start(self, ext_id: str) -> None:
        """Say so, and open the house where that is asked for. Wrong settings are logged; they stop nothing else of the app."""
        self._subscriptions.append(self._host.on_setting(settings.ROOT + "open_house", self._asked))
        self._asked()
        _LOG.info("AssistWorld started as %s", ext_id)

    def stop(self) -> None:
        """Give everything back, in the opposite order. Idempotent."""
        while self._subscriptions:
            self._subscriptions.pop()()
        self._waiting = False
        _LOG.info("AssistWorld stopped")

    def _asked(self) -> None:
        try:
            wanted = settings.read(self._host.setting).open_house
        except AssistWorldError as error:
            _LOG.warning("%s", error)
            return
        if wanted and not self._waiting:
            self._waiting = True
            self._subscriptions.append(self._host.on_ready(self._open))

    def _open(self) -> None:
        from assistworld.engines.house.scenes import scene_file

        self._waiting = False
        try:
            file = scene_file(settings.read(self._host.setting).scene)
        except AssistWorldError as error:
            _LOG.warning("%s", error)
            return
        self._host.open_stage(file)
        self.opened = file

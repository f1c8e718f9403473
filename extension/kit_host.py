"""`Host` on Kit: settings, events, the stage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class KitHost:
    """Needs only the kernel until a stage is to be opened."""

    def setting(self, path: str) -> object:
        """See `Host`."""
        import carb.settings

        return carb.settings.get_settings().get(path)

    def on_setting(self, path: str, changed: Callable[[], None]) -> Callable[[], None]:
        """See `Host`."""
        import carb.settings

        store = carb.settings.get_settings()
        subscription = store.subscribe_to_node_change_events(path, lambda item, event: changed())
        return lambda: store.unsubscribe_to_change_events(subscription)

    def on_ready(self, ready: Callable[[], None]) -> Callable[[], None]:
        """See `Host`. Where the app is ready already, its event does not come again: the next update serves."""
        import carb.eventdispatcher
        import omni.kit.app

        name = omni.kit.app.GLOBAL_EVENT_UPDATE if omni.kit.app.get_app().is_app_ready() else omni.kit.app.GLOBAL_EVENT_APP_READY
        guards: list[carb.eventdispatcher.ObserverGuard] = []

        def once(event: object) -> None:
            end()
            ready()

        def end() -> None:
            while guards:
                guards.pop().reset()

        dispatcher = carb.eventdispatcher.get_eventdispatcher()
        guards.append(dispatcher.observe_event(observer_name="assistworld.ready", event_name=name, on_event=once))
        return end

    def open_stage(self, file: Path) -> None:
        """See `Host`."""
        import omni.usd

        omni.usd.get_context().open_stage(str(file))

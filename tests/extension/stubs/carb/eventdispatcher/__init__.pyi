from collections.abc import Callable

class ObserverGuard:
    def reset(self) -> None: ...

class IEventDispatcher:
    def observe_event(
        self, *, observer_name: str, event_name: str, on_event: Callable[[object], None], order: int = 0
    ) -> ObserverGuard: ...

def get_eventdispatcher() -> IEventDispatcher: ...

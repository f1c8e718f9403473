"""One episode: the loop, its clock, mail and queue, the information boundary, frame picking, the audit log and replay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistworld.episodes.bundle import Bundle, open_bundle
    from assistworld.episodes.driver import run
    from assistworld.episodes.episode import Ask, Ended, Episode
    from assistworld.episodes.start import open_episode

__all__ = ["Ask", "Bundle", "Ended", "Episode", "open_bundle", "open_episode", "run"]

_HOMES = {"Ask": "episode", "Ended": "episode", "Episode": "episode", "run": "driver", "open_episode": "start"} | {
    "Bundle": "bundle",
    "open_bundle": "bundle",
}


def __getattr__(name: str) -> Any:
    """Load on first use, so that importing this package stays fast."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)

"""The facts of a whole scene that are in its file's layer data: rooms, lamps, windows, named places to stand."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from assistcore.house.stage import LampLight, Room, StageModel, WindowLight

SCENE_VERSION = 1
Json = dict[str, Any]


def scene_facts(stage: StageModel) -> Json:
    """Rooms, lamps, windows and spots as JSON types."""
    return {
        "rooms": [asdict(r) for r in stage.rooms],
        "lamps": [asdict(x) for x in stage.lamps],
        "windows": [asdict(w) for w in stage.windows],
        "spots": {k: list(v) for k, v in stage.spots.items()},
    }


def rooms_of(facts: Json) -> tuple[Room, ...]:
    """Inverse for the rooms."""
    return tuple(
        Room(r["key"], r["title"], tuple((float(x), float(y)) for x, y in r["polygon_m"]), float(r["floor_m"]), float(r["ceiling_m"]))
        for r in facts["rooms"]
    )


def _three(v: list[float]) -> tuple[float, float, float]:
    return (float(v[0]), float(v[1]), float(v[2]))


def lamps_of(facts: Json) -> tuple[LampLight, ...]:
    """Inverse for the lamps."""
    return tuple(
        LampLight(_three(x["position_m"]), _three(x["rgb"]), float(x["intensity"]), x["room"], x["entity"]) for x in facts["lamps"]
    )


def windows_of(facts: Json) -> tuple[WindowLight, ...]:
    """Inverse for the windows."""
    return tuple(
        WindowLight(_three(w["centre_m"]), _three(w["normal"]), (float(w["size_m"][0]), float(w["size_m"][1])), w["room"])
        for w in facts["windows"]
    )


def spots_of(facts: Json) -> dict[str, tuple[float, float, float]]:
    """Inverse for the spots."""
    return {k: _three(v) for k, v in facts["spots"].items()}

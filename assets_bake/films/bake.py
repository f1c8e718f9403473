"""Make the films of the visual puzzles anew: `python -m assets_bake.films.bake`. Each is one JPEG, its frames from top to bottom."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from assets_bake.films.flights import FRAMES, SIDE_PX, Flight, drawn_flight, is_free, worth_filming
from assets_bake.stills.studio import Studio
from assistcore.house.stage import StageModel
from assistcore.pictures import open_pictures
from assistworld.engines.house.scenes import load_scene
from humans.model import load_body

OUT = Path(__file__).resolve().parents[2] / "assistworld" / "engines" / "puzzle" / "media"
FILMS = {"flat": 14, "annex": 14}
QUALITY = 80
ROUGH_PX = 64
IN_A_ROOM = 4
"""Most films that begin in one room."""


def main() -> int:
    """Write all films and `films.json`."""
    flat = load_scene("flat")
    entries = []
    with open_pictures() as pictures:
        for name, count in FILMS.items():
            stage = flat if name == "flat" else load_scene(name)
            entries += _films(stage, Studio(stage, flat, load_body(), pictures), count)
    text = ",\n".join(json.dumps(entry) for entry in entries)
    head = f'"format": 1, "frames": {FRAMES}, "side_px": {SIDE_PX}'
    (OUT / "films.json").write_text(f'{{{head}, "films": [\n{text}\n]}}\n', encoding="utf-8")
    return 0


def _films(stage: StageModel, studio: Studio, count: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng([31, len(stage.name)])
    studio.put(())
    found: list[dict[str, Any]] = []
    rooms: dict[str, int] = {}
    while len(found) < count:
        flight = drawn_flight(stage, rng)
        if rooms.get(flight.room, 0) >= IN_A_ROOM or not _can_be_filmed(studio, flight):
            continue
        rooms[flight.room] = rooms.get(flight.room, 0) + 1
        name = f"film_{stage.name}_{len(found) + 1:02}"
        frames = [studio.take(flight.camera(n, SIDE_PX)).rgb for n in range(FRAMES)]
        Image.fromarray(np.concatenate(frames)).save(OUT / f"{name}.jpg", "JPEG", quality=QUALITY, optimize=True)
        sys.stderr.write(f"{name}: {flight.room}, {flight.length_m:.1f} m\n")
        found.append({"name": name, "room": flight.room, "length_m": round(flight.length_m, 2)})
    return found


def _can_be_filmed(studio: Studio, flight: Flight) -> bool:
    """By small pictures; the way is looked at first, which most do not pass."""
    if not is_free(studio.take(flight.camera(0, ROUGH_PX), supersample=1), flight):
        return False
    return worth_filming([studio.take(flight.camera(n, ROUGH_PX), supersample=1) for n in range(FRAMES)])


if __name__ == "__main__":
    raise SystemExit(main())

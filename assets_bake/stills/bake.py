"""Make the stills of the visual puzzles anew: `python -m assets_bake.stills.bake`. Takes some ten minutes on two processors."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from assets_bake.stills.rooms import SIDE_PX, remember, room_camera, unlike, worth_taking
from assets_bake.stills.spreads import Place, cameras, draw_spread, in_frame, in_the_way, places, well_seen
from assets_bake.stills.studio import Studio
from assets_bake.stills.things import LARGE, SORTS
from assistcore.house.stage import StageModel
from assistcore.pictures import Picture, open_pictures
from assistworld.engines.house.scenes import load_scene
from humans.model import load_body

OUT = Path(__file__).resolve().parents[2] / "assistworld" / "engines" / "puzzle" / "media"
ROOMS, SPREADS = {"flat": 20, "annex": 16}, 44
QUALITY = 84
LEAST_DETAIL = 14.0
TAKEN_FOR = {
    "flower pot": ("plant",), "vase": ("plant",), "cushion": ("sofa", "armchair", "bed", "chair", "desk_chair"),
    "parcel": ("storage_box", "parcel", "cart", "rack"), "folded towel": ("towel_rail",), "alarm clock": ("wall_clock",),
}  # fmt: skip
"""Fixtures that show something which could be counted as a sort of thing: they must not be in its picture."""


def main() -> int:
    """Write all stills, their masks and `stills.json`."""
    stages = {name: load_scene(name) for name in ROOMS}
    with open_pictures() as pictures:
        studios = {name: Studio(stage, stages["flat"], load_body(), pictures) for name, stage in stages.items()}
        OUT.mkdir(exist_ok=True)
        entries = [entry for name, count in ROOMS.items() for entry in _rooms(stages[name], studios[name], count)]
        entries += _spreads(stages, studios)
    text = ",\n".join(json.dumps(entry) for entry in entries)
    (OUT / "stills.json").write_text(f'{{"format": 1, "stills": [\n{text}\n]}}\n', encoding="utf-8")
    return 0


def _rooms(stage: StageModel, studio: Studio, count: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng([21, len(stage.name)])
    studio.put(())
    seen: list[NDArray[np.float64]] = []
    found: list[dict[str, Any]] = []
    while len(found) < count:
        room, camera = room_camera(stage, rng, SIDE_PX)
        picture = studio.take(camera, supersample=1)
        if worth_taking(picture) < LEAST_DETAIL or not unlike(picture, seen):
            continue
        remember(picture, seen)
        name = f"{stage.name}_{len(found) + 1:02}"
        _save_jpeg(name, studio.take(camera))
        sys.stderr.write(f"{name}: {room}\n")
        found.append({"name": name, "room": room, "things": []})
    return found


def _spreads(stages: dict[str, StageModel], studios: dict[str, Studio]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    all_places = places(stages)
    attempt = 0
    while len(found) < SPREADS:
        place = all_places[attempt % len(all_places)]
        rng = np.random.default_rng([22, attempt])
        attempt += 1
        entry = _spread(stages, studios[place.scene], place, rng, f"spread_{len(found) + 1:02}")
        if entry is not None:
            sys.stderr.write(f"{entry['name']}: {place.room}, {len(entry['things'])} things\n")
            found.append(entry)
    return found


def _spread(stages: dict[str, StageModel], studio: Studio, place: Place, rng: np.random.Generator, name: str) -> dict[str, Any] | None:
    sorts = [sort for sort in SORTS if not place.floor or sort.noun in LARGE]
    main = sorts[int(rng.integers(len(sorts)))]
    placed = draw_spread(stages["flat"], place, rng, main, int(rng.integers(3, 25)))
    nouns = {thing.sort.noun for thing in placed}
    hidden = in_the_way(stages[place.scene], place)
    good = [camera for camera in cameras(stages[place.scene], place, rng, 40) if in_frame(studio, placed, camera)][:4]
    if not good:
        return None
    studio.put(placed)
    for camera in good:
        facts = studio.take(camera, hidden, supersample=1)
        confusing = {category for noun in nouns for category in TAKEN_FOR.get(noun, ())}
        if all(well_seen(studio, placed, camera, facts.ids)) and not confusing & studio.categories(camera, hidden):
            picture = studio.take(camera, hidden)
            _save_jpeg(name, picture)
            _save_ids(name, picture)
            things = [{"noun": t.sort.noun, "plural": t.sort.plural, "colour": t.colour} for t in placed]
            return {"name": name, "room": place.room, "things": things}
    return None


def _save_jpeg(name: str, picture: Picture) -> None:
    Image.fromarray(picture.rgb).save(OUT / f"{name}.jpg", "JPEG", quality=QUALITY, optimize=True)


def _save_ids(name: str, picture: Picture) -> None:
    """The mask of every thing: pixel value n is thing n of the entry, counted from 1; 0 is none."""
    buffer = io.BytesIO()
    Image.fromarray(picture.ids.astype(np.uint8)).save(buffer, "PNG", optimize=True)
    (OUT / f"{name}.png").write_bytes(buffer.getvalue())


if __name__ == "__main__":
    raise SystemExit(main())

"""Make the pictures of `docs/gallery/` anew: `python -m assistworld.studies.gallery`. Each is drawn from a real run of the engine.

`python -m assistworld.studies.gallery puzzles` makes the contact sheet of `docs/puzzles/` (names after it: only these puzzles);
`python -m assistworld.studies.gallery verbs` makes the strips of `docs/verbs_gallery/` and their page (names after it: only these verbs).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assistcore.pictures import Camera
from assistcore.world.engine import Scenario
from assistcore.world.errors import InfrastructureError
from assistcore.world.outcomes import Refusal
from assistcore.world.snapshots import Snapshot
from assistworld.engines.house.drawing import HousePainter
from assistworld.engines.house.engine import HouseEngine

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "gallery"
QUALITY = 88
Point = tuple[float, float, float]


@dataclass(frozen=True)
class Shot:
    """One picture: a run of commands from a spot, which tick of it, and from where it is taken (None: the person's own eyes)."""

    name: str
    spot: str
    commands: tuple[str, ...]
    pick: Callable[[Sequence[tuple[str, Snapshot]]], Snapshot]
    eye: Point | None = None
    target: Point | None = None


def last(frames: Sequence[tuple[str, Snapshot]]) -> Snapshot:
    """The final tick."""
    return frames[-1][1]


def middle_of(phase: str, share: float = 0.5) -> Callable[[Sequence[tuple[str, Snapshot]]], Snapshot]:
    """The tick at a share of the last stretch of a phase. Raises InfrastructureError where there is none."""

    def pick(frames: Sequence[tuple[str, Snapshot]]) -> Snapshot:
        found = [snapshot for name, snapshot in frames if name == phase]
        if not found:
            raise InfrastructureError("gallery", f"no phase {phase!r} among {sorted({name for name, _ in frames})}")
        return found[min(len(found) - 1, int(share * len(found)))]

    return pick


SHOTS = (
    Shot("kitchen", "kitchen", (), last),
    Shot("living-room", "living_room", (), last),
    Shot("bedroom", "bedroom", (), last),
    Shot("bathroom", "bathroom", (), last),
    Shot("hall", "hall", (), last),
    Shot("walk-own-eyes", "kitchen", ("[Walk] <sofa>",), middle_of("walk", 0.6)),
    Shot("walk-seen", "kitchen", ("[Walk] <sideboard>",), middle_of("walk", 0.8), (2.2, 5.2, 1.7), (5.0, 5.6, 0.9)),
    Shot("reach-own-eyes", "kitchen", ("[Grab] <red_mug>",), middle_of("reach", 0.95)),
    Shot("held-object", "kitchen", ("[Grab] <red_mug>",), last),
    Shot("held-object-seen", "kitchen", ("[Grab] <red_mug>",), last, (7.4, 6.2, 1.5), (9.0, 7.2, 1.05)),
    Shot("label", "kitchen", ("[LookAt] <coffee_jar> (2)",), middle_of("look", 0.75)),
    Shot("drawer", "kitchen", ("[Open] <drawer> (1)",), middle_of("drive", 0.9)),
    Shot("fridge", "kitchen", ("[Open] <fridge>",), last),
)


def make(folder: Path = FOLDER, only: Sequence[str] = ()) -> list[Path]:
    """Write every picture (or those named) as JPEG. Returns their paths."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    engine, written = HouseEngine(), []
    painter = HousePainter(width=960, height=720, supersample=2)
    for shot in SHOTS:
        if only and shot.name not in only:
            continue
        frames = _play(engine, shot)
        painter.load(engine.stage, engine.body)
        picture = _picture(painter, shot.pick(frames), shot.eye, shot.target)
        written.append(folder / f"{shot.name}.jpg")
        Image.fromarray(picture).save(written[-1], "JPEG", quality=QUALITY)
    if not only or "flat-from-above" in only:
        above = HousePainter(width=1200, height=900, supersample=2)
        first = engine.reset(Scenario("flat"), 0)
        above.load(engine.stage, engine.body)
        written.append(folder / "flat-from-above.jpg")
        Image.fromarray(above.picture(first, "map").rgb).save(written[-1], "JPEG", quality=QUALITY)
    return written


def _play(engine: HouseEngine, shot: Shot) -> list[tuple[str, Snapshot]]:
    frames = [("start", engine.reset(Scenario("flat", {"spot": shot.spot}), 0))]
    for text in shot.commands:
        parsed = engine.parse(text)
        refusal = parsed if isinstance(parsed, Refusal) else engine.begin(parsed.command)
        if refusal is not None:
            raise InfrastructureError("gallery", f"{shot.name}: {text} was refused: {refusal.code}: {refusal.fact}")
        while not engine.idle():
            motion = engine.motion
            segments = motion.plan.segments if motion is not None else ()
            phase = segments[motion.segment].phase if motion is not None and motion.segment < len(segments) else ""
            frames.append((phase, engine.tick().snapshot))
    return frames


def _picture(painter: HousePainter, snapshot: Snapshot, eye: Point | None, target: Point | None) -> np.ndarray:
    if eye is None or target is None:
        return painter.picture(snapshot, "fpv").rgb
    view = painter.view(snapshot, "fpv")
    camera = Camera.look_at(np.array(eye), np.array(target), hfov_rad=1.15, width=view.camera.width, height=view.camera.height)
    return painter.pictures.draw(replace(view, camera=camera, body_hidden_faces=None)).rgb


if __name__ == "__main__":
    import sys

    if sys.argv[1:2] == ["verbs"]:
        from assistworld.studies.strips import page

        paths = page.make(only=sys.argv[2:])
    elif sys.argv[1:2] == ["puzzles"]:
        from assistworld.studies.puzzle_sheet import make_sheet

        paths = make_sheet(only=sys.argv[2:])
    else:
        paths = make(only=sys.argv[1:])
    for path in paths:
        print(path.name)

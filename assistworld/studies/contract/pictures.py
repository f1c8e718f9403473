"""Promises of the pictures: the camera is where the head is, a frame shows its own tick, and drawing changes nothing."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistcore.world.engine import Engine
from assistcore.world.snapshots import Observation, Snapshot
from assistworld.studies.contract.playing import body, done, root, stage, start, visible_thing

CHANNEL = "fpv"
SEEN = 24
"""A pixel has changed when a colour differs by more (of 255): above what JPEG and a denoiser leave."""
AWAY_PX = 6.0
"""How far beyond the projected box of a thing its pixels may be found."""


def camera(engine: Engine) -> Iterator[str]:
    """A thing is drawn where the head camera's geometry has it: its pixels are those that change when it is taken away."""
    first = start(engine)
    key = visible_thing(engine)
    empty = replace(first, looks={**first.looks, key: "removed"})
    before, after = (pixels(o) for o in engine.draw((first, empty), CHANNEL))
    changed = np.argwhere(np.abs(before.astype(int) - after.astype(int)).max(axis=2) > SEEN)
    if len(changed) < 12:
        yield f"{key} is visible by geometry and taking it away changes {len(changed)} pixels"
        return
    middle = np.median(changed[:, ::-1] + 0.5, axis=0)
    low, high = _projected(first, key, before.shape[1], before.shape[0])
    if not (np.all(middle > low - AWAY_PX) and np.all(middle < high + AWAY_PX)):
        yield f"{key} is drawn round {middle.round().tolist()}, its box projects to {low.round().tolist()} .. {high.round().tolist()}"


def freshness(engine: Engine) -> Iterator[str]:
    """A frame after a reset, a turn or a change of channel shows that moment, not the one before."""
    first = start(engine)
    turned = done(engine, "[TurnAround]").snapshots[-1]
    there = [pixels(engine.draw((s,), CHANNEL)[0]) for s in (first, turned, first)]
    if _share(there[0], there[1]) < 0.05:
        yield "the frame after turning round is the one before"
    if _share(there[0], there[2]) > 0.02:
        yield f"the first snapshot drawn again differs in {100 * _share(there[0], there[2]):.0f} % of its pixels"
    engine.draw((first,), "map")
    if _share(there[0], pixels(engine.draw((first,), CHANNEL)[0])) > 0.02:
        yield "after a picture from another camera the frame is another"


def stamped(engine: Engine) -> Iterator[str]:
    """An observation carries the tick of its snapshot."""
    first = start(engine)
    later = done(engine, "[TurnLeft]").snapshots[-1]
    for snapshot, seen in zip((later, first), engine.draw((later, first), CHANNEL), strict=True):
        if seen.tick != snapshot.tick:
            yield f"the frame of tick {snapshot.tick} says {seen.tick}"


def untouched(engine: Engine) -> Iterator[str]:
    """Drawing never changes the state."""
    first = start(engine)
    before = engine.digest()
    engine.draw((first,), CHANNEL)
    if engine.digest() != before:
        yield "the state is another after drawing"


def pixels(seen: Observation) -> NDArray[np.uint8]:
    """The picture (h, w, 3) of an observation."""
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(seen.data)).convert("RGB"))


def _share(a: NDArray[np.uint8], b: NDArray[np.uint8]) -> float:
    return float((np.abs(a.astype(int) - b.astype(int)).max(axis=2) > SEEN).mean())


def _projected(snapshot: Snapshot, key: str, width: int, height: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Low and high pixel (2,) of the corners of a thing's box, from the head camera's geometry."""
    from assistcore.pictures.camera import Camera
    from humans.camera import HORIZONTAL_FOV_RAD, head_camera
    from humans.kinematics import joint_transforms

    numbers = np.asarray(snapshot.body)
    eye, rotation = head_camera(body(), joint_transforms(body(), numbers[3:], numbers[:3]))
    corners = np.array(np.meshgrid(*zip(*stage().entity(key).box_m, strict=True))).reshape(3, -1).T
    T = root(snapshot, key)
    found, _ = Camera(eye, rotation, HORIZONTAL_FOV_RAD, width, height).project(corners @ T[:3, :3].T + T[:3, 3])
    return found.min(axis=0), found.max(axis=0)


CHECKS = {"camera": camera, "freshness": freshness, "stamped": stamped, "untouched": untouched}

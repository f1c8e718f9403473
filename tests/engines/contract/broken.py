"""Engines that break exactly one promise each: round a good one, everything passes through but what the class says."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assistcore.world.commands import Command
from assistcore.world.engine import Engine, Scenario, Step
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal
from assistcore.world.snapshots import Observation, Snapshot
from assistworld.studies.contract.commands import THING


class Around:
    """An engine in which nothing is broken yet."""

    def __init__(self, inner: Engine) -> None:
        self._inner = inner
        self.resets = self.ticks = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        self.resets, self.ticks = self.resets + 1, 0
        return self.seen(self._inner.reset(scenario, seed))

    def tick(self) -> Step:
        step = self._inner.tick()
        self.ticks += 1
        return replace(step, snapshot=self.seen(step.snapshot))

    def seen(self, snapshot: Snapshot) -> Snapshot:
        return snapshot

    def graph(self) -> SceneGraph:
        return SceneGraph(self.facts(dict(self._inner.graph().values)))

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        return values


class LyingStamps(Around):
    """Snapshots carry the tick before."""

    def seen(self, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, tick=max(0, snapshot.tick - 1))


class NeverIdle(Around):
    def idle(self) -> bool:
        return False


class AllowsEverything(Around):
    """`can` differs from `begin`."""

    def can(self, command: Command) -> Refusal | None:
        return None


class RefusalCostsTime(Around):
    def begin(self, command: Command) -> Refusal | None:
        refused = self._inner.begin(command)
        if refused is not None:
            self._inner.tick()
        return refused


class SwallowsChanges(Around):
    """The log lacks a change now and then."""

    def tick(self) -> Step:
        step = super().tick()
        return replace(step, changes=step.changes[1:])


class Remembers(Around):
    """Something of the episode before is in the next: a thing is 4 mm farther on at every reset."""

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        x, *rest = values[THING, "place"]
        return {**values, (THING, "place"): (x + 4 * self.resets, *rest)}


class OtherBits(Around):
    """The same places, another state."""

    def digest(self) -> str:
        return f"{self.resets:064d}"


class ForgetsToRestore(Around):
    def restore(self, state: bytes) -> None:
        self._inner.tick()


class RestoresElsewhere(Remembers):
    """What is restored has moved by 4 mm."""

    def restore(self, state: bytes) -> None:
        self._inner.restore(state)
        self.resets += 1


class TakesPlacesOtherwise(Around):
    """Quaternions given as w, x, y, z are read as x, y, z, w: still of unit length."""

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        return {k: (*v[:3], v[6], v[3], v[4], v[5]) if k[1] == "place" else v for k, v in values.items()}


class TurnsTheUpright(Around):
    """An identity given as x, y, z, w = 0, 0, 0, 1 is read as w, x, y, z: half a turn about z, and up is still up."""

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        upright = (1_000_000, 0, 0, 0)
        return {k: (*v[:3], 0, 0, 0, 1_000_000) if k[1] == "place" and v[3:] == upright else v for k, v in values.items()}


class Drifts(Around):
    """A thing at rest creeps by a quarter of a millimetre a tick."""

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        x, *rest = values[THING, "place"]
        return {**values, (THING, "place"): (x + self.ticks // 4, *rest)}


class IgnoresChanges(Around):
    """What a scenario moves stays where it was."""

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        return super().reset(replace(scenario, changes=()), seed)


class NothingInside(Around):
    """Containers read as empty."""

    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        return {k: v for k, v in values.items() if k[1] != "inside"}


class Joints(Around):
    """Joint values pass through `told`."""

    def told(self, key: str, value: float) -> float:
        return value

    def seen(self, snapshot: Snapshot) -> Snapshot:
        return replace(snapshot, joints={k: self.told(k, v) for k, v in snapshot.joints.items()})


class DegreesAsRadians(Joints):
    def told(self, key: str, value: float) -> float:
        return math.degrees(value)


class RadiansAsDegrees(Joints):
    def told(self, key: str, value: float) -> float:
        return math.radians(value)


class Swings(Joints):
    """A joint turns back and forth on its way."""

    def told(self, key: str, value: float) -> float:
        return value * (0.7 if self.ticks % 2 and abs(value) < 1.0 else 1.0)


class Backwards(Joints):
    def told(self, key: str, value: float) -> float:
        return -value


class Moved(Around):
    """The thing that is carried is elsewhere in the snapshots."""

    def away(self, height_m: float) -> tuple[float, float, float]:
        return (0.0, 0.0, 0.0)

    def seen(self, snapshot: Snapshot) -> Snapshot:
        row = snapshot.transforms.get(THING)
        if row is None:
            return snapshot
        at = np.add(row[:3], self.away(row[2]))
        return replace(snapshot, transforms={**snapshot.transforms, THING: (*at.tolist(), *row[3:])})


class SlipsInTheHand(Moved):
    """By a tenth of a millimetre a tick, to the side of the room."""

    def away(self, height_m: float) -> tuple[float, float, float]:
        return (1e-4 * self.ticks, 0.0, 0.0)


class HangsInTheAir(Moved):
    """What was let go of stays where the hand was."""

    top = 0.0

    def away(self, height_m: float) -> tuple[float, float, float]:
        self.top = max(self.top, height_m)
        return (0.0, 0.0, self.top - height_m)


class NeverLetsGo(Around):
    def facts(self, values: dict[tuple[str, str], Any]) -> dict[tuple[str, str], Any]:
        return {**values, (THING, "held"): ("right",)}


class Draws(Around):
    """Pictures pass through `changed`."""

    def changed(self, image: Any) -> Any:
        return image

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        from PIL import Image

        out = []
        for seen in self._inner.draw(snapshots, channel):
            data = io.BytesIO()
            self.changed(Image.open(io.BytesIO(seen.data))).save(data, "PNG")
            out.append(replace(seen, data=data.getvalue()))
        return tuple(out)


class UpsideDown(Draws):
    """The camera's up is taken for its down."""

    def changed(self, image: Any) -> Any:
        return image.rotate(180)


class Mirrored(Draws):
    def changed(self, image: Any) -> Any:
        from PIL import ImageOps

        return ImageOps.mirror(image)


class Narrow(Draws):
    """Another field of view than the head camera's."""

    def changed(self, image: Any) -> Any:
        w, h = image.size
        return image.crop((w // 4, h // 4, w - w // 4, h - h // 4)).resize((w, h))


class Black(Draws):
    """Pictures that are not ready are given out."""

    def changed(self, image: Any) -> Any:
        return image.point(lambda v: 0)


class FrameBefore(Around):
    """Each picture shows what was asked for before it, with the tick of what is asked for now."""

    data: bytes = b""

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        out = []
        for seen in self._inner.draw(snapshots, channel):
            out.append(replace(seen, data=self.data or seen.data))
            self.data = seen.data
        return tuple(out)


class NoiseAfterAnotherCamera(Around):
    """The first picture after the channel has changed is noise."""

    channel = "fpv"

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        from PIL import Image

        out = list(self._inner.draw(snapshots, channel))
        if channel != self.channel:
            self.channel = channel
            size = Image.open(io.BytesIO(out[0].data)).size
            data = io.BytesIO()
            Image.fromarray(np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)).save(data, "PNG")
            out[0] = replace(out[0], data=data.getvalue())
        return tuple(out)


class OldStamps(Around):
    """Observations carry the tick of the state that the engine is in, not of the snapshot."""

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        return tuple(replace(seen, tick=self.ticks) for seen in self._inner.draw(snapshots, channel))


class DrawingTakesTime(Around):
    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        seen = self._inner.draw(snapshots, channel)
        self._inner.tick()
        return seen


BROKEN: Mapping[str, tuple[Callable[[Engine], Around], ...]] = {
    "stamps": (LyingStamps, NeverIdle),
    "refusals": (AllowsEverything, RefusalCostsTime),
    "folding": (SwallowsChanges,),
    "repeating": (Remembers, OtherBits),
    "saving": (ForgetsToRestore, RestoresElsewhere),
    "poses": (TakesPlacesOtherwise, TurnsTheUpright),
    "stillness": (Drifts,),
    "settling": (IgnoresChanges, Drifts),
    "relations": (NothingInside,),
    "joints": (DegreesAsRadians, RadiansAsDegrees, Swings, Backwards),
    "carrying": (SlipsInTheHand,),
    "dropping": (HangsInTheAir, NeverLetsGo, Drifts),
    "camera": (UpsideDown, Mirrored, Narrow, Black),
    "freshness": (FrameBefore, NoiseAfterAnotherCamera),
    "stamped": (OldStamps,),
    "untouched": (DrawingTakesTime,),
}
"""By check, what it must report."""

"""A tiny deterministic world for tests: two rooms, a few things, commands that take a few ticks, pictures made without a renderer."""

from __future__ import annotations

import json
import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from assistcore.world.canonical import canonical_json, digest, digest_bytes, thaw
from assistcore.world.commands import Command, How, Parsed
from assistcore.world.engine import Abilities, ChannelInfo, PredicateInfo, Role, Scenario, Step, VerbInfo, Vocabulary
from assistcore.world.errors import InputError, Problem, VersionError, nearest
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import CORE_CODES, Code, Outcome, Refusal, Status
from assistcore.world.snapshots import Kind, Observation, Snapshot
from assistcore.world.views import Offered

PLACES = {"table_1": "kitchen", "shelf_1": "kitchen", "bed_1": "bedroom", "drawer_1": "bedroom"}
THINGS = {"red_cup_1": "table_1", "blue_cup_1": "shelf_1", "key_1": "drawer_1"}
TICKS = {"navigate_to": 6, "pick": 3, "place": 3, "open": 2, "close": 2, "look_at": 4, "wait": 12}
_TEXT = re.compile(r"^\[(\w+)\]((?:\s*<[a-z0-9_]+>\s*(?:\(\d+\))?)*)$")
_REF = re.compile(r"<([a-z0-9_]+)>\s*(?:\((\d+)\))?")
_VERBS = {
    "walk": "navigate_to", "grab": "pick", "put": "place", "open": "open", "close": "close", "lookat": "look_at", "wait": "wait",
}  # fmt: skip
_HANDS = {"pick": "empty", "place": "holds"}


def _verb(name: str, surface: str, args: tuple[str, ...], english: str) -> VerbInfo:
    hands: Any = _HANDS.get(name, "free")
    return VerbInfo(name, (surface,), args, hands, (english,), english.capitalize() + ".")


VOCABULARY = Vocabulary(
    verbs=(
        _verb("navigate_to", "Walk", ("target",), "go to {target}"),
        _verb("pick", "Grab", ("object",), "pick up {object}"),
        _verb("place", "Put", ("object", "surface"), "put {object} on {surface}"),
        _verb("open", "Open", ("object",), "open {object}"),
        _verb("close", "Close", ("object",), "close {object}"),
        _verb("look_at", "LookAt", ("entity",), "look at {entity}"),
        _verb("wait", "Wait", (), "wait"),
    ),
    predicates=(
        PredicateInfo("on", 2, "stands on"),
        PredicateInfo("inside", 2, "is inside"),
        PredicateInfo("held", 1, "is held"),
        PredicateInfo("open", 1, "is open"),
        PredicateInfo("closed", 1, "is closed"),
    ),
    attributes=(),
    codes=CORE_CODES,
    channels=(ChannelInfo("view", "image", ("assistant", "human"), "what the person sees"),),
)


class ToyEngine:
    """State: where the person is, where things are, what is held, whether the drawer is open; a running command with ticks left."""

    name = "toy"
    vocabulary = VOCABULARY
    abilities = Abilities("exact", "bitwise")
    tick_seconds = Fraction(1, 12)

    def __init__(
        self, *, version: str = "1", crash_at: int = -1, lie_at: int = -1, late: int = 0, slip_at: int = -1, finish_at: int = -1
    ) -> None:
        self.version = version
        self.crash_at, self.lie_at, self.late, self.slip_at, self.finish_at = crash_at, lie_at, late, slip_at, finish_at
        self.drawn = 0
        self.closed = False

    def summary(self) -> Mapping[str, Any]:
        square = [[0, 0], [4, 0], [4, 4], [0, 4]]
        return {
            "rooms": [
                {"key": "kitchen", "title": "Kitchen", "polygon_m": square},
                {"key": "bedroom", "title": "Bedroom", "polygon_m": [[x + 4, y] for x, y in square]},
            ],
            "fixtures": [
                {"key": k, "label": k.split("_")[0], "kind": "fixture", "footprint_m": [[i, i], [i + 1, i], [i + 1, i + 1], [i, i + 1]]}
                for i, k in enumerate(PLACES)
            ],
        }

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        problems = [Problem(f"scenario#/changes/{i}", f"no thing {c.get('move')!r}", nearest(str(c.get("move")), list(THINGS)))
                    for i, c in enumerate(scenario.changes) if c.get("move") not in THINGS]  # fmt: skip
        if scenario.scene != "toy":
            problems.append(Problem("scenario#/scene", f"no scene {scenario.scene!r}", "allowed: toy"))
        if problems:
            raise InputError("toy scenario", problems)
        self._at = {**THINGS, **{c["move"]: c["onto"] for c in scenario.changes}}
        self._where, self._held, self._open, self._tick = str(scenario.human.get("spot", "table_1")), "", False, 0
        self._seed = seed
        self._running: Command | None = None
        self._left = self._began = 0
        self._stopping = False
        self._graph = self._read()
        return self._snapshot()

    def _read(self) -> SceneGraph:
        values: dict[tuple[str, str], Any] = {("human", "room"): PLACES[self._where]}
        for i, (thing, at) in enumerate(sorted(self._at.items())):
            if thing == self._held:
                values[thing, "held"] = ("right",)
            else:
                values[thing, "inside" if at == "drawer_1" else "on"] = (at,)
            spot = sorted(PLACES).index(self._where if thing == self._held else at)
            values[thing, "place"] = (1000 * spot, 100 * i, 800, 1000000, 0, 0, 0)
        values["drawer_1", "open"], values["drawer_1", "closed"] = self._open, not self._open
        return SceneGraph(values)

    def _snapshot(self) -> Snapshot:
        spot = float(sorted(PLACES).index(self._where))
        moved = {k: (float(sorted(PLACES).index(at)), 0.1, 0.8, 1.0, 0.0, 0.0, 0.0) for k, at in sorted(self._at.items())}
        return Snapshot(self._tick, moved, {"drawer_1": 0.3 if self._open else 0.0}, (spot, 0.0, 0.0, float(self._left)), {})

    def offer(self, role: Role) -> tuple[Offered, ...]:
        if role == "assistant":
            return ()
        here = PLACES[self._where]
        out = [
            Offered(p, EntityRef.from_key(p).surface, p.rsplit("_", 1)[0], p.rsplit("_", 1)[0], room=r, visible=r == here)
            for p, r in PLACES.items()
        ]
        for thing, at in sorted(self._at.items()):
            visible = PLACES[at] == here and (at != "drawer_1" or self._open)
            words = thing.rsplit("_", 1)[0].replace("_", " ")
            held = thing == self._held
            out.append(
                Offered(
                    thing, EntityRef.from_key(thing).surface, words, words.split()[-1], visible=visible or held, held=held, movable=True
                )
            )
        return tuple(out)

    def parse(self, text: str) -> Parsed | Refusal:
        match = _TEXT.match(text.strip().lower())
        if match is None:
            return Refusal(Code.PARSE_ERROR, f"cannot read {text[:40]!r}", "[Verb] <name> (1)")
        verb = _VERBS.get(match[1])
        if verb is None:
            return Refusal(Code.UNKNOWN_VERB, f"no verb {match[1]!r}", nearest(match[1], list(_VERBS)))
        refs = tuple(EntityRef(m[1], int(m[2] or 1)) for m in _REF.finditer(match[2]))
        for ref in refs:
            if ref.key not in PLACES and ref.key not in THINGS:
                return Refusal(Code.UNKNOWN_ENTITY, f"no {ref.key}", nearest(ref.key, [*PLACES, *THINGS]))
        canonical = f"[{match[1].capitalize()}] " + " ".join(r.surface for r in refs)
        return Parsed(Command(verb, refs), How.STRICT if text.strip() == canonical.strip() else How.REPAIRED, canonical.strip())

    def can(self, command: Command) -> Refusal | None:
        keys = [r.key for r in command.entities()]
        match command.verb:
            case "pick" if self._held:
                return Refusal(Code.HAND_FULL, f"holding {self._held}")
            case "pick" if self._at[keys[0]] == "drawer_1" and not self._open:
                return Refusal(Code.CLOSED, "drawer_1 is closed")
            case "place" if self._held != keys[0]:
                return Refusal(Code.NOT_HELD, f"{keys[0]} is not held")
            case "open" if self._open:
                return Refusal(Code.ALREADY, "drawer_1 is open")
        return None

    def begin(self, command: Command) -> Refusal | None:
        refusal = self.can(command)
        if refusal is None:
            self._running, self._left, self._began = command, TICKS[command.verb], self._tick
        return refusal

    def stop(self) -> None:
        self._stopping = self._running is not None

    def idle(self) -> bool:
        return self._running is None

    def tick(self) -> Step:
        if self._tick == self.crash_at:
            raise RuntimeError("the toy broke")
        self._tick += 1
        outcome = self._advance() if self._running is not None else None
        before, after = self._graph, self._read()
        changes = before.difference(after, tick=self._tick, cause="toy")
        self._graph = after
        if self._tick == self.slip_at:
            changes = changes[1:]
        marks = ("look_hold",) if self._running is not None and self._running.verb == "look_at" and self._left == 2 else ()
        shot = self._snapshot()
        return Step(changes, outcome, replace(shot, tick=shot.tick - self.late), finished=self._tick == self.finish_at, marks=marks)

    def _advance(self) -> Outcome | None:
        assert self._running is not None
        command = self._running
        self._left -= 1
        if self._left > 0 and not self._stopping:
            return None
        status = Status.STOPPED if self._stopping else Status.DONE
        if status is Status.DONE:
            self._apply(command)
        self._running, self._stopping, self._left = None, False, 0
        return Outcome(status, command, None, self._began, self._tick)

    def _apply(self, command: Command) -> None:
        keys = [r.key for r in command.entities()]
        if command.verb == "navigate_to":
            self._where = keys[0] if keys[0] in PLACES else self._at[keys[0]]
        elif command.verb == "pick":
            self._held, self._where = keys[0], self._at[keys[0]]
        elif command.verb == "place":
            self._at[self._held], self._held, self._where = keys[1], "", keys[1]
        elif command.verb in ("open", "close"):
            self._open, self._where = command.verb == "open", "drawer_1"
        if self._held:
            self._at[self._held] = self._where

    def graph(self) -> SceneGraph:
        if self._tick == self.lie_at:
            return SceneGraph({**self._graph.values, ("key_1", "on"): ("bed_1",)})
        return self._graph

    def digest(self) -> str:
        return digest(json.loads(self.save()))

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        self.drawn += len(snapshots)
        out = []
        for s in snapshots:
            data = png(digest_bytes(canonical_json([s.body, sorted(s.transforms.items()), sorted(s.joints.items())]).encode()))
            out.append(Observation(s.tick, channel, Kind.IMAGE, digest_bytes(data), data))
        return tuple(out)

    def save(self) -> bytes:
        running = [self._running.verb, [e.key for e in self._running.entities()]] if self._running else None
        state = [1, self._at, self._where, self._held, self._open, self._tick, running, self._left, self._began, self._seed]
        return canonical_json(state).encode()

    def restore(self, state: bytes) -> None:
        version, *values = json.loads(state)
        if version != 1:
            raise VersionError("toy state", str(version), "1")
        self._at, self._where, self._held, self._open, self._tick, running, self._left, self._began, self._seed = values
        self._running = Command(running[0], tuple(EntityRef.from_key(k) for k in thaw(running[1]))) if running else None
        self._graph = self._read()

    def close(self) -> None:
        self.closed = True


def png(colour: str, size: int = 8) -> bytes:
    """A one-coloured PNG from the first six hex digits of a digest."""
    row = b"\x00" + bytes.fromhex(colour[:6]) * size

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row * size)) + chunk(b"IEND", b"")


def make(**options: Any) -> ToyEngine:
    """A toy world."""
    return ToyEngine(**options)

"""The Engine protocol and what surrounds it: vocabulary, abilities, scenario, step. Worlds implement it; loop and agents read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, Protocol, runtime_checkable

from assistcore.world.commands import Command, Parsed
from assistcore.world.graph import Change, SceneGraph
from assistcore.world.outcomes import Outcome, Refusal
from assistcore.world.replies import Reply, Turn
from assistcore.world.snapshots import Observation, Snapshot
from assistcore.world.views import AssistantView, HumanView, Offered

Role = Literal["assistant", "human"]


@dataclass(frozen=True)
class NumberArg:
    """One numeric argument: its default (None: may be absent), closed bounds, and the factor of each unit word.

    `units` maps a suffix (empty: no suffix) to a factor; the first is used when rendering. `cap` clamps above `high` instead of refusing.
    """

    name: str
    default: float | None
    low: float
    high: float
    units: tuple[tuple[str, float], ...] = (("", 1.0),)
    cap: bool = False


@dataclass(frozen=True)
class VerbInfo:
    """One primitive as data. `surface` are the accepted grammar verbs, first the canonical one; `args` names in order, a trailing `?`
    marks optional.

    `hands` is one of `empty`, `holds` (the named object must be held), `free` (RULES, Hands). `english` are imperative phrases with the
    argument
    names in braces (`pick up {object}`), from which the rule human and the prompts are made; no agent names a verb itself.
    """

    name: str
    surface: tuple[str, ...]
    args: tuple[str, ...]
    hands: Literal["empty", "holds", "free"]
    english: tuple[str, ...]
    meaning: str
    implemented: bool = True
    group: str = ""
    numbers: tuple[NumberArg, ...] = ()
    """The arguments named here are numbers."""
    symbols: tuple[tuple[str, int], ...] = ()
    """Arguments that are names but not scene entities (regions, connectors), each with its default index."""
    variants: tuple[tuple[str, str], ...] = ()
    """Where surface verbs differ in meaning: (surface, value of the leading string argument), such as (TurnLeft, left)."""
    targets: tuple[str, ...] = ()
    """Kinds and roles of entities that the first argument may name (`movable`, `door`, `openable`, `device` ...); empty: it names none."""
    bare: tuple[str, ...] = ()
    """Surface verbs that take no argument (TurnAround)."""
    seated: bool = False
    """Whether a seated person does it on the seat; for any other verb they get up first."""
    codes: tuple[str, ...] = ()
    """Codes with which its commands may be refused or fail, besides those of the grammar and `BUSY`."""


@dataclass(frozen=True)
class PredicateInfo:
    """One graph predicate: `arity` 1 or 2, meaning with its tolerance."""

    name: str
    arity: int
    meaning: str


@dataclass(frozen=True)
class AttributeInfo:
    """One attribute: its value type and meaning."""

    name: str
    type: Literal["bool", "int", "str"]
    meaning: str


@dataclass(frozen=True)
class ChannelInfo:
    """One observation channel, its kind, and the roles that may get it."""

    name: str
    kind: Literal["image", "audio", "text"]
    roles: tuple[Role, ...]
    meaning: str = ""


@dataclass(frozen=True)
class Vocabulary:
    """Everything generic code may know of a world. `codes` is the closed set of refusal codes in force."""

    verbs: tuple[VerbInfo, ...]
    predicates: tuple[PredicateInfo, ...]
    attributes: tuple[AttributeInfo, ...]
    codes: frozenset[str]
    channels: tuple[ChannelInfo, ...]

    def verb(self, name: str) -> VerbInfo | None:
        """The verb with this canonical name, or None."""
        return next((v for v in self.verbs if v.name == name), None)


@dataclass(frozen=True)
class Abilities:
    """What an engine promises of save/restore and of repeating a run."""

    restore: Literal["exact", "at_rest", "none"]
    repeat: Literal["bitwise", "tolerance"]


@dataclass(frozen=True)
class Scenario:
    """What an engine is reset to. Engines know a scenario, no pack and no family.

    `scene` names registered content; `human` and `changes` are the engine's own plain schema (for the house: start spot and heading;
    objects to move,
    remove, open, switch, with attributes), validated by the engine with an `InputError` that names each place.
    """

    scene: str
    human: Mapping[str, Any] = field(default_factory=dict)
    changes: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Step:
    """What one tick brought. `outcome` is set on the tick a command ended; `feedback` is plain text for the human; `finished` ends a
    world by itself."""

    changes: tuple[Change, ...]
    outcome: Outcome | None
    snapshot: Snapshot
    feedback: str = ""
    finished: bool = False
    marks: tuple[str, ...] = ()
    """Names for the picture picker: a tick marked `look_hold` is always drawn."""


class Engine(Protocol):
    """A world behind one face. Deterministic: the same scenario, seed and versions give the same state bytes, in another process too."""

    name: str
    vocabulary: Vocabulary
    abilities: Abilities
    tick_seconds: Fraction

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        """Load and stand at tick 0. Raises InputError (every problem at once) or InfrastructureError."""

    def offer(self, role: Role) -> tuple[Offered, ...]:
        """What there is to name, with whether it is visible or held now, from geometry alone (RULES, Visibility).

        The boundary cuts this down to what the role may name: nothing unseen, and in some families nothing that is out of view.
        """

    def parse(self, text: str) -> Parsed | Refusal:
        """One command text to a command, strictly or repaired."""

    def can(self, command: Command) -> Refusal | None:
        """Run the planning that `begin` would commit; change nothing."""

    def begin(self, command: Command) -> Refusal | None:
        """Start a command. A refusal leaves the state hash as it was."""

    def stop(self) -> None:
        """Bring a running command to a safe pose; its outcome comes from a later `tick` as `stopped`. No effect when idle."""

    def idle(self) -> bool:
        """Whether no command is running."""

    def tick(self) -> Step:
        """Advance one tick; waiting is also a tick."""

    def graph(self) -> SceneGraph:
        """The scene graph now."""

    def digest(self) -> str:
        """`state_digest`: every bit of state, comparable within one engine and machine kind."""

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """Draw snapshots of this episode. Never touches state."""

    def save(self) -> bytes:
        """The whole state, versioned."""

    def restore(self, state: bytes) -> None:
        """Back to a saved state. Raises VersionError for another schema version."""

    def close(self) -> None:
        """Release everything. Idempotent."""


@runtime_checkable
class Described(Protocol):
    """What an engine may say of itself for the records. An engine without it is recorded as version 0 with an empty summary."""

    version: str
    """Changes with everything that changes what a run does (code version, content digest)."""

    def summary(self) -> Mapping[str, Any]:
        """Plain JSON for maps and reports, after reset: `{"rooms": [{"key", "title", "polygon_m"}], "fixtures": [{"key", "label",
        "kind", "footprint_m"}], "rules": str, "verbs": [name]}`; footprints are convex outlines in metres, world frame. All are optional.
        `rules` is what the person is told of a world that has rules of its own (a puzzle): it stands behind the task in their view.
        `verbs` are those of the vocabulary that this scenario has; without it all."""


@runtime_checkable
class Hosted(Protocol):
    """What an engine that lives in another process says of it. An engine without it is recorded as `in process`."""

    process: str
    """`warm process` where it has served episodes before, `fresh process` where each has its own."""


class Assistant(Protocol):
    """An assistant policy. `privileged` ones got the pack by constructor and are never reported as models."""

    name: str
    privileged: bool

    def reply(self, view: AssistantView) -> Reply:
        """One control response to a poll."""


class Human(Protocol):
    """A human-executor policy."""

    name: str
    privileged: bool

    def turn(self, view: HumanView) -> Turn:
        """One turn: commands to queue and speech."""

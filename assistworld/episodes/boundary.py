"""The information boundary: the only place where views are built, from an allow-list per role and family (seed C.2.2).

Everything an agent gets is a field named here; the loop records the view and gives the agent what is decoded from the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from assistcore.world.engine import VerbInfo, Vocabulary
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.snapshots import Kind, Observation
from assistcore.world.views import AssistantView, Family, HumanView, Legend, Offered, Utterance

ASSISTANT_MAY_SEE: Mapping[Family, frozenset[str]] = {
    family: frozenset({"tick", "family", "task", "observations", "heard", "dialogue", "latest"}) for family in Family
}
_HUMAN = frozenset(
    {
        *("tick", "family", "task", "observations", "heard", "dialogue", "offers", "legend", "held", "room"),
        *("last_command", "last_status", "last_code", "last_fact", "pending", "idle"),
    }
)
HUMAN_MAY_SEE: Mapping[Family, frozenset[str]] = {
    family: _HUMAN - ({"observations"} if family is Family.NARRATE else set()) | ({"plan_next"} if family is Family.WATCH else set())
    for family in Family
}
SIGHT_ONLY = frozenset({Family.FIND, Family.NARRATE})
"""Families in which a movable thing is offered only while it is visible or held; in the others also once it has been seen."""

_HANDLE = re.compile(r"<([a-z0-9_ ]+)>\s*(?:\(\d+\))?", re.IGNORECASE)
_COMMAND = re.compile(r"\[([A-Za-z]+)\]")


@dataclass(frozen=True)
class Moment:
    """What the loop knows when it asks; the functions below decide what of it a role gets."""

    tick: int
    family: Family
    task: str
    observations: tuple[Observation, ...]
    heard: tuple[Utterance, ...]
    dialogue: tuple[Utterance, ...]
    offers: tuple[Offered, ...] = ()
    legend: tuple[Legend, ...] = ()
    held: str = ""
    room: str = ""
    last_command: str = ""
    last_status: str = ""
    last_code: str = ""
    last_fact: str = ""
    pending: tuple[str, ...] = ()
    idle: bool = True
    plan_next: str = ""
    latest: str = "Latest segment."


def assistant_view(moment: Moment) -> AssistantView:
    """Pictures, what was said, the public request and the marker: never a handle, a coordinate, a held state or a score."""
    return AssistantView(**_allowed(moment, AssistantView, ASSISTANT_MAY_SEE[moment.family]))


def human_view(moment: Moment) -> HumanView:
    """What is needed to ground an instruction. Fields outside the allow-list keep their empty value."""
    return HumanView(**_allowed(moment, HumanView, HUMAN_MAY_SEE[moment.family]))


def vars_of(view: Any) -> dict[str, Any]:
    """The fields of a frozen view."""
    return {f.name: getattr(view, f.name) for f in fields(view)}


def _allowed(moment: Moment, kind: type, names: Iterable[str]) -> dict[str, Any]:
    allowed = frozenset(names)
    values = {f.name: getattr(moment, f.name) for f in fields(kind)}
    return {name: value if name in allowed else type(value)() for name, value in values.items()}


def offered_now(offers: Sequence[Offered], family: Family, seen: frozenset[str]) -> tuple[Offered, ...]:
    """What the person may name: of the movable things only those in view or in the hand, and, outside `SIGHT_ONLY`, those seen before."""
    remembered = frozenset() if family in SIGHT_ONLY else seen
    return tuple(o for o in offers if not o.movable or o.visible or o.held or o.key in remembered)


def legend(vocabulary: Vocabulary) -> tuple[Legend, ...]:
    """The grammar legend, from the vocabulary; verbs that the engine does not perform are left out."""
    return tuple(legend_of(v) for v in vocabulary.verbs if v.implemented)


def legend_of(verb: VerbInfo) -> Legend:
    shown = " ".join(f"<{a.rstrip('?')}> (1)" if not a.endswith("?") else f"{{{a.rstrip('?')}}}" for a in verb.args)
    example = f"[{verb.surface[0]}] {shown}".strip()
    return Legend(verb.name, example, verb.args, verb.meaning, verb.english, verb.surface, verb.hands)


def room_of_person(graph: SceneGraph) -> str:
    """The room the person is in, where the graph says so."""
    for subject in ("human", "person", "human_1"):
        room = graph.value(subject, "room")
        if isinstance(room, str):
            return room
    return ""


def plain_speech(text: str, keys: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    """Speech as it may be heard, and the handles that had to be taken out: `<red_mug> (2)` and `red_mug_2` become `red mug`."""
    leaked = [m[0] for m in _HANDLE.finditer(text)] + [m[0] for m in _COMMAND.finditer(text)]
    said = _COMMAND.sub(r"\1", _HANDLE.sub(lambda m: m[1].replace("_", " "), text))
    for key in sorted(keys, key=len, reverse=True):
        pattern = re.compile(rf"\b{re.escape(key)}\b", re.IGNORECASE)
        if "_" in key and pattern.search(said):
            leaked.append(key)
            said = pattern.sub(_spoken(key), said)
    return " ".join(said.split()), tuple(leaked)


def _spoken(key: str) -> str:
    try:
        return EntityRef.from_key(key).name.replace("_", " ")
    except ValueError:
        return key.replace("_", " ")


def encode(view: AssistantView | HumanView) -> dict[str, Any]:
    """A view as JSON: observations by digest, enums by value."""
    return {name: _plain(value) for name, value in vars_of(view).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, Observation):
        return {"tick": value.tick, "channel": value.channel, "kind": value.kind.value, "digest": value.digest}
    if isinstance(value, Utterance | Offered | Legend):
        return {k: _plain(v) for k, v in vars_of(value).items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


def decode(role: str, data: Mapping[str, Any], fetch: Callable[[str], bytes]) -> AssistantView | HumanView:
    """Inverse of `encode`; `fetch` gives the content of an attachment."""
    common: dict[str, Any] = {
        **data,
        "family": Family(data["family"]),
        "observations": tuple(_observation(o, fetch) for o in data["observations"]),
        "heard": tuple(Utterance(**u) for u in data["heard"]),
        "dialogue": tuple(Utterance(**u) for u in data["dialogue"]),
    }
    if role == "assistant":
        return AssistantView(**common)
    return HumanView(
        **{
            **common,
            "offers": tuple(_offered(o) for o in data["offers"]),
            "legend": tuple(_entry(entry) for entry in data["legend"]),
            "pending": tuple(data["pending"]),
        }
    )


def _entry(data: Mapping[str, Any]) -> Legend:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return Legend(**values)


def _offered(data: Mapping[str, Any]) -> Offered:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return Offered(**values)


def _observation(data: Mapping[str, Any], fetch: Callable[[str], bytes]) -> Observation:
    return Observation(data["tick"], data["channel"], Kind(data["kind"]), data["digest"], fetch(data["digest"]))

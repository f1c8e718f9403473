"""Score a human policy on a corpus of instructions: right, silent where an action was due, incomplete, or a wrong action.

A corpus is a folder with `instructions.yaml` (its head says what an item holds) and `scenes.yaml` (what is offered in each scene).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from actions.grammar import parse_command
from actions.verb import all_verbs
from assistcore.world.commands import Parsed
from assistcore.world.engine import Human
from assistcore.world.ids import EntityRef
from assistcore.world.views import Family, HumanView, Legend, Offered, Utterance
from assistworld.episodes.boundary import legend_of

FOLLOW_UPS = 5
"""Turns that are played on, every command taken as done, to see the whole of what an instruction leads to."""


@dataclass(frozen=True)
class Verdict:
    """How one item went. `kind` is right, silent (no action where one was due), incomplete, or wrong."""

    item: str
    kind: str
    commands: tuple[tuple[Any, ...], ...]
    speech: str


@dataclass(frozen=True, eq=False)
class Corpus:
    """The items in order, and the scenes by name."""

    items: tuple[dict[str, Any], ...]
    scenes: Mapping[str, Any]


@lru_cache(maxsize=2)
def read_corpus(folder: Path) -> Corpus:
    """Read a corpus. Raises OSError naming a file that is missing."""
    items = yaml.safe_load((folder / "instructions.yaml").read_text(encoding="utf-8"))
    scenes = yaml.safe_load((folder / "scenes.yaml").read_text(encoding="utf-8"))
    return Corpus(tuple(items), scenes)


@lru_cache(maxsize=1)
def _legend() -> tuple[Legend, ...]:
    return tuple(legend_of(info) for info in all_verbs() if info.implemented)


def _offers(scene: Mapping[str, Any], held: str) -> tuple[Offered, ...]:
    found = []
    for raw in scene["offers"]:
        values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
        offer = Offered(**values)
        if offer.key == held:
            offer = replace(offer, held=True, on="", inside="")
        found.append(offer)
    return tuple(found)


def _view(scene: Mapping[str, Any], held: str, tick: int, **more: Any) -> HumanView:
    base: dict[str, Any] = {"heard": (), "dialogue": ()}
    return HumanView(
        tick=tick,
        family=Family.ASK,
        task="",
        observations=(),
        offers=_offers(scene, held),
        legend=_legend(),
        held=held,
        room=scene["room"],
        **(base | more),
    )


def score(human: Human, item: Mapping[str, Any], scenes: Mapping[str, Any]) -> Verdict:
    """Play one item with a fresh human policy."""
    scene = scenes[item["scene"]]
    held = item.get("held", scene.get("held", "")) or ""
    dialogue = _history(human, item, scene)
    said = Utterance(100, "assistant", item["say"])
    last = {k: item[k] for k in ("last_command", "last_status") if k in item}
    turn = human.turn(_view(scene, held, 100, heard=(said,), dialogue=(*dialogue, said), **last))
    texts, speech = list(turn.commands), [turn.speech]
    for step in range(FOLLOW_UPS):
        if not turn.commands:
            break
        turn = human.turn(_view(scene, held, 101 + step, last_command=turn.commands[-1], last_status="done", dialogue=(*dialogue, said)))
        texts += turn.commands
        speech.append(turn.speech)
    keys = tuple(o["key"] for o in scene["offers"])
    commands = tuple(_command(text, keys) for text in texts)
    spoken = " ".join(s for s in speech if s)
    return Verdict(item["id"], _judge(commands, spoken, item["expect"]), commands, spoken)


def _history(human: Human, item: Mapping[str, Any], scene: Mapping[str, Any]) -> tuple[Utterance, ...]:
    """Let the policy hear what was said before, its commands taken as done."""
    dialogue: tuple[Utterance, ...] = ()
    for i, entry in enumerate(item.get("history", ())):
        said = Utterance(i * 10, entry["speaker"], entry["text"])
        dialogue = (*dialogue, said)
        if said.speaker != "assistant":
            continue
        turn = human.turn(_view(scene, scene.get("held", "") or "", said.tick, heard=(said,), dialogue=dialogue))
        if turn.commands and ("last_command" in item or "held" in item or i + 1 < len(item["history"])):
            held = item.get("held", "") or ""
            human.turn(_view(scene, held, said.tick + 5, last_command=turn.commands[-1], last_status="done", dialogue=dialogue))
    return dialogue


def _command(text: str, keys: Sequence[str]) -> tuple[Any, ...]:
    found = parse_command(text, known=keys)
    if not isinstance(found, Parsed):
        return ("unparsed", text)
    command = found.command
    return (command.verb, *(a.key if isinstance(a, EntityRef) else a for a in command.args))


def _judge(commands: tuple[tuple[Any, ...], ...], spoken: str, expect: Mapping[str, Any]) -> str:
    wanted = [_norm(c) for c in ([expect["commands"]] if "commands" in expect else []) + list(expect.get("also_ok", ()))]
    done = _norm(commands)
    if any(_same(done, w) for w in wanted):
        return "right"
    if not done:
        if "nothing" in expect or "no_action" in expect:
            return "right"
        asked = bool(spoken.strip())
        if "question" in expect or expect.get("question_ok"):
            mentions = expect.get("mentions")
            return "right" if asked and (not mentions or any(m.lower() in spoken.lower() for m in mentions)) else "silent"
        return "silent"
    if any(len(done) < len(w) and _same(done, w[: len(done)]) for w in wanted):
        return "right" if expect.get("question_ok") and "?" in spoken else "incomplete"
    return "wrong"


def _norm(commands: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Without walks to the target of the next command, which are never wrong; half a turn is one to either side."""
    rows = [("turn", "around") if c[0] == "turn" and tuple(c[2:]) == (180,) else tuple(c) for c in commands]
    kept = []
    for i, row in enumerate(rows):
        following = rows[i + 1] if i + 1 < len(rows) else ()
        if row and row[0] == "navigate_to" and following and row[1] in following[1:]:
            continue
        kept.append(row)
    return kept


def _same(done: list[tuple[Any, ...]], wanted: list[tuple[Any, ...]]) -> bool:
    return len(done) == len(wanted) and all(
        a[0] == b[0] and len(a) >= len(b) and all(_equal(x, y) for x, y in zip(a[1:], b[1:], strict=False))
        for a, b in zip(done, wanted, strict=True)
    )


def _equal(found: Any, wanted: Any) -> bool:
    if isinstance(found, float) and isinstance(wanted, int | float):
        return abs(found - wanted) < 1e-6
    return bool(found == wanted)

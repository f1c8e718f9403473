"""A pack proves itself: the oracle passes; no help, wrong help, early help and a person who does nothing fail (DESIGN section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistcore.world.engine import Engine
from assistcore.world.records import Glance, Viewed
from assistworld.episodes.bundle import Bundle, open_bundle
from assistworld.studies.attempt import Attempt, attempt, make_assistant, make_human
from evaluator.aggregate import aggregate
from evaluator.scores import Score
from taskpacks.schema import TaskPack

CONTROLS: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "two_agent": (
        ("oracle", "oracle", "rule"),
        ("silent", "silent", "rule"),
        ("wrong", "wrong", "rule"),
        ("early", "early", "rule"),
        ("nothing", "oracle", "nothing"),
    ),
    "solo": (
        ("oracle", "silent", "solver"),
        ("wrong", "silent", "wanderer"),
        ("early", "silent", "stopper"),
        ("nothing", "silent", "nothing"),
    ),
}
"""Control, assistant, person, by the kind of the pack's protocol. The first row are those whom a pack is made for."""


def reference_agents(pack: TaskPack) -> tuple[str, str]:
    """The assistant and the person with whom a pack succeeds."""
    _, assistant, human = CONTROLS[pack.protocol.kind][0]
    return assistant, human


@dataclass(frozen=True)
class Control:
    """One control: what it did and what is wrong with that; `problems` is empty where it behaved as the pack promises."""

    name: str
    attempt: Attempt
    problems: tuple[str, ...]


@dataclass(frozen=True)
class Proved:
    """All controls of a pack."""

    pack: TaskPack
    controls: tuple[Control, ...]

    @property
    def proved(self) -> bool:
        """Whether every control behaved."""
        return all(not c.problems for c in self.controls)

    @property
    def void(self) -> bool:
        """Whether some attempt was VOID: nothing is proved then, nor disproved."""
        return any(c.attempt.score.void for c in self.controls)

    def as_json(self) -> dict[str, Any]:
        """The report."""
        scores = [c.attempt.score for c in self.controls]
        return {
            "pack": self.pack.id,
            "version": self.pack.version,
            "proved": self.proved,
            "counts": aggregate(scores).as_json(),
            "controls": [_row(c) for c in self.controls],
        }


def prove(
    pack: TaskPack,
    engine: Engine,
    *,
    out: Path,
    seed: int = 0,
    frames: int = 0,
    controls: Sequence[str] = (),
    progress: Callable[[str], None] = lambda name: None,
) -> Proved:
    """Run the controls one after the other on one engine. `controls` names some; none means all."""
    done: list[Control] = []
    for name, assistant, human in CONTROLS[pack.protocol.kind]:
        if controls and name not in controls:
            continue
        progress(name)
        tried = attempt(
            pack, engine, make_assistant(assistant, pack, seed), make_human(human, pack, seed), out=out, seed=seed, frames=frames
        )
        oracle = next((c.attempt for c in done if c.name == "oracle"), None)
        done.append(Control(name, tried, tuple(problems(name, tried, oracle))))
    return Proved(pack, tuple(done))


def problems(name: str, tried: Attempt, oracle: Attempt | None) -> list[str]:
    """What a control did that it must not do."""
    score = tried.score
    if score.void:
        return [f"VOID: {score.stop_reason}: {score.void_reason}"]
    found = []
    if name == "oracle":
        found += [] if score.success else [f"the oracle fails: {_failed(score)}"]
        bundle = open_bundle(tried.folder, verify=False)
        found += [] if score.declared or bundle.pack.protocol.kind == "solo" else ["the oracle did not declare the end"]
        found += unread_evidence(bundle)
        found += longer_than_played(bundle.pack, score)
        return found
    if score.success:
        found.append(f"{name} succeeds")
    if name in ("nothing", "silent") and score.completion.value != 0.0 and not score.void:
        found.append(f"completion is {score.completion.value} without help")
    if name == "wrong" and oracle is not None:
        if 2 * score.succeeded_actions < oracle.score.succeeded_actions:
            found.append(
                f"wrong help was hardly obeyed: {score.succeeded_actions} commands done, the oracle {oracle.score.succeeded_actions}"
            )
        if _end(tried) == _end(oracle):
            found.append("wrong help ends in the oracle's world")
    return found


def longer_than_played(pack: TaskPack, score: Score) -> list[str]:
    """A shortest solution (`proof.actions`) that is longer than the one just played: efficiency would be overstated."""
    shortest, played = pack.proof.actions, score.succeeded_actions
    if shortest is None or not score.success or shortest <= played:
        return []
    return [f"proof.actions says that the shortest solution has {shortest} commands, the oracle's had {played}"]


def unread_evidence(bundle: Bundle) -> list[str]:
    """Labels that decide and that were never legible to the person's eyes."""
    read: dict[str, set[str]] = {}
    for row in bundle.rows:
        if isinstance(row.record, Glance):
            for key, lines in row.record.printed.items():
                read.setdefault(key, set()).update(line.lower() for line in lines)
        elif isinstance(row.record, Viewed) and row.record.role == "human":
            for offer in row.record.view["offers"]:
                read.setdefault(offer["key"], set()).update(line.lower() for line in offer["printed"])
    out = []
    for key, words in bundle.pack.proof.evidence.labels.items():
        missing = [w for w in words if not any(w.lower() in text for text in read.get(key, ()))]
        if missing:
            out.append(f"{', '.join(missing)} on {key} was never legible in the oracle's episode")
    return out


def _end(tried: Attempt) -> str:
    stopped = open_bundle(tried.folder, verify=False).stopped
    return stopped.graph_digest if stopped else ""


def _failed(score: Score) -> str:
    failed = [f"{c.id} ({c.explanation})" for c in score.checks if not c.passed]
    return "; ".join(failed) or "not declared"


def _row(control: Control) -> dict[str, Any]:
    score = control.attempt.score
    return {
        "control": control.name,
        "assistant": score.assistant,
        "human": score.human,
        "success": score.success,
        "completion": score.completion.value,
        "completion_reason": score.completion.reason,
        "actions": score.actions,
        "succeeded_actions": score.succeeded_actions,
        "ticks": score.ticks,
        "stop_reason": score.stop_reason,
        "void": score.void,
        "failed_checks": [c.id for c in score.checks if not c.passed],
        "problems": list(control.problems),
        "bundle": control.attempt.folder.name,
        "head": score.events_head,
    }

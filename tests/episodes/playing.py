"""Packs and scripted agents for episodes in the toy world."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.views import AssistantView, HumanView
from assistworld.episodes.control import parse_control
from assistworld.episodes.driver import run
from assistworld.episodes.episode import Ended, Episode
from assistworld.episodes.log import FolderSink, MemorySink
from taskpacks.schema import TaskPack
from tests.episodes.toy_engine import ToyEngine

PACK: dict[str, Any] = {
    "schema": "taskpack/1",
    "id": "toy_cup",
    "version": 1,
    "title": "Bring the red cup to the bed",
    "provenance": {"author": "AssistWorld"},
    "licence": "Apache-2.0",
    "scenario": {"engine": "toy", "scene": "toy"},
    "protocol": {
        "kind": "two_agent",
        "family": "ask",
        "task": "Help with a cup.",
        "opening": {"say": "Let me see.", "commands": ["[Walk] <shelf> (1)"], "handoff": "Which cup goes to the bed?"},
        "timing": {"idle_s": 1.0},
        "budget": {"actions": 12, "seconds": 20},
    },
    "score": {
        "kind": "world",
        "goals": [{"id": "cup_on_bed", "holds": {"is": ["on", "red_cup_1", "bed_1"]}}],
        "guards": [{"id": "other_cup", "holds": {"unmoved": "blue_cup_1"}}],
    },
    "proof": {
        "oracle": [{"say": "Pick up the red cup."}, {"say": "Put it on the bed."}],
        "wrong": [{"say": "Pick up the blue cup."}, {"say": "Put it on the bed."}],
        "early": [{"say": "Pick up the blue cup."}, {"say": "Put it on the bed."}],
    },
}


def pack(**changes: Any) -> TaskPack:
    """The toy pack, with parts replaced: `protocol={"family": "find"}` merges."""
    return TaskPack.model_validate(merged(PACK, changes))


def merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    out = dict(base)
    for key, value in changes.items():
        out[key] = merged(base[key], value) if isinstance(value, dict) and isinstance(base.get(key), dict) else value
    return out


class Script:
    """An assistant that gives its replies in order, then stays silent."""

    name, privileged = "script", True

    def __init__(self, *texts: str) -> None:
        self._texts = list(texts)
        self.views: list[AssistantView] = []

    def reply(self, view: AssistantView) -> Reply:
        self.views.append(view)
        return parse_control(self._texts.pop(0)) if self._texts else Reply(Say.SILENT)


class Obeyer:
    """A person who runs the commands in what is said (`do: [Grab] <red_cup> (1); ...`) and reports."""

    name, privileged = "obeyer", True

    def __init__(self, turns: Sequence[Turn] = ()) -> None:
        self._turns = list(turns)
        self.views: list[HumanView] = []

    def turn(self, view: HumanView) -> Turn:
        self.views.append(view)
        if self._turns:
            return self._turns.pop(0)
        told = [u.text for u in view.heard if u.text.startswith("do:")]
        if told:
            commands = tuple(c.strip() for c in told[-1][3:].split(";"))
            return Turn(Queue.REPLACE, commands, "Okay.", raw=told[-1])
        return Turn()


CARRY = "$interrupt$ do: [Grab] <red_cup> (1); [Put] <red_cup> (1) <bed> (1)"


def play(
    folder: Path | None = None,
    *,
    texts: Sequence[str] = (CARRY, "$silent$", "$done$"),
    engine: ToyEngine | None = None,
    the_pack: TaskPack | None = None,
    human: Obeyer | None = None,
    frames: int = 2,
    seed: int = 0,
) -> tuple[Ended, Episode, Script, Obeyer]:
    """One episode in the toy world."""
    sink = MemorySink() if folder is None else FolderSink(folder)
    episode = Episode(pack=the_pack or pack(), engine=engine or ToyEngine(), sink=sink, seed=seed, frames=frames)
    assistant, person = Script(*texts), human or Obeyer()
    return run(episode, assistant, person), episode, assistant, person

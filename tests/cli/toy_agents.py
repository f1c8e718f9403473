"""Assistants and people for the toy world, made as the registered ones are."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

from assistcore.world.errors import nearest
from assistcore.world.registry import Entry, UnknownName
from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.views import AssistantView, HumanView
from taskpacks.schema import TaskPack
from tests.episodes import toy_engine


class Speaker:
    """Says its lines, each once the person has said something since the last; then declares."""

    privileged = True

    def __init__(self, name: str, lines: tuple[str, ...]) -> None:
        self.name, self._lines, self._spoken = name, list(lines), False

    def reply(self, view: AssistantView) -> Reply:
        if self._spoken and not any(u.text == "Done." for u in view.heard):
            return Reply(Say.SILENT)
        self._spoken = True
        return Reply(Say.INTERRUPT, self._lines.pop(0)) if self._lines else Reply(Say.DONE)


class Silent:
    name, privileged = "silent", False

    def reply(self, view: AssistantView) -> Reply:
        return Reply(Say.SILENT)


class Rule:
    """Knows two sentences."""

    name, privileged = "rule", False

    def turn(self, view: HumanView) -> Turn:
        for u in view.heard:
            if match := re.match(r"Pick up the (\w+) cup", u.text):
                return Turn(Queue.REPLACE, (f"[Grab] <{match[1]}_cup> (1)",))
            if match := re.match(r"Put it on the (\w+)", u.text):
                held = next((o.handle for o in view.offers if o.held), "<nothing> (1)")
                return Turn(Queue.REPLACE, (f"[Put] {held} <{match[1]}> (1)",))
        return Turn(speech="Done." if view.last_status == "done" and view.idle and not view.heard else "")


class Nothing:
    name, privileged = "nothing", False

    def turn(self, view: HumanView) -> Turn:
        return Turn()


def _assistant(name: str) -> Any:
    def make(pack: TaskPack, seed: int) -> Any:
        if name == "silent":
            return Silent()
        return Speaker(name, tuple(line.say for line in getattr(pack.proof, name)))

    return make


class Fakes:
    """A registry of fixed modules."""

    def __init__(self, kind: str, **modules: Any) -> None:
        self.kind, self._modules = kind, modules

    def entries(self) -> tuple[Entry, ...]:
        return tuple(Entry(name, name, f"a toy {self.kind}") for name in sorted(self._modules))

    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._modules))

    def load(self, name: str) -> Any:
        if name not in self._modules:
            raise UnknownName(f"no {self.kind} named {name!r}; {nearest(name, self.names())}")
        return self._modules[name]


ASSISTANTS = Fakes("assistant", **{n: SimpleNamespace(make=_assistant(n)) for n in ("oracle", "silent", "wrong", "early")})
HUMANS = Fakes("human", rule=SimpleNamespace(make=lambda pack, seed: Rule()), nothing=SimpleNamespace(make=lambda pack, seed: Nothing()))
ENGINES = Fakes("engine", toy=toy_engine)

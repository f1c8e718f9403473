"""The rule human: does what plain English tells it with what it is offered, asks back when that is unclear, never acts untold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistcore.world.replies import Queue, Turn
from assistcore.world.views import HumanView
from assistworld.agents.grounding import speech
from assistworld.agents.grounding.data import phrases
from assistworld.agents.grounding.decisions import Decision
from assistworld.agents.grounding.dialogue import Dialogue

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack

PATIENCE = 2
"""Turns of hearing nothing after which the person asks once what to do."""
BAD = frozenset({"refused", "failed"})


class RuleHuman:
    """Deterministic; knows nothing but its views. Holds the conversation and what it has queued."""

    name = "rule"
    privileged = False

    def __init__(self) -> None:
        self._dialogue = Dialogue()
        self._busy = False
        self._rest: tuple[str, ...] = ()
        self._remarks = ""
        self._waited = 0
        self._asked = False
        self._halted = False

    def turn(self, view: HumanView) -> Turn:
        """Speech first: a new instruction replaces what was queued. Else go on with what was told, report, or wait."""
        turn = self._turn(view)
        if turn.speech:
            self._dialogue.spoken.append(turn.speech)
        return turn

    def _turn(self, view: HumanView) -> Turn:
        heard = "\n".join(u.text for u in view.heard if u.speaker == "assistant")
        if heard.strip():
            self._waited, self._asked = 0, False
            return self._hear(heard, view)
        if not view.idle:
            return Turn()
        if self._busy:
            return self._outcome(view)
        return self._idle(view)

    def _hear(self, text: str, view: HumanView) -> Turn:
        rules = phrases("families")[view.family.value]
        self._dialogue.resumed = False
        decision = self._dialogue.hear(text, view, int(rules["steps"]))
        self._halted = False if self._dialogue.resumed else self._halted
        if decision.kind == "act":
            self._halted = False
            return self._queue(decision, view, Queue.REPLACE)
        if decision.kind == "stop" or decision.drops:
            self._busy, self._rest, self._halted = False, (), True
            return Turn(Queue.REPLACE, speech=speech.plain(decision.speech), reasoning=f"{decision.kind}: nothing is to be done now")
        if self._busy or not decision.speech:
            return Turn(speech=speech.plain(decision.speech), reasoning="no instruction to act on")
        return Turn(speech=speech.plain(decision.speech), reasoning="nothing to do for this")

    def _queue(self, decision: Decision, view: HumanView, queue: Queue) -> Turn:
        limit = int(phrases("families")[view.family.value].get("commands", len(decision.commands)))
        now, self._rest = decision.commands[:limit], decision.commands[limit:]
        self._busy, self._remarks = True, decision.speech
        return Turn(queue, commands=now, reasoning="told to: " + "; ".join(a.concept for a in decision.acts))

    def _outcome(self, view: HumanView) -> Turn:
        """Everything queued has ended: go on with what waited, or report."""
        self._busy = False
        if view.last_status in BAD:
            self._rest = ()
            self._dialogue.drop()
            return Turn(speech=speech.plain(speech.say_refused(view.last_code, view.last_fact)))
        if view.last_status == "stopped":
            self._dialogue.drop()
            return Turn()
        if self._rest:
            now, self._rest = self._rest[:1], self._rest[1:]
            self._busy = True
            return Turn(Queue.APPEND, commands=now, reasoning="the next motion of the same instruction")
        decision = self._dialogue.go_on(view)
        if decision.kind == "act":
            return self._queue(decision, view, Queue.APPEND)
        if decision.kind == "ask":
            return Turn(speech=speech.plain(decision.speech))
        report = phrases("families")[view.family.value]["report"]
        said = f"{report} {decision.speech or self._remarks}".strip()
        self._remarks = ""
        return Turn(speech=speech.plain(said))

    def _idle(self, view: HumanView) -> Turn:
        rules = phrases("families")[view.family.value]
        if rules.get("plan") and view.plan_next and not self._halted:
            return Turn(Queue.APPEND, commands=(view.plan_next,), reasoning="no instruction: the next step of my own plan")
        self._waited += 1
        if self._waited > PATIENCE and not self._asked:
            self._asked = True
            return Turn(speech=speech.IDLE)
        return Turn()


def make(pack: TaskPack | None, seed: int) -> RuleHuman:
    """The rule human; the pack is not read and nothing is random."""
    return RuleHuman()

"""What was said, turned into a decision: commands, a question, or nothing. Holds what a conversation needs to be understood."""

from __future__ import annotations

import re
from dataclasses import replace

from assistcore.world.views import HumanView
from assistworld.agents.grounding import speech
from assistworld.agents.grounding.clauses import clauses
from assistworld.agents.grounding.decisions import Decision
from assistworld.agents.grounding.hearing import Hearing
from assistworld.agents.grounding.lexicon import lexicon_of
from assistworld.agents.grounding.meanings import Found, Mention
from assistworld.agents.grounding.memory import Memory
from assistworld.agents.grounding.phrasing import named_in
from assistworld.agents.grounding.resolve import resolve
from assistworld.agents.grounding.spelling import corrected
from assistworld.agents.grounding.wording import answer

_KINDLY = re.compile(
    r"\b(?:please|pls|plz|kindly|if you would|if you do not mind|if you could|if possible|thanks|thank you|quick|quickly|hurry|cheers"
    r"|for me|for us"
    r"|would you|could you"
    r"|will you)\b"
)
_ADDING = re.compile(r"^(?:and|also|plus)\b|\b(?:too|as well|also)[ .!]*$")


class Dialogue(Memory):
    """One conversation."""

    def hear(self, text: str, view: HumanView, steps: int = 12) -> Decision:
        """A decision about an utterance; at most `steps` of its orders are carried out. Commands as such are no plain language."""
        self.steps = steps
        self.remember_places(view)
        if speech.coded(text):
            return Decision("ask", speech=speech.BRACKETS)
        lexicon = lexicon_of(view.legend)
        self._overheard(view)
        offered = [w for o in view.offers for w in (o.description, *o.words)]
        text = corrected(text, lexicon, offered)
        scene = self.scene(view)
        hearing = Hearing(self, scene, lexicon, view.idle)
        hearing.adding = bool(_ADDING.search(text.strip()))
        hearing.kindly = bool(_KINDLY.search(text))
        if self.pending is not None and self.pending.kind == "which":
            text = answer(text)
            hearing.correcting = scene.held in self.pending.keys
        return hearing.run(clauses(text, lexicon))

    def _overheard(self, view: HumanView) -> None:
        """What the person itself said last by the record, where this dialogue did not say it: it may have asked about one thing."""
        said = [i for i, u in enumerate(view.dialogue) if u.speaker == "human"]
        heard = [i for i, u in enumerate(view.dialogue) if u.speaker != "human" and u not in view.heard]
        if not said or (heard and heard[-1] > said[-1]) or view.dialogue[said[-1]].text in self.spoken:
            return
        scene = self.scene(view)
        for phrase in named_in(view.dialogue[said[-1]].text):
            pending = self.pending
            hint = pending.phrase.head if pending is not None else ""
            meant = resolve(phrase, replace(scene, hint=hint))
            if isinstance(meant, Found) and len(meant.keys) == 1:
                self.mention([Mention(replace(phrase, head=phrase.head or hint), meant.keys)])
                if pending is not None and pending.kind == "which" and meant.keys[0] in pending.keys:
                    self.pending = replace(pending, guess=meant.keys)
                return

    def go_on(self, view: HumanView) -> Decision:
        """What waited for the last outcome, against what is offered now."""
        orders, self.later = self.later, ()
        if not orders:
            return Decision("none")
        return Hearing(self, self.scene(view), lexicon_of(view.legend)).carry_out(orders, waited=True)

"""One utterance, clause by clause: what is ordered, corrected, answered or told in it, and the decision about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistworld.agents.grounding import speech
from assistworld.agents.grounding.amend import amended, excluded, likened, same_again
from assistworld.agents.grounding.clauses import WAIT, timed
from assistworld.agents.grounding.conditions import holds
from assistworld.agents.grounding.cutting import SOMEBODY, leading_preposition
from assistworld.agents.grounding.data import Tokens, word_set
from assistworld.agents.grounding.decisions import Decision, Pending
from assistworld.agents.grounding.fragments import going_on, last_kind, placing, placing_at, wanting
from assistworld.agents.grounding.lexicon import Lexicon
from assistworld.agents.grounding.meanings import Found, Mention, Missing, Scene, Unclear, Unsuitable
from assistworld.agents.grounding.memory import Memory
from assistworld.agents.grounding.moods import Clause
from assistworld.agents.grounding.nouns import NounPhrase, readings
from assistworld.agents.grounding.orders import Order, Problem, State
from assistworld.agents.grounding.phrasing import STATES, asked_about, meant_by, named_in, substituted, talked_of
from assistworld.agents.grounding.planning import WANT, ground
from assistworld.agents.grounding.resolve import resolve
from assistworld.agents.grounding.sequence import Planned, hands_first, plan, put_back_first
from assistworld.agents.grounding.things import noun_class
from assistworld.agents.grounding.wording import wished_for


class Hearing:
    """One utterance."""

    def __init__(self, dialogue: Memory, scene: Scene, lexicon: Lexicon, idle: bool = False) -> None:
        self.dialogue, self.scene, self.lexicon = dialogue, scene, lexicon
        self.idle = idle
        self.orders: list[Order] = []
        self.tentative = self.stopped = self.refused = self.correcting = False
        self.ruled_out: set[str] = set()
        self.choosing = False
        self.kindly = self.adding = False
        self.answered: Decision | None = None
        self.forbidden: Order | None = None
        self.said_before: list[Mention] = []

    def run(self, heard: Sequence[Clause]) -> Decision:
        """Clauses in order, then the plan of all orders in them."""
        self.correcting = self.correcting or any(c.corrected or c.kind in {"amend", "exclude", "no", "instead"} for c in heard[:2])
        bare = [c for c in heard if c.kind == "fragment"]
        self.choosing = any(c.kind in {"exclude", "amend"} for c in heard) or (len(bare) > 1 and "one" in bare[-1].tokens)
        for clause in heard:
            decided = self._take(clause)
            if decided is not None:
                return decided
        if self.answered is not None and not self.orders:
            return self.answered
        if self.orders:
            return self._orders()
        if self.stopped:
            self.dialogue.drop()
            if self.idle and all(c.kind == "remark" or timed(c.tokens) for c in heard):
                return self.carry_out((Order(WAIT.tokens),))
            return Decision("stop", speech=speech.STOPPED)
        return self._no_order(heard)

    def _orders(self) -> Decision:
        self.dialogue.pending = None
        self.orders = list(hands_first(self.orders, self.scene, self.lexicon))
        if not self.tentative:
            return self.carry_out(tuple(self.orders))
        planned = plan(self.orders, self.scene, self.lexicon, self.scene.held)
        if planned.problem is not None or planned.unread or not planned.acts:
            return self.carry_out(tuple(self.orders))
        self.dialogue.drop()
        self.dialogue.mention(planned.mentions)
        self.dialogue.pending = Pending("confirm", tuple(self.orders))
        first = self.orders[0].tokens
        doing = ("get", *first[1:]) if first[0] == WANT else first
        return Decision("ask", speech=f"Should I {' '.join(doing)}?", drops=True)

    def _no_order(self, heard: Sequence[Clause]) -> Decision:
        kinds = [c.kind for c in heard]
        if "forbid" in kinds:
            return self._forbidden(next(c for c in heard if c.kind == "forbid"))
        if "question" in kinds:
            return Decision("none", speech=speech.NO_ANSWER)
        if "unknown" in kinds:
            return Decision("ask", speech=speech.CONFUSED)
        if "no" in kinds:
            self.dialogue.drop()
            return Decision("stop", speech="Okay. What should I do instead?")
        if "fragment" in kinds or "amend" in kinds or "exclude" in kinds:
            named = [c for c in heard if c.kind in {"fragment", "amend"}]
            implied = self._implied(named[-1].tokens) if named and self.dialogue.pending is None else None
            if implied is not None:
                return self.carry_out((replace(implied, excluded=implied.excluded | self.ruled_out),))
            again = self._likewise(named[-1]) if named else None
            if again is not None:
                return again
            if not named:
                self.dialogue.drop()
                return Decision("stop", speech="Okay, not that one. What should I do instead?")
            return self._named(named[-1])
        return Decision("none")

    def _implied(self, said: Tokens) -> Order | None:
        """The order that a phrase alone amounts to."""
        here = (replace(self.scene, excluded=self.scene.excluded | self.ruled_out), self.lexicon)
        return (
            placing(said, *here)
            or going_on(said, self.dialogue.last, *here)
            or (wanting(said, *here) if self.kindly or self.choosing else None)
            or (placing_at(said, *here) if self.kindly else None)
        )

    def _likewise(self, clause: Clause) -> Decision | None:
        """`And the other shoe.`: what was done last, with that one."""
        said = readings(clause.tokens)
        alike = self.adding and any(p.head and noun_class(p.head) == noun_class(last_kind(self.dialogue.last, self.lexicon)) for p in said)
        if not self.dialogue.last or not (alike or any(p.other or (p.wildcard and "one" in clause.tokens) for p in said)):
            return None
        self.scene = replace(self.scene, mentions=self.dialogue.mentions)
        if self._rewrite(self.dialogue.last, clause, into=()) is None and self.orders:
            return self._orders()
        self.dialogue.pending = None
        return None

    def _take(self, clause: Clause) -> Decision | None:
        """One clause; a decision only where the rest does not matter any more."""
        match clause.kind:
            case "order" if self.dialogue.pending and self.dialogue.pending.kind == "where" and clause.tokens[0] == "try":
                self.answered = self._where(self.dialogue.pending, clause.tokens[1:])
            case "again":
                self._again(clause)
            case "order" | "confirm" if clause.given and not (so := holds(clause.given, self.scene)):
                if so is None:
                    return Decision("ask", speech=speech.NO_JUDGING)
                self.answered = Decision("none", speech=speech.NOT_SO)
            case "order" | "confirm":
                if clause.given:
                    self._mentioned(asked_about(clause.given, self.scene))
                if clause.corrected and self.orders:
                    self._spoken_in(self.orders.pop())
                self.orders.append(Order(clause.tokens, excluded=frozenset(self.ruled_out)))
                self.tentative = self.tentative or clause.kind == "confirm"
            case "condition":
                self.dialogue.drop()
                return Decision("ask", speech=speech.NO_JUDGING, drops=True)
            case "unknown":
                if self.orders or not self.dialogue.pending:
                    return Decision("ask", speech=speech.CONFUSED)
            case "stop":
                for order in self.orders:
                    self._spoken_in(order)
                self.orders.clear()
                self.stopped = True
            case "forbid":
                self._forbid(clause)
            case "yes" | "no" | "resume":
                return self._yes_no(clause)
            case "amend" | "exclude" | "instead" | "fragment":
                return self._amend(clause)
            case "statement":
                return self._told(clause)
            case "question":
                self._mentioned(asked_about(clause.tokens, self.scene))
        return None

    def _again(self, clause: Clause) -> None:
        """`Do the same with the milk`: the orders before, with that as the first thing in them."""
        before = tuple(self.orders) or self.dialogue.last
        for at, order in enumerate(before):
            other = likened(order, clause.tokens, self.lexicon)
            if other is not None:
                self.orders = [*self.orders, *before[:at], other, *before[at + 1 :]]
                return
        self.orders.append(Order(("do", "that", *clause.tokens)))

    def _spoken_in(self, order: Order) -> None:
        """What an order names that was taken back."""
        result = ground(order, self.scene, self.lexicon, State(self.scene.held))
        if result is not None and not isinstance(result, Problem):
            self.scene = replace(self.scene, mentions=(*reversed(result.mentions), *self.scene.mentions))
        elif isinstance(result, Problem) and result.slot:
            self._mentioned(asked_about(result.slot, self.scene))

    def _forbid(self, clause: Clause) -> None:
        if clause.corrected or (not self.orders and clause.tokens):
            self.forbidden = Order(clause.tokens)
        self._mentioned(named_in(" ".join(clause.tokens))[:1])
        self.orders = [o for o in self.orders if o.tokens != clause.tokens]
        self.refused = True

    def _forbidden(self, clause: Clause) -> Decision:
        """A prohibition alone: what waits or runs is dropped; the thing it names can be spoken of."""
        result = ground(Order(clause.tokens), self.scene, self.lexicon, State(self.scene.held)) if clause.tokens else None
        if result is not None and not isinstance(result, Problem):
            self.dialogue.mention(result.mentions)
        self.dialogue.drop()
        return Decision("stop", speech=speech.WONT)

    def _yes_no(self, clause: Clause) -> Decision | None:
        pending = self.dialogue.pending
        if clause.kind == "resume" and pending is None:
            self.dialogue.resumed = True
            return None
        if pending is None or self.orders:
            return None
        if clause.kind == "no":
            if pending.kind in {"confirm", "open"} or len(pending.keys) == 1:
                self.dialogue.drop()
                self.answered = Decision("stop", speech="Okay. What should I do then?")
            return None
        if pending.kind == "confirm":
            self.dialogue.pending = None
            self.answered = self.carry_out(pending.orders)
        elif pending.kind == "open":
            opening = Order(("open", "it"), fills=(("it", pending.keys),))
            self.answered = self.carry_out((*pending.orders[: pending.at], opening, *pending.orders[pending.at :]))
        elif pending.kind == "which" and len(pending.guess or pending.keys) == 1:
            self.answered = self._fill(pending, pending.guess or pending.keys)
        elif pending.kind == "which":
            self.answered = Decision("ask", speech="Which one, please?")
        return None

    def _amend(self, clause: Clause) -> Decision | None:
        """A noun phrase without a verb: an answer, a correction, or something to talk about."""
        pending = self.dialogue.pending
        if pending is not None and not self.orders and clause.kind != "instead":
            answer = self._answer(pending, clause)
            if answer is not None:
                self.answered = answer
                self.scene = replace(self.scene, mentions=self.dialogue.mentions)
                return None
        forbidden = self.forbidden
        if clause.kind == "instead":
            if forbidden is not None and not same_again(forbidden, clause.tokens, self.scene, self.lexicon):
                self._rewrite((forbidden,), clause, into=())
            return None
        if clause.kind == "fragment" and not self.orders and not forbidden:
            self._spoken_of(clause)
            return None
        if self.orders:
            return self._rewrite(tuple(self.orders), clause, into=tuple(self.orders))
        if forbidden is not None and clause.kind in {"amend", "fragment"}:
            return self._rewrite((forbidden,), clause, into=())
        if self.dialogue.last:
            return self._rewrite(self.dialogue.last, clause, into=())
        if clause.kind == "exclude":
            self.ruled_out |= set(meant_by(clause.tokens, replace(self.scene, hint=self._hint())))
            kinds = [Mention(p) for p in readings(clause.tokens)[:1] if p.head]
            self.said_before.extend(kinds)
            self.scene = replace(self.scene, mentions=(*kinds, *self.scene.mentions))
        else:
            self._spoken_of(clause)
        return None

    def _hint(self) -> str:
        """The noun of what was named before without a verb."""
        return next((m.phrase.head for m in self.said_before if m.phrase.head), "")

    def _spoken_of(self, clause: Clause) -> None:
        """`The other towel. Grab it.`: a phrase before an order is what it means."""
        said = readings(clause.tokens)
        if said and (said[0].head or said[0].wildcard):
            results = [resolve(p, self.scene) for p in said]
            meant = next((r for r in results if isinstance(r, Found)), results[0])
            self.said_before.append(Mention(said[0], meant.keys if isinstance(meant, Found) else ()))
            self.scene = replace(self.scene, mentions=(self.said_before[-1], *self.scene.mentions))

    def _rewrite(self, orders: tuple[Order, ...], clause: Clause, into: tuple[Order, ...]) -> Decision | None:
        """The orders with what the correction changes; from the corrected one on where they were given earlier."""
        for at in range(len(orders) - 1, -1, -1):
            change = excluded if clause.kind == "exclude" else amended
            new = change(orders[at], clause.tokens, self.scene, self.lexicon)
            if new is not None:
                self.orders = [*into[:at], new, *orders[at + 1 :]]
                self.dialogue.pending = None
                return None
        if clause.kind == "fragment" or (clause.kind == "exclude" and self.orders):
            return None
        self.dialogue.drop()
        return Decision("ask", speech=speech.CONFUSED if not clause.tokens else "I'm not sure which one you mean. Which one should I take?")

    def _answer(self, pending: Pending, clause: Clause) -> Decision | None:
        """The pending question answered by a phrase; None when it is no answer."""
        skip = leading_preposition(clause.tokens)
        words = clause.tokens
        if pending.kind == "place":
            verb = ("put", *pending.slot, *words) if skip else ("bring", *pending.slot, "to", *words)
            return self._replaced(pending, Order(verb))
        if pending.kind == "full":
            verb = ("put", "it", *words) if skip else ("bring", "it", "to", *words)
            putting = Order(verb, fills=(("it", pending.keys),))
            self.dialogue.pending = None
            return self.carry_out((*pending.orders[: pending.at], putting, *pending.orders[pending.at :]))
        if pending.kind == "direction" and skip + 1 <= len(words) < 5:
            text = (*pending.phrase.text.split(), *(words if skip else ("from", *words)))
            order = pending.orders[pending.at]
            new = substituted(order.tokens, tuple(pending.phrase.text.split()), text)
            return self._replaced(pending, replace(order, tokens=new)) if new else None
        if pending.kind == "where":
            return self._where(pending, words[skip:])
        if pending.kind == "which":
            return self._which(pending, clause)
        return None

    def _which(self, pending: Pending, clause: Clause) -> Decision | None:
        things = tuple(t for t in self.scene.things if t.key in pending.keys)
        narrow = replace(self.scene, hint=pending.phrase.head or (things[0].head if things else ""))
        if clause.kind == "exclude":
            out = meant_by(clause.tokens, narrow, lambda t: t.key in pending.keys)
            keys = tuple(k for k in pending.keys if k not in out)
            if not out or not keys:
                return None
            return self._fill(pending, keys) if len(keys) == 1 else self._ask_again(pending, keys)
        asked = frozenset(pending.keys) - (frozenset(pending.guess) if any(p.other for p in readings(clause.tokens)) else frozenset())
        words = clause.tokens
        if leading_preposition(words):
            words = ("the", *(narrow.hint or "one").split("-"), *words)
        keys = meant_by(words, narrow, lambda t: t.key in asked)
        if not keys and narrow.hint:
            keys = meant_by(("the", *narrow.hint.split("-"), "with", *words), narrow, lambda t: t.key in asked)
        if not keys and "so" in words[1:]:
            keys = meant_by(words[words.index("so") + 1 :], narrow, lambda t: t.key in asked)
        if len(keys) == 1:
            return self._fill(pending, keys)
        if keys:
            return self._ask_again(pending, keys)
        new = amended(pending.orders[pending.at], clause.tokens, self.scene, self.lexicon)
        return self._replaced(pending, new) if new is not None else None

    def _ask_again(self, pending: Pending, keys: tuple[str, ...]) -> Decision:
        self.dialogue.pending = replace(pending, keys=keys)
        return Decision("ask", speech=speech.ask_which(Unclear("which", pending.phrase, keys), self.scene))

    def _where(self, pending: Pending, words: Tokens) -> Decision | None:
        """Where to look: a place; among several of its kind the one that is told next."""
        scene = replace(self.scene, hint=self._kind_of(pending.keys)) if pending.keys else self.scene
        said = readings(words)
        if not pending.keys and not any(p.head for p in said):
            return None
        keys = meant_by(words, scene, lambda t: t.key in pending.keys if pending.keys else t.key != scene.held)
        if len(keys) > 1:
            self.dialogue.pending = replace(pending, keys=keys)
            return Decision("ask", speech=speech.ask_which(Unclear("which", said[0], keys), self.scene))
        if len(keys) != 1:
            return None
        order = pending.orders[pending.at]
        return self._replaced(pending, replace(order, sources=(*order.sources, (pending.phrase.text, keys)), tries=0))

    def _kind_of(self, keys: tuple[str, ...]) -> str:
        first = self.scene.get(keys[0])
        return first.head if first is not None else ""

    def _fill(self, pending: Pending, keys: tuple[str, ...]) -> Decision:
        order = pending.orders[pending.at]
        return self._replaced(pending, replace(order, fills=(*order.fills, (pending.phrase.text, keys))))

    def _replaced(self, pending: Pending, order: Order) -> Decision:
        self.dialogue.pending = None
        return self.carry_out((*pending.orders[: pending.at], order, *pending.orders[pending.at + 1 :]))

    def _told(self, clause: Clause) -> Decision | None:
        """A remark about the world: where something is. It answers `where`, and gives `it` a meaning; it makes nobody act."""
        before = self.dialogue.mentions
        clause = replace(clause, tokens=tuple(t for t in clause.tokens if t not in {"already", "still", "currently"}))
        self._said_where(clause)
        wished = wished_for(clause.tokens)
        if self.dialogue.mentions == before and wished:
            self._mentioned(asked_about(("the", *wished) if wished[0] not in word_set("determiners") else wished, self.scene))
        if self.dialogue.mentions == before and self.answered is None:
            found = talked_of(clause.tokens, self.scene)
            self.dialogue.mention([Mention(p, keys) for p, keys in reversed(found)])
            self.scene = replace(self.scene, mentions=self.dialogue.mentions)
        return None

    def _said_where(self, clause: Clause) -> None:
        """The subject of a remark as spoken of, or the place as the answer to a question."""
        if clause.tokens[:2] == ("there", "is") and clause.tokens[2:3] and clause.tokens[2] in SOMEBODY:
            return
        if clause.tokens[-1] in STATES and clause.tokens[:2] != ("one", "of"):
            return
        at = next((i for i, t in enumerate(clause.tokens) if t in {"is", "are"}), 0)
        subject, rest = clause.tokens[:at], clause.tokens[at + 1 :]
        if clause.tokens[:1] == ("there",):
            subject, rest = rest, ()
        elif not leading_preposition(rest):
            rest = ()
        pending = self.dialogue.pending
        skip = leading_preposition(rest)
        if pending is not None and pending.kind == "where" and skip and not self.orders:
            self.answered = self._where(pending, rest[skip:])
            return
        lost = clause.tokens[0] in {"i", "we"} and {"left", "forgot", "find", "lost", "dropped"} & set(clause.tokens)
        may = next((i for i, t in enumerate(clause.tokens) if t in {"can", "could", "may"} and clause.tokens[i + 1 : i + 2] == ("go",)), 0)
        if may:
            self._mentioned(asked_about(clause.tokens[:may], self.scene))
            return
        if lost or clause.tokens[0] in SOMEBODY:
            self._mentioned(asked_about(clause.tokens, self.scene))
            return
        if clause.tokens[:1] in {("i",), ("we",), ("you",)}:
            subject, rest = (), ()
            seen = clause.tokens[2:] if clause.tokens[1:2] in {("have",), ("see",)} else ()
            self._mentioned(tuple(p for p in readings(seen) if p.head and (p.count or p.plural))[:1] if seen else ())
        if subject[:2] == ("one", "of") and len(rest) == 0 and len(clause.tokens) == at + 2:
            self._one_of(subject[2:], clause.tokens[at + 1])
            return
        if subject and subject not in {("it",), ("that",), ("this",)}:
            said = readings((*subject, *rest)) or readings(subject)
            if said and said[0].head:
                meant = resolve(said[0], self.scene)
                self.dialogue.mention([Mention(said[0], meant.keys if isinstance(meant, Found) else ())])
                self.scene = replace(self.scene, mentions=self.dialogue.mentions)

    def _one_of(self, kind: Tokens, state: str) -> None:
        """`one of the upper cabinets is open`: that one was spoken of."""
        for phrase in readings(kind)[:1]:
            meant = resolve(replace(phrase, plural=False, modifiers=(*phrase.modifiers, state)), self.scene)
            if isinstance(meant, Found):
                self.dialogue.mention([Mention(phrase, meant.keys)])
                self.scene = replace(self.scene, mentions=self.dialogue.mentions)

    def _mentioned(self, phrases: Sequence[NounPhrase]) -> None:
        """Remember phrases as spoken of."""
        for phrase in phrases:
            meant = resolve(phrase, self.scene)
            self.dialogue.mention([Mention(phrase, meant.keys if isinstance(meant, Found) else ())])
            spoken = self.dialogue.mentions
            self.scene = replace(self.scene, mentions=(*spoken[:1], *self.said_before, *spoken[1:]))

    def _named(self, clause: Clause) -> Decision:
        """A thing was named and nothing said about it."""
        said = readings(clause.tokens[leading_preposition(clause.tokens) :])
        if not said or not (said[0].head or said[0].wildcard):
            return Decision("ask", speech=speech.CONFUSED)
        meant = resolve(said[0], self.scene)
        if isinstance(meant, Found) and len(meant.keys) == 1:
            self.dialogue.mention([Mention(said[0], meant.keys)])
            found = self.scene.get(meant.keys[0])
            return Decision("ask", speech=f"What should I do with the {speech.name(found)}?" if found is not None else speech.CONFUSED)
        return Decision("ask", speech=speech.CONFUSED)

    def carry_out(self, orders: tuple[Order, ...], waited: bool = False) -> Decision:
        """Plan orders; remember what waits and what was asked."""
        dialogue = self.dialogue
        orders = orders[: dialogue.steps]
        if self.correcting:
            orders = put_back_first(orders, self.scene, self.lexicon)
        planned = plan(orders, self.scene, self.lexicon, self.scene.held)
        dialogue.mention(planned.mentions)
        if not waited:
            dialogue.last = orders
        if planned.unread:
            dialogue.drop()
            return Decision("ask", speech=speech.CONFUSED, drops=True)
        if planned.problem is not None:
            return self._ask(planned, planned.problem, orders)
        dialogue.pending = None
        dialogue.later = planned.later
        dialogue.done = tuple((a.keys[0], a.concept) for a in planned.acts if a.keys)
        commands = tuple(a.text(self.scene) for a in planned.acts)
        dialogue.remember_origins(planned.acts, self.scene)
        said = " ".join(dict.fromkeys(planned.remarks))
        return Decision("act" if commands else "none", planned.acts, commands, said)

    def _ask(self, planned: Planned, problem: Problem, orders: tuple[Order, ...]) -> Decision:
        scene = self.scene
        self.dialogue.drop()
        pending: Pending | None = None
        match problem.what:
            case Unclear(why=why, phrase=phrase, keys=keys):
                said = speech.ask_which(problem.what, scene)
                if keys:
                    pending = Pending("direction" if why == "direction" else "which", orders, planned.at, phrase, keys)
                    self.dialogue.mention([Mention(phrase, ())])
            case Missing(phrase=phrase, nearly=nearly):
                search = problem.kind == "search" or problem.doing in {"pick up", "put on", "put in"}
                said = speech.say_missing(problem.what, scene, search=search)
                if search:
                    pending = Pending("where", orders, planned.at, phrase)
                elif nearly:
                    pending = Pending("which", orders, planned.at, phrase, nearly)
            case Unsuitable():
                said = speech.say_unsuitable(problem.what, scene, problem.doing or "use")
            case str() as said:
                if problem.kind == "place":
                    pending = Pending("place", orders, planned.at, slot=problem.slot)
                elif problem.kind == "full":
                    pending = Pending("full", orders, planned.at, keys=problem.slot)
                elif problem.kind == "open":
                    pending = Pending("open", orders, planned.at, keys=problem.slot)
            case _:
                said = speech.CONFUSED
        self.dialogue.pending = pending
        return Decision("ask", speech=said, drops=True)

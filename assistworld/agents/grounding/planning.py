"""From orders to commands over what is offered now. What depends on things not seen yet is kept for after the next outcome."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistcore.world.views import Legend
from assistworld.agents.grounding.cutting import spread
from assistworld.agents.grounding.data import Tokens, phrases, word_set
from assistworld.agents.grounding.lexicon import NUMERIC, Lexicon, Match, camel, quantity, surfaces
from assistworld.agents.grounding.meanings import Fits, Found, Mention, Missing, Scene, Unclear, Unsuitable
from assistworld.agents.grounding.nouns import NounPhrase, readings, split_list
from assistworld.agents.grounding.orders import Act, Grounded, Order, Problem, State
from assistworld.agents.grounding.resolve import THIS, resolve
from assistworld.agents.grounding.speech import name
from assistworld.agents.grounding.things import Thing, noun_class, room_word

PICK, ON, IN, OPEN, GO, LOOK = "pick up", "put on", "put in", "open", "go to", "look at"
_VAGUE = frozenset({"leave", "go", "come", "start", "begin", "move", "walk"})
"""A motion that says nothing of where to: with more to do after it, that says it."""
_BUILT_IN = frozenset({"sink", "stove", "oven", "fridge", "dishwasher", "microwave"})
"""What stands in or against a worktop: next to it is on that."""
WANT = "want"
"""The verb of a wish: the thing itself as it is described, or else the thing at the place that is named."""
_SENSE = {OPEN: ("closed", "shut"), "close": ("open",), "turn on": ("off",), "turn off": ("on", "running")}
"""In which states an action makes sense: of several alike the only one in such a state is meant."""
WIELDED = frozenset({"tool", "source"})
"""Names of arguments that are in the hand."""
CARRYING = frozenset({ON, IN, "put at"})


def ground(order: Order, scene: Scene, lexicon: Lexicon, state: State) -> Grounded | Problem | None:
    """Carry one order over to acts: the reading whose every phrase is found. None when no pattern reads it."""
    scene = replace(scene, fills=order.fills, excluded=scene.excluded | order.excluded, held=state.held)
    good: list[tuple[int, Grounded]] = []
    bad: list[tuple[int, Problem]] = []
    telling = False
    for match in lexicon.matches(order.tokens):
        if good and match.pattern.literals < good[0][0] and not all(g.vague for _, g in good):
            break
        if match.pattern.loose and telling and order.tokens[0] != WANT:
            break
        result = _Reader(order, match, scene, lexicon, state).read()
        if isinstance(result, Grounded):
            good.append((match.pattern.literals, result))
            if order.tokens[0] == WANT:
                break
        else:
            half = match.pattern.action.kind == "lacking" and len(match.slots) == 1 and match.pattern.literals < 3
            telling = telling or (_rank(result) >= 4 and not half)
            misread = match.pattern.loose and _rank(result) < 4
            bad.append((_rank(result) * 100 + match.pattern.literals - (20_000 if misread else 10_000 if half else 0), result))
    good = [g for g in good if not g[1].vague] or good
    if not good and "namely" in order.tokens:
        moved = _named_first(order, lexicon)
        result_ = ground(moved, scene, lexicon, state) if moved is not None else None
        if isinstance(result_, Grounded):
            return result_
    distinct = list(dict.fromkeys(g.acts for _, g in good))
    if len(distinct) == 1:
        return good[0][1]
    if distinct:
        return Problem("I can understand that in two ways. Could you say it more simply?", "ask")
    return max(bad, key=lambda b: b[0])[1] if bad else None


def _named_first(order: Order, lexicon: Lexicon) -> Order | None:
    """`put the mug on the shelf, the blue one`: the other name belongs to the first thing."""
    at = order.tokens.index("namely")
    for match in lexicon.matches(order.tokens[:at]):
        if match.slot("1") and match.pattern.parts[-1] != "{1}":
            slots = {**dict(match.slots), "1": (*match.slot("1"), *order.tokens[at:])}
            parts = (slots.get(p[1:-1], ()) if p.startswith("{") else (p,) for p in match.pattern.parts)
            return replace(order, tokens=tuple(t for part in parts for t in part))
    return None


def _rank(problem: Problem) -> int:
    """How telling a problem is: a question about a known thing before one about an unknown word."""
    match problem.what:
        case Unclear(why="what"):
            return 3
        case Unclear():
            return 6
        case Unsuitable():
            return 4
        case Missing(phrase=phrase, source=source):
            return 5 if source else 2 if phrase.head or phrase.pronoun else 0
    return {"open": 8, "full": 8, "ask": 4, "place": 4, "purpose": 4, "vague": 4, "unread": 0}.get(problem.kind, 1)


class _Reader:
    """One reading of one order."""

    def __init__(self, order: Order, match: Match, scene: Scene, lexicon: Lexicon, state: State) -> None:
        self.order, self.match, self.scene, self.lexicon, self.state = order, match, scene, lexicon, state
        self.mentions: list[Mention] = []
        self.remarks: list[str] = []
        self.acts: list[Act] = []
        self.held = state.held
        self.turned: dict[str, str] = dict(state.turned)
        self.vague = False

    def read(self) -> Grounded | Problem:
        """Acts, or what stands in the way."""
        action = self.match.pattern.action
        if action.kind == "lacking":
            return self._lacking(action.name, action.question)
        steps = (action.name,) if action.kind == "verb" else action.steps
        number = self._number()
        if number is None:
            return Problem("I'm not sure how far or how long. Could you say it another way?", "unread")
        found = self._slots(steps)
        if isinstance(found, Problem):
            return found
        for step in steps:
            problem = self._step(step, found, number)
            if problem is not None:
                return problem
        return self._whole()

    def _number(self) -> str | None:
        for slot, tokens in self.match.slots:
            if slot in NUMERIC:
                return quantity(tokens, slot)
        return ""

    def _slots(self, steps: tuple[str, ...]) -> dict[str, tuple[str, ...]] | Problem:
        found: dict[str, tuple[str, ...]] = {}
        problems: list[Problem] = []
        for slot, tokens in self.match.slots:
            if slot in NUMERIC or slot == "0":
                continue
            result = self._keys(slot, tokens, steps, found)
            if isinstance(result, Problem):
                problems.append(result)
            else:
                found["2" if slot == "there" and self.match.slot("1") else "1" if slot == "there" else slot] = result
        return max(problems, key=_rank) if problems else found

    def _keys(self, slot: str, tokens: Tokens, steps: tuple[str, ...], found: dict[str, tuple[str, ...]]) -> tuple[str, ...] | Problem:
        if slot == "there":
            tokens = ("there",)
        if slot == "1" and self.held and " ".join(tokens) in THIS and self._putting():
            self._mention(NounPhrase(" ".join(tokens)), (self.held,))
            return (self.held,)
        parts, joint = split_list(tokens)
        parts = spread(parts)
        if joint == "or":
            return Problem(f"Which one: {' '.join(tokens)}?", "ask", tokens)
        keys: list[str] = []
        tail = readings(parts[-1])
        for part in parts:
            result = self._one(slot, part, steps, found, tail[0].head if tail and len(parts) > 1 else "")
            if isinstance(result, Problem):
                return result
            keys.extend(k for k in result if k not in keys)
        if len(parts) > 1:
            self.mentions.append(Mention(NounPhrase(" ".join(tokens), head=tail[0].head if tail else ""), tuple(keys)))
        return tuple(keys)

    def _one(
        self, slot: str, tokens: Tokens, steps: tuple[str, ...], found: dict[str, tuple[str, ...]], hint: str
    ) -> tuple[str, ...] | Problem:
        """Keys of one noun phrase by that of its readings which is found."""
        options = readings(tokens)
        if not options:
            return Problem(Missing(NounPhrase(" ".join(tokens))), "missing", tokens)
        fits = self._fits(slot, steps, found)
        scene = replace(self.scene, hint=hint) if hint else self.scene
        if slot == "1" and len(steps) == 1:
            scene = replace(scene, sense=frozenset(_SENSE.get(steps[0], ())))
        if slot == "2" and self.match.pattern.parts[-2:-1] in {("in",), ("inside",)}:
            scene = replace(scene, goal=True)
        if slot == "2" and any(p.other for p in options):
            moved = [t for t in (self.scene.get(k) for k in found.get("1", ())) if t is not None]
            was = dict(scene.origins)
            out = {k for t in moved for k in (t.offer.on, t.offer.inside, was.get(t.key, "") if t.key == scene.held else "") if k}
            scene = replace(scene, excluded=scene.excluded | out)
        doing = steps[0] if steps[0] in self.lexicon.verbs and self.match.pattern.action.kind != "lacking" else "use"
        results = [(p, resolve(p, scene, fits)) for p in options]
        if slot == "2" and found.get("1") and options[0].wildcard and "one" in tokens and not any(isinstance(r, Found) for _, r in results):
            for like in self._likes(found["1"][0]):
                again = [(p, resolve(p, replace(scene, hint=like), fits)) for p in options]
                if any(isinstance(r, Found) for _, r in again):
                    results = again
                    break
        hits = [(p, r) for p, r in results if isinstance(r, Found)]
        if hits:
            if len({r.keys for _, r in hits}) > 1:
                both = tuple(dict.fromkeys(k for _, r in hits for k in r.keys))
                return Problem(Unclear("which", options[0], both), "which", tokens)
            phrase, hit = hits[0]
            self._mention(phrase, hit.keys, target=slot == "2")
            return hit.keys
        held = self.held if set(steps) & {*CARRYING, "drop"} else ""
        if slot == "1" and held and any(isinstance(r, Unclear) and r.why == "which" and held in r.keys for _, r in results):
            self._mention(options[0], (held,))
            return (held,)
        problems = [Problem(r, "missing" if isinstance(r, Missing) else "which", tokens, doing, slot == "1") for _, r in results]
        return max(problems, key=_rank)

    def _likes(self, key: str) -> Iterator[str]:
        """Nouns that `the one on the left` can stand for as a place: what the moved thing was said to be at, then the thing itself."""
        for phrase in readings(self.match.slot("1")):
            yield from (r.of[0].head for r in phrase.relations if r.of and r.of[0].head)
        thing = self.scene.get(key)
        if thing is not None:
            yield thing.head

    def _mention(self, phrase: NounPhrase, keys: tuple[str, ...], target: bool = False) -> None:
        for relation in phrase.relations:
            if relation.kind in {"from", "in", "on"} and relation.of:
                place = resolve(relation.of[0], replace(self.scene, hint=""))
                if isinstance(place, Found):
                    self.mentions.append(Mention(relation.of[0], place.keys))
        first = self.scene.get(keys[0])
        head = phrase.head or (first.head if first is not None else "")
        self.mentions.append(Mention(replace(phrase, head=head, pronoun=""), keys, target))

    def _fits(self, slot: str, steps: tuple[str, ...], found: dict[str, tuple[str, ...]]) -> Fits:
        """Which things can stand in a slot: by what they afford for the first argument, anything but itself for the others."""
        known = any(t.offer.verbs for t in self.scene.things)
        if slot != "1":
            taken = set(found.get("1", ()))
            if self._wielded(steps):
                return lambda t: t.key not in taken and t.offer.movable
            return lambda t: t.key not in taken and (not t.offer.movable or t.key not in {self.held})
        if set(steps) & {PICK, *CARRYING, "drop"}:
            return lambda t: t.offer.movable or (not known and not t.is_room and not any(x.offer.movable for x in self.scene.things))
        concepts = [s for s in steps if s in self.lexicon.verbs]
        names = {e.verb for c in concepts for e in self._with_opposite(c)}
        if not known or GO in concepts or LOOK in concepts or "look in" in steps:
            return lambda t: True
        return lambda t: not t.offer.verbs or bool(names & set(t.offer.verbs))

    def _putting(self) -> bool:
        """Whether something is to leave the hand."""
        action = self.match.pattern.action
        steps = (action.name,) if action.kind == "verb" else action.steps if action.kind != "lacking" else ()
        return bool(set(steps) & {*CARRYING, "drop"}) or action.name in {"place", "origin"}

    def _wielded(self, steps: Sequence[str]) -> bool:
        """Whether the second thing named is what the hand works with (cut it with the knife, pour the milk into it)."""
        return any(e.hands == "holds" and e.args[1:2] and e.args[1] in WIELDED for s in steps for e in self.lexicon.verbs.get(s, ()))

    def _with_opposite(self, concept: str) -> tuple[Legend, ...]:
        pair = next((p for p in phrases("opposites") if concept in p), [concept])
        return tuple(e for c in pair for e in self.lexicon.verbs.get(c, ()))

    def _step(self, step: str, found: dict[str, tuple[str, ...]], number: str) -> Problem | None:
        """Append the acts of one step."""
        if step == "put at":
            step = self._way_of_putting(found.get("2", ()))
        objects = found.get("1", ())
        if step == PICK:
            return self._pick(objects)
        if step in CARRYING:
            return self._put(step, objects, found.get("2", ()))
        if not objects:
            self._add(step, (), number)
            return None
        if step == "drop":
            if not self.held or (objects and self.held not in objects):
                return Problem(f"I'm not holding {'that' if objects else 'anything'}. What should I do?", "ask")
            self._add(step, (self.held,))
            self.held = ""
            return None
        if self._wielded((step,)) and (problem := self._wield(found.get("2", ()))) is not None:
            return problem
        for key in objects:
            self._unary(step, key, found, number)
        return None

    def _wield(self, tools: tuple[str, ...]) -> Problem | None:
        """Take the tool first where it is not in the hand."""
        if len(tools) != 1:
            return Problem("What should I use for that?", "ask")
        if self.held and self.held != tools[0]:
            return self._full()
        if not self.held and PICK in self.lexicon.verbs:
            self._add(PICK, tools)
            self.held = tools[0]
        return None

    def _unary(self, step: str, key: str, found: dict[str, tuple[str, ...]], number: str) -> None:
        thing = self.scene.get(key)
        if thing is None:
            return
        words = (self.turned[key],) if key in self.turned else thing.offer.state
        already = phrases("already").get(step, {}) if step != OPEN or self.match.pattern.action.name != "look inside" else {}
        if step == OPEN and self.match.pattern.action.name == "look inside" and ("closed" not in words or (key, OPEN) in self.scene.done):
            return
        remark = next((already[w] for w in words if w in already), "")
        opposite = next((c for pair in phrases("opposites") if step in pair for c in pair if c != step), "")
        if remark and key not in self.turned and (key, opposite) in self.scene.done:
            remark = ""
        if remark:
            self.remarks.append(remark)
            return
        if step == OPEN and self.match.pattern.action.kind == "macro" and "closed" not in words:
            return
        if step == "look in":
            if not self.acts and LOOK in self.lexicon.verbs:
                self._add(LOOK, (key,))
            return
        if step == GO and self.match.pattern.action.name == "search in room" and thing.is_room and thing.room == room_word(self.scene.room):
            return
        self._add(step, (key, *(found[s][0] for s in sorted(found) if s not in {"1"})), number)
        opposite = {OPEN: "open", "close": "closed", "turn on": "on", "turn off": "off"}.get(step)
        if opposite:
            self.turned[key] = opposite

    def _pick(self, objects: tuple[str, ...]) -> Problem | None:
        if len(objects) > 1 and self.match.pattern.action.kind == "verb":
            return Problem("I can only carry one thing at a time. Which one should I take first?", "ask")
        if self.match.pattern.action.kind == "macro":
            return None
        key = objects[0]
        if key == self.held:
            self.remarks.append("I already have it.")
            return None
        if self.held:
            return self._full()
        self._add(PICK, (key,))
        self.held = key
        return None

    def _full(self) -> Problem:
        held = self.scene.get(self.held)
        what = f"the {name(held)}" if held is not None else "something"
        return Problem(f"My hand is full, I'm still holding {what}. Where should I put it first?", "full", (self.held,))

    def _put(self, step: str, objects: tuple[str, ...], targets: tuple[str, ...]) -> Problem | None:
        if len(targets) != 1:
            return Problem("I need one place to put it. Which one?", "ask")
        target = self.scene.get(targets[0])
        self.vague = target is not None and target.is_room
        for key in objects:
            thing = self.scene.get(key)
            if self.match.pattern.parts[0] == "leave" and key != self.held:
                self.remarks.append("Okay, I'll leave it.")
                continue
            if key == targets[0]:
                return Problem("I can't put it on itself. Where should I put it?", "ask")
            planned = dict(self.state.placed).get(key, "")
            if targets[0] == planned or (
                thing is not None
                and not planned
                and key != self.held
                and targets[0] == (thing.offer.inside if step == IN else thing.offer.on)
            ):
                self.remarks.append("It's already there.")
                continue
            if self.held and key != self.held:
                return self._full()
            if step == IN and target is not None and "closed" in self.state.words(target) and self.turned.get(target.key) != "open":
                opening = self._opened(target)
                if opening is not None:
                    return opening
            if key != self.held:
                self._add(PICK, (key,))
            self._add(
                step if target is None or not target.is_room else GO,
                (key, targets[0]) if target is None or not target.is_room else (targets[0],),
            )
            self.held = "" if target is None or not target.is_room else key
        return None

    def _opened(self, target: Thing) -> Problem | None:
        """Opens what something is to be put in, as long as the hand is free for it."""
        entries = self.lexicon.verbs.get(OPEN, ())
        if not entries or (self.held and choose_entry(entries, target).hands == "empty"):
            return Problem(f"The {name(target)} is closed. Should I open it first?", "open", (target.key,))
        self._add(OPEN, (target.key,))
        self.turned[target.key] = "open"
        return None

    def _way_of_putting(self, targets: tuple[str, ...]) -> str:
        """In what opens or is known to hold things, on everything else."""
        target = self.scene.get(targets[0]) if targets else None
        if target is None:
            return ON
        opens = {e.verb for e in self.lexicon.verbs.get(OPEN, ())}
        inner = word_set("inner")
        if (
            target.head in inner
            or target.offer.category in inner
            or (opens & set(target.offer.verbs) and "door" not in target.offer.category)
        ):
            return IN if IN in self.lexicon.verbs else ON
        return ON

    def _add(self, concept: str, keys: tuple[str, ...], number: str = "") -> None:
        entries = self.lexicon.verbs.get(concept, ())
        thing = self.scene.get(keys[0]) if keys else None
        entry = choose_entry(entries, thing)
        names, words = surfaces(entry), tuple(concept.split())
        surface = names[0]
        if len([n for n, verbs in self.lexicon.verbs.items() if entry in verbs]) > 1 and camel(surface) != words:
            surface = next((s for s in names if camel(s) == words), "".join(w.capitalize() for w in words))
        places = sum(1 for a in entry.args if a.rstrip("?") not in NUMERIC)
        self.acts.append(Act(concept, entry, surface, keys[:places], number))

    def _enter(self, question: str) -> Problem | Grounded:
        """The room behind the door that was spoken of last, where its name says which."""
        for mention in self.scene.mentions[:3]:
            door = self.scene.get(mention.keys[0]) if len(mention.keys) == 1 else None
            if door is None:
                continue
            rooms = [t for t in self.scene.things if t.is_room and (t.head in door.modifiers or t.key == door.key)]
            if len(rooms) == 1 and rooms[0].head != room_word(self.scene.room):
                self._add(GO, (rooms[0].key,))
                return Grounded(tuple(self.acts), (Mention(NounPhrase(rooms[0].head, head=rooms[0].head), (rooms[0].key,)),), (), self.held)
        return Problem(question, "ask")

    def _lacking(self, kind: str, question: str) -> Problem | Grounded:
        """Half a request: what is missing, once the thing itself is known."""
        tokens = self.match.slot("1")
        if kind == "entering":
            return self._enter(question)
        if kind == "left alone":
            named = self._keys("1", tokens, (LOOK,), {})
            return Grounded((), tuple(self.mentions) if not isinstance(named, Problem) else (), ("Okay.",), self.held)
        if not tokens:
            return Problem(question, "vague" if kind == "further" and self.order.tokens[0] in _VAGUE else "ask")
        found = self._keys("1", tokens, (PICK,) if kind in {"place", "origin", "disposal"} else (LOOK,), {})
        if isinstance(found, Problem):
            return replace(found, kind="search") if kind == "search" and isinstance(found.what, Missing) else found
        things = [t for t in (self.scene.get(k) for k in found) if t is not None]
        what = f"the {name(things[0])}" if len(things) == 1 else "them"
        if kind == "purpose":
            return Problem(question.replace("{1}", what), "purpose", tokens)
        bins = self._bins() if kind == "disposal" else []
        if len(bins) == 1:
            return self._put(self._way_of_putting((bins[0],)), found, (bins[0],)) or self._whole()
        if kind == "search":
            return Problem(f"I can see {what}. What should I do with it?", "vague", tokens)
        step, beside = self._beside(found) if kind == "place" and self.match.pattern.parts[-3:] == ("next", "to", "{0}") else (ON, "")
        if not beside and kind == "place" and self.match.pattern.parts[-3:] == ("next", "to", "{0}"):
            dropped = self._on_the_floor(found)
            if dropped:
                return self._whole()
        if beside:
            self.remarks.append("It's as near to it as I could get it.")
            return self._put(step, found, (beside,)) or self._whole()
        parts = set(self.match.pattern.parts)
        down = kind == "place" and bool({"down", "hang"} & parts) and "{0}" not in parts and found == (self.held,)
        went = self.scene.get(self.state.went or next((k for k, c in self.scene.done if c == GO), "")) if down else None
        if went is not None and not went.is_room:
            return self._put(self._way_of_putting((went.key,)), found, (went.key,)) or self._whole()
        origin = dict(self.scene.origins).get(found[0], "") if (kind == "origin" or down) and len(found) == 1 else ""
        if origin and self.scene.get(origin) is not None:
            return self._put(IN if found[0] in self.scene.was_inside else ON, found, (origin,)) or self._whole()
        return Problem(question.replace("{1}", what), "place", tokens)

    def _bins(self) -> list[str]:
        """What things are thrown away in."""
        return [t.key for t in self.scene.things if noun_class(t.head) == "bin" and not t.offer.movable]

    def _whole(self) -> Grounded:
        return Grounded(tuple(self.acts), tuple(self.mentions), tuple(self.remarks), self.held, self.vague)

    def _beside(self, objects: tuple[str, ...]) -> tuple[str, str]:
        """How and where the thing is that something is to be put next to: the same place. Empty where that is not known, or where it is
        already."""
        named = self._keys("0", self.match.slot("0"), (LOOK,), {"1": objects})
        other = self.scene.get(named[0]) if not isinstance(named, Problem) and len(named) == 1 else None
        place = (other.offer.on or other.offer.inside) if other is not None else ""
        if other is not None and not place and not other.offer.movable and noun_class(other.head) in _BUILT_IN:
            tops = [t.key for t in self.scene.things if noun_class(t.head) == "counter" and t.room == other.room]
            place = tops[0] if len(tops) == 1 else ""
        moved = [t for t in (self.scene.get(k) for k in objects) if t is not None]
        there = any(place in {t.offer.on, t.offer.inside} and t.key != self.held for t in moved)
        inside = other is not None and bool(other.offer.inside) and not other.offer.on
        return IN if inside else ON, "" if there else place

    def _on_the_floor(self, objects: tuple[str, ...]) -> bool:
        """Lets go of what is held next to something that lies on the floor."""
        named = self._keys("0", self.match.slot("0"), (LOOK,), {"1": objects})
        other = self.scene.get(named[0]) if not isinstance(named, Problem) and len(named) == 1 else None
        loose = other is not None and other.offer.movable and not (other.offer.on or other.offer.inside or other.offer.held)
        if other is None or not loose or objects != (self.held,) or "drop" not in self.lexicon.verbs:
            return False
        self._add(GO, (other.key,))
        self._add("drop", objects)
        self.held = ""
        return True


def choose_entry(entries: Sequence[Legend], thing: Thing | None) -> Legend:
    """Of several verbs for one concept the one that the thing affords, or whose argument is named like it."""
    if len(entries) == 1 or thing is None:
        return entries[0]
    able = [e for e in entries if e.verb in thing.offer.verbs]
    if able:
        return able[0]
    named = [e for e in entries if e.args and e.args[0].rstrip("?") in {thing.head, thing.offer.category, *thing.modifiers}]
    return named[0] if named else entries[0]

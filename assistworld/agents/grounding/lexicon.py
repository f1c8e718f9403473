"""What can be asked for: the vocabulary's verbs joined with English ways to say them, as patterns over words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from assistcore.world.views import Legend
from assistworld.agents.grounding.data import Tokens, phrases, word_set, words
from assistworld.agents.grounding.text import drop_phrases, gerund_forms, normalise, tokenise
from assistworld.agents.grounding.verbphrases import first_words, phrases_of

_SLOT = re.compile(r"\{([a-z_0-9]+)\??\}")
_MARK = "zzslot"
NUMERIC = frozenset({"distance", "angle", "duration"})
MOST_KEPT = 4096
"""Clauses whose readings are remembered."""
LOOSE = 100
"""What a loose reading ranks below one in the very words of a pattern."""
_UNITS = frozenset({"seconds", "degrees", "metres", "meters", "m", "steps", "paces"})
_IRREGULAR_PARTICIPLES = {
    "taken": "take",
    "got": "get",
    "gotten": "get",
    "gone": "go",
    "shut": "shut",
    "put": "put",
    "set": "set",
    "brought": "bring",
    "found": "find",
    "held": "hold",
    "read": "read",
    "laid": "lay",
    "left": "leave",
}


@dataclass(frozen=True)
class Action:
    """What a pattern asks for. `kind` is verb, macro or lacking; `name` the concept or entry, or a verb that has no concept."""

    kind: str
    name: str
    steps: tuple[str, ...] = ()
    question: str = ""


@dataclass(frozen=True)
class Pattern:
    """Words and slots (`{1}`, `{distance}`) in order. `loose`: the clause was read by a frame of a verb class and says it in other"
    " words."""

    parts: Tokens
    action: Action
    loose: bool = False

    @property
    def literals(self) -> int:
        """How many words are fixed; less than none for what was said in other words."""
        return sum(not p.startswith("{") for p in self.parts) - (LOOSE if self.loose else 0)


@dataclass(frozen=True)
class Match:
    """A clause read by a pattern: the words in each slot, by slot name."""

    pattern: Pattern
    slots: tuple[tuple[str, Tokens], ...]

    def slot(self, name: str) -> Tokens:
        """Words of a slot, empty where the pattern has none."""
        return dict(self.slots).get(name, ())


def form(text: str) -> Tokens:
    """A phrase with slots as the tokens that a normalised clause would have."""
    marked = _SLOT.sub(lambda m: f" {_MARK}{m.group(1).replace('_', 'zz')} ", text)
    tokens = drop_phrases(tokenise(normalise(marked)), "fillers")
    return tuple("{" + t[len(_MARK) :].replace("zz", "_") + "}" if t.startswith(_MARK) else t for t in tokens)


def camel(surface: str) -> Tokens:
    """Words of a surface verb: `TurnLeft` -> turn, left."""
    return tuple(w.lower() for w in re.findall(r"[A-Z][a-z]*|[a-z]+", surface))


def surfaces(entry: Legend) -> tuple[str, ...]:
    """Surface verbs of an entry, the canonical one first; the bracket of the example where none are listed."""
    if entry.surface:
        return entry.surface
    inside = re.search(r"\[([^\]]+)\]", entry.example)
    return (inside.group(1),) if inside else (entry.verb,)


def entry_forms(entry: Legend) -> tuple[Tokens, ...]:
    """English forms of an entry with its arguments by position."""
    names = [a.rstrip("?") for a in entry.args]
    found = []
    for text in entry.english:
        tokens = form(text)
        units = {i + 1 for i, t in enumerate(tokens) if t[1:-1] in NUMERIC}
        kept = [t for i, t in enumerate(tokens) if not (i in units and t in _UNITS)]
        found.append(tuple("{" + _slot_name(names, t[1:-1]) + "}" if t.startswith("{") else t for t in kept))
    return tuple(found)


def surface_forms(entry: Legend) -> tuple[Tokens, ...]:
    """The grammar verbs as if they were English: `Put` with two arguments -> `put {1} {2}`. They join concepts, nobody says them."""
    entities = [i for i, a in enumerate(entry.args) if a not in NUMERIC and not a.endswith("?")]
    slots = tuple("{%d}" % (i + 1) for i in entities)  # noqa: UP031
    return tuple((*camel(s), *slots) for s in (*surfaces(entry), entry.verb.replace("_", " ")))


def _slot_name(names: list[str], name: str) -> str:
    if name in NUMERIC:
        return name
    return str(names.index(name) + 1) if name in names else name


class Lexicon:
    """Patterns for one legend, indexed by their first word."""

    def __init__(self, legend: tuple[Legend, ...]) -> None:
        self.verbs: dict[str, tuple[Legend, ...]] = {}
        self._index: dict[str, list[Pattern]] = {}
        self._seen: set[Pattern] = set()
        self._matched: dict[Tokens, tuple[Match, ...]] = {}
        self._add_concepts(legend)
        for name, entry in phrases("frames").items():
            concept = name.partition(" / ")[0]
            if concept in self.verbs:
                self._add_all([f.replace("{v}", v) for v in entry["verbs"] for f in entry["frames"]], Action("verb", concept))
        for name, entry in phrases("macros").items():
            action = Action("macro", name, steps=tuple(entry["steps"]))
            if all(s in {"put at", "look in"} or s in self.verbs for s in action.steps):
                self._add_all(entry["phrases"], action)
        for name, entry in phrases("lacking").items():
            self._add_all(entry["phrases"], Action("lacking", name, question=entry["question"]))
        not_verbs = word_set("determiners") | {"a", "one", "once", "again", "further", "want"}
        self.heads = frozenset(w for w in (*self._index, *first_words()) if w not in not_verbs)
        self.literals = frozenset(w for listed in self._index.values() for p in listed for w in p.parts if w.isalpha())
        self._bases = {g: h for h in sorted(self.heads) for g in gerund_forms(h)}
        self._done = {p: h for h in sorted(self.heads) for p in (h + "ed", h + "d" if h.endswith("e") else h + h[-1] + "ed")}
        self._done.update({k: v for k, v in _IRREGULAR_PARTICIPLES.items() if v in self.heads})

    def _add_concepts(self, legend: tuple[Legend, ...]) -> None:
        forms = {entry: entry_forms(entry) for entry in legend}
        for name, listed in phrases("concepts").items():
            own = {form(p.lstrip("~")) for p in listed if not p.startswith("+")}
            joined = tuple(e for e in legend if own & {*forms[e], *surface_forms(e)})
            if joined:
                self.verbs[name] = joined
                self._add_all([p.lstrip("+") for p in listed if not p.startswith("~")], Action("verb", name))
        for entry in legend:
            known = [n for n, verbs in self.verbs.items() if entry in verbs]
            if not known:
                self.verbs[entry.verb] = (entry,)
            if len(known) < 2:
                for tokens in forms[entry] or (() if known else surface_forms(entry)):
                    self._add(tokens, Action("verb", known[0] if known else entry.verb))

    def _add_all(self, listed: list[str], action: Action) -> None:
        for text in listed:
            self._add(form(text), action)
            if " in {" in text:
                self._add(form(text.replace(" in {", " into {")), action)

    def _add(self, tokens: Tokens, action: Action) -> None:
        pattern = Pattern(tokens, action)
        if tokens and not tokens[0].startswith("{") and pattern not in self._seen:
            self._seen.add(pattern)
            self._index.setdefault(tokens[0], []).append(pattern)

    def base(self, word: str) -> str:
        """The verb of an -ing form or a past participle, or the word itself where it is a verb; empty for other words."""
        if word in self.heads:
            return word
        return self._bases.get(word) or self._done.get(word, "")

    def gerund(self, word: str) -> str:
        """The verb of an -ing form, empty for other words."""
        return self._bases.get(word, "")

    def begins(self, tokens: Tokens) -> bool:
        """Whether the words start as some pattern does (its fixed words up to the first slot), or with a verb and its object or"
        " particle."""
        if not tokens:
            return False
        if any(tokens[: len(head)] == head for p in self._index.get(tokens[0], ()) for head in [lead(p)]):
            return True
        return tokens[0] in first_words() and tokens[0] != "want" and tokens[1:2] != () and tokens[1] in _objects()

    def matches(self, tokens: Tokens) -> tuple[Match, ...]:
        """Every reading of a clause, those with most fixed words first and those by frames of verb classes last."""
        if tokens in self._matched:
            return self._matched[tokens]
        found = [Match(p, tuple(s)) for p in self._index.get(tokens[0], ()) for s in _slots(p.parts, tokens)] if tokens else []
        found = [m for m in found if _sound(m)]
        known = {(m.pattern.parts, m.slots) for m in found}
        loose = [m for m in self._loosely(tokens) if (m.pattern.parts, m.slots) not in known and _sound(m)]
        read = tuple(sorted((*found, *loose), key=lambda m: -m.pattern.literals))
        if len(self._matched) < MOST_KEPT:
            self._matched[tokens] = read
        return read

    def _loosely(self, tokens: Tokens) -> Iterator[Match]:
        for phrase in phrases_of(tokens):
            plain = next((p for p in self._index.get(phrase.plain[0], ()) if p.parts == phrase.plain), None)
            if plain is not None:
                slots = (*phrase.slots, *((("there", ("there",)),) if "{there}" in phrase.plain else ()))
                yield Match(Pattern(plain.parts, plain.action, loose=True), slots)


@cache
def _objects() -> frozenset[str]:
    """Words that what a verb is followed by begins with."""
    return word_set("determiners") | frozenset(
        "it them me us both all every each one two three everything whatever whichever yourself up down out over back away off".split()
    )


def lead(pattern: Pattern) -> Tokens:
    """The fixed words up to the first slot."""
    at = next((i for i, p in enumerate(pattern.parts) if p.startswith("{")), len(pattern.parts))
    return pattern.parts[:at]


_WANTS_MORE = frozenset({"closest", "nearest", "close", "next", "adjacent", "nearer", "closer", "farthest", "furthest"})


_PARTICLES = frozenset(
    {"on", "off", "up", "out", "down", "in", "over", "to", "back", "away", "please", "and", "at", "for", "from", "me", "us"}
)


def _sound(match: Match) -> bool:
    """Whether the slots can be phrases: none ends in a word that belongs to what follows (`closest to`), and a phrase right after another
    begins like one (`on the table the cup`)."""
    parts = match.pattern.parts
    if any(len(w) == 1 and w[0] in _PARTICLES for s, w in match.slots if s.isdigit()):
        return False
    begins = word_set("determiners") | {"both", "all", "it", "them", "two", "three", "every", "each", "one"}
    for at, part in enumerate(parts[:-1]):
        if not part.startswith("{"):
            continue
        following = parts[at + 1]
        words_ = match.slot(part[1:-1])
        if following in {"to", "by", "at"} and words_[-1] in _WANTS_MORE:
            return False
        if (
            following.startswith("{")
            and following[1:-1] not in NUMERIC
            and following != "{there}"
            and match.slot(following[1:-1])[0] not in begins
        ):
            return False
    return True


def _slots(parts: Tokens, tokens: Tokens) -> Iterator[list[tuple[str, Tokens]]]:
    """Ways to fit tokens to parts, by trying every end of each slot."""
    if not parts:
        if not tokens:
            yield []
        return
    if not parts[0].startswith("{"):
        if tokens[:1] == parts[:1]:
            yield from _slots(parts[1:], tokens[1:])
        return
    name = parts[0][1:-1]
    least = sum(1 for _ in parts[1:])
    for end in range(1, len(tokens) - least + 1):
        head = tokens[:end]
        if name == "there" and head not in _THERE:
            continue
        for rest in _slots(parts[1:], tokens[end:]):
            yield [(name, head), *rest]


_THERE = frozenset(
    {("there",), ("here",), ("in",), ("inside",), ("over", "there"), ("in", "there"), ("on", "there"), ("on", "it"), ("in", "it")}
)


def quantity(tokens: Tokens, name: str) -> str | None:
    """A number with its unit as the grammar writes it: `two metres` -> `2m`, `a step` -> `1`. None when it is none."""
    units = {
        "distance": {"m": "m", "metre": "m", "meter": "m", "metres": "m", "meters": "m", "step": "", "steps": "", "pace": "", "paces": ""},
        "angle": {"degree": "", "degrees": "", "deg": ""},
        "duration": {"second": "", "seconds": "", "sec": "", "secs": "", "s": "", "minute": "60", "minutes": "60", "min": "60"},
    }[name]
    tokens = tuple(t for t in tokens if t not in {"of", "more", "about", "around", "and", "by", "the", "small", "full", "another"})
    if not tokens or tokens[-1] not in units or len(tokens) < 2:
        return None
    value = _number(tokens[:-1])
    if value is None or value <= 0:
        return None
    unit = units[tokens[-1]]
    if unit == "60":
        value, unit = value * 60, ""
    return f"{value:g}{unit}"


@cache
def _number(tokens: Tokens) -> float | None:
    table = {k: float(v) for k, v in words("numbers").items()}
    if tokens in {("a", "couple"), ("couple",)}:
        return 2.0
    if tokens in {("half", "a"), ("a", "half")}:
        return 0.5
    total = 0.0
    for index, token in enumerate(tokens):
        if re.fullmatch(r"\d+(\.\d+)?", token):
            total += float(token[:9])
        elif token == "hundred" and index:
            total *= 100 if tokens[index - 1] not in {"a"} or total != 1 else 100
        elif token in table:
            total += 0.0 if token in {"a", "an"} and index else table[token]
        else:
            return None
    return total


@cache
def lexicon_of(legend: tuple[Legend, ...]) -> Lexicon:
    """The lexicon of a legend, built once."""
    return Lexicon(legend)

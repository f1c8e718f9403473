"""What is offered, as words: each offer with the nouns and adjectives that name it, and how well a noun phrase's words fit."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from assistcore.world.views import Offered
from assistworld.agents.grounding.data import words
from assistworld.agents.grounding.nouns import NounPhrase, join
from assistworld.agents.grounding.text import normalise, singular, tokenise

_TAIL = frozenset({"with", "labelled", "labeled", "marked", "saying", "that", "which"})
_SUFFIX = re.compile(r"_\d+$")

NO_HEAD, CONTENT, FURTHER, SYNONYM, COMPOUND, EXACT = range(6)
"""How a noun names a thing: not at all, as what is inside, as a further word, by synonym, as the end of a fixed
compound (coffee table), exactly."""


_NEVER_NOUNS = frozenset(
    (
        "glass wooden metal plastic ceramic paper cardboard wicker leather cotton stone marble oak upper lower left right middle top "
        "bottom tall low "
        "small big short long old new double electric side end part way area spot corner floor ceiling wall bedside standing "
        "lid handle knob button leg cord cable plug"
    ).split()
)
"""Words among an offer's words that are adjectives or parts, never what a thing is called."""


@cache
def noun_class(word: str) -> str:
    """The first word of its synonym group, else itself."""
    for group in words("synonyms")["nouns"]:
        if word in group or word.replace("-", " ") in group:
            return str(group[0]).replace(" ", "-")
    return word


@cache
def adjective_class(word: str) -> str:
    """The first word of its synonym group, else itself."""
    for group in words("synonyms")["adjectives"]:
        if word in group:
            return str(group[0])
    return word


@dataclass(frozen=True)
class Thing:
    """An offer with its words: `head` noun of the description, adjectives before it, words after `with`, further words, printed ones.
    `raw` are all words as written, plurals kept."""

    offer: Offered
    head: str
    modifiers: frozenset[str]
    tail: frozenset[str]
    further: frozenset[str]
    printed: tuple[str, ...]
    room: str
    raw: frozenset[str] = frozenset()

    @property
    def key(self) -> str:
        """The offer's key."""
        return self.offer.key

    @property
    def is_room(self) -> bool:
        """Whether it is a whole room."""
        return self.offer.category == "room"


def plain_tokens(text: str) -> tuple[str, ...]:
    """Joined singular words of a description."""
    return tuple(singular(t) for t in join(tokenise(normalise(text.replace("_", " ")))) if t not in {",", ".", ":", "the", "a", "an"})


def room_word(room: str) -> str:
    """A room's name as one word: `living_room` and `living_room_1` -> `living-room`."""
    return noun_class("-".join(join(tuple(_SUFFIX.sub("", room).split("_"))))) if room else ""


@lru_cache(maxsize=4096)
def thing(offer: Offered) -> Thing:
    """An offer's words."""
    tokens = plain_tokens(offer.description) or plain_tokens(offer.category) or ("thing",)
    cut = next((i for i, t in enumerate(tokens) if t in _TAIL and i > 0), len(tokens))
    core, tail = tokens[:cut], tokens[cut + 1 :]
    inside: tuple[str, ...] = ()
    if "of" in core[1:]:
        at = core.index("of")
        core, inside = core[:at], core[at + 1 :]
    core, lid = _lidded(core)
    tail = (*tail, *lid)
    further: set[str] = set()
    compounds: set[str] = set(plain_tokens(_SUFFIX.sub("", offer.key)))
    printed: list[str] = []
    for word in offer.words:
        parts, letters = plain_tokens(word), tokenise(normalise(word))
        if word in offer.printed or word.upper() == word or any(c.isdigit() for c in word):
            printed.append(" ".join(letters))
        elif parts and not set(parts) <= set(tokens):
            further.add(parts[-1])
            compounds.update(parts[:-1])
        elif len(parts) == 1:
            further.add(parts[0])
    category = plain_tokens(offer.category)
    further.update(category[-1:])
    raw = {t for w in (offer.description, *offer.words) for t in tokenise(normalise(w))}
    compounds -= {core[-1], *category[-1:], *offer.state, *lid}
    return Thing(
        offer,
        core[-1],
        frozenset(core[:-1]) | frozenset(inside) | compounds,
        frozenset(tail),
        frozenset(further),
        tuple(printed),
        room_word(offer.room) if offer.category != "room" else core[-1],
        frozenset(raw),
    )


def _lidded(core: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """`red lidded jar` -> jar, and red lid as what it has."""
    if "lidded" not in core[1:]:
        return core, ()
    at = core.index("lidded")
    return (*core[: at - 1], *core[at + 1 :]), (core[at - 1], "lid")


def head_fit(phrase: NounPhrase, candidate: Thing) -> int:
    """How the phrase's noun names the candidate (`NO_HEAD` to `EXACT`)."""
    head = phrase.head
    if head == candidate.head:
        return EXACT
    if "-" in head and head in {"-".join(plain_tokens(_SUFFIX.sub("", candidate.key))), _SUFFIX.sub("", candidate.key).replace("_", "-")}:
        return EXACT
    if candidate.head.rpartition("-")[2] == head or head in candidate.offer.category.split("_")[-1:]:
        return COMPOUND
    if noun_class(head) == noun_class(candidate.head):
        return SYNONYM
    if candidate.is_room:
        return SYNONYM if noun_class(head) in {noun_class(w) for w in candidate.further} - {"room"} else NO_HEAD
    if {candidate.head, noun_class(candidate.head)} & set(words("hypernyms").get(head, ())):
        return FURTHER
    nouns = {noun_class(w) for w in candidate.further}
    if noun_class(head) in nouns and head not in _NEVER_NOUNS and adjective_class(head) not in _NEVER_NOUNS and not head[0].isdigit():
        return FURTHER
    if head in candidate.modifiers or (candidate.head in words("content_heads") and head in map(singular, candidate.printed)):
        return CONTENT
    first, _, last = head.rpartition("-")
    if first and last and candidate.head == last and all(modifier_fits(w, candidate) for w in first.split("-")):
        return SYNONYM
    return NO_HEAD


def modifier_fits(word: str, candidate: Thing) -> bool:
    """Whether an adjective or noun before the head is true of the candidate."""
    own = {adjective_class(w) for w in candidate.modifiers} | {candidate.head, *candidate.head.split("-")}
    plain = adjective_class(word)
    if plain in own or word in own or noun_class(word) in {noun_class(w) for w in own}:
        return True
    if word in words("colours") and adjective_class(word) in {adjective_class(t) for t in candidate.tail}:
        return False
    if plain in {adjective_class(w) for w in candidate.further} or word in candidate.offer.state:
        return True
    if plain in {adjective_class(s) for s in candidate.offer.state}:
        return True
    if noun_class(word) == candidate.room and not candidate.is_room:
        return True
    return any(word in p.split() or plain in {adjective_class(x) for x in p.split()} for p in candidate.printed)


def contradicts(word: str, candidate: Thing) -> bool:
    """Whether what is known of the candidate rules the adjective out (another colour, the opposite size)."""
    known = {adjective_class(w) for w in candidate.modifiers | candidate.further | set(candidate.offer.state)}
    plain = adjective_class(word)
    if word in words("colours"):
        return bool(known & {adjective_class(c) for c in words("colours")}) and plain not in known
    for group in words("conflicts"):
        classes = {adjective_class(w) for w in group}
        if plain in classes and known & (classes - {plain}):
            return True
    return False

"""Verb phrases put together from parts: a verb of a class, its objects, particles and prepositions in any order that English has.

What a frame of `verbs.yaml` reads is handed on in the words of a plain pattern (`put {1} on {2}`), so that nothing after it needs to know
the many ways to say it. Every word of the clause is in the verb, in a set, or in a slot;
a slot with a word that nobody knows finds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from assistworld.agents.grounding.data import Tokens, verbs, word_set

MOST_FOUND = 12
"""Readings of one clause; the first ones have the shortest objects."""


@dataclass(frozen=True)
class Frame:
    """Elements in order (`V`, a word, `{1}`, `<set>`, `<set>?`) and the plain pattern that they amount to."""

    elements: tuple[str, ...]
    plain: Tokens


@dataclass(frozen=True)
class Phrase:
    """A clause read by a frame: the plain pattern and the words of each slot."""

    plain: Tokens
    slots: tuple[tuple[str, Tokens], ...]


@cache
def _frames() -> dict[str, tuple[Frame, ...]]:
    """Frames by class."""
    found: dict[str, tuple[Frame, ...]] = {}
    for name, listed in verbs("frames").items():
        frames = []
        for text in listed:
            said, _, plain = text.partition("=>")
            said = said.replace(" of> ", "_of> ").replace(" of>?", "_of>?")
            frames.append(Frame(tuple(said.split()), tuple(plain.split())))
        found[name] = tuple(frames)
    return found


@cache
def _set(name: str) -> tuple[Tokens, ...]:
    """Phrases of a set, longest first."""
    listed = verbs("sets")[name.replace("_", " ")]
    return tuple(sorted({tuple(str(p).split()) for p in listed}, key=lambda t: (-len(t), t)))


@cache
def _heads() -> dict[str, tuple[tuple[Tokens, str], ...]]:
    """Verbs by their first word: (words, class), longest first."""
    found: dict[str, list[tuple[Tokens, str]]] = {}
    for name, listed in verbs("verbs").items():
        for verb in listed:
            words = tuple(verb.split())
            found.setdefault(words[0], []).append((words, name))
    return {w: tuple(sorted(v, key=lambda e: (-len(e[0]), e))) for w, v in found.items()}


@cache
def first_words() -> frozenset[str]:
    """Words that verbs of the classes begin with."""
    return frozenset(_heads())


@cache
def phrases_of(tokens: Tokens) -> tuple[Phrase, ...]:
    """Every reading of a clause by a frame."""
    if not tokens or len(tokens) > 40:
        return ()
    found: list[Phrase] = []
    for words, name in _heads().get(tokens[0], ()):
        if tokens[: len(words)] != words:
            continue
        for frame in _frames().get(name, ()):
            if frame.elements[0] != "V" and frame.elements[0] != tokens[0]:
                continue
            rest = tokens[len(words) :] if frame.elements[0] == "V" else tokens[1:]
            for slots in _fits(frame.elements[1:], rest):
                found.append(Phrase(frame.plain, _joined(slots)))
                if len(found) >= MOST_FOUND:
                    return tuple(dict.fromkeys(found))
    return tuple(dict.fromkeys(found))


def _joined(slots: list[tuple[str, Tokens]]) -> tuple[tuple[str, Tokens], ...]:
    """Slots with the parts of one that came twice put together."""
    whole: dict[str, Tokens] = {}
    for name, words in slots:
        if name != "room":
            whole[name] = (*whole.get(name, ()), *words)
    room = dict(slots).get("room", ())
    if room:
        whole["2"] = (*whole["2"], "in", *room)
    return tuple(whole.items())


def _is_room(tokens: Tokens) -> bool:
    """`the living room`."""
    kinds = word_set("rooms")
    return 0 < len(tokens) < 4 and (tokens[-1] in kinds or " ".join(tokens[-2:]) in kinds)


def _fits(elements: tuple[str, ...], tokens: Tokens) -> Iterator[list[tuple[str, Tokens]]]:
    """Ways to fit tokens to elements."""
    if not elements:
        if not tokens:
            yield []
        return
    first, rest = elements[0], elements[1:]
    if first.startswith("<"):
        for phrase in _set(first.strip("<>?")):
            if tokens[: len(phrase)] == phrase:
                yield from _fits(rest, tokens[len(phrase) :])
        if first.endswith("?"):
            yield from _fits(rest, tokens)
    elif first.startswith("{"):
        again = any(e == first for e in rest)
        for end in range(1, len(tokens) + 1):
            if first == "{room}" and not _is_room(tokens[:end]):
                continue
            if _phrase(tokens[:end], ends=bool(rest)) and not (again and end > 6):
                for slots in _fits(rest, tokens[end:]):
                    if _follows(first[1:-1], slots):
                        yield [(first[1:-1], tokens[:end]), *slots]
    elif tokens[:1] == (first,):
        yield from _fits(rest, tokens[1:])


def _follows(name: str, slots: list[tuple[str, Tokens]]) -> bool:
    """Whether the second part of a slot that comes twice continues a noun phrase, and another slot begins one of its own."""
    later = next((words for n, words in slots if n == name), ())
    return not later or later[0] in word_set("continuing") or later[:2] == ("to", "the")


_PRONOUNS = frozenset({"it", "them", "that", "this", "these", "those", "both", "all", "everything", "one", "something", "anything"})
_NOT_LAST = frozenset(
    ("the a an my your his her our their its this's and or of with to very on in at from next into onto inside for by").split()
)


def _phrase(tokens: Tokens, *, ends: bool) -> bool:
    """Whether the words can be a noun phrase: it does not end in the middle of one."""
    if tokens[-1] in _NOT_LAST and not (len(tokens) == 1 and tokens[0] in _PRONOUNS):
        return False
    if tokens[0] in {"to", "for", "of", "and", "or", "not", "up", "down", "away", "on", "in", "off", "out", "at", "back", "please"}:
        return False
    return not (ends and tokens[0] in {"it", "them"} and len(tokens) > 1)

"""Slips of the keyboard: an unknown word that is one letter away from one known word, and no English word itself."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from assistworld.agents.grounding.data import words
from assistworld.agents.grounding.lexicon import Lexicon
from assistworld.agents.grounding.text import normalise, singular

SHORTEST = 3
"""Words of fewer letters are never corrected."""
_SECTIONS = (
    "fillers openers act_prefixes act_gerund_prefixes hedge_prefixes hedge_words stops yes no corrections acknowledgements question_starts "
    "conditions determiners colours soft content_heads relative_openers negations sequencers resumes inner wearables"
).split()
_MAPS = "quantifiers numbers ordinals places pronouns relations sides from_sides".split()


@cache
def _real() -> frozenset[str]:
    """English words that look like slips of known ones and are none (`bag` for `mug`)."""
    return frozenset((Path(__file__).parent / "real_words.txt").read_text(encoding="ascii").split())


@cache
def plain_words() -> frozenset[str]:
    """Every word of the lists."""
    found: set[str] = set()
    for section in _SECTIONS:
        found.update(w for entry in words(section) for w in str(entry).split())
    for section in _MAPS:
        found.update(w for entry in words(section) for w in str(entry).split())
    for groups in words("synonyms").values():
        found.update(w for group in groups for name in group for w in name.split())
    for head, kinds in words("hypernyms").items():
        found.update((head, *kinds))
    return frozenset(w for w in found if w.isalpha())


@lru_cache(maxsize=64)
def vocabulary(lexicon: Lexicon, offered: frozenset[str]) -> frozenset[str]:
    """Words that are known: of the lists, of the patterns, of what is offered; with their plurals."""
    known = plain_words() | lexicon.literals | offered
    return known | {w + "s" for w in known}


def corrected(text: str, lexicon: Lexicon, offered: Iterable[str]) -> str:
    """The text in its normal form with slips put right."""
    text = normalise(text)
    named = frozenset(w for phrase in offered for w in re.findall(r"[a-z]+", phrase.lower()))
    known = vocabulary(lexicon, named)
    return re.sub(r"[a-z]+", lambda m: _right(m.group(), known, named), text)


def _right(word: str, known: frozenset[str], named: frozenset[str]) -> str:
    if len(word) < SHORTEST or word in known or singular(word) in known or {word, singular(word)} & _real() or lexical(word, known):
        return word
    near = {k for k in _neighbours(word) if k in known and len(k) > 2}
    near = {k for k in near if k[0] == word[0]} or (near if len(word) > 3 else set())
    swapped = {k for k in near if sorted(k) == sorted(word)}
    near = swapped if len(swapped) == 1 else near
    if len(near) > 1:
        plural = {k for k in near if not (k.endswith("s") and k[:-1] in near)}
        near = plural if len(plural) == 1 else near & named if len(near & named) == 1 else near
    return next(iter(near)) if len(near) == 1 else word


def lexical(word: str, known: frozenset[str]) -> bool:
    """Whether it is an inflected form of a known word."""
    for end, adds in (
        ("ing", ("", "e")),
        ("ed", ("", "e")),
        ("er", ("", "e")),
        ("est", ("", "e")),
        ("ly", ("",)),
        ("y", ("",)),
        ("ies", ("y",)),
    ):
        stem = word[: -len(end)]
        if word.endswith(end) and len(stem) > 2 and any(stem + a in known or stem[:-1] + a in known for a in adds):
            return True
    return False


def _neighbours(word: str) -> Iterable[str]:
    """Words one letter away: one missing, one too many, two swapped; one wrong in words of five letters and more."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for at in range(len(word) + 1):
        head, tail = word[:at], word[at:]
        for letter in letters:
            yield head + letter + tail
        if tail:
            yield head + tail[1:]
            if len(word) > 4:
                for letter in letters:
                    yield head + letter + tail[1:]
        if len(tail) > 1:
            yield head + tail[1] + tail[0] + tail[2:]

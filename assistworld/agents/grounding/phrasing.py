"""Phrases in running text: what a remark names, what a phrase can mean, one phrase for another."""

from __future__ import annotations

from assistworld.agents.grounding.cutting import BE, leading_preposition
from assistworld.agents.grounding.data import Tokens
from assistworld.agents.grounding.data import words as words_of
from assistworld.agents.grounding.meanings import Fits, Found, Scene, Unclear
from assistworld.agents.grounding.nouns import NounPhrase, readings
from assistworld.agents.grounding.resolve import resolve
from assistworld.agents.grounding.text import sentences


def named_in(text: str) -> tuple[NounPhrase, ...]:
    """Noun phrases at the end of the clauses of a remark: `There's a blue one, do you mean that?` -> a blue one."""
    found: list[NounPhrase] = []
    for tokens, _ in sentences(text):
        for part in " ".join(tokens).split(" , "):
            words = tuple(part.split())
            starts = [i for i, w in enumerate(words) if w in {"the", "a", "an"}]
            for cut in range(3) if starts else ():
                said = readings(words[starts[0] : len(words) - cut])
                if said and words[len(words) - cut - 1] not in {"say", "on", "off", "is", "are", "open", "closed"}:
                    found.append(said[0])
                    break
    return tuple(p for p in found if p.head or p.wildcard)


def asked_about(tokens: Tokens, scene: Scene) -> tuple[NounPhrase, ...]:
    """What a question or a remark is about: `is the oven still hot` -> the oven, `which lamp is on` -> the lamp that is on. The wording
    that something offered fits, else the shortest; empty where nothing is named."""
    be = next((i for i, t in enumerate(tokens) if t in {"is", "are"}), 0)
    options: list[NounPhrase] = []
    if tokens[:1] == ("which",) and 1 < be < len(tokens) - 1:
        options.extend(readings(("the", *tokens[1:be], "that", *tokens[be:]))[:1])
        options.extend(readings(("the", *tokens[be + 1 :], *tokens[1:be]))[:1])
    asked = next((i for i, t in enumerate(tokens) if t in _DOING), 0) if tokens[:1] == ("which",) else 0
    if asked > 1:
        options.extend(readings(("the", *tokens[1:asked]))[:1])
    if tokens[:1] == ("whose",) and be > 1:
        options.extend(readings(("the", *tokens[1:be]))[:1])
    start = next((i for i, t in enumerate(tokens) if t in _NAMING), len(tokens))
    for end in range(len(tokens), start + 1, -1):
        options.extend(readings(tokens[start:end])[:1])
    options = [p for p in options if p.head or p.wildcard]
    fitting = [p for p in options if isinstance(resolve(p, scene), Found)]
    return tuple(fitting[:1] or options[-1:])


_DOING = frozenset("did do does would should shall will can could was had have am".split())
_NAMING = frozenset({"his", "her", "our", "their", "its", "the", "a", "an", "my", "your", "any", "some", "that", "this", "these", "those"})


def talked_of(tokens: Tokens, scene: Scene) -> list[tuple[NounPhrase, tuple[str, ...]]]:
    """What a remark speaks of, in order: the longest wording from each article on that means one thing (`someone left the fridge open`
    -> the fridge), with the keys that it means; the noun alone where none does."""
    found: list[tuple[NounPhrase, tuple[str, ...]]] = []
    at = 0
    while at < len(tokens) and tokens[at] not in {"except", "but", "than", "unlike"} and tokens[at : at + 2] != ("not", "the"):
        bare = at == 0 and tokens[0] not in _NAMING and tokens[0] not in _NO_NAMES and tokens[0] not in BE
        if tokens[at] not in _NAMING and not bare:
            at += 1
            continue
        best, end = _longest(tokens, at, scene)
        if best is not None:
            found.append(best)
        at = end
    return found


def _longest(tokens: Tokens, at: int, scene: Scene) -> tuple[tuple[NounPhrase, tuple[str, ...]] | None, int]:
    shortest: tuple[tuple[NounPhrase, tuple[str, ...]], int] | None = None
    least = at + 1 if tokens[at] in _NAMING else at
    for end in range(min(len(tokens), at + 10), least, -1):
        words = tokens[at:end] if tokens[at] in _NAMING else ("the", *tokens[at:end])
        if words[-2:-1] in {("is",), ("are",)} and words[-1] in STATES:
            words = (*words[:-2], words[-1])
        counted = bool(set(words) & set(words_of("ordinals")))
        if BE & set(words[1:]) and not {"that", "which", "who"} & set(words):
            continue
        said = (("the", *words[1:-1], "that", "is", words[-1]), words[:-1]) if len(words) > 2 and words[-1] in STATES else ()
        said = said[::-1] if counted else said
        for wording in (*said, ("the", *words[1:]) if words[0] in {"a", "an", "some", "any"} else words):
            for phrase in readings(wording):
                meant = resolve(phrase, scene)
                if isinstance(meant, Found) and len(meant.keys) == 1 and (phrase.head or phrase.wildcard):
                    return (phrase, meant.keys), end
                if phrase.head and isinstance(meant, Unclear):
                    shortest = ((phrase, ()), end)
    return shortest if shortest is not None else (None, at + 1)


_NO_NAMES = frozenset(
    (
        "i you he she it we they there somebody someone nobody everybody everyone what where who how why when which not no yes and"
        " or but so "
        "if as then now here well okay please never always just only at on in to from with by for let"
    ).split()
)
STATES = frozenset({"open", "closed", "shut", "on", "off", "empty", "full", "running"})


def meant_by(tokens: Tokens, scene: Scene, fits: Fits | None = None) -> tuple[str, ...]:
    """Keys that a phrase can mean: one, or all candidates."""
    for phrase in readings(tokens[leading_preposition(tokens) :] if leading_preposition(tokens) and len(tokens) > 2 else tokens):
        meant = resolve(phrase, scene, fits)
        if isinstance(meant, Found | Unclear):
            return meant.keys
    return ()


def substituted(tokens: Tokens, old: Tokens, new: Tokens) -> Tokens:
    """`tokens` with the first `old` replaced; empty where there is none."""
    for at in range(len(tokens) - len(old) + 1):
        if tokens[at : at + len(old)] == old:
            return (*tokens[:at], *new, *tokens[at + len(old) :])
    return ()

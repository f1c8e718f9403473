"""Phrases in running text: what a remark names, what a phrase can mean, one phrase for another."""

from __future__ import annotations

from assistworld.agents.grounding.cutting import leading_preposition
from assistworld.agents.grounding.data import Tokens
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
    if tokens[:1] == ("whose",) and be > 1:
        options.extend(readings(("the", *tokens[1:be]))[:1])
    start = next((i for i, t in enumerate(tokens) if t in _NAMING), len(tokens))
    for end in range(len(tokens), start + 1, -1):
        options.extend(readings(tokens[start:end])[:1])
    options = [p for p in options if p.head or p.wildcard]
    fitting = [p for p in options if isinstance(resolve(p, scene), Found)]
    return tuple(fitting[:1] or options[-1:])


_NAMING = frozenset({"the", "a", "an", "my", "your", "any", "some", "that", "this", "these", "those"})


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

"""Corrections: an order with one of its things replaced (`no, the blue one`) or ruled out (`not the red one`)."""

from __future__ import annotations

from dataclasses import replace

from assistworld.agents.grounding.cutting import leading_preposition
from assistworld.agents.grounding.data import Tokens, word_set
from assistworld.agents.grounding.data import words as words_of
from assistworld.agents.grounding.lexicon import Lexicon, Match
from assistworld.agents.grounding.meanings import Found, Scene, Unclear
from assistworld.agents.grounding.nouns import NounPhrase, readings, split_list
from assistworld.agents.grounding.orders import Grounded, Order, State
from assistworld.agents.grounding.phrasing import meant_by
from assistworld.agents.grounding.planning import ground
from assistworld.agents.grounding.resolve import resolve
from assistworld.agents.grounding.things import NO_HEAD, head_fit, noun_class


def amended(order: Order, said: Tokens, scene: Scene, lexicon: Lexicon) -> Order | None:
    """The order with the phrase that `said` is meant to replace. The slot is that of the same kind of thing or after the same preposition;
    among several the only one that can be carried out. None where it fits nowhere."""
    turned = _other_way(order.tokens, said)
    if turned:
        return replace(order, tokens=turned)
    skip = leading_preposition(said)
    options: list[tuple[int, Order, bool]] = []
    for match in lexicon.matches(order.tokens):
        for slot, old in match.slots:
            if slot in {"0", "there"} or not slot.isdigit():
                continue
            made = _with_slot(order, match, slot, old, said, skip, scene)
            if made is None:
                continue
            new, rank = made
            works = isinstance(ground(new, scene, lexicon, State(scene.held)), Grounded)
            options.append((rank, new, works))
    options = list(dict.fromkeys(options))
    if not options:
        return None
    for wanted in (True, False):
        ranked = [(r, o) for r, o, works in options if works == wanted]
        if ranked:
            best = max(r for r, _ in ranked)
            return next(o for r, o in ranked if r == best) if best > 0 or wanted else None
    return None


def _other_way(tokens: Tokens, said: Tokens) -> Tokens:
    """`turn left` and `right`, `to the right`, `around` -> turn right, turn around."""
    ways = {"left", "right", "around"}
    meant = [w for w in said if w in ways]
    if (
        len(meant) != 1
        or not set(said) <= ways | {"to", "the", "your", "turn"}
        or tokens[:1] not in {("turn",), ("rotate",), ("look",), ("face",)}
    ):
        return ()
    return ("turn", meant[0]) if set(tokens) & ways else ()


def _with_slot(order: Order, match: Match, slot: str, old: Tokens, said: Tokens, skip: int, scene: Scene) -> tuple[Order, int] | None:
    """The order with a slot replaced and how well the new words suit it (3 same kind, 2 same preposition, 1 possible)."""
    before = readings(old)
    after = readings(said[skip:])
    if not before or not after or (slot != "1" and _only_a_side(before[0], old)):
        return None
    head = before[0].head or _head_of(before[0], scene)
    phrase = after[0]
    parts = match.pattern.parts
    at = parts.index("{" + slot + "}")
    prior = parts[at - 1] if at else ""
    rank = 1
    if skip:
        if prior not in {"on", "in", "to", "inside", "into", "at"}:
            return None
        rank = 2
    elif phrase.head and head and noun_class(phrase.head) == noun_class(head):
        rank = 3
    elif not phrase.head:
        rank = 3 if _could_be(phrase, head, scene) else 0
    words = said[skip:] if phrase.head else _likewise(old, said[skip:], head, scene) or _reheaded(said[skip:], head)
    if phrase.ordinal and before[0].ordinal and not phrase.relations and rank == 3:
        words = _other_number(old, said[skip:]) or words
    tokens: list[str] = []
    for index, part in enumerate(parts):
        if skip and index + 1 == at:
            tokens.extend(said[:skip])
        elif part == "{" + slot + "}":
            tokens.extend(words)
        else:
            tokens.extend(match.slot(part[1:-1]) if part.startswith("{") else (part,))
    out: frozenset[str] = order.excluded
    if phrase.other:
        previous = resolve(before[0], replace(scene, fills=order.fills))
        out = out | frozenset(previous.keys if isinstance(previous, Found) else ())
        held = scene.get(scene.held)
        if held is not None and head and head_fit(replace(before[0], head=head), held) != NO_HEAD and order.tokens[0] not in _PLACING:
            out = order.excluded | {held.key}
    return replace(order, tokens=tuple(tokens), excluded=frozenset(out), tries=0), rank


def _only_a_side(phrase: NounPhrase, said: Tokens) -> bool:
    """`the left` of `the mug on the left`: no thing that another could stand for."""
    return phrase.wildcard and bool(phrase.places) and not phrase.modifiers and not {"one", "ones", "thing"} & set(said)


def likened(order: Order, said: Tokens, lexicon: Lexicon) -> Order | None:
    """The order with another first argument: what `do the same with the milk` asks. None where the order has none."""
    for match in lexicon.matches(order.tokens):
        if match.pattern.action.kind == "lacking" or not match.slot("1"):
            continue
        parts = (said if p == "{1}" else match.slot(p[1:-1]) if p.startswith("{") else (p,) for p in match.pattern.parts)
        return Order(tuple(t for part in parts for t in part))
    return None


_PLACING = frozenset({"put", "place", "set", "lay", "drop"})


def _other_number(old: Tokens, said: Tokens) -> Tokens:
    """`the second drawer from the left` and `the third` -> the third drawer from the left."""
    number = next((w for w in said if w in words_of("ordinals")), "")
    return tuple(number if w in words_of("ordinals") else w for w in old) if number else ()


def _head_of(phrase: NounPhrase, scene: Scene) -> str:
    """The noun of what a phrase without one means."""
    meant = resolve(phrase, scene)
    first = scene.get(meant.keys[0]) if isinstance(meant, Found) else None
    return first.head if first is not None else ""


def _could_be(phrase: NounPhrase, head: str, scene: Scene) -> bool:
    """Whether something offered is that kind of thing and fits the other words."""
    return bool(head) and isinstance(resolve(replace(phrase, head=head, wildcard=False), scene), Found | Unclear)


def _likewise(old: Tokens, said: Tokens, head: str, scene: Scene) -> Tokens:
    """`the left upper cabinet` and `the right one` -> the right upper cabinet: what was said of the first and does not clash. Empty where
    nothing is carried over or nothing is so."""
    groups = [{"left", "right", "middle", "leftmost", "rightmost"}, word_set("colours"), *(set(g) for g in words_of("conflicts"))]
    clash = [g for g in groups if g & set(said)]
    adjectives = word_set("colours") | {w for g in words_of("synonyms")["adjectives"] for w in g} | {"upper", "lower", "top", "bottom"}
    kept = tuple(w for w in old if w in adjectives and w not in said and not any(w in g for g in clash))
    if not kept or not head or "one" not in said or "other" in said:
        return ()
    at = said.index("one")
    made = (*said[:at], *kept, *head.split("-"), *said[at + 1 :])
    return made if any(isinstance(resolve(p, scene), Found) for p in readings(made)[:1]) else ()


def _reheaded(words: Tokens, head: str) -> Tokens:
    """`the blue one`, `blue` -> the blue mug."""
    if not head:
        return words
    noun = tuple(head.split("-"))
    for at, word in enumerate(words):
        if word in word_set("wildcards") and at < len(words):
            return (*words[:at], *noun, *words[at + 1 :])
    cut = next((i for i, w in enumerate(words) if i and w in {"on", "in", "from", "next", "with", "behind", "near", "to"}), len(words))
    return (*words[:cut], *noun, *words[cut:])


def excluded(order: Order, said: Tokens, scene: Scene, lexicon: Lexicon) -> Order | None:
    """The order with something ruled out. None where nothing in it is meant."""
    for match in lexicon.matches(order.tokens):
        for slot, old in match.slots:
            before = readings(old) if slot.isdigit() and slot != "0" else ()
            out: set[str] = set()
            for part in split_list(said)[0] if before else ():
                for phrase in readings(part)[:1]:
                    head = phrase.head or before[0].head or _head_of(before[0], scene)
                    meant = resolve(phrase if phrase.head else replace(phrase, head=head, wildcard=False), scene)
                    if isinstance(meant, Found) or (
                        isinstance(meant, Unclear) and (meant.why == "confirm" or phrase.determiner in {"a", "an", "any"})
                    ):
                        out |= set(meant.keys)
            if out:
                return replace(order, excluded=order.excluded | out)
    return None


def same_again(forbidden: Order, said: Tokens, scene: Scene, lexicon: Lexicon) -> bool:
    """`Don't open the cupboard, the left one`: only another name of what is forbidden, where that can be several things."""
    meant = meant_by(said, scene)
    for match in lexicon.matches(forbidden.tokens):
        things = meant_by(match.slot("1"), scene) if match.slot("1") else ()
        if len(things) > 1 and meant and set(meant) <= set(things):
            return True
    return False

"""`If the oven is on, turn it off`: a condition that the person can see for itself, and what is to be done then."""

from __future__ import annotations

import re
from dataclasses import replace

from assistworld.agents.grounding.data import Tokens
from assistworld.agents.grounding.meanings import Found, Missing, Scene, Unclear
from assistworld.agents.grounding.nouns import readings
from assistworld.agents.grounding.resolve import resolve

_FIRST = re.compile(
    r"^(?:and |so |now |but |then |okay )?(?P<word>if|in case|should|provided(?: that)?"
    r"|unless) (?P<given>[^,]+?) ,? ?(?:then )?(?P<order>(?<=, ).+|(?<=then ).+)$"
)
_LAST = re.compile(
    r"^(?P<order>[^,]+?) ,? ?(?:but )?(?:only )?(?P<word>if|unless) (?P<given>(?:the|that|this|my|your|it|they|there|one|any"
    r"|you (?:can )?(?:see|find))\b[^,]*)$"
)
_ADVERBS = (
    r"(?:(?:still|already|currently|really|actually|in fact|just|now|also|by any chance|happens to be|left|standing"
    r"|switched|turned|running) )*"
)
_STATE = re.compile(
    rf"^(?P<np>.+?) (?:is|are|be|has been|have been) (?P<neg>not )?{_ADVERBS}(?P<state>on|off|open|closed|shut|opened|running|lit"
    rf"|unlit)(?: at the moment| now| still| already)?$"
)
_THERE = re.compile(
    r"^(?:there (?:is|are)|you (?:can )?(?:see|find|have|spot)|we (?:still )?have)(?: still)?(?: any)? (?P<np>.+?)(?: (?:left"
    r"|in there|in here|over there|there|around|somewhere|still|inside))*$"
)
_SAME = {"opened": "open", "shut": "closed", "running": "on", "lit": "on", "unlit": "off"}
_OPPOSITE = {"on": "off", "off": "on", "open": "closed", "closed": "open"}


def conditional(tokens: Tokens) -> tuple[Tokens, Tokens] | None:
    """(condition, order) of a sentence with one condition; None for any other, or where more is said for the other case."""
    if {"otherwise", "else", "until"} & set(tokens):
        return None
    text = " ".join(tokens)
    found = _FIRST.match(text) or _LAST.match(text)
    if found is None or not (_STATE.match(found.group("given")) or _THERE.match(found.group("given"))):
        return None
    order = tuple(t for t in found.group("order").split())
    given = tuple(found.group("given").split())
    if found.group("word") == "unless":
        given = ("unless", *given)
    return (given, order) if not {"if", "unless"} & set(order) else None


def holds(given: Tokens, scene: Scene) -> bool | None:
    """Whether a condition is so as far as the person knows; None where it cannot tell."""
    if given[:1] == ("unless",):
        so = holds(given[1:], scene)
        return None if so is None else not so
    text = " ".join(given)
    state = _STATE.match(text)
    if state is not None:
        keys = _meant(tuple(state.group("np").split()), scene)
        things = [t for t in (scene.get(k) for k in keys) if t is not None]
        wanted = _SAME.get(state.group("state"), state.group("state"))
        known = [{_SAME.get(s, s) for s in t.offer.state} for t in things]
        if not known or not all({wanted, _OPPOSITE[wanted]} & k for k in known):
            return None
        is_so = all(wanted in k for k in known)
        return not is_so if state.group("neg") else is_so
    there = _THERE.match(text)
    if there is None or "not" in given:
        return None
    options = readings(tuple(there.group("np").split())) or readings(("the", *there.group("np").split()))
    found = [resolve(replace(p, determiner="the"), scene) for p in options]
    if any(isinstance(r, Found | Unclear) for r in found):
        return True
    return False if found and all(isinstance(r, Missing) for r in found) else None


def _meant(tokens: Tokens, scene: Scene) -> tuple[str, ...]:
    for phrase in readings(tokens):
        meant = resolve(phrase, scene)
        if isinstance(meant, Found):
            return meant.keys
    return ()

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
    r"|unless|when|as|since) (?P<given>[^,]+?) ,? ?(?:then )?(?P<order>(?<=, ).+|(?<=then ).+)$"
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
_OBJECT = re.compile(r"\b(?P<np>(?:the|that|this|my|your) .*?)(?: on| off| up| down)?$")
_STOPPED = frozenset({("stop", "it"), ("stop", "that"), ("stop", "it", "please"), ("please", "stop", "it")})
"""Said of what runs, these turn it off."""
_SAME = {"opened": "open", "shut": "closed", "running": "on", "lit": "on", "unlit": "off"}
_OPPOSITE = {"on": "off", "off": "on", "open": "closed", "closed": "open"}


_ELSE = re.compile(
    r" ?,? (?:otherwise|if not|or else|else) ,? ?(?:just |please |simply )*(?:(?:leave|let|keep) (?:it|that|them|everything)(?: alone"
    r"| be| as it is| as is| where it is| open| closed"
    r"| on| off| shut| like that| there)?|do nothing|do not(?: bother| worry| do anything| touch (?:it|anything))?|never mind"
    r"|forget (?:it|about it)|skip it"
    r"|that is (?:fine|okay|ok)|it is (?:fine|okay|ok)|no (?:worries|problem|matter)|do not touch it|stay (?:here|put|where you are))$"
)


def otherwise_nothing(tokens: Tokens) -> bool:
    """`Otherwise leave it.`: nothing is to be done in the other case."""
    return bool(_ELSE.fullmatch(" " + " ".join(tokens)))


def if_so(tokens: Tokens, asked: Tokens) -> Tokens:
    """`If so, take it` after a question: with what was asked as the condition. The tokens themselves where nothing of the kind is said."""
    said = _IF_SO.match(" ".join(tokens))
    text = " ".join(t for t in asked if t not in {"please", ","})
    question = _ASKED.match(text)
    if said is None or question is None:
        return tokens
    np, state = question.group("np"), question.group("state")
    given = f"{np} is {state}" if state else f"there is {question.group('there') or question.group('seen')}"
    word = "unless" if said.group("neg") else "if"
    return tuple(f"{word} {given} , {said.group('order')}".split())


_IF_SO = re.compile(
    r"^(?:and |then |so )?if (?:(?P<pos>so|yes|it is|it does|there is|there are|they are|you do|you can|that is the case"
    r"|you see (?:it|one|any|them)|you find (?:it|one|any|them))"
    r"|(?P<neg>not|no|it is not|there is not|there are not|they are not|you do not|you can not)) ,? ?(?:then )?(?P<order>.+)$"
)
_ASKED = re.compile(
    r"^(?:and |so |now )?(?:(?:is|are) there (?P<there>(?:a|an|any|some|still|the)\b.+?)(?: left| somewhere| anywhere)?"
    r"|(?:is|are) (?P<np>.+?) (?:still |already |currently |really |actually )*(?P<state>on|off|open|closed|shut|running)(?: now"
    r"| still| already)?"
    r"|(?:do|can|did) (?:you|we) (?:still )?(?:see|find|have|spot)(?: got)? (?P<seen>.+?)(?: anywhere| somewhere| there| left)?)$"
)


def conditional(tokens: Tokens) -> tuple[Tokens, Tokens] | None:
    """(condition, order) of a sentence with one condition; None for any other, or where more is said for the other case."""
    text = _ELSE.sub("", " ".join(tokens))
    tokens = tuple(text.split())
    if {"otherwise", "else", "until"} & set(tokens):
        return None
    found = _FIRST.match(text) or _LAST.match(text)
    if found is None or not (_STATE.match(found.group("given")) or _THERE.match(found.group("given"))):
        return None
    order = tuple(t for t in found.group("order").split())
    given = tuple(found.group("given").split())
    named = _OBJECT.search(found.group("order")) if given[0] == "it" and text.startswith(found.group("order")) else None
    if named:
        given = (*named.group("np").split(), *given[1:])
    if order in _STOPPED and _STATE.match(" ".join(given)):
        order = ("turn", "off", "it")
    if found.group("word") in {"unless", "when"}:
        given = (found.group("word"), *given)
    return (given, order) if not {"if", "unless"} & set(order) else None


def holds(given: Tokens, scene: Scene) -> bool | None:
    """Whether a condition is so as far as the person knows; None where it cannot tell."""
    if given[:1] == ("when",):
        return True if holds(given[1:], scene) else None
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

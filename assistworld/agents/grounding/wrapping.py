"""Polite wrapping around an order: `would it be possible for you to open the fridge`, `the next thing is to open it`.

The words before the verb must all be words of politeness and address, must not negate, and must leave the doing to the person spoken to.
"""

from __future__ import annotations

import re

from assistworld.agents.grounding.data import Tokens, word_set
from assistworld.agents.grounding.lexicon import Lexicon

LONGEST = 18
"""Words of wrapping before the verb."""
_MODALS = frozenset("could can would will might may must should shall".split())
_LEADS = frozenset("you to and please we just kindly now then lets us quickly perhaps maybe also first simply so ahead is be".split())
_GERUND_LEADS = frozenset("mind about by start begin worth suggest recommend consider fancy like".split())
_SUBJECTS = frozenset("i he she they it you we us someone somebody".split())
_NOT = re.compile(
    r"\b(?:not|never|no|nothing|none|without|unless|did|does|have|has|had|were|was|are|until|when|while|after|before)\b"
    r"|\bdo(?! (?:you (?:think|mind|suppose|fancy|reckon)|me|us|please|kindly|a|the favour|be))\b"
    r"|\bis it (?:already |now |about |nearly )?time\b"
    r"|\bif(?! (?:you|i (?:could|might|may) (?:ask|trouble|bother)))\b"
)
_HARMLESS = re.compile(
    r"\b(?:to do (?:now |next )?is|thing to do|do not (?:hesitate|forget|be shy)|would not (?:it|you|mind|you mind|it be)"
    r"|could not you|can not you|will not you|why not"
    r"|why do not you|why do not we"
    r"|not (?:mind|forget)|no (?:rush|hurry|worries)|would you not|can you not|could you not|if you have (?:a|the)|you are able"
    r"|are you able"
    r"|have you to|when you (?:can|are ready|get a chance|have a moment)|you have to|have to|all you have to do|was (?:hoping"
    r"|wondering|thinking)"
    r"|there is nothing (?:left )?but)\b"
)
_HEDGES = frozenset({"maybe", "perhaps", "possibly"})
_ASKING = frozenset({"could", "would", "can", "will", "please", "mind", "kindly"})


def unwrapped(tokens: Tokens, lexicon: Lexicon) -> tuple[Tokens, str] | None:
    """The order inside the wrapping and its mood (order or confirm); None where there is none."""
    polite = word_set("polite")
    for at in range(1, min(len(tokens) - 1, LONGEST)):
        before, rest = tokens[:at], tokens[at:]
        if before[-1] not in polite and before[-1] != ",":
            return None
        verb = _verb(before, rest, lexicon)
        if not verb or not _leaves_it_to_you(before):
            continue
        said = (*verb, *rest[1:])
        if not lexicon.matches(said):
            continue
        unsure = bool(_HEDGES & set(before)) and not _ASKING & set(before)
        return said, "confirm" if unsure else "order"
    return None


def _verb(before: Tokens, rest: Tokens, lexicon: Lexicon) -> Tokens:
    """The verb of the order in its plain form, empty where the words before do not lead on to it."""
    word, last = rest[0], before[-1]
    if last == "," or before[-2:] == ("if", "you"):
        base = lexicon.base(word)
        return (base,) if base and last != "," and word != base else ()
    if lexicon.gerund(word) and (last in _GERUND_LEADS):
        return (lexicon.gerund(word),)
    modal = last in _MODALS and bool({"you", "we"} & set(before))
    if (last in _LEADS or modal) and word in lexicon.heads and (lexicon.begins(rest) or len(rest) > 1):
        return (word,)
    return ()


def _leaves_it_to_you(before: Tokens) -> bool:
    """Whether nobody but the person spoken to is to do it, and nothing is negated."""
    text = " ".join(t for t in before if t != ",")
    if _NOT.search(_HARMLESS.sub(" ", text)):
        return False
    subjects = [t for t in before if t in _SUBJECTS]
    if before[:2] in {("ask", "me"), ("tell", "me"), ("ask", "us"), ("tell", "us"), ("help", "me"), ("help", "us")} and "you" not in before:
        return before[0] == "help"
    if not subjects and before[0] in {"fancy", "feel", "care"}:
        return True
    if not subjects:
        return before[-1] in {"to", "and", "please", "is", "by", "about"} and len(before) > 1
    if subjects[-1] == "i":
        return bool(re.search(r"\b(?:i (?:suggest|recommend)|i would (?:appreciate|suggest|recommend))\b", text)) and before[-1] != "to"
    if subjects[-1] == "us":
        return before[-2:] in {("let", "us"), ("of", "us")} or before[-1] != "us"
    if subjects[-1] in {"it", "they", "he", "she", "someone", "somebody"}:
        return subjects[-1] == "it" and before[-1] in {"to", "by"}
    return True

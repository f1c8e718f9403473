"""Where a sentence is cut into clauses: connectors, commas and words of correction, in the order of doing."""

from __future__ import annotations

from assistworld.agents.grounding.data import Tokens, starts_with
from assistworld.agents.grounding.lexicon import Lexicon

SUBJECTS = frozenset({"i", "you", "he", "she", "we", "they", "it"})
SOMEBODY = frozenset({"somebody", "someone", "nobody", "everybody", "everyone"})
BE = frozenset(
    {
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "looks",
        "seems",
        "will",
        "should",
        "belongs",
        "goes",
        "says",
        "contains",
        "appears",
        "can",
        "had",
        "does",
        "would",
        "might",
        "could",
        "needs",
        "smells",
        "feels",
        "makes",
        "helps",
        "keeps",
        "tastes",
        "hurts",
        "stands",
        "lives",
        "stays",
        "came",
        "sits",
        "lies",
        "hangs",
        "gets",
    }
)
_HAPPENS = frozenset(
    (
        "starts begins comes rings ends closes melts freezes runs drips leaks stinks works hurts burns boils beeps flickers wants "
        "sleeps arrives"
    ).split()
)
"""What a remark says of something, where an order would name it."""
_PREPOSITIONS = frozenset({"on", "in", "inside", "to", "into", "at", "from", "next", "under", "behind", "by", "near", "beside", "over"})
ALWAYS = frozenset(
    {
        "okay",
        "ok",
        "alright",
        "well",
        "so",
        "hey",
        "hi",
        "hello",
        "and",
        "then",
        "but",
        "or",
        "next",
        "yes",
        "yeah",
        "yep",
        "sure",
        "great",
        "afterwards",
        "firstly",
        "secondly",
    }
)
AFTER = frozenset({"then", "after", "afterwards"})


def in_order(tokens: Tokens, lexicon: Lexicon) -> tuple[Tokens, ...]:
    """`X before you Y`, `after Y, X`, `once you have done Y, X`: the parts in the order of doing."""
    for word, reverse in (("before", False), ("after", True), ("once", True), ("when", True)):
        if word not in tokens:
            continue
        at = tokens.index(word)
        if at and tokens[at - 1] == ",":
            main, sub = tokens[: at - 1], tokens[at + 1 :]
        elif at:
            main, sub = tokens[:at], tokens[at + 1 :]
        elif "," in tokens:
            comma = tokens.index(",")
            sub, main = tokens[1:comma], tokens[comma + 1 :]
        else:
            continue
        ordered = _done(sub, lexicon)
        if ordered and not at and main[-1:] in {("inside",), ("in",)}:
            main = (*main[:-1], "in", *ordered[1:])
        if ordered and main:
            return (ordered, main) if reverse else (main, ordered)
    return (tokens,)


def _done(tokens: Tokens, lexicon: Lexicon) -> Tokens:
    """`you have opened the fridge`, `opening the fridge` -> open the fridge; empty when it is not something to do."""
    if tokens[:2] in {("you", "have"), ("you", "are")}:
        tokens = tokens[2:]
    elif tokens[:1] == ("you",):
        tokens = tokens[1:]
    if (
        leading_preposition(tokens) == 1
        and tokens[0] in {"in", "at", "by", "near", "inside"}
        and lexicon.matches(("go", "to", *tokens[1:]))
    ):
        return ("go", "to", *tokens[1:])
    if len(tokens) < 2:
        return ()
    base = lexicon.base(tokens[0])
    return (base, *tokens[1:]) if base and lexicon.matches((base, *tokens[1:])) else ()


def pieces(tokens: Tokens, lexicon: Lexicon) -> list[tuple[Tokens, Tokens]]:
    """(connector, piece): cut where a connector or comma is followed by the beginning of a clause, and at words of correction."""
    found: list[tuple[Tokens, Tokens]] = []
    start = at = 0
    before: Tokens = ()
    while at < len(tokens):
        joint = starts_with(tokens[at:], "sequencers") or (1 if tokens[at] == "," else 0)
        rest = tokens[at + joint :]
        only_markers = not without_markers(tokens[start:at])
        then = bool(AFTER & set(tokens[at : at + joint])) and bool(leading_preposition(rest) or rest[:1] in {("the",), ("your",)})
        if joint and rest and not only_markers and (then or begins(rest, lexicon) or (tokens[at] == "," and _remarks(rest))):
            found.append((before, tokens[start:at]))
            before = tokens[at : at + joint]
            if tokens[at] == ",":
                before = before + tokens[at + joint : at + joint + starts_with(rest, "sequencers")]
            start = at = at + joint
            continue
        marker = 0 if joint else starts_with(tokens[at:], "corrections")
        if marker and at > start and not only_markers and _cuts_alone(tokens, at, marker):
            found.append((before, tokens[start:at]))
            before = ()
            start = at
        at += max(1, joint, marker)
    found.append((before, tokens[start:]))
    return [(j, p) for j, p in found if p]


def _remarks(tokens: Tokens) -> bool:
    """Whether what follows a comma says how something is: `energy is going`, `the lid is loose`."""
    at = next((i for i, t in enumerate(tokens[:5]) if t in BE | _HAPPENS), 0)
    return 0 < at and tokens[at - 1] not in {"that", "which", "who", "what"} and "," not in tokens[:at] and not leading_preposition(tokens)


def _cuts_alone(tokens: Tokens, at: int, length: int) -> bool:
    """A marker inside a sentence without a comma: only those that are nothing else."""
    phrase = tokens[at : at + length]
    if phrase in {("rather",), ("hmm", "no"), ("wait",), ("wrong",), ("better",), ("hold", "on"), ("hang", "on"), ("i", "said")}:
        return False
    if phrase[:1] == ("no",) and tokens[at - 1] in BE | {"with", "got"}:
        return False
    return at + length < len(tokens) and tokens[at + length] != "than"


def without_markers(tokens: Tokens) -> Tokens:
    while tokens:
        length = 1 if tokens[0] == "," else max(starts_with(tokens, "corrections"), starts_with(tokens, "acknowledgements"))
        if not length:
            return tokens
        tokens = tokens[length:]
    return ()


def begins(tokens: Tokens, lexicon: Lexicon) -> bool:
    """Whether a clause starts here."""
    for _ in range(4):
        length = max(starts_with(tokens, "sequencers"), starts_with(tokens, "openers") if tokens[0] in ALWAYS else 0)
        if tokens[0] in {"first", "second", "third"} and lexicon.begins(tokens[1:]):
            length = 1
        if not length and tokens[0] == ",":
            length = 1
        if not length or length >= len(tokens):
            break
        tokens = tokens[length:]
    if lexicon.begins(tokens):
        return True
    for section in ("act_prefixes", "act_gerund_prefixes", "hedge_prefixes", "negations", "corrections", "stops", "conditions"):
        length = starts_with(tokens, section)
        if length and tokens[:length] not in {("you",), ("try",), ("go",), ("come",), ("should",)}:
            return True
    if tokens[0] in SUBJECTS and len(tokens) > 1 and (tokens[1] in BE or tokens[0] in {"i", "you", "we"}):
        return True
    if tokens[0] in {"what", "where", "how", "why", "there"} and len(tokens) > 1 and tokens[:2] != ("there", "and"):
        return True
    return tokens[0] in {"then", "thanks"} or tokens[:2] == ("that", "would")


def made_of(tokens: Tokens, section: str) -> bool:
    """Whether it is phrases of a section one after the other."""
    while tokens:
        length = starts_with(tokens, section)
        if not length:
            return False
        tokens = tokens[length:]
    return True


def bare(tokens: Tokens) -> Tokens:
    return tuple(t for t in tokens if t != ",")


def leading_preposition(tokens: Tokens) -> int:
    """Words of a preposition that a fragment starts with, 0 for none."""
    if tokens[:2] in {("next", "to"), ("out", "of"), ("over", "to"), ("back", "to"), ("back", "on"), ("back", "in")}:
        return 2
    return 1 if tokens and tokens[0] in _PREPOSITIONS and len(tokens) > 1 else 0


def spread(parts: tuple[Tokens, ...]) -> tuple[Tokens, ...]:
    """`the light in the hall and in the bathroom`: the light in each."""
    out = list(parts)
    for at in range(1, len(parts)):
        first = parts[at][0]
        if first in {"in", "on", "at", "from", "behind", "under", "near", "by"} and first in out[at - 1][1:]:
            out[at] = (*out[at - 1][: out[at - 1].index(first)], *parts[at])
    return tuple(out)

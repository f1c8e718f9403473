"""What an utterance asks, clause by clause: orders, prohibitions, corrections, questions, remarks."""

from __future__ import annotations

import re
from dataclasses import replace

from assistworld.agents.grounding.conditions import conditional, if_so, otherwise_nothing
from assistworld.agents.grounding.cutting import AFTER, in_order, leading_preposition, pieces
from assistworld.agents.grounding.data import Tokens, starts_with, token_set, word_set, words
from assistworld.agents.grounding.lexicon import Lexicon, lead
from assistworld.agents.grounding.moods import Clause, classified
from assistworld.agents.grounding.text import sentences
from assistworld.agents.grounding.wording import reworded, wished_for


def clauses(text: str, lexicon: Lexicon) -> tuple[Clause, ...]:
    """Clauses of an utterance in the order in which they are to be done."""
    found: list[Clause] = []
    asked_of: Tokens = ()
    said = sentences(_TOO.sub(r"\g<1>and \g<2>", _ALSO.sub(r"\g<1>and ", text)))
    for index, (tokens, mark) in enumerate(map(_untagged, said)):
        adds = tokens[0] in {"and", "then", "also", "plus"}
        if index + 1 == len(said):
            tokens = _may_go(_should_lie(tokens))
        plain = reworded(tokens, lexicon)
        tagged = len(plain) < len(tokens) and tokens[:3] == plain[:3] and bool(_TAGGING & set(tokens[len(plain) :]))
        tokens, mark = _untagged((plain, "." if tagged else mark))
        if found and found[-1].kind == "stop" and tokens[0] in AFTER and _pause(found[-1].tokens):
            found[-1] = WAIT
        tokens = if_so(_leading(tokens), asked_of)
        if otherwise_nothing(tokens) and found:
            found.append(Clause("remark", tokens))
            continue
        sentence: list[Clause] = []
        given = conditional(tokens)
        if given is not None:
            tokens = given[1]
        for part in in_order(tokens, lexicon):
            cut = pieces(part, lexicon)
            for number, (joint, piece) in enumerate(cut):
                telling = number + 1 < len(cut) and not starts_with(piece, "question_starts") and piece[0] not in _AUXILIARIES
                asked = mark if not any(c.kind == "order" for c in sentence) and not telling else "."
                if set(joint) & AFTER and sentence and sentence[-1].kind == "stop" and _pause(sentence[-1].tokens):
                    sentence[-1] = WAIT
                kinds = (
                    [WAIT] if set(joint) - {","} and sentence and timed(piece) else classified(_referring(piece, asked_of), asked, lexicon)
                )
                if kinds == [Clause("order", ("look", "at", "it"))] and [c.tokens[:1] for c in (*found, *sentence)][-1:] == [("turn",)]:
                    kinds = [Clause("order", ("look", "around"))]
                if joint[-1:] == ("first",) and "but" in joint and kinds[0].kind == "order":
                    kinds = [replace(kinds[0], tokens=(*kinds[0].tokens, "first")), *kinds[1:]]
                if "so" in joint and sentence and sentence[-1].kind == "unknown":
                    sentence[-1] = replace(sentence[-1], kind="statement")
                sentence.extend(_joined(joint, _carried(c, joint, sentence, lexicon), sentence) for c in kinds)
        sentence = _placed(sentence)
        if any(c.kind == "condition" for c in sentence):
            sentence = [Clause("condition", tokens)]
        if given is not None:
            known = all(c.kind in {"order", "confirm", "remark"} for c in sentence)
            sentence = [replace(c, given=given[0]) for c in sentence] if known else [Clause("condition", tokens)]
        sentence, found = _sequenced(sentence, found)
        if _hedged(tokens, sentence):
            sentence = [replace(c, kind="confirm") if c.kind == "order" else c for c in sentence]
            if not any(c.kind in {"confirm", "order"} for c in sentence) and len(tokens) < 8:
                found = [replace(c, kind="confirm") if c.kind == "order" else c for c in found]
        if adds and sentence:
            sentence[0] = _carried(sentence[0], ("then",), found, lexicon)
        found.extend(sentence)
        asked_of = tokens if sentence and sentence[0].kind == "question" else ()
    return _wishes(tuple(_put_right(_taken_back(found))))


def _sequenced(sentence: list[Clause], before: list[Clause]) -> tuple[list[Clause], list[Clause]]:
    """`Go to the hall, but close the fridge first`: what is said to be first comes before the order it follows."""
    for at, clause in enumerate(sentence):
        if clause.kind != "order" or clause.tokens[-1:] != ("first",) or clause.tokens[-2:-1] in {("the",), ("one",)}:
            continue
        plain = replace(clause, tokens=clause.tokens[:-1])
        earlier = at - 1 if at else len(before) - 1
        held = sentence if at else before
        wished = wished_for(held[earlier].tokens) if earlier >= 0 and not at and held[earlier].kind == "statement" else ()
        if wished:
            return [Clause("order", ("want", *wished)), *sentence[1:]], [*before[:-1], plain]
        if earlier < 0 or held[earlier].kind not in {"order", "amend"}:
            sentence = [*sentence[:at], plain, *sentence[at + 1 :]]
        elif held[earlier].kind == "order" and at:
            sentence = [*sentence[: at - 1], plain, sentence[at - 1], *sentence[at + 1 :]]
        elif held[earlier].kind == "order":
            return [held[earlier], *sentence[1:]], [*before[:-1], plain]
    return sentence, before


def _taken_back(found: list[Clause]) -> list[Clause]:
    """`Take the cup. No, don't.`: a no after an order, with nothing after it, ends it."""
    ordered = any(c.kind in {"order", "confirm"} for c in found)
    return [
        replace(c, kind="stop") if ordered and c.kind == "no" and i and ("not" in c.tokens or i + 1 == len(found)) else c
        for i, c in enumerate(found)
    ]


def _put_right(found: list[Clause]) -> list[Clause]:
    """`Wrong one. The blue one, please.`: what is named next is meant instead of what was done."""
    wrong = [i for i, c in enumerate(found) if c.kind == "no" and c.tokens in _WRONG]
    return [replace(c, kind="amend", corrected=True) if c.kind == "fragment" and i - 1 in wrong else c for i, c in enumerate(found)]


_WRONG = token_set("corrections") & token_set("no") - {("no",)} | {
    tuple(t.split()) for t in ("not this one", "that is not it", "that is not the one", "that is wrong", "not it", "no not that one")
}


def _may_go(tokens: Tokens) -> Tokens:
    """`the towel can go in the wash`: where to put it, unless more is said about it."""
    at = next((i for i, t in enumerate(tokens) if i and t in {"can", "could", "may", "might"} and tokens[i + 1 : i + 2] == ("go",)), 0)
    return (*tokens[:at], "goes", *tokens[at + 2 :]) if at and tokens[at + 2 : at + 3] in {("in",), ("on",), ("inside",)} else tokens


def _should_lie(tokens: Tokens) -> Tokens:
    """`the cup should stand on the shelf` with nothing after it: where it is wanted."""
    found = _SHOULD_LIE.match(" ".join(tokens))
    return ("put", *found.group("np").split(), *found.group("place").split()) if found else tokens


_SHOULD_LIE = re.compile(
    r"^(?P<np>(?:the|that|this|my|your) (?:(?!should\b|is\b|are\b)[a-z]+ ?){1,5}?)"
    r" (?:should|must|ought to|has to|needs to|is to|is meant to"
    r"|is supposed to) (?:really |now |rather |better )?(?:lie|stand|sit|hang|rest)"
    r" (?P<place>(?:on|in|inside) (?:the|my|your|that)\b[^,]*)$"
)
_ALSO = re.compile(r"([.!?;\n]\s*)(?:also|plus),? (?=the |your |that )", re.IGNORECASE)
_TOO = re.compile(r"([.!?;\n]\s*)((?:the|your|that)\b[^.!?;,\n]*?),? (?:too|as well|also)(?=\s*[.!?\n]|\s*$)", re.IGNORECASE)
WAIT = Clause("order", ("wait", "3", "seconds"))
"""`wait a moment` before or after something else."""
_TAGGING = frozenset({"would", "will", "could", "can", "if", "okay", "alright"})
_AUXILIARIES = frozenset(
    {"could", "would", "can", "will", "may", "might", "do", "shall", "should", "fancy", "reckon", "any", "mind", "think"}
)
_PAUSES = frozenset({"wait", "pause", "hang", "hold", "give", "stay"})
_SPANS = frozenset({"moment", "second", "sec", "minute", "bit", "while", "tick", "little"})


def _pause(tokens: Tokens) -> bool:
    return bool(tokens) and (tokens[0] in _PAUSES or bool(set(tokens) & _SPANS)) and not {"not", "where", "put"} & set(tokens)


def timed(tokens: Tokens) -> bool:
    """`wait a moment`, `pause for a bit`: waiting for some time."""
    return (
        len(tokens) > 1
        and tokens[0] in {"wait", "pause", "hold", "hang"}
        and tokens[-1] in _SPANS | {"moments", "seconds"}
        and len(tokens) < 6
        and (not any(t.isdigit() or t in {"two", "three", "ten", "five", "half"} for t in tokens))
    )


def _leading(tokens: Tokens) -> Tokens:
    """Without `then` where a sentence starts with it."""
    return tokens[1:] if tokens[:1] == ("then",) and len(tokens) > 1 else tokens


def _referring(piece: Tokens, asked: Tokens) -> Tokens:
    """`have a look` with what it is to be looked at or in: what was spoken of."""
    said = " ".join(t for t in piece if t != ",")
    for full, forms in words("glances").items():
        if said in forms and not (said in {"look", "check"} and not asked):
            return ("look", "in", "it") if full == "look at it" and {"inside", "in"} & set(asked) else tuple(full.split())
    return piece


def _wishes(found: tuple[Clause, ...]) -> tuple[Clause, ...]:
    """`I want the red mug` and nothing else to be done: it is to be picked up."""
    kinds = {"statement", "remark", "question", "exclude", "amend", "fragment", "forbid"}
    if any((c.kind not in kinds and not _left_alone(c)) or "myself" in c.tokens for c in found):
        return found
    return tuple(
        Clause("confirm" if c.tokens[1:3] == ("will", "take") else "order", ("want", *wished_for(c.tokens)))
        if c.kind == "statement" and wished_for(c.tokens)
        else c
        for c in found
    )


def _left_alone(clause: Clause) -> bool:
    """`leave the mugs alone`: an order to do nothing."""
    return clause.kind == "order" and clause.tokens[0] in {"leave", "ignore", "forget", "skip", "keep", "avoid", "never"}


def _placed(sentence: list[Clause]) -> list[Clause]:
    """`On the shelf, take the bottle`: the place said first belongs to the thing."""
    if len(sentence) < 2 or sentence[0].kind != "fragment" or sentence[1].kind not in {"order", "confirm"}:
        return sentence
    place = sentence[0].tokens
    leads = {"on", "in", "inside", "at", "from", "next", "under", "behind", "near"}
    if len(place) < 3 or place[0] not in leads or place[-1] in {"left", "right"}:
        return sentence
    return [replace(sentence[1], tokens=(*sentence[1].tokens, *place)), *sentence[2:]]


def _untagged(sentence: tuple[Tokens, str]) -> tuple[Tokens, str]:
    """Without a tag at the end: `pick it up, would you?` -> pick it up."""
    tokens, mark = sentence
    for length in (2, 1):
        tag = tokens[-length:]
        if len(tokens) > length + 2 and tokens[-length - 1] == "," and tag in _TAGS:
            return tokens[: -length - 1], "."
    return sentence


_TAGS = frozenset(
    {
        ("love",),
        ("darling",),
        ("mate",),
        ("buddy",),
        ("friend",),
        ("pal",),
        ("sweetie",),
        ("dear",),
        ("my", "dear"),
        ("sir",),
        ("please",),
        ("silly",),
        ("honey",),
        ("sweetheart",),
        ("dude",),
        ("bro",),
        ("boss",),
        ("champ",),
        ("son",),
        ("lad",),
        ("kiddo",),
        ("babe",),
        ("hun",),
        ("would", "you"),
        ("will", "you"),
        ("could", "you"),
        ("can", "you"),
        ("okay",),
        ("ok",),
        ("alright",),
        ("yes",),
    }
)


def _joined(joint: Tokens, clause: Clause, before: list[Clause]) -> Clause:
    """`... and wait there` after an order ends it and cancels nothing; what is added to an order and is none is not understood."""
    taken_back = "or" in joint or bool({"not", "cancel", "forget", "scratch", "mind", "abort"} & set(clause.tokens))
    ends = clause.kind == "stop" and not taken_back and joint and joint != (",",) and any(c.kind == "order" for c in before)
    more = clause.kind == "fragment" and set(joint) & (AFTER | {"and", "also"}) and any(c.kind == "order" for c in before)
    return replace(clause, kind="remark" if ends else "unknown") if ends or more else clause


def _with_object(tokens: Tokens, instead: Tokens, lexicon: Lexicon) -> Tokens:
    """`put the cup on the shelf` and `the blue one`: put the blue one on the shelf. Empty where nothing is put."""
    for match in lexicon.matches(tokens):
        if match.pattern.action.kind != "lacking" and {"1", "2"} <= {s for s, _ in match.slots}:
            parts = (instead if p == "{1}" else match.slot(p[1:-1]) if p.startswith("{") else (p,) for p in match.pattern.parts)
            return tuple(t for part in parts for t in part)
    return ()


def _carried(clause: Clause, joint: Tokens, before: list[Clause], lexicon: Lexicon) -> Clause:
    """`go to the table, then to the fridge`, `close the drawer and then the door`: the verb of the order before."""
    orders = [c for c in before if c.kind in {"order", "confirm"}]
    if clause.kind == "fragment" and orders and set(joint) & AFTER and clause.tokens[0] in word_set("determiners"):
        whole = [m.pattern for m in lexicon.matches(orders[-1].tokens) if m.pattern.action.kind != "lacking"]
        verb = next((lead(p) for p in whole if p.parts[-1] == "{1}"), ())
        again = (*verb, *clause.tokens) if verb else _with_object(orders[-1].tokens, clause.tokens, lexicon)
        return Clause(orders[-1].kind, again) if again else clause
    if clause.kind != "fragment" or not orders or not leading_preposition(clause.tokens) or clause.tokens[0] not in orders[-1].tokens:
        return clause
    verb = orders[-1].tokens[: orders[-1].tokens.index(clause.tokens[0])]
    return Clause(orders[-1].kind, (*verb, *clause.tokens)) if len(verb) < 3 else clause


def _hedged(tokens: Tokens, sentence: list[Clause]) -> bool:
    hedges = token_set("hedge_words")
    tokens = tuple(t for i, t in enumerate(tokens) if not (t in {"maybe", "perhaps", "possibly"} and tokens[i - 1 : i] == ("you",)))
    loose = [c.tokens for c in sentence if c.kind not in {"order"}] + [tokens if not any(c.kind == "order" for c in sentence) else ()]
    starts = any(tokens[i : i + len(p)] == p for p in hedges for i in range(len(tokens)))
    return starts and bool(loose)

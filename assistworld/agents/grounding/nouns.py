"""Noun phrases: `the second red drawer from the left next to the sink` as data. One wording can have several readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from assistworld.agents.grounding.data import Tokens, token_map, word_set, words
from assistworld.agents.grounding.text import singular

MOST_READINGS = 6
LONGEST_PHRASE = 24
"""Words of one noun phrase; longer ones are no phrase that anybody says."""


@dataclass(frozen=True)
class Relation:
    """Where or how: `kind` is a value of the relations table, `side`, or `order`; `of` is the other thing, `value` a side or label."""

    kind: str
    of: tuple[NounPhrase, ...] = ()
    value: str = ""


@dataclass(frozen=True)
class NounPhrase:
    """One reading. `head` is empty for `one`, `thing` and bare adjectives; `count` is -1 for all, 0 where no number was said."""

    text: str = ""
    determiner: str = ""
    pronoun: str = ""
    head: str = ""
    wildcard: bool = False
    modifiers: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    ordinal: int = 0
    count: int = 0
    plural: bool = False
    other: bool = False
    relations: tuple[Relation, ...] = ()

    def distinguished(self) -> bool:
        """Whether it says more than a kind of thing."""
        return bool(self.modifiers or self.places or self.ordinal or self.relations or self.other)


@cache
def _joints() -> tuple[tuple[Tokens, str], ...]:
    found = {}
    for group in words("synonyms")["nouns"]:
        for name in group:
            parts = tuple(name.split())
            if len(parts) > 1:
                found[parts] = group[0].replace(" ", "-") if group[0] != "bin" else "bin"
    return tuple(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


def join(tokens: Tokens) -> Tokens:
    """Nouns of several words made one: `living room` -> `living-room`; plurals become singular."""
    single = tuple(singular(t) for t in tokens)
    out: list[str] = []
    at = 0
    while at < len(tokens):
        for parts, name in _joints():
            if single[at : at + len(parts)] == parts or tokens[at : at + len(parts)] == parts:
                out.append(name)
                at += len(parts)
                break
        else:
            out.append(tokens[at])
            at += 1
    return tuple(out)


def split_list(tokens: Tokens) -> tuple[tuple[Tokens, ...], str]:
    """Parts of `A, B and C` and the joining word (`and`, `or`, or empty for one part)."""
    tokens = tuple("that" if t == "and" and tokens[i + 1 : i + 2] in {("is",), ("are",), ("has",)} else t for i, t in enumerate(tokens))
    if {"between", "not", "except", "but"} & set(tokens) or not {"and", "or"} & set(tokens):
        return (tokens,), ""
    parts: list[list[str]] = [[]]
    joint = ""
    for token in tokens:
        if token in {"and", "or", ","}:
            joint = "or" if "or" in {token, joint} else "and"
            parts.append([])
        else:
            parts[-1].append(token)
    return tuple(tuple(p) for p in parts if p), joint


@cache
def readings(tokens: Tokens) -> tuple[NounPhrase, ...]:
    """All readings of a noun phrase without coordination, the closest attachment first; empty when it is none."""
    tokens = tuple(t for t in tokens if t != ",")
    while len(tokens) > 1 and tokens[-1] in {"there", "here"} and tokens not in token_set_of_pronouns():
        tokens = tokens[:-2] if tokens[-2] in {"over", "right", "up", "down"} and len(tokens) > 2 else tokens[:-1]
    if not tokens or len(tokens) > LONGEST_PHRASE:
        return ()
    for phrase, pronoun in token_map("pronouns"):
        if phrase == tokens:
            return (NounPhrase(" ".join(tokens), pronoun=pronoun),)
    if tokens[-3:-1] == ("you", "can") and tokens[-1] in {"find", "see", "get", "reach"} and len(tokens) > 4:
        tokens = tokens[:-3]
    if tokens[:1] in {("whatever",), ("what",)} and tokens[1:2] and tokens[1] in _BEING and len(tokens) > 2:
        tokens = ("the", "thing", *tokens[2:])
    if tokens[-2:] in {("you", "like"), ("you", "want"), ("you", "prefer"), ("you", "see")} and len(tokens) > 3:
        tokens = tokens[:-2]
    joined = join(_of_several(_door_to(_labelled(tokens))))
    found: list[NounPhrase] = []
    for cut in _cuts(joined):
        core = _core(joined[:cut], " ".join(tokens))
        if core is None:
            continue
        for post in _posts(joined[cut:]):
            whole = _with(core, post)
            stray = any(r.kind == "order" for r in whole.relations) and not whole.ordinal
            if not stray and not (_only_a_side(core) and any(r.kind == "of" for r in post)):
                found.append(whole)
            if len(found) >= MOST_READINGS:
                return tuple(found)
    return tuple(found)


def _labelled(tokens: Tokens) -> Tokens:
    """`the label on the jar`, `the writing on it` -> what it is on."""
    start = 1 if tokens[0] in word_set("determiners") else 0
    if (
        tokens[start : start + 1]
        and tokens[start] in _PRINT
        and tokens[start + 1 : start + 2] in {("on",), ("of",)}
        and len(tokens) > start + 2
    ):
        return tokens[start + 2 :]
    if tokens[start : start + 1] and tokens[start] in _SIDES_OF and tokens[start + 1 : start + 2] == ("of",) and len(tokens) > start + 2:
        return tokens[start + 2 :]
    return tokens


_BEING = frozenset({"is", "stands", "sits", "lies", "hangs", "lives", "was", "rests"})
_SIDES_OF = frozenset({"cover", "front", "back", "spine", "outside", "title", "surface", "contents", "inside"})
_PRINT = frozenset(
    (
        "label labels writing text print sticker inscription words time date number price brand name title temperature message"
        " instructions "
        "ingredients logo address stamp"
    ).split()
)


def _door_to(tokens: Tokens) -> Tokens:
    """`the door to the kitchen` -> the kitchen door."""
    for at, token in enumerate(tokens[:-2]):
        skip = 2 if tokens[at + 1 : at + 3] in {("leading", "to"), ("that", "leads")} else 1 if tokens[at + 1] in {"to", "into"} else 0
        rest = tuple(t for t in tokens[at + 1 + skip :] if t not in {"the", "to", "your"})
        if token in {"door", "doors"} and skip and 0 < len(rest) < 3:
            return (*tokens[:at], *rest, token)
    return tokens


def _of_several(tokens: Tokens) -> Tokens:
    """`the larger of the two notebooks` -> the larger notebook."""
    for at in range(1, len(tokens) - 2):
        if tokens[at] != "of" or tokens[at + 1] not in {"the", "these", "those", "your"} or singular(tokens[-1]) == tokens[-1]:
            continue
        kinds = {w for group in words("synonyms")["adjectives"] for w in group} | word_set("colours") | set(words("ordinals"))
        one = tokens[at - 1] == "one" and at > 1
        if tokens[at - 1 - one] in kinds | set(words("places")):
            rest = tokens[at + 2 :]
            tokens, at = (*tokens[: at - one], *tokens[at:]), at - one
            rest = rest[1:] if rest[0] in words("numbers") and len(rest) > 1 else rest
            return (*tokens[:at], *rest[:-1], singular(rest[-1]))
    return tokens


@cache
def token_set_of_pronouns() -> frozenset[Tokens]:
    """Every phrase that is a pronoun by itself."""
    return frozenset(p for p, _ in token_map("pronouns"))


def _cuts(tokens: Tokens) -> tuple[int, ...]:
    """Where the part after the noun may begin: the first place (after a word that can be a noun), else the end."""
    for at in range(1, len(tokens)):
        before = tokens[at - 1]
        if before in word_set("determiners") and before not in {"that", "those", "these", "this"}:
            continue
        if _post_starts(tokens[at:]):
            if (
                tokens[at] in words("places")
                and at + 1 < len(tokens)
                and tokens[at + 1] not in {"of", "to", "away", "from", *word_set("determiners")}
            ):
                continue
            return (at,)
    return (len(tokens),)


def _post_starts(tokens: Tokens) -> bool:
    if tokens[0] in words("ordinals") and _match(tokens[1:], "from_sides"):
        return True
    return bool(_match(tokens, "sides") or _match(tokens, "relations") or _match(tokens, "from_sides") or _opener(tokens))


def _match(tokens: Tokens, section: str) -> tuple[int, str] | None:
    return next(((len(p), v) for p, v in token_map(section) if tokens[: len(p)] == p), None)


@cache
def _openers() -> tuple[Tokens, ...]:
    return tuple(sorted((tuple(o.split()) for o in words("relative_openers")), key=lambda t: (-len(t), t)))


def _opener(tokens: Tokens) -> int:
    return next((len(o) for o in _openers() if tokens[: len(o)] == o and len(tokens) > len(o)), 0)


_NO_NOUNS = frozenset(
    {
        "please",
        "because",
        "so",
        "me",
        "us",
        "him",
        "without",
        "again",
        "until",
        "if",
        "when",
        "it",
        "them",
        "they",
        "there",
        "here",
        "he",
        "she",
        "i",
        "you",
        "we",
        "is",
        "are",
        "and",
        "or",
        "then",
        "not",
        "to",
    }
)


def _core(tokens: Tokens, text: str) -> NounPhrase | None:
    """The part up to the noun. None when a word in it cannot be there."""
    phrase = NounPhrase(text)
    tokens, phrase = _quantified(tokens, phrase)
    modifiers: list[str] = []
    for at, token in enumerate(tokens):
        if tokens[at - 1 : at] in _FAR and at and token in {"left", "right"} and at + 1 < len(tokens):
            phrase = replace(phrase, places=(*phrase.places, token + "most"))
            continue
        if token in _NO_NOUNS:
            return None
        if token in {"far", "very", "extreme"} and token is not tokens[-1]:
            continue
        if token in word_set("determiners"):
            if modifiers:
                return None
            phrase = replace(phrase, determiner=token)
        elif token in {"other", "another", "different"}:
            phrase = replace(phrase, other=True)
        elif token in words("ordinals"):
            phrase = replace(phrase, ordinal=int(words("ordinals")[token]))
        elif token in words("places"):
            phrase = replace(phrase, places=(*phrase.places, words("places")[token]))
        elif token in {"side", "most", "number", "very"} and token is not tokens[-1]:
            continue
        elif token in words("numbers") and token not in {"a", "an", "one", "half", "couple"}:
            number = int(float(words("numbers")[token]))
            phrase = replace(phrase, ordinal=number) if modifiers else replace(phrase, count=number)
        elif token.isdigit() and len(token) < 3 and modifiers:
            phrase = replace(phrase, ordinal=int(token))
        elif token.isdigit() and len(token) < 3:
            phrase = replace(phrase, count=int(token))
        else:
            modifiers.append(token)
    return _headed(phrase, modifiers)


def _quantified(tokens: Tokens, phrase: NounPhrase) -> tuple[Tokens, NounPhrase]:
    if tokens[:2] == ("one", "of"):
        return tokens[2:], replace(phrase, determiner="a", count=1)
    if tokens[:2] in {("any", "of"), ("either", "of")}:
        return tokens[2:], replace(phrase, determiner="any", count=1)
    if tokens[:1] == ("either",):
        return tokens[1:], replace(phrase, determiner="any", count=1)
    if tokens[:2] in {("any", "one"), ("some", "of")}:
        return tokens[2:], replace(phrase, determiner="any", count=1, wildcard=True)
    found = _match(tokens, "quantifiers")
    if found is not None and (len(tokens) > found[0] or tokens == ("everything",)):
        rest = tokens[found[0] :] if tokens != ("everything",) else ("thing",)
        return rest, replace(phrase, count=int(found[1]), plural=True)
    if tokens[:1] == ("one",) and len(tokens) > 1:
        return tokens[1:], replace(phrase, determiner="a", count=1)
    return tokens, phrase


def _headed(phrase: NounPhrase, rest: list[str]) -> NounPhrase | None:
    rest, lids = _lids(rest)
    phrase = replace(phrase, relations=(*phrase.relations, *lids))
    if not rest:
        if phrase.places or phrase.ordinal or phrase.other:
            return replace(phrase, wildcard=True)
        return replace(phrase, wildcard=True) if phrase.wildcard or phrase.count else None
    head = rest[-1]
    if head in word_set("wildcards"):
        return replace(phrase, wildcard=True, modifiers=tuple(rest[:-1]), plural=phrase.plural or head.endswith("s"))
    if head in word_set("colours") or head in _COMPARED:
        return replace(phrase, wildcard=True, modifiers=tuple(rest))
    plural = phrase.plural or (singular(head) != head and head not in _ALWAYS_PLURAL)
    return replace(phrase, head=singular(head), modifiers=tuple(singular(m) for m in rest[:-1]), plural=plural)


def _lids(rest: list[str]) -> tuple[list[str], tuple[Relation, ...]]:
    """`red lidded jar`, `red lid jar`: the jar with a red lid."""
    for at, word in enumerate(rest):
        if word in {"lidded", "lid", "topped", "capped"} and 0 < at < len(rest) - 1:
            lid = NounPhrase(f"{rest[at - 1]} lid", head="lid", modifiers=(rest[at - 1],))
            return [*rest[: at - 1], *rest[at + 1 :]], (Relation("with", of=(lid,)),)
    return rest, ()


def _with(core: NounPhrase, post: tuple[Relation, ...]) -> NounPhrase:
    kept = []
    for relation in post:
        if relation.kind == "ordinal":
            core = replace(core, ordinal=int(relation.value))
        elif relation.kind == "is":
            said = tuple(w for w in relation.value.split() if w not in {"still", "already", "all", "very", "currently"})
            core = replace(core, modifiers=(*core.modifiers, *said))
        else:
            kept.append(relation)
    if core.ordinal:
        kept = [Relation("order", value=r.value) if r.kind == "side" and r.value in _ORDERED and core.ordinal > 0 else r for r in kept]
        if core.ordinal < 0 and any(r.kind == "side" for r in kept):
            core = replace(core, ordinal=0)
            most = {"left": "leftmost", "right": "rightmost"}
            kept = [replace(r, value=most.get(r.value, r.value)) if r.kind == "side" else r for r in kept]
    return replace(core, relations=(*core.relations, *kept))


_COMPARED = frozenset(
    (
        "bigger biggest smaller smallest larger largest taller tallest shorter shortest longer longest older oldest newer newest thicker"
        " thickest thinner thinnest darker darkest lighter lightest"
    ).split()
)
"""`the bigger`: these name a thing by what it is like, without a noun."""
_ALWAYS_PLURAL = frozenset({"keys", "scissors", "glasses", "trousers", "headphones", "pliers", "tweezers", "jeans", "tongs"})
_ORDERED = frozenset({"left", "right", "leftmost", "rightmost", "top", "bottom", "near"})


def _posts(tokens: Tokens) -> tuple[tuple[Relation, ...], ...]:
    """All readings of what follows the noun."""
    if not tokens:
        return ((),)
    found: list[tuple[Relation, ...]] = []
    skipped = _opener(tokens)
    if skipped and _states(tokens[:skipped], tokens[skipped:]):
        found.append((Relation("is", value=" ".join(tokens[skipped:])),))
    if skipped and set(tokens[:skipped]) & {"is", "are", "was"}:
        for length in (1, 2):
            said, after = tokens[skipped : skipped + length], tokens[skipped + length :]
            if said and after and said[-1] in _describing() and _post_starts(after):
                found.extend((Relation("is", value=" ".join(said)), *r) for r in _posts(after))
    if skipped and tokens[skipped : skipped + 1] == ("not",) and _match(tokens[skipped + 1 :], "relations"):
        for first, *more in (r for r in _posts(tokens[skipped + 1 :]) if r):
            found.append((replace(first, kind="un:" + first.kind), *more))
    if skipped and not _match(tokens, "relations"):
        found.extend(_posts(tokens[skipped:]))
    elif skipped:
        found.extend(_posts(tokens[skipped:]) if _post_starts(tokens[skipped:]) else ())
    if tokens[0] in words("ordinals"):
        rest = _posts(tokens[1:])
        found.extend((Relation("ordinal", value=words("ordinals")[tokens[0]]), *r) for r in rest if r and r[0].kind == "order")
    for section, kind in (("from_sides", "order"), ("sides", "side")):
        match = _match(tokens, section)
        if match is not None and tokens[match[0] : match[0] + 1] == ("of",):
            continue
        if match is not None and not (kind == "order" and _match(tokens, "sides") and match[0] <= 3 and tokens[0] in {"on", "to"}):
            found.extend((Relation(kind, value=match[1]), *rest) for rest in _posts(tokens[match[0] :]))
    middle = next((p for p in _MIDDLES if tokens[: len(p)] == p and len(tokens) > len(p)), ())
    if middle:
        found.extend((Relation("side", value="middle"), *r) for r in _related("in", tokens[len(middle) :]))
        return tuple(dict.fromkeys(found))[:MOST_READINGS]
    for phrase, kind in token_map("relations"):
        if tokens[: len(phrase)] == phrase and len(tokens) > len(phrase):
            found.extend(_related(kind, tokens[len(phrase) :]))
            break
    return tuple(dict.fromkeys(found))[:MOST_READINGS]


_FAR = frozenset({("far",), ("very",), ("extreme",), ("outer",)})
_UPON = tuple(
    tuple(t.split())
    for t in (
        "on it",
        "in it",
        "inside it",
        "on the label",
        "on the cover",
        "on the front",
        "on the lid",
        "on the spine",
        "on them",
        "inside",
        "on top",
    )
)
_THE_OTHERS = frozenset(tuple(t.split()) for t in ("the other two", "the two others", "the others", "the other ones", "the other two ones"))
_MIDDLES = tuple((w, "the", m, "of") for w in ("in", "at", "on") for m in ("middle", "centre", "center"))


@cache
def _describing() -> frozenset[str]:
    """Adjectives that can follow `that is`."""
    groups = {w for group in words("synonyms")["adjectives"] for w in group}
    return word_set("colours") | groups | {w for group in words("conflicts") for w in group} - {"on", "off"} | {"full", "empty", "clean"}


def _states(opener: Tokens, rest: Tokens) -> bool:
    """Whether `that is red`, `which is still open`, `that is on` says what something is like."""
    if not set(opener) & {"is", "are", "was"}:
        return False
    return rest in {("on",), ("off",)} or (
        len(rest) <= 2 and not any(_match((t,), "relations") or t in word_set("determiners") for t in rest)
    )


def _only_a_side(phrase: NounPhrase) -> bool:
    """`the left`: a side, not a thing."""
    return bool(phrase.places) and phrase.wildcard and not phrase.modifiers and not {"one", "ones", "thing"} & set(phrase.text.split())


def _related(kind: str, rest: Tokens) -> list[tuple[Relation, ...]]:
    ending = next((e for e in _UPON if rest[-len(e) :] == e and len(rest) > len(e)), ())
    rest = rest[: len(rest) - len(ending)] if ending and kind in {"label", "with", "without"} else rest
    if kind == "label":
        return [(Relation("label", value=" ".join(rest)),)]
    if kind == "between" and rest in _THE_OTHERS:
        return [(Relation("side", value="middle"),)]
    if kind == "between":
        parts = " ".join(rest).split(" and ")
        if len(parts) != 2:
            first = readings(rest)
            return [(Relation("between", of=(r,)),) for r in first if r.count == 2]
        pair = [readings(tuple(p.split())) for p in parts]
        return [(Relation("between", of=(a, b)),) for a in pair[0][:1] for b in pair[1][:1]]
    if kind == "but" and {"or", "and"} & set(rest):
        parts = " ".join(rest).replace(" and ", " or ").split(" or ")
        each = [readings(tuple(p.split())) for p in parts]
        return [tuple(Relation(kind, of=(r[0],)) for r in each)] if all(each) else []
    found: list[tuple[Relation, ...]] = [(Relation(kind, of=(r,)),) for r in readings(rest) if not _only_a_side(r)]
    for at in range(1, len(rest)):
        if _post_starts(rest[at:]):
            for other in [r for r in readings(rest[:at]) if not _only_a_side(r)][:2]:
                found.extend((Relation(kind, of=(other,)), *more) for more in _posts(rest[at:]))
    return found[:MOST_READINGS]

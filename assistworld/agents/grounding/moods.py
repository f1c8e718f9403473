"""What a clause asks: an order, a prohibition, a correction, a question, a remark."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistworld.agents.grounding.cutting import ALWAYS, BE, SOMEBODY, SUBJECTS, bare, begins, made_of, without_markers
from assistworld.agents.grounding.data import Tokens, phrases, starts_with, token_set, word_set
from assistworld.agents.grounding.data import words as words_of
from assistworld.agents.grounding.lexicon import Lexicon, Match
from assistworld.agents.grounding.wording import said_otherwise, wished_for
from assistworld.agents.grounding.wrapping import unwrapped

LONGEST_CLAUSE = 40
"""Words of one clause; longer ones are not read as orders."""
_SAME = re.compile(
    r"^(?:(?:and|then|now|also|so|next|please|okay|could you|can you|would you|you can|go ahead and) )*(?:(?:do|repeat|perform"
    r"|make) )?(?:exactly |just )?"
    r"(?:the )?(?:same|likewise|ditto)(?: thing| again| procedure| treatment| routine)?(?: now| again)?"
    r" (?:with|for|to|goes for|applies to|on) (?P<np>(?:the|that|this|your|my|both|all|one|a|it|them)\b.*?)(?: too| as well| also"
    r"| then| now)?$"
)
_LOOSELY_READ = frozenset({"question", "unknown", "fragment", "statement", "remark"})
_MARKER_WORDS = frozenset({"no", "sorry", "wait", "mean", "meant", "rather"})
_ONLY_WITH_COMMA = frozenset({"look", "see", "listen", "like", "right", "second", "third", "k", "good", "fine", "nice", "later", "friend"})


@dataclass(frozen=True)
class Clause:
    """One clause. `kind` is order, confirm (an order that the speaker is unsure of), again (what was done, with another thing), forbid,
    amend, exclude, fragment, statement, question, condition, stop, resume, yes, no, remark or unknown. `given` is the condition of an
    order."""

    kind: str
    tokens: Tokens = ()
    corrected: bool = False
    given: Tokens = ()


def classified(tokens: Tokens, mark: str, lexicon: Lexicon) -> list[Clause]:
    """A piece as one clause, or as a prohibition and what to do instead."""
    whole = bare(tokens)
    wish = bare(_unopened(tokens))
    other = said_otherwise(wish, lexicon) if wish[:1] in {("i",), ("we",)} else ()
    if wished_for(wish) and not lexicon.gerund(wished_for(wish)[0]) and (mark != "?" or wish[0] in {"can", "could", "may", "might", "how"}):
        said = _unopened(tokens)
        cut = next((i for i, t in enumerate(said) if t == "," and said[i + 1 : i + 2] in {("the",), ("a",)} and "one" in said[i + 2 :]), 0)
        if cut and not other:
            return [Clause("statement", (*bare(said[:cut]), "namely", *bare(said[cut + 1 :])))]
        return [Clause("order", other) if other else Clause("statement", wish)]
    same = _SAME.match(" ".join(wish))
    if same:
        return [Clause("again", tuple(same.group("np").split()))]
    left = whole[next((i for i in range(len(whole)) if not starts_with(whole[i:], "corrections") and whole[i] not in _MARKER_WORDS), 0) :]
    if left != whole and len(left) == 1 and left[0] in {"left", "right", "around"}:
        return [Clause("amend", left, True)]
    if whole in token_set("stops"):
        return [Clause("stop", whole)]
    for section, kind in (("yes", "yes"), ("no", "no"), ("resumes", "resume")):
        if whole in token_set(section):
            return [Clause(kind, whole)]
    if whole and made_of(whole, "yes"):
        return [Clause("yes", whole)]
    if whole[:2] == ("instead", "of") and len(whole) > 2 and not lexicon.gerund(whole[2]):
        return [Clause("statement", (*whole[2:], "is"))]
    if whole and made_of(whole, "openers"):
        return [Clause("remark", whole)]
    if whole and not without_markers(whole) and starts_with(whole, "corrections") != len(whole):
        return [Clause("remark", whole)]
    tokens, corrected, stopped = _opened(tokens, lexicon)
    first = [Clause("stop", ("stop",))] if stopped else []
    if not tokens:
        return first or [Clause("no" if corrected else "remark", whole)]
    if tokens in token_set("stops"):
        return [Clause("stop", tokens)]
    found = _kind(tokens, mark, corrected, lexicon)
    if len(found) == 1 and found[0].kind in _LOOSELY_READ:
        order = unwrapped(tokens, lexicon)
        found = [Clause(order[1], bare(_apposed(order[0])), corrected)] if order else found
    return found if found[0].kind == "amend" else [*first, *found]


def _opened(tokens: Tokens, lexicon: Lexicon) -> tuple[Tokens, bool, bool]:
    """Without openers, words of correction and `stop,` at the start; whether it corrects; whether it stops."""
    corrected = stopped = False
    while tokens:
        if corrected and tokens in {("right",), ("left",), ("first",), ("second",), ("third",), ("next",)}:
            break
        if tokens[0] == ",":
            tokens = tokens[1:]
            continue
        marker = starts_with(tokens, "corrections")
        opener = starts_with(tokens, "openers")
        praise = starts_with(tokens, "acknowledgements")
        if praise > opener and tokens[praise : praise + 1] == (",",) and tokens[:praise] != ("no",):
            opener = praise
        stop = starts_with(tokens, "stops")
        if stop and stop >= max(marker, opener) and (tokens[stop : stop + 1] == (",",) and tokens[:stop] not in token_set("corrections")):
            tokens, stopped = tokens[stop:], True
            continue
        if (
            marker
            and marker >= opener
            and not (lexicon.begins(tokens) and tokens[marker : marker + 1] != (",",) and marker < 2 and _matches_order(tokens, lexicon))
        ):
            corrected = True
            stopped = stopped or tokens[:marker] in token_set("stops")
            tokens = tokens[marker:]
            continue
        if opener and _opener_applies(tokens, opener, lexicon):
            tokens = tokens[opener:]
            continue
        break
    return tokens, corrected, stopped


def _unopened(tokens: Tokens) -> Tokens:
    """From `I` or `we` on where only words of address come before."""
    at = next((i for i, t in enumerate(tokens) if t in {"i", "we"}), 0)
    return tokens[at:] if made_of(bare(tokens[:at]), "openers") or not without_markers(tokens[:at]) else tokens


def _matches_order(tokens: Tokens, lexicon: Lexicon) -> bool:
    return any(m.pattern.action.kind != "lacking" for m in lexicon.matches(bare(tokens)))


def _opener_applies(tokens: Tokens, length: int, lexicon: Lexicon) -> bool:
    rest = tokens[length:]
    if rest[:1] == (",",):
        return True
    if tokens[:length] in {("let", "me", "see"), ("let", "us", "see")} and rest:
        return False
    if tokens[0] in {"second", "third"} and lexicon.begins(rest):
        return True
    if not rest or tokens[0] in _ONLY_WITH_COMMA:
        return length > 1 and bool(rest)
    if length > 1 or tokens[0] in ALWAYS:
        return True
    return begins(rest, lexicon)


def _kind(tokens: Tokens, mark: str, corrected: bool, lexicon: Lexicon) -> list[Clause]:
    ensured = _ensured(bare(tokens))
    if ensured:
        return [Clause("order", ensured, corrected)]
    whole = bare(tokens)
    tokens, mood = _stripped(tokens, mark, lexicon)
    renamed = _renamed(tokens)
    if renamed and mood != "forbid" and lexicon.matches(renamed[0]):
        return [Clause("confirm" if mood == "confirm" else "order", renamed[0], corrected), Clause("amend", renamed[1], True)]
    described = _described(tokens)
    if described and mood != "forbid" and lexicon.matches(described[0]):
        return [Clause("confirm" if mood == "confirm" else "order", described[0], corrected), Clause("amend", described[1], True)]
    flat = bare(_apposed(tokens))
    while mood != "forbid" and len(flat) > 2 and flat[-1] in {"maybe", "perhaps", "possibly", "probably"}:
        flat, mood = flat[:-1], "confirm"
    if mood == "forbid":
        return _forbidden(tokens, corrected, lexicon)
    if mood in {"question", "condition"}:
        return [Clause(mood, flat)]
    if len(flat) > LONGEST_CLAUSE:
        return [Clause("unknown", flat[:LONGEST_CLAUSE])]
    orders = lexicon.matches(flat)
    if orders and all(_conditional(m.slots) for m in orders):
        return [Clause("condition", flat)]
    if orders:
        shared = _shared_verb(flat, lexicon)
        return [Clause("confirm" if mood == "confirm" else "order", part, corrected) for part in shared]
    if (mood != "question" and mark != "?") or mood == "order" or flat[0] in {"can", "could", "would", "may", "might"}:
        other = said_otherwise(flat, lexicon)
        if other:
            return [Clause("confirm" if mood == "confirm" else "order", other, corrected)]
    if flat[:1] == ("not",):
        return _ruled_out(tokens[1:], corrected)
    if any(t in {"if", "unless", "until"} for t in flat):
        return [Clause("condition", flat)]
    if mood == "order":
        return [Clause("unknown", flat)]
    if whole[:1] == ("you",) and mark != "?" and flat[:1] != ("you",):
        return [Clause("statement", whole)]
    return [_fragment(flat, mark, corrected, mood)]


def _shared_verb(tokens: Tokens, lexicon: Lexicon) -> tuple[Tokens, ...]:
    """`put A on B and C on D` -> put A on B, put C on D."""
    for at, token in enumerate(tokens):
        if token != "and" or tokens[at + 1 : at + 2] not in {("the",), ("your",), ("a",), ("an",)}:
            continue
        parts = (tokens[:at], (tokens[0], *tokens[at + 1 :]))
        if all(any(_two_places(m) for m in lexicon.matches(p)) for p in parts):
            return (parts[0], *_shared_verb(parts[1], lexicon))
    return (tokens,)


def _two_places(match: Match) -> bool:
    return match.pattern.action.kind != "lacking" and {"1", "2"} <= {s for s, _ in match.slots} and "and" not in match.slot("2")


def _renamed(tokens: Tokens) -> tuple[Tokens, Tokens] | None:
    """`put the pen in the drawer, the blue pen`: a thing named bare and then again."""
    at = next((i for i, t in enumerate(tokens) if i and t == ","), 0)
    rest = tokens[at + 1 :]
    if not at or "," in rest or rest[:1] != ("the",) or len(rest) < 3 or rest[-1] not in tokens[:at]:
        return None
    named = tokens.index(rest[-1])
    return (tokens[:at], rest) if tokens[named - 1] in word_set("determiners") else None


def _described(tokens: Tokens) -> tuple[Tokens, Tokens] | None:
    """`throw the towel in the basket, the blue one`: what is said of one of the things named."""
    further = next((i for i, t in enumerate(tokens) if i > 2 and t == "," and tokens[i + 1 : i + 2] == ("the",)), 0)
    if further and tokens[-1] != "one" and "one" in tokens[further + 2 : further + 5] and "," not in tokens[further + 1 :]:
        return (bare(tokens[:further]), tokens[further + 1 :])
    cut = len(tokens) - 4
    if (
        cut < 3
        or tokens[cut] != ","
        or tokens[cut + 1] != "the"
        or tokens[-1] != "one"
        or not {"on", "in", "inside", "to"} & set(tokens[:cut])
    ):
        return None
    kinds = word_set("colours") | {w for group in words_of("synonyms")["adjectives"] for w in group}
    return (bare(tokens[:cut]), tokens[cut + 1 :]) if tokens[-2] in kinds else None


def _apposed(tokens: Tokens) -> Tokens:
    """`the other stand, the left one`: a comma before another name of the same thing is said out."""
    at = next(
        (
            i
            for i, t in enumerate(tokens)
            if i and t == "," and tokens[i + 1 : i + 2] in {("the",), ("that",), ("my",), ("your",), ("a",), ("an",)}
        ),
        0,
    )
    rest = tokens[at + 1 :]
    alone = not {",", "and", "or", "not", "but"} & set(rest) and not {"and", "or"} & set(tokens[:at]) and 1 < len(rest) < 10
    return (*tokens[:at], "namely", *rest) if at and (tokens[-1] in {"one", "ones"} or (alone and not BE & set(rest))) else tokens


def _conditional(slots: tuple[tuple[str, Tokens], ...]) -> bool:
    risky = {"if", "unless", "until", "when", "while", "whenever", "once"}
    return any(t in risky for _, words in slots for t in words)


def _stripped(tokens: Tokens, mark: str, lexicon: Lexicon) -> tuple[Tokens, str]:
    """Without wishes and duties at the start; the mood they give: order, confirm, forbid, question, condition, or empty."""
    mood = ""
    for _ in range(6):
        flat = tokens
        lengths = {
            s: starts_with(flat, s)
            for s in ("act_prefixes", "act_gerund_prefixes", "hedge_prefixes", "negations", "question_starts", "conditions")
        }
        best = max(lengths.values())
        if best == 0:
            break
        rest = flat[best:]
        if lengths["negations"] == best and best > lengths["act_prefixes"] and _forbids(flat, best, lexicon):
            return rest, "forbid"
        if lengths["act_gerund_prefixes"] == best and rest and lexicon.gerund(rest[0]):
            tokens, mood = (lexicon.gerund(rest[0]), *rest[1:]), mood or "order"
            continue
        if lengths["question_starts"] == best and flat[:1] != ("when",):
            return flat, "order" if said_otherwise(bare(flat), lexicon) else "question"
        if lengths["conditions"] == best and best > lengths["hedge_prefixes"]:
            return flat, "condition"
        if lengths["hedge_prefixes"] == best and rest:
            tokens, mood = rest, "confirm"
            continue
        if lengths["act_prefixes"] == best and rest and _leads_on(flat[:best], rest, lexicon):
            tokens, mood = rest, mood or ("" if flat[:best] in {("you",), ("do",), ("go",), ("come",)} else "order")
            continue
        break
    if mark == "?" and not mood and tokens[0] in {"see", "notice", "remember", "know", "want", "got", "spot", "find", "like"}:
        mood = "question"
    if mark == "?" and not mood:
        mood = "confirm" if lexicon.matches(bare(tokens)) else "question" if tokens[0] in SUBJECTS else ""
    return tokens, mood


def _leads_on(prefix: Tokens, rest: Tokens, lexicon: Lexicon) -> bool:
    """Whether a prefix is one here: `go` and `you` are only in front of an order."""
    if prefix in {
        ("you",),
        ("go",),
        ("come",),
        ("do",),
        ("make",),
        ("you", "need"),
        ("you", "better"),
        ("go", "and"),
        ("come", "and"),
        ("continue", "to"),
        ("proceed", "to"),
    }:
        return lexicon.begins(rest) or (prefix == ("you",) and starts_with(rest, "act_prefixes") > 0)
    return True


def _forbids(tokens: Tokens, length: int, lexicon: Lexicon) -> bool:
    phrase, rest = tokens[:length], tokens[length:]
    if phrase == ("not",):
        return False
    if phrase in {("stop",), ("avoid",), ("refrain", "from"), ("without",), ("instead", "of")}:
        return bool(rest) and bool(lexicon.gerund(rest[0]))
    return True


def _forbidden(tokens: Tokens, corrected: bool, lexicon: Lexicon) -> list[Clause]:
    """A prohibition, and what is said to be done instead after a comma or `but`."""
    instead: Tokens = ()
    for cut in (",", "but"):
        if cut in tokens[1:]:
            at = tokens.index(cut)
            tokens, instead = tokens[:at], bare(tokens[at + 1 :])
            break
    if tokens and lexicon.gerund(tokens[0]):
        tokens = (lexicon.gerund(tokens[0]), *tokens[1:])
    found = [Clause("forbid", bare(tokens), corrected)]
    while instead[:1] in {("but",), ("rather",), ("just",), ("only",)}:
        instead = instead[1:]
    if instead and lexicon.matches(instead) and lexicon.begins(instead):
        found.append(Clause("order", instead))
    elif instead:
        found.append(Clause("instead", instead, corrected))
    return found


def _ruled_out(tokens: Tokens, corrected: bool) -> list[Clause]:
    """`not the red one, the blue one`, `not the red one but the blue one`."""
    cut = next((i for i, t in enumerate(tokens) if i and t in {",", "but"}), len(tokens))
    instead = bare(tokens[cut + 1 :])
    found = [Clause("exclude", bare(tokens[:cut]), corrected)]
    return [*found, Clause("amend", instead, True)] if instead and not BE & set(instead[:3]) else found


def _ensured(tokens: Tokens) -> Tokens:
    """`make sure the fridge is closed` -> close the fridge; empty for anything else."""
    ensure = phrases("ensure")
    for prefix in sorted((tuple(p.split()) for p in ensure["prefixes"]), key=lambda p: -len(p)):
        rest = tokens[len(prefix) :]
        if tokens[: len(prefix)] != prefix:
            continue
        for state, concept in ensure["states"].items():
            end = tuple(state.split())
            for verb in (("is", *end), ("are", *end), ("is", "properly", *end), ("stays", *end)):
                if len(rest) > len(verb) and rest[-len(verb) :] == verb:
                    return (*concept.split(), *rest[: -len(verb)])
    return ()


def _fragment(tokens: Tokens, mark: str, corrected: bool, mood: str) -> Clause:
    """No order: a correction, a noun phrase, a remark about the world, or nothing known."""
    if mark == "?" and not corrected:
        return Clause("question", tokens)
    if tokens[0] in SUBJECTS | SOMEBODY and len(tokens) > 1 and tokens[0] != "it":
        return Clause("statement", tokens)
    at = next((i for i, t in enumerate(tokens) if t in BE), 0)
    if (
        at
        and (at == 1 or tokens[at - 1] not in {"that", "which", "what", "who"})
        and not (at == 1 and tokens[0] in word_set("determiners") - {"this", "that"})
    ):
        return Clause("statement", tokens)
    if tokens[:2] in {("there", "is"), ("there", "are")}:
        return Clause("statement", tokens)
    return Clause("amend" if corrected else "fragment", tokens, corrected)

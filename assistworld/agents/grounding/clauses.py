"""What an utterance asks, clause by clause: orders, prohibitions, corrections, questions, remarks."""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistworld.agents.grounding.data import Tokens, phrases, starts_with, token_set, word_set
from assistworld.agents.grounding.lexicon import Lexicon, Match, lead
from assistworld.agents.grounding.text import sentences

LONGEST_CLAUSE = 40
"""Words of one clause; longer ones are not read as orders."""

_SUBJECTS = frozenset({"i", "you", "he", "she", "we", "they", "it"})
_BE = frozenset(
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
    }
)
_PREPOSITIONS = frozenset({"on", "in", "inside", "to", "into", "at", "from", "next", "under", "behind", "by", "near", "beside", "over"})
_MARKER_WORDS = frozenset({"no", "sorry", "wait", "mean", "meant", "rather"})
_ALWAYS = frozenset(
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
_ONLY_WITH_COMMA = frozenset({"look", "see", "listen", "like", "right", "second", "third", "k", "good", "fine", "nice", "later", "friend"})


@dataclass(frozen=True)
class Clause:
    """One clause. `kind` is order, confirm (an order that the speaker is unsure of), forbid, amend, exclude, fragment, statement,
    question, condition, stop, resume, yes, no, remark or unknown."""

    kind: str
    tokens: Tokens = ()
    corrected: bool = False


def clauses(text: str, lexicon: Lexicon) -> tuple[Clause, ...]:
    """Clauses of an utterance in the order in which they are to be done."""
    found: list[Clause] = []
    for tokens, mark in map(_untagged, sentences(text)):
        sentence: list[Clause] = []
        for part in _in_order(tokens, lexicon):
            for joint, piece in _pieces(part, lexicon):
                asked = mark if not any(c.kind == "order" for c in sentence) else "."
                classified = _classified(piece, asked, lexicon)
                sentence.extend(_joined(joint, _carried(c, joint, sentence, lexicon), sentence) for c in classified)
        sentence = _placed(sentence)
        if any(c.kind == "condition" for c in sentence):
            sentence = [Clause("condition", tokens)]
        if _hedged(tokens, sentence):
            sentence = [replace(c, kind="confirm") if c.kind == "order" else c for c in sentence]
            if not any(c.kind in {"confirm", "order"} for c in sentence) and len(tokens) < 8:
                found = [replace(c, kind="confirm") if c.kind == "order" else c for c in found]
        found.extend(sentence)
    return tuple(found)


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


_AFTER = frozenset({"then", "after", "afterwards"})
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
    """`... and wait there` after an order ends it and cancels nothing."""
    ends = clause.kind == "stop" and joint and joint != (",",) and any(c.kind == "order" for c in before)
    return replace(clause, kind="remark") if ends else clause


def _carried(clause: Clause, joint: Tokens, before: list[Clause], lexicon: Lexicon) -> Clause:
    """`go to the table, then to the fridge`, `close the drawer and then the door`: the verb of the order before."""
    orders = [c for c in before if c.kind in {"order", "confirm"}]
    if clause.kind == "fragment" and orders and set(joint) & _AFTER and clause.tokens[0] in word_set("determiners"):
        verb = next((lead(m.pattern) for m in lexicon.matches(orders[-1].tokens) if m.pattern.parts[-1] == "{1}"), ())
        return Clause(orders[-1].kind, (*verb, *clause.tokens)) if verb else clause
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


def _in_order(tokens: Tokens, lexicon: Lexicon) -> tuple[Tokens, ...]:
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


def _pieces(tokens: Tokens, lexicon: Lexicon) -> list[tuple[Tokens, Tokens]]:
    """(connector, piece): cut where a connector or comma is followed by the beginning of a clause, and at words of correction."""
    pieces: list[tuple[Tokens, Tokens]] = []
    start = at = 0
    before: Tokens = ()
    while at < len(tokens):
        joint = starts_with(tokens[at:], "sequencers") or (1 if tokens[at] == "," else 0)
        rest = tokens[at + joint :]
        only_markers = not _without_markers(tokens[start:at])
        then = bool(_AFTER & set(tokens[at : at + joint])) and bool(leading_preposition(rest) or rest[:1] in {("the",), ("your",)})
        if joint and rest and not only_markers and (then or _begins(rest, lexicon)):
            pieces.append((before, tokens[start:at]))
            before = tokens[at : at + joint]
            if tokens[at] == ",":
                before = before + tokens[at + joint : at + joint + starts_with(rest, "sequencers")]
            start = at = at + joint
            continue
        marker = 0 if joint else starts_with(tokens[at:], "corrections")
        if marker and at > start and not only_markers and _cuts_alone(tokens, at, marker):
            pieces.append((before, tokens[start:at]))
            before = ()
            start = at
        at += max(1, joint, marker)
    pieces.append((before, tokens[start:]))
    return [(j, p) for j, p in pieces if p]


def _cuts_alone(tokens: Tokens, at: int, length: int) -> bool:
    """A marker inside a sentence without a comma: only those that are nothing else."""
    phrase = tokens[at : at + length]
    if phrase in {("rather",), ("hmm", "no"), ("wait",), ("wrong",), ("better",), ("hold", "on"), ("hang", "on"), ("i", "said")}:
        return False
    return at + length < len(tokens) and tokens[at + length] != "than"


def _without_markers(tokens: Tokens) -> Tokens:
    while tokens:
        length = 1 if tokens[0] == "," else max(starts_with(tokens, "corrections"), starts_with(tokens, "acknowledgements"))
        if not length:
            return tokens
        tokens = tokens[length:]
    return ()


def _begins(tokens: Tokens, lexicon: Lexicon) -> bool:
    """Whether a clause starts here."""
    for _ in range(4):
        length = max(starts_with(tokens, "sequencers"), starts_with(tokens, "openers") if tokens[0] in _ALWAYS else 0)
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
    if tokens[0] in _SUBJECTS and len(tokens) > 1 and (tokens[1] in _BE or tokens[0] in {"i", "you", "we"}):
        return True
    if tokens[0] in {"what", "where", "how", "why", "there"} and len(tokens) > 1 and tokens[:2] != ("there", "and"):
        return True
    return tokens[0] in {"then", "thanks"} or tokens[:2] == ("that", "would")


def _classified(tokens: Tokens, mark: str, lexicon: Lexicon) -> list[Clause]:
    """A piece as one clause, or as a prohibition and what to do instead."""
    whole = _bare(tokens)
    left = whole[next((i for i in range(len(whole)) if not starts_with(whole[i:], "corrections") and whole[i] not in _MARKER_WORDS), 0) :]
    if left != whole and len(left) == 1 and left[0] in {"left", "right", "around"}:
        return [Clause("amend", left, True)]
    if whole in token_set("stops"):
        return [Clause("stop", whole)]
    for section, kind in (("yes", "yes"), ("no", "no"), ("resumes", "resume")):
        if whole in token_set(section):
            return [Clause(kind, whole)]
    if whole and _made_of(whole, "yes"):
        return [Clause("yes", whole)]
    if whole[:2] == ("instead", "of") and len(whole) > 2 and not lexicon.gerund(whole[2]):
        return [Clause("statement", (*whole[2:], "is"))]
    if whole and not _without_markers(whole) and starts_with(whole, "corrections") != len(whole):
        return [Clause("remark", whole)]
    tokens, corrected, stopped = _opened(tokens, lexicon)
    first = [Clause("stop", ("stop",))] if stopped else []
    if not tokens:
        return first or [Clause("no" if corrected else "remark", whole)]
    if tokens in token_set("stops"):
        return [Clause("stop", tokens)]
    found = _kind(tokens, mark, corrected, lexicon)
    return found if found[0].kind == "amend" else [*first, *found]


def _made_of(tokens: Tokens, section: str) -> bool:
    """Whether it is phrases of a section one after the other."""
    while tokens:
        length = starts_with(tokens, section)
        if not length:
            return False
        tokens = tokens[length:]
    return True


def _bare(tokens: Tokens) -> Tokens:
    return tuple(t for t in tokens if t != ",")


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


def _matches_order(tokens: Tokens, lexicon: Lexicon) -> bool:
    return any(m.pattern.action.kind != "lacking" for m in lexicon.matches(_bare(tokens)))


def _opener_applies(tokens: Tokens, length: int, lexicon: Lexicon) -> bool:
    rest = tokens[length:]
    if rest[:1] == (",",):
        return True
    if tokens[0] in {"second", "third"} and lexicon.begins(rest):
        return True
    if not rest or tokens[0] in _ONLY_WITH_COMMA:
        return length > 1 and bool(rest)
    if length > 1 or tokens[0] in _ALWAYS:
        return True
    return _begins(rest, lexicon)


def _kind(tokens: Tokens, mark: str, corrected: bool, lexicon: Lexicon) -> list[Clause]:
    ensured = _ensured(_bare(tokens))
    if ensured:
        return [Clause("order", ensured, corrected)]
    tokens, mood = _stripped(tokens, mark, lexicon)
    renamed = _renamed(tokens)
    if renamed and mood != "forbid" and lexicon.matches(renamed[0]):
        return [Clause("confirm" if mood == "confirm" else "order", renamed[0], corrected), Clause("amend", renamed[1], True)]
    flat = _bare(_apposed(tokens))
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
    if flat[:1] == ("not",):
        return _ruled_out(tokens[1:], corrected)
    if any(t in {"if", "unless", "until"} for t in flat):
        return [Clause("condition", flat)]
    if mood == "order":
        return [Clause("unknown", flat)]
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


def _apposed(tokens: Tokens) -> Tokens:
    """`the other stand, the left one`: a comma before another name of the same thing is said out."""
    at = next((i for i, t in enumerate(tokens) if i and t == "," and tokens[i + 1 : i + 2] in {("the",), ("that",)}), 0)
    return (*tokens[:at], "namely", *tokens[at + 1 :]) if at and tokens[-1] in {"one", "ones"} else tokens


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
            return flat, "question"
        if lengths["conditions"] == best and best > lengths["hedge_prefixes"]:
            return flat, "condition"
        if lengths["hedge_prefixes"] == best and rest:
            tokens, mood = rest, "confirm"
            continue
        if lengths["act_prefixes"] == best and rest and _leads_on(flat[:best], rest, lexicon):
            tokens, mood = rest, mood or ("" if flat[:best] in {("you",), ("do",), ("go",), ("come",)} else "order")
            continue
        break
    if mark == "?" and not mood:
        mood = "confirm" if lexicon.matches(_bare(tokens)) else "question" if tokens[0] in _SUBJECTS else ""
    return tokens, mood


def _leads_on(prefix: Tokens, rest: Tokens, lexicon: Lexicon) -> bool:
    """Whether a prefix is one here: `go` and `you` are only in front of an order."""
    if prefix in {("you",), ("go",), ("come",), ("do",), ("go", "and"), ("come", "and"), ("continue", "to"), ("proceed", "to")}:
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
            tokens, instead = tokens[:at], _bare(tokens[at + 1 :])
            break
    if tokens and lexicon.gerund(tokens[0]):
        tokens = (lexicon.gerund(tokens[0]), *tokens[1:])
    found = [Clause("forbid", _bare(tokens), corrected)]
    while instead[:1] in {("but",), ("rather",), ("just",), ("only",)}:
        instead = instead[1:]
    if instead:
        found.append(Clause("instead", instead, corrected))
    return found


def _ruled_out(tokens: Tokens, corrected: bool) -> list[Clause]:
    """`not the red one, the blue one`, `not the red one but the blue one`."""
    cut = next((i for i, t in enumerate(tokens) if i and t in {",", "but"}), len(tokens))
    instead = _bare(tokens[cut + 1 :])
    found = [Clause("exclude", _bare(tokens[:cut]), corrected)]
    return [*found, Clause("amend", instead, True)] if instead else found


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
    if tokens[0] in _SUBJECTS and len(tokens) > 1 and tokens[0] != "it":
        return Clause("statement", tokens)
    at = next((i for i, t in enumerate(tokens) if t in _BE), 0)
    if (
        at
        and (at == 1 or tokens[at - 1] not in {"that", "which", "what", "who"})
        and not (at == 1 and tokens[0] in word_set("determiners") - {"this", "that"})
    ):
        return Clause("statement", tokens)
    if tokens[:2] in {("there", "is"), ("there", "are")}:
        return Clause("statement", tokens)
    return Clause("amend" if corrected else "fragment", tokens, corrected)


def leading_preposition(tokens: Tokens) -> int:
    """Words of a preposition that a fragment starts with, 0 for none."""
    if tokens[:2] in {("next", "to"), ("out", "of"), ("over", "to"), ("back", "to"), ("back", "on"), ("back", "in")}:
        return 2
    return 1 if tokens and tokens[0] in _PREPOSITIONS and len(tokens) > 1 else 0

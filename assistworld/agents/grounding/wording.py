"""Sentences said otherwise: turns, steps, wishes and duties brought into the forms that the patterns know."""

from __future__ import annotations

import re
from functools import cache

from assistworld.agents.grounding.cutting import BE, SOMEBODY
from assistworld.agents.grounding.data import Tokens, word_set, words
from assistworld.agents.grounding.idioms import plainly
from assistworld.agents.grounding.lexicon import Lexicon, quantity

_TURN = frozenset({"turn", "rotate", "spin", "swivel", "pivot", "make", "do", "take", "swing", "veer"})
_TURNING = frozenset(
    (
        "left right leftwards rightwards leftward rightward clockwise counterclockwise around round about u turn turns full half quarter "
        "uturn rotation circle a an to the your side hand by of bit little slight slightly tad touch more another "
        "further degrees degree deg "
        "ourselves yourselves myself yourself ninety back other way on spot in place whole complete smidge fraction again direction"
        " counter once slowly and face"
    ).split()
)
_WAYS = {
    **dict.fromkeys(("left", "leftwards", "leftward", "counterclockwise"), "left"),
    **dict.fromkeys(("right", "rightwards", "rightward", "clockwise"), "right"),
}
_AROUND = frozenset({"around", "round", "about", "uturn"})
_SLIGHT = frozenset({"bit", "little", "slight", "slightly", "tad", "touch", "smidge", "fraction"})
SLIGHT_DEG = 30
_WALK = frozenset(
    {"go", "walk", "move", "step", "take", "make", "advance", "proceed", "continue", "march", "head", "come", "keep", "carry"}
)
_WALKING = frozenset(
    (
        "forward forwards ahead straight onward onwards on a an bit little few couple of more further step steps pace paces metre metres "
        "meter meters m for by about another the same direction small big large going walking single full one roughly around approximately "
        "good or so in front you tad"
    ).split()
)
_AHEAD = frozenset({"forward", "forwards", "ahead", "straight", "onward", "onwards"})
_TOLD = frozenset("you i we to could would can will please not let me us".split())
"""Words of an order or a wish, not of what belongs somewhere."""
_UNITS = frozenset({"step", "steps", "pace", "paces", "metre", "metres", "meter", "meters", "m"})
FEW = 3
_STATES = {
    "on": "turn on",
    "off": "turn off",
    "out": "turn off",
    "open": "open",
    "opened": "open",
    "shut": "close",
    "closed": "close",
    "switched on": "turn on",
    "switched off": "turn off",
    "turned on": "turn on",
    "turned off": "turn off",
    "running": "turn on",
}
_ASKING = frozenset("is are was were not which what who where when why how i you we do does should can that if to".split())
_NP = r"(?P<np>(?:the|that|this|these|those|your|my|both|all|every|it|them)\b.*?)"
_DUTY = re.compile(
    rf"^{_NP} (?:(?:needs?|wants?|has|have|ought) to be|(?:should|must|can|may) (?:really |now )?be|(?:is|are) to be"
    r"|(?:could|can|would) do with being)"
    r" (?P<verb>\w+)(?P<rest>.*)$"
)
_NEEDS = re.compile(rf"^{_NP} (?:needs?|wants?|could do with|requires?) (?P<verb>\w+ing)(?P<rest>.*)$")
_PASSIVE = re.compile(rf"^(?:can|could|would|will|may|might|shall|should) {_NP} (?:please )?be (?P<verb>\w+)(?P<rest>.*)$")
_WISH = re.compile(
    r"^(?:i|we) (?:really |now |just )?(?:want|need|would like|would love|would prefer|would rather have|like|prefer|require)"
    r"(?: to have| to see)? " + _NP + r"(?: to be)? (?P<end>\w+(?: (?:on|off|up))?(?P<rest> (?:on|in|to|from|into|inside|out|by)\b.*)?)$"
)
_HAVE = re.compile(rf"^(?:have|get|let) {_NP}(?: be)? (?P<verb>\w+)(?P<rest>.*)$")
_ADVERBS = (
    r"(?:(?:really|now|just|do|also|still|only|actually|quite|rather|much|definitely|certainly|please|possibly|maybe|perhaps|then) )*"
)
_WISHED = (
    r"(?P<np>(?:the|a|an|another|that|this|those|these|my|your|one of|some|both|all|two|something|plain|(?!to\b|you|it\b|them|that"
    r"|nothing|everything|anything|everyone|help|no\b|not\b|more\b|a\b|any\b|some|us\b|me\b|him|her\b|what|if\b|in\b|at\b|on\b|out"
    r"|so\b|as\b)[a-z]+(?= |$))\b.*)"
)
_BARE_WISH = re.compile(
    rf"^(?:(?:i|we) {_ADVERBS}(?:want|need|would {_ADVERBS}(?:like|love|prefer|fancy|have|need|want)|will {_ADVERBS}(?:have|need|take"
    rf"|be needing|be wanting)"
    rf"|could {_ADVERBS}(?:do with|use|have|need)|fancy|feel like|am after|are after|am needing|require|am dying for|could go for"
    rf"|must have|have to have"
    r"|am looking for|am going to need|have got to have|would be glad of|would kill for)"
    rf"|(?:can|could|may|might|will|would) (?:i|we) {_ADVERBS}(?:have|get|take|borrow|grab|trouble you for|bother you for|be given"
    rf"|please have)"
    r"|(?:what|all|the (?:only )?(?:thing|one|item)) (?:(?:that )?(?:i|we)) (?:really |now |actually )?(?:want|need|am after|require"
    r"|would like|would love)(?: now| next)? is"
    r"|let (?:us (?:please |just )?have|me (?:please |just )?(?:have|get|borrow))(?! a (?:look|peek|glance|peep|read|view|gander))"
    rf"|how about|make mine|mine is)(?: to have| to get| to be given| to borrow)? {_WISHED}$"
)
_REASON = re.compile(
    r" ,? ?(?:because|(?:since|as|seeing as|given that|seeing that) (?=(?:it|i|we|you|there|they|he|she|that|this|the"
    r"|my) )|so that|so as to"
    r"|so (?=(?:i|we|it|he|she|they|nobody|everyone|everybody|no one|someone|my|that) )|in order (?:to|that)|otherwise|or else"
    r"|before (?=(?:it|i|we|he|she|they|(?:some|every|any|no)(?:one|body|thing)|all of it|things|(?:the|my|your|our|that"
    r"|this) \w+(?: \w+)?) "
    r"(?:gets?|goes|go|is|are|was|has|have|can|will|turns?|melts?|spoils?|trips?|slips?|falls?|breaks?|starts?|comes?|arrives?|burns?|boils?|rings?"
    r"|leaves?|forgets?|notices?|sees?|dries|drips?|leaks?|smells?|steps?|knocks?|wakes?|rots?|overflows?|runs?|needs?|wants?|eats?|drinks?)))"
    r"(?P<why>.*?)(?=$| ,| and then| then )"
)
_FIRST_REASON = re.compile(
    r"^(?:because|since|as|seeing as|given that) (?:it|i|we|you|there|they|he|she|that|the|my) [^,]* , (?P<rest>.+)$"
)
_PAST_WISH = re.compile(
    r"^(?:it|that|i|we|this) (?:would|will|should|am|might|could|was)\b[^,]*? (?:if|when) you (?:just |please |kindly )?(\w+)\b(.*)$"
)
_BOUNDS = frozenset({",", "then", "and", "before", "after", "but", "until", "if", "while"})


def reworded(tokens: Tokens, lexicon: Lexicon) -> Tokens:
    """A sentence with its turns, steps and polite forms in the words that the patterns know."""
    text = " ".join(tokens)
    told = lexicon.begins(tokens)
    for pattern, instead in _rewrites():
        found = pattern.search(text) if "belongs" in pattern.pattern else None
        if found is None and "belongs" in pattern.pattern:
            continue
        if found is None or not (told or _TOLD & set(found.groupdict().get("n", "").split())):
            text = pattern.sub(instead, text)
    text = _without_reasons(_past_wish(plainly(text, lexicon), lexicon), lexicon)
    text = re.sub(r" +", " ", text).strip(" ,")
    return _moved(tuple(text.split())) if text else tokens


@cache
def _rewrites() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(p), r) for p, r in words("rewrites"))


def _past_wish(text: str, lexicon: Lexicon) -> str:
    """`it would be lovely if you opened the wardrobe` -> open the wardrobe."""
    found = _PAST_WISH.match(text)
    base = lexicon.base(found.group(1)) if found else ""
    return f"{base}{found.group(2)}" if found and base and lexicon.matches((base, *found.group(2).split())) else text


def _without_reasons(text: str, lexicon: Lexicon) -> str:
    """Without `because I am thirsty`, `so that it stays cold`; kept where an order may hide in it."""
    first = _FIRST_REASON.match(text)
    if first:
        text = first.group("rest")
    found = _REASON.search(text)
    if found is None or found.start() == 0 or not found.group("why").strip():
        return text
    why = found.group("why").split()
    hidden = any(w in {"and", "then", "but"} and lexicon.begins(tuple(why[i + 1 :])) for i, w in enumerate(why))
    begun = lexicon.begins(tuple(why)) and "to" not in why[:1]
    return text if hidden or begun else text[: found.start()] + " " + text[found.end() :]


def _moved(tokens: Tokens) -> Tokens:
    """Turns and steps in their plain form: `do a quarter turn to the left` -> turn left 90 degrees."""
    out: list[str] = []
    at = 0
    while at < len(tokens):
        led = tokens[at - 2 : at - 1] in {("you",), ("like",), ("is",)}
        starts = at == 0 or tokens[at - 1] not in word_set("determiners") | {"to"} or led
        end = at + 1
        while end < len(tokens) and tokens[end] not in _BOUNDS:
            end += 1
        said = tokens[at + 1 : end]
        if tokens[end : end + 2] == ("and", "face") and tokens[end + 2 :] == ("the", "other", "way"):
            end = len(tokens)
        plain = (_turn(tokens[at], said) or _steps(tokens[at], said)) if starts and said else ()
        if plain:
            out.extend(plain)
            at = end
        else:
            out.append(tokens[at])
            at += 1
    return tuple(out)


def _turn(verb: str, said: Tokens) -> Tokens:
    numbers = words("numbers")
    if verb not in _TURN or not all(t in _TURNING or t in numbers or re.fullmatch(r"\d+(\.\d+)?", t) for t in said):
        return ()
    if any(said[i : i + 3] in {("the", "left", "one"), ("the", "right", "one")} for i in range(len(said))):
        return ()
    if verb in {"make", "do", "take"} and (said[0] not in {"a", "an", "another"} or said[-1] in {"a", "an"}):
        return ()
    ways = {_WAYS[t] for t in said if t in _WAYS}
    angle = next((quantity(said[i:j], "angle") for i in range(len(said)) for j in (len(said), *range(i + 2, len(said)))
                  if said[j - 1 : j] in {("degrees",), ("degree",), ("deg",)} and quantity(said[i:j], "angle")), None)  # fmt: skip
    digits = next((t for t in said if re.fullmatch(r"\d+", t)), None)
    if angle is None and digits is not None:
        angle = digits
    about = set(said) & _AROUND and angle is None and not (ways and _SLIGHT & set(said))
    if about or {"other", "way"} <= set(said) or said == ("back",) or (not ways and {"half", "turn"} <= set(said)):
        return ("turn", "around")
    if len(ways) != 1:
        return ("turn", "around") if angle == "180" else ()
    way = ways.pop()
    if angle is None:
        angle = "90" if "quarter" in said else "180" if "half" in said else "360" if {"full", "whole", "complete"} & set(said) else None
    if angle is None and _SLIGHT & set(said):
        angle = str(SLIGHT_DEG)
    return ("turn", way, angle, "degrees") if angle else ("turn", way)


def _steps(verb: str, said: Tokens) -> Tokens:
    numbers = words("numbers")
    if verb not in _WALK or not all(t in _WALKING or t in numbers or re.fullmatch(r"\d+(\.\d+)?", t) for t in said):
        return ()
    units = [i for i, t in enumerate(said) if t in _UNITS]
    if said == ("ahead",) and verb in {"go", "carry", "keep"}:
        return ()
    if not _AHEAD & set(said) and not (units and verb not in {"keep", "carry"}):
        return ()
    if units:
        number = "few" if "few" in said else next((quantity(said[i : units[0] + 1], "distance") for i in range(units[0])
                                                   if quantity(said[i : units[0] + 1], "distance")), None)  # fmt: skip
        if number is None:
            return ("walk", "forward") if units[0] == 0 else ()
        if number == "few":
            number = f"{FEW}m" if said[units[0]] in {"metres", "meters"} else str(FEW)
        return ("walk", "forward", number.rstrip("m"), "metres" if number.endswith("m") else "steps")
    return ("walk", "forward")


_ANSWER = re.compile(
    r"^(?:(?:it|that|this)(?: is| was| would be| should be)"
    r"|(?:i|we) (?:would like|would prefer|want|need|prefer|mean|meant|(?:was|am) (?:thinking of|talking about)|would say|said"
    r"|think it is|think)"
    r"|the one (?:i|we) (?:want|mean|meant|need|like)(?: is)?|let us (?:say|take)|make it|go for|go with|i would (?:go for|take))"
    r"(?= (?:the|that|this|one|a|in|on|to|from|next|beside|between|number)\b)"
)
_ANY = re.compile(
    r"^(?:either|any|whichever|whatever|it does not matter|i do not (?:mind|care)|you (?:can )?(?:choose|decide|pick)|(?:it is )?up to you"
    r"|your choice)(?: one| of them| of those| of the two| you (?:like|want|prefer)| which(?: one)?)?"
    r"(?: (?:is|will|would)(?: be)? (?:fine|ok|okay|good|alright|do|great|work))?[ .!,]*$"
)


def answer(text: str) -> str:
    """What was said to a question in the form of a phrase: `it is the red one` -> the red one, `either is fine` -> any one."""
    text = re.sub(
        r"(?<=\w) ?,? (?:sorry|my mistake|my bad|of course|obviously|please|i think|i mean|actually)(?= ?[.!]?$)", "", text.strip()
    )
    return "any one" if _ANY.match(text) else _ANSWER.sub("", text, count=1)


def said_otherwise(tokens: Tokens, lexicon: Lexicon) -> Tokens:
    """An order that a clause amounts to: `the fridge needs closing`, `I want the lamp on`, `lights off`. Empty where it is none."""
    text = " ".join(tokens)
    for pattern in (_DUTY, _NEEDS, _PASSIVE, _HAVE):
        found = pattern.match(text)
        if found:
            return _participle(found.group("verb"), found.group("rest").split(), found.group("np").split(), lexicon)
    bare = re.sub(
        r"^(?:let (?:us|me) )?(?:have|get) |^(?:i|we) (?:really |now |just )?(?:want|need|would like|would love|would prefer|like"
        r"|prefer) (?:to have )?",
        "",
        text,
    )
    for length in (2, 1):
        state, rest = " ".join(tokens[-length:]), bare.split()[:-length]
        if bare != text and state in _STATES and rest and rest[0] in word_set("determiners") | {"it", "them", "both", "all", "everything"}:
            return _order(_STATES[state], rest, lexicon)
    wish = _WISH.match(text)
    if wish:
        end = wish.group("end").split()
        return _participle(end[0], end[1:], wish.group("np").split(), lexicon)
    for length in (2, 1):
        state, rest = " ".join(tokens[-length:]), list(tokens[:-length])
        if rest and state in _STATES and not _ASKING & set(rest) and rest[0] not in BE | SOMEBODY and not lexicon.matches(tokens):
            return _order(_STATES[state], rest, lexicon)
    return ()


def _participle(verb: str, rest: list[str], np: list[str], lexicon: Lexicon) -> Tokens:
    base = lexicon.base(verb)
    if not base or base == verb and not (verb.endswith(("t", "d")) and base in {"put", "set", "shut", "cut"}):
        return ()
    words_ = (base, *np, *rest)
    if lexicon.matches(words_):
        return words_
    joined = (base, *rest[:1], *np, *rest[1:])
    return joined if rest and lexicon.matches(joined) else ()


def _order(verb: str, np: list[str], lexicon: Lexicon) -> Tokens:
    made = (*verb.split(), *np)
    return made if lexicon.matches(made) else ()


def wished_for(tokens: Tokens) -> Tokens:
    """The noun phrase of `I want the red mug`, empty for anything else."""
    found = _BARE_WISH.match(" ".join(tokens))
    return tuple(found.group("np").split()) if found else ()

"""Normal form of what was said: lower case, contractions written out, words and punctuation as tokens."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from assistworld.agents.grounding.data import Tokens, token_lists, words

LONGEST = 4000
"""Characters that are read of one utterance; nobody speaks longer in one breath."""

_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+(?:\.\d+)?|[a-z0-9]+(?:'[a-z]+)?|[.,;:!?]|\n")
_BREAKS = frozenset(".;!?\n")
_IRREGULAR = {
    "knives": "knife",
    "shelves": "shelf",
    "loaves": "loaf",
    "leaves": "leaf",
    "glasses": "glass",
    "boxes": "box",
    "dishes": "dish",
    "watches": "watch",
    "people": "person",
    "couches": "couch",
    "halves": "half",
    "keys": "key",
}


@cache
def _contractions() -> re.Pattern[str]:
    keys = sorted(words("contractions"), key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(re.escape(k) for k in keys) + r")(?![a-z'])")


def normalise(text: str) -> str:
    """Lower-case ASCII with contractions written out. Text past `LONGEST` characters is dropped."""
    text = unicodedata.normalize("NFKD", text[:LONGEST]).lower()
    text = text.replace("\u2019", "'").replace("\u2018", "'").replace("`", "'")
    text = re.sub("[\u2014\u2013]| --? |\u2026|\\.\\.+", " , ", text)
    text = "".join(c for c in text if not unicodedata.combining(c))
    text = re.sub(r"[\"\u201c\u201d()\[\]{}<>*#]", " ", text)
    text = text.replace("-", " ").replace(" w/ ", " with ").replace("/", " or ").replace("&", " and ")
    text = re.sub(r"(?:^|,)\s*(?:like|you know|sort of|kind of),", " ", text)
    text = re.sub(r"[ \t\r\f\v]+", " ", text)
    table: dict[str, str] = words("contractions")
    text = _SPARE.sub("", text)
    text = re.sub(r"\b(could|would|can|will) (?:somebody|someone|anybody|anyone)(?: of you)? (?=[a-z])", r"\1 you ", text)
    text = re.sub(r"\b(a|the|that|this|one|some) (?:piece|bit|item|chunk|kind|sort|type) of (?=[a-z]+)", r"\1 ", text)
    text = re.sub(r"\boj\b", "orange juice", text)
    text = _VOCATIVE.sub("", text)
    text = re.sub(r"\b(where|what|who|how|why|when|which)'ve\b", r"\1 have", text)
    text = re.sub(r"\b(?:(?:the|my|our|your|her|his) )?(?:" + _PEOPLE + r")(?:'s|s')(?= [a-z])", "the", text)
    text = re.sub(r"\b(?:a)?round the back of\b", "behind", text)
    text = re.sub(r"\b(?:a)?round the front of\b", "in front of", text)
    text = re.sub(r"\b(move|carry|press|head|pass|push|get) on(?: over)? to\b", r"\1 to", text)
    text = re.sub(r"\b([a-z]+)'s (?:edge|end|rim|top|side|surface|corner|back|seat|arm)(?= *(?:$|[.,;!?]|and\b|then\b))", r"\1", text)
    text = _BACK_IN.sub(r"\1 back again", text)
    text = _END_OF.sub(r"\1 ", text)
    text = _IS.sub(r"\1 is ", text)
    return repaired(_contractions().sub(lambda m: m.group() if _noun_back(m) else table[m.group()], text))


def _noun_back(match: re.Match[str]) -> bool:
    """Whether `back` is where something is (`the apple at the back into the bowl`) and no particle."""
    return match.group().startswith("back ") and match.string[: match.start()].endswith((" the ", " very ", " far "))


_REPAIR = re.compile(r"\b(the|a|an|my) ([a-z]+(?: [a-z]+)?) ?,+ ?(?:er|erm|uh|um|uhm|hmm|or),? ?,* (?=(?:the|a|an|my|that) )")


_IS = re.compile(
    r"\b(?!let's)([a-z]+)'s (?=(?:still|already|on|off|open|closed|shut|not|too|so|very|really|quite|rather|getting|going|gone|been|a"
    r"|an|the"
    r"|in|at|under|behind"
    r"|next|over|there|here|just|only|all|no|empty|full|hot|cold|warm|dirty|clean|wet|dry|broken|running|ready|done|finished|red|blue|fine|now|always"
    r"|meant|supposed|lying|sitting|standing|hanging|left|made|called|ringing|beeping|leaking|boiling|burning|dark|bright|stuffy|stuck|laid|sharp|heavy"
    r"|come|got|arrived|here|due|fragile|nearly|almost|about|probably|my|your|our|his|her|for|with|from|to|out|up|down|away|back|looking|coming|waiting|needed|wanted|missing|what|exactly)\b)"
)


_SPARE = re.compile(
    r",? *\b(?:when|whenever|once|if|as soon as) (?:you )?(?:get|have|find|'ve got|have got|can spare|happen to have|got) (?:a|the"
    r"|some|one|another)? ?"
    r"(?:free |spare |quick |quiet |couple of |few )*(?:sec|secs|second|seconds|moment|moments|minute|minutes|mo|chance|time"
    r"|opportunity|bit of time|breather"
    r"|hand free|free hand|tick)\b(?: for (?:me|it|that))?|,? *\b(?:when|whenever|once) (?:you are|you're) (?:free|able|up to it"
    r"|in the mood|ready for it)\b"
)
_BACK_IN = re.compile(
    r"\b((?:goes|go|belongs|belong|it|that|this|them|those|one)) back in(?= *(?:$|[.,;!?]|and\b|then\b|but\b|please\b|again\b))"
)
_END_OF = re.compile(
    r"\b(off|from) the (?:very |far |near |other |left |right )*(?:end|edge|foot|head|corner|top|arm|back|seat|side|rim) of (?=the"
    r"|your|my|that)"
)


_PEOPLE = (
    "kid|kids|child|children|mum|mom|mother|dad|father|grandma|granny|gran|grandmother|grandad|grandpa|grandfather|daughter|son|baby|boy|girl"
    "|neighbour|neighbor|guest|wife|husband|partner|sister|brother|aunt|uncle|cousin|grandson|granddaughter|friend|doctor|nurse|cat|dog"
)
_VOCATIVE = re.compile(
    r", *(?:my )?(?:hun|hon|love|luv|dear|mate|darling|honey|sweetie|sweetheart|buddy|pal|dude|bro|man|boss|chief|champ|kiddo|son|lad"
    r"|lass|sir|madam"
    r"|ma'am|friend|dearie|petal|duck|pet|babe|treasure|sunshine)(?= *(?:[,.!?;]|$))"
)


def repaired(text: str) -> str:
    """`the red, er, the blue pen`: a hesitation between two names takes the first one back."""
    return _REPAIR.sub(r"\1 \2 , no , ", text)


def tokenise(text: str) -> Tokens:
    """Words and punctuation of a normalised text; a possessive `'s` is dropped."""
    found = []
    for token in _TOKEN.findall(text):
        found.append(token.split("'")[0] if "'" in token else token)
    return tuple(t for t in found if t)


def sentences(text: str) -> tuple[tuple[Tokens, str], ...]:
    """Sentences of an utterance as (tokens, end mark). The end mark is `.` where none was written."""
    found: list[tuple[Tokens, str]] = []
    current: list[str] = []
    for token in tokenise(normalise(text)):
        if token in _BREAKS:
            if current:
                found.append((_smooth(tuple(current)), "." if token in ";\n" else token))
            current = []
        else:
            current.append("," if token == ":" else token)
    if current:
        found.append((_smooth(tuple(current)), "."))
    return tuple((t, mark) for t, mark in found if t)


def _smooth(tokens: Tokens) -> Tokens:
    """Without fillers, stutters and stray commas."""
    tokens = drop_phrases(tokens, "fillers")
    out: list[str] = []
    stutters = frozenset(words("determiners")) | {"and"}
    for index, token in enumerate(tokens):
        broken = out[-1:] in (["on"], ["in"], ["to"]) and tokens[index + 1 : index + 2] in {("the",), ("a",), ("your",)}
        broken = broken and "one" not in tokens[index + 2 : index + 5]
        if token == "," and (not out or out[-1] == "," or out[-1] in stutters or broken):
            continue
        if out and token == out[-1] and token not in {"that", "no"}:
            continue
        if out and out[-1] in {"the", "a", "an", "your"} and token in {"the", "a", "an", "your"}:
            out[-1] = token
            continue
        out.append(token)
    while out and out[-1] in {",", "and", "then"}:
        out.pop()
    return tuple(out)


def drop_phrases(tokens: Tokens, section: str) -> Tokens:
    """`tokens` without every phrase of a section, longest first."""
    phrases = token_lists(section)
    out: list[str] = []
    at = 0
    while at < len(tokens):
        length = next((len(p) for p in phrases if tokens[at : at + len(p)] == p), 0)
        if length and not (tokens[at : at + length] == ("instead",) and tokens[at + length : at + length + 1] == ("of",)):
            at += length
        else:
            out.append(tokens[at])
            at += 1
    return tuple(out)


@cache
def singular(word: str) -> str:
    """A noun without its plural ending: `shelves` -> `shelf`. Words that are no plural stay."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):
        return word
    if word.endswith("ies") and len(word) > 4 and word not in {"cookies", "movies"}:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]


@cache
def gerund_forms(verb: str) -> frozenset[str]:
    """-ing forms of a verb, a superset: `put` -> putting, puting."""
    forms = {verb + "ing"}
    if verb.endswith("e"):
        forms.add(verb[:-1] + "ing")
    else:
        forms.add(verb + verb[-1:] + "ing")
    return frozenset(forms)

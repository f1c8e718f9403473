"""What the person says: short, plain, and never a handle, an id or a code."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from assistworld.agents.grounding.data import phrases
from assistworld.agents.grounding.meanings import Missing, Scene, Unclear, Unsuitable
from assistworld.agents.grounding.nouns import NounPhrase
from assistworld.agents.grounding.spatial import in_row, ordered, placed
from assistworld.agents.grounding.things import Thing

_HANDLE = re.compile(r"<([^<>]*)>\s*(?:\(\d+\))?")
_BRACKETS = re.compile(r"[<>\[\]{}()|]")
_NO_WORDS = re.compile(r"\[\s*[A-Za-z]\w*\s*\]|<[^<>]*>|\b[A-Za-z]\w*_\w+\b")
"""What only commands have: `[Grab]`, `<red_mug>`, `red_mug_1`."""
_KEY = re.compile(r"\b([a-z]+(?:_[a-z]+)*)_\d+\b", re.IGNORECASE)
MOST_NAMED = 4

CONFUSED = "I'm not sure what you want me to do. Could you say it another way?"
NO_ANSWER = "I can't answer that. Tell me what to do and I'll do it."
NO_JUDGING = "I can't judge that for you. Just tell me what to do."
STOPPED = "Okay, I've stopped."
NOT_SO = "That's not so, as far as I can see. I'll leave it."
WONT = "Okay, I won't."
IDLE = "What should I do?"
BRACKETS = "I don't understand brackets and codes. Please tell me in plain words."


def plain(text: str) -> str:
    """Text without handles, brackets, underscores and ids: `<red_mug> (2)` -> `red mug`."""
    text = _HANDLE.sub(lambda m: m.group(1), text)
    text = _KEY.sub(lambda m: m.group(1), text)
    text = _BRACKETS.sub(" ", text).replace("_", " ")
    return re.sub(r"\s+", " ", text).strip()


def coded(text: str) -> bool:
    """Whether it holds what is no plain language: verbs and things as commands write them."""
    return bool(_NO_WORDS.search(text))


def name(thing: Thing) -> str:
    """What a person calls it; a word said twice in a row (`red red mug`) is said once."""
    words = (plain(thing.offer.description) or plain(thing.offer.category) or "thing").split()
    return " ".join(w for i, w in enumerate(words) if i == 0 or w != words[i - 1])


def alternatives(items: Sequence[str], word: str = "or") -> str:
    """`a, b or c`."""
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + f" {word} {items[-1]}"


def told_apart(things: Sequence[Thing], scene: Scene) -> list[str] | None:
    """Names that differ: by description, else by what they are on or in, else by room. None where nothing tells them apart."""
    plainly = [name(t) for t in things]
    if len(set(plainly)) == len(plainly):
        return ["the " + n for n in plainly]
    sides = _sides(things) if len(set(plainly)) == 1 else None
    if sides is not None:
        return sides
    own = [plain(thing.key).strip("0123456789 ") for thing in things]
    if len(set(own)) == len(own) and all(own):
        return ["the " + n for n in own]
    located = []
    for t, called_so in zip(things, plainly, strict=True):
        support = scene.get(t.offer.on or t.offer.inside)
        where = (
            f" {'on' if t.offer.on else 'in'} the {name(support)}"
            if support is not None
            else f" in the {t.room.replace('-', ' ')}"
            if t.room
            else ""
        )
        located.append(f"the {called_so}{where}")
    return located if len(set(located)) == len(located) else None


def _sides(things: Sequence[Thing]) -> list[str] | None:
    """Two or three of a kind in a row as seen: the left one, the middle one, the right one."""
    if len(things) > 3 or len(placed(things)) < len(things) or not in_row(things):
        return None
    groups = ordered(things, "left")
    names = ["left", "right"] if len(things) == 2 else ["left", "middle", "right"]
    return [f"the {n} one" for n in names] if len(groups) == len(things) else None


def called(phrase: NounPhrase) -> str:
    """The phrase as said, without its article."""
    words = phrase.text.split()
    while words and words[0] in {"the", "a", "an", "your", "that", "this", "any", "some", "my"}:
        words = words[1:]
    return " ".join(words)


def kind_of(phrase: NounPhrase) -> str:
    """The noun of a phrase, `one` where it has none."""
    return phrase.head.replace("-", " ") or "one"


def ask_which(unclear: Unclear, scene: Scene) -> str:
    """A question that settles which thing is meant."""
    if unclear.wanted:
        return f"I don't see any {unclear.wanted} from here. " + ask_which(replace(unclear, wanted=""), scene)
    things = [t for t in (scene.get(k) for k in unclear.keys) if t is not None]
    if unclear.why == "what" or not things:
        return "What exactly do you mean?" if unclear.phrase.pronoun else "Which one do you mean?"
    if unclear.why == "confirm" and len(things) == 1:
        return f"Do you mean the {name(things[0])}?"
    if unclear.why == "direction":
        return f"Which {kind_of(unclear.phrase)} do you mean? Counted from the left or right, or from the top?"
    names = told_apart(things, scene) if len(things) <= MOST_NAMED else None
    if names is not None:
        return f"Which {kind_of(unclear.phrase)} do you mean, {alternatives(names)}?"
    return f"Which {kind_of(unclear.phrase)} do you mean? I see {_count(len(things))} of them."


def _count(number: int) -> str:
    small = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return small[number] if number < len(small) else "many"


def say_missing(missing: Missing, scene: Scene, *, search: bool) -> str:
    """That it is not seen, and a question: where to look, or what is meant."""
    if missing.phrase.pronoun == "held":
        return "I'm not holding anything. What do you mean?"
    what = called(missing.phrase) or "such thing"
    if missing.source:
        place = scene.get(missing.source[0])
        where = f" there, at the {name(place)}" if place is not None else " there"
        return (
            f"I don't see any {what}{where}. Where should I look?"
            if missing.phrase.head not in what
            else (f"I don't see {_article(missing.phrase)} there. Where should I look?")
        )
    nearly = [t for t in (scene.get(k) for k in missing.nearly) if t is not None]
    nearly = ([t for t in nearly if t.offer.visible] or nearly)[:MOST_NAMED]
    if nearly and not search:
        names = told_apart(nearly, scene)
        if names:
            return f"I don't see {_article(missing.phrase)}. Do you mean {alternatives(names)}?"
    return f"I don't see {_article(missing.phrase)}. " + ("Where should I look?" if search else "What do you mean?")


def _article(phrase: NounPhrase) -> str:
    what = called(phrase)
    if not what:
        return "that"
    return ("the " if phrase.determiner in {"the", "your", "that", "this"} else "any ") + what


def say_unsuitable(unsuitable: Unsuitable, scene: Scene, doing: str) -> str:
    """That the thing cannot be used that way."""
    thing = scene.get(unsuitable.keys[0])
    return f"I can't {doing} the {name(thing)}. What should I do instead?" if thing is not None else CONFUSED


def say_refused(code: str, fact: str) -> str:
    """Why the last action did not happen, in plain words."""
    reason = phrases("refusals").get(code, "")
    if not reason:
        return "I couldn't do that. What should I do?"
    return f"I couldn't do that. {reason}"

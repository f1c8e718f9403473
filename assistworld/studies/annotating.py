"""A model reads a failed episode of a puzzle and labels it; what it cannot quote from the episode does not count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from assistcore.models.model import Image, Message, Model, Part
from assistworld.studies.failures import KINDS, Kind, Label
from assistworld.studies.histories import History

LEAST_QUOTE = 8
"""Characters; shorter ones stand in every episode."""
_TASK = (
    "Below is a record of somebody who tried to solve a puzzle and failed. Decide which of these faults the record shows; there may be "
    "none, one or several.\n{kinds}\n\nAnswer with one JSON list and nothing else. For each fault that you find give "
    '{{"fault": NAME, "first_step": NUMBER, "last_step": NUMBER, "quote": TEXT}}, where the quote is copied letter by letter from the '
    "record and shows the fault. Leave out what you cannot quote. A record without any of them gets []."
)


@dataclass(frozen=True)
class Annotated:
    """The labels that hold, and what was said that does not: no such fault, steps that there are not, or a quotation that is not there."""

    labels: tuple[Label, ...]
    rejected: tuple[str, ...]
    raw: str


def annotate(history: History, model: Model, *, pictures: bool = True) -> Annotated:
    """All four labels by a model. pictures: send what was seen at every step as well. Raises InfrastructureError where the model fails."""
    record = transcript(history)
    kinds = "\n".join(f"- {name}: {meaning}" for name, meaning in KINDS.items())
    parts: list[Part] = [_TASK.format(kinds=kinds), "The record:", record]
    if pictures:
        for number, seen in enumerate(history.seen(), 1):
            parts += [f"Seen before answer {number}:", *(Image(image) for image in seen.images)]
    raw = model.complete([Message("user", tuple(parts))]).text
    kept, rejected = list[Label](), list[str]()
    for item in _items(raw, rejected):
        fault = _fault(item, history, record)
        if fault:
            rejected.append(fault)
        else:
            kept.append(Label(cast(Kind, item["fault"]), item["first_step"], item["last_step"], item["quote"], model.name))
    return Annotated(tuple(kept), tuple(rejected), raw)


def transcript(history: History) -> str:
    """The rules, and of every step what was seen in words (where the puzzle can be written), the answer and what was said about it."""
    lines = [history.rules(), ""]
    for number, turn in enumerate(history.turns):
        if (text := history.puzzle.text(history.states[number])) is not None:
            lines += [f"Seen before answer {number + 1}:", text]
        lines += [f"Answer {turn.step}: {turn.given.strip()}", f"Told: {turn.feedback}", ""]
    return "\n".join(lines)


def _items(raw: str, rejected: list[str]) -> Iterator[dict[str, Any]]:
    """The objects of the last JSON list in an answer, fences and prose around it passed over."""
    start, end = raw.find("["), raw.rfind("]")
    try:
        found = json.loads(raw[start : end + 1])
    except ValueError as error:
        rejected.append(f"the answer holds no JSON list ({error}): {raw[:120]!r}")
        return
    for item in found:
        if isinstance(item, dict):
            yield item
        else:
            rejected.append(f"no object: {item!r:.120}")


def _fault(item: dict[str, Any], history: History, record: str) -> str:
    """Why one thing that a model said does not count; empty where it does."""
    quote, first, last = item.get("quote"), item.get("first_step"), item.get("last_step")
    if item.get("fault") not in KINDS:
        return f"no such fault: {item.get('fault')!r:.60}"
    if type(first) is not int or type(last) is not int or not 1 <= first <= last <= len(history.turns):
        return f"{item['fault']}: steps {first!r:.20} to {last!r:.20} of {len(history.turns)}"
    if not isinstance(quote, str) or len(quote.strip()) < LEAST_QUOTE or quote.strip() not in record:
        return f"{item['fault']}: not in the record: {quote!r:.120}"
    return ""

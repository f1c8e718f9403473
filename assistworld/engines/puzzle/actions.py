"""The one reader and the one writer of actions `('name', payload)`.

What a model answers is read leniently around the action (prose, code fences, reasoning tags, bare names, typographic quotes) and
strictly inside it: the last tuple that names an action counts, and its payload must be in that action's space. Nothing here raises for
an answer, whatever it is: what cannot be read is a :class:`Malformed` whose message names what was expected.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assistcore.world.errors import nearest
from assistworld.engines.puzzle.spaces import Misfit, Payload, Space, shown


@dataclass(frozen=True)
class Action:
    """One function call: its name and its payload, plain Python values with tuples for all sequences."""

    name: str
    payload: Payload


@dataclass(frozen=True)
class Malformed:
    """An answer that is no action, and the message about it."""

    kind: Literal["unreadable", "unknown_name", "bad_payload"]
    message: str


FORMAT = "('name', payload)"
_STARTS = re.compile(r"\(\s*[\"']?[A-Za-z_]")
_MOST_TUPLES = 64
"""Tuples looked at, from the end of the answer; longer answers are prose."""
_MOST_CHARACTERS = 4000
"""Characters of one tuple, far more than any action takes."""
_MOST_NESTED = 12
_TYPOGRAPHY = str.maketrans("（），［］‘’‚‛“”„｀＇＂−–：", "(),[]''''\"\"\"`'\"--:")


def read(given: object, spaces: Mapping[str, Space]) -> Action | Malformed:
    """The action that an answer holds: text, an :class:`Action`, or a pair of name and payload. Never raises."""
    if isinstance(given, str):
        return _read_text(given, spaces)
    if isinstance(given, Action):
        return _checked(given.name, given.payload, spaces)
    if isinstance(given, tuple | list) and len(given) == 2 and isinstance(given[0], str):
        return _checked(given[0], given[1], spaces)
    return Malformed("unreadable", f"expected an action {FORMAT} as text, got {shown(given)}; {_for_example(spaces)}")


def write(action: Action, spaces: Mapping[str, Space]) -> str:
    """The action as the text that :func:`read` reads back to the same action, on every version of numpy.

    Raises Misfit where the name is unknown or the payload is not in its space.
    """
    if action.name not in spaces:
        raise Misfit(f"no action {action.name!r}; {nearest(action.name, list(spaces))}")
    space = spaces[action.name]
    return f"({action.name!r}, {space.write(space.fit(action.payload))})"


def sample(spaces: Mapping[str, Space], rng: np.random.Generator) -> Action:
    """A uniform name, and for it a uniform payload."""
    name = list(spaces)[int(rng.integers(len(spaces)))]
    return Action(name, spaces[name].sample(rng))


def _read_text(text: str, spaces: Mapping[str, Space]) -> Action | Malformed:
    answer = _answer(text)
    if not answer.strip():
        return Malformed("unreadable", f"the answer holds no text; {_for_example(spaces)}")
    named = other = None
    problem = f"there is no tuple {FORMAT}"
    position = 0
    starts = [match.start() for match in _STARTS.finditer(answer)][-_MOST_TUPLES:]
    for start in starts:
        if start < position:
            continue
        end = _closing(answer, start)
        if end is None:
            problem = f"the bracket at character {start + 1} is not closed"
            continue
        try:
            value = _literal(answer[start : end + 1])
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            problem = f"{type(error).__name__}: {str(error)[:80]}"
            continue
        if not isinstance(value, tuple):
            continue
        if len(value) == 2 and isinstance(value[0], str) and value[0] in spaces:
            named, position = value, end
        else:
            other = value
    if named is not None:
        return _checked(named[0], named[1], spaces)
    if other is None:
        return Malformed("unreadable", f"no action could be read in {shown(answer.strip())}: {problem}; {_for_example(spaces)}")
    if len(other) != 2:
        what = f"{shown(other)} has {len(other)} item{'s' * (len(other) != 1)} and an action has two, {FORMAT}"
        return Malformed("unreadable", f"{what}; {_for_example(spaces)}")
    return _checked(other[0], other[1], spaces)


def _checked(name: object, payload: object, spaces: Mapping[str, Space]) -> Action | Malformed:
    if not isinstance(name, str) or name not in spaces:
        hint = nearest(str(name)[:80], list(spaces))
        return Malformed("unknown_name", f"there is no action {shown(name)} ({hint}); the actions are {', '.join(spaces)}")
    try:
        return Action(str(name), spaces[name].fit(payload))  # a numpy text would be written as one
    except Misfit as misfit:
        return Malformed("bad_payload", f"the payload of '{name}' does not fit, nothing was executed: {misfit}")


def _answer(text: str) -> str:
    """What of an answer may hold the action: reasoning in `<think>` tags never does, `<answer>` does."""
    if "</think>" in text:
        text = text.rsplit("</think>", 1)[1]
    elif "<think>" in text:
        text = text.split("<think>", 1)[0]
    if "<answer>" in text:
        text = text.rsplit("<answer>", 1)[1].split("</answer>", 1)[0]
    return text if text.isascii() else text.translate(_TYPOGRAPHY)


def _closing(text: str, start: int) -> int | None:
    """Index of the bracket that closes the one at `start`; None where there is none near enough."""
    depth, quote = 0, ""
    for position, character in enumerate(text[start : start + _MOST_CHARACTERS], start):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character in "([":
            depth += 1
            if depth > _MOST_NESTED:
                return None
        elif character in ")]":
            depth -= 1
            if depth == 0:
                return position
    return None


def _literal(text: str) -> object:
    """A literal as `ast.literal_eval` has it, with bare names read as words and lists as tuples. Raises SyntaxError, ValueError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python about odd escapes and numbers in somebody's answer
        return _value(ast.parse(text, mode="eval").body)


def _value(node: ast.expr) -> object:
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(_value(item) for item in node.elts)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = _value(node.operand)
        if isinstance(inner, int | float):
            return -inner if isinstance(node.op, ast.USub) else inner
    raise ValueError(f"{type(node).__name__} at character {node.col_offset + 1} is no plain value")


def _for_example(spaces: Mapping[str, Space]) -> str:
    return f"write one tuple {FORMAT}, for example {next(examples(spaces))}"


def examples(spaces: Mapping[str, Space]) -> Iterator[str]:
    """One written example of every action."""
    for name, space in spaces.items():
        yield write(Action(name, space.example()), spaces)

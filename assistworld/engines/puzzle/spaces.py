"""What an action may carry: payload spaces that say in words what they expect, sample uniformly and write what they hold."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Payload: TypeAlias = "int | float | str | tuple[Payload, ...]"


class Misfit(ValueError):
    """A value that is not in a space; the text says what was expected and what came."""


class Space(ABC):
    """The payloads of one action."""

    @abstractmethod
    def fit(self, value: object) -> Payload:
        """The payload that `value` stands for (lists become tuples, numpy numbers Python's). Raises Misfit."""

    @abstractmethod
    def sample(self, rng: np.random.Generator) -> Payload:
        """One payload, uniformly."""

    @abstractmethod
    def describe(self) -> str:
        """What is expected, in words that end a sentence: `a whole number from 1 to 10`."""

    @abstractmethod
    def example(self) -> Payload:
        """One payload to show."""

    def write(self, payload: Payload) -> str:
        """The payload as text that :func:`~assistworld.engines.puzzle.actions.read` reads back exactly."""
        return repr(payload)


@dataclass(frozen=True)
class Word(Space):
    """One fixed word, for actions without a payload: `('undo', 'undo')`."""

    word: str

    def fit(self, value: object) -> Payload:
        if not isinstance(value, str) or value != self.word:
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return self.word

    def sample(self, rng: np.random.Generator) -> Payload:
        return self.word

    def describe(self) -> str:
        return f"the word '{self.word}'"

    def example(self) -> Payload:
        return self.word


@dataclass(frozen=True)
class Whole(Space):
    """Whole numbers from `low` to `high`, both included."""

    low: int
    high: int
    unit: str = ""

    def fit(self, value: object) -> Payload:
        number = _number(value)
        if number is None or not self.low <= number <= self.high or number != int(number):
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return int(number)

    def sample(self, rng: np.random.Generator) -> Payload:
        return int(rng.integers(self.low, self.high + 1))

    def describe(self) -> str:
        return f"a whole number from {self.low} to {self.high}" + (f" ({self.unit})" if self.unit else "")

    def example(self) -> Payload:
        return min(max(self.low + 1, (self.low + 2 * self.high) // 3), self.high)


@dataclass(frozen=True)
class Real(Space):
    """Numbers from `low` to `high`, both included."""

    low: float
    high: float
    unit: str = ""

    def fit(self, value: object) -> Payload:
        number = _number(value)
        if number is None or not self.low <= number <= self.high:
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return float(number)

    def sample(self, rng: np.random.Generator) -> Payload:
        return float(rng.uniform(self.low, self.high))

    def describe(self) -> str:
        return f"a number from {self.low:g} to {self.high:g}" + (f" ({self.unit})" if self.unit else "")

    def example(self) -> Payload:
        return round(self.low + 0.7 * (self.high - self.low), 2)


@dataclass(frozen=True)
class Choice(Space):
    """One of a few whole numbers, each with a meaning: `{0: "right", 1: "up"}`."""

    meanings: Mapping[int, str]

    def fit(self, value: object) -> Payload:
        number = _number(value)
        if number is None or number not in self.meanings:
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return int(number)

    def sample(self, rng: np.random.Generator) -> Payload:
        return list(self.meanings)[int(rng.integers(len(self.meanings)))]

    def describe(self) -> str:
        listed = [f"{number} ({meaning})" for number, meaning in self.meanings.items()]
        return listed[0] if len(listed) == 1 else ", ".join(listed[:-1]) + f" or {listed[-1]}"

    def example(self) -> Payload:
        return next(iter(self.meanings))


@dataclass(frozen=True)
class Row(Space):
    """A fixed number of named parts, written `(x, y)`, or `[x, y]` where `square`. `distinct`: no two parts are equal."""

    parts: tuple[tuple[str, Space], ...]
    square: bool = False
    distinct: bool = False

    def fit(self, value: object) -> Payload:
        found = _sequence(value)
        if found is None or len(found) != len(self.parts):
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        fitted = []
        for (name, space), item in zip(self.parts, found, strict=True):
            try:
                fitted.append(space.fit(item))
            except Misfit as misfit:
                raise Misfit(f"{name}: {misfit}") from None
        if self.distinct and len(set(fitted)) < len(fitted):
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return tuple(fitted)

    def sample(self, rng: np.random.Generator) -> Payload:
        while True:
            drawn = tuple(space.sample(rng) for _, space in self.parts)
            if not self.distinct or len(set(drawn)) == len(drawn):
                return drawn

    def describe(self) -> str:
        opening, closing = "[]" if self.square else "()"
        names = ", ".join(name for name, _ in self.parts)
        alike = len({space.describe() for _, space in self.parts}) == 1
        each = f"each {self.parts[0][1].describe()}" if alike else "; ".join(f"{name}: {space.describe()}" for name, space in self.parts)
        return f"{opening}{names}{closing}, {each}" + (", all different" if self.distinct else "")

    def example(self) -> Payload:
        shown_ = tuple(space.example() for _, space in self.parts)
        if not self.distinct or len(set(shown_)) == len(shown_):
            return shown_
        return self.sample(np.random.default_rng(0))

    def write(self, payload: Payload) -> str:
        items = _sequence(payload)
        if items is None or len(items) != len(self.parts):
            raise Misfit(f"expected {self.describe()}, got {shown(payload)}")
        written = ", ".join(space.write(space.fit(item)) for (_, space), item in zip(self.parts, items, strict=True))
        return f"[{written}]" if self.square else f"({written})"


@dataclass(frozen=True)
class Permutation(Space):
    """An order of `count` things, numbered from `first`; written in square brackets."""

    count: int
    first: int = 0

    def fit(self, value: object) -> Payload:
        found = _sequence(value)
        numbers = None if found is None else [_number(item) for item in found]
        if numbers is None or any(n is None for n in numbers) or sorted(n for n in numbers if n is not None) != self._all():
            raise Misfit(f"expected {self.describe()}, got {shown(value)}")
        return tuple(int(n) for n in numbers if n is not None)

    def sample(self, rng: np.random.Generator) -> Payload:
        return tuple(int(n) for n in rng.permutation(self.count) + self.first)

    def describe(self) -> str:
        return f"a list with each of the numbers {self.first} to {self.first + self.count - 1} once"

    def example(self) -> Payload:
        return tuple(self._all()[::-1])

    def write(self, payload: Payload) -> str:
        return repr(list(payload)) if isinstance(payload, tuple) else repr(payload)

    def _all(self) -> list[int]:
        return list(range(self.first, self.first + self.count))


def shown(value: object, limit: int = 120) -> str:
    """A value as an error quotes it: its repr, cut in the middle."""
    try:
        text = repr(value)
    except (RecursionError, ValueError) as error:  # endless nesting, an integer of more digits than Python writes
        return f"a {type(value).__name__} that cannot be shown ({error})"
    return text if len(text) <= limit else f"{text[: limit // 2]} ... {text[-limit // 2 :]}"


def _number(value: object) -> int | float | None:
    """A Python number for any kind of number; None for what is none, bool included."""
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        value = value.item()
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _sequence(value: object) -> Sequence[object] | None:
    if isinstance(value, np.ndarray):
        return list(value) if value.ndim else None
    return value if isinstance(value, tuple | list) else None

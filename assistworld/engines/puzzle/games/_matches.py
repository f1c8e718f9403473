"""Equations laid with matchsticks: which segments make which sign, which moves leave every sign readable, and when an equation holds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

MatchMove: TypeAlias = tuple[int, int, int, int]
"""Sign and segment that a stick is taken from, sign and segment that it is laid on."""

DIGITS: dict[str, frozenset[int]] = {
    sign: frozenset(segments)
    for sign, segments in {
        "0": (0, 1, 2, 3, 4, 5), "1": (1, 2), "2": (0, 1, 3, 4, 6), "3": (0, 1, 2, 3, 6), "4": (1, 2, 5, 6),
        "5": (0, 2, 3, 5, 6), "6": (0, 2, 3, 4, 5, 6), "7": (0, 1, 2), "8": (0, 1, 2, 3, 4, 5, 6), "9": (0, 1, 2, 3, 5, 6),
    }.items()
}  # fmt: skip
"""Segments 0 top, 1 upper right, 2 lower right, 3 bottom, 4 lower left, 5 upper left, 6 middle."""
OPERATORS: dict[str, frozenset[int]] = {"-": frozenset((0,)), "+": frozenset((0, 1))}
"""Segments 0 lying, 1 upright."""
EQUALS: frozenset[int] = frozenset((0, 1))
SEGMENTS = 7

_EQUATION = re.compile(r"(\d+)([+-])(\d+)=(\d+)")


def segments(sign: str) -> frozenset[int]:
    """The segments of a sign on which sticks lie."""
    return EQUALS if sign == "=" else OPERATORS.get(sign) or DIGITS[sign]


def room(sign: str) -> int:
    """How many segments a sign of this kind has; the sticks of `=` stay where they are."""
    return SEGMENTS if sign in DIGITS else 2


def _read(table: dict[str, frozenset[int]]) -> dict[frozenset[int], str]:
    return {lying: sign for sign, lying in table.items()}


_SIGN_OF = {"digit": _read(DIGITS), "operator": _read(OPERATORS)}


def sign_of(like: str, lying: frozenset[int]) -> str | None:
    """The sign that sticks make on the segments of a sign `like` this one; None where it cannot be read."""
    return _SIGN_OF["digit" if like in DIGITS else "operator"].get(lying)


def _changes(add: bool) -> dict[str, tuple[tuple[int, str], ...]]:
    found = {}
    for sign in (*DIGITS, *OPERATORS):
        lying, change = segments(sign), []
        for segment in range(room(sign)):
            if (segment in lying) != add:
                other = sign_of(sign, lying ^ {segment})
                if other is not None:
                    change.append((segment, other))
        found[sign] = tuple(change)
    return {**found, "=": ()}


_TAKEN, _LAID = _changes(add=False), _changes(add=True)


def _inner() -> dict[str, tuple[tuple[int, int, str], ...]]:
    found: dict[str, tuple[tuple[int, int, str], ...]] = {"=": ()}
    for sign in (*DIGITS, *OPERATORS):
        lying = segments(sign)
        pairs = [(a, b) for a in sorted(lying) for b in range(room(sign)) if b not in lying]
        made = [(a, b, sign_of(sign, lying ^ {a, b})) for a, b in pairs]
        found[sign] = tuple((a, b, other) for a, b, other in made if other is not None)
    return found


_WITHIN = _inner()


def moves(equation: str) -> Iterator[tuple[MatchMove, str]]:
    """Every move of one stick after which all signs are readable, with the equation after it."""
    for i, sign in enumerate(equation):
        for a, b, other in _WITHIN[sign]:
            yield (i, a, i, b), f"{equation[:i]}{other}{equation[i + 1 :]}"
        for a, less in _TAKEN[sign]:
            without = f"{equation[:i]}{less}{equation[i + 1 :]}"
            for j, there in enumerate(equation):
                if j != i:
                    for b, more in _LAID[there]:
                        yield (i, a, j, b), f"{without[:j]}{more}{without[j + 1 :]}"


def holds(equation: str) -> bool:
    """Whether the left side equals the right side."""
    found = _EQUATION.fullmatch(equation)
    if found is None:
        return False
    left, operator, right, result = found.groups()
    return (int(left) + int(right) if operator == "+" else int(left) - int(right)) == int(result)


def is_equation(text: str) -> bool:
    """Whether a text is an equation of this form, true or not."""
    return _EQUATION.fullmatch(text) is not None


def solutions(equation: str, most: int) -> list[tuple[MatchMove, ...]]:
    """All shortest sequences of at most `most` moves to an equation that holds, in the order of :func:`moves`."""
    level: dict[str, list[tuple[MatchMove, ...]]] = {equation: [()]}
    seen: set[str] = set()
    for depth in range(most + 1):
        if found := [sequence for text, ways in level.items() if holds(text) for sequence in ways]:
            return found
        seen.update(level)
        if depth == most:
            break
        after: dict[str, list[tuple[MatchMove, ...]]] = {}
        for text, ways in level.items():
            for move, made in moves(text):
                if made not in seen:
                    after.setdefault(made, []).extend((*way, move) for way in ways)
        level = after
    return []

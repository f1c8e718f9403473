"""Putting pieces in order, by swaps or all at once, for puzzles of shuffled pieces. An order lists the piece at each place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

Order: TypeAlias = tuple[int, ...]


def shuffled(count: int, rng: np.random.Generator) -> Order:
    """A random order that is not the right one."""
    while True:
        order = tuple(rng.permutation(count).tolist())
        if order != tuple(range(count)):
            return order


def swapped(order: Order, a: int, b: int) -> Order:
    """With the pieces at two places exchanged."""
    there = list(order)
    there[a], there[b] = there[b], there[a]
    return tuple(there)


def reordered(order: Order, places: Sequence[int]) -> Order:
    """At each place the piece that was at the place which is listed there."""
    return tuple(order[place] for place in places)


def sorting(order: Order) -> Order:
    """The places to list so that :func:`reordered` sorts."""
    return tuple(order.index(piece) for piece in range(len(order)))


def swaps(order: Order, rng: np.random.Generator) -> list[tuple[int, int]]:
    """Fewest swaps that sort: each brings one piece to its place, in random order of the places."""
    found = []
    for place in rng.permutation(len(order)).tolist():
        if order[place] != place:
            there = order.index(place)
            found.append((there, place))
            order = swapped(order, there, place)
    return found


def order_faults(order: Sequence[int], count: int) -> list[str]:
    """What is wrong with an order from a file."""
    return [] if sorted(order) == list(range(count)) else [f"order {list(order)} does not hold each of 0 to {count - 1} once"]

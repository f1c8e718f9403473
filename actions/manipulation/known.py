"""Answers kept while one command is planned. A search that begins anew with one thing changed asks for much of what it was told before.

An answer is the one that planning again would give, bit for bit, and leaves the budget as planning again would.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

from actions.manipulation.reach import budget_of
from actions.world import ActionWorld
from assistcore.house.state import HouseState

T = TypeVar("T")


class ByState(Generic[T]):
    """Answers by what was asked in a state; two states are the same where all their numbers are."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, list[tuple[HouseState, T]]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._kept.values()))

    def get(self, state: HouseState, asked: Hashable, make: Callable[[], T]) -> T:
        """The answer kept for this, else the one that is made now."""
        body = state.body
        same_body = self._kept.setdefault((asked, body.xy_m, body.heading_rad, body.pose_rad.tobytes()), [])
        for other, answer in same_body:
            if other.same_as(state):
                return answer
        answer = make()
        same_body.append((state, answer))
        return answer


class ByCost(Generic[T]):
    """Answers to which motions were tried. Once the budget is too small for the same tries they are made again, to end where it ends."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[T, int]] = {}

    def get(self, world: ActionWorld, asked: Hashable, make: Callable[[], T]) -> T:
        """The answer kept for this, else the one that is made now. What is asked may hold objects that are told apart by identity."""
        kept = self._kept.get(asked)
        if kept is not None and kept[1] < (budget := budget_of(world)).motions:
            budget.motions -= kept[1]
            return kept[0]
        before = budget_of(world).motions
        answer = make()
        left = budget_of(world).motions
        if left > 0:
            self._kept[asked] = (answer, before - left)
        return answer


class Replay(Generic[T]):
    """An iterator's values for whoever asks, each made once and only when somebody gets that far."""

    def __init__(self, source: Iterator[T]) -> None:
        self._source, self._seen = source, list[T]()

    def __iter__(self) -> Iterator[T]:
        k = 0
        while True:
            if k == len(self._seen):
                try:
                    self._seen.append(next(self._source))
                except StopIteration:
                    return
            yield self._seen[k]
            k += 1

"""The assistant's reply on its way: computed at once, held, delivered at its tick. One at a time; the next request waits for it."""

from __future__ import annotations

from dataclasses import dataclass

from assistcore.world.replies import Reply


@dataclass(frozen=True)
class Letter:
    """A reply in flight."""

    ask: int
    reply: Reply
    due: int


class Mail:
    """At most one letter in flight."""

    def __init__(self) -> None:
        self._letter: Letter | None = None

    @property
    def busy(self) -> bool:
        """Whether a reply is in flight."""
        return self._letter is not None

    def put(self, ask: int, reply: Reply, *, due: int) -> None:
        """Hold a reply. Raises ValueError while another one is in flight: the loop asks again only after delivery."""
        if self._letter is not None:
            raise ValueError(f"reply to ask {ask} while the one to ask {self._letter.ask} is in flight")
        self._letter = Letter(ask, reply, due)

    def take(self, tick: int) -> Letter | None:
        """The letter, once its tick has come."""
        letter = self._letter
        if letter is None or letter.due > tick:
            return None
        self._letter = None
        return letter

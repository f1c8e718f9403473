"""Orders and what they come to: acts with their commands, or the problem in the way."""

from __future__ import annotations

from dataclasses import dataclass

from assistcore.world.views import Legend
from assistworld.agents.grounding.data import Tokens
from assistworld.agents.grounding.meanings import Mention, Resolution, Scene
from assistworld.agents.grounding.things import Thing


@dataclass(frozen=True)
class Order:
    """One clause to carry out. `fills` are phrases settled by answers, `sources` where to look for a phrase, `excluded` keys that are not
    meant, `tries` how often its thing has been looked for."""

    tokens: Tokens
    fills: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sources: tuple[tuple[str, tuple[str, ...]], ...] = ()
    excluded: frozenset[str] = frozenset()
    tries: int = 0


@dataclass(frozen=True)
class Problem:
    """Why an order cannot be carried out now. `what` is a Resolution that is no Found, or a ready question; `slot` the words concerned,
    `first` whether they are the verb's first argument."""

    what: Resolution | str
    kind: str
    slot: Tokens = ()
    doing: str = ""
    first: bool = False


@dataclass(frozen=True)
class Act:
    """One command: the verb's legend entry, grammar verb, keys in the verb's order, a number."""

    concept: str
    entry: Legend
    surface: str
    keys: tuple[str, ...] = ()
    number: str = ""

    def text(self, scene: Scene) -> str:
        """The command text, with the handles as offered."""
        things = [scene.get(k) for k in self.keys]
        parts = [f"[{self.surface}]", *(t.offer.handle for t in things if t is not None), *([self.number] if self.number else [])]
        return " ".join(parts)


@dataclass(frozen=True)
class Grounded:
    """An order as acts, with what it mentioned (most recent last) and remarks to make (`It's already open.`). `vague`: something is put in
    a whole room."""

    acts: tuple[Act, ...]
    mentions: tuple[Mention, ...] = ()
    remarks: tuple[str, ...] = ()
    held: str = ""
    vague: bool = False


@dataclass(frozen=True)
class State:
    """The world as far as the plan has changed it."""

    held: str
    turned: tuple[tuple[str, str], ...] = ()
    placed: tuple[tuple[str, str], ...] = ()
    went: str = ""

    def words(self, thing: Thing) -> tuple[str, ...]:
        """The thing's state words after the planned acts."""
        planned = [w for k, w in self.turned if k == thing.key]
        return (planned[-1],) if planned else thing.offer.state

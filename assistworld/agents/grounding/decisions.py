"""What comes of an utterance: something to do, a question, or nothing; and a question that was asked."""

from __future__ import annotations

from dataclasses import dataclass

from assistworld.agents.grounding.data import Tokens
from assistworld.agents.grounding.nouns import NounPhrase
from assistworld.agents.grounding.orders import Act, Order


@dataclass(frozen=True)
class Decision:
    """What to do about what was heard. `kind`: act, ask, stop (drop everything, do nothing), none. `drops`: a question that ends what was
    being done."""

    kind: str
    acts: tuple[Act, ...] = ()
    commands: tuple[str, ...] = ()
    speech: str = ""
    drops: bool = False


@dataclass(frozen=True)
class Pending:
    """A question that was asked. `kind`: which, direction, where (to look), place (to put), full (where to put what is held
    first), confirm (orders as a whole), open."""

    kind: str
    orders: tuple[Order, ...]
    at: int = 0
    phrase: NounPhrase = NounPhrase()
    keys: tuple[str, ...] = ()
    slot: Tokens = ()
    guess: tuple[str, ...] = ()

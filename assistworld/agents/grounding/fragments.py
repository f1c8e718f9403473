"""Phrases without a verb that amount to an order: where it goes, where to go, what is wanted."""

from __future__ import annotations

from assistworld.agents.grounding.cutting import leading_preposition
from assistworld.agents.grounding.data import Tokens
from assistworld.agents.grounding.lexicon import Lexicon
from assistworld.agents.grounding.meanings import Scene
from assistworld.agents.grounding.nouns import readings
from assistworld.agents.grounding.orders import Grounded, Order, State
from assistworld.agents.grounding.planning import WANT, ground

_GOALS = frozenset({"on", "in", "inside", "into", "to", "back"})


def placing(said: Tokens, scene: Scene, lexicon: Lexicon) -> Order | None:
    """`On the napkin, please.` to somebody who holds something: there it goes. `To the hall`: there the person goes."""
    if said[0] not in _GOALS and said[:2] != ("next", "to"):
        return None
    if said[0] == "to":
        going = Order(("go", *said))
        return going if _possible(going, scene, lexicon) and (not scene.held or _to_a_room(going, scene, lexicon)) else None
    if not scene.held:
        return None
    order = Order(("put", "it", *said), fills=(("it", (scene.held,)),))
    return order if _possible(order, scene, lexicon) else None


def placing_at(said: Tokens, scene: Scene, lexicon: Lexicon) -> Order | None:
    """`Shelf, please.` to somebody who holds something."""
    if not scene.held or leading_preposition(said):
        return None
    order = Order(("bring", "it", "to", *said), fills=(("it", (scene.held,)),))
    return order if _possible(order, scene, lexicon) and not _to_a_room(order, scene, lexicon) else None


def going_on(said: Tokens, last: tuple[Order, ...], scene: Scene, lexicon: Lexicon) -> Order | None:
    """`And now at the black one.`: what was done last, there."""
    before = last[-1].tokens if last else ()
    if said[0] not in {"at", "to", "in", "on", "into"} or said[0] not in before[1:3] or len(said) < 2:
        return None
    order = Order((*before[: before.index(said[0])], *said))
    return order if _possible(order, scene, lexicon) else None


def wanting(said: Tokens, scene: Scene, lexicon: Lexicon) -> Order | None:
    """`The plain yoghurt, please.`: a thing that can be handed over is wanted."""
    if scene.held or leading_preposition(said):
        return None
    order = Order((WANT, *said))
    return order if _possible(order, scene, lexicon) else None


def last_kind(last: tuple[Order, ...], lexicon: Lexicon) -> str:
    """The noun of the first thing in what was done last."""
    for match in lexicon.matches(last[-1].tokens) if last else ():
        for phrase in readings(match.slot("1")):
            if phrase.head:
                return phrase.head
    return ""


def _possible(order: Order, scene: Scene, lexicon: Lexicon) -> bool:
    return isinstance(ground(order, scene, lexicon, State(scene.held)), Grounded)


def _to_a_room(going: Order, scene: Scene, lexicon: Lexicon) -> bool:
    """Whether a walk is to a whole room."""
    result = ground(going, scene, lexicon, State(scene.held))
    things = [scene.get(k) for a in result.acts for k in a.keys] if isinstance(result, Grounded) else []
    return any(t is not None and t.is_room for t in things)

"""Several orders in a row: planned together against what is offered now, the rest kept until more can be seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistworld.agents.grounding.data import phrases
from assistworld.agents.grounding.lexicon import Lexicon, surfaces
from assistworld.agents.grounding.meanings import Found, Mention, Missing, Scene, Unclear
from assistworld.agents.grounding.nouns import readings
from assistworld.agents.grounding.orders import Act, Grounded, Order, Problem, State
from assistworld.agents.grounding.planning import GO, IN, LOOK, ON, OPEN, PICK, choose_entry, ground
from assistworld.agents.grounding.resolve import resolve
from assistworld.agents.grounding.things import room_word

BESIDE_M = 1.2
"""Metres within which a person sees what is on or in something without walking up to it."""
REVEALING = frozenset({OPEN, GO, LOOK, "look around", "turn left", "turn right", "turn around", "forward", "open door"})
"""After these more may be seen: an order that cannot be grounded yet waits."""


@dataclass(frozen=True)
class Planned:
    """Acts to do now, orders for later, and a problem with the first order that has one (then nothing is done)."""

    acts: tuple[Act, ...] = ()
    later: tuple[Order, ...] = ()
    mentions: tuple[Mention, ...] = ()
    remarks: tuple[str, ...] = ()
    problem: Problem | None = None
    unread: bool = False
    at: int = 0


def plan(orders: Sequence[Order], scene: Scene, lexicon: Lexicon, held: str) -> Planned:
    """Ground orders one after the other. A problem in a later order waits if the acts before it may reveal more, else nothing is done."""
    acts: list[Act] = []
    mentions: list[Mention] = []
    remarks: list[str] = []
    state = State(held)
    shown: frozenset[str] = frozenset()
    for index, order in enumerate(orders):
        if "that" in order.tokens:
            order = replace(order, excluded=order.excluded | shown)
        here = replace(scene, mentions=(*reversed(mentions), *scene.mentions))
        result = ground(order, here, lexicon, state)
        if result is None:
            return Planned(unread=True, at=index)
        if (
            isinstance(result, Problem)
            and index + 1 < len(orders)
            and (result.kind in {"purpose", "vague"} or _told_next(result, orders[index + 1]))
        ):
            mentions.extend(_spoken_of(result, here))
            continue
        if isinstance(result, Problem):
            search = _search(result, order, here, lexicon)
            if search is not None:
                act, again = search
                return Planned((*acts, act), (again, *orders[index + 1 :]), tuple(mentions), tuple(remarks))
            if acts and _may_wait(result, acts):
                return Planned(tuple(acts), tuple(orders[index:]), tuple(mentions), tuple(remarks))
            return Planned(problem=result, at=index, mentions=tuple(mentions))
        if acts and _elsewhere(result, acts, scene):
            return Planned(tuple(acts), tuple(orders[index:]), tuple(mentions), tuple(remarks))
        acts.extend(a for i, a in enumerate(result.acts) if i or not acts or a != acts[-1])
        mentions.extend(result.mentions)
        remarks.extend(result.remarks)
        if "this" in order.tokens:
            shown = shown | {a.keys[0] for a in result.acts if a.concept in {ON, IN} and a.keys}
        state = _after(state, result)
        scene = _gone(scene, result.acts)
    return Planned(tuple(acts), (), tuple(mentions), tuple(remarks))


def _puts_away(order: Order, scene: Scene, lexicon: Lexicon) -> bool:
    """Whether an order puts down what is held, by its name."""
    result = ground(order, scene, lexicon, State(scene.held))
    return isinstance(result, Grounded) and not result.held and any(a.keys[:1] == (scene.held,) for a in result.acts)


def _told_next(problem: Problem, following: Order) -> bool:
    """`Get rid of the sock: put it in the basket`: where it goes is said by the next order."""
    return (
        problem.kind == "place"
        and following.tokens[0] in {"put", "throw", "bring", "move"}
        and following.tokens[1] in {"it", "them", "that"}
    )


def hands_first(orders: Sequence[Order], scene: Scene, lexicon: Lexicon) -> tuple[Order, ...]:
    """`Take the other one. Put this back on the shelf.` with a full hand: what is held is put away first."""
    problem = plan(orders, scene, lexicon, scene.held).problem if len(orders) > 1 and scene.held else None
    if problem is None or problem.kind != "full":
        return tuple(orders)
    for at, order in enumerate(orders[1:], 1):
        held = next((t for t in order.tokens[1:3] if t in {"it", "that", "this"}), "")
        if not held and _puts_away(order, scene, lexicon):
            return (order, *orders[:at], *orders[at + 1 :])
        if held and order.tokens[0] in {"put", "place", "set", "return", "lay", "stow", "leave"}:
            tokens = order.tokens[:-1] if order.tokens[-1] == "first" else order.tokens
            away = replace(order, tokens=tokens, fills=(*order.fills, (held, (scene.held,))))
            moved = (away, *orders[:at], *orders[at + 1 :])
            return moved if plan(moved, scene, lexicon, scene.held).problem is None else tuple(orders)
    return tuple(orders)


def put_back_first(orders: Sequence[Order], scene: Scene, lexicon: Lexicon) -> tuple[Order, ...]:
    """`No, I meant the red one` to somebody who holds the wrong one: that goes back to where it was."""
    problem = plan(orders, scene, lexicon, scene.held).problem if orders and scene.held else None
    if problem is None or problem.kind != "full":
        return tuple(orders)
    back = Order(("put", "it", "back"), fills=(("it", (scene.held,)),))
    return (back, *orders) if plan((back, *orders), scene, lexicon, scene.held).problem is None else tuple(orders)


def _spoken_of(problem: Problem, scene: Scene) -> list[Mention]:
    """What a half request names, for the orders after it: `try the middle drawer. Open it.`"""
    for phrase in readings(problem.slot):
        meant = resolve(phrase, scene)
        if isinstance(meant, Found):
            return [Mention(phrase, meant.keys)]
    return []


def _may_wait(problem: Problem, acts: Sequence[Act]) -> bool:
    revealing = any(a.concept in REVEALING for a in acts)
    return revealing and isinstance(problem.what, Missing | Unclear)


def _elsewhere(result: Grounded, acts: Sequence[Act], scene: Scene) -> bool:
    """Whether the plan goes to another room first while this order takes a movable thing from here."""
    if not scene.only or scene.only == room_word(scene.room):
        return False
    for act in result.acts:
        if act.concept == PICK:
            thing = scene.get(act.keys[0])
            if thing is not None and thing.room != scene.only:
                return True
    return False


def _after(state: State, result: Grounded) -> State:
    placed = dict(state.placed)
    for act in result.acts:
        if act.concept == PICK:
            placed.pop(act.keys[0], None)
        elif act.concept in {ON, IN} and len(act.keys) > 1:
            placed[act.keys[0]] = act.keys[1]
    went = next((a.keys[0] for a in reversed(result.acts) if a.concept == GO and a.keys), state.went)
    turned = list(state.turned)
    words = {OPEN: "open", "close": "closed", "turn on": "on", "turn off": "off"}
    turned.extend((a.keys[0], words[a.concept]) for a in result.acts if a.concept in words and a.keys)
    return State(result.held, tuple(turned), tuple(placed.items()), went)


def _gone(scene: Scene, acts: Sequence[Act]) -> Scene:
    """Where the plan has gone to: things are then looked for in that room."""
    for act in acts:
        if act.concept == GO and act.keys:
            thing = scene.get(act.keys[0])
            if thing is not None and thing.room:
                scene = replace(scene, only=thing.room)
    return scene


def _search(problem: Problem, order: Order, scene: Scene, lexicon: Lexicon) -> tuple[Act, Order] | None:
    """The way to see a thing that was said to be somewhere: open it if it is closed, go there if it is far. None when that was done or no
    place was named."""
    if not isinstance(problem.what, Missing) or not problem.first:
        return None
    missing = problem.what
    source = missing.source or next((k for text, k in order.sources if text == missing.phrase.text), ())
    place = scene.get(source[0]) if len(source) == 1 else None
    if place is None or not _takes(order, lexicon):
        return None
    again = replace(order, tries=order.tries + 1)
    if missing.phrase.wildcard and not missing.phrase.head:
        return None
    closed = bool({"closed", "shut"} & set(place.offer.state)) and (place.key, OPEN) not in scene.done
    if order.tries:
        return None
    far = place.offer.distance_m is None or place.offer.distance_m > BESIDE_M
    if closed:
        concept, tries = OPEN, again
    elif place.is_room or place.room != room_word(scene.room) or (far and not place.offer.visible):
        concept, tries = GO, again
    else:
        return None
    entries = lexicon.verbs.get(concept, ())
    if not entries:
        return None
    entry = choose_entry(entries, place)
    return Act(concept, entry, surfaces(entry)[0], (place.key,)), tries


def _takes(order: Order, lexicon: Lexicon) -> bool:
    """Whether the order is to take or bring something: that lets the person open and go to the place named."""
    return any(
        m.pattern.action.name == PICK
        or (m.pattern.action.name in phrases("macros") and m.pattern.action.name.startswith(("fetch", "put")))
        or m.pattern.action.name in {"put on", "put in"}
        or m.pattern.action.name == "search"
        for m in lexicon.matches(order.tokens)
    )

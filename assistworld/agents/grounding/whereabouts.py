"""What is on, in or from somewhere, and what a thing has: relations that need no choice."""

from __future__ import annotations

from collections.abc import Sequence

from assistworld.agents.grounding.meanings import Scene
from assistworld.agents.grounding.text import singular
from assistworld.agents.grounding.things import Thing, adjective_class, modifier_fits


def has_parts(t: Thing, parts: Sequence[str]) -> bool:
    if parts and parts[-1] in {"label", "sticker"} and len(parts) > 1:
        parts = parts[:-1]
    own = t.modifiers | t.further
    own = own | {adjective_class(w) for w in own}
    parts = [adjective_class(p) if adjective_class(p) in own else p for p in parts]
    return bool(parts) and (
        all(p in t.tail for p in parts)
        or all(p in own or p == t.room or any(p in map(singular, x.split()) or p in x.split() for x in t.printed) for p in parts)
    )


def at_places(kind: str, things: list[Thing], others: list[Thing], scene: Scene) -> list[Thing]:
    keys = {o.key for o in others}
    rooms = {o.room for o in others if o.is_room}
    on = [t for t in things if t.offer.on in keys]
    inside = [t for t in things if t.offer.inside in keys or (t.room in rooms and not t.is_room)]
    above = [t for t in things if keys & supports(t, scene)]
    found = [t for t in things if t in on or t in inside] if kind == "from" else (on or inside) if kind == "on" else (inside or on)
    if found or above:
        return found or above
    parts = [t for t in things if not t.offer.movable and any(modifier_fits(o.head, t) for o in others) and t.key not in keys]
    if parts:
        return parts
    loose = [t for t in things if not (t.offer.on or t.offer.inside or t.offer.held) and t.offer.visible and t.offer.movable]
    near = [o for o in others if not {"closed", "shut"} & set(o.offer.state)]
    return loose if len(things) == len(loose) == 1 and any(o.room == loose[0].room and not o.is_room for o in near) else []


def supports(t: Thing, scene: Scene) -> set[str]:
    """Keys of everything that a thing stands on or is in, directly or not."""
    found: set[str] = set()
    for _ in range(8):
        below = next((k for k in (t.offer.inside, t.offer.on) if k), "")
        if not below or below in found:
            break
        found.add(below)
        under = scene.get(below)
        if under is None:
            break
        t = under
    return found

"""From a noun phrase to the offers it means: one, several that need a question, or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistworld.agents.grounding import spatial
from assistworld.agents.grounding.data import word_set, words
from assistworld.agents.grounding.meanings import Fits, Found, Missing, Resolution, Scene, Unclear, Unsuitable
from assistworld.agents.grounding.nouns import NounPhrase, Relation
from assistworld.agents.grounding.text import singular
from assistworld.agents.grounding.things import (
    CONTENT,
    EXACT,
    FURTHER,
    NO_HEAD,
    SYNONYM,
    Thing,
    contradicts,
    head_fit,
    modifier_fits,
    noun_class,
    room_word,
)
from assistworld.agents.grounding.whereabouts import at_places, has_parts

THAT = frozenset({"that", "that one"})
THIS = frozenset({"this", "this one"})
"""What is in the hand, where something else is `that`."""


def resolve(phrase: NounPhrase, scene: Scene, fits: Fits | None = None) -> Resolution:
    """What `phrase` means among what is offered; `fits` says which things the verb can take."""
    test = fits or (lambda _: True)
    answered = scene.filled(phrase.text)
    if answered:
        able = all(test(t) for t in (scene.get(k) for k in answered) if t is not None)
        return Found(answered) if able else Unsuitable(phrase, answered)
    if phrase.pronoun:
        return _pronoun(phrase, scene, test)
    counted = _also_called(phrase, scene, fits)
    if counted is not None:
        return counted
    if phrase.head == "room" and not phrase.modifiers and not phrase.relations:
        here = [t.key for t in scene.things if t.is_room and t.head == room_word(scene.room)]
        if len(here) == 1 and not phrase.other:
            return Found(tuple(here))
    if phrase.head == "room":
        scene = replace(scene, things=tuple(t for t in scene.things if not (t.is_room and t.head == room_word(scene.room))))
    leaf = _own_door(phrase, scene, test)
    if leaf is not None:
        return leaf
    found = _described(phrase, scene, test)
    if phrase.head == "door" and not isinstance(found, Found):
        leading = _door_of_here(phrase, scene, test)
        found = leading if leading is not None else found
    if isinstance(found, Missing) and phrase.head in {"door", "lid", "flap"} and set(phrase.modifiers[-1:]) - set(words("colours")):
        owner = resolve(replace(phrase, head=phrase.modifiers[-1], modifiers=phrase.modifiers[:-1]), scene, fits)
        if not isinstance(owner, Missing):
            return owner
    if isinstance(found, Missing) and fits is not None:
        anyway = _described(phrase, scene, lambda _: True)
        if isinstance(anyway, Found):
            return Unsuitable(phrase, anyway.keys)
        if isinstance(anyway, Unclear) and anyway.keys:
            return Unsuitable(phrase, anyway.keys)
    return found


def _also_called(phrase: NounPhrase, scene: Scene, fits: Fits | None) -> Resolution | None:
    """`the second bottle from the left, the orange one`: counted first, then called otherwise. None where nothing is counted."""
    same = [r for r in phrase.relations if r.kind == "same"]
    rest = tuple(r for r in phrase.relations if r.kind != "same")
    if not same or not (phrase.ordinal or phrase.places or any(r.kind in {"side", "order"} for r in rest)):
        return None
    first = resolve(replace(phrase, relations=rest), scene, fits)
    if not isinstance(first, Found):
        again = resolve(_of_kind(replace(same[0], kind="but"), phrase).of[0], scene, fits)
        return again if isinstance(first, Unclear) and isinstance(again, Found) else None
    meant = resolve(
        _of_kind(replace(same[0], kind="but"), phrase).of[0], replace(scene, things=tuple(t for t in scene.things if t.key in first.keys))
    )
    return first if isinstance(meant, Found) else Missing(phrase)


def _door_of_here(phrase: NounPhrase, scene: Scene, fits: Fits) -> Found | None:
    """`the door to the hall` said in the living room, which has one door: that is called the living room door."""
    rooms = {t.head for t in scene.things if t.is_room}
    if not {noun_class(m) for m in phrase.modifiers} & rooms or len(phrase.modifiers) != 1:
        return None
    here = [t for t in scene.things if noun_class(t.head) == "door" and room_word(scene.room) in {*t.modifiers, t.room} and fits(t)]
    return Found((here[0].key,)) if len(here) == 1 else None


def _own_door(phrase: NounPhrase, scene: Scene, fits: Fits) -> Found | None:
    """`the door` right after the fridge was spoken of: the fridge's."""
    if phrase.head not in {"door", "lid", "flap"} or phrase.distinguished() or phrase.plural or phrase.determiner not in {"the", "its"}:
        return None
    for mention in scene.mentions[:2]:
        owner = scene.get(mention.keys[0]) if len(mention.keys) == 1 else None
        if owner is not None and noun_class(phrase.head) in {noun_class(owner.head), noun_class(owner.offer.category)}:
            return None
        if owner is not None and fits(owner) and "open" in owner.offer.verbs and "drawer" not in owner.head:
            return Found((owner.key,))
    return None


def _pronoun(phrase: NounPhrase, scene: Scene, fits: Fits) -> Resolution:
    if phrase.pronoun == "held":
        in_hand = scene.get(scene.held)
        if in_hand is not None and not fits(in_hand):
            return Unsuitable(phrase, (scene.held,))
        return Found((scene.held,)) if scene.held else Missing(phrase)
    for index, mention in enumerate(scene.mentions):
        present = tuple(t for t in (scene.get(k) for k in mention.keys) if t is not None)
        if phrase.text in THAT and set(mention.keys) & scene.excluded:
            continue
        if phrase.pronoun == "there":
            if len(present) == 1 and not present[0].offer.movable:
                return Found((present[0].key,))
            continue
        if phrase.pronoun == "them":
            if (len(present) > 1 or (present and _many(mention.phrase))) and all(fits(t) for t in present):
                return Found(tuple(t.key for t in present))
            plural = _many(mention.phrase)
            again = _described(mention.phrase, scene, fits) if plural and not present else None
            if isinstance(again, Found) or (isinstance(again, Unclear) and len(again.keys) == 1):
                return Found(again.keys)
            if isinstance(again, Missing) and not scene.held:
                return again
            continue
        if len(present) == 1 and fits(present[0]):
            moved = scene.mentions[index + 1].keys if mention.target and index + 1 < len(scene.mentions) else ()
            if scene.held in {present[0].key, *moved}:
                return Found((scene.held,))
            both = [present[0], *(t for t in (scene.get(k) for k in moved) if t is not None and fits(t))]
            if len(both) > 1:
                return Unclear("which", phrase, tuple(t.key for t in both))
            return Found((present[0].key,))
        if not mention.keys and mention.phrase.head:
            again = _described(mention.phrase, scene, fits)
            if not (isinstance(again, Missing) and scene.held):
                return again
    held = scene.get(scene.held)
    if held is not None and phrase.pronoun != "there" and fits(held) and not (phrase.text in THAT and held.key in scene.excluded):
        return Found((held.key,))
    return Unclear("what", phrase)


def _many(phrase: NounPhrase) -> bool:
    """Whether it is spoken of as several: `them`."""
    spoken = phrase.text.split()
    return phrase.plural or phrase.text.endswith("s") or any(w.endswith("s") and phrase.head in {w, singular(w), w[:-1]} for w in spoken)


def _described(phrase: NounPhrase, scene: Scene, fits: Fits) -> Resolution:
    pool = [t for t in scene.things if fits(t) and t.key not in scene.excluded]
    if scene.only and not phrase.relations:
        pool = [t for t in pool if t.room == scene.only or t.is_room or t.key == scene.held or not t.offer.movable]
    named, phrase = _named(phrase, scene, pool)
    if not named:
        return _nowhere(phrase, scene)
    kept, confirm = _modified(phrase, named)
    if not kept:
        return Missing(phrase, source=_source(phrase, scene), nearly=tuple(t.key for t, _ in named))
    narrowed = _related(phrase, scene, [t for t, _ in kept])
    if not isinstance(narrowed, list):
        return narrowed
    kept_fits = dict(kept)
    things, doubtful = _best(scene, narrowed, kept_fits, phrase)
    spoken = scene.mentions[0].keys if scene.mentions and phrase.head and not phrase.distinguished() and not phrase.plural else ()
    if len(things) > 1 and len(spoken) == 1 and kept_fits.get(scene.get(spoken[0]) or things[0], NO_HEAD) >= FURTHER:
        things.extend(t for t in narrowed if t.key in spoken and t not in things)
    rivals = [f for t, f in named if t.offer.visible and not any(contradicts(w, t) for w in phrase.modifiers)]
    fit = kept_fits[things[0]]
    confirm = confirm or doubtful or (fit <= SYNONYM and any(f > fit for f in rivals))
    chosen = _chosen(phrase, scene, things)
    partly = phrase.determiner == "some" and not phrase.plural
    if isinstance(chosen, Found) and (confirm or partly):
        return Unclear("confirm", phrase, chosen.keys)
    return chosen


def _best(scene: Scene, things: list[Thing], fits: dict[Thing, int], phrase: NounPhrase) -> tuple[list[Thing], bool]:
    """Of what is here (in view, or in this room or the one gone to) what the noun names best; whether that needs asking."""
    where = scene.only or room_word(scene.room)
    here = [t for t in things if (t.offer.visible and not scene.only) or t.room == where or t.is_room or t.offer.held]
    if not here:
        return [t for t in things if fits[t] >= FURTHER] or things, all(fits[t] < FURTHER for t in things)
    best = max(fits[t] for t in here)
    chosen = [t for t in here if fits[t] == best]
    content = best == CONTENT and not all(t.offer.movable and t.head in word_set("content_heads") for t in chosen)
    plural = phrase.plural and phrase.head and phrase.text.split()[-1:] == [phrase.head + "s"] and phrase.head + "s" not in chosen[0].raw
    lights = noun_class(phrase.head) == "lamp"
    return chosen, content or bool(plural and len(chosen) == 1 and not lights)


def _named(phrase: NounPhrase, scene: Scene, pool: Sequence[Thing]) -> tuple[list[tuple[Thing, int]], NounPhrase]:
    """Things that the noun names with how it does; a bare `one` takes the noun spoken of before, then anything."""
    if phrase.head:
        found = [(t, head_fit(phrase, t)) for t in pool]
        return [(t, f) for t, f in found if f != NO_HEAD], phrase
    if phrase.modifiers and not ({"one", "ones"} | _THINGS) & set(phrase.text.split()):
        noun = replace(phrase, head=phrase.modifiers[-1], modifiers=phrase.modifiers[:-1], wildcard=False)
        exact = [(t, f) for t, f in ((t, head_fit(noun, t)) for t in pool) if f == EXACT]
        if exact:
            return exact, noun
    anything = bool(_THINGS & set(phrase.text.split())) and bool(phrase.relations or phrase.modifiers)
    hints = [scene.hint] if scene.hint else [] if anything else [m.phrase.head for m in scene.mentions[:2] if m.phrase.head]
    if phrase.modifiers and not scene.hint:
        hints = [h for full in hints for h in dict.fromkeys((full.rpartition("-")[2], full))]
    elif phrase.other and not scene.hint:
        hints = [h for full in hints for h in dict.fromkeys((full, full.rpartition("-")[2]))]
    inherited = _same_sort(phrase, scene, pool) if phrase.other and not scene.hint else None
    if inherited is not None:
        return inherited
    for hint in hints:
        named, with_head = _named(replace(phrase, head=hint), scene, pool)
        if phrase.other and scene.mentions and {t.key for t, _ in named} <= set(scene.mentions[0].keys):
            continue
        if named and _modified(with_head, named)[0]:
            return named, with_head
    sided = bool(phrase.places or phrase.ordinal) and not _THINGS & set(phrase.text.split())
    if not hints and not phrase.modifiers and (sided or {"one", "ones"} & set(phrase.text.split())) and not _placed_by_thing(phrase):
        return [], phrase
    if hints and "one" in phrase.text.split() and scene.hint:
        return [], replace(phrase, head=hints[0])
    if phrase.other and not hints:
        return [(t, EXACT) for t in pool if t.key != scene.held and not t.is_room], phrase
    return [(t, EXACT) for t in pool if not t.is_room], phrase


_PLAIN_WORDS = frozenset(
    (
        "cardboard wooden wicker plastic metal glass paper leather steel large big tall open empty "
        "brown white black grey red blue green yellow"
    ).split()
)
"""What a box or a basket is like; other words before it say what it is full of."""
_THINGS = frozenset({"thing", "things", "object", "objects", "item", "items", "stuff"})


def _placed_by_thing(phrase: NounPhrase) -> bool:
    """Whether a phrase says where the thing is by another thing: that names it without a noun."""
    return any(r.of or r.value in {"hand", "floor"} for r in phrase.relations)


def _same_sort(phrase: NounPhrase, scene: Scene, pool: Sequence[Thing]) -> tuple[list[tuple[Thing, int]], NounPhrase] | None:
    """`the other one` after `the upper cabinet`: another upper cabinet where there is one."""
    for mention in scene.mentions[:2]:
        before = mention.phrase
        if not before.head or not (before.modifiers or before.places) or len(mention.keys) != 1:
            continue
        named, with_head = _named(
            replace(phrase, head=before.head, modifiers=(*before.modifiers, *phrase.modifiers), places=before.places), scene, pool
        )
        kept = _modified(with_head, named)[0]
        if any(t.key not in mention.keys for t, _ in kept):
            return kept, with_head
    return None


def _modified(phrase: NounPhrase, named: Sequence[tuple[Thing, int]]) -> tuple[list[tuple[Thing, int]], bool]:
    """Those of which every adjective is true, and whether that was so far from certain that it must be confirmed."""
    tails = phrase.wildcard and not phrase.head and not _THINGS & set(phrase.text.split())
    kept = [(t, f) for t, f in named if all(modifier_fits(w, t) or (tails and w in t.tail) for w in phrase.modifiers)]
    if kept or not phrase.modifiers:
        return kept, False
    lids = [(t, f) for t, f in named if all(modifier_fits(w, t) or w in t.tail for w in phrase.modifiers)]
    if len(lids) == 1:
        return lids, True
    soft = word_set("soft")
    hard = [w for w in phrase.modifiers if w not in soft]
    kept = [
        (t, f)
        for t, f in named
        if all(modifier_fits(w, t) for w in hard) and not any(contradicts(w, t) for w in phrase.modifiers if w in soft)
    ]
    if kept:
        return kept, False
    if all(w in words("colours") for w in hard):
        kept = [(t, f) for t, f in named if not any(contradicts(w, t) for w in phrase.modifiers) and not _coloured(t)]
    return (kept, True) if len(kept) == 1 and len(named) == 1 else ([], False)


def _coloured(t: Thing) -> bool:
    return any(c in t.modifiers or c in t.further for c in words("colours"))


def _nowhere(phrase: NounPhrase, scene: Scene) -> Resolution:
    """Nothing of that name: missing, or first a question about the place where it is said to be."""
    for relation in phrase.relations:
        if relation.kind in {"from", "in", "on"} and relation.of:
            place = resolve(relation.of[0], replace(scene, hint=""))
            if isinstance(place, Unclear) and place.keys:
                return replace(place, wanted=next((w for w in phrase.text.split() if singular(w) == phrase.head), phrase.head))
    return Missing(phrase, source=_source(phrase, scene))


def _source(phrase: NounPhrase, scene: Scene) -> tuple[str, ...]:
    """Keys of the place that the phrase says the thing is at."""
    for relation in phrase.relations:
        if relation.kind in {"from", "in", "on"} and relation.of:
            place = resolve(relation.of[0], replace(scene, hint=""))
            if isinstance(place, Found):
                return place.keys
    return ()


def candidates(phrase: NounPhrase, scene: Scene) -> list[Thing]:
    """Everything a phrase could mean, before any choice among equals; for what other things are placed by."""
    found = resolve(phrase, replace(scene, hint=""))
    if isinstance(found, Found) or (
        isinstance(found, Unclear) and (found.why == "which" or (found.why == "confirm" and len(found.keys) == 1))
    ):
        return [t for t in (scene.get(k) for k in found.keys) if t is not None]
    return []


def _related(phrase: NounPhrase, scene: Scene, things: list[Thing]) -> list[Thing] | Resolution:
    """Those for which every relation holds."""
    for relation in phrase.relations:
        if relation.kind in {"order", "side"}:
            continue
        kept = _holding(_of_kind(relation, phrase), scene, things)
        if relation.kind == "for" and not (isinstance(kept, list) and kept):
            continue
        if not isinstance(kept, list):
            return kept
        if not kept:
            return Missing(phrase, source=_source(phrase, scene), nearly=tuple(t.key for t in things))
        things = kept
    return things


def _of_kind(relation: Relation, phrase: NounPhrase) -> Relation:
    """`the mug between the red one and the white one`: the other ones are mugs too."""
    if not phrase.head or relation.kind in {"in", "on", "from", "with", "without", "of", "for"}:
        return relation
    of = tuple(replace(o, head=phrase.head, wildcard=False) if o.wildcard and not o.head and not o.pronoun else o for o in relation.of)
    return replace(relation, of=of)


def _holding(relation: Relation, scene: Scene, things: list[Thing]) -> list[Thing] | Resolution:
    if relation.kind == "label":
        wanted = [w for w in relation.value.split() if w not in word_set("determiners")]
        return [t for t in things if any(" ".join(wanted) in p for p in t.printed) or all(modifier_fits(w, t) for w in wanted)]
    if relation.kind.startswith("un:"):
        held = _holding(replace(relation, kind=relation.kind[3:]), scene, things)
        return [t for t in things if t not in held] if isinstance(held, list) else things
    of = relation.of[0]
    if relation.kind in {"with", "without", "of", "for"}:
        parts = [*of.modifiers, *([of.head] if of.head else [])]
        has = [t for t in things if has_parts(t, parts)]
        if relation.kind == "with" and not has:
            inner = candidates(of, scene)
            has = [t for t in things if any(t.key in {i.offer.inside, i.offer.on} for i in inner)]
        return has if relation.kind != "without" else [t for t in things if t not in has]
    if relation.kind == "same":
        return [t for t in things if t in candidates(of, replace(scene, things=tuple(things)))]
    if relation.kind == "but":
        out = candidates(of, replace(scene, things=tuple(things)))
        return [t for t in things if t not in out]
    others = candidates(of, scene)
    if not others:
        place = resolve(of, replace(scene, hint=""))
        return place if isinstance(place, Unclear) else Missing(of)
    if relation.kind in {"on", "in", "from"}:
        return at_places(relation.kind, things, others, scene)
    return _around(relation, scene, things, others)


def _around(relation: Relation, scene: Scene, things: list[Thing], others: list[Thing]) -> list[Thing] | Resolution:
    seen, refs = spatial.placed(things), spatial.placed(others)
    if not refs or not seen:
        return things if len(things) == 1 else []
    if relation.kind == "farthest":
        return spatial.farthest(seen, refs)
    if relation.kind in {"near", "nearest"}:
        return spatial.beside(seen, refs, nearest=relation.kind == "nearest")
    if relation.kind == "between":
        second = spatial.placed(candidates(relation.of[-1], scene))
        pair = [*refs[:1], *second[:1]] if len(relation.of) == 2 else refs
        return spatial.between(seen, pair[0], pair[1]) if len(pair) == 2 else []
    found: list[Thing] = []
    for ref in refs:
        found.extend(t for t in spatial.relative(relation.kind, seen, ref) if t not in found)
    if not found and relation.kind == "behind":
        return [t for t in things if t in others]
    return found


def _chosen(phrase: NounPhrase, scene: Scene, things: list[Thing]) -> Resolution:
    """Narrowed by `other`, number, position and what one would naturally mean."""
    if phrase.other and not scene.excluded:
        last = next((m.keys for m in scene.mentions if m.keys and any(t.key in m.keys for t in things)), ())
        rest = [t for t in things if t.key not in last and t.key != scene.held]
        if len(rest) == len(things) and len(things) > 1:
            return Unclear("which", phrase, tuple(t.key for t in things))
        things = rest
    orders = [r.value for r in phrase.relations if r.kind == "order"]
    if phrase.ordinal:
        counted = spatial.nth(things, phrase.ordinal, orders[0] if orders else "")
        if counted is None:
            return (
                Unclear("direction" if not orders else "which", phrase, tuple(t.key for t in things))
                if len(things) > 1
                else Missing(phrase)
            )
        things = counted
    for side in [*phrase.places, *(r.value for r in phrase.relations if r.kind == "side"), *([] if phrase.ordinal else orders)]:
        things = _by_side(side, things)
    if not things:
        return Missing(phrase)
    if phrase.count or (phrase.plural and len(things) > 1):
        return _several(phrase, things)
    if len(things) == 1:
        return Found((things[0].key,))
    return _salient(phrase, scene, things)


def _by_side(side: str, things: list[Thing]) -> list[Thing]:
    table = words("places")
    written = [t for t in things if any(table.get(w, w) == side for w in t.modifiers)]
    seen = spatial.at_side(things, side)
    if not written or not spatial.placed(things):
        return written or seen
    both = [t for t in written if t in seen or not spatial.placed([t])]
    return both or [*written, *(t for t in seen if t not in written)]


def _several(phrase: NounPhrase, things: list[Thing]) -> Resolution:
    keys = tuple(t.key for t in things)
    if phrase.count == 1:
        if len(things) == 1:
            return Found(keys)
        if phrase.determiner == "any":
            return Found((spatial.at_side(things, "near")[0].key,))
        return Unclear("which", phrase, keys)
    seen = [t for t in things if t.offer.visible]
    if phrase.count > 1 and len(things) != phrase.count:
        if len(seen) == phrase.count:
            return Found(tuple(t.key for t in seen))
        return Unclear("which", phrase, keys)
    if seen and len(seen) < len(things):
        return Found(tuple(t.key for t in seen)) if len(seen) > 1 else Unclear("which", phrase, keys)
    return Found(keys) if len(keys) <= 8 else Unclear("which", phrase, keys)


def _salient(phrase: NounPhrase, scene: Scene, things: list[Thing]) -> Resolution:
    """The one that was just spoken of, else the only one in view, else the only one in this room."""
    keys = tuple(t.key for t in things)
    if phrase.determiner == "any":
        return Found((spatial.at_side(things, "near")[0].key,))
    if phrase.determiner in {"a", "an", "some"}:
        return Unclear("which", phrase, keys)
    spoken = next((m.keys for m in scene.mentions if set(m.keys) & set(keys)), ())
    if len(spoken) == 1 and phrase.head and not phrase.distinguished() and spoken[0] in keys:
        return Found(spoken)
    if phrase.head == "door" and not phrase.distinguished():
        own = [t.key for t in things if room_word(scene.room) in t.modifiers]
        if len(own) == 1:
            return Found(tuple(own))
    bridged = _place_of_mentioned(scene, keys) if phrase.head and not phrase.distinguished() else ""
    if bridged:
        return Found((bridged,))
    seen = [t.key for t in things if t.offer.visible]
    near = [t for t in things if t.offer.visible or t.room == room_word(scene.room)]
    sensible = [t.key for t in near if scene.sense & set(t.offer.state)]
    if scene.goal and not sensible:
        plain = [t.key for t in near if {*t.modifiers, *t.head.split("-")[:-1]} <= _PLAIN_WORDS and not t.modifiers & {"small", "little"}]
        sensible = plain if len(plain) == 1 else sensible
    if len(sensible) == 1:
        return Found(tuple(sensible))
    if len(seen) == 1:
        return Found(tuple(seen))
    here = [t.key for t in things if t.room == room_word(scene.room)]
    if not seen and len(here) == 1:
        return Found(tuple(here))
    return Unclear("which", phrase, tuple(seen) if len(seen) > 1 else keys)


def _place_of_mentioned(scene: Scene, keys: Sequence[str]) -> str:
    """`take the glass and close that cupboard`: of several cupboards that which the glass just spoken of is or was in."""
    for mention in scene.mentions[:2]:
        for key in mention.keys[:1]:
            spoken = scene.get(key)
            place = (spoken.offer.inside or spoken.offer.on or dict(scene.origins).get(key, "")) if spoken is not None else ""
            if place in keys:
                return place
    return ""

"""What a person could ask next: a verb, arguments from the offer, and what leads up to it (fetch the tool, open the lid, free the hand).

Nothing here decides whether a wish can be met: much of it is refused, which is part of what random scripts try.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistcore.house.stage import Entity, StageModel
from assistcore.world.engine import NumberArg, VerbInfo
from assistcore.world.views import Offered
from assistworld.studies.likely import likely
from assistworld.studies.sampling import choose

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine

LED_UP = 0.85
"""How often what a wish needs is asked for first."""
LIKELY = 0.8
"""How often something is wished of which the verb could make something; else of anything that it is about."""
SPOT_SHARE = 0.3
LONGEST_WAIT = 60.0
"""Where a number may be larger, larger ones are rare."""


def wish(engine: HouseEngine, rng: np.random.Generator) -> list[str]:
    """Command texts: what leads up to a random verb, as far as it is known now, and the verb itself."""
    asked = _Asked(engine, rng)
    infos = [info for info in engine.vocabulary.verbs if info.name != "cook"]
    if rng.random() < 1 / (len(infos) + 1) and (cooking := asked.cooking()):
        return cooking
    info: VerbInfo = choose(rng, infos)
    while not asked.anything_for(info) and rng.random() < LED_UP:
        info = choose(rng, infos)
    entities = asked.entities(info)
    text = asked.text(info, entities)
    return [*asked.before(info, entities), text] if rng.random() < LED_UP else [text]


@dataclass
class _Asked:
    """One moment: what is offered, what is held, and the draws."""

    engine: HouseEngine
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.stage: StageModel = self.engine.stage
        self.graph = self.engine.graph()
        self.offers = {o.key: o for o in self.engine.offer("human")}
        held = self.engine.state.held
        self.held = held.entity if held is not None else ""
        self.here = str(self.graph.value("human_1", "room") or "")

    def entities(self, info: VerbInfo) -> dict[str, str]:
        """Keys for the arguments that name things, by argument."""
        numbers, symbols = {n.name for n in info.numbers}, {name for name, _ in info.symbols}
        found: dict[str, str] = {}
        for name in (a.rstrip("?") for a in info.args):
            if name in numbers or name in symbols:
                continue
            options = [k for k in self._fitting(info, name, found) if k not in found.values()] or list(self.offers)
            if self.rng.random() < LIKELY:
                options = likely(self.stage, self.graph, info.name, name, next(iter(found.values()), ""), options)
            found[name] = self._one(options)
        return found

    def anything_for(self, info: VerbInfo) -> bool:
        """Whether the scene has something that the verb's first thing and its tool can be (verbs about no thing: yes)."""
        taken = {n.name for n in info.numbers} | {name for name, _ in info.symbols}
        names = [name for a in info.args if (name := a.rstrip("?")) not in taken]
        return all(self._fitting(info, name, {}) for n, name in enumerate(names) if n == 0 or name == "tool")

    def _fitting(self, info: VerbInfo, name: str, found: dict[str, str]) -> list[str]:
        """Keys that make sense for an argument; the first one is held or free, as the verb needs it."""
        first = next(iter(found.values()), "")
        match name:
            case "tool" if info.name != "wipe":
                return self._with(info.name)
            case "target" if info.name == "wipe":
                return self._with("patch") if self.rng.random() < 0.6 else self._with("surface", "drinkable")
            case "source":
                return [k for k in self.offers if isinstance(volume := self.graph.value(k, "volume_ml"), int) and volume > 0]
            case "surface" | "container":
                kind = {"surface": "surface", "container": "interior"}[name]
                return [k for k in self._things() if any(r.kind == kind for r in self._entity(k).regions)]
            case "support":
                return [k for k in self._related(first, "on") if k in self.offers]
            case "parent":
                return [k for k in self._related(first, "attached") if k in self.offers] or self._sockets(first)
            case "destination" | "anchor":
                return [k for k, o in self.offers.items() if not o.movable]
        if info.name == "fall_to_floor":
            return [k for k in self._things() if self._related(k, "on")]
        if info.name == "detach":
            return [a.child for a in self.engine.state.attached if a.child in self.offers]
        usable = info.name == "release" or (self.held and info.name in self.offers[self.held].verbs)
        if info.hands == "holds" and self.held and not found and usable and self.rng.random() < 0.6:
            return [self.held]
        if info.name == "release":
            return [k for k, o in self.offers.items() if o.movable]
        return [k for k, o in self.offers.items() if info.name in o.verbs]

    def _one(self, keys: list[str]) -> str:
        """One of them, those in hand, in sight or in the room more often."""
        weights = np.array([self._weight(self.offers[k]) for k in keys])
        return str(keys[int(self.rng.choice(len(keys), p=weights / weights.sum()))])

    def _weight(self, offer: Offered) -> float:
        return 8.0 if offer.held else 5.0 if offer.visible else 2.0 if offer.room == self.here else 0.5

    def text(self, info: VerbInfo, entities: dict[str, str]) -> str:
        """A wish in the grammar."""
        surface = str(choose(self.rng, list(info.surface)))
        parts = [f"[{surface}]"]
        numbers = {n.name: n for n in info.numbers}
        for name in (a.rstrip("?") for a in info.args):
            if name in entities:
                parts.append(self.offers[entities[name]].handle)
            elif name in numbers and surface not in info.bare and self.rng.random() < 0.5:
                parts.append(self._number(numbers[name]))
        if {"surface", "container"} & set(entities) and self.rng.random() < SPOT_SHARE:
            parts.append(f"@place_spot={self.rng.uniform(-0.8, 0.8):.2f}:{self.rng.uniform(0.1, 0.9):.2f}")
        return " ".join(parts)

    def _number(self, number: NumberArg) -> str:
        high = number.high if self.rng.random() < 0.05 else min(number.high, LONGEST_WAIT if number.high > 360.0 else number.high)
        suffix, factor = choose(self.rng, list(number.units))
        return f"{self.rng.uniform(number.low, high) / factor:.2f}{suffix and ' ' + suffix}"

    def before(self, info: VerbInfo, entities: dict[str, str]) -> list[str]:
        """What has to be done first, one level deep."""
        keys = list(entities.values())
        needed = next((entities[n] for n in ("tool", "source") if n in entities), keys[0] if keys else "")
        out: list[str] = []
        if info.name == "standup" and (seats := [k for k, o in self.offers.items() if "sit" in o.verbs]):
            return [self._say("Sit", self._one(seats))]
        for key in keys:
            out += [self._say("Open", owner) for owner in self._closed(key)]
        if (into := entities.get("container", "")) and self.graph.has("closed", into):
            out.append(self._say("Open", into))
        if info.hands == "holds" or info.name == "wipe":
            return out if needed in (self.held, "") else [*self._free_hand(), *out, self._say("Grab", needed)]
        return [*self._free_hand(), *out] if info.hands == "empty" else out

    def _free_hand(self) -> list[str]:
        if not self.held:
            return []
        rest = [k for k in self._fitting_surface() if self.offers[k].room == self.here]
        return [f"{self._say('Put', self.held)} {self.offers[self._one(rest)].handle}"] if rest and self.rng.random() < 0.7 else ["[Drop]"]

    def cooking(self) -> list[str]:
        """Food into something that heats, its door shut and its switch on, until it is done."""
        food, heat = self._with("cookable"), [k for k in self._with("heat") if any(r.kind == "interior" for r in self._entity(k).regions)]
        if not food or not heat:
            return []
        it, oven = self._one(food), self._one(heat)
        named = self.offers[oven].handle
        fetch = [*self._free_hand(), *(self._say("Open", owner) for owner in self._closed(it)), self._say("Grab", it)]
        into = [f"[Open] {named}", f"{self._say('PutIn', it)} {named}", f"[Close] {named}", f"[TurnOn] {named}"]
        return [*([] if oven in self._related(it, "inside") else [*fetch, *into]), self._say("Cook", it)]

    def _fitting_surface(self) -> list[str]:
        return [k for k in self._things() if k != self.held and any(r.kind == "surface" for r in self._entity(k).regions)]

    def _closed(self, key: str) -> list[str]:
        """What encloses a thing and is shut."""
        return [k for k in self._related(key, "inside") if k in self.offers and self.graph.has("closed", k)]

    def _related(self, key: str, predicate: str) -> tuple[str, ...]:
        value = self.graph.value(key, predicate)
        return value if isinstance(value, tuple) else ()

    def _sockets(self, child: str) -> list[str]:
        """Things with a socket that a plug of the child goes into."""
        plugs = {c.fits for c in self._entity(child).connectors if c.kind == "plug"} if child in self._things() else set()
        return [k for k in self._things() if any(c.kind == "socket" and c.fits in plugs for c in self._entity(k).connectors)]

    def _with(self, *roles: str) -> list[str]:
        return [k for k in self._things() if set(roles) & self._entity(k).roles]

    def _things(self) -> list[str]:
        """What is offered and no room."""
        return [k for k in self.offers if k in self.stage.by_key]

    def _entity(self, key: str) -> Entity:
        return self.stage.entity(key)

    def _say(self, verb: str, key: str) -> str:
        return f"[{verb}] {self.offers[key].handle}"

"""What a conversation needs to be understood: what was spoken of, done, asked, and where things were."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assistcore.world.views import HumanView
from assistworld.agents.grounding.decisions import Pending
from assistworld.agents.grounding.meanings import Mention, Scene
from assistworld.agents.grounding.orders import Act, Order
from assistworld.agents.grounding.planning import PICK
from assistworld.agents.grounding.things import thing

MOST_MENTIONS = 8


@dataclass
class Memory:
    """One conversation. `later` are orders that wait for the next outcome, `done` what was last done to what."""

    mentions: tuple[Mention, ...] = ()
    last: tuple[Order, ...] = ()
    later: tuple[Order, ...] = ()
    pending: Pending | None = None
    origins: dict[str, str] = field(default_factory=dict)
    inside: set[str] = field(default_factory=set)
    spoken: list[str] = field(default_factory=list)
    resumed: bool = False
    done: tuple[tuple[str, str], ...] = ()
    steps: int = 12

    def scene(self, view: HumanView) -> Scene:
        """What the view offers, with what was spoken of."""
        things = tuple(thing(o) for o in view.offers)
        held = next((o.key for o in view.offers if o.held), "")
        held = held or next((o.key for o in view.offers if view.held and view.held in {o.key, o.handle}), "")
        return Scene(
            things,
            held,
            view.room,
            self.mentions,
            origins=tuple(sorted(self.origins.items())),
            was_inside=frozenset(self.inside),
            done=frozenset(self.done),
        )

    def remember_origins(self, acts: Sequence[Act], scene: Scene) -> None:
        """Where things are that will be picked up: the person knows where it took them from."""
        for act in acts:
            taken = scene.get(act.keys[0]) if act.concept == PICK else None
            if taken is not None and (taken.offer.on or taken.offer.inside):
                self.origins[taken.key] = taken.offer.on or taken.offer.inside
                (self.inside.add if taken.offer.inside and not taken.offer.on else self.inside.discard)(taken.key)

    def remember_places(self, view: HumanView) -> None:
        """Where movable things are seen: that is where they are taken from."""
        for offer in view.offers:
            if offer.movable and not offer.held and offer.key != view.held and (offer.on or offer.inside):
                self.origins[offer.key] = offer.on or offer.inside
                (self.inside.add if offer.inside and not offer.on else self.inside.discard)(offer.key)

    def drop(self) -> None:
        """Forget what was to be done; keep what was spoken of."""
        self.later, self.pending = (), None

    def mention(self, mentions: Sequence[Mention]) -> None:
        """Remember what was spoken of, most recent last in the argument."""
        self.mentions = (*reversed(mentions), *self.mentions)[:MOST_MENTIONS]

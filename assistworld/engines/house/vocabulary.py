"""What generic code may know of the house: its verbs, predicates, attributes, codes and observation channels."""

from __future__ import annotations

from functools import lru_cache

from actions.verb import all_verbs
from assistcore.house.attributes import ATTRIBUTES
from assistcore.house.relations import PREDICATES
from assistcore.world.engine import ChannelInfo, Vocabulary
from assistcore.world.outcomes import CORE_CODES

CHANNELS = (
    ChannelInfo("fpv", "image", ("assistant", "human"), "the person's first-person view"),
    ChannelInfo("map", "image", (), "the home from above, for reports; no role gets it"),
)


@lru_cache(maxsize=1)
def house_vocabulary() -> Vocabulary:
    """The vocabulary, made once."""
    return Vocabulary(all_verbs(), PREDICATES, ATTRIBUTES, CORE_CODES, CHANNELS)

"""Entity references as the command grammar writes them (seed B.3.1): `<red_mug> (2)`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_WORD = re.compile(r"[^a-z0-9]+")
_KEY = re.compile(r"^(?P<name>[a-z][a-z0-9_]*?)_(?P<index>\d+)$")


def normal_name(text: str) -> str:
    """Lower-case underscore form of an entity name: `Red  Mug` -> `red_mug`."""
    return _WORD.sub("_", text.strip().lower()).strip("_")


@dataclass(frozen=True, order=True)
class EntityRef:
    """A named entity and its instance index (1 unless given; symbolic connector arguments default to 0)."""

    name: str
    index: int = 1

    @property
    def key(self) -> str:
        """The flat identifier used in graphs, packs and stage files: `red_mug_2`."""
        return f"{self.name}_{self.index}"

    @property
    def surface(self) -> str:
        """The form in a command: `<red_mug> (2)`."""
        return f"<{self.name}> ({self.index})"

    @classmethod
    def from_key(cls, key: str) -> EntityRef:
        """Inverse of `key`. Raises ValueError naming the text when it is not `name_index`."""
        match = _KEY.match(key)
        if match is None:
            raise ValueError(f"entity key {key!r} is not of the form name_index, such as 'red_mug_2'")
        return cls(match["name"], int(match["index"]))

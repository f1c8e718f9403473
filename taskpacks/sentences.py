"""What a sentence that is spoken aloud may not contain: handles, brackets, keys, verb names of the grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable

from assistcore.world.engine import Vocabulary

_KEY = re.compile(r"\b[a-z][a-z]*(?:_[a-z0-9]+)*_\d+\b", re.IGNORECASE)
_HUMP = re.compile(r"^(?:[A-Z][a-z]+){2,}$")


def machine_words(sentence: str, vocabulary: Vocabulary, keys: Iterable[str] = ()) -> tuple[str, ...]:
    """What in a sentence no person would say. Plain words that are also verbs (`Open`, `Put`) are plain words."""
    found = [c for c in "<>[]{}$" if c in sentence]
    found += _KEY.findall(sentence)
    words = set(re.findall(r"[A-Za-z_0-9]+", sentence))
    names = {v.name for v in vocabulary.verbs if "_" in v.name} | {s for v in vocabulary.verbs for s in v.surface if _HUMP.match(s)}
    found += sorted(words & names)
    found += sorted(k for k in keys if "_" in k and k in words and k not in found)
    return tuple(found)

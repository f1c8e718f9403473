"""The word lists, loaded once: `words.yaml` (English), `phrases.yaml` (ways to ask for things), `verbs.yaml` (verbs and their frames)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

Tokens = tuple[str, ...]

_HERE = Path(__file__).parent


class _Plain(yaml.BaseLoader):
    """Every scalar is text, so that `on`, `off`, `yes` and `no` stay words."""


@cache
def _load(name: str) -> dict[str, Any]:
    return cast("dict[str, Any]", yaml.load((_HERE / name).read_text(encoding="utf-8"), Loader=_Plain))


def words(section: str) -> Any:
    """A section of `words.yaml`."""
    return _load("words.yaml")[section]


def phrases(section: str) -> Any:
    """A section of `phrases.yaml`."""
    return _load("phrases.yaml")[section]


def verbs(section: str) -> Any:
    """A section of `verbs.yaml`."""
    return _load("verbs.yaml")[section]


@cache
def token_lists(section: str) -> tuple[Tokens, ...]:
    """A list section as token tuples, longest first."""
    entries: Sequence[str] = words(section)
    return tuple(sorted((tuple(e.split()) for e in entries), key=lambda t: (-len(t), t)))


@cache
def token_set(section: str) -> frozenset[Tokens]:
    """A list section as a set of token tuples."""
    return frozenset(token_lists(section))


@cache
def token_map(section: str) -> tuple[tuple[Tokens, str], ...]:
    """A mapping section as (tokens, value) pairs, longest first."""
    entries: Mapping[str, str] = words(section)
    return tuple(sorted(((tuple(k.split()), v) for k, v in entries.items()), key=lambda t: (-len(t[0]), t[0])))


@cache
def word_set(section: str) -> frozenset[str]:
    """A list section as single words."""
    return frozenset(str(w) for w in words(section))


def starts_with(tokens: Tokens, section: str) -> int:
    """Length of the longest phrase of a section that `tokens` begins with, 0 for none."""
    return next((len(p) for p in token_lists(section) if tokens[: len(p)] == p), 0)

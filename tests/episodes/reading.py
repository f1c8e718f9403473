"""Reads the records of an episode that was played in memory."""

from __future__ import annotations

import json
from typing import TypeVar

from assistcore.world.records import Record, Row, decode_row
from assistworld.episodes.episode import Episode
from assistworld.episodes.log import MemorySink

R = TypeVar("R", bound=Record)


def rows(episode: Episode) -> list[Row]:
    assert isinstance(episode.sink, MemorySink)
    return [decode_row(json.loads(line), "memory") for line in episode.sink.lines]


def records(episode: Episode, kind: type[R]) -> list[R]:
    return [r.record for r in rows(episode) if isinstance(r.record, kind)]


def types(episode: Episode) -> list[str]:
    return [r.record.TYPE for r in rows(episode)]

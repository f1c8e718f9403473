"""Snapshots and observations: enough to draw a tick at any time, and what was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


@dataclass(frozen=True)
class Snapshot:
    """Everything a picture of one tick needs beyond the stage. Plain values; a world without a body leaves `body` empty.

    `transforms` holds only what moved since the stage's initial state: entity or link key to (x, y, z, qw, qx, qy, qz), metres, world
    frame.
    `joints` maps a joint key to radians or metres. `body` is (translation x, y, z, then 156 axis-angle numbers). `looks` maps an entity
    key to
    a look name (mesh variant, colour, lamp state), a pure function of attributes. `picture` is for engines whose screen cannot be redrawn
    (PNG bytes).
    """

    tick: int
    transforms: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    joints: Mapping[str, float] = field(default_factory=dict)
    body: tuple[float, ...] = ()
    looks: Mapping[str, str] = field(default_factory=dict)
    picture: bytes | None = None


class Kind(Enum):
    """What an observation's bytes are."""

    IMAGE = "image"
    AUDIO = "audio"
    TEXT = "text"


@dataclass(frozen=True)
class Observation:
    """One thing shown to a role. `data` is the encoded content (JPEG or PNG for images), `digest` its SHA-256, the attachment's name."""

    tick: int
    channel: str
    kind: Kind
    digest: str
    data: bytes = field(repr=False, default=b"")

    @property
    def suffix(self) -> str:
        """File name ending of `data`, by what it is: `.jpg`, `.png`, `.wav`, `.txt`."""
        if self.kind is Kind.IMAGE:
            return ".jpg" if self.data.startswith(b"\xff\xd8") else ".png"
        return ".wav" if self.kind is Kind.AUDIO else ".txt"

"""What a language model is to everything above: messages in, a completion with its usage out."""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias


@dataclass(frozen=True)
class Image:
    """A picture in a message: its encoded bytes (PNG or JPEG)."""

    data: bytes = field(repr=False)

    @property
    def media_type(self) -> str:
        """`image/jpeg` or `image/png`, by what the bytes are."""
        return "image/jpeg" if self.data.startswith(b"\xff\xd8") else "image/png"

    def address(self) -> str:
        """The picture as a data address."""
        return f"data:{self.media_type};base64,{base64.b64encode(self.data).decode('ascii')}"


Part: TypeAlias = str | Image


@dataclass(frozen=True)
class Message:
    """One message: who says it, and its texts and pictures in order."""

    role: Literal["system", "user", "assistant"]
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Its texts alone, one below the other."""
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def images(self) -> tuple[Image, ...]:
        """Its pictures alone."""
        return tuple(part for part in self.parts if isinstance(part, Image))


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say, which is not zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True)
class Completion:
    """What a model answered. `latency_s` is the time of the call that succeeded, without retries and waiting; `raw` the whole response."""

    text: str
    usage: Usage
    latency_s: float
    model: str
    raw: str = field(default="", repr=False)


class Model(Protocol):
    """A model behind any provider."""

    name: str

    def complete(self, messages: Sequence[Message]) -> Completion:
        """The answer to a conversation. Raises InfrastructureError where none is to be had; the attempt is then VOID, never a score."""


Listener: TypeAlias = Callable[[Sequence[Message], Completion], None]
"""Is told of every prompt and what was answered."""

"""Messages between an engine's process and ours: a JSON header and raw bytes, no pickle, with limits and a deadline.

A message is `AWR1`, the header's length (4 bytes, little-endian), the number of blobs (4) and the length of each (8), the header (UTF-8
JSON), the blobs. A session begins with a challenge: whoever has the token answers it, the token itself never travels.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import Any

from assistcore.world.errors import InfrastructureError

MAGIC = b"AWR1"
PROTOCOL = 1
HEADER_LIMIT = 64 << 20
BLOB_LIMIT = 1 << 30
BLOBS_LIMIT = 65536


class Lost(Exception):
    """The other side closed the connection or it broke."""


class Overdue(Exception):
    """The other side did not answer within the deadline."""


@dataclass
class Message:
    """A header and what it points at."""

    header: dict[str, Any]
    blobs: list[bytes] = field(default_factory=list)


def send(link: socket.socket, message: Message) -> None:
    """Raises Lost."""
    header = json.dumps(message.header, separators=(",", ":"), allow_nan=False).encode()
    sizes = struct.pack(f"<{len(message.blobs)}Q", *(len(b) for b in message.blobs))
    try:
        link.settimeout(None)
        link.sendall(b"".join([MAGIC, struct.pack("<II", len(header), len(message.blobs)), sizes, header, *message.blobs]))
    except OSError as error:
        raise Lost(str(error)) from error


def receive(link: socket.socket, limit_s: float | None = None) -> Message:
    """The next message. Raises Lost, Overdue after `limit_s` seconds in all, InfrastructureError for what is no message."""
    until = None if limit_s is None else time.monotonic() + limit_s
    head = _exactly(link, 12, until)
    if head[:4] != MAGIC:
        raise InfrastructureError("wire", f"not a message of this protocol: it starts with {head[:4]!r}, not {MAGIC!r}")
    size, count = struct.unpack("<II", head[4:])
    if size > HEADER_LIMIT or count > BLOBS_LIMIT:
        raise InfrastructureError(
            "wire", f"a header of {size} bytes with {count} blobs is over the limit of {HEADER_LIMIT} and {BLOBS_LIMIT}"
        )
    sizes = struct.unpack(f"<{count}Q", _exactly(link, 8 * count, until))
    if sum(sizes) > BLOB_LIMIT:
        raise InfrastructureError("wire", f"{sum(sizes)} bytes of blobs are over the limit of {BLOB_LIMIT}")
    try:
        header = json.loads(_exactly(link, size, until))
    except ValueError as error:
        raise InfrastructureError("wire", f"the header is no JSON: {error}") from error
    if not isinstance(header, dict):
        raise InfrastructureError("wire", f"the header is a {type(header).__name__}, not an object")
    return Message(header, [_exactly(link, n, until) for n in sizes])


def _exactly(link: socket.socket, size: int, until: float | None) -> bytes:
    parts: list[bytes] = []
    while size:
        left = None if until is None else until - time.monotonic()
        if left is not None and left <= 0.0:
            raise Overdue
        try:
            link.settimeout(left)
            part = link.recv(min(size, 1 << 20))
        except TimeoutError as error:
            raise Overdue from error
        except OSError as error:
            raise Lost(str(error)) from error
        if not part:
            raise Lost("the connection was closed")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def proof(token: str, challenge: str) -> str:
    """What someone who has the token answers to a challenge: HMAC-SHA256, 64 hex digits."""
    return hmac.new(token.encode(), challenge.encode(), hashlib.sha256).hexdigest()


def proved(token: str, challenge: str, answer: object) -> bool:
    """Whether an answer shows that its sender has the token; takes the same time for every wrong one."""
    return isinstance(answer, str) and hmac.compare_digest(proof(token, challenge).encode(), answer.encode("utf-8", "replace"))

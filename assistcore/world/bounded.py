"""Reading what others made within bounds: a small file may stand for gigabytes, and a large one is no reason to stop answering."""

from __future__ import annotations

import zlib
from pathlib import Path

MIB = 1 << 20


class TooLarge(ValueError):
    """Data is larger than its reader allows. Says what, how large, and the limit."""

    def __init__(self, what: str, size: str, limit_bytes: int) -> None:
        super().__init__(f"{what}: {size}, the limit is {limit_bytes} bytes")


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a file. Raises TooLarge before anything is read where there are more than the limit, OSError as reading does."""
    size = path.stat().st_size
    if size > limit_bytes:
        raise TooLarge(path.name, f"{size} bytes", limit_bytes)
    return path.read_bytes()


def inflate(data: bytes, limit_bytes: int, what: str) -> bytes:
    """Decompress a whole zlib stream. Raises TooLarge when it would give more than the limit, ValueError when it is none or cut off."""
    stream = zlib.decompressobj()
    try:
        out = stream.decompress(data, limit_bytes)
    except zlib.error as error:
        raise ValueError(f"{what}: {error}") from error
    if not stream.eof and stream.unconsumed_tail:
        raise TooLarge(what, f"more than {len(out)} bytes when unpacked", limit_bytes)
    if not stream.eof:
        raise ValueError(f"{what}: cut off")
    return out

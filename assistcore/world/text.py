"""Text that somebody else wrote, made safe for a terminal."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text on one line: line ends, terminal controls and the like as escapes (`\\x1b`)."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)

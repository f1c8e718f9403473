"""Errors that carry what, where, the value and the next step. A user's input in an episode is never an exception: see
`outcomes.Refusal`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


class AssistWorldError(Exception):
    """Base of all errors raised on purpose by AssistWorld."""


@dataclass(frozen=True)
class Problem:
    """One finding in an input file.

    `where` is a file name, optionally followed by `#` and a JSON pointer; `fix` is the next step for the reader.
    """

    where: str
    what: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.fix})" if self.fix else "")


class InputError(AssistWorldError):
    """A file or argument is wrong. Carries every problem found, in one report."""

    def __init__(self, title: str, problems: Sequence[Problem]) -> None:
        self.title = title
        self.problems = tuple(problems)
        super().__init__("\n".join([f"{title}: {len(self.problems)} problem(s)", *(f"  - {p}" for p in self.problems)]))


class InfrastructureError(AssistWorldError):
    """The engine, renderer, transport or a model failed. The attempt is VOID and may be rerun; it is never a score."""

    def __init__(self, operation: str, detail: str) -> None:
        self.operation = operation
        self.detail = detail
        super().__init__(f"{operation}: {detail}")


class BundleError(AssistWorldError):
    """A bundle is torn, tampered with, or of an unknown version. `place` names the file and row."""

    def __init__(self, place: str, detail: str) -> None:
        self.place = place
        self.detail = detail
        super().__init__(f"{place}: {detail}")


class VersionError(AssistWorldError):
    """A record was written by a version this reader does not know. Names both."""

    def __init__(self, what: str, found: str, known: str) -> None:
        super().__init__(f"{what}: written as version {found}, this reader knows {known}")
        self.found = found
        self.known = known


def nearest(value: str, allowed: Sequence[str]) -> str:
    """Return a `did you mean ...` hint, or the allowed values when nothing is close."""
    import difflib

    by_lower = {a.lower(): a for a in sorted(allowed, reverse=True)}
    close = difflib.get_close_matches(value.lower(), list(by_lower), n=1, cutoff=0.6)
    if close:
        return f"did you mean {by_lower[close[0]]!r}?"
    shown = ", ".join(sorted(allowed)[:12])
    return f"allowed: {shown}" + (" ..." if len(allowed) > 12 else "")

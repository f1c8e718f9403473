"""Errors as data: those that an engine raises on purpose arrive as what they are, everything else as a fault of the infrastructure."""

from __future__ import annotations

from typing import Any

from assistcore.world.errors import InfrastructureError, InputError, Problem, VersionError


def encode_error(error: BaseException) -> dict[str, Any]:
    """JSON of an error."""
    if isinstance(error, InputError):
        return {"type": "input", "title": error.title, "problems": [[p.where, p.what, p.fix] for p in error.problems]}
    if isinstance(error, VersionError):
        return {"type": "version", "what": str(error).partition(": written as")[0], "found": error.found, "known": error.known}
    if isinstance(error, InfrastructureError):
        return {"type": "infrastructure", "operation": error.operation, "detail": error.detail}
    return {"type": "other", "detail": f"{type(error).__name__}: {error}"}


def decode_error(row: dict[str, Any], call: str) -> Exception:
    """The error again. What was not raised on purpose becomes an InfrastructureError that names the call."""
    match row.get("type"):
        case "input":
            return InputError(str(row["title"]), [Problem(*map(str, p)) for p in row["problems"]])
        case "version":
            return VersionError(str(row["what"]), str(row["found"]), str(row["known"]))
        case "infrastructure":
            return InfrastructureError(str(row["operation"]), str(row["detail"]))
        case _:
            return InfrastructureError("engine", f"failed in {call}: {row.get('detail', row)}")

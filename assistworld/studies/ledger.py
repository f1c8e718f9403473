"""The run ledger: heads of sealed bundles in one append-only file beside them, since a chain alone cannot show a cut tail."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistcore.world.canonical import canonical_json
from assistcore.world.errors import BundleError
from assistworld.episodes.bundle import Bundle
from assistworld.episodes.files import write_failed

LEDGER = "ledger.jsonl"


def record(folder: Path, head: str, count: int, facts: Mapping[str, Any]) -> None:
    """Append a sealed bundle to the ledger of its parent folder. One write, so that processes may share the file."""
    path = folder.parent / LEDGER
    line = canonical_json({"bundle": folder.name, "head": head, "count": count, **facts}).encode("ascii") + b"\n"
    try:
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(file, line)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise write_failed(path, error) from error


def entries(parent: Path) -> tuple[Mapping[str, Any], ...]:
    """All entries, in order; a torn last line, and what is no entry, is dropped."""
    path = parent / LEDGER
    out = []
    for line in path.read_bytes().split(b"\n") if path.is_file() else ():
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict) and {"bundle", "head", "count"} <= set(entry):
            out.append(entry)
    return tuple(out)


def confirm(bundle: Bundle) -> bool:
    """Whether the ledger beside a bundle knows it with this head and count; False where it does not list it.

    Raises BundleError where it is listed with another head: rows were cut and the rest was sealed again.
    """
    listed = [e for e in entries(bundle.folder.parent) if e.get("bundle") == bundle.folder.name]
    if not listed:
        return False
    last = listed[-1]
    if (last["head"], last["count"]) != (bundle.head, len(bundle.rows)):
        head = str(last["head"])[:12]
        raise BundleError(LEDGER, f"{bundle.folder.name} was sealed with {last['count']} rows, head {head}; it has {len(bundle.rows)} now")
    return True

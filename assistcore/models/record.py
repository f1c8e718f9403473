"""Every prompt and raw reply of a model in one append-only file; pictures by the digest of their bytes, stored once beside it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistcore.models.model import Completion, Image, Message
from assistcore.world.canonical import canonical_json, digest_bytes

FILE = "exchanges.jsonl"


@dataclass(frozen=True)
class Record:
    """A `Listener` that keeps what is asked and answered in `folder`. `role`: whose model it is (`human`, `assistant`, `judge`)."""

    folder: Path
    role: str

    def __call__(self, messages: Sequence[Message], completion: Completion) -> None:
        """Append one exchange."""
        self.folder.mkdir(parents=True, exist_ok=True)
        usage = completion.usage
        row = {
            "role": self.role,
            "model": completion.model,
            "prompt": [{"role": m.role, "parts": [self._kept(p) for p in m.parts]} for m in messages],
            "raw": completion.raw or completion.text,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "latency_s": completion.latency_s,
        }
        with open(self.folder / FILE, "a", encoding="ascii") as file:
            file.write(canonical_json(row) + "\n")

    def _kept(self, part: str | Image) -> dict[str, str]:
        if isinstance(part, str):
            return {"text": part}
        name = digest_bytes(part.data) + (".jpg" if part.media_type == "image/jpeg" else ".png")
        if not (self.folder / name).exists():
            (self.folder / name).write_bytes(part.data)
        return {"image": name}


def read_record(folder: Path) -> list[dict[str, Any]]:
    """The exchanges in order."""
    return [json.loads(line) for line in (folder / FILE).read_text(encoding="ascii").splitlines()]


def totals(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, int | None]]:
    """Calls and tokens by role. A sum is None where the provider left one of its terms out: not measured is not zero."""
    found: dict[str, dict[str, int | None]] = {}
    for role in sorted({str(row["role"]) for row in rows}):
        own = [row for row in rows if row["role"] == role]
        sums = {name: [row[name] for row in own] for name in ("input_tokens", "output_tokens")}
        found[role] = {"calls": len(own), **{name: None if None in values else sum(values) for name, values in sums.items()}}
    return found

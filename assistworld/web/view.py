"""One HTML page of a bundle, self-contained and small: frames in time, dialogue, commands, map with the path, changes, score."""

from __future__ import annotations

import base64
import html
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assistcore.world.records import Changed, Ended, Notice, Row, Said, Segment
from assistworld.episodes.bundle import Bundle
from assistworld.episodes.files import write_atomic
from evaluator.scores import Score

LIMIT_BYTES = 14_000_000
"""Frames are made smaller until the page stays below this (15 MB are promised for 60 actions)."""
SIZES: tuple[tuple[int, int], ...] = ((640, 80), (560, 72), (480, 64), (400, 55), (320, 45))
"""Width in pixels and WebP quality, tried in order."""
MEASURED = frozenset({"place", "joint", "near"})
"""Facts that change at every step of a walk; the page shows the others."""
BOOKKEEPING = "cycle_"
"""Prefix of facts that only keep the books of a device."""
PATH_STEP_TICKS = 2


def write_page(bundle: Bundle, path: Path, *, score: Score | None = None) -> Path:
    """Write the page of a bundle to `path`. Raises InfrastructureError where the disk refuses."""
    write_atomic(path, page(bundle, score=score).encode("utf-8"))
    return path


def page(bundle: Bundle, *, score: Score | None = None) -> str:
    """The page as text."""
    template = Path(__file__).with_name("page.html").read_text(encoding="utf-8")
    data = {**_facts(bundle, score), "events": list(_events(bundle)), "map": _map(bundle), "pictures": _pictures(bundle)}
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")  # `</script>` ends a script, `<!--<script>` hides its end
    return template.replace("TITLE_HERE", html.escape(bundle.pack.title)).replace('"DATA_HERE"', text)


def _facts(bundle: Bundle, score: Score | None) -> dict[str, Any]:
    opened, pack = bundle.opened, bundle.pack
    num, den = opened.tick_seconds
    stopped = bundle.stopped
    return {
        "title": pack.title,
        "pack": f"{pack.id} v{pack.version}",
        "family": opened.family,
        "assistant": opened.assistant.name + (" (privileged)" if opened.assistant.privileged else ""),
        "human": opened.human.name,
        "engine": f"{opened.engine} {opened.engine_version}",
        "seed": opened.seed,
        "producer": opened.producer,
        "head": bundle.head,
        "sealed": bundle.sealed,
        "seconds": num / den,
        "reason": stopped.reason if stopped else "not ended",
        "task": pack.protocol.task,
        "score": json.loads(score.model_dump_json()) if score else None,
    }


def _events(bundle: Bundle) -> Iterator[dict[str, Any]]:
    """Utterances and intervals in order; an interval carries its command, its changes and its frames."""
    changes: list[dict[str, Any]] = []
    ended: Ended | None = None
    for row in bundle.rows:
        match row.record:
            case Said(speaker=speaker, text=text, phase=phase):
                yield {"kind": "said", "tick": row.tick, "speaker": speaker, "text": text, "phase": phase}
            case Changed():
                changes += _changes(row)
            case Ended():
                ended = row.record
            case Notice(what=what, role=role, detail=detail):
                yield {"kind": "notice", "tick": row.tick, "text": f"{what} ({role}): {detail}"}
            case Segment():
                yield _interval(row.record, ended, changes)
                ended, changes = None, []


def _interval(segment: Segment, ended: Ended | None, changes: list[dict[str, Any]]) -> dict[str, Any]:
    event: dict[str, Any] = {
        "kind": "segment",
        "cause": segment.cause,
        "first": segment.first_tick,
        "tick": segment.last_tick,
        "frames": [[f.tick, f.digest] for f in segment.frames],
        "changes": list(_netted(changes)),
    }
    if ended is not None:
        fields = ("text", "status", "code", "fact", "feedback", "how", "phase")
        event["command"] = {name: getattr(ended, name) for name in fields}
    return event


def _changes(row: Row) -> list[dict[str, Any]]:
    changed = row.record
    if not isinstance(changed, Changed):
        return []
    return [{"subject": s, "kind": k, "before": b, "after": a} for s, k, b, a, _ in changed.changes if shown(k)]


def shown(kind: str) -> bool:
    """Whether changes of a fact are shown."""
    return kind not in MEASURED and not kind.startswith(BOOKKEEPING)


def _netted(changes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Changes of an interval with what came and went taken out."""
    net: dict[tuple[str, str], list[Any]] = {}
    for change in changes:
        key = change["subject"], change["kind"]
        net[key] = [net[key][0] if key in net else change["before"], change["after"]]
    for (subject, kind), (before, after) in net.items():
        if before != after:
            yield {"subject": subject, "kind": kind, "before": before, "after": after}


def _map(bundle: Bundle) -> dict[str, Any]:
    """Rooms and footprints of the stage summary, and the person's way: (tick, x, y), metres."""
    stage: Mapping[str, Any] = bundle.stage
    way = []
    for row in bundle.rows:
        if isinstance(row.record, Segment):
            for snapshot in bundle.snapshots(row.record):
                if len(snapshot.body) >= 2 and (snapshot.tick % PATH_STEP_TICKS == 0 or snapshot.tick == row.record.last_tick):
                    way.append([snapshot.tick, round(snapshot.body[0], 3), round(snapshot.body[1], 3)])
    return {"rooms": stage.get("rooms", []), "fixtures": stage.get("fixtures", []), "way": way}


def _pictures(bundle: Bundle) -> dict[str, str]:
    """Every frame as a WebP data address, by digest; smaller where there are many. Text is shown as a picture of its letters."""
    kinds = {f.digest: f.kind for r in bundle.rows if isinstance(r.record, Segment) for f in r.record.frames}
    images = {d: _lettering(bundle.fetch(d).decode("utf-8")) if kind == "text" else bundle.fetch(d) for d, kind in kinds.items()}
    for width, quality in SIZES:
        shown = {d: _webp(data, width, quality) for d, data in images.items()}
        if sum(map(len, shown.values())) < LIMIT_BYTES:
            return shown
    every = -(-len(shown) // max(1, LIMIT_BYTES // max(map(len, shown.values()))))
    return {d: v for i, (d, v) in enumerate(shown.items()) if i % every == 0}


def _webp(png: bytes, width: int, quality: int) -> str:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        small = picture.convert("RGB")
        if small.width > width:
            small = small.resize((width, round(small.height * width / small.width)), Image.Resampling.LANCZOS)
        out = io.BytesIO()
        small.save(out, "WEBP", quality=quality, method=4)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode("ascii")


def _lettering(text: str) -> bytes:
    """A text as a PNG in letters of one width, so that what stands below one another does so here."""
    from PIL import Image, ImageDraw, ImageFont

    cell, line = 11, 20
    rows = text.split("\n")
    picture = Image.new("RGB", (cell * max(map(len, rows)) + 2 * cell, line * len(rows) + line), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(16)
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            draw.text((cell * (x + 1.5), line * (y + 1)), letter, "black", font, anchor="mm")
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()

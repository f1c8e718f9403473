"""Views of a bundle under the names of the seed's C.2.5: derived files for auditors, nothing that is not in the records."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assistcore.world.records import Baseline, Began, Ended, Glance, Queued, Replied, Said, Viewed
from assistworld.episodes.bundle import Bundle
from assistworld.episodes.files import make_folder, write_atomic
from evaluator.scores import Score

RELATIONS = ("on", "inside", "held", "near", "open", "closed", "attached", "sitting", "room")


def audit_views(bundle: Bundle, score: Score) -> Mapping[str, Any]:
    """File name to JSON value."""
    rows = bundle.rows
    baseline = next((r.tick for r in rows if isinstance(r.record, Baseline)), None)
    return {
        "dialogue.json": [{"tick": r.tick, **r.record.model_dump()} for r in rows if isinstance(r.record, Said)],
        "eval.json": score.model_dump(mode="json"),
        "assistant_turns.json": [{"tick": r.tick, **r.record.model_dump()} for r in rows if _reply(r.record, "assistant")],
        "human_action_trace.json": [
            {"tick": r.tick, "type": r.record.TYPE, **r.record.model_dump()}
            for r in rows
            if isinstance(r.record, Queued | Began | Ended) or _reply(r.record, "human")
        ],
        "receipts.json": [{"tick": r.tick, **r.record.model_dump()} for r in rows if isinstance(r.record, Ended)],
        "visibility.json": [_visibility(r.tick, r.record) for r in rows if isinstance(r.record, Viewed) and r.record.role == "human"],
        "legible.json": [{"tick": r.tick, **r.record.model_dump(mode="json")} for r in rows if isinstance(r.record, Glance)],
        "baselines.json": {
            "opening": _relations(bundle, 0),
            "handoff": None if baseline is None else _relations(bundle, baseline),
            "handoff_reason": "the opening did not end" if baseline is None else "",
        },
        "final_relations.json": {"stop_reason": score.stop_reason, "relations": _relations(bundle, rows[-1].tick)},
        "attempt.json": {"head": bundle.head, "pack_digest": bundle.opened.pack_digest, "sealed": bundle.sealed, "void": score.void},
    }


def write_audit(bundle: Bundle, score: Score, folder: Path) -> tuple[Path, ...]:
    """Write every view into `folder`."""
    make_folder(folder)
    out = []
    for name, value in audit_views(bundle, score).items():
        write_atomic(folder / name, (json.dumps(value, indent=1, sort_keys=True) + "\n").encode("ascii"))
        out.append(folder / name)
    return tuple(out)


def _reply(record: object, role: str) -> bool:
    return isinstance(record, Replied) and record.role == role


def _visibility(tick: int, record: Viewed) -> dict[str, Any]:
    offers = record.view["offers"]
    return {
        "tick": tick,
        "visible": sorted(o["key"] for o in offers if o["visible"]),
        "offered": sorted(o["key"] for o in offers),
        "held": record.view["held"],
    }


def _relations(bundle: Bundle, tick: int) -> list[list[Any]]:
    graph = bundle.graph_at(tick)
    return [[s, k, graph.values[s, k]] for s, k in sorted(graph.values) if k in RELATIONS]

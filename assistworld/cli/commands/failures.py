"""`assistworld failures BUNDLE...`: why episodes of puzzles failed."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import json_argument, print_json

NAME = "failures"
HELP = "label failed puzzles: looping, state mismanagement, early stop, not looking"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("bundles", nargs="+", type=Path, metavar="BUNDLE", help="folders of runs")
    parser.add_argument("--annotate", metavar="MODEL", help="ask this model as well (key in ASSISTWORLD_MODEL_KEY)")
    parser.add_argument("--url", help="where the model is (default: ASSISTWORLD_MODEL_URL)")
    parser.add_argument("--no-pictures", action="store_true", help="send the model words only")
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Label every bundle; those that succeeded have no labels."""
    import os
    from dataclasses import asdict

    from assistcore.models.chat import ChatModel
    from assistcore.world.errors import InputError, Problem
    from assistworld.agents.humans.player import KEY, URL
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.annotating import annotate
    from assistworld.studies.failures import labels
    from assistworld.studies.histories import history_of

    url = asked.url or os.environ.get(URL, "")
    if asked.annotate and not url.startswith(("http://", "https://")):
        raise InputError("failures", [Problem("--url", f"is {url!r}", f"the address of a chat completions server, or set {URL}")])
    model = ChatModel(url, asked.annotate, os.environ.get(KEY, "")) if asked.annotate else None
    report = []
    for folder in asked.bundles:
        history = history_of(open_bundle(folder))
        found, rejected = list(labels(history)), tuple[str, ...]()
        if model is not None and not history.reward:
            said = annotate(history, model, pictures=not asked.no_pictures)
            found, rejected = [*found, *said.labels], said.rejected
        report.append(
            {"bundle": str(folder), "success": bool(history.reward), "labels": [asdict(f) for f in found], "rejected": list(rejected)}
        )
    if asked.json:
        print_json({"episodes": report})
        return 0
    for row in report:
        print(f"{row['bundle']}: {'solved' if row['success'] else 'failed'}")
        for label in row["labels"]:  # type: ignore[attr-defined]
            print(f"  {label['kind']:<20} steps {label['first_step']}-{label['last_step']} ({label['by']}): {label['quote']}")
        for fault in row["rejected"]:  # type: ignore[attr-defined]
            print(f"  not counted: {fault}")
    return 0

"""`assistworld replay BUNDLE`: play the recorded replies again and compare every digest."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import json_argument, opened_engine, person_arguments, print_json, read_as_written

NAME = "replay"
HELP = "verify a bundle and play it again: every digest must be equal"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the folder of a run")
    parser.add_argument("--verify-only", action="store_true", help="check files and chain, play nothing")
    parser.add_argument("--pictures", action="store_true", help="draw the frames again and count pixels that differ")
    parser.add_argument("--any-version", action="store_true", help="replay with an engine of another version")
    person_arguments(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Verify, replay, report."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.episodes.replay import replay
    from assistworld.studies.ledger import confirm

    bundle = open_bundle(asked.bundle)
    listed, name = confirm(bundle), bundle.opened.engine
    report = {"bundle": str(asked.bundle), "rows": len(bundle.rows), "sealed": bundle.sealed, "torn": bundle.torn, "in_ledger": listed}
    if asked.verify_only:
        if asked.json:
            print_json(report)
        else:
            sealed = "sealed" if bundle.sealed else f"not sealed ({bundle.torn} torn record dropped)"
            print(f"bundle is whole: {len(bundle.rows)} rows, {sealed}, {'in the ledger' if listed else 'not in a ledger'}")
        return 0
    with opened_engine(name, asked) as engine, read_as_written(bundle):
        verdict = replay(bundle, engine, pictures=asked.pictures, any_version=asked.any_version)
    if asked.json:
        found = vars(verdict.divergence) if verdict.divergence else None
        pixels = vars(verdict.pixels) if verdict.pixels else None
        compared = {"equal": verdict.equal, "compared_rows": verdict.rows, "outcomes": verdict.outcomes}
        print_json({**report, **compared, "divergence": found, "pixels": pixels})
    else:
        print(verdict)
    return 0 if verdict.equal else 1

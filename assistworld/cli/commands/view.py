"""`assistworld view BUNDLE`: one HTML page that opens from disk."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import json_argument, print_json

NAME = "view"
HELP = "write one HTML page of a bundle: frames, dialogue, commands, map, score"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("bundle", metavar="BUNDLE", type=Path, help="the folder of a run")
    parser.add_argument("--out", type=Path, default=None, metavar="FILE", help="where to write it (default BUNDLE/view.html)")
    parser.add_argument(
        "--audit", type=Path, default=None, metavar="DIR", help="also write dialogue.json, eval.json, receipts.json ... there"
    )
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Write the page."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.audit import write_audit
    from assistworld.studies.scoring import score_bundle
    from assistworld.web.view import write_page

    bundle = open_bundle(asked.bundle)
    score = score_bundle(bundle) if bundle.stopped is not None else None
    page = write_page(bundle, asked.out or asked.bundle / "view.html", score=score)
    audited = write_audit(bundle, score, asked.audit) if asked.audit is not None and score is not None else ()
    size = page.stat().st_size
    if asked.json:
        print_json({"page": str(page), "bytes": size, "audit": [str(p) for p in audited]})
    else:
        print(f"{page.resolve().as_uri()} ({size / 1e6:.1f} MB)")
    return 0

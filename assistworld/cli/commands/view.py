"""`assistworld view BUNDLE`: one HTML page that opens from disk."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from assistworld.cli.shared import json_argument, print_json, read_as_written

if TYPE_CHECKING:
    from assistworld.episodes.bundle import Bundle

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
    """Write the page. What the ledger knows otherwise is refused."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.ledger import confirm

    bundle = open_bundle(asked.bundle)
    confirm(bundle)
    with read_as_written(bundle):
        return _written(asked, bundle)


def _written(asked: argparse.Namespace, bundle: Bundle) -> int:
    from assistworld.studies.audit import write_audit
    from assistworld.studies.scoring import score_bundle
    from assistworld.web.view import write_page

    score = score_bundle(bundle) if bundle.stopped is not None else None
    page = write_page(bundle, asked.out or asked.bundle / "view.html", score=score)
    audited = write_audit(bundle, score, asked.audit) if asked.audit is not None and score is not None else ()
    size = page.stat().st_size
    if asked.json:
        print_json({"page": str(page), "bytes": size, "audit": [str(p) for p in audited]})
    else:
        print(f"{page.resolve().as_uri()} ({size / 1e6:.1f} MB)")
    return 0

"""`assistworld parity A B`: the same packs on two back ends."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import json_argument, limit_argument, opened_engine, print_json

NAME = "parity"
HELP = "play packs on two back ends and compare outcomes, relations and scores"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument(
        "engines",
        nargs=2,
        metavar="ENGINE",
        help="two engines, each a name (see list), module:function, or a running server (its file, or 127.0.0.1:PORT); e.g. house isaac",
    )
    limit_argument(parser)
    parser.add_argument(
        "--packs", nargs="+", metavar="PACK", default=[], help="ids or files of packs (default: all that play in the house)"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of every random draw (default 0)")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR", help="folder for bundles (default ./runs)")
    parser.add_argument("--report", type=Path, metavar="FILE", help="write the comparison as a page (Markdown)")
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Play, compare; 0 when everything agrees."""
    from assistworld.engines.remote.connecting import is_server
    from assistworld.episodes.files import write_atomic
    from assistworld.studies.parity import Compared, compare_all, report
    from taskpacks.loader import find_pack, list_packs

    packs = [find_pack(name) for name in (asked.packs or [listed.id for listed in list_packs()])]
    packs = packs if asked.packs else [p for p in packs if p.scenario.engine == "house"]

    options = [(name, None if is_server(name) else asked) for name in asked.engines]

    def say(compared: Compared) -> None:
        if not asked.json:
            print(f"{compared.pack}: {'agree' if compared.equal else 'DIFFER'}  {compared.scores[0]} / {compared.scores[1]}", flush=True)
            for difference in compared.differences:
                print(f"    {difference}")

    with opened_engine(*options[0]) as first, opened_engine(*options[1]) as second:
        found = compare_all(packs, (first, second), out=asked.out, seed=asked.seed, say=say)
    if asked.report is not None:
        write_atomic(asked.report, report(found, (asked.engines[0], asked.engines[1])).encode())
    if asked.json:
        print_json({"engines": asked.engines, "packs": [c.as_json() for c in found]})
    return 0 if all(c.equal for c in found) else 1

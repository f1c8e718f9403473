"""`assistworld check PACK`: the static checker."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import engine_name, json_argument, opened_engine, pack_arguments, print_json

NAME = "check"
HELP = "check a pack: names, opening, guards, sentences, evidence"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    pack_arguments(parser)
    parser.add_argument("--engine", help="engine to ask (default: the pack's)")
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Report every problem."""
    from taskpacks.check import check_pack
    from taskpacks.digest import pack_digest
    from taskpacks.loader import find_pack

    pack = find_pack(asked.pack, asked.packs)
    with opened_engine(engine_name(asked, pack)) as engine:
        problems = check_pack(pack, engine)
    if asked.json:
        print_json({"pack": pack.id, "digest": pack_digest(pack), "sound": not problems, "problems": [vars(p) for p in problems]})
    elif problems:
        print(f"{pack.id}: {len(problems)} problem(s)")
        for problem in problems:
            print(f"  - {problem}")
    else:
        print(f"{pack.id} version {pack.version} is sound ({pack_digest(pack)[:16]})")
    return 1 if problems else 0

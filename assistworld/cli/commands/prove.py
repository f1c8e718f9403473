"""`assistworld prove PACK`: the controls of a pack."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import engine_name, json_argument, opened_engine, pack_arguments, print_json, run_arguments

NAME = "prove"
HELP = "prove a pack: the oracle succeeds; silent, wrong, early and do-nothing fail"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    pack_arguments(parser)
    run_arguments(parser)
    parser.set_defaults(frames=0)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Run the controls, print the table."""
    import sys

    from assistworld.studies.prove import prove
    from evaluator.aggregate import aggregate
    from taskpacks.loader import find_pack

    pack = find_pack(asked.pack, asked.packs)

    def progress(name: str) -> None:
        if sys.stderr.isatty():
            print(f"{pack.id}: {name} ...", file=sys.stderr)

    with opened_engine(engine_name(asked, pack), asked) as engine:
        proved = prove(pack, engine, out=asked.out, seed=asked.seed, frames=asked.frames, progress=progress)
    report = proved.as_json()
    if asked.json:
        print_json({**report, "folder": str(asked.out)})
    else:
        print(f"{'control':<9}{'assistant':<11}{'person':<9}{'success':<9}{'completion':<12}{'actions':<9}{'ended by':<16}verdict")
        for row in report["controls"]:
            value = "null" if row["completion"] is None else f"{row['completion']:.2f}"
            verdict = "; ".join(row["problems"]) or "as promised"
            print(
                f"{row['control']:<9}{row['assistant']:<11}{row['human']:<9}{row['success']!s:<9}{value:<12}{row['actions']:<9}"
                f"{row['stop_reason']:<16}{verdict}"
            )
        print(aggregate([c.attempt.score for c in proved.controls]))
        print(f"{pack.id} is {'proved' if proved.proved else 'NOT proved'}; bundles in {asked.out}")
    return 0 if proved.proved else 3 if proved.void else 1

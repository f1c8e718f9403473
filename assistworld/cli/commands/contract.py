"""`assistworld contract`: whether a back end of the house keeps its promises."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import connect_argument, json_argument, limit_argument, opened_engine, print_json

NAME = "contract"
HELP = "check that a back end of the house keeps every promise (poses, settling, joints, carrying, relations, camera, repeating, saving)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("checks", nargs="*", metavar="CHECK", help="checks to run (default: all)")
    parser.add_argument("--engine", help="engine to check: house, remote, isaac ... (see list), or module:function (default house)")
    connect_argument(parser)
    limit_argument(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Run the checks; 0 when every promise is kept."""
    from assistcore.world.errors import InputError, Problem, nearest
    from assistworld.studies.contract import CHECKS, Finding, check_engine

    if unknown := [Problem(name, "no such check", nearest(name, list(CHECKS))) for name in asked.checks if name not in CHECKS]:
        raise InputError("contract", unknown)

    def say(finding: Finding) -> None:
        if not asked.json:
            print(f"{'NO ' if finding.problems else 'ok '} {finding.name:<12}{finding.promise}", flush=True)
            for problem in finding.problems:
                print(f"        {problem}")

    with opened_engine(asked.engine or ("" if asked.connect else "house"), asked) as engine:
        name = asked.engine or engine.name
        found = check_engine(engine, asked.checks or tuple(CHECKS), say=say)
    broken = [f for f in found if f.problems]
    if asked.json:
        print_json({"engine": name, "checks": {f.name: list(f.problems) for f in found}, "kept": not broken})
    else:
        print(f"{name}: {len(found) - len(broken)} of {len(found)} promises are kept")
    return 1 if broken else 0

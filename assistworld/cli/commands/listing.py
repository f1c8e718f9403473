"""`assistworld list`: packs, engines, assistants, people. Loads none of them."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import json_argument, packs_argument, print_json

NAME = "list"
HELP = "list packs, engines, assistants and people"
KINDS = ("packs", "engines", "assistants", "humans")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("kind", nargs="?", choices=KINDS, help="only this kind")
    packs_argument(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """List; 2 where a pack file is broken."""
    from assistworld.agents import ASSISTANTS, HUMANS
    from assistworld.studies.attempt import ENGINES
    from taskpacks.loader import list_packs

    found: dict[str, list[dict[str, str]]] = {}
    broken = []
    if asked.kind in (None, "packs"):
        listed = list_packs(asked.packs)
        broken = [p for p in listed if p.error is not None]
        found["packs"] = [
            {"name": p.id, "family": p.pack.protocol.family.value, "scene": p.pack.scenario.scene, "description": p.pack.title}
            for p in listed
            if p.pack is not None
        ]
    for kind, registry in (("engines", ENGINES), ("assistants", ASSISTANTS), ("humans", HUMANS)):
        if asked.kind in (None, kind):
            found[kind] = [{"name": e.name, "description": e.description} for e in registry.entries()]
    if asked.json:
        print_json({**found, "broken": [{"name": p.id, "error": str(p.error)} for p in broken]})
    else:
        for kind, entries in found.items():
            print(kind)
            for entry in entries:
                family = f"[{entry['family']}] " if "family" in entry else ""
                print(f"  {entry['name']:<28} {family}{entry['description']}")
        for p in broken:
            print(p.error)
    return 2 if broken else 0

"""`assistworld sft`: conversations with puzzles for fine-tuning, from solvers or from bundles, and the list of what is held out."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from assistworld.cli.shared import channels, json_argument, print_json

if TYPE_CHECKING:
    from assistworld.studies.histories import History
    from assistworld.studies.sft import Counts

NAME = "sft"
HELP = "write solved puzzles as conversations for fine-tuning (ShareGPT style, with pictures)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("what", choices=("solvers", "bundles", "held-out"), help="play solvers, read bundles, or list what to hold out")
    parser.add_argument("bundles", nargs="*", type=Path, metavar="BUNDLE", help="with `bundles`: folders of runs")
    parser.add_argument("--out", type=Path, required=True, metavar="PATH", help="a new folder; with `held-out` the file of the list")
    parser.add_argument("--puzzles", type=channels, default=(), metavar="A,B", help="puzzles (default: all)")
    parser.add_argument("--presets", type=channels, default=("easy", "hard"), metavar="A,B", help="presets (default easy,hard)")
    parser.add_argument("--seeds", type=seeds, default=range(70), metavar="A:B", help="from A, below B (default 0:70)")
    parser.add_argument("--strategies", choices=("first", "all"), default="first", help="one solver of each puzzle, or all of them")
    parser.add_argument("--num-steps", type=int, metavar="N", help="least number of actions before the stop")
    parser.add_argument("--channels", type=channels, default=("view",), metavar="A,B", help="of view, text, goal (default view)")
    parser.add_argument("--held-out", type=Path, metavar="FILE", help="leave out the episodes of this list")
    parser.add_argument("--no-feedback", action="store_true", help="leave out what the puzzle says about each answer")
    parser.add_argument("--repeat", action="store_true", help="instructions in every message")
    json_argument(parser)


def seeds(text: str) -> range:
    """`0:70` as a range."""
    first, _, end = text.partition(":")
    if not (first.isdigit() and end.isdigit() and int(first) < int(end)):
        raise argparse.ArgumentTypeError(f"{text!r} is no range of seeds: write A:B with A below B, for example 100:200")
    return range(int(first), int(end))


def run(asked: argparse.Namespace) -> int:
    """Write, and say what was left out."""
    from assistworld.engines.puzzle.prompting import Toggles
    from assistworld.engines.puzzle.registry import make
    from assistworld.studies.sft import Counts, export, fingerprints, read_held_out

    names = _names(asked)
    if asked.what == "held-out":
        found = fingerprints((make(name, preset), seed) for name in names for preset in asked.presets for seed in asked.seeds)
        asked.out.parent.mkdir(parents=True, exist_ok=True)
        asked.out.write_text("".join(f"{line}\n" for line in found), encoding="ascii")
        print_json({"list": str(asked.out), "episodes": len(found)}) if asked.json else print(f"{len(found)} episodes in {asked.out}")
        return 0
    counts = Counts()
    held_out = read_held_out(asked.held_out) if asked.held_out else frozenset[str]()
    toggles = Toggles(feedback=not asked.no_feedback, repeat=asked.repeat)
    export(_histories(asked, names, counts), asked.out, held_out=held_out, toggles=toggles, counts=counts)
    print_json({"folder": str(asked.out), **vars(counts)}) if asked.json else print(f"{counts}\nin {asked.out}")
    return 0 if counts.written else 1


def _names(asked: argparse.Namespace) -> list[str]:
    """The puzzles that are meant. Raises UnknownName with the nearest."""
    from assistworld.engines.puzzle.registry import PUZZLES

    for name in asked.puzzles:
        PUZZLES.load(name)
    return list(asked.puzzles) or list(PUZZLES.names())


def _histories(asked: argparse.Namespace, names: list[str], counts: Counts) -> Iterator[History]:
    from assistworld.engines.puzzle.registry import puzzle_type
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.histories import history_of
    from assistworld.studies.sft import demonstrations

    if asked.what == "bundles":
        yield from (history_of(open_bundle(folder)) for folder in asked.bundles)
        return
    cases = [
        (name, preset, strategy, seed)
        for name in names
        for preset in asked.presets
        for strategy in (puzzle_type(name).strategies if asked.strategies == "all" else (None,))
        for seed in asked.seeds
    ]
    yield from demonstrations(cases, channels=asked.channels, counts=counts, num_steps=asked.num_steps)

"""`assistworld demo`: one episode with the oracle, with pictures, a score and a page."""

from __future__ import annotations

import argparse
from pathlib import Path

from assistworld.cli.shared import (
    episode_progress,
    exit_code,
    frames,
    json_argument,
    opened_engine,
    person_arguments,
    print_json,
    score_lines,
    transcript,
)

NAME = "demo"
HELP = "one episode in the house with the oracle: success, bundle and page"
PACK = "best_value_coffee"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    parser.add_argument("pack", metavar="PACK", nargs="?", default=PACK, help=f"pack to play (default {PACK})")
    parser.add_argument("--frames", type=frames, default=4, metavar="none|N", help="pictures drawn per command (default 4)")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR", help="folder for bundles (default ./runs)")
    person_arguments(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Play, score, draw the page."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.attempt import attempt, make_assistant, make_human
    from assistworld.web.view import write_page
    from taskpacks.loader import find_pack

    pack = find_pack(asked.pack)
    with opened_engine(pack.scenario.engine, asked) as engine:
        with episode_progress(pack, "demo") as watch:
            assistant, human = make_assistant("oracle", pack, 0), make_human("rule", pack, 0)
            tried = attempt(pack, engine, assistant, human, out=asked.out, frames=asked.frames, watch=watch)
        bundle = open_bundle(tried.folder)
        page = write_page(bundle, tried.folder / "view.html", score=tried.score)
        if asked.json:
            print_json({"bundle": str(tried.folder), "page": str(page), "score": tried.score.model_dump(mode="json")})
            return exit_code(tried.score)
        print(f"{pack.title}\n")
        for line in (*transcript(bundle), "", *score_lines(tried.score)):
            print(line)
        print(f"success  {tried.score.success}\nbundle   {tried.folder}\npage     {page.resolve().as_uri()}")
    return exit_code(tried.score)

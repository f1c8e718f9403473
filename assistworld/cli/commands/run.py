"""`assistworld run PACK`: one attempt."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import (
    engine_name,
    episode_progress,
    exit_code,
    json_argument,
    opened_engine,
    pack_arguments,
    print_json,
    refuse_unsound,
    run_arguments,
    score_lines,
    transcript,
)

NAME = "run"
HELP = "play one episode and score it (a pack of your own is checked first)"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare arguments."""
    pack_arguments(parser)
    parser.add_argument("--assistant", default="oracle", help="who assists: oracle, silent, wrong, early, me ... (see list)")
    parser.add_argument("--human", default="rule", help="who the person is: rule, nothing, me ... (see list)")
    run_arguments(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Play, score, report."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.attempt import attempt, make_assistant, make_human
    from taskpacks.loader import find_pack

    pack = find_pack(asked.pack, asked.packs)
    assistant, human = make_assistant(asked.assistant, pack, asked.seed), make_human(asked.human, pack, asked.seed)
    with opened_engine(engine_name(asked, pack), asked) as engine:
        refuse_unsound(pack, engine, asked.seed)
        with episode_progress(pack, pack.id) as watch:
            tried = attempt(pack, engine, assistant, human, out=asked.out, seed=asked.seed, frames=asked.frames, watch=watch)
        if asked.json:
            print_json({"bundle": str(tried.folder), "score": tried.score.model_dump(mode="json")})
            return exit_code(tried.score)
        for line in (*transcript(open_bundle(tried.folder, verify=False)), *score_lines(tried.score)):
            print(line)
        print(f"bundle   {tried.folder}")
    if asked.traceback and tried.failure is not None:
        raise tried.failure
    return exit_code(tried.score)

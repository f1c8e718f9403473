"""`assistworld run PACK`: one attempt."""

from __future__ import annotations

import argparse

from assistworld.cli.shared import (
    channels,
    engine_name,
    episode_progress,
    exit_code,
    human_options_argument,
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
    parser.add_argument("--assistant", help="who assists: oracle, silent, wrong, early, me ... (default: whom the pack is made for)")
    parser.add_argument("--human", help="who the person is: rule, solver, player, nothing, me ... (default: whom the pack is made for)")
    human_options_argument(parser)
    parser.add_argument(
        "--channels", type=channels, metavar="A,B", help="observation channels instead of the pack's (a puzzle has view, text, goal, lamp)"
    )
    run_arguments(parser)
    json_argument(parser)


def run(asked: argparse.Namespace) -> int:
    """Play, score, report."""
    from assistworld.episodes.bundle import open_bundle
    from assistworld.studies.attempt import attempt, make_assistant, make_human, with_channels
    from assistworld.studies.prove import reference_agents
    from taskpacks.loader import find_pack

    pack = find_pack(asked.pack, asked.packs)
    helper, person = reference_agents(pack)
    assistant = make_assistant(asked.assistant or helper, pack, asked.seed)
    human = make_human(asked.human or person, pack, asked.seed, dict(asked.human_option))
    pack = with_channels(pack, asked.channels) if asked.channels else pack
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

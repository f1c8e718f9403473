"""What commands share: common arguments, JSON output, a progress bar, the transcript."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistcore.world.text import printable

if TYPE_CHECKING:
    from assistcore.world.engine import Engine
    from assistworld.engines._watched import Watched
    from assistworld.engines.remote.client import RemoteEngine
    from assistworld.episodes.bundle import Bundle
    from assistworld.episodes.driver import Watch
    from evaluator.scores import Score
    from taskpacks.schema import TaskPack


def pack_arguments(parser: argparse.ArgumentParser) -> None:
    """PACK and where else to look for packs."""
    parser.add_argument("pack", metavar="PACK", help="id of a pack, or the path of its YAML file")
    packs_argument(parser)


def packs_argument(parser: argparse.ArgumentParser) -> None:
    """`--packs DIR`."""
    parser.add_argument(
        "--packs", metavar="DIR", type=Path, action="append", default=[], help="a further folder of packs (may be repeated)"
    )


def run_arguments(parser: argparse.ArgumentParser) -> None:
    """Engine, seed, frames, output folder."""
    parser.add_argument("--engine", help="engine to play on (default: the pack's)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--fresh", action="store_true", help="start the engine in a new process of its own for each attempt")
    connect_argument(where)
    limit_argument(parser)
    parser.add_argument("--seed", type=int, default=0, help="seed of every random draw (default 0)")
    parser.add_argument("--frames", type=frames, default=4, metavar="none|N", help="pictures drawn per command (default 4)")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR", help="folder for bundles (default ./runs)")
    person_arguments(parser)


def connect_argument(parser: argparse.ArgumentParser | argparse._MutuallyExclusiveGroup) -> None:
    """`--connect SERVER`."""
    parser.add_argument(
        "--connect",
        metavar="SERVER",
        help="use a running server: the file in which `assistworld serve` announces it, or 127.0.0.1:PORT (token in ASSISTWORLD_TOKEN)",
    )


def limit_argument(parser: argparse.ArgumentParser) -> None:
    """`--limit-s S`."""
    parser.add_argument(
        "--limit-s",
        type=seconds,
        metavar="S",
        help="longest time of one call of the engine (default 300; of a running server what it was started with)",
    )


def person_arguments(parser: argparse.ArgumentParser) -> None:
    """`--body FILE`, `--gait FILE`."""
    parser.add_argument("--body", type=Path, metavar="FILE", help="your own SMPL+H model for the person (npz, pkl, or its folder)")
    parser.add_argument("--gait", type=Path, metavar="FILE", help="an AMASS clip (npz) whose walk the person takes over")


def json_argument(parser: argparse.ArgumentParser) -> None:
    """`--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on standard output")


def human_options_argument(parser: argparse.ArgumentParser) -> None:
    """`--human-option KEY=VALUE`."""
    parser.add_argument(
        "--human-option",
        type=key_value,
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="an option of the person (may be repeated); `player` takes model, url, history, feedback, reasoning, repeat, side, record",
    )


def key_value(text: str) -> tuple[str, str]:
    """`history=4` as a pair."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise argparse.ArgumentTypeError(f"{text!r} is no KEY=VALUE")
    return key.strip(), value


def channels(text: str) -> tuple[str, ...]:
    """Names separated by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def frames(text: str) -> int:
    """`none` or a number of pictures, 0 to 32."""
    if text == "none":
        return 0
    if not text.isdigit() or int(text) > 32:
        raise argparse.ArgumentTypeError(f"{text!r} is neither `none` nor a number from 0 to 32")
    return int(text)


def seconds(text: str) -> float:
    """A number of seconds above zero."""
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not found > 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above zero")
    return found


def to_stderr(line: str) -> None:
    """How something goes, beside what is printed as a result."""
    print(f"assistworld: {line}", file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """One JSON object on standard output."""
    print(json.dumps(value, indent=1, sort_keys=True, default=str))


def refuse_unsound(pack: TaskPack, engine: Engine, seed: int) -> None:
    """What `check` rejects is not played: its score would mean nothing. The catalogue's own packs are not checked again.

    Raises InputError with every problem.
    """
    from assistcore.world.errors import InputError
    from taskpacks.check import check_pack
    from taskpacks.loader import in_catalogue

    if not in_catalogue(pack) and (problems := check_pack(pack, engine, seed=seed)):
        raise InputError(f"pack {pack.id} is not sound", problems)


def engine_name(asked: argparse.Namespace, pack: TaskPack) -> str:
    """The engine that was asked for, or the pack's."""
    return str(asked.engine or pack.scenario.engine)


@contextmanager
def opened_engine(name: str, asked: argparse.Namespace | None = None) -> Iterator[Engine]:
    """An engine by name, or of a running server, with the person that was asked for, under watch, closed at the end.

    Report inside: an engine that fails while closing takes no result with it."""
    engine = _engine(name, asked)
    try:
        yield engine
    finally:
        sys.stdout.flush()
        try:
            engine.close()
        except Exception as error:
            print(f"assistworld: engine {name} failed at shutdown (what was written before is complete): {error}", file=sys.stderr)


def _engine(name: str, asked: argparse.Namespace | None) -> RemoteEngine | Watched:
    """In this process under watch, in a fresh one for each attempt, or on a server that somebody keeps warm."""
    from assistworld.engines._watched import LIMIT_S, Watched
    from assistworld.engines.remote.connecting import connected, is_server
    from assistworld.engines.remote.process import ServerProcess, needs_own_process
    from assistworld.studies.attempt import make_engine

    person = {key: value for key in ("body", "gait") if (value := getattr(asked, key, None)) is not None}
    server, limit_s = getattr(asked, "connect", None), getattr(asked, "limit_s", None)
    if server is not None or is_server(name):
        options = [*person, *(["limit-s"] if limit_s is not None else [])]
        return connected(server or name, engine=name if server is not None and name else None, options=options)
    limit_s = limit_s or LIMIT_S
    fresh = bool(getattr(asked, "fresh", False))
    if fresh or needs_own_process(name):
        from assistworld.engines.remote.client import RemoteEngine

        place = ServerProcess(name, limit_s=limit_s, say=to_stderr, options={k: str(v.resolve()) for k, v in person.items()})
        return RemoteEngine(place, fresh=fresh)
    return Watched(lambda: make_engine(name, person), limit_s=limit_s)


@contextmanager
def read_as_written(bundle: Bundle) -> Iterator[None]:
    """Records that chain and decode, yet are not as an episode writes them, are a damaged bundle. Raises BundleError."""
    from assistcore.world.errors import BundleError
    from assistworld.episodes.log import EVENTS

    _ = bundle.opened
    try:
        yield
    except BrokenPipeError:
        raise
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"
        raise BundleError(EVENTS, f"its records, or what they name, are not as an episode writes them: {found}") from error


@contextmanager
def episode_progress(pack: TaskPack, label: str) -> Iterator[Watch]:
    """A bar of commands on a terminal; nothing elsewhere."""
    from tqdm import tqdm

    total = pack.protocol.budget.actions
    with tqdm(total=total, desc=label, unit="command", file=sys.stderr, disable=not sys.stderr.isatty(), leave=False) as bar:

        def watch(episode: Any, ask: Any) -> None:
            bar.n = min(total, episode.actions)
            bar.set_postfix_str(f"{float(episode.tick * episode.timing.tick_seconds):.0f} s", refresh=True)

        yield watch


def transcript(bundle: Bundle) -> Iterator[str]:
    """What was said and done, line by line, with the world time."""
    from assistcore.world.records import Ended, Notice, Said

    num, den = bundle.opened.tick_seconds
    for row in bundle.rows:
        at = f"{row.tick * num / den:7.1f} s "
        match row.record:
            case Said(speaker=speaker, text=text):
                yield printable(f"{at} {speaker:>9}: {text}")
            case Ended(text=text, status=status, code=code, fact=fact):
                yield printable(f"{at} {'':>9}  {text} -> {status}" + (f" ({code}: {fact})" if code else ""))
            case Notice(what=what, role=role, detail=detail):
                yield printable(f"{at} {'':>9}  note: {what} ({role}): {detail}")


def score_lines(score: Score) -> Iterator[str]:
    """The score with every check explained."""
    yield f"score    {score.summary()}"
    for check in score.checks:
        mark = "ok " if check.passed else "NO "
        yield f"         {mark} {check.role:<5} {check.id}: {check.explanation}"


def exit_code(score: Score) -> int:
    """0 success, 1 failure, 3 void."""
    return 3 if score.void else 0 if score.success else 1

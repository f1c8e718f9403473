"""The entry point: arguments, errors and exit codes. Commands are the modules of `assistworld.cli.commands`.

Exit codes: 0 it went well (goal reached, replay equal, pack sound, pack proved); 1 it ran and the answer is no; 2 bad input (unknown name,
wrong file, damaged bundle); 3 the infrastructure failed (VOID attempt, full disk, missing library); 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Sequence

from assistcore.world.errors import AssistWorldError, InfrastructureError
from assistworld.cli.commands import COMMANDS


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(
        prog="assistworld",
        description="A closed-loop gym in which an AI assistant helps a simulated person by talking.",
        epilog="exit codes: 0 yes; 1 no (goal missed, replay diverged, pack unsound); 2 bad input; 3 infrastructure; 130 interrupted",
    )
    top.add_argument("--traceback", action="store_true", help="show where an error was raised")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for command in COMMANDS:
        sub = commands.add_parser(command.NAME, help=command.HELP, description=command.HELP)
        command.arguments(sub)
        sub.set_defaults(run=command.run)
    return top


def main(words: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    asked = parser().parse_args(words)
    try:
        code: int = asked.run(asked)
        return code
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    except InfrastructureError as error:
        return _failed(error, 3, asked.traceback)
    except AssistWorldError as error:
        return _failed(error, 2, asked.traceback)
    except ImportError as error:
        from assistworld.studies.attempt import missing_library

        return _failed(missing_library(error), 3, asked.traceback)
    except BrokenPipeError:
        sys.stderr.close()
        return 1


def _failed(error: Exception, code: int, show: bool) -> int:
    if show:
        traceback.print_exc()
    print(f"assistworld: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())

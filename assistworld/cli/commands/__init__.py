"""The commands, in the order of `--help`. Each module has `NAME`, `HELP`, `arguments(parser)` and `run(asked) -> exit code`."""

from __future__ import annotations

import argparse
from typing import Protocol, cast

from assistworld.cli.commands import check, contract, demo, failures, listing, parity, prove, replay, run, serve, sft, view


class Command(Protocol):
    """A command module."""

    NAME: str
    HELP: str

    @staticmethod
    def arguments(parser: argparse.ArgumentParser) -> None:
        """Declare its arguments."""

    @staticmethod
    def run(asked: argparse.Namespace) -> int:
        """Do it; returns the exit code."""


COMMANDS = cast(tuple[Command, ...], (run, demo, replay, listing, check, prove, view, serve, contract, parity, sft, failures))

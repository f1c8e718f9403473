"""What all tests share: the rotating sample seed, Hypothesis without deadlines, and the table of minutes at the end."""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import hypothesis
import pytest

ROOT = Path(__file__).resolve().parents[1]
SEED_VARIABLE = "ASSISTWORLD_SAMPLE_SEED"

# Deadlines are wall time, which says nothing on a shared machine.
hypothesis.settings.register_profile("repository", deadline=None)
hypothesis.settings.load_profile("repository")

SHARES = {
    "first episode": 4.0,
    "action layer": 4.0,
    "assets and scenes": 4.0,
    "packs and evaluation": 6.0,
    "Isaac and remote": 2.0,
    "simulated users and their worlds": 4.0,
    "puzzles": 3.0,
    "streams": 2.0,
}
"""Minutes of CPU that each part of the suite may take on two cores."""

FOLDERS = {
    "actions": "action layer",
    "assets_bake": "assets and scenes",
    "house": "assets and scenes",
    "taskpacks": "packs and evaluation",
    "evaluator": "packs and evaluation",
    "studies": "packs and evaluation",
    "extension": "Isaac and remote",
    "remote": "Isaac and remote",
    "contract": "Isaac and remote",
    "cook": "simulated users and their worlds",
    "home": "simulated users and their worlds",
    "screen": "simulated users and their worlds",
    "models": "simulated users and their worlds",
    "puzzle": "puzzles",
    "stream": "streams",
}
"""Folder below ``tests/`` (the deepest that is named counts) to its share; all others belong to the first episode."""


def share_of(nodeid: str) -> str:
    """The row of the table to which a test belongs, by the folders in its id."""
    folders = nodeid.split("::")[0].split("/")[1:-1]
    return next((FOLDERS[name] for name in reversed(folders) if name in FOLDERS), "first episode")


def _sample_seed() -> int:
    given = os.environ.get(SEED_VARIABLE)
    if given is not None:
        return int(given)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    return int(hashlib.sha256(head.encode()).hexdigest()[:8], 16)


def pytest_report_header() -> str:
    seed = _sample_seed()
    return f"sample seed: {seed} (rotates with the commit; repeat with {SEED_VARIABLE}={seed})"


@pytest.fixture(scope="session")
def sample_seed() -> int:
    """Seed of the small samples that stand for the full counts; another one for each commit, named in the header."""
    return _sample_seed()


def chosen(names: Sequence[str], keep: int, seed: int) -> set[str]:
    """Which `keep` of a test's cases are taken with a sample seed, whatever else is collected beside them."""
    order = sorted(names, key=lambda name: hashlib.sha256(f"{seed} {name}".encode()).digest())
    return set(order[:keep])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of a test marked `rotating(n)`, n cases belong to the default tests and the others to the slow ones, another n for each commit."""
    cases: dict[str, dict[str, pytest.Item]] = defaultdict(dict)
    keep: dict[str, int] = {}
    for item in items:
        if (mark := item.get_closest_marker("rotating")) is not None:
            test = item.nodeid.partition("[")[0]
            cases[test][item.nodeid], keep[test] = item, int(mark.args[0])
    for test, found in cases.items():
        for name in found.keys() - chosen(list(found), keep[test], _sample_seed()):
            found[name].add_marker("slow")


class _Minutes:
    """Sums test durations by share while the suite runs."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.tests: dict[str, int] = defaultdict(int)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        share = share_of(report.nodeid)
        self.seconds[share] += report.duration
        self.tests[share] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.tests:
            return
        terminalreporter.section("minutes by part")
        for share, allowed in SHARES.items():
            minutes = self.seconds[share] / 60.0
            note = "  OVER" if minutes > allowed else ""
            terminalreporter.write_line(f"{share:<34}{self.tests[share]:>6} tests {minutes:>7.2f} of {allowed:.0f} min{note}")
        terminalreporter.write_line(f"{'all':<34}{sum(self.tests.values()):>6} tests {sum(self.seconds.values()) / 60.0:>7.2f} min")


def pytest_configure(config: pytest.Config) -> None:
    # Processes that share the tests are started with this environment: they choose the same ones, though a commit is made meanwhile.
    os.environ.setdefault(SEED_VARIABLE, str(_sample_seed()))
    config.pluginmanager.register(_Minutes(), "assistworld-minutes")

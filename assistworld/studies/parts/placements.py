"""400 random placements decided by an exhaustive sampler: the planner solves 95 % of 300 reachable ones and refuses 100 that are not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.placements import GROUP, play_placement

CASES, TOGETHER = 400, GROUP
SEED = 50
PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")
SOLVED_SHARE = 0.95
REACHABLE, UNREACHABLE = 300, 100


def case(number: int) -> dict[str, Any]:
    """Placement `number` of the fixed seed."""
    return play_placement(SEED, number)


def problems(cases: Sequence[dict[str, Any]]) -> list[str]:
    """What the placements together do not show: their number, the share that is solved, every unreachable one refused."""
    reachable = [c for c in cases if c.get("class") == "reachable"]
    unreachable = [c for c in cases if c.get("class") == "unreachable"]
    found = [
        f"{len(rows)} {name} placements, not {count}"
        for name, rows, count in (("reachable", reachable, REACHABLE), ("unreachable", unreachable, UNREACHABLE))
        if len(rows) != count
    ]
    solved = sum(1 for c in reachable if c["solved"])
    if solved < SOLVED_SHARE * len(reachable):
        found.append(f"{solved} of {len(reachable)} reachable placements were solved, less than {SOLVED_SHARE:.0%}")
    return [*found, *(f"case {c['number']}, {c['reason']}: accepted {c['command']}" for c in unreachable if c["status"] != "refused")]


def committed(case: dict[str, Any]) -> dict[str, Any]:
    """What the result keeps of a placement: its number, class and end; the lists say the rest."""
    return {name: case[name] for name in ("number", "scene", "command", "class", "reason", "status", "code", "solved", "ok", "passed_over")}


def lists(cases: Sequence[dict[str, Any]]) -> dict[str, list[str]]:
    """Both lists, a line for each placement: what was asked, why it is unreachable or from where it is reached, and what came of it."""
    out: dict[str, list[str]] = {"reachable": [], "unreachable": []}
    for c in cases:
        if c.get("class") in out:
            why = c["reason"] or f"from {c['found']['stance']}, {c['found']['posture']}"
            ended = c["status"] if c["solved"] else f"{c['status']} {c['code']}: {c['fact']}"
            out[c["class"]].append(f"{c['number']} {c['scene']} {c['command']} [{why}] {ended}")
    return out

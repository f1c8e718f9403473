"""1,000 random scripts of ten commands in both scenes: RULES and contacts hold, `can` is right, what is saved goes on bit for bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.scripts import play_script

CASES = 1000
SEED = 30
PACKAGES = (*HOUSE_ENGINE, "actions", "humans", "assistcore")
ASKED = 500
HELD_TICKS = 10_000
PLAYED = 20
"""A verb that so many commands play for longer than a tick must have been saved in: each third command is, where it lasts so long."""


def case(number: int) -> dict[str, Any]:
    """Script `number` of the fixed seed."""
    return play_script(SEED, number)


def committed(found: Mapping[str, Any]) -> dict[str, Any]:
    """What the result keeps of a script that passed: how each command ended, and what was counted. Its number repeats it."""
    kept = {name: found[name] for name in ("number", "ok", "scene", "asked", "saved_at", "held_ticks", "worst_drift_um")}
    ended = [f"{row['verb']} {row['status']} {row['code']}".strip() for row in found["outcomes"]]
    return {**kept, "outcomes": ", ".join(ended)}


def problems(cases: Sequence[dict[str, Any]]) -> list[str]:
    """What the scripts together do not show: enough questions, enough ticks with something in the hand, every verb, saves in it."""
    from collections import Counter

    from actions.verb import all_verbs

    asked, held = (sum(int(c.get(name, 0)) for c in cases) for name in ("asked", "held_ticks"))
    tried = {row["verb"] for c in cases for row in c.get("outcomes", ())}
    found = [f"`can` was asked {asked} times, less than {ASKED}"] if asked < ASKED else []
    found += [f"something was held for {held} ticks, less than {HELD_TICKS}"] if held < HELD_TICKS else []
    found += [f"no script tries {info.name}" for info in all_verbs() if info.name not in tried]
    saved = {at.partition(":")[0] for c in cases for at in c.get("saved_at", ())}
    played = Counter(row["verb"] for c in cases for row in c.get("outcomes", ()) if row["ticks"] > 1)
    found += [
        f"no script was saved in {verb}, which {n} commands play" for verb, n in sorted(played.items()) if n >= PLAYED and verb not in saved
    ]
    unsaved = sum(1 for c in cases if not c.get("saved_at"))
    return [*found, f"{unsaved} scripts were never saved"] if 2 * unsaved > len(cases) else found

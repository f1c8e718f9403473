"""`docs/verbs.md` from the verb registry: `python -m assistworld.studies.verb_page` writes it, a test refuses one that is not current."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from actions.failures import FAILURES
from actions.verb import all_verbs
from assistcore.world.engine import VerbInfo
from assistcore.world.outcomes import CORE_CODES, Code
from assistcore.world.sources import checkout
from assistworld.episodes.files import write_atomic

HANDS = {
    "empty": f"must be empty (else `{Code.HAND_FULL}`)",
    "holds": f"must hold the named thing (else `{Code.NOT_HELD}`)",
    "free": "may hold something",
}
PAGE = "docs/verbs.md"


def verb_page() -> str:
    """The page as text: a table for each group of primitives, and the failure table."""
    verbs = sorted(all_verbs(), key=lambda info: (info.group, info.name))
    performed = sum(info.implemented for info in verbs)
    parts = [
        "# Verbs",
        "",
        "Written by `python -m assistworld.studies.verb_page`; do not edit.",
        "",
        f"{len(verbs)} primitives, {performed} of them performed. A command reads `[Verb] <name> (index)`; the first written form is the",
        "usual one, the others are accepted too. An argument with `?` may be left out; numbers are metres, degrees or seconds.",
        "What cannot be done is refused with one of the codes below and changes nothing.",
    ]
    for group, members in groupby(verbs, key=lambda info: info.group):
        parts += ["", f"## {group.capitalize()}", "", *_table(members)]
    parts += ["", "## Codes", "", *_codes(verbs)]
    return "\n".join(parts) + "\n"


def _table(verbs: Iterable[VerbInfo]) -> list[str]:
    rows = ["| primitive | written | arguments | the hand | in plain words | meaning |", "|---|---|---|---|---|---|"]
    for info in verbs:
        written = ", ".join(f"`[{surface}]`" for surface in info.surface)
        arguments = ", ".join(f"{name}{_range(info, name)}" for name in info.args) or "none"
        meaning = info.meaning if info.implemented else f"{info.meaning} Not performed: `{Code.NOT_SUPPORTED}`."
        said = "; ".join(info.english)
        rows.append(f"| `{info.name}` | {written} | {arguments} | {HANDS[info.hands]} | {said} | {meaning}{_seat(info)} |")
    return rows


def _codes(verbs: Iterable[VerbInfo]) -> list[str]:
    """The failure table: code, when, what its fact names, what the person is told, and the verbs that may answer with it."""
    rows = [
        "Every refusal carries the fact and a next step; the person is told the sentence, then both. Each pair of verb and code is",
        "provoked in `tests/engines/conformance`. `BUSY` and what the grammar refuses may meet any verb.",
        "",
        "| code | when | the fact names | the person is told | verbs |",
        "|---|---|---|---|---|",
    ]
    listed = list(verbs)
    for code in sorted(CORE_CODES):
        line = FAILURES[code]
        said = ", ".join(f"`{info.name}`" for info in sorted(listed, key=lambda i: i.name) if code in info.codes)
        rows.append(f"| `{code}` | {line.when} | {line.fact} | {line.told}. | {said} |")
    return rows


def _range(info: VerbInfo, name: str) -> str:
    number = next((n for n in info.numbers if n.name == name.rstrip("?")), None)
    return "" if number is None else f" ({number.low:g} to {number.high:g})"


def _seat(info: VerbInfo) -> str:
    return " On a seat too." if info.seated else ""


if __name__ == "__main__":
    write_atomic(checkout() / PAGE, verb_page().encode())

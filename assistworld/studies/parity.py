"""The same packs on two back ends: outcomes, relations at the end and scores compared, never plans or bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistcore.world.engine import Engine, Hosted
from assistcore.world.records import Ended
from assistworld.episodes.bundle import open_bundle
from assistworld.studies.attempt import Attempt, attempt, make_assistant, make_human
from assistworld.studies.contract.playing import relations, unlike
from taskpacks.schema import TaskPack

RELATIONS = ("on", "inside", "held", "open", "closed", "room", "attached", "sitting")
ASSISTANT, HUMAN = "oracle", "rule"


@dataclass(frozen=True)
class Compared:
    """One pack on both back ends. `differences` in words, empty where they agree; a VOID attempt is no agreement."""

    pack: str
    folders: tuple[Path, Path]
    scores: tuple[str, str]
    differences: tuple[str, ...]

    @property
    def equal(self) -> bool:
        """Whether outcomes, relations and scores agree."""
        return not self.differences

    def as_json(self) -> dict[str, Any]:
        """For reports."""
        return {
            "pack": self.pack,
            "bundles": [str(f) for f in self.folders],
            "scores": list(self.scores),
            "differences": list(self.differences),
            "equal": self.equal,
        }


def compare(pack: TaskPack, engines: tuple[Engine, Engine], *, out: Path, seed: int = 0) -> Compared:
    """Play the oracle and the rule human on both and compare what came of it.

    One in a process of its own is played first: in Isaac Sim's environment nothing but its application can read USD, and what it has read
    is kept for the embedded house.
    """
    tried = {}
    for n in sorted((0, 1), key=lambda n: _is_here(engines[n])):
        agents = make_assistant(ASSISTANT, pack, seed), make_human(HUMAN, pack, seed)
        tried[n] = attempt(pack, engines[n], *agents, out=out, seed=seed, frames=0)
    a, b = tried[0], tried[1]
    return Compared(pack.id, (a.folder, b.folder), (a.score.summary(), b.score.summary()), tuple(_differences(a, b)))


def _is_here(engine: Engine) -> bool:
    return not isinstance(engine, Hosted) or engine.process == "in process"


def compare_all(
    packs: Sequence[TaskPack],
    engines: tuple[Engine, Engine],
    *,
    out: Path,
    seed: int = 0,
    say: Callable[[Compared], None] = lambda c: None,
) -> tuple[Compared, ...]:
    """Every pack in turn; `say` is told of each at once."""
    found = []
    for pack in packs:
        found.append(compare(pack, engines, out=out, seed=seed))
        say(found[-1])
    return tuple(found)


def report(found: Sequence[Compared], names: tuple[str, str]) -> str:
    """A page (Markdown): a row for each pack, and what differs below."""
    lines = [f"# {names[0]} and {names[1]}", "", f"{sum(c.equal for c in found)} of {len(found)} packs agree.", ""]
    lines += [f"| pack | {names[0]} | {names[1]} | agree |", "|---|---|---|---|"]
    lines += [f"| {c.pack} | {c.scores[0]} | {c.scores[1]} | {'yes' if c.equal else 'NO'} |" for c in found]
    for compared in (c for c in found if not c.equal):
        lines += ["", f"## {compared.pack}", "", *(f"- {d}" for d in compared.differences)]
    return "\n".join(lines) + "\n"


def _differences(a: Attempt, b: Attempt) -> list[str]:
    """What the two attempts do not agree in."""
    void = [f"the attempt in {t.folder.name} is void: {t.ended.detail}" for t in (a, b) if t.ended.void]
    if void:
        return void
    found = []
    first, second = (_outcomes(t.folder) for t in (a, b))
    for n in range(max(len(first), len(second))):
        one, other = (rows[n] if n < len(rows) else "no command" for rows in (first, second))
        if one != other:
            found.append(f"command {n + 1}: {one} / {other}")
    ends = [relations(bundle.graph_at(t.ended.tick), RELATIONS) for t in (a, b) for bundle in (open_bundle(t.folder, verify=False),)]
    found += unlike(ends[0], ends[1])
    for name in ("success", "completion", "stop_reason"):
        one, other = (getattr(t.score, name) for t in (a, b))
        if one != other:
            found.append(f"{name}: {one} / {other}")
    return found


def _outcomes(folder: Path) -> list[str]:
    rows = (row.record for row in open_bundle(folder, verify=False).rows)
    return [f"{r.text} {r.status}{f' ({r.code})' if r.code else ''}" for r in rows if isinstance(r, Ended)]

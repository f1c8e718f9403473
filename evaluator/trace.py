"""The records of an attempt as the evaluator reads them: the graph at the baseline, at each outcome and at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistcore.world.errors import BundleError
from assistcore.world.graph import SceneGraph, fold
from assistcore.world.records import Baseline, Changed, Ended, Initial, Opened, Row, Stopped


@dataclass(frozen=True)
class Moment:
    """The world when a live command ended. `action` counts live commands from 1; 0 is the baseline."""

    tick: int
    action: int
    graph: SceneGraph


@dataclass(frozen=True)
class Trace:
    """What happened, folded. `moments` starts with the baseline and ends with the final state (the last action's number again)."""

    opened: Opened
    stopped: Stopped
    baseline: SceneGraph | None
    moments: tuple[Moment, ...]
    outcomes: tuple[Ended, ...]

    @property
    def final(self) -> SceneGraph:
        """The graph at the end."""
        return self.moments[-1].graph


def read_trace(rows: Sequence[Row]) -> Trace:
    """Fold the rows. Raises BundleError where the log has no first or last record."""
    graph, baseline = SceneGraph(), None
    moments: list[Moment] = []
    outcomes: list[Ended] = []
    for row in rows:
        match row.record:
            case Initial():
                graph = row.record.scene_graph()
            case Changed():
                graph = fold(graph, row.record.values(row.tick))
            case Baseline():
                baseline = graph
                moments.append(Moment(row.tick, 0, graph))
            case Ended(phase="live"):
                outcomes.append(row.record)
                moments.append(Moment(row.tick, len(outcomes), graph))
    first, last = (rows[0].record, rows[-1].record) if rows else (None, None)
    if not isinstance(first, Opened) or not isinstance(last, Stopped):
        raise BundleError("events.jsonl", "the attempt was not ended: seal it first, a running or killed one has no score")
    moments.append(Moment(rows[-1].tick, len(outcomes), graph))
    return Trace(first, last, baseline, tuple(moments), tuple(outcomes))

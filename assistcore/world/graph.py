"""The scene graph, its changes and how one folds into the other.

A graph is a flat map from (subject, kind) to a JSON value made of integers, strings, booleans and sorted tuples of strings. Facts are
kinds:

| kind | value | owner |
|---|---|---|
| `place` | 7 integers: x, y, z in millimetres, quaternion w, x, y, z in millionths | Physics |
| `joint` | integer: thousandths of the range from closed (0) to open (1000) | Physics |
| `room` | room key | Physics |
| `on`, `inside`, `near` | sorted tuple of entity keys | Physics |
| `open`, `closed` | bool | Physics |
| `held` | tuple with the hand, `left` or `right` | constraint table |
| `attached`, `sitting` | tuple of keys | constraint table |
| any other name | bool, int or str | attribute table |

The initial graph plus the changes give the graph at every tick (DESIGN section 2, Changes).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from assistcore.world.canonical import Value, digest

Key = tuple[str, str]


@dataclass(frozen=True)
class Change:
    """One fact changed. `before` or `after` is None where the fact is absent. `cause` names the command text, rule or `physics`."""

    tick: int
    subject: str
    kind: str
    before: Value
    after: Value
    cause: str


@dataclass(frozen=True)
class SceneGraph:
    """A frozen reading of the world. Build with `read_graph` in `assistcore.house`, or fold changes."""

    values: Mapping[Key, Value] = field(default_factory=dict)

    def value(self, subject: str, kind: str) -> Value:
        """The value of a fact, or None where it is absent."""
        return self.values.get((subject, kind))

    def has(self, predicate: str, subject: str, other: str | None = None) -> bool:
        """Whether a predicate holds: membership for relations with two arguments, truth for one."""
        value = self.values.get((subject, predicate))
        if other is None:
            return bool(value)
        return isinstance(value, tuple) and other in value

    def subjects(self, kind: str) -> tuple[str, ...]:
        """All subjects with a fact of this kind, sorted."""
        return self._subjects.get(kind, ())

    @cached_property
    def _subjects(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for subject, kind in self.values:
            found.setdefault(kind, []).append(subject)
        return {kind: tuple(sorted(subjects)) for kind, subjects in found.items()}

    def digest(self) -> str:
        """`graph_digest`: equal across machines and engines for equal integer facts."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest([[s, k, self.values[s, k]] for s, k in sorted(self.values)])

    def revised(self, values: Mapping[Key, Value], touched: Collection[Key]) -> SceneGraph:
        """A later graph that shares with this one every fact but, at most, the touched ones: `difference` looks at those alone."""
        later = SceneGraph(values)
        later.__dict__["_revision"] = (self._mark, touched)
        return later

    @cached_property
    def _mark(self) -> object:
        """Stands for this graph in those that revise it, which must not keep it alive."""
        return object()

    def difference(self, later: SceneGraph, *, tick: int, cause: str) -> tuple[Change, ...]:
        """The changes that turn this graph into `later`, in canonical order."""
        before, after = self.values, later.values
        mark, touched = later.__dict__.get("_revision", (None, ()))
        keys = touched if mark is self._mark else before.keys() | after.keys()
        changed = [key for key in keys if (old := before.get(key)) is not (new := after.get(key)) and old != new]
        if all(key in before and key in after for key in changed):  # the same facts with other values: the same subjects
            later.__dict__["_subjects"] = self._subjects
        return tuple(Change(tick, s, k, before.get((s, k)), after.get((s, k)), cause) for s, k in sorted(changed))


def fold(graph: SceneGraph, changes: Iterable[Change]) -> SceneGraph:
    """Apply changes in order. Raises ValueError where a change's `before` disagrees with the graph."""
    values: dict[Key, Value] | None = None
    for change in changes:
        if values is None:
            values = dict(graph.values)
        key = (change.subject, change.kind)
        if values.get(key) != change.before:
            raise ValueError(
                f"tick {change.tick}: change of {change.kind} of {change.subject} expects {change.before!r}, "
                f"the graph has {values.get(key)!r}"
            )
        if change.after is None:
            values.pop(key, None)
        else:
            values[key] = change.after
    return graph if values is None else SceneGraph(values)

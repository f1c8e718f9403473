"""Conditions: values that packs, checkers, event triggers, human policies and scores all evaluate with one function, `holds`.

In YAML a condition is one of
`{is: [on, red_mug_1, table_1]}`, `{attribute: [soup_1, volume_ml, ">=", 200]}`, `{unmoved: red_mug_1}`,
`{all: [...]}`, `{any: [...]}`, `{not: {...}}`, `{count: {of: [...], min: 2, max: 2}}`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator

from assistcore.world.graph import SceneGraph

UNMOVED_MM = 50
"""An object is `unmoved` while its place is within 50 mm of the baseline (documented tolerance)."""


class _Node(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Is(_Node):
    """`{is: [predicate, subject]}` or `{is: [predicate, subject, object]}`."""

    terms: tuple[str, ...] = Field(alias="is", min_length=2, max_length=3)


class Attribute(_Node):
    """`{attribute: [subject, name, op, value]}` with op one of == != < <= > >=. An absent attribute satisfies nothing but `!=`."""

    terms: tuple[str, str, Literal["==", "!=", "<", "<=", ">", ">="], bool | int | str] = Field(alias="attribute")


class Unmoved(_Node):
    """`{unmoved: subject}`: within `UNMOVED_MM` of its place at the baseline."""

    subject: str = Field(alias="unmoved")


class All(_Node):
    """Every part holds."""

    parts: tuple[Condition, ...] = Field(alias="all", min_length=1)


class AnyOf(_Node):
    """At least one part holds."""

    parts: tuple[Condition, ...] = Field(alias="any", min_length=1)


class Not(_Node):
    """The part does not hold."""

    part: Condition = Field(alias="not")


class Counted(_Node):
    """Bounds on how many parts hold."""

    of: tuple[Condition, ...] = Field(min_length=1)
    min: int = 0
    max: int | None = None

    @model_validator(mode="after")
    def _ordered(self) -> Counted:
        if self.max is not None and self.max < self.min:
            raise ValueError(f"count: max {self.max} is below min {self.min}")
        return self


class Count(_Node):
    """`{count: {of: [...], min: 2, max: 2}}`."""

    count: Counted


def _tag(value: Any) -> str | None:
    if isinstance(value, dict):
        keys = [k for k in value if k in _KINDS]
        return keys[0] if len(keys) == 1 else None
    return _NAMES.get(type(value))


Condition = Annotated[
    Annotated[Is, Tag("is")]
    | Annotated[Attribute, Tag("attribute")]
    | Annotated[Unmoved, Tag("unmoved")]
    | Annotated[All, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")]
    | Annotated[Count, Tag("count")],
    Discriminator(
        _tag,
        custom_error_type="condition",
        custom_error_message="a condition has exactly one of the keys is, attribute, unmoved, all, any, not, count",
    ),
]

_NAMES: dict[type, str] = {Is: "is", Attribute: "attribute", Unmoved: "unmoved", All: "all", AnyOf: "any", Not: "not", Count: "count"}
_KINDS = frozenset(_NAMES.values())
for _model in (All, AnyOf, Not, Counted, Count):
    _model.model_rebuild()


def holds(condition: Condition, graph: SceneGraph, baseline: SceneGraph | None = None) -> bool:
    """Whether `condition` holds in `graph`. `baseline` is needed by `unmoved` only; without it the graph itself is the baseline."""
    match condition:
        case Is(terms=terms):
            return graph.has(*terms)
        case Attribute(terms=(subject, name, op, wanted)):
            return _compare(graph.value(subject, name), op, wanted)
        case Unmoved(subject=subject):
            return _unmoved(subject, graph, baseline or graph)
        case All(parts=parts):
            return all(holds(p, graph, baseline) for p in parts)
        case AnyOf(parts=parts):
            return any(holds(p, graph, baseline) for p in parts)
        case Not(part=part):
            return not holds(part, graph, baseline)
        case Count(count=counted):
            n = sum(holds(p, graph, baseline) for p in counted.of)
            return counted.min <= n and (counted.max is None or n <= counted.max)
    raise TypeError(f"not a condition: {condition!r}")


def _compare(found: Any, op: str, wanted: bool | int | str) -> bool:
    if op == "==":
        return bool(found == wanted)
    if op == "!=":
        return bool(found != wanted)
    if isinstance(found, bool) or isinstance(wanted, bool) or not isinstance(found, int) or not isinstance(wanted, int):
        return False
    return {"<": found < wanted, "<=": found <= wanted, ">": found > wanted, ">=": found >= wanted}[op]


def _unmoved(subject: str, graph: SceneGraph, baseline: SceneGraph) -> bool:
    now, then = graph.value(subject, "place"), baseline.value(subject, "place")
    if not isinstance(now, tuple) or not isinstance(then, tuple):
        return False
    dx, dy, dz = (now[i] - then[i] for i in range(3))
    return hypot(dx, dy, dz) <= UNMOVED_MM and not graph.has("held", subject)


def leaves(condition: Condition) -> Iterator[Is | Attribute | Unmoved]:
    """Every leaf of a condition, in order."""
    match condition:
        case Is() | Attribute() | Unmoved():
            yield condition
        case All(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from leaves(part)
        case Not(part=part):
            yield from leaves(part)
        case Count(count=counted):
            for part in counted.of:
                yield from leaves(part)


def describe(condition: Condition) -> str:
    """A short English reading: `on(red_mug_1, table_1)`, `not open(fridge_1)`."""
    match condition:
        case Is(terms=(predicate, *args)):
            return f"{predicate}({', '.join(args)})"
        case Attribute(terms=(subject, name, op, wanted)):
            return f"{name}({subject}) {op} {wanted}"
        case Unmoved(subject=subject):
            return f"unmoved({subject})"
        case All(parts=parts):
            return "(" + " and ".join(describe(p) for p in parts) + ")"
        case AnyOf(parts=parts):
            return "(" + " or ".join(describe(p) for p in parts) + ")"
        case Not(part=part):
            return f"not {describe(part)}"
        case Count(count=counted):
            top = "" if counted.max is None else f" and at most {counted.max}"
            return f"at least {counted.min}{top} of [{', '.join(describe(p) for p in counted.of)}]"
    raise TypeError(f"not a condition: {condition!r}")

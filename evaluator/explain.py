"""The facts behind a condition in plain words: what each leaf's subject really is."""

from __future__ import annotations

from assistcore.world.conditions import Attribute, Condition, Is, Unmoved, leaves
from assistcore.world.graph import SceneGraph

_WHERE = ("on", "inside", "held", "attached")


def fact_values(condition: Condition, graph: SceneGraph) -> str:
    """`red_mug_1 is on table_1; fridge_1 closed = False`: the values that decided, one for each leaf, repeated ones once."""
    found: list[str] = []
    for leaf in leaves(condition):
        match leaf:
            case Is(terms=(_, subject, _)):
                told = whereabouts(subject, graph)
            case Is(terms=(predicate, subject)):
                told = f"{predicate}({subject}) = {_value(graph.value(subject, predicate))}"
            case Attribute(terms=(subject, name, _, _)):
                told = f"{name}({subject}) = {_value(graph.value(subject, name))}"
            case Unmoved(subject=subject):
                told = whereabouts(subject, graph)
        if told not in found:
            found.append(told)
    return "; ".join(found)


def whereabouts(subject: str, graph: SceneGraph) -> str:
    """Where a thing is, by its relations and place."""
    told = [f"{k} {', '.join(v)}" for k in _WHERE if isinstance(v := graph.value(subject, k), tuple) and v]
    place = graph.value(subject, "place")
    if isinstance(place, tuple):
        told.append("at " + ", ".join(f"{n / 1000:.2f}" for n in place[:3]) + " m")
    return f"{subject} is {' '.join(told) if told else 'nowhere that the graph knows'}"


def _value(value: object) -> str:
    return "absent" if value is None else ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)

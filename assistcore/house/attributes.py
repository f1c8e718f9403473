"""The attribute table: what is true of things beyond their geometry. Values are data; `apply` is the only writer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assistcore.house.stage import StageModel
from assistcore.house.state import AttributeValue
from assistcore.world.engine import AttributeInfo
from assistcore.world.errors import AssistWorldError
from assistcore.world.graph import Change

Table = Mapping[str, Mapping[str, AttributeValue]]

ATTRIBUTES = (
    AttributeInfo("running", "bool", "a device is switched on: lamp lit, water flowing, motor turning"),
    AttributeInfo("ringing", "bool", "a timer or telephone rings"),
    AttributeInfo("rings_at", "int", "tick at which it starts to ring"),
    AttributeInfo("clean", "bool", "has been washed or was never used"),
    AttributeInfo("used", "bool", "has served as a tool or vessel since the beginning"),
    AttributeInfo("wet", "bool", "has water on or in it"),
    AttributeInfo("cut", "bool", "has been cut"),
    AttributeInfo("cooked", "bool", "has been cooked"),
    AttributeInfo("heating_since", "int", "tick at which it came to the heat it is on"),
    AttributeInfo("heated_ticks", "int", "ticks that it had been on heat before"),
    AttributeInfo("burnt", "bool", "was heated for too long"),
    AttributeInfo("stirred", "bool", "what it holds has been stirred"),
    AttributeInfo("raised", "bool", "an assembly stands upright"),
    AttributeInfo("contents", "str", "what a vessel holds"),
    AttributeInfo("volume_ml", "int", "how much of it, millilitres"),
    AttributeInfo("sealed", "bool", "nothing comes out of it or goes in"),
    AttributeInfo("provenance", "str", "keys of what has been poured into it, in order, separated by spaces"),
    AttributeInfo("present", "bool", "a spill or stain is there to be seen"),
    AttributeInfo("label", "str", "text that is printed on it"),
    AttributeInfo("cycle_started", "int", "tick at which the running cycle of a device began"),
    AttributeInfo("cycle_ended", "int", "tick at which its last cycle ended"),
    AttributeInfo("cycle_contents", "str", "keys of what was inside when the cycle began, separated by spaces"),
    AttributeInfo("cycle_valid", "bool", "whether the door stayed closed during the cycle"),
)
"""Every attribute that the house itself reads or writes; packs may give things others."""

DERIVED = frozenset({"off"})
"""Facts that the graph derives from attributes; they are in no table."""

SHOWN = ("burnt", "cooked", "cut", "dirty", "present", "ringing", "running", "wet")
"""Words for what attributes change of a thing's look, sorted; `dirty` is what is not clean."""


def initial(stage: StageModel) -> dict[str, dict[str, AttributeValue]]:
    """The table of a stage as authored: entities with attributes only."""
    return {e.key: dict(e.attributes) for e in stage.entities if e.attributes}


def apply(table: Table, changes: Iterable[Change]) -> Table:
    """The table after changes, which it does not share with the one before; the same object when there are none.

    Raises AssistWorldError where a change's `before` disagrees with the table.
    """
    result: dict[str, Mapping[str, AttributeValue]] | None = None
    for change in changes:
        if change.kind in DERIVED:
            continue
        if result is None:
            result = dict(table)
        facts = dict(result.get(change.subject, {}))
        if facts.get(change.kind) != change.before:
            raise AssistWorldError(
                f"tick {change.tick}: {change.cause} changes {change.kind} of {change.subject} from {change.before!r}, "
                f"but it is {facts.get(change.kind)!r}"
            )
        if change.after is None:
            facts.pop(change.kind, None)
        elif isinstance(change.after, bool | int | str):
            facts[change.kind] = change.after
        else:
            raise AssistWorldError(f"tick {change.tick}: {change.kind} of {change.subject} cannot be {change.after!r}")
        result[change.subject] = facts
    return table if result is None else result


def look_of(facts: Mapping[str, AttributeValue]) -> str:
    """The look that a thing's attributes give it, words joined by `+`; empty for its plain look."""
    found = [name for name in SHOWN if (facts.get("clean") is False if name == "dirty" else facts.get(name) is True)]
    return "+".join([*found, *_heat(facts), *_level(facts)])


def _heat(facts: Mapping[str, AttributeValue]) -> list[str]:
    """The word `heat:<tick since which it is on heat, or nothing>:<ticks of heat before>` of what has been heated."""
    since, before = (_whole(facts.get(name)) for name in ("heating_since", "heated_ticks"))
    return [f"heat:{'' if since is None else since}:{before or 0}"] if since is not None or before else []


def _whole(value: AttributeValue | None) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _level(facts: Mapping[str, AttributeValue]) -> list[str]:
    """The word `level:<millilitres>:<contents>` of what holds something."""
    volume, contents = facts.get("volume_ml"), facts.get("contents")
    if not isinstance(volume, int) or isinstance(volume, bool) or volume <= 0 or not isinstance(contents, str) or not contents:
        return []
    return [f"level:{volume}:{contents.replace('+', ' ')}"]


def looks(table: Table) -> dict[str, str]:
    """The look of every entity that does not have its plain one."""
    return {key: look for key, facts in table.items() if (look := look_of(facts))}

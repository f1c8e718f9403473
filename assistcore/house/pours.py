"""What a pour changes: millilitres leave one vessel, find room in another, and what finds none is spilt. None is lost or made."""

from __future__ import annotations

from collections.abc import Mapping

from assistcore.house.state import AttributeValue

Row = tuple[str, str, AttributeValue]


def volume_ml(attributes: Mapping[str, Mapping[str, AttributeValue]], key: str) -> int:
    """Millilitres that a thing holds now."""
    value = attributes.get(key, {}).get("volume_ml")
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def poured(
    attributes: Mapping[str, Mapping[str, AttributeValue]], source: str, target: str, ml: int, holds_ml: int, spill: str = ""
) -> list[Row]:
    """Rows (entity, attribute, value) of `ml` running from a source into a target that holds at most `holds_ml`, the rest into a spill.

    No more runs than is there now; without a spill, what finds no room stays in the source. An empty `target` is a drain.
    """
    there, held = volume_ml(attributes, source), volume_ml(attributes, target)
    out = max(0, min(ml, there))
    into = min(out, max(0, holds_ml - held)) if target else out
    over = out - into if spill else 0
    rows: list[Row] = [(source, "volume_ml", there - into - over)] if into or over else []
    if target and into:
        rows.append((target, "volume_ml", held + into))
    if over:
        lies = volume_ml(attributes, spill) if attributes.get(spill, {}).get("present") is True else 0
        if lies == 0:
            rows.append((spill, "contents", str(attributes.get(source, {}).get("contents") or "")))
        rows += [(spill, "volume_ml", lies + over), (spill, "present", True)]
    return rows

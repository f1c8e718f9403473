"""`docs/processes.md` has a written rule for each change."""

from __future__ import annotations

from pathlib import Path

from assistcore.house.attributes import ATTRIBUTES
from assistcore.house.household import rules_for
from tests.house import stages

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "processes.md").read_text(encoding="utf-8")


def test_every_attribute_and_every_rule_is_on_the_page() -> None:
    assert [a.name for a in ATTRIBUTES if f"`{a.name}`" not in PAGE] == []
    assert [rule.name for rule in rules_for(stages.stage(stages.floor())) if f"| {rule.name} |" not in PAGE] == []

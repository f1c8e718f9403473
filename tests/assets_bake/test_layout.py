"""Layouts: six faults in one report, and a box that does not fit."""

from __future__ import annotations

import pytest

from assets_bake.layout import ClassInfo, arrange, check_layout
from assistcore.world.errors import InputError

SIZE = (0.3, 0.3, 0.3)
CATALOGUE = {
    "fridge": ClassInfo("fridge", frozenset({"openable", "container"}), (0.6, 0.6, 1.7), (0.5, 0.4, 0.3), None),
    "lamp": ClassInfo("lamp", frozenset({"device"}), SIZE),
    "box": ClassInfo("box", frozenset({"container"}), SIZE, (0.28, 0.28, 0.28), None),
    "shelf": ClassInfo("shelf", frozenset({"container"}), (0.9, 0.4, 0.3), (0.9, 0.4, 0.30), None),
    "cup": ClassInfo("cup", frozenset(), (0.08, 0.08, 0.10)),
}


def _node(ident: int, kind: str, *states: str) -> dict:
    return {"id": ident, "class": kind, "states": list(states)}


def _edge(a: int, b: int, relation: str = "INSIDE") -> dict:
    return {"from": a, "relation": relation, "to": b}


def test_six_faults_are_six_findings_with_pointers() -> None:
    """cases.md C, virtualhome#114."""
    document = {
        "nodes": [
            _node(1, "fridge"),
            _node(2, "fridgee"),
            _node(3, "lamp", "OPEN"),
            _node(12, "box"),
            _node(12, "box"),
            _node(5, "box"),
            _node(6, "box"),
        ],
        "edges": [_edge(5, 9999), _edge(1, 1), _edge(5, 6), _edge(6, 5)],
    }
    found = check_layout(document, CATALOGUE)
    assert sorted(p.where.split("#")[1] for p in found) == [
        "/edges/0/to",
        "/edges/1",
        "/edges/3",
        "/nodes/1/class",
        "/nodes/2/states/0",
        "/nodes/4/id",
    ]
    by = {p.where.split("#")[1]: p for p in found}
    assert by["/nodes/1/class"].fix == "did you mean 'fridge'?"
    assert "9999" in by["/edges/0/to"].what
    assert "5 in 6 in 5" in by["/edges/3"].what or "6 in 5 in 6" in by["/edges/3"].what


def test_a_sound_layout_has_no_finding_and_a_misshapen_one_says_where() -> None:
    assert check_layout({"nodes": [_node(1, "fridge", "OPEN"), _node(2, "cup")], "edges": [_edge(2, 1)]}, CATALOGUE) == []
    found = check_layout({"nodes": [{"id": "1", "class": "cup"}], "edges": {}}, CATALOGUE)
    assert [p.where for p in found] == ["layout.json#/nodes/0/id", "layout.json#/edges"]


def test_the_big_box_is_refused_and_the_cup_is_placed() -> None:
    """cases.md C, virtualhome#155."""
    document = {
        "nodes": [_node(1, "shelf"), {**_node(2, "box"), "size_m": [0.5, 0.3, 0.5]}, _node(3, "cup")],
        "edges": [_edge(2, 1), _edge(3, 1)],
    }
    box, cup = arrange(document, CATALOGUE)
    assert (box.node, box.placed, box.reason) == (2, False, "needs 0.50, has 0.30 (z)")
    assert (cup.node, cup.placed, cup.into) == (3, True, 1)


def test_arrange_refuses_a_bad_layout_with_all_findings() -> None:
    with pytest.raises(InputError, match="fridgee") as caught:
        arrange({"nodes": [_node(1, "fridgee"), _node(1, "cup")], "edges": []}, CATALOGUE)
    assert len(caught.value.problems) == 2

"""The table of minutes at the end of the suite."""

from __future__ import annotations

import pytest

from tests.conftest import FOLDERS, SHARES, share_of


@pytest.mark.parametrize(
    ("nodeid", "share"),
    [
        ("tests/actions/test_grammar.py::test_x", "action layer"),
        ("tests/assistcore/house/test_stage.py::test_x[1]", "assets and scenes"),
        ("tests/engines/house/test_engine.py::test_x", "assets and scenes"),
        ("tests/episodes/test_loop.py::test_x", "first episode"),
        ("tests/test_top.py::test_actions", "first episode"),
    ],
)
def test_a_test_counts_for_the_deepest_named_folder(nodeid: str, share: str) -> None:
    assert share_of(nodeid) == share


def test_the_shares_are_those_of_the_rules() -> None:
    assert sum(SHARES.values()) == 29 and set(FOLDERS.values()) <= set(SHARES)

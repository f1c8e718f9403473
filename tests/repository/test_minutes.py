"""The table of minutes at the end of the suite, and the samples that keep it short."""

from __future__ import annotations

import pytest

from tests.conftest import FOLDERS, SHARES, chosen, share_of


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


def test_every_case_of_a_rotating_test_has_its_turn() -> None:
    names = [f"case {n}" for n in range(11)]
    samples = [chosen(names, 3, seed) for seed in range(60)]
    assert all(len(sample) == 3 for sample in samples) and set().union(*samples) == set(names)
    assert chosen(names[::-1], 3, 7) == chosen(names, 3, 7) and chosen(names[:2], 3, 7) == set(names[:2])

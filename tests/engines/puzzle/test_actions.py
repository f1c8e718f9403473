"""Reading answers: what models write around an action is passed over, what is wrong inside it is named."""

from __future__ import annotations

import time

import numpy as np
import pytest

from assistworld.engines.puzzle.actions import Action, Malformed, read, write
from assistworld.engines.puzzle.spaces import Choice, Misfit, Permutation, Real, Row, Space, Whole, Word

CELL = Row((("row", Whole(0, 2)), ("column", Whole(0, 2))))
SPACES: dict[str, Space] = {
    "move": Choice({0: "right", 1: "up"}),
    "swap": Row((("first", CELL), ("second", CELL)), distinct=True),
    "turn": Row((("yaw", Real(-180, 180)), ("pitch", Real(-180, 180))), square=True),
    "reorder": Permutation(4, 1),
    "rotate": Whole(-360, 360, "degrees"),
    "undo": Word("undo"),
    "stop": Word("stop"),
}


@pytest.mark.parametrize(
    ("answer", "name", "payload"),
    [
        ("('move', 0)", "move", 0),
        ('("move", 1)', "move", 1),
        ("(move, 0)", "move", 0),
        ("  ( 'move' , 0 , )  ", "move", 0),
        ("Action: ('move', 0)", "move", 0),
        ("`('move', 0)`", "move", 0),
        ("```python\n('move', 0)\n```", "move", 0),
        ("```\n('move', 0)\n```\nor\n```\n('move', 1)\n```", "move", 1),
        ("(as I don't know, ('move', 1))", "move", 1),
        ("(well, ('move', 1))", "move", 1),
        ("I first thought ('move', 0), but ('move', 1) is better (see x, y).", "move", 1),
        ("\\boxed{('move', 0)}", "move", 0),
        ("（'move'，0）", "move", 0),
        ("(\u2018move\u2019, 0)", "move", 0),
        ("<think>('stop', 'stop')?</think>('move', 0)", "move", 0),
        ("('stop', 'stop')<think>('move', 0)", "stop", "stop"),
        ("<answer>('move', 0)</answer> ('move', 1)", "move", 0),
        ("('swap', ((0, 1), (2, 2)))", "swap", ((0, 1), (2, 2))),
        ("('swap', [[0, 1], [2, 2]])", "swap", ((0, 1), (2, 2))),
        ("('turn', [-90, 12.5])", "turn", (-90.0, 12.5)),
        ("('turn', (\u221290, +12.5))", "turn", (-90.0, 12.5)),
        ("('reorder', [4, 3, 2, 1])", "reorder", (4, 3, 2, 1)),
        ("('rotate', 90.0)", "rotate", 90),
        ("('rotate', -360)", "rotate", -360),
        ("(undo, undo)", "undo", "undo"),
        ("x" * 300_000 + "('move', 0)", "move", 0),
        ("(a, b) " * 20_000 + "('move', 0)", "move", 0),
    ],
)
def test_an_action_is_found_in_an_answer(answer: str, name: str, payload: object) -> None:
    assert read(answer, SPACES) == Action(name, payload)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        ("", "unreadable", "no text"),
        ("go right", "unreadable", "('move', 0)"),
        ("('move', 0", "unreadable", "not closed"),
        ("('move', 0 1)", "unreadable", "SyntaxError"),
        ("('move', {0})", "unreadable", "Set at character 10"),
        ("('swap', (0, 0), (0, 1))", "unreadable", "has 3 items"),
        ("('move',)", "unreadable", "has 1 item "),
        ("('mvoe', 0)", "unknown_name", "'move'"),
        ("('move', 2)", "bad_payload", "0 (right) or 1 (up)"),
        ("('move', True)", "bad_payload", "0 (right)"),
        ("('move', '0')", "bad_payload", "'0'"),
        ("('move', [0])", "bad_payload", "(0,)"),
        ("('swap', ((0, 1), (0, 1)))", "bad_payload", "all different"),
        ("('swap', ((0, 1), (0, 3)))", "bad_payload", "second: column: expected a whole number from 0 to 2, got 3"),
        ("('turn', [90])", "bad_payload", "[yaw, pitch]"),
        ("('turn', [1e999, 0])", "bad_payload", "inf"),
        ("('reorder', [0, 1, 2, 3])", "bad_payload", "1 to 4 once"),
        ("('reorder', [1, 2, 3])", "bad_payload", "1 to 4 once"),
        ("('rotate', 0.5)", "bad_payload", "degrees"),
        ("('rotate', 361)", "bad_payload", "-360 to 360"),
    ],
)
def test_what_is_wrong_is_named(answer: str, kind: str, said: str) -> None:
    asked = read(answer, SPACES)
    assert isinstance(asked, Malformed) and asked.kind == kind and said in asked.message, asked


def test_huge_answers_are_read_in_no_time() -> None:
    began = time.process_time()
    for answer in ("(" * 1_000_000, "(a" * 500_000, "('" * 500_000, "('move', " * 200_000, "(a,[" * 250_000, "('move', 0)" * 100_000):
        read(answer, SPACES)
    assert time.process_time() - began < 5.0


def test_the_writer_takes_numbers_of_numpy_and_refuses_what_does_not_fit() -> None:
    assert write(Action("turn", np.array([1.5, -2.0])), SPACES) == "('turn', [1.5, -2.0])"  # type: ignore[arg-type]
    assert write(Action("move", np.int64(1)), SPACES) == "('move', 1)"  # type: ignore[arg-type]
    assert write(Action("swap", ((0, 0), (1, 2))), SPACES) == "('swap', ((0, 0), (1, 2)))"
    assert write(Action("reorder", (2, 1, 4, 3)), SPACES) == "('reorder', [2, 1, 4, 3])"
    with pytest.raises(Misfit, match=r"0 \(right\)"):
        write(Action("move", 7), SPACES)
    with pytest.raises(Misfit, match="move"):
        write(Action("mvoe", 0), SPACES)


@pytest.mark.parametrize("payload", [np.array([1, 2]), np.array(["stop", "x"]), np.array("stop")])
def test_an_array_instead_of_a_word_is_refused(payload: object) -> None:
    asked = read(("stop", payload), {"stop": Word("stop")})
    assert isinstance(asked, Malformed) and asked.kind == "bad_payload"


def test_a_name_of_numpy_is_written_as_a_plain_one() -> None:
    asked = read((np.str_("stop"), np.str_("stop")), {"stop": Word("stop")})
    assert isinstance(asked, Action) and write(asked, {"stop": Word("stop")}) == "('stop', 'stop')"

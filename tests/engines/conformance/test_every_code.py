"""Every refusal of every verb is provoked by an input: the fact and the hint name what is missing, and the state stays as it was."""

from __future__ import annotations

import pytest

from actions.failures import FAILURES, sentence
from actions.verb import all_verbs
from assistcore.world.outcomes import Code, Refusal, Status
from assistworld.engines.house.engine import HouseEngine
from tests.engines.conformance.provoked import ROWS, Row
from tests.engines.conformance.rooms import command, engine_in

TICKS = 2000


def test_every_declared_code_of_every_verb_has_a_row_and_every_row_is_declared() -> None:
    declared = {(info.name, code) for info in all_verbs() for code in info.codes}
    provoked = {(row.verb, row.code) for row in ROWS}
    assert declared - provoked == set() and provoked - declared == set()


def test_every_code_has_its_line_in_the_table() -> None:
    said = {code for info in all_verbs() for code in info.codes}
    assert said <= set(FAILURES) and all(line.when and line.hint and line.told for line in FAILURES.values())


@pytest.mark.rotating(8)
@pytest.mark.parametrize("row", ROWS, ids=[f"{i}-{row.name}" for i, row in enumerate(ROWS)])
def test_it_is_refused_with_the_fact(row: Row) -> None:
    house = engine_in(row.room())
    asked = command(row.verb, *row.args)
    before = house.digest()
    if row.code == Code.POSTCONDITION_FAILED:
        found = failed(house, row)
    else:
        could, answer = house.can(asked), house.begin(asked)
        assert could == answer and house.digest() == before and house.idle()
        assert isinstance(answer, Refusal), answer
        found = answer
    assert found.code == row.code and row.word in found.fact and found.hint, found
    told = sentence(found)
    assert found.fact in told and found.hint in told and told.startswith(FAILURES[found.code].told)
    keys = [ref.key for ref in asked.entities()]
    assert not keys or any(key in found.fact for key in [*keys, row.room().held or keys[0]]), found


def failed(house: HouseEngine, row: Row) -> Refusal:
    """What physics shows in the end: the command fails, and says so to the person."""
    assert house.begin(command(row.verb, *row.args)) is None
    changed = False
    for _ in range(TICKS):
        step = house.tick()
        changed |= bool(step.changes)
        if step.outcome is not None:
            break
    assert step.outcome is not None and step.outcome.status is Status.FAILED and changed
    assert step.outcome.refusal is not None and step.outcome.refusal.fact in step.feedback
    return step.outcome.refusal

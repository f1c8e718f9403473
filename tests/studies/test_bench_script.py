"""The script of `./dev bench`: every verb, every command done. What is measured is then what a person does, not what is refused."""

from __future__ import annotations

import pytest

from assistworld.engines.house import make
from bench.verbs import SCRIPT, play, unused


@pytest.mark.slow
def test_the_script_uses_every_verb_and_every_command_is_done() -> None:
    engine = make()
    played = [one for session in SCRIPT for one in play(engine, session)]
    engine.close()
    assert [f"{p.text}: {p.end}" for p in played if p.end != "done"] == []
    assert unused(played) == ()
    assert len({p.verb for p in played}) == 36

"""The script of `./dev bench`: every verb, every command done. What is measured is then what a person does, not what is refused."""

from __future__ import annotations

import pytest

from assistworld.engines.house import make
from bench.house import PARTS, measure
from bench.run import ROWS, main
from bench.verbs import SCRIPT, play, unused


@pytest.mark.slow
def test_the_script_uses_every_verb_and_every_command_is_done() -> None:
    engine = make()
    played = [one for session in SCRIPT for one in play(engine, session)]
    engine.close()
    assert [f"{p.text}: {p.end}" for p in played if p.end != "done"] == []
    assert unused(played) == ()
    assert len({p.verb for p in played}) == 36


def test_every_part_says_what_it_does_and_has_rows() -> None:
    assert [part.name for part in PARTS] == list(ROWS)
    assert all(part.does for part in PARTS)


def test_a_part_is_announced_before_it_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    loading = PARTS[0]
    found = measure([loading.name], lambda part: said.append(part.name), lambda part, figures, took_s: said.append(sorted(figures)[0]))
    assert said == ["loading", "scene_load_cold_s"] and list(found) == ["scene", "loading"]
    with pytest.raises(SystemExit):
        main(["no such part"])
    assert "no part no such part; there are loading" in capsys.readouterr().err

"""A puzzle as a bundle: replay finds every byte again, frames included; the page shows pictures and text; the terminal plays it."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

from assistcore.world.records import Segment
from assistcore.world.views import Family, HumanView
from assistworld.agents.assistants.silent import SilentAssistant
from assistworld.agents.me import HumanMe, Terminal
from assistworld.engines.puzzle import make as make_engine
from assistworld.episodes.bundle import open_bundle
from assistworld.episodes.replay import replay
from assistworld.studies.attempt import attempt, make_human, with_channels
from assistworld.web.view import page
from taskpacks.loader import find_pack


def test_a_bundle_is_replayed_to_the_byte_and_its_page_shows_what_was_seen(tmp_path: Path) -> None:
    pack = with_channels(find_pack("sliding_block_easy"), ("view", "text", "goal"))
    tried = attempt(pack, make_engine(), SilentAssistant(), make_human("solver", pack, 0), out=tmp_path, frames=1)
    assert tried.score.success
    bundle = open_bundle(tried.folder)
    verdict = replay(bundle, make_engine(), pictures=True)
    assert verdict.equal and verdict.pixels is not None and verdict.pixels.differing_frames == 0
    assert verdict.pixels.frames == 3 * tried.score.actions, "three channels, at the beginning and after every move; a stop changes nothing"
    frames = [f for row in bundle.rows if isinstance(row.record, Segment) for f in row.record.frames]
    assert {f.channel for f in frames} == {"view", "text", "goal"}
    text = page(bundle)
    data = next(line for line in text.splitlines() if '"events":[' in line)
    pictures = json.loads(data[data.index("{") : data.rindex("}") + 1])["pictures"]
    assert set(pictures) == {f.digest for f in frames}


def test_the_terminal_takes_an_action_as_a_command(tmp_path: Path) -> None:
    out = StringIO()
    me = HumanMe(Terminal(StringIO("('move', (3, 1))\nhello\n"), out, tmp_path))
    view = HumanView(0, Family.SOLO, "The rules.", (), (), (), (), ())
    assert me.turn(view).commands == ("('move', (3, 1))",)
    assert me.turn(view).speech == "hello"
    assert "The rules." in out.getvalue()

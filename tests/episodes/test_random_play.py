"""Whatever agents do, an episode ends, seals, scores and replays to the digest."""

from __future__ import annotations

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from assistcore.world.replies import Queue, Reply, Say, Turn
from assistworld.episodes.bundle import faults_of, open_bundle
from assistworld.episodes.episode import Ask, Episode
from assistworld.episodes.log import FolderSink
from assistworld.episodes.replay import replay
from evaluator.evaluate import evaluate
from tests.episodes.playing import pack
from tests.episodes.toy_engine import ToyEngine

COMMANDS = st.sampled_from(
    ["[Grab] <red_cup> (1)", "[Put] <red_cup> (1) <bed> (1)", "[Walk] <drawer> (1)", "[Open] <drawer> (1)", "[Grab] <key> (1)", "[Wait]",
     "[LookAt] <shelf>", "walk", "[Fly] <bed> (1)", "[Grab] <ghost> (9)", ""]
)  # fmt: skip
TEXT = st.sampled_from(["", "Okay.", "Where is <red_cup> (1)?", "\u00e9\u4e2d\x00", "[Put] it"])
REPLIES: Any = st.builds(
    Reply, st.sampled_from([Say.SILENT, Say.INTERRUPT, Say.ERROR]), TEXT, st.sampled_from(["", "invalid: no"])
) | st.just(Reply(Say.DONE))
TURNS: Any = st.builds(
    Turn, st.sampled_from(list(Queue)), st.lists(COMMANDS, max_size=3).map(tuple), TEXT, flag=st.sampled_from(["", "", "", "stop"])
)
TIMINGS: Any = st.fixed_dictionaries(
    {
        "poll": st.sampled_from(["between_commands", 0.3, 2.0]),
        "delay": st.sampled_from(["fixed", "measured"]),
        "delay_s": st.sampled_from([0.0, 0.4]),
        "turns": st.sampled_from(["preempt", "queue"]),
    }
)


@settings(max_examples=40)
@given(st.data())
def test_any_play_ends_and_replays(data: st.DataObject) -> None:
    timing = data.draw(TIMINGS)
    family = data.draw(st.sampled_from(["ask", "find", "narrate", "orchestrate"]))
    the_pack = pack(protocol={"timing": timing, "family": family, "budget": {"actions": 6, "seconds": 6, "invalid": 3}})
    with tempfile.TemporaryDirectory() as folder:
        episode = Episode(pack=the_pack, engine=ToyEngine(), sink=FolderSink(Path(folder) / "b"), frames=data.draw(st.sampled_from([0, 2])))
        while isinstance(ask := episode.next(), Ask):
            episode.answer(ask, data.draw(REPLIES if ask.role == "assistant" else TURNS), Fraction(data.draw(st.integers(0, 9)), 10))
        assert episode.failure is None and not ask.void
        assert ask.actions <= 6 and ask.tick - episode.baseline_tick <= 6 * 12
        bundle = open_bundle(Path(folder) / "b")
        assert faults_of(bundle.folder) == () and evaluate(bundle.pack, bundle.rows, bundle.head) == ask.score
        verdict = replay(bundle, ToyEngine())
        assert verdict.equal, str(verdict)

"""What goes wrong around agents and runs elsewhere (cases.md A, H, I, J), played in the toy world."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assistcore.world.records import Began, Notice, Opened, Replied, Viewed
from assistcore.world.replies import Queue, Turn
from assistworld.episodes.control import QUOTE_CHARS, parse_turn
from assistworld.episodes.episode import Ended
from tests.episodes.playing import CARRY, Obeyer, play
from tests.episodes.reading import records
from tests.episodes.toy_engine import ToyEngine

MALFORMED = [
    '{"obj":"cup",}',
    '{"obj":"cu',
    "null",
    "[]",
    '"walk"',
    "3",
    '{"obj":"cup"}{"obj":"cup"}',
    '{"obj":"cup","obj":"key"}',
    "NaN",
    "{'obj': 'cup'}",
    '"[\\"cup\\"]"',
    "x" * 200_000,
    "",
    "   ",
    "+",
]
"""GenericAgent PR#746: broken tool calls; tau2-bench#182: empty replies."""


@pytest.mark.parametrize("text", MALFORMED, ids=lambda t: t[:12] or "empty")
def test_a_malformed_reply_runs_nothing_is_counted_quoted_short_and_the_episode_goes_on(text: str) -> None:
    """cases.md I, GenericAgent PR#746 and tau2-bench PR#471: for the assistant and for the person."""
    ended, episode, _, _ = play(texts=[text, CARRY, "$silent$", "$done$"])
    assert (ended.reason, ended.invalid, ended.actions) == ("declared", 1, 2)
    quoted = "".join(records(episode, Replied)[0].reply["chunks"])
    assert quoted[:100] == text[:100] and len(quoted) < QUOTE_CHARS + 40
    ended, episode, _, _ = play(human=Obeyer([parse_turn(text)]))
    assert (ended.reason, ended.invalid) == ("declared", 1)
    assert [n.role for n in records(episode, Notice)] == ["human"] and len(records(episode, Notice)[0].detail) < QUOTE_CHARS


def test_a_person_who_answers_nonsense_for_ever_ends_the_episode_by_name() -> None:
    """cases.md I, EmbodiedBench PR#14: an illegal answer must not bypass the limit."""
    ended, _, _, person = play(texts=["$interrupt$ Pick up the red cup."] * 50, human=Obeyer([parse_turn("1 MB " * 4)] * 100))
    assert (ended.reason, ended.invalid, len(person.views)) == ("human_invalid", 8, 8)


@pytest.mark.parametrize("texts", [(), ("$interrupt$ I am sorry.",) * 12, ("$done$",)], ids=["nothing", "sorry", "done at once"])
def test_null_agents_score_nothing(texts: tuple[str, ...]) -> None:
    """cases.md H, android_world#315: do nothing, say sorry, declare at once: 0.0 and no success."""
    score = play(texts=texts)[0].score
    assert score is not None and (score.success, score.completion.value) == (False, 0.0)


def test_the_person_is_told_its_own_last_command_and_result_and_the_assistant_is_not() -> None:
    """cases.md I, AReaL#1741: a history without its own calls makes it repeat them."""
    _, episode, _, person = play(texts=[CARRY, "$silent$", "$done$"])
    told = [(v.last_command, v.last_status) for v in person.views if v.last_status]
    assert told[-1] == ("[Grab] <red_cup> (1)", "done")
    views = [json.dumps({k: v for k, v in r.view.items() if k not in ("heard", "dialogue")})
             for r in records(episode, Viewed) if r.role == "assistant"]  # fmt: skip
    assert views and not any("Grab" in v or "red_cup" in v for v in views)


def test_the_log_says_what_was_played_with_what() -> None:
    """cases.md J, tau2-bench#51: same settings, different scores, and nobody can tell from the file."""
    _, episode, _, _ = play(seed=11, engine=ToyEngine(version="7"))
    (opened,) = records(episode, Opened)
    assert (opened.seed, opened.engine, opened.engine_version, opened.pack_id, opened.pack_version) == (11, "toy", "7", "toy_cup", 1)
    assert len(opened.pack_digest) == 64 and opened.producer.startswith("assistworld ")


@pytest.mark.parametrize(("text", "how"), [("[Grab] <red_cup> (1)", "strict"), ("[grab] <red_cup>", "repaired")])
def test_each_command_keeps_whether_it_was_repaired(text: str, how: str) -> None:
    """RULES, Outcomes."""
    _, episode, _, _ = play(texts=[f"$interrupt$ do: {text}", "$done$"])
    assert [(b.how, b.text, b.canonical) for b in records(episode, Began) if b.verb == "pick"] == [(how, text, "[Grab] <red_cup> (1)")]


def test_a_picture_of_another_tick_than_its_state_is_an_error() -> None:
    """cases.md A, IsaacLab#6394: state and image of one observation carry the same stamp."""

    class Late(ToyEngine):
        def draw(self, snapshots: Any, channel: str) -> Any:
            from dataclasses import replace

            return tuple(replace(o, tick=o.tick - 1) for o in super().draw(snapshots, channel))

    ended, _, assistant, _ = play(engine=Late())
    assert (ended.reason, ended.void) == ("infrastructure", True)
    assert "draw view: frames carry ticks" in ended.detail and "the state was of" in ended.detail
    assert assistant.views == [], "nobody was shown it"


def test_the_second_episode_of_an_engine_starts_unfinished_and_equal() -> None:
    """cases.md J, Gymnasium#796: `terminated` survives reset."""
    engine = ToyEngine(finish_at=9)
    first, second = (play(engine=engine) for _ in range(2))
    assert (first[0].reason, second[0].reason) == ("finished", "finished")
    assert first[0].head == second[0].head and second[0].tick == 9


def test_without_a_goal_reached_by_the_world_luck_on_the_way_is_not_credited() -> None:
    """RULES, End: an assistant that enumerates everything is not credited at its first lucky state."""
    lucky = "$interrupt$ do: [Grab] <red_cup> (1); [Put] <red_cup> (1) <bed> (1); [Grab] <red_cup> (1); [Put] <red_cup> (1) <shelf> (1)"
    ended: Ended = play(texts=[lucky, "$silent$", "$silent$", "$silent$", "$done$"])[0]
    assert ended.score is not None and (ended.score.success, ended.score.completion.value) == (False, 0.0)


def test_a_stop_before_what_was_promised_is_a_reason_of_its_own() -> None:
    """cases.md I, tau2-bench PR#297: premature stop."""
    turn = Turn(Queue.REPLACE, ("[Grab] <red_cup> (1)", "[Put] <red_cup> (1) <bed> (1)"), "I will do it.", flag="stop")
    assert play(texts=["$silent$"] * 4, human=Obeyer([turn]))[0].reason == "human_stopped_early"

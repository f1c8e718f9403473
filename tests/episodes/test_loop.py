"""The loop in the toy world: order of turns, pre-emption, budgets, ends, void attempts."""

from __future__ import annotations

from typing import Any

import pytest

from assistcore.world.records import Ended as Outcome
from assistcore.world.records import Notice, Queued, Segment
from assistcore.world.replies import Queue, Reply, Say, Turn
from assistcore.world.views import HumanView
from assistworld.episodes.episode import Ask, Episode
from assistworld.episodes.log import MemorySink
from tests.episodes.playing import CARRY, Obeyer, Script, pack, play
from tests.episodes.reading import records, types
from tests.episodes.toy_engine import ToyEngine


def test_an_episode_runs_from_opening_to_declaration() -> None:
    ended, episode, assistant, person = play()
    assert (ended.reason, ended.void, ended.declared, ended.actions, ended.tick) == ("declared", False, True, 2, 12)
    assert episode.line.graph.has("on", "red_cup_1", "bed_1")
    assert len(assistant.views) == 3, "polled after the handoff and after each command"
    first = assistant.views[0]
    assert [u.text for u in first.heard] == ["Let me see.", "Which cup goes to the bed?"]
    assert [o.tick for o in first.observations] == [3, 6] and all(o.data.startswith(b"\x89PNG") for o in first.observations)
    assert person.views[0].heard[-1].text.startswith("do:")


def test_the_assistant_is_polled_between_the_commands_of_one_turn() -> None:
    _, episode, _, _ = play()
    kinds = [t for t in types(episode) if t in ("outcome", "view", "command")]
    assert kinds == ["command", "outcome", "view", "view", "command", "outcome", "view", "view", "command", "outcome", "view"]


def test_a_new_intervention_replaces_pending_commands() -> None:
    texts = (CARRY, "$interrupt$ do: [Put] <red_cup> (1) <table> (1)", "$done$")
    _, episode, _, _ = play(texts=texts)
    replaced = [q for q in records(episode, Queued) if q.mode == "replace" and q.dropped]
    assert [q.dropped for q in replaced] == [("[Put] <red_cup> (1) <bed> (1)",)]
    assert episode.line.graph.has("on", "red_cup_1", "table_1")


def test_an_error_flushes_the_remainder() -> None:
    texts = ("$interrupt$ do: [Grab] <key> (1); [Put] <key> (1) <bed> (1)", "$silent$", "$done$")
    _, episode, _, person = play(texts=texts, the_pack=pack(scenario={"changes": [{"move": "key_1", "onto": "drawer_1"}]}))
    outcomes = [o for o in records(episode, Outcome) if o.phase == "live"]
    assert [(o.status, o.code) for o in outcomes] == [("refused", "NOT_OFFERED")]
    assert [q.dropped for q in records(episode, Queued) if q.mode == "flush"] == [("[Put] <key> (1) <bed> (1)",)]
    assert person.views[1].last_code == "NOT_OFFERED" and "key" in person.views[1].last_fact


def test_done_waits_for_what_was_accepted() -> None:
    ended, episode, assistant, person = play(texts=(CARRY, "$done$"))
    assert ended.reason == "declared" and ended.actions == 2
    assert episode.line.graph.has("on", "red_cup_1", "bed_1"), "the second command was accepted before and drains"
    assert len(assistant.views) == 2 and len(person.views) == 1, "nobody is asked after the declaration"


def test_text_glued_to_done_is_heard_and_acted_on_before_the_freeze() -> None:
    ended, episode, _, _ = play(texts=("$interrupt$ do: [Grab] <red_cup> (1) $done$",))
    assert ended.reason == "declared" and ended.actions == 1
    assert episode.line.graph.has("held", "red_cup_1")


def test_reaching_the_goal_does_not_end_an_episode() -> None:
    ended, _, _, _ = play(texts=(CARRY,))
    assert ended.reason == "tick_budget" and not ended.declared
    assert ended.tick == 6 + 20 * 12


def test_the_action_budget_counts_refused_commands() -> None:
    texts = ["$interrupt$ do: [Put] <red_cup> (1) <bed> (1)"] * 20
    ended, episode, _, _ = play(texts=texts, the_pack=pack(protocol={"budget": {"actions": 5}}))
    assert (ended.reason, ended.actions) == ("action_budget", 5)
    assert {o.code for o in records(episode, Outcome) if o.phase == "live"} == {"NOT_HELD"}


def test_a_refused_command_costs_one_tick_and_leaves_the_world() -> None:
    _, episode, _, _ = play(texts=("$interrupt$ do: [Put] <red_cup> (1) <bed> (1)", "$done$"))
    outcome = [o for o in records(episode, Outcome) if o.phase == "live"][0]
    assert outcome.began == outcome.ended == 7
    segment = records(episode, Segment)[-1]
    assert (segment.first_tick, segment.last_tick) == (7, 7), "and shows no success frames"


def test_eight_unreadable_replies_end_it() -> None:
    """cases.md I: an agent that always answers `done!!` ends at max_invalid, calls <= limit."""
    ended, episode, assistant, _ = play(texts=["done!!"] * 100)
    assert (ended.reason, ended.invalid) == ("max_invalid", 8)
    assert len(assistant.views) == 8
    assert [n.count for n in records(episode, Notice)] == list(range(1, 9))


def test_the_same_fruitless_command_three_times_is_reported_as_stuck() -> None:
    """cases.md I, EmbodiedBench: same action + same observation 3x -> stuck."""
    ended, episode, _, _ = play(texts=["$interrupt$ do: [Put] <red_cup> (1) <bed> (1)"] * 4 + ["$done$"])
    assert [n.count for n in records(episode, Notice) if n.what == "stuck"] == [3]
    assert ended.stuck == 1 and ended.reason == "declared"


def test_a_failing_opening_is_void() -> None:
    ended, _, assistant, _ = play(the_pack=pack(protocol={"opening": {"commands": ["[Put] <red_cup> (1) <bed> (1)"]}}))
    assert (ended.reason, ended.void) == ("opening_failed", True)
    assert "NOT_HELD" in ended.detail and assistant.views == []


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ({"crash_at": 8}, "RuntimeError: the toy broke"),
        ({"lie_at": 9}, "key_1"),
        ({"slip_at": 12}, "human"),
        ({"late": 1}, "snapshot is of tick 0, the loop is at 1"),
    ],
)
def test_engine_faults_are_void_and_named(fault: dict[str, Any], words: str) -> None:
    ended, episode, _, _ = play(engine=ToyEngine(**fault))
    assert (ended.reason, ended.void) == ("infrastructure", True)
    assert words in ended.detail and episode.failure is not None


def test_a_raising_agent_is_void_with_its_error() -> None:
    class Broken(Script):
        def reply(self, view: object) -> Reply:
            raise KeyError("no such model")

    from assistworld.episodes.driver import run

    episode = Episode(pack=pack(), engine=ToyEngine(), sink=MemorySink())
    ended = run(episode, Broken(), Obeyer())
    assert ended.void and "assistant agent: KeyError" in ended.detail


def test_a_person_can_stop_after_the_assistant_has_answered() -> None:
    """cases.md I, tau2-bench: text glued to the person's stop token is delivered; the assistant answers; then it ends."""
    ended, episode, assistant, _ = play(texts=["$silent$"] * 3, human=Obeyer([Turn(speech="Yes, go ahead.", flag="stop")]))
    assert ended.reason == "human_stopped"
    assert [u.text for u in assistant.views[-1].heard] == ["Yes, go ahead."]
    early, _, _, _ = play(
        texts=["$silent$"] * 3,
        human=Obeyer([Turn(Queue.REPLACE, ("[Grab] <red_cup> (1)", "[Put] <red_cup> (1) <bed> (1)"), flag="stop")]),
    )
    assert early.reason == "human_stopped_early", "with commands promised and not carried out"


def test_a_world_may_end_itself() -> None:
    assert play(engine=ToyEngine(finish_at=9))[0].reason == "finished"


def test_delay_holds_a_reply_and_the_next_request_waits() -> None:
    timing = {"delay": "fixed", "delay_s": 0.5}
    _, episode, assistant, person = play(the_pack=pack(protocol={"timing": timing}))
    assert assistant.views[0].tick == 6
    heard = next(v for v in person.views if v.heard and v.heard[-1].speaker == "assistant")
    assert heard.tick == 12, "six ticks of 1/12 s later"
    assert assistant.views[1].tick > 12


def test_measured_delay_is_rounded_up_and_capped() -> None:
    from fractions import Fraction

    from assistworld.episodes.timing import Timing
    from taskpacks.schema import TimingSpec

    timing = Timing.of(TimingSpec(delay="measured", delay_cap_s=2.0), Fraction(1, 12))
    assert [timing.delay_ticks(s) for s in (0.0, 0.01, 1 / 12, 0.5, 9.0)] == [0, 1, 1, 6, 24]


def test_a_clocked_assistant_is_asked_while_a_command_runs_and_may_stop_it() -> None:
    texts = ["$interrupt$ do: [Wait]", "$interrupt$ do: [Grab] <red_cup> (1)", "$silent$", "$silent$", "$done$"]
    _, episode, assistant, _ = play(texts=texts, the_pack=pack(protocol={"timing": {"poll": 0.25}, "opening": {"commands": []}}))
    assert [v.tick for v in assistant.views[:2]] == [0, 3]
    outcomes = [(o.text, o.status) for o in records(episode, Outcome)]
    assert outcomes[:2] == [("[Wait]", "stopped"), ("[Grab] <red_cup> (1)", "done")]


def test_answers_are_checked() -> None:
    episode = Episode(pack=pack(), engine=ToyEngine(), sink=MemorySink())
    ask = episode.next()
    assert isinstance(ask, Ask) and ask.role == "assistant" and episode.next() is ask
    with pytest.raises(TypeError, match="answers with Reply, got Turn"):
        episode.answer(ask, Turn())
    episode.answer(ask, Reply(Say.SILENT))
    with pytest.raises(ValueError, match="is not open"):
        episode.answer(ask, Reply(Say.SILENT))


def test_an_episode_is_opened_by_names_and_stepped_as_the_readme_does() -> None:
    from assistworld.episodes import Ended, open_episode

    episode = open_episode(pack(), engine=ToyEngine(), seed=7, frames=0)
    person = Obeyer()
    while not isinstance(ask := episode.next(), Ended):
        reply = person.turn(ask.view) if isinstance(ask.view, HumanView) else Reply(Say.SILENT)
        episode.answer(ask, reply, latency_s=0.0)
    assert ask.score is not None and (ask.score.success, ask.score.completion.value, ask.score.seed) == (False, 0.0, 7)

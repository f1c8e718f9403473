"""Several utterances in a row: answers to questions, corrections, pronouns, what waits until more can be seen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistcore.world.replies import Queue, Turn
from assistcore.world.views import Family, Offered
from assistworld.agents.humans.rule import RuleHuman
from tests.agents.flats import kitchen_offers, movable, view, with_state

ANSWERS = [
    (["Take the mug", "the red one"], "[Grab] <red_mug> (1)"),
    (["Take the mug", "Blue."], "[Grab] <blue_mug> (1)"),
    (["Take the mug", "The one on the left."], "[Grab] <red_mug> (1)"),
    (["Take the mug", "the one next to the milk"], "[Grab] <white_mug> (1)"),
    (["Take the mug", "on the counter"], "[Grab] <white_mug> (1)"),
    (["Take the mug", "no, the plate"], "[Grab] <plate> (1)"),
    (["Take the butter", "in the drawer", "the first from the left"], "[Open] <drawer> (1)"),
    (["Take the butter", "Try the fridge."], "[Open] <fridge> (1)"),
    (["Look at the three jars", "Take the left one"], "[Grab] <jar> (1)"),
    (["Take the red mug", "Put it on the side table", "Now take the other mug on the table"], "[Grab] <blue_mug> (1)"),
    (["Take the mug", "not the red one", "the blue one, please"], "[Grab] <blue_mug> (1)"),
    (["Put the mug on the counter", "the red one"], "[Grab] <red_mug> (1); [Put] <red_mug> (1) <counter> (1)"),
    (["Open the third drawer", "from the left"], "[Open] <drawer> (3)"),
    (["Take the butter", "It's in the fridge."], "[Open] <fridge> (1)"),
    (["Take the butter", "In the white cabinet"], "[Open] <cabinet> (1)"),
    (["Put away the milk", "on the table"], "[Grab] <milk_carton> (1); [Put] <milk_carton> (1) <table> (1)"),
    (["Maybe take the red mug?", "yes"], "[Grab] <red_mug> (1)"),
    (["Maybe take the red mug?", "no"], ""),
    (["Take the blue jar", "Yes."], "[Grab] <jar> (3)"),
    (["Take the blue jar", "No."], ""),
    (["Take the red mug", "No, the blue one."], "[Grab] <blue_mug> (1)"),
    (["Take the red mug", "Sorry, I mean the plate."], "[Grab] <plate> (1)"),
    (["Take the red mug", "Not that one, the blue one."], "[Grab] <blue_mug> (1)"),
    (["Take the notebook on the left", "No, the other one."], "[Grab] <small_notebook> (1)"),
    (["Open the second drawer from the left", "No, the third."], "[Open] <drawer> (3)"),
    (["Put the red mug on the counter", "no, on the shelf"], "[Grab] <red_mug> (1); [Put] <red_mug> (1) <shelf> (1)"),
    (["Go to the fridge", "No wait, go to the sink."], "[Walk] <sink> (1)"),
    (["Turn left", "No, sorry, right."], "[TurnRight]"),
    (["Go to the fridge.", "Open it."], "[Open] <fridge> (1)"),
    (["Look at the red mug", "Take it and put it on the plate."], "[Grab] <red_mug> (1); [Put] <red_mug> (1) <plate> (1)"),
    (["The apple is in the bowl.", "Take it."], "[Grab] <apple> (1)"),
    (["Go to the side table", "Put the red mug there"], "[Grab] <red_mug> (1); [Put] <red_mug> (1) <side_table> (1)"),
    (["Open the second drawer from the left", "Look in it."], "[LookAt] <drawer> (2)"),
]


def conversation(lines: list[str]) -> Turn:
    """The last turn of a fresh rule human that hears the lines one after the other while the kitchen stays as it is."""
    human, turn = RuleHuman(), Turn()
    for tick, line in enumerate(lines):
        turn = human.turn(view(line, tick=tick))
    return turn


@pytest.mark.parametrize(("lines", "commands"), ANSWERS, ids=lambda v: " / ".join(v) if isinstance(v, list) else "")
def test_conversation(lines: list[str], commands: str) -> None:
    assert "; ".join(conversation(lines).commands) == commands


def test_the_other_of_three_is_asked_for() -> None:
    turn = conversation(["Take the red mug", "No, the other one"])
    assert not turn.commands
    assert "blue" in turn.speech and "white" in turn.speech and "red" not in turn.speech


class Run:
    """A rule human with the kitchen changing under it."""

    def __init__(self, family: Family = Family.ASK) -> None:
        self.human, self.family, self.offers, self.held = RuleHuman(), family, kitchen_offers(), ""

    def hear(self, text: str) -> Turn:
        return self.human.turn(view(text, offers=self.offers, held=self.held, family=self.family))

    def ended(self, command: str, status: str = "done", code: str = "", fact: str = "") -> Turn:
        """The turn after the last queued command ended."""
        shown = view(
            offers=self.offers, held=self.held, family=self.family, last_command=command, last_status=status, last_code=code, last_fact=fact
        )
        return self.human.turn(shown)

    def open(self, key: str, *inside: Offered) -> None:
        self.offers = (*with_state(self.offers, key, "open"), *inside)


def test_what_is_in_a_closed_thing_is_taken_after_it_was_opened() -> None:
    run = Run()
    assert run.hear("Get the butter out of the fridge and close it.").commands == ("[Open] <fridge> (1)",)
    run.open("fridge_1", movable("butter_1", "yellow butter", "butter", inside="fridge_1", bearing_rad=0.0, distance_m=0.8))
    turn = run.ended("[Open] <fridge> (1)")
    assert turn.commands == ("[Grab] <butter> (1)", "[Close] <fridge> (1)")
    assert turn.queue is Queue.APPEND
    run.held = "butter_1"
    assert run.ended("[Close] <fridge> (1)").speech.startswith("Done.")


def test_what_is_not_there_is_reported() -> None:
    run = Run()
    run.hear("Take the butter from the fridge.")
    run.open("fridge_1")
    turn = run.ended("[Open] <fridge> (1)")
    assert not turn.commands and "don't see" in turn.speech


def test_things_of_another_room_are_named_on_arrival() -> None:
    run = Run()
    assert run.hear("Go to the bedroom and take the notebook.").commands == ("[Walk] <bedroom> (1)",)
    there = movable("red_notebook_1", "red notebook", "notebook", room="bedroom", on="desk_1", bearing_rad=0.1, distance_m=2.0)
    run.offers = (*(o for o in run.offers if not o.movable), there)
    assert run.ended("[Walk] <bedroom> (1)").commands == ("[Grab] <red_notebook> (1)",)


def test_put_it_back_where_it_was_taken_from() -> None:
    run = Run()
    run.hear("Take the red mug")
    run.held = "red_mug_1"
    run.offers = tuple(replace(o, on="") if o.key == "red_mug_1" else o for o in run.offers)
    run.ended("[Grab] <red_mug> (1)")
    assert run.hear("Put it back.").commands == ("[Put] <red_mug> (1) <table> (1)",)


def test_a_refusal_is_reported_in_plain_words_and_nothing_is_retried() -> None:
    run = Run()
    run.hear("Take the red mug and put it on the counter")
    turn = run.ended("[Grab] <red_mug> (1)", "refused", "OUT_OF_REACH", "red_mug_1 at (2.1, 3.0) is 1.2 m from stance 3")
    assert not turn.commands
    assert "reach" in turn.speech and "red_mug" not in turn.speech and "OUT" not in turn.speech
    assert run.ended("[Grab] <red_mug> (1)", "refused", "OUT_OF_REACH") == Turn()


def test_an_unknown_refusal_code_is_still_plain() -> None:
    run = Run()
    run.hear("Take the red mug")
    assert run.ended("[Grab] <red_mug> (1)", "failed", "SOMETHING_NEW", "joint_7 nan").speech == "I couldn't do that. What should I do?"


def test_nothing_is_added_while_commands_run() -> None:
    run = Run()
    run.hear("Open the fridge and take the milk")
    busy = view(offers=run.offers, last_status="done", pending=("[Grab] <milk_carton> (1)",), idle=False)
    assert run.human.turn(busy) == Turn()


def test_a_remark_while_commands_run_keeps_them() -> None:
    run = Run()
    run.hear("Open the fridge and take the milk")
    assert run.hear("Great, thank you.").queue is Queue.KEEP


def test_idle_asks_once() -> None:
    human = RuleHuman()
    said = [human.turn(view(tick=t)).speech for t in range(12)]
    assert [s for s in said if s] == ["What should I do?"]


def test_guide_does_one_step_and_asks_for_the_next() -> None:
    run = Run(Family.GUIDE)
    assert run.hear("Open the fridge and take the milk").commands == ("[Open] <fridge> (1)",)
    run.open("fridge_1")
    assert run.ended("[Open] <fridge> (1)").speech == "Done. What's the next step?"


def test_narrate_returns_one_action_at_a_time() -> None:
    run = Run(Family.NARRATE)
    assert run.hear("Put the red mug on the counter").commands == ("[Grab] <red_mug> (1)",)
    run.held = "red_mug_1"
    assert run.ended("[Grab] <red_mug> (1)").commands == ("[Put] <red_mug> (1) <counter> (1)",)


def watching(human: RuleHuman, *heard: str) -> Turn:
    return human.turn(view(*heard, family=Family.WATCH, plan_next="[Open] <fridge> (1)"))


def test_watch_follows_the_private_plan_until_told_otherwise() -> None:
    human = RuleHuman()
    assert watching(human).commands == ("[Open] <fridge> (1)",)
    assert watching(human, "Okay, nice.").commands == ()
    assert watching(human).commands == ("[Open] <fridge> (1)",)
    assert watching(human, "Stop! Don't open the fridge.").queue is Queue.REPLACE
    assert watching(human).commands == ()
    assert watching(human, "Take the red mug instead.").commands == ("[Grab] <red_mug> (1)",)

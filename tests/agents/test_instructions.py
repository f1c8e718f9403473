"""Single instructions in the kitchen of `flats.py`: the right commands, or a question with the right words in it, and nothing else."""

from __future__ import annotations

import pytest

from assistcore.world.replies import Queue, Turn
from assistworld.agents.humans.rule import RuleHuman
from tests.agents.flats import view

ACTS = {
    # colours, materials, sizes, contents, labels
    "Take the red mug.": "[Grab] <red_mug> (1)",
    "Pick up the blue mug": "[Grab] <blue_mug> (1)",
    "Grab the white cup.": "[Grab] <white_mug> (1)",
    "pick the plate up": "[Grab] <plate> (1)",
    "Take the small notebook.": "[Grab] <small_notebook> (1)",
    "Take the bigger notebook": "[Grab] <big_notebook> (1)",
    "Take the larger of the two notebooks.": "[Grab] <big_notebook> (1)",
    "Take the jar with the red lid.": "[Grab] <jar> (1)",
    "Take the green-lidded jar.": "[Grab] <jar> (2)",
    "Take the jar that says salt.": "[Grab] <jar> (3)",
    "Take the jar labelled flour": "[Grab] <jar> (2)",
    "Take the sugar": "[Grab] <jar> (1)",
    "Take the milk.": "[Grab] <milk_carton> (1)",
    "Take the wooden bowl.": "[Grab] <bowl> (1)",
    "Get the knife": "[Grab] <bread_knife> (1)",
    # ordinals and positions
    "Open the second drawer from the left.": "[Open] <drawer> (2)",
    "Open the first drawer from the left": "[Open] <drawer> (1)",
    "Open the leftmost drawer.": "[Open] <drawer> (1)",
    "Open the narrow drawer at the top.": "[Open] <cabinet_drawer> (1)",
    "Open the lowest narrow drawer": "[Open] <cabinet_drawer> (3)",
    "Open the second narrow drawer from the bottom": "[Open] <cabinet_drawer> (2)",
    "Look at the second jar from the right": "[LookAt] <jar> (2)",
    "Take the 2nd jar from the left": "[Grab] <jar> (2)",
    "Take the last jar from the left.": "[Grab] <jar> (3)",
    "Take the far left jar": "[Grab] <jar> (1)",
    "Take the mug farthest away.": "[Grab] <white_mug> (1)",
    "Take the jar in the middle.": "[Grab] <jar> (2)",
    "Take the rightmost mug.": "[Grab] <white_mug> (1)",
    "Grab the mug on the left.": "[Grab] <red_mug> (1)",
    "Go to the third chair from the left.": "[Walk] <chair> (2)",
    "Go to the chair on your left": "[Walk] <chair> (1)",
    "Take the notebook on the right.": "[Grab] <small_notebook> (1)",
    # beside, behind, on, in
    "Take the mug that's on the counter.": "[Grab] <white_mug> (1)",
    "Take the mug next to the milk.": "[Grab] <white_mug> (1)",
    "Take the mug to the left of the blue one.": "[Grab] <red_mug> (1)",
    "Take the mug between the apple and the spoon.": "[Grab] <blue_mug> (1)",
    "Go to the chair behind the table": "[Walk] <chair> (3)",
    "Turn on the lamp next to the notebooks.": "[TurnOn] <table_lamp> (1)",
    "Turn on the light on the side table": "[TurnOn] <table_lamp> (1)",
    "Take the apple out of the bowl": "[Grab] <apple> (1)",
    "Take the spoon in front of the bowl": "[Grab] <spoon> (1)",
    "Put the spoon into the bowl": "[Grab] <spoon> (1); [PutIn] <spoon> (1) <bowl> (1)",
    "Sit on the nearest chair": "[Sit] <chair> (1)",
    "Take the notebook closest to the lamp.": "[Grab] <big_notebook> (1)",
    # fixtures, rooms, devices, turning
    "Open the fridge.": "[Open] <fridge> (1)",
    "Open the refrigerator please": "[Open] <fridge> (1)",
    "Close the grey cupboard": "[Close] <cabinet> (2)",
    "Make sure the grey cabinet is closed.": "[Close] <cabinet> (2)",
    "Open the kitchen door.": "[OpenDoor] <kitchen_door> (1)",
    "Open the door": "[OpenDoor] <kitchen_door> (1)",
    "Close the bedroom door": "[CloseDoor] <bedroom_door> (1)",
    "Go to the living room.": "[Walk] <living_room> (1)",
    "Head over to the coffee table": "[Walk] <coffee_table> (1)",
    "Switch the kettle on, please.": "[TurnOn] <kettle> (1)",
    "Turn the ceiling light off": "[TurnOff] <ceiling_lamp> (1)",
    "Start the dishwasher": "[TurnOn] <dishwasher> (1)",
    "Turn left.": "[TurnLeft]",
    "Turn 45 degrees to the right": "[TurnRight] 45",
    "Turn around": "[TurnAround]",
    "Take two steps forward": "[Forward] 2",
    "Walk 1.5 metres forward": "[Forward] 1.5m",
    "Look around.": "[LookAround]",
    "Wait ten seconds.": "[Wait] 10",
    "Show me the white mug": "[LookAt] <white_mug> (1)",
    "Read the label on the jar with the green lid.": "[LookAt] <jar> (2)",
    # of several alike the one that is not so already; what can be seen to be so
    "Open the cabinet": "[Open] <cabinet> (1)",
    "Turn off the light": "[TurnOff] <ceiling_lamp> (1)",
    "If the fridge is closed, open it.": "[Open] <fridge> (1)",
    "Bring me the milk": "[Grab] <milk_carton> (1)",
    "The red mug, please.": "[Grab] <red_mug> (1)",
    # polite forms and duties
    "Could you please pick up the blue mug?": "[Grab] <blue_mug> (1)",
    "Would you mind opening the fridge?": "[Open] <fridge> (1)",
    "If you could open the fridge, that would be great.": "[Open] <fridge> (1)",
    "I'd like you to take the spoon.": "[Grab] <spoon> (1)",
    "You should pick up the plate now.": "[Grab] <plate> (1)",
    "Let's open the white cabinet": "[Open] <cabinet> (1)",
    "Pick the plate up, would you?": "[Grab] <plate> (1)",
    "It would be nice if you could close the grey cabinet.": "[Close] <cabinet> (2)",
    "Don't forget to open the fridge.": "[Open] <fridge> (1)",
    # several steps
    "Put the white mug on the table.": "[Grab] <white_mug> (1); [Put] <white_mug> (1) <table> (1)",
    "Take the apple and put it in the sink.": "[Grab] <apple> (1); [PutIn] <apple> (1) <sink> (1)",
    "Bring the red mug to the sink.": "[Grab] <red_mug> (1); [PutIn] <red_mug> (1) <sink> (1)",
    "Put the red mug in the sink and the blue mug on the side table.": (
        "[Grab] <red_mug> (1); [PutIn] <red_mug> (1) <sink> (1); [Grab] <blue_mug> (1); [Put] <blue_mug> (1) <side_table> (1)"
    ),
    "Open the fridge and take the milk.": "[Open] <fridge> (1); [Grab] <milk_carton> (1)",
    "Walk to the fridge, open it and then take the milk": "[Walk] <fridge> (1); [Open] <fridge> (1); [Grab] <milk_carton> (1)",
    "Go to the fridge. Open it.": "[Walk] <fridge> (1); [Open] <fridge> (1)",
    "Before opening the fridge, take the red mug.": "[Grab] <red_mug> (1); [Open] <fridge> (1)",
    "After you have opened the fridge, take the milk.": "[Open] <fridge> (1); [Grab] <milk_carton> (1)",
    "Open the fridge, put the milk in it and close it.": (
        "[Open] <fridge> (1); [Grab] <milk_carton> (1); [PutIn] <milk_carton> (1) <fridge> (1); [Close] <fridge> (1)"
    ),
    "First take the red mug, then put it on the counter.": "[Grab] <red_mug> (1); [Put] <red_mug> (1) <counter> (1)",
    "Look at the red mug and then at the blue mug.": "[LookAt] <red_mug> (1); [LookAt] <blue_mug> (1)",
    "Take the milk to the bedroom and put it on the desk.": (
        "[Grab] <milk_carton> (1); [Walk] <bedroom> (1); [Put] <milk_carton> (1) <desk> (1)"
    ),
    "Open the fridge and the dishwasher.": "[Open] <fridge> (1); [Open] <dishwasher> (1)",
    "Put the milk in the fridge": "[Open] <fridge> (1); [Grab] <milk_carton> (1); [PutIn] <milk_carton> (1) <fridge> (1)",
    "Look in the fridge": "[Open] <fridge> (1)",
    "Look inside the grey cabinet": "[LookAt] <cabinet> (2)",
    # negation and correction
    "Don't take the red mug, take the blue one.": "[Grab] <blue_mug> (1)",
    "Do not take the blue mug but the red one.": "[Grab] <red_mug> (1)",
    "Take the mug, not the red one, the blue one.": "[Grab] <blue_mug> (1)",
    "Take the red mug, not the blue one": "[Grab] <red_mug> (1)",
    "Take a mug, but not the red one and not the blue one.": "[Grab] <white_mug> (1)",
    "Take the blue mug instead of the red one.": "[Grab] <blue_mug> (1)",
    "Instead of the red mug, take the blue one.": "[Grab] <blue_mug> (1)",
    "Open the fridge, but do not touch the milk.": "[Open] <fridge> (1)",
    "Take the blue mug, no, sorry, the red one.": "[Grab] <red_mug> (1)",
    "Open the fridge, no wait, close the grey cabinet.": "[Close] <cabinet> (2)",
    "Put the red mug in the sink, no, sorry, on the counter": "[Grab] <red_mug> (1); [Put] <red_mug> (1) <counter> (1)",
    "Turn left, no, right.": "[TurnRight]",
    "Go to the kitchen, um, sorry, the bedroom.": "[Walk] <bedroom> (1)",
    "Um, take the, uh, the red mug... no wait, the blue one.": "[Grab] <blue_mug> (1)",
    "Wait, not that. Take the blue mug.": "[Grab] <blue_mug> (1)",
}  # fmt: skip

QUESTIONS = {
    "Take the mug.": ("which mug", "red", "blue", "white"),
    "Take a notebook": ("which notebook",),
    "Take the white one": ("which one", "plate"),
    "Take the red one": ("which one", "red mug", "red lid"),
    "Look at the light": ("which light",),
    "Look at the cabinet": ("which cabinet", "white", "grey"),
    "Open the third drawer": ("which drawer", "left"),
    "Open the bottom drawer.": ("which drawer",),
    "Take the green mug.": ("don't see the green mug",),
    "Take the butter": ("don't see the butter", "where should i look"),
    "Take the keys": ("where should i look",),
    "Put the red mug next to the plate": ("where should i put the red mug",),
    "Get rid of the milk": ("where should i put",),
    "Take the red mug and the blue mug.": ("one thing at a time",),
    "Put the spoon in the bowl and take it to the counter.": ("which one", "spoon", "bowl"),
    "Open it": ("what exactly do you mean",),
    "Open the jar with the red lid": ("can't open",),
    "If the soup is hot, open the fridge.": ("can't judge",),
    "If the fridge is closed, open it, otherwise close it.": ("can't judge",),
    "The red mug.": ("what should i do with the red mug",),
    "Maybe take the red mug?": ("should i take the red mug",),
    "Perhaps you could open the fridge": ("should i open the fridge",),
    "Take the red mug, I'm not sure": ("should i",),
    "Go to the other side": ("don't see",),
    "Juggle the apples": ("not sure what you want",),
    "Go to the window": ("don't see the window",),
    "Take the blue jar": ("do you mean the glass jar with a blue lid",),
    "Use the kettle": ("what exactly should i do",),
    "Come here.": ("which way",),
    "Take the red or the blue mug": ("which one",),
}

NOTHING = [
    "Thanks, well done.",
    "OK.",
    "Great job!",
    "Perfect, thank you!",
    "Yes.",
    "Hmm...",
    "Hmm, let me think.",
    "The red mug is on the table.",
    "I can see a red mug on the table.",
    "There's a blue mug next to the bowl.",
    "That was the wrong mug.",
    "You are doing great.",
    "I think the blue mug is nicer.",
    "The blue mug is mine.",
    "Is the fridge open?",
    "Which drawer should I open?",
    "How many mugs are there?",
    "Can you see the red mug?",
    "Do you have the mug?",
    "Are you ready?",
    "You opened the fridge.",
    "If the kettle is on, turn it off.",
]

STOPS = [
    "Stop!",
    "Wait.",
    "Hold on.",
    "Hang on a second",
    "Never mind.",
    "Don't open the fridge.",
    "Don't move!",
    "Do not touch the red mug.",
    "stop opening the fridge",
    "You don't need to open the fridge.",
    "Open the fridge... actually, don't.",
    "No, not the red mug!",
    "Wait, wait. Don't take it.",
]


def heard(text: str, held: str = "") -> Turn:
    """The turn of a fresh rule human that hears one utterance."""
    return RuleHuman().turn(view(text, held=held))


@pytest.mark.parametrize(("text", "commands"), list(ACTS.items()))
def test_acts(text: str, commands: str) -> None:
    turn = heard(text)
    assert "; ".join(turn.commands) == commands
    assert turn.queue is Queue.REPLACE


@pytest.mark.parametrize(("text", "words"), list(QUESTIONS.items()))
def test_asks(text: str, words: tuple[str, ...]) -> None:
    turn = heard(text)
    assert turn.commands == ()
    for word in words:
        assert word in turn.speech.lower()


@pytest.mark.parametrize("text", NOTHING)
def test_does_nothing_untold(text: str) -> None:
    turn = heard(text)
    assert turn.commands == ()
    assert turn.queue is Queue.KEEP


@pytest.mark.parametrize("text", STOPS)
def test_stop_drops_what_is_queued(text: str) -> None:
    turn = RuleHuman().turn(view(text, idle=False))
    assert turn.commands == ()
    assert turn.queue is Queue.REPLACE


HOLDING = {
    "Put it on the counter.": "[Put] <red_mug> (1) <counter> (1)",
    "Put the mug in the sink": "[PutIn] <red_mug> (1) <sink> (1)",
    "Put what you are holding on the table": "[Put] <red_mug> (1) <table> (1)",
    "Drop it.": "[Drop]",
    "Let go of the mug.": "[Drop]",
    "Take it to the bedroom": "[Walk] <bedroom> (1)",
    "Look at the thing in your hand": "[LookAt] <red_mug> (1)",
}


@pytest.mark.parametrize(("text", "commands"), list(HOLDING.items()))
def test_with_the_red_mug_in_the_hand(text: str, commands: str) -> None:
    assert "; ".join(heard(text, held="red_mug_1").commands) == commands


def test_a_full_hand_opens_nothing() -> None:
    turn = heard("Put it in the fridge.", held="red_mug_1")
    assert turn.commands == ()
    assert "closed" in turn.speech and "open it first" in turn.speech


@pytest.mark.parametrize("text", ["Put it down.", "Take the blue mug", "Put it away"])
def test_asks_where_to_put_what_is_held(text: str) -> None:
    turn = heard(text, held="red_mug_1")
    assert turn.commands == ()
    assert "where should i put" in turn.speech.lower()


@pytest.mark.parametrize(
    "text", ["[Grab] <red_mug> (1)", "Please [Open] the fridge", "Take <red_mug> (1).", "take red_mug_1", "[ Walk ] the sink", "[Wait] 3"]
)
def test_commands_are_no_plain_language(text: str) -> None:
    turn = heard(text)
    assert turn.commands == () and turn.queue is Queue.KEEP
    assert "plain words" in turn.speech

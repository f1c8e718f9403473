"""Labels of failed episodes on histories made to have one fault, or none; what a model that annotates is sent, and what is believed."""

from __future__ import annotations

import json

import pytest

from assistcore.models.chat import ChatModel
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from assistworld.studies.annotating import annotate, transcript
from assistworld.studies.failures import EARLY, KINDS, LOOPING, MISMANAGED, UNSEEING, Label, labels
from assistworld.studies.histories import History, followed
from tests.models.stub import chat_server

RIGHT, UP, LEFT, DOWN = (f"('move', {direction})" for direction in range(4))
STOP = "('stop', 'stop')"


def maze(*answers: str) -> History:
    """Right of the player and below are walls; to the left are four free cells, from whose end the way goes up four more."""
    return followed(Play(make("maze_2d"), seed=6), answers, who="made")


def cube(*answers: str) -> History:
    return followed(Play(make("mental_rotation_3d_cube"), seed=1), answers, who="made")


def kinds(history: History) -> list[str]:
    return [label.kind for label in labels(history)]


def test_a_wall_that_is_walked_into_again_and_again_is_a_loop() -> None:
    (found,) = labels(maze(*[RIGHT] * 4))
    assert found == Label(LOOPING, 1, 4, f"{RIGHT} {RIGHT} {RIGHT}")


def test_to_and_fro_is_a_loop_and_its_way_in_is_not() -> None:
    (found,) = labels(maze(LEFT, UP, *[LEFT, RIGHT] * 4))
    assert (found.kind, found.first_step, found.last_step) == (LOOPING, 3, 10)


def test_the_same_unreadable_answer_is_a_loop() -> None:
    assert kinds(maze(*["I would go left."] * 20)) == [LOOPING]


@pytest.mark.parametrize("answers", [[LEFT] * 4, [RIGHT] * 2, [LEFT] * 4 + [UP] * 4])
def test_a_straight_way_and_two_tries_are_no_loop(answers: list[str]) -> None:
    assert kinds(maze(*answers)) == []


def test_the_same_turn_that_leads_nowhere_is_a_loop_and_one_that_leads_nearer_is_not() -> None:
    quarter = "('rotate', [90, 0, 0])"
    (found,) = labels(cube(*[quarter] * 8))
    assert (found.kind, found.first_step, found.last_step) == (LOOPING, 1, 8)
    hard = make("maze_2d", "hard")
    ways = (solve(hard, Play(hard, seed=seed).state) for seed in range(300))
    seed, way = next((seed, way) for seed, way in enumerate(ways) if len(set(way[:6])) == 1)
    assert kinds(followed(Play(hard, seed=seed), way[:6], who="made")) == []


def test_what_was_refused_and_is_tried_again_in_the_same_place_is_mismanagement() -> None:
    (found,) = labels(maze(RIGHT, LEFT, RIGHT, RIGHT))
    assert (found.kind, found.first_step, found.last_step) == (MISMANAGED, 1, 4)
    assert found.quote == "There is a wall to the right; the disc did not move."


def test_the_same_refusal_elsewhere_is_no_mismanagement() -> None:
    assert kinds(maze(DOWN, LEFT, DOWN, LEFT, DOWN)) == []


def test_coming_back_and_back_is_mismanagement() -> None:
    (found,) = labels(maze(LEFT, LEFT, RIGHT, RIGHT, LEFT, LEFT, RIGHT))
    assert (found.kind, found.first_step, found.last_step) == (MISMANAGED, 3, 7)


def test_undoing_is_no_coming_back() -> None:
    play = Play(make("matchstick_equation"), seed=3)
    found = followed(play, solve(play.puzzle, play.state, strategy="dfs", num_steps=9)[:-1], who="dfs")
    assert any("undo" in turn.given for turn in found.turns) and MISMANAGED not in kinds(found)


def test_a_stop_is_early_only_with_steps_left_and_without_a_solution() -> None:
    (found,) = labels(maze(LEFT, STOP))
    assert found == Label(EARLY, 2, 2, "Stopped: the puzzle is not solved.")
    filler = [LEFT] * 4 + [UP] * 4 + [RIGHT] * 4 + [LEFT] * 4 + [LEFT] * 2 + [DOWN]
    assert EARLY not in kinds(maze(*filler, STOP)) and EARLY not in kinds(maze(*filler, LEFT))


def test_what_was_solved_has_no_labels() -> None:
    play = Play(make("maze_2d"), seed=6)
    assert labels(followed(play, [RIGHT, RIGHT, RIGHT, *solve(play.puzzle, play.state)], who="made")) == ()


def test_an_annotator_is_sent_the_record_with_pictures_and_its_quotations_are_checked() -> None:
    history = maze(RIGHT, RIGHT, RIGHT, STOP)
    said = [
        {"fault": LOOPING, "first_step": 1, "last_step": 3, "quote": "Answer 2: ('move', 0)"},
        {"fault": MISMANAGED, "first_step": 2, "last_step": 3, "quote": "There is a wall to the right"},
        {"fault": EARLY, "first_step": 4, "last_step": 4, "quote": "Stopped: the puzzle is not solved."},
        {"fault": UNSEEING, "first_step": 1, "last_step": 3, "quote": "P player, T target"},
        {"fault": UNSEEING, "first_step": 1, "last_step": 3, "quote": "It never looked at the picture"},
        {"fault": "laziness", "first_step": 1, "last_step": 3, "quote": "Stopped: the puzzle is not solved."},
        {"fault": EARLY, "first_step": 4, "last_step": 9, "quote": "Stopped: the puzzle is not solved."},
        {"fault": EARLY, "first_step": 1, "last_step": 4, "quote": "a"},
        "odd",
    ]
    with chat_server([f"Here it is:\n```json\n{json.dumps(said)}\n```"]) as stub:
        found = annotate(history, ChatModel(stub.url, "judge"))
    assert [label.kind for label in found.labels] == list(KINDS) and {label.by for label in found.labels} == {"judge"}
    assert len(found.rejected) == 5 and any("never looked" in fault for fault in found.rejected)
    assert transcript(history) in stub.texts(0) and len(stub.images(0)) == 4
    assert all(f"- {kind}: {meaning}" in stub.texts(0) for kind, meaning in KINDS.items())
    with chat_server(["[]"]) as stub:
        assert annotate(history, ChatModel(stub.url, "judge"), pictures=False).labels == () and stub.images(0) == []


@pytest.mark.parametrize("answer", ["I cannot tell.", "[{]", '{"fault": "early_termination"}', ""])
def test_an_annotator_that_writes_no_list_labels_nothing(answer: str) -> None:
    with chat_server([answer]) as stub:
        found = annotate(maze(STOP), ChatModel(stub.url, "judge"), pictures=False)
    assert found.labels == () and found.rejected and found.raw == answer

"""What a model that plays receives at the other end of the wire, with every toggle; and that what it answers is what is played."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from assistcore.models.record import read_record
from assistcore.world.errors import InputError
from assistcore.world.records import Replied
from assistcore.world.registry import UnknownName
from assistworld.agents.assistants.silent import SilentAssistant
from assistworld.agents.humans.player import make as make_player
from assistworld.engines.puzzle import make as make_engine
from assistworld.engines.puzzle.prompting import REASONING, Seen, Toggles, conversation, instructions
from assistworld.engines.puzzle.setting import begin
from assistworld.engines.puzzle.solving import solve
from assistworld.episodes.driver import run
from assistworld.episodes.episode import Ended
from assistworld.episodes.start import open_episode
from assistworld.studies.attempt import make_human, with_channels
from taskpacks.loader import find_pack
from tests.models.stub import Stub, chat_server, images_of, texts_of

PACK = find_pack("maze_2d_easy")
PLAY = begin(PACK.scenario.scenario(), 0)
RULES = instructions(PLAY.puzzle)
SOLUTION = solve(PLAY.puzzle, PLAY.state)


def played(answers: Any = None, *, channels: tuple[str, ...] = ("view",), frames: int = 1, **options: str) -> tuple[Ended, Stub, Any]:
    with chat_server(answers or SOLUTION) as stub:
        episode = open_episode(with_channels(PACK, channels), engine=make_engine(), frames=frames)
        ended = run(episode, SilentAssistant(), make_player(None, 0, model="m", url=stub.url, **options))
    return ended, stub, episode


def picture(address: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(address.partition("base64,")[2])))


def test_what_the_model_answers_is_played_and_it_is_shown_the_whole_conversation() -> None:
    ended, stub, episode = played()
    assert ended.score is not None and ended.score.success and ended.score.human == "outside" and ended.reason == "finished"
    assert len(stub.asked) == len(SOLUTION)
    last = stub.asked[-1]["messages"]
    assert [m["role"] for m in last] == ["user", "assistant"] * (len(SOLUTION) - 1) + ["user"]
    assert [m["content"] for m in last if m["role"] == "assistant"] == SOLUTION[:-1]
    assert [len(images_of(m)) for m in last if m["role"] == "user"] == [1] * len(SOLUTION)
    assert RULES in texts_of(last[0])[0] and all(RULES not in text for m in last[1:] for text in texts_of(m))
    assert picture(images_of(last[-1])[-1]).size == (225, 225)
    for number, message in enumerate(last[2::2], 1):
        assert any(f"Step {number} of 20; {20 - number} left." in text for text in texts_of(message))
    raws = [row.record.reply["raw"] for row in episode.sink.rows() if isinstance(row.record, Replied) and row.record.role == "human"]
    assert [raw for raw in raws if raw] == SOLUTION


def test_nothing_of_pack_score_or_solution_is_in_a_prompt() -> None:
    _, stub, _ = played(["hm"])
    for number in range(len(stub.asked)):
        said = stub.texts(number)
        for secret in (PACK.id, "puzzle_1", "solved_at_stop", "layout", "seed", "oracle", "silent", *SOLUTION[1:3]):
            assert secret not in said.replace("('move', 0)", ""), secret
    assert {key for request in stub.asked for key in request} == {"path", "model", "messages"}


@pytest.mark.parametrize(("history", "kept"), [("0", 0), ("2", 2), ("all", 19)])
def test_history_is_as_long_as_asked(history: str, kept: int) -> None:
    _, stub, _ = played(["I look around."], history=history)
    assert len(stub.asked) == 20
    for number, request in enumerate(stub.asked):
        answers = [m for m in request["messages"] if m["role"] == "assistant"]
        seen = [m for m in request["messages"] if images_of(m)]
        assert len(answers) == min(number, kept) and len(seen) == len(answers) + 1
        assert RULES in texts_of(request["messages"][0])[0]
        assert request["messages"][0]["role"] == "user"


def test_without_feedback_nothing_is_said_about_what_an_answer_did() -> None:
    told, untold = played(["hm"])[1], played(["hm"], feedback="no")[1]
    assert "No action could be read" in told.texts(3) and "left." in told.texts(3)
    assert "No action could be read" not in untold.texts(3) and "left." not in untold.texts(3)
    assert len(untold.images(3)) == 4


def test_reasoning_is_asked_for_and_only_the_answer_counts() -> None:
    thinking = [f"<think>First I thought of ('stop', 'stop').</think><answer>{answer}</answer>" for answer in SOLUTION]
    ended, stub, episode = played(thinking, reasoning="yes")
    assert ended.score is not None and ended.score.success
    assert REASONING in stub.texts(0) and stub.texts(2).count(REASONING) == 1
    assert REASONING not in played()[1].texts(0)
    replies = [row.record.reply for row in episode.sink.rows() if isinstance(row.record, Replied) and row.record.role == "human"]
    assert "First I thought of ('stop', 'stop')." in {reply["reasoning"] for reply in replies}


def test_instructions_are_repeated_where_that_is_asked() -> None:
    _, stub, _ = played(repeat="yes")
    users = [m for m in stub.asked[5]["messages"] if m["role"] == "user"]
    assert len(users) == 6 and all(RULES in "\n".join(texts_of(m)) for m in users)


def test_the_goal_is_shown_once_at_the_beginning_whatever_the_history() -> None:
    for history in ("all", "1"):
        _, stub, _ = played(["hm"], channels=("view", "goal"), history=history)
        goals = {images_of(request["messages"][0])[0] for request in stub.asked}
        assert len(goals) == 1 and goals.isdisjoint(images_of(stub.asked[0]["messages"][0])[1:])
        assert all(len(images_of(m)) == 1 for m in stub.asked[-1]["messages"][2::2])
        assert "This is what the solved puzzle looks like:" in stub.texts(0)
    (goal,) = goals
    drawn = PLAY.puzzle.draw(PLAY.puzzle.goal(PLAY.state))
    assert picture(goal).size == (225, 225) and picture(goal).tobytes() == drawn.tobytes()
    assert "solved puzzle looks like" not in played()[1].texts(0)


def test_text_takes_the_place_of_pictures() -> None:
    ended, stub, _ = played(channels=("text",))
    assert ended.score is not None and ended.score.success
    assert all(not stub.images(number) for number in range(len(stub.asked)))
    text = PLAY.puzzle.text(PLAY.state)
    assert text is not None and text in stub.texts(0)
    assert stub.texts(3).count("P player") == 4


def test_pictures_are_made_smaller_where_that_is_asked() -> None:
    _, stub, _ = played(["('stop', 'stop')"], side="90")
    assert picture(stub.images(0)[0]).size == (90, 90)


def test_every_prompt_and_reply_is_kept_where_that_is_asked(tmp_path: Path) -> None:
    _, stub, _ = played(record=str(tmp_path / "kept"))
    rows = read_record(tmp_path / "kept")
    assert len(rows) == len(stub.asked) and {row["role"] for row in rows} == {"human"}
    assert RULES in rows[0]["prompt"][0]["parts"][0]["text"] and len(rows[-1]["prompt"]) == len(stub.asked[-1]["messages"])


def test_a_model_that_is_shown_nothing_and_one_that_is_not_there_void_the_attempt() -> None:
    ended, stub, _ = played(frames=0)
    assert ended.void and "--frames 1" in ended.detail and not stub.asked
    ended, stub, _ = played([(400, "no such model")])
    assert ended.void and "no such model" in ended.detail and ended.score is not None and ended.score.success is None


def test_options_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("ASSISTWORLD_MODEL_URL", "ASSISTWORLD_MODEL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError) as raised:
        make_human("player", PACK, 0, {"history": "many", "feedback": "nope", "url": "here"})
    told = str(raised.value)
    assert all(words in told for words in ("history: is 'many'", "feedback: is 'nope'", "url: is 'here'", "model: is missing"))
    with pytest.raises(InputError, match="did you mean 'history'"):
        make_human("player", PACK, 0, {"histroy": "3"})
    with pytest.raises(UnknownName, match="player"):
        make_human("playr", PACK, 0)
    with pytest.raises(InputError, match="history"):
        Toggles(history=-1)


def test_what_a_helper_says_is_heard() -> None:
    (message,) = conversation("rules", [Seen(text="a maze", said=("Move left.",))], Toggles())
    assert message.text == "rules\nYour helper says: Move left.\nThis is what you see now:\n\na maze"

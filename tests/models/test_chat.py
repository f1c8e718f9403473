"""The chat client against a local server: what is sent, what is read, what is tried again, what is kept."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from assistcore.models.chat import ChatModel
from assistcore.models.model import Image, Message, Usage
from assistcore.models.record import Record, read_record, totals
from assistcore.world.errors import InfrastructureError
from tests.models.stub import chat_server

PNG = b"\x89PNG\r\n\x1a\nnot really"
ASKED = (Message("system", ("be brief",)), Message("user", ("what is this?", Image(PNG))))


def test_messages_are_sent_as_the_interface_has_them_and_the_answer_is_read() -> None:
    with chat_server(["a red mug"]) as stub:
        model = ChatModel(stub.url, "some-model", key="secret", options={"temperature": 0})
        found = model.complete(ASKED)
    sent = stub.asked[0]
    assert sent["path"] == "/v1/chat/completions" and sent["model"] == "some-model" and sent["temperature"] == 0
    assert sent["messages"][0] == {"role": "system", "content": "be brief"}
    text, image = sent["messages"][1]["content"]
    assert text == {"type": "text", "text": "what is this?"}
    assert image == {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64.b64encode(PNG).decode()}}
    assert (found.text, found.usage, found.model) == ("a red mug", Usage(7, 3), "stub-1")
    assert stub.keys == ["Bearer secret"] and "secret" not in repr(model)


def test_passing_faults_are_tried_again_and_are_no_latency() -> None:
    slept: list[float] = []
    ticks = iter([0.0, 10.0, 20.0, 20.5])
    with chat_server([(429, "slow down"), (503, "busy"), "ok"]) as stub:
        found = ChatModel(stub.url, "m", sleep=slept.append, clock=lambda: next(ticks)).complete(ASKED)
    assert found.text == "ok" and found.latency_s == 0.5
    assert slept == [1.0, 2.0] and len(stub.asked) == 3


@pytest.mark.parametrize(
    ("answer", "calls", "said"), [((401, "bad key"), 1, "bad key"), ((500, "broken"), 4, "broken"), ((200, "{}"), 1, "chat completion")]
)
def test_what_stays_wrong_is_an_infrastructure_error_that_quotes_it(answer: tuple[int, str], calls: int, said: str) -> None:
    with chat_server([answer]) as stub, pytest.raises(InfrastructureError, match=said) as raised:
        ChatModel(stub.url, "m", key="secret", sleep=lambda s: None).complete(ASKED)
    assert len(stub.asked) == calls and "secret" not in str(raised.value)


def test_a_server_that_is_not_there_is_named() -> None:
    with pytest.raises(InfrastructureError, match="127.0.0.1:9"):
        ChatModel("http://127.0.0.1:9/v1", "m", tries=2, sleep=lambda s: None).complete(ASKED)


def test_every_prompt_and_reply_is_kept_and_tokens_that_nobody_counted_are_not_zero(tmp_path: Path) -> None:
    unpriced = json.dumps({"choices": [{"message": {"content": "two"}}]})
    with chat_server(["one", (200, unpriced)]) as stub:
        for role in ("human", "judge"):
            ChatModel(stub.url, "m", listener=Record(tmp_path, role)).complete(ASKED)
    rows = read_record(tmp_path)
    assert [row["role"] for row in rows] == ["human", "judge"] and json.loads(rows[1]["raw"])["choices"]
    image = rows[0]["prompt"][1]["parts"][1]["image"]
    assert (tmp_path / image).read_bytes() == PNG and len(list(tmp_path.glob("*.png"))) == 1
    counted = {"calls": 1, "input_tokens": 7, "output_tokens": 3}
    assert totals(rows) == {"human": counted, "judge": {"calls": 1, "input_tokens": None, "output_tokens": None}}

"""A language model that plays a puzzle: it gets the rules and what it sees, and its whole answer is its action."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING

from assistcore.models.model import Model
from assistcore.world.errors import InfrastructureError, InputError, Problem, nearest
from assistcore.world.replies import Queue, Turn
from assistcore.world.snapshots import Kind
from assistcore.world.views import HumanView
from assistworld.engines.puzzle.prompting import Seen, Toggles, conversation

if TYPE_CHECKING:
    from taskpacks.schema import TaskPack

URL, NAME, KEY = "ASSISTWORLD_MODEL_URL", "ASSISTWORLD_MODEL", "ASSISTWORLD_MODEL_KEY"
"""Environment variables: where the model is, its name there, and the key, which is taken from nowhere else."""


class Player:
    """Every turn is one answer of the model to the whole conversation, as the toggles have it. Whether it sees pictures or text, and
    whether it is shown the goal, is decided by the channels that it is given."""

    privileged = False

    def __init__(self, model: Model, toggles: Toggles, *, side_px: int | None = None) -> None:
        """side_px: longest side of a picture that is sent; larger ones are made smaller. None: as they are."""
        self.name = f"player {model.name}"
        self._model, self._toggles, self._side_px = model, toggles, side_px
        self._seen: list[Seen] = []
        self._goal: bytes | None = None

    def turn(self, view: HumanView) -> Turn:
        """Ask the model. Raises InfrastructureError where it cannot be had, or where nothing was given to look at."""
        if not view.idle:
            return Turn()
        self._look(view)
        messages = conversation(view.task, self._seen, self._toggles, self._goal)
        answer = self._model.complete(messages).text
        self._seen[-1] = Seen(**{**vars(self._seen[-1]), "answer": answer})
        return Turn(Queue.APPEND, commands=(answer,), reasoning=thought(answer), raw=answer)

    def _look(self, view: HumanView) -> None:
        """Add what is new: the latest picture of each channel or its text, what came of the last answer, what was said."""
        latest = {o.channel: o for o in view.observations}
        if (goal := latest.pop("goal", None)) is not None:
            self._goal = self._fitted(goal.data)
        images = tuple(self._fitted(o.data) for o in latest.values() if o.kind is Kind.IMAGE)
        text = "\n\n".join(o.data.decode("utf-8") for o in latest.values() if o.kind is Kind.TEXT)
        if not images and not text:
            raise InfrastructureError("player", "was given nothing to look at; run with --frames 1 and the channel view or text")
        said = tuple(u.text for u in view.heard if u.speaker == "assistant")
        self._seen.append(Seen(images, text, view.last_fact if self._seen else "", None, said))

    def _fitted(self, data: bytes) -> bytes:
        if self._side_px is None:
            return data
        from PIL import Image

        with Image.open(io.BytesIO(data)) as picture:
            if max(picture.size) <= self._side_px:
                return data
            scale = self._side_px / max(picture.size)
            small = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))), Image.Resampling.LANCZOS)
            out = io.BytesIO()
            small.save(out, "PNG")
        return out.getvalue()


def thought(answer: str) -> str:
    """What stands between the first `<think>` and its end; empty where there is none."""
    _, found, rest = answer.partition("<think>")
    return rest.partition("</think>")[0].strip() if found else ""


def make(
    pack: TaskPack | None,
    seed: int,
    model: str = "",
    url: str = "",
    history: str = "all",
    feedback: str = "yes",
    reasoning: str = "no",
    repeat: str = "no",
    side: str = "",
    record: str = "",
) -> Player:
    """A model as the player. The pack is not read. model, url: default to the environment (see `NAME`, `URL`). history: `all` or a number.
    side: longest side of a picture in pixels. record: a folder that keeps every prompt and raw reply.

    Raises InputError naming every option that is wrong or missing.
    """
    from assistcore.models.chat import ChatModel
    from assistcore.models.record import Record

    problems: list[Problem] = []
    where, name = url or os.environ.get(URL, ""), model or os.environ.get(NAME, "")
    if not where.startswith(("http://", "https://")):
        problems.append(Problem("url", f"is {where!r}", f"the address of a chat completions server (https://host/v1), or set {URL}"))
    if not name:
        problems.append(Problem("model", "is missing", f"the model's name on that server, or set {NAME}"))
    numbers = {"history": history, "side": side}
    problems += [
        Problem(key, f"is {text!r}", "a whole number") for key, text in numbers.items() if text not in ("", "all") and not text.isdigit()
    ]
    switches = {"feedback": feedback, "reasoning": reasoning, "repeat": repeat}
    problems += [Problem(key, f"is {text!r}", nearest(text, ("yes", "no"))) for key, text in switches.items() if text not in ("yes", "no")]
    if problems:
        raise InputError("options of the player", problems)
    listener = Record(Path(record), "human") if record else None
    toggles = Toggles(
        history=int(history) if history.isdigit() else None,
        feedback=feedback == "yes",
        reasoning=reasoning == "yes",
        repeat=repeat == "yes",
    )
    chat = ChatModel(where, name, key=os.environ.get(KEY, ""), listener=listener)
    return Player(chat, toggles, side_px=int(side) if side.isdigit() else None)

"""What a player is told: the instructions, made from the spaces, tolerances and limits that the code uses, and what follows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from assistcore.models.model import Image, Message, Part
from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.actions import FORMAT, Action, write
from assistworld.engines.puzzle.puzzle import STOP, AnyPuzzle


def instructions(puzzle: AnyPuzzle) -> str:
    """The task, every action with what it takes and an example, what counts as solved, and the limit of steps."""
    lines = [puzzle.task().strip(), "", f"Answer with exactly one action {FORMAT} at a time:"]
    for name, function in puzzle.functions.items():
        example = write(Action(name, function.payload.example()), puzzle.spaces)
        lines.append(f"- '{name}': {function.meaning} Payload: {function.payload.describe()}. Example: {example}")
    lines.append(f"- 'stop': Ends the episode; only then is it judged. Write {write(STOP, puzzle.spaces)}")
    if limits := puzzle.tolerances():
        allowed = "; ".join(f"{limit.what} is off by at most {limit.limit:g} {limit.unit}" for limit in limits)
        lines += ["", f"It counts as solved if, when you stop, {allowed}."]
    steps = puzzle.config.max_steps
    lines += ["", f"You have {steps} steps. Every answer takes one, also one that cannot be read, and so does 'stop'."]
    return "\n".join(lines)


REASONING = (
    "Before each action, think in words between <think> and </think>: what the picture shows and what your last action changed. "
    "Then write the action between <answer> and </answer>, and nothing behind it."
)


@dataclass(frozen=True, kw_only=True)
class Toggles:
    """What of an episode a player is given, besides what the observation is and whether the goal is shown.

    history: how many of the latest answers stay in the conversation, with what was seen before each; None: all, 0: only what is seen now.
    feedback: whether the player is told in words what an answer did. reasoning: whether it is asked to think between tags. repeat: whether
    the instructions stand in every message, not only in the first.
    """

    history: int | None = None
    feedback: bool = True
    reasoning: bool = False
    repeat: bool = False

    def __post_init__(self) -> None:
        if self.history is not None and self.history < 0:
            raise InputError("toggles", [Problem("history", f"is {self.history}", "0 or more answers; leave it out for all")])


@dataclass(frozen=True)
class Seen:
    """One moment of an episode: what came of the answer before, what is seen now (pictures, or text), and the answer to it (None: not yet).

    said: what a helper said since the answer before.
    """

    images: tuple[bytes, ...] = field(default=(), repr=False)
    text: str = ""
    feedback: str = ""
    answer: str | None = None
    said: tuple[str, ...] = ()


def conversation(rules: str, seen: Sequence[Seen], toggles: Toggles, goal: bytes | None = None) -> list[Message]:
    """The messages that a player gets at the last moment of `seen`: users' and its own in turn, the instructions first.

    rules: see :func:`instructions`. goal: an encoded picture of a solved state, shown behind the first instructions whatever the history.
    """
    kept = len(seen) if toggles.history is None else min(toggles.history + 1, len(seen))
    messages: list[Message] = []
    for number, moment in enumerate(seen[len(seen) - kept :]):
        parts: list[Part] = []
        if number == 0 or toggles.repeat:
            parts.append(f"{rules}\n\n{REASONING}" if toggles.reasoning else rules)
        if number == 0 and goal is not None:
            parts += ["This is what the solved puzzle looks like:", Image(goal)]
        if moment.feedback and toggles.feedback:
            parts.append(moment.feedback)
        parts += [f"Your helper says: {said}" for said in moment.said]
        parts.append("This is what you see now:" if moment.images or not moment.text else f"This is what you see now:\n\n{moment.text}")
        parts += [Image(image) for image in moment.images]
        messages.append(Message("user", tuple(parts)))
        if moment.answer is not None:
            messages.append(Message("assistant", (moment.answer,)))
    return messages

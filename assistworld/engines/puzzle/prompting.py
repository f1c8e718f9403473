"""What a player is told at the beginning, made from what the code uses: the same spaces, tolerances and limits."""

from __future__ import annotations

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

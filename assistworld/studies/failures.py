"""Why an episode of a puzzle failed: labels by rule, each with its steps and a quotation (seed VisGym, appendix F, in our own terms)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistcore.world.errors import AssistWorldError
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.solving import solve
from assistworld.studies.histories import History

LOOPING: Literal["action_looping"] = "action_looping"
MISMANAGED: Literal["state_mismanagement"] = "state_mismanagement"
EARLY: Literal["early_termination"] = "early_termination"
UNSEEING: Literal["visual_failure"] = "visual_failure"
Kind = Literal["action_looping", "state_mismanagement", "early_termination", "visual_failure"]
KINDS: dict[Kind, str] = {
    LOOPING: "repeats the same answer, or the same few in turn, and comes no nearer to a solution",
    MISMANAGED: "forgets what it has learned: tries again, after other answers, what was refused in the same position, or keeps coming "
    "back to positions that it has left",
    EARLY: "stops without a solution although steps are left",
    UNSEEING: "ignores what can be seen, or takes it for something else, so that its answers do not fit the picture",
}
"""The four labels and what each means."""
LEAST_REPEATS = 3
"""How often a pattern of one to three answers stands in a row before it is a loop, where the position returns or does not change."""
LEAST_SAME = 5
"""How often one answer stands in a row before it is a loop, where the position changes and the solution comes no nearer."""
LONGEST_PATTERN = 3
LEAST_RETURNS = 3
"""How often a player comes back to positions that it has left before that is mismanagement."""


@dataclass(frozen=True)
class Label:
    """One finding. Steps count from 1; `quote` is from the history; `by`: `rule`, or the name of the model that said so."""

    kind: Kind
    first_step: int
    last_step: int
    quote: str
    by: str = "rule"


def labels(history: History) -> tuple[Label, ...]:
    """What went wrong, by the rules for the first three labels; empty where it was solved. An episode may have several."""
    if history.reward:
        return ()
    loops = list(_loops(history))
    looping = {step for loop in loops for step in range(loop.first_step, loop.last_step + 1)}
    return (*loops, *_mismanaged(history, looping), *_early(history))


def _keys(history: History) -> list[str]:
    """Every answer as it is compared: the action, or the text where it holds none."""
    return [turn.action or turn.given.strip() for turn in history.turns]


def _loops(history: History) -> Iterator[Label]:
    """Runs of a pattern of one to three answers, longest first from each step on."""
    keys, layouts, at = _keys(history), history.layouts, 0
    while at < len(keys):
        found = next((end for end in _ends(keys, at) if _idle(history, layouts, keys, at, end)), None)
        if found is None:
            at += 1
            continue
        yield Label(LOOPING, at + 1, found, " ".join(keys[at : min(at + LONGEST_PATTERN, found)]))
        at = found


def _ends(keys: Sequence[str], at: int) -> list[int]:
    """Where runs of repeated patterns that begin at `at` end (behind the last answer), longest first."""
    ends = []
    for length in range(1, LONGEST_PATTERN + 1):
        end = at + length
        while end < len(keys) and keys[end] == keys[end - length]:
            end += 1
        end -= (end - at) % length
        if end - at >= LEAST_REPEATS * length:
            ends.append(end)
    return sorted(ends, reverse=True)


def _idle(history: History, layouts: Sequence[str], keys: Sequence[str], at: int, end: int) -> bool:
    """Whether a run of answers led nowhere: the position never changed or returned each time, or the solution came no nearer."""
    if history.turns[end - 1].kind == "stopped":
        return False
    visited = layouts[at : end + 1]
    if len(set(visited)) <= min(LONGEST_PATTERN, len(visited) - LEAST_REPEATS):
        return True
    if len(set(keys[at:end])) > 1 or end - at < LEAST_SAME:
        return False
    return not _nearer(history.puzzle, history.states[at], history.states[end])


def _nearer(puzzle: AnyPuzzle, before: Any, after: Any) -> bool:
    """Whether something of what is left to do became less."""
    return any(b - a > 1e-9 for b, a in zip(_left(puzzle, before), _left(puzzle, after), strict=True))


def _left(puzzle: AnyPuzzle, state: Any) -> tuple[float, ...]:
    """How far a state is from a solution: its errors where the puzzle measures them, else the answers that its solver needs."""
    if puzzle.tolerances():
        return puzzle.errors(state)
    try:
        return (float(len(solve(puzzle, state))),)
    except AssistWorldError:  # out of reach: farther than everything that is in reach
        return (float(puzzle.config.max_steps + 1),)


def _mismanaged(history: History, looping: set[int]) -> Iterator[Label]:
    """Refused before in the same position and tried again after something else; or position after position that was left comes back."""
    keys, layouts = _keys(history), history.layouts
    refused: dict[tuple[str, str], int] = {}
    for number, (turn, key) in enumerate(zip(history.turns, keys, strict=True)):
        if turn.kind not in ("refused", "malformed"):
            continue
        before = refused.get((layouts[number], key))
        between = keys[before + 1 : number] if before is not None else []
        if before is not None and any(other != key for other in between) and number + 1 not in looping:
            yield Label(MISMANAGED, before + 1, number + 1, history.turns[before].message)
            break
        refused[layouts[number], key] = number
    returns = []
    left: set[str] = set()
    for number, turn in enumerate(history.turns):
        was, now = layouts[number], layouts[number + 1]
        if was == now:
            continue
        left.add(was)
        if now in left and number + 1 not in looping and not (turn.action or "").startswith("('undo'"):
            returns.append(number + 1)
    if len(returns) >= LEAST_RETURNS:
        yield Label(MISMANAGED, returns[0], returns[-1], " ".join(keys[step - 1] for step in returns[:LONGEST_PATTERN]))


def _early(history: History) -> Iterator[Label]:
    """A stop that solved nothing, with steps left."""
    last = history.turns[-1] if history.turns else None
    if last is not None and last.kind == "stopped" and last.steps_left > 0:
        yield Label(EARLY, last.step, last.step, last.message)

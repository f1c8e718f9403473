"""Why a command is not done: one table of codes. When each is given, what its fact says, what the person is told, and what to do next.

A verb's `INFO.codes` names those that it may answer with; a command of any verb may also meet `BUSY` and what the grammar refuses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal


@dataclass(frozen=True)
class Failure:
    """One code: when it is given, what its fact names, how the person is told, and the next step where the refusal names no better one."""

    when: str
    fact: str
    told: str
    hint: str


FAILURES: dict[str, Failure] = {
    Code.PARSE_ERROR: Failure(
        "the text is no command", "what was read, and where", "I do not understand this", "write [Verb] <name> (index)"
    ),
    Code.UNKNOWN_VERB: Failure("no verb is called so", "the word", "I do not know this verb", "use a verb of the list"),
    Code.UNKNOWN_ENTITY: Failure("nothing here has this name", "the name", "There is no such thing", "name something that is here"),
    Code.AMBIGUOUS: Failure("several things have this name", "all of them", "I do not know which one", "give its index"),
    Code.BAD_ARGUMENT: Failure("arguments do not make sense", "the argument and its value", "This cannot be meant", "give other arguments"),
    Code.NOT_SUPPORTED: Failure("this world does not perform the verb", "the verb", "I cannot do this here", "use another way"),
    Code.NOT_OFFERED: Failure("the thing has not been seen yet", "the name", "I have not seen it", "look for it first"),
    Code.NOT_VISIBLE: Failure("nowhere to stand shows the thing", "the thing", "I cannot see it", "clear what stands before it"),
    Code.HAND_FULL: Failure("the hand must be empty", "what is held", "My hand is full", "put down what is held"),
    Code.HAND_EMPTY: Failure("there is nothing to let go of", "the hand", "My hand is empty", "take something first"),
    Code.NOT_HELD: Failure(
        "the named thing must be in the hand", "the thing, and what is held instead", "I do not hold it", "take it first"
    ),
    Code.NOT_AFFORDED: Failure(
        "a thing of this kind does not allow it, now or ever",
        "the thing, and what it is",
        "That does not work with it",
        "name something else",
    ),
    Code.ALREADY: Failure("it is so already", "the thing and its state", "That is so already", "go on with what comes next"),
    Code.CLOSED: Failure("the thing, or what it is in, is shut", "what is shut", "It is shut", "open it first"),
    Code.LOCKED: Failure("it is locked", "what is locked", "It is locked", "unlock it first"),
    Code.PATH_BLOCKED: Failure(
        "nobody gets there, or there is nowhere to stand", "the place, and both widths of a gap", "I cannot get there", "clear the way"
    ),
    Code.DOOR_CLOSED: Failure("a door on the way cannot be opened", "the door and why", "A door is in the way", "open it first"),
    Code.OUT_OF_REACH: Failure(
        "no posture brings the hand there", "the thing, and how much is missing", "I cannot reach it", "use a place that is nearer"
    ),
    Code.TRAJECTORY_COLLISION: Failure(
        "something would be struck", "both that would touch, how deep and where", "I would strike something", "clear the space round it"
    ),
    Code.GRASP_FAILED: Failure(
        "the fingers do not close on it", "which fingers do not touch", "I cannot get hold of it", "free it or turn it"
    ),
    Code.NO_FREE_SPACE: Failure(
        "the place is taken", "the size that is needed and what is there", "There is no room for it", "clear it first"
    ),
    Code.DOES_NOT_FIT: Failure("it is too large for the place", "both sizes", "It does not fit", "use a larger place"),
    Code.TOO_HEAVY: Failure("nobody lifts so much alone", "both weights", "It is too heavy", "leave it where it is"),
    Code.POSTCONDITION_FAILED: Failure(
        "it was done, and the result is not what was to be", "what is found instead", "It did not work out", "look, then try again"
    ),
    Code.BUSY: Failure("another command runs, or something still moves", "which", "Not yet", "wait a moment"),
}


def complete(refusal: Refusal, command: Command) -> Refusal:
    """The refusal with a next step, and with the thing that was asked for in its fact."""
    keys = [ref.key for ref in command.entities()]
    fact = refusal.fact if not keys or any(key in refusal.fact for key in keys) else f"{keys[0]}: {refusal.fact}"
    return replace(refusal, fact=fact, hint=refusal.hint or FAILURES[refusal.code].hint)


def sentence(refusal: Refusal) -> str:
    """What the person is told."""
    return f"{FAILURES[refusal.code].told}: {refusal.fact}; {refusal.hint}."

"""What generic code may know of the puzzles: plain words for moves that can be told aloud, predicates, channels, codes."""

from __future__ import annotations

from assistcore.world.engine import AttributeInfo, ChannelInfo, PredicateInfo, VerbInfo, Vocabulary
from assistcore.world.outcomes import CORE_CODES, Code

SUBJECT = "puzzle_1"
"""The one entity of a puzzle's graph."""
NOT_ALLOWED = "NOT_ALLOWED"
"""The rules of the puzzle do not allow the move: a wall, an occupied cell."""
OVER = "OVER"
"""The episode of the puzzle has ended."""
UNREADABLE = "unreadable"
"""The verb of an answer that holds no action; it takes a step like any other."""
FAULTS = {"unreadable": Code.PARSE_ERROR, "unknown_name": Code.UNKNOWN_VERB, "bad_payload": Code.BAD_ARGUMENT}


def _word(name: str, surface: str, english: tuple[str, ...], meaning: str) -> VerbInfo:
    return VerbInfo(name, (surface,), (), "free", english, meaning, codes=(NOT_ALLOWED, OVER))


WORDS = (
    _word("move_right", "MoveRight", ("move right", "go right", "move to the right", "go to the right"), "Move right by one cell."),
    _word("move_up", "MoveUp", ("move up", "go up", "move upwards"), "Move up by one cell."),
    _word("move_left", "MoveLeft", ("move left", "go left", "move to the left", "go to the left"), "Move left by one cell."),
    _word("move_down", "MoveDown", ("move down", "go down", "move downwards"), "Move down by one cell."),
    _word("step_forward", "StepForward", ("step forward", "go forward", "walk forward", "move forward"), "Go one cell ahead."),
    _word("face_left", "FaceLeft", ("turn left", "turn to the left", "face left"), "Turn left by a quarter."),
    _word("face_right", "FaceRight", ("turn right", "turn to the right", "face right"), "Turn right by a quarter."),
    _word("face_back", "FaceBack", ("turn around", "turn back", "face back"), "Turn around."),
)
"""Moves as a person says them. A puzzle that has such a move names it in `Puzzle.words`; others are moved by the text of an action."""

CHANNELS = (
    ChannelInfo("view", "image", ("assistant", "human"), "the picture of the puzzle"),
    ChannelInfo(
        "lamp", "image", ("assistant", "human"), "the picture with only what is near the player lit, where the puzzle has a player"
    ),
    ChannelInfo("text", "text", ("assistant", "human"), "the picture in words, where the puzzle can be written"),
    ChannelInfo("goal", "image", ("assistant", "human"), "the picture of a solved state of this episode"),
)

VOCABULARY = Vocabulary(
    verbs=WORDS,
    predicates=(
        PredicateInfo("solved", 1, "a stop now would be rewarded: exactly right, or within every tolerance that the rules name"),
        PredicateInfo("stopped", 1, "the player has ended the episode"),
    ),
    attributes=(AttributeInfo("layout", "str", "twelve hexadecimal digits that are equal for equal states of the puzzle"),),
    codes=CORE_CODES | {NOT_ALLOWED, OVER},
    channels=CHANNELS,
)

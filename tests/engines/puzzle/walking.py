"""What the tests of the puzzles share: everything registered, seeds that rotate, malformed answers."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np

from assistworld.engines.puzzle.actions import sample, write
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.registry import make, presets

CASES = [(name, preset) for name, listed in presets().items() for preset in listed]
"""Every registered puzzle with every preset."""
NAMES = sorted(presets())


@functools.cache
def puzzle_of(name: str, preset: str) -> AnyPuzzle:
    return make(name, preset)


def rotating_seeds(sample_seed: int, name: str, count: int) -> list[int]:
    """Other episodes for each commit; any failure names its seed."""
    return np.random.default_rng([sample_seed, len(name), *name.encode()]).integers(2**31, size=count).tolist()


def played(play: Play, answers: Sequence[object]) -> Play:
    for answer in answers:
        play.act(answer)
    return play


# Of cases.md part I: strings with newlines and quotes, prose, fences, brackets of another width, glued or broken calls, huge ones.
REPORTED: tuple[object, ...] = (
    'say("a\nb")', 'say("## plan")', 'say("he said \\"no\\"")', '"""triple"""', "[walk] <fridge> (306)", "walk fridge_306",
    "```\nwalk fridge_306\n```", "```json\n{}\n```\n```\nwalk\n```", "I will walk [60].", "（walk，60）", "('wlak', 60)", "('wlak', 60,)",
    '{"obj":"cup",}', '{"obj":"cu', "null", "[]", '"walk"', "3", "('wlak', 1)('wlak', 2)", '{"a": 1, "a": 2}', "x" * 200_000, "NaN",
    {"obj": "cup"}, '["a", ["b"]]', "done!!", "Yes, go ahead. ###STOP###", "###STOP###", "please stop the tap", "###stop###", "", "+",
    "  \n\t ",
    "(" * 300, "('" + "a" * 1_000_000, "('stop')", "('stop',)", "('stop', 'stop', 'stop')", "('stop', 'halt')", "('stop', None)",
    "(stop", "stop", "'stop', 'stop'", "['stop', 'stop']", "('stop', stop())", "('Stop', 'stop')", "('stop', 1e999)", "('stop', -nan)",
    "('stop', 0x)", "('sto\x00p', 'stop')", "('stop', '\ud800')", "(stop, [[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]])",
    None, 3, [], (), ("stop",), ["stop", None],
    b"('stop', 'stop')", float("nan"), ("stop", float("nan")), (1, 2), "<think>('stop', 'stop')", "<think>('stop', 'stop')</think> I stop.",
    "('stop', 1if 2else 3)", "('stop', '\\d')", "('stop', lambda: 0)", "('stop', (yield))", "('stop', f'{1}')", "('stop', 9**9**9)",
    "('stop', " + "9" * 3000 + ")", "('stop', [" + "1," * 1500 + "])",
)  # fmt: skip
"""None of these is an action of any puzzle."""


def fuzzed(puzzle: AnyPuzzle, seed: int) -> Iterator[str]:
    """Endless answers made by spoiling actions of the puzzle; now and then one is an action all the same."""
    rng = np.random.default_rng([seed, *puzzle.name.encode()])
    marks = list("()[]{}'\",:;#\\\n\t\x00 -+.0123456789eEjxXnaNoue=*/%<>`|&^~@!?\u00e9\u4e2d\u2028\U0001f600")
    while True:
        text = list(write(sample(puzzle.spaces, rng), puzzle.spaces))
        for _ in range(int(rng.integers(1, 6))):
            kind, at = int(rng.integers(5)), int(rng.integers(len(text) + 1))
            mark = marks[int(rng.integers(len(marks)))]
            if kind == 0:
                text[at:at] = [mark]
            elif kind == 1:
                del text[at : at + int(rng.integers(1, 4))]
            elif kind == 2:
                text[at : at + 1] = [mark]
            elif kind == 3:
                text[at:at] = text[int(rng.integers(len(text) + 1)) :]
            else:
                text[at:at] = list(str(int(rng.integers(-(10**6), 10**6))))
            if not text:
                text = [mark]
        yield "".join(text)

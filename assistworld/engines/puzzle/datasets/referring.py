"""Expressions that mean one thing of a picture and no other, made from nouns, colours and places in the picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

CLEAR = 0.05
"""Least distance, as a share of the picture's width or height, by which one thing must lie before the next."""
CLEARLY_NEARER = 1.6
"""How many times as far away the next nearest must be."""


@dataclass(frozen=True)
class Located:
    """A thing by noun, colour (or none) and its middle in pixels of the picture: column and row."""

    noun: str
    colour: str
    x_px: float
    y_px: float


def expressions(things: Sequence[Located], width_px: float, height_px: float) -> list[tuple[int, str]]:
    """Pairs of a thing's number and an expression that fits it alone among `things`, which must be all there are of their nouns."""
    groups: dict[str, list[int]] = {}
    for number, thing in enumerate(things):
        groups.setdefault(thing.noun, []).append(number)
        if thing.colour:
            groups.setdefault(f"{thing.colour} {thing.noun}", []).append(number)
    alone = {name: numbers[0] for name, numbers in groups.items() if len(numbers) == 1}
    found = [(number, f"the {name}") for name, number in alone.items() if _needed(name, number, alone, things)]
    for name, numbers in groups.items():
        if len(numbers) > 1 and not _same_as_noun(name, numbers, groups, things):
            found += _by_side(name, numbers, things, width_px, height_px)
            found += _by_neighbour(name, numbers, things, alone)
    return found


def _needed(name: str, number: int, alone: dict[str, int], things: Sequence[Located]) -> bool:
    """A colour is said only where the noun alone would not do."""
    return name == things[number].noun or things[number].noun not in alone


def _same_as_noun(name: str, numbers: Sequence[int], groups: dict[str, list[int]], things: Sequence[Located]) -> bool:
    """Whether a colour in a name tells nothing, since all things of the noun have it."""
    noun = things[numbers[0]].noun
    return name != noun and len(groups[noun]) == len(numbers)


def _by_side(name: str, numbers: Sequence[int], things: Sequence[Located], width: float, height: float) -> Iterator[tuple[int, str]]:
    """Leftmost, rightmost, second from the left, closest to the upper and lower edge, each where it is clear."""
    across = sorted(numbers, key=lambda n: things[n].x_px)
    gaps = [(things[b].x_px - things[a].x_px) / width for a, b in pairwise(across)]
    if gaps[0] >= CLEAR:
        yield across[0], f"the leftmost {name}"
    if gaps[-1] >= CLEAR:
        yield across[-1], f"the rightmost {name}"
    if len(across) > 2 and min(gaps[:2]) >= CLEAR:
        yield across[1], f"the second {name} from the left"
    down = sorted(numbers, key=lambda n: things[n].y_px)
    if things[down[1]].y_px - things[down[0]].y_px >= CLEAR * height:
        yield down[0], f"the {name} closest to the top edge of the picture"
    if things[down[-1]].y_px - things[down[-2]].y_px >= CLEAR * height:
        yield down[-1], f"the {name} closest to the bottom edge of the picture"


def _by_neighbour(name: str, numbers: Sequence[int], things: Sequence[Located], alone: dict[str, int]) -> Iterator[tuple[int, str]]:
    """The one closest to a thing that is alone of its kind."""
    for other, number in alone.items():
        if number in numbers or not _needed(other, number, alone, things):
            continue
        there = things[number]
        near = sorted(numbers, key=lambda n: math.dist((things[n].x_px, things[n].y_px), (there.x_px, there.y_px)))
        far = [math.dist((things[n].x_px, things[n].y_px), (there.x_px, there.y_px)) for n in near[:2]]
        if far[1] >= CLEARLY_NEARER * far[0]:
            yield near[0], f"the {name} closest to the {other}"

"""What is spread out for a still: things of the flat by their noun, in colours that can be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assistcore.house.stage import Entity, StageModel

Rgb = tuple[float, float, float]

COLOURS: Mapping[str, Rgb] = {
    "red": (0.72, 0.09, 0.09),
    "blue": (0.10, 0.25, 0.70),
    "green": (0.16, 0.48, 0.20),
    "yellow": (0.95, 0.78, 0.14),
    "white": (0.94, 0.94, 0.92),
    "black": (0.08, 0.08, 0.09),
    "purple": (0.42, 0.16, 0.58),
}
"""Display colours 0..1 of things that are painted. No two of them are near each other under warm light."""
ALL = tuple(COLOURS)


@dataclass(frozen=True)
class Sort:
    """A sort of thing: its model in the flat, its words, and the parts that take the colour (with how much of white is mixed in).

    `colours` empty: it is shown as it is, and no colour is said.
    """

    entity: str
    noun: str
    plural: str
    colours: Sequence[str] = ()
    painted: Mapping[str, float] = field(default_factory=lambda: {"body_0": 0.0})


SORTS = (
    Sort("red_mug_1", "mug", "mugs", ALL, {"body_0": 0.0, "body_1": 0.4}),
    Sort("blue_bowl_1", "bowl", "bowls", ALL, {"body_0": 0.0, "body_1": 0.4}),
    Sort("blue_plate_1", "plate", "plates", ALL),
    Sort("white_candle_1", "candle", "candles", ("red", "blue", "green", "yellow", "white", "purple")),
    Sort("apple_1", "apple", "apples", ("red", "green", "yellow")),
    Sort("orange_1", "orange", "oranges"),
    Sort("banana_1", "banana", "bananas"),
    Sort("toy_car_1", "toy car", "toy cars", ("red", "blue", "green", "yellow", "purple")),
    Sort("yellow_block_1", "toy block", "toy blocks", ("red", "blue", "green", "yellow", "white", "purple")),
    Sort("yellow_duck_1", "rubber duck", "rubber ducks"),
    Sort("tape_1", "roll of tape", "rolls of tape", ("red", "blue", "green", "yellow", "black")),
    Sort("torch_1", "torch", "torches", ("red", "blue", "green", "yellow", "black")),
    Sort("blue_towel_1", "folded towel", "folded towels", ("red", "blue", "green", "yellow", "white", "purple")),
    Sort("yellow_cushion_1", "cushion", "cushions", ("red", "blue", "green", "yellow", "white", "purple")),
    Sort("vase_1", "vase", "vases", ("red", "blue", "green", "yellow", "white"), {"body_0": 0.0, "body_1": 0.4}),
    Sort("flower_pot_1", "flower pot", "flower pots", ("red", "blue", "green", "yellow", "white"), {"body_0": 0.0, "body_1": 0.4}),
    Sort("parcel_1", "parcel", "parcels"),
    Sort("teddy_1", "teddy bear", "teddy bears"),
    Sort("bread_1", "loaf of bread", "loaves of bread"),
    Sort("alarm_clock_1", "alarm clock", "alarm clocks"),
    Sort("sponge_1", "sponge", "sponges"),
    Sort("jam_jar_1", "jar of jam", "jars of jam"),
)
LARGE = ("cushion", "parcel", "teddy bear", "folded towel", "vase", "flower pot", "loaf of bread", "plate", "bowl", "toy car")
"""Seen well enough on a floor."""


def paint(sort: Sort, part: str, colour: str, own: Rgb) -> Rgb:
    """The colour of a part of a thing."""
    if not colour or part not in sort.painted:
        return own
    white = sort.painted[part]
    r, g, b = ((1 - white) * c + white * 0.95 for c in COLOURS[colour])
    return (r, g, b)


def box_of(entity: Entity) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner of a thing in its own frame, metres."""
    points = np.concatenate(
        [part.vertices_m @ link.T_root_link[:3, :3].T + link.T_root_link[:3, 3] for link in entity.links for part in link.parts]
    )
    return points.min(axis=0), points.max(axis=0)


def radius_m(flat: StageModel, sort: Sort) -> float:
    """How far a thing reaches from its middle when it is turned about the vertical."""
    low, high = box_of(flat.entity(sort.entity))
    return float(np.hypot(*np.maximum(np.abs(low[:2]), np.abs(high[:2]))))

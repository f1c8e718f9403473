"""Cutting: the held edge chops down on a thing in repeated vertical strokes (seed B.2.2, Table 5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import describe, keys_of
from actions.manipulation.grab import Failure
from actions.manipulation.reach import standing
from actions.manipulation.surroundings import centre_of, world_box
from actions.motions import Segment, SetAttribute
from actions.tools import curves
from actions.tools.needs import fact, in_the_open, tool_in_hand
from actions.tools.sweep import Swept
from actions.tools.tips import Tool, held_tool
from actions.tools.touch import lowered
from actions.tools.working import Job, Way, work_here
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import inverse

F64 = NDArray[np.float64]

STROKES = 3
LIFT_M = 0.045
BITE_M = 0.005
"""How deep the edge presses into what it cuts; rules allow a held thing and its target 8 mm."""
YAWS_DEG = tuple(range(0, 360, 15))
PITCHES_DEG = (0.0, 12.0, 25.0, 38.0)
"""How far the point of the blade dips below its heel, which keeps the hand off the board."""
ROLLS_DEG = (0.0, 12.0, -12.0)
APART = 0.12
"""Distance between strokes as a share of the target's extent across the blade."""


def missing(world: ActionWorld, command: Command) -> Refusal | None:
    """What cutting lacks now, or None."""
    if refusal := tool_in_hand(world, command, 1, ("edge",), "a cutting edge"):
        return refusal
    target = keys_of(command)[0]
    entity = world.stage.entity(target)
    if "cuttable" not in entity.roles:
        return Refusal(Code.NOT_AFFORDED, f"{target} is {describe(entity)} that cannot be cut", "name something to eat")
    if fact(world, target, "cut") is True:
        return Refusal(Code.ALREADY, f"{target} has been cut already")
    return in_the_open(world, target)


def plan_cut(world: ActionWorld, target: str) -> list[Segment] | Refusal:
    """Walk up, chop, draw back. Changes nothing."""
    return with_stance(world, Goal(target, centre_of(world, target)), lambda there: _here(there, target))


def _here(world: ActionWorld, target: str) -> list[Segment] | Failure:
    held, tool = world.state.held, held_tool(world, "edge")
    if held is None or tool is None:
        return Failure(0, Refusal(Code.NOT_HELD, "there is no knife in the hand", "take one first"))
    here = standing(world, held.hand)
    top = centre_of(world, target)
    top[2] = world_box(world, target)[1][2]

    def effects(swept: Swept) -> tuple[tuple[int, SetAttribute], ...]:
        last_stroke = swept.ends[-2]
        found = [(last_stroke, SetAttribute(target, "cut", True))]
        if fact(world, tool.key, "clean") is not None:
            found.append((last_stroke, SetAttribute(tool.key, "clean", False)))
        return (*found, (last_stroke, SetAttribute(tool.key, "used", True)))

    job = Job(f"cutting {target}", "cut", top, Allowed(target=target, held=tool.key), effects, float(world_box(world, target)[0][2]))
    return work_here(here, tool, job, list(_ways(world, tool, target, top)))


def _ways(world: ActionWorld, tool: Tool, target: str, top: F64) -> Iterator[Way]:
    """Blade directions, the flattest and those across the target's length first."""
    low, high = world.stage.entity(target).box_m
    size = high - low
    root = world.state.root(world.stage, target)
    long_axis = root[:3, int(np.argmax(size[:2]))]
    slender = float(size[:2].max() / max(size[:2].min(), 1e-6)) > 1.3
    for yaw in YAWS_DEG:
        for pitch in PITCHES_DEG:
            for roll in ROLLS_DEG:
                R = curves.attitude(*np.radians([yaw, pitch, roll]))
                along = abs(float(R[:3, 0] @ long_axis)) if slender else 0.0
                at = np.eye(4)
                at[:3, :3], at[:3, 3] = R, top
                yield Way(at, partial(_legs, world, tool, target, at), 0.6 * along + 0.008 * pitch + 0.01 * abs(roll))


def _legs(world: ActionWorld, tool: Tool, target: str, at: F64) -> Sequence[curves.Legs]:
    """Strokes side by side across the blade, the middle one last, each down to where the edge bites."""
    across = np.array([-at[1, 0], at[0, 0], 0.0])
    across = across / np.linalg.norm(across)
    low, high = world.stage.entity(target).box_m
    local = inverse(world.state.root(world.stage, target))[:3, :3] @ across
    extent = float(np.abs(local) @ (high - low))
    contacts = []
    for share in (-APART, APART, 0.0)[-STROKES:]:
        T = at.copy()
        T[:3, 3] += share * extent * across
        low_T = lowered(world, tool, T, frozenset({target}), BITE_M, 0.06, 0.12)
        if low_T is None:
            return ()
        contacts.append(low_T[:3, 3])
    return (curves.strokes(at[:3, :3], contacts[-1], LIFT_M, [c - contacts[-1] for c in contacts]),)

"""Mating and parting: the held child is lowered along the socket's axis and let go there; or it is grasped, lifted off and held."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.assembly.asked import Joining, without
from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.grab import Failure, plan_grab
from actions.manipulation.placing import Spot
from actions.manipulation.put import put_at
from actions.manipulation.reach import standing
from actions.manipulation.taking import grab_goal
from actions.motions import Attach, Detach, Effect, Hold, LetGo, Segment
from actions.world import ActionWorld
from assistcore.house.mating import connector_frame, mate
from assistcore.house.state import Attachment
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, inverse, wrap_angle

F64 = NDArray[np.float64]

MATED_M, MATED_RAD = 0.003, np.radians(2.0)
"""How exactly a mating must be met when the hand opens."""
TURN_COST = 0.15
"""Per radian that a symmetric child is turned from how it is carried."""


def plan_attach(world: ActionWorld, j: Joining) -> list[Segment] | Refusal:
    """The whole command: walk, lower the child into its place, let go. Changes nothing."""
    point = (world.state.root(world.stage, j.parent) @ connector_frame(world.stage.entity(j.parent), j.socket))[:3, 3]
    return with_stance(world, Goal(j.parent, point), lambda there: _lower(there, j))


def matings(world: ActionWorld, j: Joining) -> list[Attachment]:
    """The mating poses: one for each equivalent turn about the axis."""
    turns = max(j.plug.turns, j.socket.turns, 1)
    angles = [j.angle_rad + 2.0 * np.pi * k / turns for k in range(turns)]
    return [mate(world.stage, j.child, j.plug, j.parent, j.socket, a) for a in angles]


def _lower(there: ActionWorld, j: Joining) -> list[Segment] | Failure:
    held = there.state.held
    if held is None:
        return Failure(0, Refusal(Code.NOT_HELD, f"{j.child} is not in the hand", f"take {j.child} first"))
    here = standing(there, held.hand)
    parent = there.state.root(there.stage, j.parent)
    now = _yaw(here.start.T_wrist @ held.wrist_object.matrix())
    found = []
    for one in matings(there, j):
        T = parent @ one.parent_child.matrix()
        found.append(Spot(T, TURN_COST * abs(wrap_angle(_yaw(T) - now))))
    steps = put_at(here, j.child, j.parent, sorted(found, key=lambda s: s.cost), None)
    return steps if isinstance(steps, Failure) else _mated(there, j, steps)


def _yaw(T: F64) -> float:
    return float(np.arctan2(T[1, 0], T[0, 0]))


def _mated(there: ActionWorld, j: Joining, steps: list[Segment]) -> list[Segment] | Failure:
    """The steps of a put with the letting go turned into the attachment, exactly where the hand leaves the child."""
    parent = there.state.root(there.stage, j.parent)
    out = []
    for segment in steps:
        if not any(isinstance(e, LetGo) for _, e in segment.effects):
            out.append(segment)
            continue
        left = Pose.from_array(segment.carried[j.child][-1]).matrix()
        if (off := mating_error(there, j, left)) is not None:
            return Failure(3, Refusal(Code.OUT_OF_REACH, f"{j.child} would sit {off} off its place on {j.parent}"))
        row = Attachment(j.child, j.plug.name, j.parent, j.socket.name, Pose.from_matrix(inverse(parent) @ left))
        effects: list[tuple[int, Effect]] = [(at, Attach(row) if isinstance(e, LetGo) else e) for at, e in segment.effects]
        out.append(replace(segment, effects=tuple(effects)))
    return out


def mating_error(world: ActionWorld, j: Joining, T_child: F64) -> str | None:
    """How far a child's root transform (4, 4) is from its nearest mating pose, in words, or None where it is met."""
    parent = world.state.root(world.stage, j.parent)
    best = min((_off(parent @ a.parent_child.matrix(), T_child) for a in matings(world, j)), key=lambda pair: pair[0] + pair[1])
    if best[0] <= MATED_M and best[1] <= MATED_RAD:
        return None
    return f"{1000.0 * best[0]:.1f} mm and {np.degrees(best[1]):.1f} degrees"


def _off(a: F64, b: F64) -> tuple[float, float]:
    turn = a[:3, :3].T @ b[:3, :3]
    return float(np.linalg.norm(a[:3, 3] - b[:3, 3])), float(np.arccos(np.clip(0.5 * (np.trace(turn) - 1.0), -1.0, 1.0)))


def plan_detach(world: ActionWorld, child: str) -> list[Segment] | Refusal:
    """The whole command: walk, grasp the child, lift it off and carry it. Changes nothing."""
    apart = without(world, child)
    return with_stance(apart, grab_goal(apart, child), lambda there: _lift(there, child))


def _lift(there: ActionWorld, child: str) -> list[Segment] | Failure:
    steps = plan_grab(there, child)
    if isinstance(steps, Failure):
        return steps
    out = []
    for segment in steps:
        effects: list[tuple[int, Effect]] = []
        for at, effect in segment.effects:
            effects += [(at, Detach(child)), (at, effect)] if isinstance(effect, Hold) else [(at, effect)]
        out.append(replace(segment, effects=tuple(effects)))
    return [*out[:-1], replace(out[-1], settle=True)]

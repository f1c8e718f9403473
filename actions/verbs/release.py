"""Let go of the held thing at its carried pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from actions.manipulation.commands import plan_of
from actions.manipulation.dropping import fall, limb_below
from actions.manipulation.parting import sprung_apart
from actions.manipulation.reach import Blocked, home_key, paired, plain, standing, way
from actions.manipulation.segments import segment_of
from actions.motions import LetGo, Plan
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="release",
    surface=("Drop", "Release"),
    args=("object?",),
    hands="holds",
    english=("drop it", "let go of it", "drop {object}"),
    meaning="Let go of the held thing where it is carried; it falls and settles.",
    group="grasping",
    codes=(
        Code.HAND_EMPTY,
        Code.NOT_HELD,
        Code.TRAJECTORY_COLLISION,
        Code.POSTCONDITION_FAILED,
    ),
)


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """The whole command. Changes nothing."""
    held = world.state.held
    if held is None:
        return Refusal(Code.HAND_EMPTY, "nothing is in the hand")
    named = [ref.key for ref in command.entities()]
    if named and named[0] != held.entity:
        return Refusal(Code.NOT_HELD, f"{held.entity} is in the hand, not {named[0]}")
    limb = limb_below(world)
    apart = sprung_apart(world) if limb and held.second is not None else None
    if limb and apart is None:
        return Refusal(
            Code.TRAJECTORY_COLLISION, f"letting go: {held.entity} would fall on the own {limb}", "put it down somewhere instead"
        )
    body = world.state.body
    still = np.repeat(body.pose_rad[None], 2, axis=0), np.repeat(body.translation_m[None], 2, axis=0)
    let_go = ((1, LetGo(held.entity)),)
    drop = segment_of(world, "release", *still, allowed=Allowed(held=held.entity), effects=let_go, settle=apart is None)
    after = world.fork()
    after.advance(drop)
    if apart is not None:
        after.advance(apart)
    here = standing(after, held.hand)
    point = here.start.T_wrist[:3, 3]
    touch = Allowed(target=held.entity, point_m=(float(point[0]), float(point[1]), float(point[2])), hands=(held.hand,))
    if held.second is not None:
        x, y, z = (world.state.root(world.stage, held.entity) @ held.second.matrix())[:3, 3].tolist()
        touch = replace(touch, hands=("left", "right"), other_m=(float(x), float(y), float(z)))
    falls = fall(world)
    if falls.edge:
        fact = f"letting go: {held.entity} would land on {falls.edge} where the ground is uneven, and tip"
        return Refusal(Code.TRAJECTORY_COLLISION, fact, "step away, or put it down instead")
    landed = after.fork()
    landed.state = after.state.with_(poses={**after.state.poses, **falls.poses})
    here = standing(landed, held.hand) if held.second is None else paired(standing(landed, held.hand))
    home = home_key(here)
    back = way(here, [here.start, home], plain(here, "retreat", touch, canonical_end=True))
    if isinstance(back, Blocked):
        return Refusal(Code.TRAJECTORY_COLLISION, f"lowering the arm: {back.text}", "step away first")
    return plan_of(command, [drop, back] if apart is None else [drop, apart, back])


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """Nothing is held."""
    still = graph.subjects("held")
    if not still:
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{', '.join(still)} is still in the hand")

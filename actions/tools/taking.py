"""Taking a tool so that it can be used: the edge on the side of the fingers, a spoon's head below the little finger, a full cup upright."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from actions.manipulation.approach import with_stance
from actions.manipulation.both import plan_both, wants_both
from actions.manipulation.grab import Failure, Tries, plan_grab
from actions.manipulation.grasp import Grasp, sign_of
from actions.manipulation.taking import grab_goal
from actions.motions import Segment
from actions.tools.tips import tip_of
from actions.world import ActionWorld
from assistcore.house.pours import volume_ml
from assistcore.world.outcomes import Code, Refusal

SIDE = 0.35
"""Least share of the tip's direction that points the useful way in the hand."""
UPRIGHT, ACROSS = 0.8, 0.4
"""The thumb's least and the fingers' most share of the direction out of a mouth that is to be poured from: the forearm then tilts it."""


def handy(world: ActionWorld, key: str) -> Callable[[Grasp], bool] | None:
    """Which grasps leave a tool usable: the hand above it, or beside what is to be poured from; None for what is neither."""
    entity = world.stage.entity(key)
    tip = tip_of(entity, "edge", "tip")
    if tip is None and volume_ml(world.state.attributes, key) > 0 and not wants_both(world, key):
        tip = tip_of(entity, "rim")
    if tip is None:
        return None
    out = world.state.root(world.stage, key)[:3, :3] @ np.asarray(tip.out, np.float64)

    def usable(grasp: Grasp) -> bool:
        R = grasp.T_wrist[:3, :3]
        fingers, thumb = sign_of(grasp.side) * R[:, 0], R[:, 2]
        if tip.kind == "rim":
            return float(out @ thumb) > UPRIGHT and abs(float(out @ fingers)) < ACROSS
        return float(out @ fingers) > SIDE if tip.kind == "edge" else float(out @ thumb) < -SIDE

    return usable


def taken(world: ActionWorld, key: str) -> list[Segment] | Refusal:
    """Segments that pick a thing up from anywhere; a tool as it is used, where it can be reached so, else in any way; a broad thing
    between both palms, else by one hand; by an edge only where it is held firmly from nowhere. Changes nothing."""
    goal, useful = grab_goal(world, key), handy(world, key)
    broad, known = useful is None and wants_both(world, key), Tries()
    tries: list[Callable[[ActionWorld], list[Segment] | Failure]] = [lambda there: plan_both(there, key)] if broad else []
    for suits in (useful, None) if useful is not None else (None,):
        tries += [partial(plan_grab, key=key, handy=suits, edges=edges, tries=known) for edges in ((True,) if broad else (False, True))]
    found: list[Segment] | Refusal = Refusal(Code.GRASP_FAILED, key)
    for attempt in tries:
        found = with_stance(world, goal, attempt)
        if not isinstance(found, Refusal):
            break
    return found

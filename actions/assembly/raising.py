"""Raising a lying assembly: a hand takes its long part and leads it round the lower edge of the base until it stands (seed B.3.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from actions.assembly.lever import JOINT_KEY, Lever, drives, lever_of
from actions.manipulation.approach import Goal, with_stance
from actions.manipulation.commands import empty_handed
from actions.manipulation.follow import Track, follow
from actions.manipulation.grab import Failure, sides_for, unreached
from actions.manipulation.handles import Drive
from actions.manipulation.posture import Rung
from actions.manipulation.pulling import POSTURES, along
from actions.manipulation.reach import standing
from actions.motions import LetGo, Segment
from actions.screening import screen
from actions.world import ActionWorld
from assistcore.house.constraints import assembly_root, parts_of
from assistcore.house.relations import is_upright
from assistcore.house.state import Hand
from assistcore.world.commands import Command
from assistcore.world.errors import nearest
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]

HEAVIEST_KG = 20.0
"""One end stays on the floor: half of it is lifted."""
WHOLE = 0.999
TOWARD_FOOT_M = 0.15
"""The person stands beside the pole, a little nearer to the base than the hand is at first."""
SQUARE = 0.5
ASIDE_M = 0.28
"""Nobody stands nearer than this to where the assembly swings."""


def raising(world: ActionWorld, command: Command) -> str | Refusal:
    """The root of the assembly that is to be raised, or what is missing for it (pure)."""
    refs = command.entities()
    if not refs:
        return Refusal(Code.BAD_ARGUMENT, "raise needs an assembly", "name what lies there")
    key = refs[0].key
    if key not in world.stage.by_key or key in world.state.removed:
        return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here", nearest(key, list(world.stage.by_key)))
    if refusal := empty_handed(world):
        return refusal
    root = assembly_root(world.state.attached, key)
    if "erectable" not in world.stage.entity(root).roles:
        return Refusal(Code.NOT_AFFORDED, f"{root} has no base to stand on", "put it together first")
    if is_upright(Pose.from_matrix(world.state.root(world.stage, root))):
        return Refusal(Code.ALREADY, f"{root} stands upright already")
    weight = sum(world.stage.entity(k).mass_kg for k in (root, *parts_of(world.state.attached, root)))
    if weight > HEAVIEST_KG:
        return Refusal(Code.TOO_HEAVY, f"{root} weighs {weight:.1f} kg, more than {HEAVIEST_KG:.0f} kg", "leave it where it is")
    return root


def plan_raise(world: ActionWorld, root: str) -> list[Segment] | Refusal:
    """The whole command: walk beside it, take it, lead it upright, let go. Changes nothing."""
    lever = lever_of(world, root)
    if lever is None:
        return Refusal(Code.NOT_AFFORDED, f"{root} has no long part to raise it by", "attach its pole first")
    drive = drives(world, lever)[0]
    foot, point = drive.frame_at(lever.end_rad)[0][:2], drive.frame_at(0.0)[0]
    ahead = point[:2] - foot
    ahead = ahead / float(np.linalg.norm(ahead))
    middle = point - TOWARD_FOOT_M * np.append(ahead, 0.0)
    line = foot + np.linspace(0.0, 1.0, 9)[:, None] * (_tip(world, lever)[None, :2] - foot)

    def avoid(xy: tuple[float, float]) -> bool:
        off = np.asarray(xy) - middle[:2]
        lengthwise = abs(float(off @ ahead)) > SQUARE * float(np.linalg.norm(off))
        return lengthwise or bool(np.linalg.norm(line - np.asarray(xy), axis=1).min() < ASIDE_M)

    goal = Goal(root, middle, near_m=0.34, far_m=0.60, comfort_m=0.44, avoid=avoid)
    return with_stance(world, goal, lambda there: _lead(there, lever))


def _tip(world: ActionWorld, lever: Lever) -> F64:
    """The farthest end of the part that is taken."""
    low, high = world.stage.entity(lever.held).box_m
    end = 0.5 * (low + high)
    end[int(np.argmax(high - low))] = high[int(np.argmax(high - low))]
    T = world.state.root(world.stage, lever.held)
    return np.asarray(T[:3, :3] @ end + T[:3, 3])


def _lead(there: ActionWorld, lever: Lever) -> list[Segment] | Failure:
    """The first place on the part, hand and posture from which the whole way is led."""
    best: Failure | None = None
    for drive in drives(there, lever):
        for side in sides_for(there, drive.frame_at(0.4 * lever.end_rad)[0]):
            outcome = _with_hand(there, lever, drive, side)
            if not isinstance(outcome, Failure):
                return outcome
            best = outcome if best is None or outcome.stage > best.stage else best
    return best or Failure(0, Refusal(Code.OUT_OF_REACH, f"{lever.held} is out of reach"))


def _with_hand(there: ActionWorld, lever: Lever, drive: Drive, side: Hand) -> list[Segment] | Failure:
    here = standing(drive.world, side)
    banned: frozenset[Rung] = frozenset()
    best: Failure | None = None
    for _ in range(POSTURES):
        track = follow(here, drive, 0.0, lever.end_rad, WHOLE, banned)
        if not isinstance(track, Track):
            return best or Failure(1, unreached(lever.held, track))
        if track.share < WHOLE:
            short = f"{lever.held} can be led over {100.0 * track.share:.0f} % of its way only"
            return best or Failure(2, Refusal(Code.OUT_OF_REACH, short, "make room beside it"))
        led = along(here, track, lever.end_rad)
        outcome = led if isinstance(led, Failure) else _real(there, lever, list(led.segments))
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if best is None or outcome.stage > best.stage else best
        banned |= {track.first}
    return best or Failure(1, Refusal(Code.OUT_OF_REACH, f"{lever.held} is out of reach"))


def _real(there: ActionWorld, lever: Lever, steps: list[Segment]) -> list[Segment] | Failure:
    """The steps with every part of the assembly on its own track instead of the hinge, screened as what they are."""
    now = there.fork()
    out: list[Segment] = []
    led = max(i for i, s in enumerate(steps) if JOINT_KEY in s.joints)
    for i, segment in enumerate(steps):
        values = segment.joints.get(JOINT_KEY)
        carried = {} if values is None else lever.tracks(there, values)
        one = replace(segment, joints={}, carried={**segment.carried, **carried})
        if i == led:
            one = replace(one, effects=(*one.effects, (len(one) - 1, LetGo(lever.root))))
        if i == len(steps) - 1:
            one = replace(one, settle=True)
        if (hit := screen(now, one)) is not None:
            return Failure(4, Refusal(Code.TRAJECTORY_COLLISION, f"raising {lever.root}: {hit}", "make room round it"))
        now.advance(one)
        out.append(one)
    return out

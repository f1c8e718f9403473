"""Play a plan frame by frame under the independent checker, without an engine."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from actions.motions import Motion, Plan
from actions.verb import load_verb
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.read_graph import read_graph
from assistcore.house.state import HouseState
from assistcore.world.commands import Command
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Refusal
from assistworld.engines.house.playing import next_segment, play_frame
from assistworld.studies.motion_check import MotionChecker
from humans.camera import head_camera
from humans.kinematics import joint_transforms
from humans.model import JOINT

F64 = NDArray[np.float64]


@dataclass
class Watched:
    """What a played plan showed: the world after it, the checker's faults, and one row per frame."""

    world: ActionWorld
    faults: list[str]
    worst_slide_m: float
    states: list[HouseState] = field(default_factory=list)

    @property
    def graph(self) -> SceneGraph:
        """The graph of the last state."""
        return read_graph(self.world.stage, self.world.state)

    def eyes_m(self) -> F64:
        """Eye places (n, 3)."""
        body = self.world.body
        return np.array([head_camera(body, joint_transforms(body, s.body.pose_rad, s.body.translation_m))[0] for s in self.states])

    def joints_m(self, name: str) -> F64:
        """Places (n, 3) of a joint."""
        body = self.world.body
        return np.array([joint_transforms(body, s.body.pose_rad, s.body.translation_m)[JOINT[name], :3, 3] for s in self.states])


def command(verb: str, *args: str | float) -> Command:
    """A command from keys and values."""
    return Command(verb, tuple(EntityRef.from_key(a) if isinstance(a, str) else a for a in args))


def plan_of(world: ActionWorld, verb: str, *args: str | float) -> Plan | Refusal:
    """What the verb answers here."""
    return load_verb(verb).plan(world, command(verb, *args))


def watched(world: ActionWorld, plan: Plan | Refusal) -> Watched:
    """Plays the plan; every frame is shown to the checker with the contacts that its segment allows."""
    assert isinstance(plan, Plan), plan
    checker = MotionChecker(world.stage, world.body)
    state, motion, tick = world.state, Motion(plan), 0
    checker.watch(0, state, Allowed())
    states = []
    while motion.segment < len(plan.segments):
        segment = plan.segments[motion.segment]
        played = play_frame(motion, state)
        state, motion, tick = played.state, played.motion, tick + 1
        checker.watch(tick, state, segment.allowed)
        states.append(state)
        if played.segment_ended:
            motion = next_segment(motion)
    after = world.fork()
    after.state = state
    checker.watch(tick + 1, state, Allowed())
    return Watched(after, [str(f) for f in checker.faults], checker.feet.worst_m, states)


def does(world: ActionWorld, verb: str, *args: str | float) -> Watched:
    """Plans, plays, and requires that nothing was broken and the postcondition can be read back."""
    seen = watched(world, plan_of(world, verb, *args))
    assert not seen.faults, seen.faults[:5]
    assert load_verb(verb).verify(seen.graph, command(verb, *args)) is None
    return seen

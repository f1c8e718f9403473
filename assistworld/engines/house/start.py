"""Load what a scenario needs and make the first state. The parts stay warm between resets of one engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistcore.house.physics import STEPS_PER_TICK, Physics
from assistcore.house.stage import StageModel
from assistcore.house.state import BodyState, HouseState
from assistcore.world.engine import Scenario
from assistworld.engines.house.scenario import resolve

if TYPE_CHECKING:
    from assistcore.house.collision import CollisionWorld
    from assistworld.engines.house.engine import HouseEngine
    from humans.model import BodyModel


@dataclass(frozen=True, eq=False)
class Parts:
    """The loaded parts of a world."""

    stage: StageModel
    body: BodyModel
    collision: CollisionWorld
    physics: Physics


def load_parts(engine: HouseEngine, scenario: Scenario) -> Parts:
    """The parts for a scene, reusing those of the engine when it is the same scene."""
    from assistcore.house.collision import CollisionWorld
    from assistworld.engines.house.physics_mujoco import MujocoPhysics
    from assistworld.engines.house.scenes import load_scene
    from humans.model import load_body

    warm = engine.parts
    stage = load_scene(scenario.scene)
    if warm is not None and warm.stage is stage:
        return warm
    return Parts(stage, load_body(), CollisionWorld(stage), engine.given_physics or MujocoPhysics())


def first_state(parts: Parts, scenario: Scenario, *, settle_ticks: int) -> HouseState:
    """The checked scenario as a state at rest. Raises InputError with every problem."""
    from humans.postures import stand

    start = resolve(scenario, parts.stage)
    parts.physics.load(parts.stage, start.poses, start.joints, start.removed)
    poses = dict(start.poses)
    if start.moved:
        for _ in range(settle_ticks):
            parts.physics.step(STEPS_PER_TICK)
            if parts.physics.at_rest():
                break
        settled = parts.physics.poses()
        poses.update({key: settled[key] for key in sorted(settled)})
    pose, translation = stand(parts.body, start.xy_m, start.heading_rad)
    body = BodyState(pose, translation, start.xy_m, start.heading_rad)
    parts.collision.place(poses, start.joints, start.removed)
    return HouseState(poses, dict(start.joints), body, None, (), start.attributes, start.removed)

"""Load what a scenario needs and make the first state. The parts stay warm between resets of one engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistcore.house.mating import mated_at_start, with_children
from assistcore.house.physics import STEPS_PER_TICK, Physics
from assistcore.house.stage import StageModel
from assistcore.house.state import BodyState, HouseState
from assistcore.world.engine import Scenario
from assistcore.world.errors import InputError, Problem
from assistcore.world.poses import Pose
from assistworld.engines.house.scenario import resolve

if TYPE_CHECKING:
    from assistcore.house.collision import CollisionWorld
    from assistworld.engines.house.engine import HouseEngine
    from humans.model import BodyModel


GATE_M = 0.05
"""Deeper than this nothing may be at rest in anything else (RULES, Contacts)."""


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

    warm = engine.parts
    stage = load_scene(scenario.scene)
    if warm is not None and warm.stage is stage:
        return warm
    return Parts(stage, engine.person.model, CollisionWorld(stage), engine.given_physics or MujocoPhysics())


def first_state(parts: Parts, scenario: Scenario, *, settle_ticks: int) -> HouseState:
    """The checked scenario as a state at rest. Raises InputError with every problem."""
    from humans.postures import stand

    start = resolve(scenario, parts.stage)
    attached = mated_at_start(parts.stage, start.removed, start.moved)
    poses = with_children(start.poses, attached)
    parts.physics.load(parts.stage, poses, start.joints, start.removed)
    parts.physics.set_attached(attached)
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
    problems = [*_stuck_things(parts, poses, start.moved), *_stuck_person(parts, body)]
    if problems:
        raise InputError(f"scenario for scene {parts.stage.name!r}", problems)
    return HouseState(poses, dict(start.joints), body, None, (), start.attributes, start.removed, attached)


def _stuck_things(parts: Parts, poses: Mapping[str, Pose], moved: frozenset[str]) -> Iterator[Problem]:
    """The placement gate: a thing at rest with more than 5 cm penetration is not placed (RULES, Contacts)."""
    for key in sorted(moved):
        hits = parts.collision.entity(key, poses[key].matrix())
        deepest = min(hits, default=None)
        if deepest is not None and deepest.distance_m < -GATE_M:
            what = f"{key} comes to rest {-deepest.distance_m:.2f} m inside {deepest.owner}"
            yield Problem("scenario#/changes", what, "give it another spot, or a region that holds it")


def _stuck_person(parts: Parts, body: BodyState) -> Iterator[Problem]:
    """A person who stands in something could never move."""
    from assistcore.house.contacts import SOLES, floors
    from humans.kinematics import joint_transforms
    from humans.proxies import capsules

    shapes = capsules(parts.body, joint_transforms(parts.body, body.pose_rad, body.translation_m))
    hits = parts.collision.capsules(shapes.names, shapes.a_m, shapes.b_m, shapes.radius_m)
    floor = floors(parts.stage)
    deepest = min((h for h in hits if not (h.owner in floor and h.mine in SOLES)), default=None)
    if deepest is not None and deepest.distance_m < -GATE_M:
        x, y = body.xy_m
        what = f"the person stands {-deepest.distance_m:.2f} m inside {deepest.owner} at ({x:.2f}, {y:.2f})"
        yield Problem("scenario#/human", what, "give a free spot")

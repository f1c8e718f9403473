"""Settled poses: the physics lets every movable come to rest; the bake stores where."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assistcore.house.mating import at_their_places, mated_at_start
from assistcore.house.stage import StageModel
from assistcore.world.poses import Pose
from assistworld.engines.house.physics_mujoco import MujocoPhysics, settle

DECIMALS = 5


class NotSettled(RuntimeError):
    """Something still moved at the end, or fell away from where it was put."""


def settled(stage: StageModel, seconds: float = 3.0, drift_m: float = 0.03) -> StageModel:
    """The stage with movables at rest (60 steps a second, seed B.1.2), poses rounded to 10 micrometres.

    Raises NotSettled naming every movable that ends more than `drift_m` from where it was placed, or when the scene does not come to rest.
    """
    stage = at_their_places(stage)
    physics = MujocoPhysics()
    physics.load(stage, {}, {}, frozenset())
    physics.set_attached(mated_at_start(stage))
    rest = settle(physics, int(seconds * 60))
    poses = physics.poses()
    physics.close()
    moved = {
        e.key: float(np.linalg.norm(np.subtract(poses[e.key].position_m, e.pose.position_m))) for e in stage.entities if e.kind == "movable"
    }
    far = {k: d for k, d in moved.items() if d > drift_m}
    if far or not rest:
        listed = ", ".join(f"{k} {d * 100:.1f} cm" for k, d in sorted(far.items(), key=lambda x: -x[1]))
        raise NotSettled(
            f"scene {stage.name!r} after {seconds} s: {'at rest' if rest else 'still moving'}; moved away: {listed or 'nothing'}"
        )
    entities = tuple(replace(e, pose=_rounded(poses[e.key])) if e.kind == "movable" else e for e in stage.entities)
    return replace(stage, entities=entities)


def _rounded(pose: Pose) -> Pose:
    x, y, z = (round(v, DECIMALS) + 0.0 for v in pose.position_m)
    q = np.round(np.array(pose.quat_wxyz), 6)
    q = q / np.linalg.norm(q)
    return Pose((x, y, z), (float(q[0]), float(q[1]), float(q[2]), float(q[3])))

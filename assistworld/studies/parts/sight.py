"""Sight by rays against the instance ids of the pictures, from 300 random heads in the flat (RULES, Visibility).

A case is ok when at least 98 % of the pixels agree and every pixel that does not lies within 2 pixels of an edge between two ids.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.visibility import HEIGHT, WIDTH, see
from assistcore.world.randomness import stream
from assistworld.studies.digests import HOUSE_ENGINE
from assistworld.studies.sampling import spot_scenario
from assistworld.studies.trials import shared_engine

if TYPE_CHECKING:
    from assistworld.engines.house.drawing import HousePainter

CASES = 300
SEED = 21
PACKAGES = (*HOUSE_ENGINE, "humans", "assistcore")
LEAST_AGREEMENT = 0.98
EDGE_PX = 2
_BODY = -2


def case(number: int) -> dict[str, Any]:
    """Head `number` of the fixed seed."""
    return compare(SEED, number)


def compare(seed: int, number: int) -> dict[str, Any]:
    """Look once both ways. JSON: share of equal pixels, how many differing pixels are far from every edge, and which ids those have."""
    from assistworld.engines.house.drawing import snapshot_of
    from humans.camera import HORIZONTAL_FOV_RAD, faces_in_view, gaze, head_camera
    from humans.kinematics import joint_transforms, skin

    engine = shared_engine()
    scenario = spot_scenario(seed, number)
    engine.reset(scenario, 0)
    body, stage = engine.body, engine.stage
    rng = stream(seed, "random gaze", number)
    before = engine.state.body
    bearing, drop = before.heading_rad + rng.uniform(-1.0, 1.0), rng.uniform(-0.9, 0.5)
    target = np.array([*before.xy_m, 1.5]) + 2.0 * np.array([np.cos(bearing), np.sin(bearing), drop])
    pose, _ = gaze(body, before.pose_rad, before.translation_m, target)
    state = engine.state.with_(body=type(before)(pose, before.translation_m, before.xy_m, before.heading_rad))
    bones = joint_transforms(body, pose, before.translation_m)
    eye, rotation = head_camera(body, bones)
    faces = faces_in_view(body)
    skinned = skin(body, bones)
    rays = see(stage, state, eye, rotation, hfov_rad=HORIZONTAL_FOV_RAD, body_vertices_m=skinned, body_faces=faces).ids
    rays = np.where(rays == _BODY, len(stage.entities), rays)
    painter = _painter()
    painter.load(stage, body)
    pixels = painter.picture(snapshot_of(stage, state, 0)).ids
    different = rays != pixels
    stray = different & ~near_edge(rays) & ~near_edge(pixels)
    names = (*(e.key for e in stage.entities), "body", "nothing")
    pairs = sorted({f"{names[a]} by rays, {names[b]} in the picture" for a, b in zip(rays[stray], pixels[stray], strict=True)})
    agreement = 1.0 - float(different.mean())
    return {
        "ok": agreement >= LEAST_AGREEMENT and not stray.any(),
        "seed": seed,
        "number": number,
        "human": dict(scenario.human),
        "agreement": round(agreement, 5),
        "stray_pixels": int(stray.sum()),
        "stray": pairs[:8],
    }


def near_edge(ids: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Pixels with another id within 2 pixels, shape of `ids` (h, w)."""
    padded = np.pad(ids, EDGE_PX, mode="edge")
    height, width = ids.shape
    out: NDArray[np.bool_] = np.zeros(ids.shape, dtype=np.bool_)
    for dy in range(2 * EDGE_PX + 1):
        for dx in range(2 * EDGE_PX + 1):
            out |= padded[dy : dy + height, dx : dx + width] != ids
    return out


@cache
def _painter() -> HousePainter:
    from assistworld.engines.house.drawing import HousePainter

    return HousePainter(width=WIDTH, height=HEIGHT)

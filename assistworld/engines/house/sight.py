"""What the person sees and can read from where the head is now, from geometry alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from assistcore.house.legibility import read_labels
from assistcore.house.state import HouseState
from assistcore.house.visibility import Seen, see

if TYPE_CHECKING:
    from assistworld.engines.house.engine import HouseEngine


@dataclass(frozen=True)
class HomeSight:
    """Visible entities, and for each with a legible label its printed lines."""

    seen: Mapping[str, Seen]
    legible: Mapping[str, tuple[str, ...]]


_SEEN: WeakKeyDictionary[HouseState, HomeSight] = WeakKeyDictionary()


def look(engine: HouseEngine) -> HomeSight:
    """What is seen in the engine's state now; a state, which is one value of one engine, is looked at once while it lives."""
    found = _SEEN.get(engine.state)
    return found if found is not None else _SEEN.setdefault(engine.state, _look(engine))


def _look(engine: HouseEngine) -> HomeSight:
    """Cast the rays of the head camera."""
    from humans.camera import HORIZONTAL_FOV_RAD, faces_in_view, head_camera
    from humans.kinematics import joint_transforms, skin

    body, state, stage = engine.body, engine.state, engine.stage
    bones = joint_transforms(body, state.body.pose_rad, state.body.translation_m)
    eye, rotation = head_camera(body, bones)
    skinned = skin(body, bones)
    faces = faces_in_view(body)
    sight = see(stage, state, eye, rotation, hfov_rad=HORIZONTAL_FOV_RAD, body_vertices_m=skinned, body_faces=faces)
    readings = read_labels(
        stage,
        state,
        eye,
        rotation,
        hfov_rad=HORIZONTAL_FOV_RAD,
        entities=frozenset(sight.seen),
        body_vertices_m=skinned,
        body_faces=faces,
    )
    legible: dict[str, tuple[str, ...]] = {}
    for reading in readings:
        if reading.legible:
            legible[reading.entity] = (*legible.get(reading.entity, ()), *reading.lines)
    return HomeSight(sight.seen, legible)

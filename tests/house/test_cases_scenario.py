"""Scenarios that look right and are not: refused before anything is played (RULES, Contacts; cases.md C)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from assistcore.world.engine import Scenario
from assistcore.world.errors import InputError
from assistcore.world.poses import Pose
from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.scenario import resolve
from assistworld.engines.house.scenes import load_scene
from assistworld.engines.house.start import _stuck_things

pytest.importorskip("mujoco")


@pytest.fixture(scope="module")
def house() -> Iterator[HouseEngine]:
    engine = make()
    engine.reset(Scenario("flat"), 0)
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("human", "changes", "where", "words"),
    [
        ({}, [{"set": "kettle_1", "attribute": "running", "value": "yes"}], "scenario#/changes/0/value", "takes a bool"),
        ({}, [{"set": "kettle_1", "attribute": "running", "value": 1}], "scenario#/changes/0/value", "takes a bool"),
        ({}, [{"set": "kettle_1", "attribute": "volume_ml", "value": True}], "scenario#/changes/0/value", "takes a int"),
        ({}, [{"set": "red_mug_1", "attribute": "volume_ml", "value": 500}], "scenario#/changes/0/value", "holds 0 to 3"),
        ({}, [{"set": "kettle_1", "attribute": "volume_ml", "value": -1}], "scenario#/changes/0/value", "holds 0 to 8"),
        ({}, [{"set": "kettle_1", "attribute": "on", "value": True}], "scenario#/changes/0/attribute", "read from the world"),
        ({"spot": "kitchen", "xy_m": [1.0, 1.0]}, [], "scenario#/human", "has both spot 'kitchen' and xy_m"),
        ({"xy_m": [float("nan"), 1.0]}, [], "scenario#/human/xy_m/0", "nan"),
        ({"xy_m": [1.0, 1.0], "heading_deg": float("inf")}, [], "scenario#/human/heading_deg", "inf"),
    ],
)
def test_a_value_that_cannot_be_meant_is_refused_with_its_place(human: dict[str, Any], changes: list[Any], where: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        resolve(Scenario("flat", human, changes), load_scene("flat"))
    (problem,) = caught.value.problems
    assert problem.where == where and words in str(problem)


def test_an_attribute_of_the_packs_own_is_allowed() -> None:
    start = resolve(Scenario("flat", {}, [{"set": "kettle_1", "attribute": "descaled", "value": True}]), load_scene("flat"))
    assert start.attributes["kettle_1"]["descaled"] is True


def test_a_person_who_starts_in_the_furniture_is_refused(house: HouseEngine) -> None:
    x, y, _ = house.stage.entity("dining_table_1").pose.position_m
    with pytest.raises(InputError, match=r"the person stands \d\.\d\d m inside \w+ at"):
        house.reset(Scenario("flat", {"xy_m": [x, y]}), 0)


def test_every_spot_of_the_flat_is_free(house: HouseEngine) -> None:
    for spot in sorted(house.stage.spots):
        assert house.reset(Scenario("flat", {"spot": spot}), 0).tick == 0


def test_the_placement_gate_is_five_centimetres(house: HouseEngine) -> None:
    """RULES, Contacts: an object at rest with more than 5 cm penetration fails the placement gate."""
    house.reset(Scenario("flat"), 0)
    assert house.parts is not None
    key = next(k for k in house.state.poses if k.startswith("red_mug"))
    pose = house.state.poses[key]
    x, y, z = pose.position_m
    assert list(_stuck_things(house.parts, {key: pose}, frozenset({key}))) == []
    assert list(_stuck_things(house.parts, {key: Pose((x, y, z - 0.01), pose.quat_wxyz)}, frozenset({key}))) == []
    owner, centre = _thickest(house)
    (problem,) = _stuck_things(house.parts, {key: Pose(centre, pose.quat_wxyz)}, frozenset({key}))
    assert problem.what.startswith(f"{key} comes to rest 0.") and problem.what.endswith(f"inside {owner}")


def _thickest(house: HouseEngine) -> tuple[str, tuple[float, float, float]]:
    """The piece of furniture with the thickest box, and the middle of that box, world metres."""
    boxes = [(min(p.half_extents_m), e, p) for e in house.stage.entities if e.kind == "fixture" for link in e.links[:1]
             for p in link.pieces if p.half_extents_m]  # fmt: skip
    _, entity, piece = max(boxes, key=lambda b: b[0])
    x, y, z = (entity.pose.matrix() @ entity.links[0].T_root_link @ piece.T_link_piece)[:3, 3]
    return entity.key, (float(x), float(y), float(z))

"""What runs, glows and browns in pictures follows from the snapshot alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assistcore.house.household import BURN_TICKS, COOK_TICKS
from assistcore.house.stage import StageModel
from assistcore.house.vessels import capacity_ml, retained, section_m
from assistcore.world.poses import transform_points
from assistcore.world.snapshots import Snapshot
from assistworld.engines.house.drawing import HousePainter
from assistworld.engines.house.picture_looks import browning, tinted
from assistworld.engines.house.picture_scene import PictureStage, picture_stage
from assistworld.engines.house.picture_streams import basin_of, fall, spout_of
from assistworld.engines.house.scenes import load_scene
from humans.model import load_body
from humans.rotations import matrix_from_rotvec


@pytest.fixture(scope="module")
def flat() -> StageModel:
    return load_scene("flat")


@pytest.fixture(scope="module")
def drawn(flat: StageModel) -> PictureStage:
    return picture_stage(flat, load_body())


@pytest.mark.parametrize("scene", ["flat", "annex"])
def test_every_tap_has_a_spout_over_its_basin(scene: str) -> None:
    taps = [e for e in load_scene(scene).entities if "tap" in e.roles]
    assert taps
    for tap in taps:
        spout, basin = spout_of(tap), basin_of(tap)
        assert spout is not None and basin is not None, tap.key
        low, high = np.array(basin.low_m), np.array(basin.high_m)
        assert (low[:2] < spout.point_m[:2]).all() and (spout.point_m[:2] < high[:2]).all() and spout.point_m[2] > low[2], tap.key


def test_water_is_drawn_under_a_running_tap_only(drawn: PictureStage) -> None:
    name = drawn.streams.taps["kitchen_sink_1"]
    assert name in drawn.hidden(Snapshot(0))
    assert name not in drawn.hidden(Snapshot(0, looks={"kitchen_sink_1": "running"}))


def test_streams_are_glass(drawn: PictureStage) -> None:
    """Only what is glass leaves the instance ids, and with them the agreement with sight by rays, as they are."""
    names = {*drawn.streams.taps.values(), *(piece.name for piece in drawn.streams.pieces)}
    found = [d for d in drawn.scene.drawables if d.name in names]
    assert len(found) == len(names) and all(d.surface.alpha < 1.0 and not d.casts_shadow for d in found)


def _tilted(flat: StageModel, tilt_rad: float, over: str) -> dict[str, np.ndarray]:
    """Root frames with the juice carton tilted so that its lip is 6 cm over the middle of a vessel."""
    carton, bowl = flat.entity("juice_carton_1"), flat.entity(over)
    rim, basin = carton.tips[0], basin_of(bowl)
    assert basin is not None
    T = np.eye(4)
    T[:3, :3] = matrix_from_rotvec(np.array([tilt_rad, 0.0, 0.0]))
    middle = 0.5 * (np.array(basin.low_m) + np.array(basin.high_m))
    mouth = transform_points(bowl.pose.matrix(), np.array([[middle[0], middle[1], basin.high_m[2]]]))[0]
    T[:3, 3] = mouth + np.array([0.0, 0.0, 0.06]) - T[:3, :3] @ np.array(rim.point_m)
    return {carton.key: T, bowl.key: bowl.pose.matrix()}


@pytest.mark.parametrize("tilt_rad", [0.4, 1.0, 1.3])
def test_what_is_tilted_as_far_as_it_holds_runs_into_the_vessel_below(flat: StageModel, drawn: PictureStage, tilt_rad: float) -> None:
    roots = _tilted(flat, tilt_rad, "blue_bowl_1")
    carton = flat.entity("juice_carton_1")
    kept = round(capacity_ml(carton) * retained(*section_m(carton), tilt_rad))
    pour = drawn.streams.pour({"juice_carton_1": f"level:{kept}:juice"}, roots)
    assert pour is not None and pour.source == "juice_carton_1" and pour.contents == "juice"
    bowl = flat.entity("blue_bowl_1").pose.position_m
    assert bowl[2] < pour.way_m[-1, 2] < pour.way_m[0, 2] and np.hypot(*(pour.way_m[-1, :2] - bowl[:2])) < 0.07
    assert len(drawn.hidden(Snapshot(0), pour) & {p.name for p in drawn.streams.pieces}) == drawn.streams.rows - len(pour.way_m) + 1


@pytest.mark.parametrize(("tilt_rad", "volume_ml"), [(0.0, 1000), (0.9, 400), (1.3, 0)], ids=["upright", "holds less", "empty"])
def test_nothing_runs_out_of_what_is_upright_or_holds_less(flat: StageModel, drawn: PictureStage, tilt_rad: float, volume_ml: int) -> None:
    look = {"juice_carton_1": f"level:{volume_ml}:juice"} if volume_ml else {}
    assert drawn.streams.pour(look, _tilted(flat, tilt_rad, "blue_bowl_1")) is None


def test_nothing_is_drawn_where_there_is_no_vessel_below(flat: StageModel, drawn: PictureStage) -> None:
    roots = _tilted(flat, 1.0, "blue_bowl_1")
    roots["juice_carton_1"][:2, 3] += 0.3
    carton = flat.entity("juice_carton_1")
    kept = round(capacity_ml(carton) * retained(*section_m(carton), 1.0))
    assert drawn.streams.pour({"juice_carton_1": f"level:{kept}:juice"}, roots) is None


def test_a_drop_falls_as_things_fall() -> None:
    way = fall(np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0]), 0.8)
    assert way[-1, 2] == pytest.approx(0.8) and way[0].tolist() == [0.0, 0.0, 1.0]
    seconds = np.sqrt(2 * 0.2 / 9.81)
    assert way[-1, 0] == pytest.approx(0.12 * seconds)


def test_food_browns_by_the_heat_it_has_had() -> None:
    assert browning("", 50) == (0.0, 0.0)
    assert browning("heat:100:0", 100 + COOK_TICKS // 2)[0] == pytest.approx(0.5, abs=1e-3)
    assert browning(f"heat::{COOK_TICKS}", 9_999) == (1.0, 0.0), "off the heat nothing goes on"
    middle = (COOK_TICKS + BURN_TICKS) // 2
    assert browning(f"heat:100:{COOK_TICKS}", 100 + middle - COOK_TICKS)[1] == pytest.approx(0.5, abs=1e-3)
    assert browning("cooked", 0) == (1.0, 0.0) and browning("burnt+cooked", 0) == (1.0, 1.0)


def test_raw_brown_burnt_dirty_and_wet_look_different(drawn: PictureStage) -> None:
    plain = next(d.surface for d in drawn.scene.drawables if d.name.startswith("apple_2/"))
    shown = {look: tinted(plain, look, 0) for look in ("", "cooked", "burnt", "dirty", "wet", "dirty+wet")}
    assert shown[""] is plain and shown["wet"].roughness < plain.roughness
    colours = np.array([s.rgb for s in shown.values()])
    apart = np.linalg.norm(colours[:, None] - colours[None], axis=2)[~np.eye(len(colours), dtype=bool)]
    assert apart.min() > 0.08


def test_running_devices_glow(drawn: PictureStage) -> None:
    off, on = (drawn.surfaces(Snapshot(0, looks=looks)) for looks in ({}, {"hob_1": "running", "laptop_1": "running"}))
    assert off["hob_1/body/hot"].emissive == 0.0 < on["hob_1/body/hot"].emissive
    assert max(off["laptop_1/body/screen"].rgb) < 0.1 < max(on["laptop_1/body/screen"].rgb)


def test_a_running_tap_and_nothing_else_changes_the_picture(flat: StageModel) -> None:
    """Ids and depth stay as they are; some pixels of colour do not."""
    body = load_body()
    painter = HousePainter(width=160, height=120)
    painter.load(flat, body)
    rest = Snapshot(0, body=(8.7, 6.95, 0.95, *([0.0] * 156)))
    dry, wet = (painter.view(replace(rest, looks=looks), "map") for looks in ({}, {"kitchen_sink_1": "running"}))
    a, b = painter.pictures.draw(dry), painter.pictures.draw(wet)
    assert (a.ids == b.ids).all() and (a.rgb != b.rgb).any()
    painter.close()

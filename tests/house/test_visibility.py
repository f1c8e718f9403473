"""Sight by ray casting: what covers what, closed containers, own body, glass, small things; an independent ray caster agrees."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from assistcore.house import raycast_kernels
from assistcore.house.legibility import radii_m, read_labels
from assistcore.house.raycast import BODY, NEAR_M, Eye, cast
from assistcore.house.stage import Entity, StageModel
from assistcore.house.state import HouseState
from assistcore.house.visibility import MIN_RAYS, Sight, see, uncovered
from assistcore.world.poses import Pose
from tests.house import stages

F64 = NDArray[np.float64]


def looking(at: tuple[float, float, float], from_: tuple[float, float, float]) -> tuple[F64, F64]:
    """Camera position and R_world_cam that look at a point."""
    back = np.asarray(from_, dtype=np.float64) - np.asarray(at)
    back /= np.linalg.norm(back)
    right = np.cross((0.0, 0.0, 1.0), back)
    right /= np.linalg.norm(right)
    return np.asarray(from_, dtype=np.float64), np.stack([right, np.cross(back, right), back], axis=1)


def look(model: StageModel, state: HouseState | None = None, at=(0.0, 0.0, 0.8), from_=(-1.5, 0.0, 1.5), **more) -> Sight:
    return see(model, state or stages.state_of(model), *looking(at, from_), **more)


def test_a_thing_in_the_open_is_seen_where_it_is() -> None:
    model = stages.stage(stages.floor(), stages.table(), stages.block("cup_1", at=(0.0, 0.3, 0.80)))
    position, R = looking((0.0, 0.0, 0.8), (-1.5, 0.0, 1.5))
    seen = see(model, stages.state_of(model), position, R).seen["cup_1"]
    local = R.T @ (np.array([0.0, 0.3, 0.80]) - position)
    assert seen.bearing_rad == pytest.approx(np.arctan2(-local[0], -local[2]), abs=0.03)
    assert seen.bearing_rad > 0.1  # +y is to the left
    assert seen.elevation_rad == pytest.approx(np.arctan2(local[1], np.hypot(local[0], local[2])), abs=0.03)
    assert seen.distance_m == pytest.approx(np.linalg.norm(local), abs=0.06)


def wall(x: float, half: tuple[float, float, float] = (0.02, 1.0, 1.0)) -> Entity:
    return stages.entity("screen_1", "fixture", [stages.boxes_link("base", [((0.0, 0.0, 0.0), half)])], (x, 0.0, 1.0))


def test_a_wall_hides_and_an_edge_shows() -> None:
    model = stages.stage(stages.floor(), wall(-0.8), stages.block("cup_1", at=(0.0, 0.0, 0.80)))
    assert not look(model, from_=(-1.5, 0.0, 1.2)).sees("cup_1")
    assert look(model, at=(0.0, 0.0, 0.8), from_=(-1.5, 3.0, 1.2)).sees("cup_1")


def test_a_cupboard_hides_what_is_in_it_until_its_door_opens() -> None:
    model = stages.stage(stages.floor(), stages.cabinet(), stages.ball("apple_1", at=(0.0, 0.0, 0.06)))
    at, from_ = (0.0, 0.0, 0.3), (1.5, 0.3, 1.2)
    assert not look(model, at=at, from_=from_).sees("apple_1")
    opened = stages.state_of(model, joints={"cabinet_1_hinge": -1.6})
    assert look(model, opened, at=at, from_=from_).sees("apple_1")


def test_an_open_box_shows_its_contents_from_above_only() -> None:
    model = stages.stage(
        stages.floor(), stages.open_box("bin_1", at=(0.0, 0.0, 0.08)), stages.block("egg_1", (0.02, 0.02, 0.02), (0.0, 0.0, 0.03))
    )
    assert look(model, at=(0.0, 0.0, 0.03), from_=(-0.3, 0.0, 1.2)).sees("egg_1")
    assert not look(model, at=(0.0, 0.0, 0.03), from_=(-1.5, 0.0, 0.1)).sees("egg_1")


def test_the_own_body_is_in_the_way() -> None:
    model = stages.stage(stages.floor(), stages.block("cup_1", at=(0.0, 0.0, 0.80)))
    hand = stages.sphere_points(0.15, (-0.9, 0.0, 1.22), 400)
    free = look(model)
    covered = look(model, body_vertices_m=hand, body_faces=stages.hull_faces(hand))
    assert free.sees("cup_1") and not covered.sees("cup_1")
    assert (covered.ids == BODY).any()


def test_glass_is_seen_and_seen_through() -> None:
    pane = wall(-0.8)
    clear = tuple(replace(p, surface=replace(p.surface, opacity=0.3)) for p in pane.links[0].parts)
    pane = replace(pane, links=(replace(pane.links[0], parts=clear),))
    model = stages.stage(stages.floor(), pane, stages.block("cup_1", at=(0.0, 0.0, 0.80)))
    sight = look(model, from_=(-1.5, 0.0, 1.2))
    assert sight.sees("cup_1") and sight.sees("screen_1")


def test_behind_the_eye_out_of_the_frame_and_removed_is_not_seen() -> None:
    model = stages.stage(
        stages.floor(),
        stages.block("cup_1", at=(-3.0, 0.0, 1.5)),
        stages.block("jar_1", at=(0.0, 3.5, 0.8)),
        stages.block("pan_1", at=(0.0, 0.0, 0.8)),
    )
    assert set(look(model).seen) == {"floor_1", "pan_1"}
    assert set(look(model, stages.state_of(model, removed=frozenset({"pan_1"}))).seen) == {"floor_1"}


def test_what_is_too_small_in_the_picture_is_not_seen() -> None:
    model = stages.stage(stages.floor(half=40.0), stages.block("ring_1", (0.01, 0.01, 0.01), (0.0, 0.0, 0.8)))
    assert look(model, from_=(-0.8, 0.0, 1.2)).seen["ring_1"].rays >= MIN_RAYS
    assert not look(model, from_=(-6.0, 0.0, 1.2)).sees("ring_1")


def test_share_of_a_half_covered_thing() -> None:
    model = stages.stage(stages.floor(), wall(-0.2, (0.01, 0.5, 0.5)), stages.block("box_1", (0.01, 0.2, 0.2), (0.0, 0.5, 1.0)))
    position, R = looking((0.0, 0.5, 1.0), (-50.0, 0.5, 1.0))
    share = uncovered(model, stages.state_of(model), "box_1", position, R, hfov_rad=0.03).share
    assert share == pytest.approx(0.5, abs=0.03)
    assert uncovered(model, stages.state_of(model), "box_1", *looking((0.0, 0.0, 5.0), (0.0, 0.1, 3.0))).share == 0.0


def cluttered(seed: int) -> StageModel:
    rng = np.random.default_rng(seed)
    things = []
    for k in range(30):
        x, y, z = (float(v) for v in rng.uniform((-1.5, -1.5, 0.1), (1.5, 1.5, 1.5)))
        at = (x, y, z)
        yaw = float(rng.uniform(-3, 3))
        things.append(
            stages.ball(f"ball_{k}", float(rng.uniform(0.03, 0.2)), at) if k % 2 else stages.open_box(f"box_{k}", at=at, yaw_rad=yaw)
        )
    return stages.stage(stages.floor(), stages.cabinet(at=(1.0, 1.0, 0.0)), *things)


def test_an_independent_ray_caster_finds_the_same_first_hits(sample_seed: int) -> None:
    """Embree on the same triangles; rays within rounding of an edge may differ. It has no near plane, and an eye may be inside a thing."""
    rtcore_scene = pytest.importorskip("embreex.rtcore_scene")
    mesh_construction = pytest.importorskip("embreex.mesh_construction")
    model = cluttered(sample_seed % 1000)
    state = stages.state_of(model, joints={"cabinet_1_hinge": -0.8})
    embree, owners = rtcore_scene.EmbreeScene(), []
    for row, e in enumerate(model.entities):
        for link in e.links:
            T = state.link(model, e.key, link.key)
            for part in link.parts:
                world = part.vertices_m.astype(np.float64) @ T[:3, :3].T + T[:3, 3]
                mesh_construction.TriangleMesh(embree, world.astype(np.float32), part.faces.astype(np.int32))
                owners.append(row)
    rng = np.random.default_rng(sample_seed)
    for _ in range(6):
        position, R = looking(tuple(rng.uniform(-1, 1, 3) + (0, 0, 1)), tuple(rng.uniform(-3, 3, 3) + (0, 0, 3.2)))
        eye = Eye.of(position, R, np.pi / 2, 160, 120)
        hits = cast(model, state, eye, 160, 120)
        xs, ys = eye.grid(160, 120)
        rays = np.stack(np.broadcast_arrays(xs[None, :], ys[:, None], -1.0), axis=-1).reshape(-1, 3) @ R.T
        origins = np.broadcast_to(position, rays.shape).astype(np.float32)
        found = embree.run(np.ascontiguousarray(origins), rays.astype(np.float32), query="INTERSECT", output=True)
        theirs = np.where(found["geomID"] >= 0, np.array(owners)[np.maximum(0, found["geomID"])], -1)
        beyond = (theirs < 0) | (found["tfar"] > NEAR_M)
        same = hits.owner.ravel() == theirs
        assert same[beyond].mean() > 0.999
        both = same & beyond & (theirs >= 0)
        assert np.percentile(np.abs(hits.depth_m.ravel()[both] - found["tfar"][both]), 99.5) < 1e-4


def carton(at: tuple[float, float, float] = (0.0, 0.0, 0.85), yaw_rad: float = np.pi) -> Entity:
    """A carton with two lines on its -x side (after the turn)."""
    side = stages.label("base", (0.0401, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.06, 0.04), "OAT MILK", "BEST BEFORE MAY")
    return stages.block("carton_1", (0.04, 0.04, 0.1), at, yaw_rad, labels=(side,))


@pytest.mark.parametrize(("distance_m", "legible"), [(0.3, True), (0.5, True), (0.75, False), (2.0, False)])
def test_labels_are_legible_up_close(distance_m: float, legible: bool) -> None:
    """A line is 20 mm high: 320 px / tan(45 deg) * 0.02 / d pixels, 12.8 at 0.5 m."""
    model = stages.stage(stages.floor(), carton())
    (reading,) = read_labels(model, stages.state_of(model), *looking((-0.04, 0.0, 0.85), (-0.0401 - distance_m, 0.0, 0.8501)))
    assert reading.line_px == pytest.approx(320.0 * 0.02 / distance_m, rel=0.02)
    assert reading.legible is legible
    assert reading.share == (pytest.approx(1.0) if legible else 0.0)


def test_labels_at_an_angle_turned_away_or_covered_are_not_legible() -> None:
    model = stages.stage(stages.floor(), carton())
    aside = looking((-0.04, 0.0, 0.85), (-0.04 - 0.4 * np.cos(1.0), 0.4 * np.sin(1.0), 0.8501))
    (reading,) = read_labels(model, stages.state_of(model), *aside)
    assert reading.angle_rad == pytest.approx(1.0, abs=0.02) and not reading.legible
    assert read_labels(model, stages.state_of(model), *looking((0.0, 0.0, 0.85), (0.5, 0.0, 0.9))) == ()
    cover = stages.block("jar_1", (0.01, 0.02, 0.1), (-0.1, 0.025, 0.85))
    model = stages.stage(stages.floor(), carton(), cover)
    straight = looking((-0.04, 0.0, 0.85), (-0.44, 0.0, 0.8501))
    (covered,) = read_labels(model, stages.state_of(model), *straight)
    assert 0.2 < covered.share < 0.8 and not covered.legible
    (free,) = read_labels(model, stages.state_of(model, {"jar_1": Pose((0.0, 1.0, 0.1))}), *straight)
    assert free.legible and free.lines == ("OAT MILK", "BEST BEFORE MAY")


def test_a_label_that_leaves_the_picture_is_not_legible() -> None:
    model = stages.stage(stages.floor(), carton())
    position, R = looking((-0.04, 0.425, 0.85), (-0.44, 0.0, 0.8501))
    (reading,) = read_labels(model, stages.state_of(model), position, R, hfov_rad=np.radians(95.0))
    assert reading.share < 0.9


def test_the_same_sight_to_the_last_bit_after_other_looks() -> None:
    model = cluttered(3)
    state = stages.state_of(model)
    first = look(model, state)
    look(model, state.with_(poses={**state.poses, "ball_1": Pose((0.0, 0.0, 1.0))}, joints={"cabinet_1_hinge": -1.0}))
    again = look(model, state)
    assert first.seen == again.seen
    assert first.ids.tobytes() == again.ids.tobytes() and first.depth_m.tobytes() == again.depth_m.tobytes()


def sight_bytes() -> str:
    """SHA-256 of a small look."""
    sight = look(cluttered(3), width=80, height=60)
    return hashlib.sha256(sight.ids.tobytes() + sight.depth_m.tobytes()).hexdigest()


def test_another_process_without_a_compiler_sees_the_same_to_the_last_bit() -> None:
    code = "from tests.house.test_visibility import sight_bytes; print(sight_bytes())"
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONHASHSEED": "5"}
    root = Path(__file__).resolve().parents[2]
    other = subprocess.run([sys.executable, "-c", code], cwd=root, env=env, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == sight_bytes()


def test_a_label_round_a_jar_is_covered_by_nothing_of_its_own_bend() -> None:
    from assistworld.engines.house.scenes import load_scene

    stage = load_scene("flat")
    jar = stage.entity("coffee_jar_2")
    state = stages.state_of(stage)
    T = state.link(stage, jar.key, jar.labels[0].link)
    normal, up = T[:3, :3] @ np.array(jar.labels[0].normal), T[:3, :3] @ np.array(jar.labels[0].up)
    eye = T[:3, :3] @ np.array(jar.labels[0].centre_m) + T[:3, 3] + 0.4 * normal
    found = read_labels(stage, state, eye, np.stack([np.cross(up, normal), up, normal], axis=1), entities=frozenset({jar.key}))
    assert [(r.legible, r.lines) for r in found] == [(True, ("COFFEE", "500 g", "$9.00"))]


def test_the_rays_of_a_row_inside_an_edge_are_found_without_trying_them_all(sample_seed: int) -> None:
    """The run of columns inside an edge, against the test of every column; steep, flat and degenerate edges included."""
    rng = np.random.default_rng(sample_seed)
    raycast_kernels.KERNELS.ready()
    xs, _ = Eye.of(np.zeros(3), np.eye(3), np.pi / 2, 320, 240).grid(320, 240)
    for k in range(4000):
        n = rng.normal(size=3) * 10.0 ** rng.integers(-9, 3, size=3) * (rng.random(3) < 0.8)
        sign, y = rng.choice([-1.0, 1.0]), rng.choice([0.0, rng.uniform(-1, 1)])
        first, last = sorted(rng.integers(0, 320, size=2).tolist())
        wanted = [i for i in range(first, last + 1) if sign * (n[0] * xs[i] + n[1] * y - n[2]) >= 0.0]
        nx, ny, nz = n.tolist()
        share = raycast_kernels._share(nx, float(xs[1] - xs[0]))
        start, stop = raycast_kernels._narrowed(nx, ny, nz, float(sign), share, float(y), xs, first, last)
        assert list(range(start, stop + 1)) == wanted, (k, n, sign, y)


def before_the_jar(
    turned_deg: float, *, model: StageModel, key: str = "coffee_jar_2", away_m: float = 0.4
) -> tuple[np.ndarray, np.ndarray]:
    """An eye that looks at a jar's label from beside by an angle, and the rotation of its camera."""
    state, jar = stages.state_of(model), model.entity(key)
    T = state.link(model, key, jar.labels[0].link)
    normal, up = T[:3, :3] @ np.array(jar.labels[0].normal), T[:3, :3] @ np.array(jar.labels[0].up)
    angle = np.radians(turned_deg)
    out = np.cos(angle) * normal + np.sin(angle) * np.cross(up, normal)
    centre = T[:3, :3] @ np.array(jar.labels[0].centre_m) + T[:3, 3]
    return centre + away_m * out, np.stack([np.cross(up, out), up, out], axis=1)


def test_a_label_round_a_jar_is_read_only_where_it_faces_the_eye() -> None:
    """Of an arc of 108 degrees, seen from 30 degrees beside, the far end looks 84 degrees away; a flat print would still be read."""
    from assistcore.house.legibility import MAX_LOCAL_RAD
    from assistworld.engines.house.scenes import load_scene

    model = load_scene("flat")
    label = model.entity("coffee_jar_2").labels[0]
    radius = radii_m(model)["coffee_jar_2"][0]
    assert radius == pytest.approx(0.048, abs=0.001)
    end = np.arcsin(0.5 * label.size_m[0] / radius)
    shares = []
    for turned in (0, 10, 30, 45):
        eye, R = before_the_jar(turned, model=model)
        (reading,) = read_labels(model, stages.state_of(model), eye, R, entities=frozenset({"coffee_jar_2"}))
        assert reading.legible == (turned <= 10) and reading.angle_rad == pytest.approx(np.radians(turned), abs=1e-6)
        # from so far away that lines of sight are nearly parallel, the share follows from the arc alone
        seen = np.clip(MAX_LOCAL_RAD - np.radians(turned) + end, 0.0, 2 * end) / (2 * end)
        assert reading.share == pytest.approx(seen, abs=0.07)
        shares.append(reading.share)
    assert shares == sorted(shares, reverse=True)
    for turned in (-30, -10):
        eye, R = before_the_jar(turned, model=model)
        (reading,) = read_labels(model, stages.state_of(model), eye, R, entities=frozenset({"coffee_jar_2"}))
        assert reading.legible == (turned == -10)


def test_a_flat_print_has_no_bend_and_is_read_from_beside() -> None:
    model = stages.stage(carton())
    assert radii_m(model) == {"carton_1": (float("inf"),)}


def test_what_stands_before_a_bent_label_covers_its_share_of_it() -> None:
    from assistworld.engines.house.scenes import load_scene

    model = load_scene("flat")
    eye, R = before_the_jar(0.0, model=model)
    (free,) = read_labels(model, stages.state_of(model), eye, R, entities=frozenset({"coffee_jar_2"}))
    # a wide screen of two triangles half way, which hides the right half of the label
    middle, side = eye - 0.2 * R[:, 2], 0.2 * R[:, 0]
    corners = np.array([middle + a * side + b * 0.2 * R[:, 1] for a in (0.0, 1.0) for b in (-1.0, 1.0)])
    (half,) = read_labels(
        model, stages.state_of(model), eye, R, entities=frozenset({"coffee_jar_2"}), body_vertices_m=corners,
        body_faces=np.array([[0, 1, 2], [1, 3, 2]]),
    )  # fmt: skip
    assert free.share == 1.0 and half.share == pytest.approx(0.5, abs=0.06) and not half.legible

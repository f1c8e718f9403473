"""Signed distances of the collision world against closed forms and against MuJoCo."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from assistcore.house import contacts
from assistcore.house.clearance import PLANNED_M, Allowed, Hit
from assistcore.house.collision import CollisionWorld, solid
from assistcore.house.contacts import body_hits, violations
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose, yaw_quat_wxyz
from tests.house.shapes import block, box_piece, floor, hinged_door, hull_piece, stage, thing


def one(world, a, b, radius, **more):
    hits = world.capsules(
        ("c",), np.array([a], float), np.array([b], float), np.array([radius]), margin_m=more.pop("margin_m", 5.0), **more
    )
    return min(hits)


@pytest.mark.parametrize(
    ("a", "b", "radius", "want"),
    [
        ((3, 0, 0), (4, 0, 0), 0.1, 1.9),  # beyond a face
        ((2, 2, 0), (2, 2, 0), 0.1, np.sqrt(2) - 0.1),  # sphere off an edge
        ((2, 2, 2), (3, 3, 3), 0.25, np.sqrt(3) - 0.25),  # off a corner
        ((0, 0, 1.05), (0.5, 0, 1.05), 0.1, -0.05),  # surface overlap
        ((0.2, 0, 0.9), (0.3, 0, 5.0), 0.1, -0.2),  # its lower end 0.1 inside the top
        ((0, 0, 0), (0, 0, 0), 0.2, -1.2),  # sphere in the middle
        ((-3, 0, 0.9), (3, 0, 0.9), 0.05, -0.15),  # a bar through the box just below its top
    ],
)
def test_box_distance_is_the_closed_form(a, b, radius, want) -> None:
    world = CollisionWorld(stage(thing("crate_1", [box_piece((2, 2, 2))])))
    assert one(world, a, b, radius).distance_m == pytest.approx(want, abs=1e-9)


def test_a_slanted_bar_leaves_along_an_edge_cross_direction() -> None:
    # the bar x + z = 1.9 (y = 0) cuts the edge x = z = 1: the shortest way out is across that edge, 0.1 / sqrt(2)
    world = CollisionWorld(stage(thing("crate_1", [box_piece((2, 2, 2))])))
    assert one(world, (4, 0, -2.1), (-2.1, 0, 4), 0.01).distance_m == pytest.approx(-0.1 / np.sqrt(2) - 0.01, abs=1e-9)


def test_yawed_boxes_and_hulls_agree() -> None:
    rng = np.random.default_rng(3)
    half = np.array([0.3, 0.2, 0.5])
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    as_box = CollisionWorld(stage(thing("crate_1", [box_piece(2 * half)], (1, 2, 0.5), yaw=0.7)))
    as_hull = CollisionWorld(stage(thing("crate_1", [hull_piece(corners)], (1, 2, 0.5), yaw=0.7)))
    for _ in range(200):
        a, b = rng.uniform((0, 1, 0), (2, 3, 1)), rng.uniform((0, 1, 0), (2, 3, 1))
        assert one(as_box, a, b, 0.05).distance_m == pytest.approx(one(as_hull, a, b, 0.05).distance_m, abs=1e-9)


def _rotation(rng):
    q = rng.normal(size=4)
    w, x, y, z = q / np.linalg.norm(q)
    return tuple(float(v) for v in (w, x, y, z))


def test_distances_equal_mujoco() -> None:
    """Independent check: capsules, boxes and hulls apart, touching and overlapping (MuJoCo's own penetration is looser when deep)."""
    mujoco = pytest.importorskip("mujoco")
    rng = np.random.default_rng(11)
    points = rng.normal(size=(14, 3)) * 0.25
    points /= np.maximum(1.0, np.linalg.norm(points, axis=1, keepdims=True) / 0.4)
    hull = solid(hull_piece(points)).corners_m
    mesh = " ".join(f"{v:.17g}" for v in hull.ravel())
    xml = f"""<mujoco><option><flag nativeccd="enable"/></option><asset><mesh name="h" vertex="{mesh}" inertia="convex"/></asset><worldbody>
      <body name="o" mocap="true"><geom name="box" type="box" size=".3 .2 .45"/></body>
      <body name="m" mocap="true"><geom name="hull" type="mesh" mesh="h"/></body>
      <body name="c" mocap="true"><geom name="cap" type="capsule" size=".06 .3"/></body></worldbody></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    geom = {name: mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name) for name in ("box", "hull", "cap")}
    world = CollisionWorld(
        stage(thing("crate_1", [box_piece((0.6, 0.4, 0.9))], kind="movable"), thing("rock_1", [hull_piece(hull)], kind="movable"))
    )
    checked = 0
    for _ in range(300):
        quats = [_rotation(rng) for _ in range(3)]
        at = [rng.uniform(-0.6, 0.6, 3) for _ in range(3)]
        for k, (p, q) in enumerate(zip(at, quats, strict=True)):
            data.mocap_pos[k], data.mocap_quat[k] = p, q
        mujoco.mj_kinematics(model, data)
        world.place(
            {"crate_1": Pose(tuple(at[0]), quats[0]), "rock_1": Pose.from_matrix(_geom_frame(model, data, geom["hull"], hull))},
            {},
            frozenset(),
        )
        R, p = data.geom_xmat[geom["cap"]].reshape(3, 3), data.geom_xpos[geom["cap"]]
        a, b = p - 0.3 * R[:, 2], p + 0.3 * R[:, 2]
        for key, name in (("crate_1", "box"), ("rock_1", "hull")):
            ours = min(h for h in world.capsules(("c",), a[None], b[None], np.array([0.06]), margin_m=5.0) if h.owner == key).distance_m
            theirs = mujoco.mj_geomDistance(model, data, geom[name], geom["cap"], 5.0, None)
            if ours > -0.055:
                assert ours == pytest.approx(theirs, abs=2e-5), (name, ours, theirs)
                checked += 1
            else:
                assert theirs < 0.0
        pair = world.entity("crate_1", Pose(tuple(at[0]), quats[0]).matrix(), margin_m=5.0)[0].distance_m
        theirs = mujoco.mj_geomDistance(model, data, geom["box"], geom["hull"], 5.0, None)
        assert (pair > 0) == (theirs > 0)
        if pair > 0:
            assert pair == pytest.approx(theirs, abs=2e-5)
    assert checked > 200


def _geom_frame(model, data, geom, hull):
    """World pose of the hull's own frame: MuJoCo re-centres meshes at their inertia."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = data.geom_xmat[geom].reshape(3, 3), data.geom_xpos[geom]
    own = np.eye(4)
    mesh = model.geom_dataid[geom]
    q = model.mesh_quat[mesh]
    own[:3, :3] = Pose((0, 0, 0), tuple(q)).matrix()[:3, :3]
    own[:3, 3] = model.mesh_pos[mesh]
    R = T[:3, :3] @ own[:3, :3].T
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = R, T[:3, 3] - R @ own[:3, 3]
    return out


def test_overlap_of_two_boxes_is_the_least_way_out() -> None:
    world = CollisionWorld(
        stage(block("crate_1", (0, 0, 0), (1, 1, 1)), thing("mug_1", [box_piece((0.1, 0.1, 0.1))], (5, 5, 5), kind="movable"))
    )
    T = np.eye(4)
    T[:3, 3] = (0.5, 0.5, 1.03)
    (hit,) = world.entity("mug_1", T)
    assert hit.distance_m == pytest.approx(-0.02, abs=1e-12) and hit.owner == "crate_1" and hit.mine == "mug_1"
    assert world.entity("mug_1", T, ignore=frozenset({"crate_1"})) == []


def _scene():
    return stage(
        floor((-3, -3), (3, 3)),
        hinged_door("door_1", (0, 0), 0.9),
        *[thing(f"mug_{i + 1}", [box_piece((0.1, 0.1, 0.1))], (0.2 * i, 1, 0.5), kind="movable") for i in range(12)],
    )


def test_place_by_difference_equals_a_fresh_build() -> None:
    rng = np.random.default_rng(5)
    moving = CollisionWorld(_scene())
    for _ in range(25):
        keys = [f"mug_{i + 1}" for i in range(12)]
        poses = {k: Pose(tuple(rng.uniform(-1, 1, 3)), tuple(yaw_quat_wxyz(rng.uniform(-3, 3)))) for k in keys if rng.random() < 0.5}
        joints = {"door_1_hinge": float(rng.uniform(0, 1.5))} if rng.random() < 0.7 else {}
        removed = frozenset(k for k in keys if rng.random() < 0.2)
        moving.place(poses, joints, removed)
        fresh = CollisionWorld(_scene())
        fresh.place(poses, joints, removed)
        for name in ("corners_m", "faces", "edges", "low_m", "high_m"):
            assert np.array_equal(getattr(moving.placed, name), getattr(fresh.placed, name)), name
        assert np.array_equal(moving.hidden, fresh.hidden)
    count = moving.moves
    moving.place(poses, joints, removed)
    assert moving.moves == count


def test_a_door_leaf_follows_its_hinge_and_a_removed_thing_is_gone() -> None:
    world = CollisionWorld(_scene())
    assert one(world, (0.5, 0.0, 1.0), (0.5, 0.0, 1.0), 0.01).owner == "door_1"
    world.place({}, {"door_1_hinge": np.pi / 2}, frozenset({"mug_1"}))
    low, high = world.box_m("door_1") or ((), ())
    assert np.allclose(low, (-0.02, 0, 0)) and np.allclose(high, (0.02, 0.9, 2.0))
    assert all(
        h.owner != "mug_1" for h in world.capsules(("c",), np.array([[0, 1, 0.5]]), np.array([[0, 1, 0.5]]), np.array([0.1]), margin_m=0.0)
    )


def test_support_is_the_top_below() -> None:
    slope = hull_piece([(2, -1, 0), (3, -1, 0), (2, 1, 0), (3, 1, 0), (3, -1, 1), (3, 1, 1)])
    world = CollisionWorld(stage(floor((-3, -3), (3.5, 3)), block("table_1", (0, 0, 0.7), (1, 1, 0.75)), thing("ramp_1", [slope])))
    assert world.support_m(0.5, 0.5, 2.0) == pytest.approx(0.75)
    assert world.support_m(0.5, 0.5, 0.6) == pytest.approx(0.0)
    assert world.support_m(2.25, 0.0, 2.0) == pytest.approx(0.25)
    assert world.support_m(9.0, 0.0, 2.0) is None


def test_a_piece_without_volume_is_named() -> None:
    with pytest.raises(AssistWorldError, match="'flat'.*no volume"):
        CollisionWorld(stage(thing("rug_1", [hull_piece([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], "flat")])))


def test_contacts_have_their_bounds() -> None:
    floor_keys = contacts.floors(stage(floor((0, 0), (1, 1))))
    near, far = (0.1, 0.0, 0.0), (0.3, 0.0, 0.0)
    allowed = Allowed(target="mug_1", point_m=(0.0, 0.0, 0.0), hands=("right",), held="spoon_1", seat="chair_1", support="table_1")
    ok = [
        Hit(-0.02, "left_foot", "floor_1", "body", near),
        Hit(-0.0079, "right_hand", "mug_1", "body", near),
        Hit(-0.05, "right_hand", "spoon_1", "body", near),
        Hit(-0.029, "left_thigh", "chair_1", "body", near),
        Hit(-0.007, "spoon_1", "table_1", "body", near),
        Hit(-0.0019, "left_shin", "chair_2", "body", near),
    ]
    bad = [
        Hit(-0.0001, "eye", "wall_1", "body", near),
        Hit(-0.02, "left_shin", "floor_1", "body", near),
        Hit(-0.0081, "right_hand", "mug_1", "body", near),
        Hit(-0.0079, "right_hand", "mug_1", "body", far),
        Hit(-0.0079, "left_hand", "mug_1", "body", near),
        Hit(-0.05, "right_lower_arm", "spoon_1", "body", near),
        Hit(-0.031, "left_thigh", "chair_1", "body", near),
        Hit(-0.0021, "spoon_1", "mug_2", "body", near),
    ]
    assert violations(ok, allowed, PLANNED_M, floor_keys) == []
    assert sorted(violations(ok + bad, allowed, PLANNED_M, floor_keys)) == sorted(bad)


def test_own_capsules_meet_only_where_not_adjacent() -> None:
    names = ("arm", "trunk", "thigh")
    a, b = np.array([[0.2, 0, 1.0], [0, 0, 0], [0, 0, 0]]), np.array([[0.2, 0, 0.5], [0, 0, 1.5], [0, 0, -0.5]])
    hits = body_hits(names, a, b, np.array([0.05, 0.16, 0.1]), frozenset({("thigh", "trunk")}))
    assert [(h.mine, h.link) for h in hits] == [("arm", "trunk")] and hits[0].distance_m == pytest.approx(-0.01)


DIGEST = """
import hashlib, numpy as np
from assistcore.house.collision import CollisionWorld
from tests.house.test_collision import _scene
w = CollisionWorld(_scene()); rng = np.random.default_rng(1)
a = rng.uniform(-1, 1, (18, 3)); b = a + rng.uniform(-.3, .3, (18, 3))
print(hashlib.sha256(repr(w.capsules(tuple(map(str, range(18))), a, b, np.full(18, .1), margin_m=.5)).encode()).hexdigest())
"""


def test_two_processes_give_the_same_bytes() -> None:
    runs = [
        subprocess.run(
            [sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1] and len(runs[0].strip()) == len(hashlib.sha256().hexdigest())


def test_a_free_pose_costs_well_under_a_millisecond() -> None:
    rng = np.random.default_rng(2)
    pieces = [
        thing(f"box_{i + 1}", [box_piece(rng.uniform(0.05, 0.6, 3))], (*rng.uniform(-5, 5, 2), rng.uniform(0, 2))) for i in range(800)
    ]
    pieces = [p for p in pieces if np.hypot(p.pose.position_m[0], p.pose.position_m[1]) > 1.2]
    world = CollisionWorld(stage(floor((-5, -5), (5, 5)), *pieces))
    names = tuple(map(str, range(18)))
    a = np.c_[rng.uniform(-0.3, 0.3, (18, 2)), rng.uniform(0.3, 1.6, 18)]
    radius = np.full(18, 0.08)
    world.capsules(names, a, a + 0.2, radius, margin_m=0.01)
    best = min(_timed(lambda: world.capsules(names, a, a + 0.2, radius, margin_m=0.01)) for _ in range(30))
    assert best < 1e-3


def _timed(run) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began

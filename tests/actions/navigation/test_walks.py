"""Whole walks: screened in 3-D, repaired, refused with the place; doors on the way; carried things."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from actions.motions import Segment
from actions.navigation.route import Walk, plan_walk, turn_on_spot
from actions.screening import screen
from actions.stance import Candidates, Stance, stances
from actions.travel import barred, forget_walks, journey, travel
from assistcore.house.clearance import CHECKED_M
from assistcore.house.state import Riding
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose, inverse, wrap_angle
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.actions.navigation.rooms import gap_wall, holding, open_room, two_rooms, world_at
from tests.actions.navigation.test_tracks import check
from tests.house.shapes import block, box_piece, floor, stage, thing, walls_round


def joined(walk):
    assert isinstance(walk, Walk), walk
    return walk.segments


def keeps_bounds(world, segments) -> None:
    from humans.gait import RootTrack

    start = world.state.body
    for segment in segments:
        xy, heading = np.vstack([start.xy_m, segment.xy_m]), np.concatenate([[start.heading_rad], segment.heading_rad])
        check(RootTrack(xy, heading), backwards=segment.phase == "step_back")
        start = world.state.body.__class__(
            segment.pose_rad[-1], segment.translation_m[-1], tuple(segment.xy_m[-1]), float(segment.heading_rad[-1])
        )


def test_a_walk_round_the_table_is_free_and_ends_exactly() -> None:
    world = world_at(open_room(), (1.0, 1.5), np.pi)
    walk = plan_walk(world, (5.0, 3.5), 0.5 * np.pi)
    (segment,) = joined(walk)
    keeps_bounds(world, [segment])
    assert np.allclose(segment.xy_m[-1], (5.0, 3.5), atol=1e-9) and abs(wrap_angle(segment.heading_rad[-1] - 0.5 * np.pi)) < 1e-6
    assert screen(world, segment, CHECKED_M) is None
    assert segment.safe[-1] and world.state.body.xy_m == (1.0, 1.5)
    from humans.postures import stand

    pose, translation = stand(world.body, (5.0, 3.5), 0.5 * np.pi)
    assert np.allclose(segment.pose_rad[-1], pose, atol=1e-6) and np.allclose(segment.translation_m[-1], translation, atol=1e-6)


def test_already_there_is_no_walk() -> None:
    world = world_at(open_room(), (1.0, 1.5), 0.3)
    assert joined(plan_walk(world, (1.0, 1.5), 0.3)) == ()
    (turn,) = joined(plan_walk(world, (1.0, 1.5), 2.0))
    assert turn.phase == "turn" and abs(turn.heading_rad[-1] - 2.0) < 1e-6


def test_a_stance_past_where_two_walks_were_barred_is_not_tried() -> None:
    """Two refused walks through a narrow gap say it of every stance beyond, of none before it, and of nothing once one has moved."""
    world = world_at(gap_wall(0.50), (1.0, 3.0))
    beyond = [Stance((5.2, y), 0.0, 0.0, 0.0, 0.5) for y in (2.4, 3.0, 3.6)]
    assert barred(world, beyond[2]) is None
    for stance in beyond[:2]:
        assert isinstance(travel(world, stance), Refusal)
    known = barred(world, beyond[2])
    assert known is not None and known.code == Code.PATH_BLOCKED
    assert barred(world, Stance((2.0, 4.5), 0.0, 0.0, 0.0, 0.5)) is None
    moved = replace(world, state=world_at(gap_wall(0.50), (1.2, 3.0)).state)
    assert barred(moved, beyond[2]) is None
    forget_walks(world)
    assert barred(world, beyond[2]) is None


def test_a_gap_narrower_than_the_body_is_refused_with_both_widths() -> None:
    """RULES, Contacts: the 2-D radius lets a 0.50 m gap pass, the articulated body does not."""
    from humans.proxies import walking_width_m

    world = world_at(gap_wall(0.50), (1.0, 3.0))
    refusal = plan_walk(world, (5.0, 3.0), 0.0)
    assert isinstance(refusal, Refusal) and refusal.code == Code.PATH_BLOCKED
    assert refusal.fact.startswith(f"gap wall_20/wall_21 0.50 m < {walking_width_m(world.body):.2f} m at (3.0")


def test_a_gap_just_wide_enough_is_passed() -> None:
    world = world_at(gap_wall(0.76), (1.0, 2.2), 1.0)
    segments = joined(plan_walk(world, (5.0, 3.6), 0.0))
    keeps_bounds(world, segments)
    assert np.allclose(segments[-1].xy_m[-1], (5.0, 3.6), atol=1e-9) and all(screen(world, s, CHECKED_M) is None for s in segments[:1])


def test_a_post_below_the_grid_bands_is_found_in_3d_and_avoided() -> None:
    """A thing that the grid does not see (an arm-high bar is in the band; this one hangs between the bands' cells) is repaired."""
    bar = thing("bar_1", [box_piece((0.02, 0.02, 0.3))], (3.0, 1.28, 0.95))
    model = stage(floor((0, 0), (6, 4)), *walls_round((0, 0), (6, 4)), bar)
    world = world_at(model, (1.0, 1.0))
    walk = plan_walk(world, (5.0, 1.0), 0.0)
    (segment,) = joined(walk)
    assert screen(world, segment, CHECKED_M) is None


def test_a_stance_at_a_counter_is_reached_by_a_straight_last_step_and_left_again() -> None:
    counter = block("counter_1", (2.0, 3.4, 0.0), (4.0, 4.0, 0.9))
    model = stage(floor((0, 0), (6, 4)), *walls_round((0, 0), (6, 4)), counter)
    world = world_at(model, (1.0, 1.0))
    segments = joined(plan_walk(world, (3.0, 3.14), 0.5 * np.pi))
    keeps_bounds(world, segments)
    for segment in segments:
        world.advance(segment)
    assert np.allclose(world.state.body.xy_m, (3.0, 3.14), atol=1e-9)
    away = joined(plan_walk(world, (5.0, 1.0), 0.0))
    keeps_bounds(world, away)
    assert np.allclose(away[-1].xy_m[-1], (5.0, 1.0), atol=1e-9)


def test_stances_are_clear_connected_and_face_the_point() -> None:
    world = world_at(open_room(), (1.0, 1.5))
    found = stances(world, (2.8, 2.5, 0.8), target="mug_1")
    assert found and found == sorted(found, key=lambda s: s.cost_m)
    candidates = Candidates(world)
    for s in found:
        assert candidates.idle_hits(s.xy_m, s.heading_rad) == []
        assert abs(wrap_angle(s.heading_rad - np.arctan2(2.5 - s.xy_m[1], 2.8 - s.xy_m[0]))) < 1e-9
        assert not (2.6 < s.xy_m[0] < 3.4 and 2.2 < s.xy_m[1] < 3.8)
    walled = stage(
        floor((0, 0), (6, 6)),
        *walls_round((0, 0), (6, 6)),
        *walls_round((4, 4), (5, 5), start=30),
        block("mug_1", (4.45, 4.45, 0), (4.55, 4.55, 1)),
    )
    assert stances(world_at(walled, (1, 1)), (4.5, 4.5, 1.0), far_m=0.4) == []


def test_a_blocked_stance_snaps_to_the_nearest_valid_one() -> None:
    world = world_at(open_room(), (1.0, 1.5))
    spot = Candidates(world).snapped((2.5, 3.0), 0.0)
    assert spot is not None and np.hypot(spot[0] - 2.5, spot[1] - 3.0) <= 0.6 + 1e-9
    assert Candidates(world).snapped((3.0, 3.0), 0.0, reach_m=0.2) is None


def test_the_checks_of_a_stance_look_at_their_own_state() -> None:
    world = world_at(open_room(), (1.0, 1.5))
    candidates, moved = Candidates(world), world.fork()
    moved.state = world.state.with_(poses={**world.state.poses, "mug_1": Pose((1.0, 1.5, 1.0))})
    assert Candidates(moved).idle_hits((1.0, 1.5), 0.0) != [], "there the mug is in the body"
    assert candidates.idle_hits((1.0, 1.5), 0.0) == []


def test_the_arm_test_ignores_the_target_near_the_point_only() -> None:
    world = world_at(open_room(), (1.0, 1.5))
    check_ = Candidates(world)
    mug = np.array([2.8, 2.5, 0.85])
    assert check_.arm_free((2.3, 2.5), 0.0, "right", mug, "mug_1")
    assert not check_.arm_free((2.3, 2.5), 0.0, "right", np.array([2.8, 2.5, 0.5]), "mug_1")  # through the table top


class FakeDrive:
    """Stands in for the manipulation of doors: swings the leaf open in one frame."""

    def __init__(self, refuse=()) -> None:
        self.calls: list[str] = []
        self.refuse = refuse

    def __call__(self, world, key, is_open):
        self.calls.append(key)
        if key in self.refuse:
            return Refusal(Code.LOCKED, f"{key} is locked", "find the key")
        joint = world.stage.entity(key).joints[0]
        body = world.state.body
        return [Segment("swing", body.pose_rad[None], body.translation_m[None], np.array([body.xy_m]), np.array([body.heading_rad]),
                        np.ones(1, bool), joints={joint.key: np.array([joint.open_at])})]  # fmt: skip


@pytest.fixture
def drive(monkeypatch):
    import types

    def install(**more):
        fake = FakeDrive(**more)
        module = types.ModuleType("actions.manipulation.drive")
        module.plan_drive = fake
        monkeypatch.setitem(sys.modules, "actions.manipulation.drive", module)
        return fake

    return install


def test_closed_doors_on_the_way_are_opened_in_order(drive) -> None:
    fake = drive()
    world = world_at(two_rooms(doors=2), (1.0, 1.0))
    trip = journey(world, stances(world, (11.0, 2.0, 0.8)))
    segments = joined(trip)
    assert isinstance(trip, Walk) and fake.calls == ["door_1", "door_2"] and trip.notes["doors"] == ["door_1", "door_2"]
    assert [s.phase for s in segments].count("swing") == 2
    assert world.state.joints["door_1_hinge"] == 0.0
    for segment in segments:
        if segment.phase != "swing":
            assert screen(world, segment, CHECKED_M) is None
        world.advance(segment)
    assert np.hypot(world.state.body.xy_m[0] - 11.0, world.state.body.xy_m[1] - 2.0) < 0.9


def test_a_door_that_stays_closed_is_named_first_on_the_way(drive) -> None:
    """cases.md E, virtualhome#36: `open fridge` behind closed doors is refused with the first door; no state change."""
    drive(refuse=("door_1",))
    world = world_at(two_rooms(doors=2), (1.0, 1.0))
    before = world.state
    refusal = travel(world, stances(world, (11.0, 2.0, 0.8)))
    assert isinstance(refusal, Refusal) and refusal.code == Code.DOOR_CLOSED and refusal.fact.startswith("door_1 is closed")
    assert world.state is before


def test_an_open_leaf_is_walked_round(drive) -> None:
    fake = drive()
    world = world_at(two_rooms(initial=-0.5 * np.pi), (1.0, 1.0))
    segments = joined(journey(world, stances(world, (7.0, 3.0, 0.8))))
    assert fake.calls == []
    keeps_bounds(world, segments)


def test_what_is_carried_keeps_its_place_in_the_hand_and_its_contents() -> None:
    """cases.md G, BEHAVIOR-1K PR#17 and ai2thor#301: held pose error below 1e-6, contents travel along."""
    tray = thing("tray_1", [box_piece((0.02, 0.06, 0.16))], (0, 0, 5.0), kind="movable")
    cup = thing("cup_1", [box_piece((0.02, 0.03, 0.03))], (0, 0, 5.05), kind="movable")
    model = stage(floor((0, 0), (6, 6)), *walls_round((0, 0), (6, 6)), tray, cup)
    world = holding(world_at(model, (1.0, 1.0)), "tray_1")
    world.state = world.state.with_(riding=(Riding("cup_1", "tray_1", "", Pose((-0.03, 0.0, 0.02))),))
    (segment,) = joined(plan_walk(world, (4.0, 4.0), 0.0))
    held = world.state.held
    assert held is not None and set(segment.carried) == {"tray_1", "cup_1"} and segment.allowed.held == "tray_1"
    for k in range(0, len(segment), 7):
        wrist = joint_transforms(world.body, segment.pose_rad[k], segment.translation_m[k])[JOINT["right_wrist"]]
        tray_now = Pose.from_array(segment.carried["tray_1"][k]).matrix()
        cup_now = Pose.from_array(segment.carried["cup_1"][k]).matrix()
        assert np.allclose(inverse(wrist) @ tray_now, held.wrist_object.matrix(), atol=1e-6)
        assert np.allclose(inverse(tray_now) @ cup_now, Pose((-0.03, 0.0, 0.02)).matrix(), atol=1e-6)


def test_a_carried_bar_that_would_strike_is_screened() -> None:
    from actions.navigation.tracks import straight_track
    from actions.navigation.walking import walk_segment

    post = block("post_1", (2.5, 0.93, 0.0), (2.6, 1.03, 2.0))
    bar = thing("bar_1", [box_piece((0.02, 0.02, 0.9))], (0, 0, 5.0), kind="movable")
    loaded = holding(world_at(stage(floor((0, 0), (6, 6)), post, bar), (1.0, 1.25)), "bar_1")
    hit = screen(loaded, walk_segment(loaded, straight_track((1.0, 1.25), 0.0, 2.0)))
    assert hit is not None and (hit.hit.mine, hit.hit.owner) == ("bar_1", "post_1")
    segments = joined(plan_walk(loaded, (4.5, 1.25), 0.0))
    for segment in segments:
        assert screen(loaded, segment, CHECKED_M) is None
        loaded.advance(segment)


def test_a_gap_that_a_carried_tray_does_not_fit_is_refused_with_both_widths() -> None:
    """Empty-handed the person walks through; the tray is 0.5 m wide and its far edge 0.62 m beside the middle of the body."""
    gap, out = 0.76, 0.62
    tray = thing("tray_1", [box_piece((0.02, 0.3, 0.5))], (0, 0, 5.0), kind="movable")
    model = stage(*gap_wall(gap).entities, tray)
    world = world_at(model, (1.0, 3.0))
    body = world.body
    assert isinstance(plan_walk(world, (5.0, 3.0), 0.0), Walk)
    wrist = joint_transforms(body, world.state.body.pose_rad, world.state.body.translation_m)[JOINT["right_wrist"]]
    place = np.eye(4)
    place[:3, :3] = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    place[:3, 3] = (1.0, 3.0 - out + 0.25, 0.75)
    from assistcore.house.state import Held

    poses = {**world.state.poses, "tray_1": Pose.from_matrix(place)}
    world.state = world.state.with_(poses=poses, held=Held("tray_1", "right", Pose.from_matrix(inverse(wrist) @ place)))
    refusal = plan_walk(world, (5.0, 3.0), 0.0)
    from humans.proxies import walking_width_m

    need = 0.5 * walking_width_m(body) + out
    assert isinstance(refusal, Refusal) and refusal.code == Code.PATH_BLOCKED
    assert refusal.fact.startswith(f"gap wall_20/wall_21 {gap:.2f} m < {need:.2f} m at (3.0"), refusal.fact


def test_turning_in_a_closet_is_refused_and_beside_a_wall_steps_back() -> None:
    closet = stage(floor((0, 0), (3, 3)), *walls_round((1.2, 1.2), (1.86, 1.86), start=30))
    refusal = turn_on_spot(world_at(closet, (1.53, 1.53)), np.pi)
    assert isinstance(refusal, Refusal) and refusal.code == Code.TRAJECTORY_COLLISION
    counter = stage(floor((0, 0), (4, 4)), block("counter_1", (0, 3.0, 0.0), (4, 4.0, 0.9)))
    world = world_at(counter, (2.0, 2.75), 0.5 * np.pi)
    segments = joined(turn_on_spot(world, np.pi))
    assert [s.phase for s in segments] == ["step_back", "turn"]
    keeps_bounds(world, segments)


def test_random_walks_are_legal_or_refused() -> None:
    rng = np.random.default_rng(7)
    model = open_room()
    legal = 0
    for _ in range(12):
        while True:
            start, goal = rng.uniform(0.5, 5.5, 2), rng.uniform(0.5, 5.5, 2)
            world = world_at(model, tuple(start), float(rng.uniform(-3, 3)))
            if Candidates(world).idle_hits(tuple(start), world.state.body.heading_rad) == []:
                break
        walk = plan_walk(world, tuple(goal), None, exact=False)
        if isinstance(walk, Walk):
            legal += 1
            keeps_bounds(world, walk.segments)
            for segment in walk.segments:
                assert screen(world, segment, CHECKED_M) is None
                world.advance(segment)
        else:
            assert walk.fact and walk.hint
    assert legal >= 10


DIGEST = """
import hashlib
from actions.navigation.route import plan_walk
from tests.actions.navigation.rooms import open_room, world_at
walk = plan_walk(world_at(open_room(), (1.0, 1.5), 3.0), (5.0, 3.5), 1.5)
h = hashlib.sha256()
for s in walk.segments:
    for a in (s.pose_rad, s.translation_m, s.xy_m, s.heading_rad):
        h.update(a.tobytes())
print(h.hexdigest())
"""


def test_two_processes_plan_the_same_bytes() -> None:
    out = [
        subprocess.run(
            [sys.executable, "-c", DIGEST], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    ]
    assert out[0] == out[1] and len(out[0].strip()) == 2 * hashlib.sha256().digest_size

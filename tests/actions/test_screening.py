"""Screening looks at every frame in which limbs and carried things may have met."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from actions.frames import capsule_track, pose_rows, trunk_transforms
from actions.manipulation.segments import segment_of
from actions.motions import Segment
from actions.screening import Violation, screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.contacts import BODY
from humans.model import JOINT
from tests.actions.manipulation.scenes import at, box, cabinet, carcass, drawer, fixed, lamp, mug, packet, table, thing, world


def _towards_the_chest(*ahead_m: float) -> Violation | None:
    """The screening of someone who stands still while a small block comes to places ahead of the chest, metres from the middle."""
    w = world(thing("block_1", "block", at(3.0, 0.0, 0.0), (box("b", (0.02, 0.02, 0.02)),)))
    body, roots = w.state.body, np.tile(np.eye(4), (len(ahead_m), 1, 1))
    roots[:, 0, 3], roots[:, 2, 3] = ahead_m, 1.25
    still = np.tile(body.pose_rad, (len(ahead_m), 1)), np.tile(body.translation_m, (len(ahead_m), 1))
    return screen(w, segment_of(w, "carry", *still, allowed=Allowed(), carried={"block_1": pose_rows(roots)}))


def test_no_frame_is_skipped_in_which_what_is_carried_reaches_the_body() -> None:
    """What was just not near went into the chest within the distance that every other obstacle left free."""
    touches = next(x for x in np.arange(0.6, 0.0, -0.001).tolist() if _towards_the_chest(x) is not None)
    assert _towards_the_chest(touches + 0.032) is None
    found = _towards_the_chest(touches + 0.032, touches - 0.001)
    assert found is not None and found.frame == 1 and found.hit.owner == "block_1"


def _first_of_all(w: ActionWorld, whole: Segment) -> Violation | None:
    """The first violation when every frame is screened alone."""
    for k in range(len(whole)):
        carried = {key: track[k : k + 1] for key, track in whole.carried.items()}
        joints = {key: values[k : k + 1] for key, values in whole.joints.items()}
        found = screen(w, replace(whole, pose_rad=whole.pose_rad[k : k + 1], translation_m=whole.translation_m[k : k + 1],
                                  carried=carried, joints=joints))  # fmt: skip
        if found is not None:
            return found._replace(frame=k)
    return None


def _random_segment(w: ActionWorld, rng: np.random.Generator) -> Segment:
    """Arms from one posture to another; sometimes a block is carried through the room, sometimes a drawer and a leaf are driven."""
    share = np.linspace(0.0, 1.0, int(rng.integers(2, 25)))[:, None]
    body, ends = w.state.body, rng.normal(0.0, 0.5, (2, 12))
    pose = np.tile(body.pose_rad, (len(share), 1))
    arms = [3 * JOINT[f"{side}_{name}"] + c for side in ("left", "right") for name in ("shoulder", "elbow") for c in range(3)]
    pose[:, arms] += rng.uniform(0.0, 0.4) * (ends[0] + share * (ends[1] - ends[0]))
    slide = rng.uniform((-0.1, -0.2, 0.0), ((0.1, 0.2, 0.0), (0.5, 0.2, 0.0)))
    place = body.translation_m + slide[0] + share * (slide[1] - slide[0])
    carried, joints = {}, {}
    if rng.random() < 0.4:
        roots, at_m, turn = np.tile(np.eye(4), (len(share), 1, 1)), rng.uniform((0.2, -0.4, 0.6), (0.8, 0.4, 1.2), (2, 3)), rng.normal()
        roots[:, :3, 3] = at_m[0] + share * (at_m[1] - at_m[0])
        c, s = np.cos(turn * share[:, 0]), np.sin(turn * share[:, 0])
        roots[:, 0, 0], roots[:, 0, 1], roots[:, 1, 0], roots[:, 1, 1] = c, -s, s, c
        carried["block_1"] = pose_rows(roots)
    if rng.random() < 0.3:
        joints["drawer_1_slide"], joints["cabinet_1_hinge"] = rng.uniform(0.0, 0.34) * share[:, 0], rng.uniform(0.0, 1.7) * share[:, 0]
    mugs = w.state.poses["mug_1"].position_m
    touch = Allowed(target="table_1", point_m=mugs, hands=("left", "right"), held="block_1", support="mug_1")
    allowed = (Allowed(), touch, replace(touch, other_m=(0.5, -0.3, 0.75), seat="lamp_1"))[int(rng.integers(3))]
    return segment_of(w, "carry", pose, place, allowed=allowed, carried=carried, joints=joints)


def test_a_segment_is_screened_as_its_frames_are_one_by_one() -> None:
    """Skipped frames, compiled bounds and places of what moves change neither the frame nor the pair that is found, to the last bit."""
    rng = np.random.default_rng(11)
    block = thing("block_1", "block", at(3.0, 0.0, 0.0), (box("b", (0.02, 0.05, 0.08)),))
    cup = mug("mug_2", 0.55, -0.55, 0.62)
    w = world(block, table(x=0.75), mug("mug_1", 0.45, 0.1), packet("packet_1", 0.5, -0.2), lamp(), cup, cabinet(x=-0.65),
              carcass(x=0.85, y=-0.7), drawer(x=0.85, y=-0.7))  # fmt: skip
    found: Counter[str] = Counter()
    for _ in range(150):
        segment = _random_segment(w, rng)
        late, first = screen(w, segment), _first_of_all(w, segment)
        assert late == first
        found["free" if late is None else late.hit.mine if late.hit.mine in ("block_1", "drawer_1") else late.hit.owner] += 1
        found["late"] += late is not None and late.frame > 0
    assert found["late"] > 20
    assert {"free", "block_1", "drawer_1", "table_1", BODY} <= set(found), found


def test_a_hand_presses_deeper_only_where_it_is_to_touch() -> None:
    """Sideways a millimetre a frame against a board at the height of the hand: 8 mm where it may be touched, 2 mm elsewhere."""
    body = world().state.body
    shapes = capsule_track(world().body, trunk_transforms(world().body, body.pose_rad[None], body.translation_m[None]))
    hand = shapes.names.index("left_hand")
    x, y, z = (0.5 * (shapes.a_m + shapes.b_m))[0, hand].tolist()
    w = world(fixed("board_1", "board", at(0.0, y + shapes.radius_m[hand] + 0.06, 0.0), (box("b", (0.5, 0.02, 0.03), (0.0, 0.0, z)),)))
    way = np.arange(81)[:, None] * np.array([0.0, 0.001, 0.0])
    frames = []
    for ahead_m in (0.0, 0.4):
        touch = Allowed(target="board_1", point_m=(x + ahead_m, y + shapes.radius_m[hand] + 0.04, z), hands=("left",))
        segment = segment_of(w, "reach", np.tile(body.pose_rad, (len(way), 1)), body.translation_m + way, allowed=touch)
        found = screen(w, segment)
        assert found is not None and found == _first_of_all(w, segment) and found.hit.mine == "left_hand"
        frames.append(found.frame)
    assert abs(frames[0] - frames[1] - 6) <= 1

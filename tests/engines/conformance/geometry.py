"""What a verb that is done promises, measured: poses, joints, body and boxes of the state; neither the graph nor the verb's own word."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actions.postures.phoning import ear_m
from assistcore.house.mating import connector_frame
from assistcore.house.state import HouseState
from assistcore.world.poses import inverse, transform_points, wrap_angle
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.leading import CONTACT_M, LED_SHARE, hand_gap_m
from humans.camera import head_camera
from humans.kinematics import joint_transforms
from humans.model import JOINT
from humans.postures import idle_pelvis_height_m

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Seen:
    """A command that was played: the state before, the states after every tick, and its arguments."""

    house: HouseEngine
    args: tuple[str | float, ...]
    start: HouseState
    states: tuple[HouseState, ...]

    @property
    def end(self) -> HouseState:
        """The last state."""
        return self.states[-1]

    @property
    def key(self) -> str:
        """The first thing named."""
        return str(self.args[0])

    @property
    def other(self) -> str:
        """The second thing named."""
        return str(self.args[1])

    def root(self, key: str, state: HouseState | None = None) -> F64:
        """World transform (4, 4) of a thing in a state, at the end unless given."""
        return (state or self.end).root(self.house.stage, key)

    def box(self, key: str, state: HouseState | None = None) -> tuple[F64, F64]:
        """Low and high corner (3,) of a thing's box in the world."""
        low, high = self.house.stage.entity(key).box_m
        corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
        moved = transform_points(self.root(key, state), corners)
        return moved.min(axis=0), moved.max(axis=0)

    def bones(self, state: HouseState) -> F64:
        """Joint frames (n, 4, 4)."""
        return joint_transforms(self.house.body, state.body.pose_rad, state.body.translation_m)

    @cached_property
    def trail(self) -> F64:
        """Joint places (ticks, joints, 3)."""
        return np.stack([self.bones(s)[:, :3, 3] for s in self.states])

    def joint(self, state: HouseState) -> float:
        """Open share of the first thing's joint."""
        return state.open_fraction(self.house.stage, self.house.stage.entity(self.key).joints[0].key)

    def nearest_m(self, joints: tuple[str, ...], point: F64) -> float:
        """How near any of these joints came to a point."""
        rows = [JOINT[name] for name in joints]
        return float(np.linalg.norm(self.trail[:, rows] - point, axis=2).min())


def _held(seen: Seen, key: str) -> None:
    """In the hand, rigidly, and touching no support."""
    held = seen.end.held
    assert held is not None and held.entity == key
    wrist = seen.bones(seen.end)[JOINT[f"{held.hand}_wrist"]]
    assert np.abs(wrist @ held.wrist_object.matrix() - seen.root(key)).max() < 1e-6


def _standing(seen: Seen, state: HouseState | None = None) -> None:
    state = state or seen.end
    hips = seen.bones(state)[0, 2, 3]
    assert state.body.posture == "standing" and abs(hips - idle_pelvis_height_m(seen.house.body)) < 0.03


def _still(seen: Seen, key: str) -> None:
    """At rest, in no hand."""
    held = seen.end.held
    assert (held is None or held.entity != key) and seen.house.resting


def _gap(a: tuple[F64, F64], b: tuple[F64, F64]) -> float:
    apart = np.maximum(0.0, np.maximum(a[0] - b[1], b[0] - a[1]))
    return float(np.linalg.norm(apart))


def navigate_to(seen: Seen) -> None:
    """Standing within an arm and a step of it, looking its way."""
    _standing(seen)
    low, high = seen.box(seen.key)
    here = np.array([*seen.end.body.xy_m])
    apart = np.maximum(0.0, np.maximum(low[:2] - here, here - high[:2]))
    assert np.linalg.norm(apart) < 1.3
    line = 0.5 * (low + high)[:2] - here
    assert abs(wrap_angle(float(np.arctan2(line[1], line[0])) - seen.end.body.heading_rad)) < np.radians(50)


def forward(seen: Seen) -> None:
    """So far along the heading, and nowhere else."""
    heading = seen.start.body.heading_rad
    way = np.subtract(seen.end.body.xy_m, seen.start.body.xy_m)
    along, aside = way @ [np.cos(heading), np.sin(heading)], way @ [-np.sin(heading), np.cos(heading)]
    assert abs(along - float(seen.args[0])) < 0.01 and abs(aside) < 0.01
    assert abs(wrap_angle(seen.end.body.heading_rad - heading)) < np.radians(1)
    _standing(seen)


def turn(seen: Seen) -> None:
    """By the angle, to the side asked for, on the spot (or a step back)."""
    way = seen.args[0]
    angle = 180.0 if way == "around" else float(seen.args[1])
    headings = np.array([seen.start.body.heading_rad, *(s.body.heading_rad for s in seen.states)])
    turned = float(np.sum([wrap_angle(float(d)) for d in np.diff(headings)]))
    assert abs(np.degrees(turned) - (-angle if way == "right" else angle)) < 1.0
    assert np.linalg.norm(np.subtract(seen.end.body.xy_m, seen.start.body.xy_m)) < 0.45


def sit(seen: Seen) -> None:
    """The hips are over the seat and low, the feet on the floor, the shins upright enough."""
    low, high = seen.box(seen.key)
    T = seen.bones(seen.end)[:, :3, 3]
    hips = 0.5 * (T[JOINT["left_hip"]] + T[JOINT["right_hip"]])
    assert (hips[:2] > low[:2] - 0.02).all() and (hips[:2] < high[:2] + 0.02).all()
    assert hips[2] < idle_pelvis_height_m(seen.house.body) - 0.2
    assert all(abs(T[JOINT[f"{side}_ankle"], 2] - 0.076) < 0.02 for side in ("left", "right"))


def standup(seen: Seen) -> None:
    """On the feet, the hips up."""
    _standing(seen)
    assert seen.bones(seen.start)[0, 2, 3] < seen.bones(seen.end)[0, 2, 3] - 0.2


def squat(seen: Seen) -> None:
    """Eyes and hips go down and come up again."""
    head, hips = seen.trail[:, JOINT["head"], 2], seen.trail[:, 0, 2]
    assert head.min() < head[-1] - 0.3 and hips.min() < hips[-1] - 0.3
    _standing(seen)


def pick(seen: Seen) -> None:
    """In the hand, off its support."""
    _held(seen, seen.key)
    assert np.abs(seen.root(seen.key)[:3, 3] - seen.root(seen.key, seen.start)[:3, 3]).max() > 0.02


def release(seen: Seen) -> None:
    """Out of the hand, at rest, lower than before."""
    assert seen.end.held is None
    _still(seen, seen.key)
    assert seen.box(seen.key)[0][2] < seen.box(seen.key, seen.start)[0][2] - 0.02


def flip(seen: Seen) -> None:
    """What was up is down, about a level axis; still in the hand."""
    _held(seen, seen.key)
    R = seen.root(seen.key)[:3, :3] @ seen.root(seen.key, seen.start)[:3, :3].T
    assert abs(np.trace(R) + 1.0) < 0.02 and R[2, 2] < -0.99


def place(seen: Seen) -> None:
    """Its base is on the top of the support, within its edges."""
    _still(seen, seen.key)
    mine, under = seen.box(seen.key), seen.box(seen.other)
    middle = 0.5 * (mine[0] + mine[1])[:2]
    assert abs(mine[0][2] - under[1][2]) < 0.005 and (middle > under[0][:2]).all() and (middle < under[1][:2]).all()


def place_inside(seen: Seen) -> None:
    """Its middle is in an interior of the container."""
    _still(seen, seen.key)
    middle = 0.5 * np.sum(seen.box(seen.key), axis=0)
    local = transform_points(inverse(seen.root(seen.other)), middle[None])[0]
    assert any(
        (local >= np.asarray(r.low_m) - 0.01).all() and (local <= np.asarray(r.high_m) + 0.01).all()
        for r in seen.house.stage.entity(seen.other).regions if r.kind == "interior"
    )  # fmt: skip


def place_on_floor(seen: Seen) -> None:
    """On the floor, within half a metre of the anchor."""
    _still(seen, seen.key)
    assert abs(seen.box(seen.key)[0][2]) < 0.006 and _gap(seen.box(seen.key), seen.box(seen.other)) < 0.5
    _standing(seen)


def fall_to_floor(seen: Seen) -> None:
    """Down on the floor; the person has not moved."""
    _still(seen, seen.key)
    assert seen.box(seen.key)[0][2] < 0.02 < 0.3 < seen.box(seen.key, seen.start)[0][2]
    assert (seen.end.body.pose_rad == seen.start.body.pose_rad).all()


def attach(seen: Seen) -> None:
    """Plug and socket frames are on each other."""
    stage, row = seen.house.stage, next(a for a in seen.end.attached if a.child == seen.key)
    plug, socket = stage.entity(seen.key).connector(row.plug), stage.entity(seen.other).connector(row.socket)
    assert plug is not None and socket is not None and seen.end.held is None
    mine = seen.root(seen.key) @ connector_frame(stage.entity(seen.key), plug)
    theirs = seen.root(seen.other) @ connector_frame(stage.entity(seen.other), socket)
    assert np.linalg.norm(mine[:3, 3] - theirs[:3, 3]) < 0.003 and float(mine[:3, 2] @ theirs[:3, 2]) > np.cos(np.radians(2.0))


def detach(seen: Seen) -> None:
    """In the hand, away from the parent, which has stayed."""
    _held(seen, seen.key)
    assert not any(a.child == seen.key for a in seen.end.attached)
    before = inverse(seen.root(seen.other, seen.start)) @ seen.root(seen.key, seen.start)
    assert np.linalg.norm((inverse(seen.root(seen.other)) @ seen.root(seen.key) - before)[:3, 3]) > 0.03
    assert np.abs(seen.root(seen.other) - seen.root(seen.other, seen.start)).max() < 0.01


def raise_(seen: Seen) -> None:
    """Upright within a degree, its parts still where they are in it."""
    assert seen.root(seen.key)[2, 2] > np.cos(np.radians(1.0)) and seen.root(seen.key, seen.start)[2, 2] < 0.2
    for row in seen.end.attached:
        assert np.abs(inverse(seen.root(row.parent)) @ seen.root(row.child) - row.parent_child.matrix()).max() < 1e-6


def rolled(seen: Seen) -> None:
    """On its wheels, within half a metre of where it was to go, out of the hands."""
    assert seen.end.held is None and seen.root(seen.key)[2, 2] > 0.999 and abs(seen.box(seen.key)[0][2]) < 0.01
    assert _gap(seen.box(seen.key), seen.box(seen.other)) < 0.5 < _gap(seen.box(seen.key, seen.start), seen.box(seen.other, seen.start))


def opened(seen: Seen) -> None:
    """The joint is at its open end and was not; a hand has led it there."""
    assert seen.joint(seen.start) < 0.9 <= seen.joint(seen.end)
    _led(seen)


def closed(seen: Seen) -> None:
    """The joint is at its closed end and was not; a hand has led it there."""
    assert seen.joint(seen.end) <= 0.05 < seen.joint(seen.start)
    _led(seen)


def _led(seen: Seen) -> None:
    """The skin of a hand is on the moving link but for at most a tenth of the joint's whole range."""
    house, entity = seen.house, seen.house.stage.entity(seen.key)
    link = next(x for x in entity.links if x.joint is not None)
    values = [seen.joint(s) for s in (seen.start, *seen.states)]
    steps = [(abs(b - a), state) for a, b, state in zip(values[:-1], values[1:], seen.states, strict=True) if a != b]
    alone = sum(step for step, state in steps if hand_gap_m(house.body, house.stage, state, entity, link) > CONTACT_M)
    assert steps and alone <= 1.0 - LED_SHARE + 1e-6, f"{alone:.3f} of {sum(step for step, _ in steps):.3f} without a hand on it"


def switched(seen: Seen) -> None:
    """A finger tip came to the control, and the device has changed over once."""
    entity = seen.house.stage.entity(seen.key)
    assert entity.control is not None
    point = transform_points(seen.root(seen.key), np.asarray(entity.control.point_m)[None])[0]
    assert seen.nearest_m(("left_index3", "right_index3"), point) < 0.04
    runs = [bool(s.attributes[seen.key]["running"]) for s in (seen.start, *seen.states)]
    assert runs[0] != runs[-1] and sum(a != b for a, b in zip(runs, runs[1:], strict=False)) == 1


def cook(seen: Seen) -> None:
    """Cooked where it lies, with the person before it."""
    assert seen.end.attributes[seen.key]["cooked"] is True
    middle = seen.root(seen.key)[:2, 3]
    assert np.linalg.norm(middle - np.asarray(seen.end.body.xy_m)) < 1.2
    assert np.abs(seen.root(seen.key) - seen.root(seen.key, seen.start)).max() < 0.01


def _tips(seen: Seen, tool: str, kind: str) -> F64:
    """World places (ticks, 3) of a tool's working end."""
    tip = next(t for t in seen.house.stage.entity(tool).tips if t.kind == kind)
    return np.stack([transform_points(seen.root(tool, s), np.asarray(tip.point_m)[None])[0] for s in seen.states])


def _over(points: F64, box: tuple[F64, F64], room_m: float) -> NDArray[np.bool_]:
    return np.asarray(((points >= box[0] - room_m) & (points <= box[1] + room_m)).all(axis=1), np.bool_)


def cut(seen: Seen) -> None:
    """The edge goes down into it several times; tool still in the hand."""
    _held(seen, seen.other)
    tip = next(t for t in seen.house.stage.entity(seen.other).tips if t.kind == "edge")
    edge = np.asarray(tip.point_m) + np.linspace(-0.5, 0.5, 9)[:, None] * tip.size_m[0] * np.asarray(tip.along)
    box = seen.box(seen.key, seen.start)
    low = [k for k, s in enumerate(seen.states) if _over(transform_points(seen.root(seen.other, s), edge), box, 0.012).any()]
    assert len(low) >= 3 and seen.end.attributes[seen.key]["cut"] is True


def stir(seen: Seen) -> None:
    """The head goes round in the vessel by at least a full turn."""
    _held(seen, seen.other)
    box = seen.box(seen.key, seen.start)
    at = _tips(seen, seen.other, "tip")
    at = at[_over(at, box, 0.0)]
    off = at[:, :2] - 0.5 * (box[0] + box[1])[:2]
    angles = np.unwrap(np.arctan2(off[:, 1], off[:, 0])[np.linalg.norm(off, axis=1) > 0.004])
    assert len(angles) > 6 and float(np.ptp(angles)) > 2.0 * np.pi


def pour(seen: Seen) -> None:
    """The source tilts over the mouth while the volume goes over, all of it, and is upright again."""
    _held(seen, seen.other)
    ups = np.array([seen.root(seen.other, s)[2, 2] for s in seen.states])
    out = [int(s.attributes[seen.other]["volume_ml"]) for s in (seen.start, *seen.states)]
    come = [int(s.attributes.get(seen.key, {}).get("volume_ml", 0)) for s in (seen.start, *seen.states)]
    assert ups.min() < 0.7 and ups[-1] > 0.9
    assert out[0] - out[-1] == come[-1] - come[0] > 0
    lip = np.stack([_lip(seen, s) for s in seen.states])
    runs = [k for k in range(len(seen.states)) if out[k + 1] < out[k]]
    low, high = seen.box(seen.key)
    middle = 0.5 * (low + high)[:2]
    mouth = 0.5 * float((high - low)[:2].max())
    assert runs and all(np.linalg.norm(lip[k, :2] - middle) < mouth and lip[k, 2] > high[2] - 0.005 for k in runs)


def _lip(seen: Seen, state: HouseState) -> F64:
    """The lowest place (3,) of the mouth of what is poured from."""
    rim = next(t for t in seen.house.stage.entity(seen.other).tips if t.kind == "rim")
    a = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    ring = np.asarray(rim.point_m) + 0.5 * rim.size_m[0] * np.stack([np.cos(a), np.sin(a), 0.0 * a], axis=1)
    world = transform_points(seen.root(seen.other, state), ring)
    return np.asarray(world[int(np.argmin(world[:, 2]))])


def wipe(seen: Seen) -> None:
    """The face sweeps close over the surface for at least 10 cm."""
    _held(seen, seen.key)
    at = _tips(seen, seen.key, "face")
    patch = "patch" in seen.house.stage.entity(seen.other).roles
    top = seen.root(seen.other)[2, 3] if patch else seen.box(seen.other)[1][2]
    low = at[np.abs(at[:, 2] - top) < 0.012]
    assert len(low) > 3 and float(np.linalg.norm(np.diff(low, axis=0), axis=1).sum()) > 0.1
    if patch:
        assert np.linalg.norm(low[:, :2] - seen.root(seen.other)[:2, 3], axis=1).min() < 0.05
        assert seen.end.attributes[seen.other]["present"] is False


def use_computer(seen: Seen) -> None:
    """Finger tips of both hands over the keys, and its display lit by them."""
    low, high = seen.box(seen.key)
    lit = next(k for k, s in enumerate(seen.states) if s.attributes[seen.key]["running"] is True)
    for side in ("left", "right"):
        tips = seen.trail[:, [JOINT[f"{side}_{f}3"] for f in ("index", "middle", "ring")]]
        near = ((tips[..., :2] > low[:2] - 0.05) & (tips[..., :2] < high[:2] + 0.05)).all(axis=2) & (tips[..., 2] < high[2] + 0.1)
        assert near.any(axis=1).sum() >= 10 and near[max(0, lit - 2) : lit + 1].any(), "it lights up while it is typed on"
    assert seen.end.attributes[seen.key]["running"] is True and seen.end.held is None


def answer_phone(seen: Seen) -> None:
    """At the ear of the hand that holds it, and it rings no longer."""
    _held(seen, seen.key)
    held, T = seen.end.held, seen.bones(seen.end)[JOINT["head"]]
    assert held is not None
    ear = T[:3, :3] @ ear_m(seen.house.body, held.hand) + T[:3, 3]
    assert np.linalg.norm(0.5 * np.sum(seen.box(seen.key), axis=0) - ear) < 0.14
    assert seen.end.attributes[seen.key]["ringing"] is False


def _gazes(seen: Seen) -> F64:
    """Where the head camera looks (ticks, 3), unit vectors."""
    return np.stack([-head_camera(seen.house.body, seen.bones(s))[1][:, 2] for s in seen.states])


def look_around(seen: Seen) -> None:
    """The gaze goes once all round; the person ends as before."""
    looks = _gazes(seen)
    angles = np.unwrap(np.arctan2(looks[:, 1], looks[:, 0]))
    assert float(np.ptp(angles)) > np.radians(300)
    assert abs(wrap_angle(seen.end.body.heading_rad - seen.start.body.heading_rad)) < np.radians(2)


def look_scan(seen: Seen) -> None:
    """The gaze sweeps the floor."""
    looks = _gazes(seen)
    down = looks[looks[:, 2] < -0.6]
    assert len(down) > 10
    across = np.unwrap(np.arctan2(down[:, 1], down[:, 0]))
    assert float(np.ptp(across)) > np.radians(40)


def look_at(seen: Seen) -> None:
    """Its middle is in the middle of the view for some time."""
    eyes = np.stack([head_camera(seen.house.body, seen.bones(s))[0] for s in seen.states])
    middles = np.stack([0.5 * np.sum(seen.box(seen.key, s), axis=0) for s in seen.states])
    line = middles - eyes
    line /= np.linalg.norm(line, axis=1, keepdims=True)
    assert int(((line * _gazes(seen)).sum(axis=1) > np.cos(np.radians(20.0))).sum()) >= 6


def wait(seen: Seen) -> None:
    """So many ticks, and nothing has moved."""
    assert len(seen.states) == round(12 * float(seen.args[0])) and (seen.end.body.pose_rad == seen.start.body.pose_rad).all()
    assert seen.end.poses == seen.start.poses


def confirm(seen: Seen) -> None:
    """One tick, and nothing has moved."""
    assert len(seen.states) == 1 and seen.end.poses == seen.start.poses and (seen.end.body.pose_rad == seen.start.body.pose_rad).all()


CHECKS: dict[str, Callable[[Seen], None]] = {
    "navigate_to": navigate_to, "forward": forward, "turn": turn, "sit": sit, "standup": standup, "squat": squat, "pick": pick,
    "release": release, "flip": flip, "place": place, "place_inside": place_inside, "place_on_floor": place_on_floor,
    "fall_to_floor": fall_to_floor, "attach": attach, "detach": detach, "raise": raise_, "push": rolled, "pull": rolled, "open": opened,
    "close": closed, "open_door": opened, "close_door": closed, "turn_on": switched, "turn_off": switched, "cook": cook, "cut": cut,
    "stir": stir, "pour": pour, "wipe": wipe, "use_computer": use_computer, "answer_phone": answer_phone, "look_around": look_around,
    "look_scan": look_scan, "look_at": look_at, "wait": wait, "confirm": confirm,
}  # fmt: skip

"""Reaching at a stance: choosing posture, arm and hand frame among candidates, and the way there and back, screened (seed B.2.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actions.manipulation import ik_kernels
from actions.manipulation import reach_kernels as kernels
from actions.manipulation.freedom import Freedom
from actions.manipulation.ik import COMFORT, EASY_SWIVEL_RAD, MAX_ITERATIONS, SWIVELS_RAD, ArmChain, arm_chain, close_arm
from actions.manipulation.keys import FINGER_ROWS, Figure, Key, key_at, key_of_pose, local_collar, look_from, pose_of_key
from actions.manipulation.paths import Frames, motion
from actions.manipulation.posture import Rung, at_stance, rungs, stance_matrix
from actions.manipulation.segments import frames_segment, segment_of
from actions.manipulation.vias import squat_first, ways_between
from actions.motions import Segment
from actions.navigation.walking import carrying_overlay
from actions.screening import Violation, screen
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.contacts import BODY
from assistcore.house.state import Hand
from assistcore.world.poses import inverse
from humans.arms import arm_overlay
from humans.hands import hand_pose
from humans.model import N_JOINTS
from humans.postures import Posture, stand
from humans.proxies import ARM_CAPSULES, CAPSULE

F64 = NDArray[np.float64]

RESIDUAL_M = 0.001
STRAIN_RAD = 0.02
MET = 9.0
"""Strain of an arm that runs into something."""
RUNG_COST = 0.35
OWN_BODY_M = 0.015
OTHER_SWIVELS_RAD = np.radians(np.array([15.0, -20.0, 60.0, 95.0]))
"""Elbow out, raised, down, back: tried where the easiest one strikes something."""
RUNGS_EACH = 4
"""Postures kept for every candidate: the first two that reach it, then deeper ones in wider steps."""
GIRDLE_M = 0.06
"""About how far a turn of the shoulder girdle brings the shoulder forward."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A scratch world whose person stands canonically, and the frames that planning at this stance needs."""

    world: ActionWorld
    figure: Figure
    T_stance: F64
    start: Key

    @property
    def home(self) -> Posture:
        """The idle posture here, whatever posture one starts from."""
        now = self.start.posture
        return Posture(now.x_m, now.y_m, now.heading_rad)

    def world_point(self, ahead_m: float, left_m: float, up_m: float) -> F64:
        """A point given in the stance frame."""
        out: F64 = (self.T_stance @ np.array([ahead_m, left_m, up_m, 1.0]))[:3]
        return out


def standing(world: ActionWorld, side: Hand) -> Standing:
    """The person as it stands in `world`, about to use one arm; the other arm keeps what it carries."""
    body = world.state.body
    held = world.state.held
    other = arm_overlay(body.pose_rad, (held.hand,)) if held is not None and held.hand != side else None
    figure = as_held(Figure(world.body, side, other, pair=held is not None and held.second is not None and held.hand == side), world)
    posture = Posture(float(body.xy_m[0]), float(body.xy_m[1]), float(body.heading_rad))
    return Standing(
        world, figure, stance_matrix(body.xy_m, body.heading_rad), key_of_pose(figure, posture, body.pose_rad, body.translation_m)
    )


def as_held(figure: Figure, world: ActionWorld) -> Figure:
    """The figure with the arms of a pair linked where both hands hold something, and free of each other where they do not."""
    held = world.state.held
    if not figure.pair or held is None or held.second is None:
        return replace(figure, link=None, second_fingers=None)
    fingers = world.state.body.pose_rad.reshape(N_JOINTS, 3)[FINGER_ROWS[figure.opposite.side]].copy()
    return replace(figure, link=held.wrist_object.matrix() @ held.second.matrix(), second_fingers=fingers)


def paired(here: Standing) -> Standing:
    """The same stance with both arms about to move together."""
    state = here.world.state
    figure = as_held(replace(here.figure, other=None, pair=True), here.world)
    return replace(here, figure=figure, start=key_of_pose(figure, here.start.posture, state.body.pose_rad, state.body.translation_m))


def idle_pose(world: ActionWorld) -> tuple[F64, F64]:
    """The canonical stance at the world's place, with the carrying arm kept."""
    state = world.state
    overlay = carrying_overlay(state)
    return stand(world.body, state.body.xy_m, state.body.heading_rad, overlay)


@dataclass(frozen=True, eq=False)
class Choice:
    """A candidate hand frame with the posture that reaches it; `index` is its place in the list of candidates."""

    index: int
    rung: Rung
    swivel_rad: float
    score: float


@dataclass(frozen=True, eq=False)
class Nearest:
    """The best that was found where nothing was reached: distance left over and joint limit excess."""

    residual_m: float = np.inf
    strain_rad: float = np.inf


def rank(
    here: Standing,
    wrists: F64,
    costs: F64,
    *,
    inside: bool,
    most: int = 10,
    free: Freedom | None = None,
    kneel: bool = False,
    enough: int = 10_000,
    only: Callable[[Rung], bool] | None = None,
    dense: bool = False,
) -> tuple[list[Choice], Nearest]:
    """Candidates (n, 4, 4) with costs (n,) that a posture of the ladder reaches within tolerance and joint limits, best score first.

    Per candidate the first rungs win; the second value says how near the failures came. With `free` postures and arms that meet obstacles
    do not count. `kneel`: postures on the knees count too. With `enough` choices no further posture is looked at.
    `only`: which postures count at all. `dense`: many more postures are looked at.
    """
    local = inverse(here.T_stance) @ wrists
    found: list[Choice] = []
    nearest = Nearest()
    count = np.zeros(len(wrists), np.int64)
    for step, option in enumerate(rungs(here.figure.body, here.figure.side, local[:, :3, 3], inside=inside, kneel=kneel, dense=dense)):
        if len(found) >= enough:
            break
        todo = np.flatnonzero(count < (RUNGS_EACH if step % 2 == 0 else 2))
        if not len(todo) or (only is not None and not only(option)) or (free is not None and not free.posture(option)):
            continue
        arm = all_arms(here, option, local[todo], free, reached_only=True)
        off = arm.residual_m >= RESIDUAL_M
        strained = ~off & (arm.strain_rad > STRAIN_RAD)
        if strained.any():
            nearest = min(nearest, Nearest(0.0, float(arm.strain_rad[strained].min())), key=_how_near)
        elif off.any():
            nearest = min(nearest, Nearest(float(arm.residual_m[off].min()), np.inf), key=_how_near)
        for row in np.flatnonzero(~off & ~strained):
            i = int(todo[row])
            count[i] += 1
            found.append(Choice(i, option, float(arm.swivel_rad[row]), float(arm.effort[row]) + float(costs[i]) + RUNG_COST * step))
    found.sort(key=lambda c: (c.score, c.index))
    return found[:most], nearest


def _how_near(miss: Nearest) -> tuple[float, float]:
    return miss.residual_m, miss.strain_rad


class Arms(NamedTuple):
    """The best swivel of every candidate under one rung: error, limit excess, effort, swivel, each (n,); elbow (n, 3), trunk frame."""

    residual_m: F64
    strain_rad: F64
    effort: F64
    swivel_rad: F64
    elbow_m: F64


def all_arms(here: Standing, option: Rung, local: F64, free: Freedom | None = None, *, reached_only: bool = False) -> Arms:
    """All candidates (n, 4, 4), stance frame, under one rung in one batch; the collar descends only for those that need it.

    With `free` arms that meet obstacles count as strained beyond all limits. A linked hand counts too. `reached_only`: of a candidate that
    is out of reach only the error is worked out; its strain and effort are infinite.
    """
    arms = _own_arms(here, option, local, free, reached_only)
    if here.figure.link is None:
        return arms
    other = replace(here, figure=here.figure.opposite)
    return worse(arms, _own_arms(other, option, local @ here.figure.link, None, reached_only))


def worse(a: Arms, b: Arms) -> Arms:
    """Of two arms that move together, row by row, what the worse one does; swivel and elbow of the first."""
    residual, strain = np.maximum(a.residual_m, b.residual_m), np.maximum(a.strain_rad, b.strain_rad)
    return Arms(residual, strain, a.effort + b.effort, a.swivel_rad, a.elbow_m)


def _own_arms(here: Standing, option: Rung, local: F64, free: Freedom | None, reached_only: bool) -> Arms:
    chain = arm_chain(here.figure.body, here.figure.side)
    n = len(local)
    targets, turns, collars, residual = np.empty((n, 3)), np.empty((n, 3, 3)), np.empty((n, 3, 3)), np.empty(n)
    kernels.KERNELS.ready()
    rest = local_collar(here.figure.side).copy()
    kernels.in_trunk(
        chain.bones_m, chain.span, chain.collar_rad, COMFORT, GIRDLE_M, MAX_ITERATIONS, rest, option.trunk, np.ascontiguousarray(local),
        targets, turns, collars, residual,
    )  # fmt: skip
    if not reached_only:
        return _swivelled(here, option, turns, targets, collars, free)
    out = Arms(residual, np.full(n, np.inf), np.full(n, np.inf), np.zeros(n), np.zeros((n, 3)))
    rows = np.flatnonzero(residual < RESIDUAL_M + 1e-9)
    if len(rows):
        for whole, part in zip(out, _swivelled(here, option, turns[rows], targets[rows], collars[rows], free), strict=True):
            whole[rows] = part
    return out


def _swivelled(here: Standing, option: Rung, turns: F64, targets: F64, collars: F64, free: Freedom | None) -> Arms:
    """The best swivels for hands turned by (n, 3, 3) at places (n, 3), trunk frame, with collars (n, 3, 3)."""
    chain = arm_chain(here.figure.body, here.figure.side)
    n, k = len(targets), len(SWIVELS_RAD)
    places = np.repeat(targets, k, axis=0)
    easy = EASY_SWIVEL_RAD - 2.0 * option.posture.pelvis_drop_m  # elbows pass outside flexed thighs
    arm = close_arm(chain, np.repeat(collars, k, axis=0), places, np.repeat(turns, k, axis=0), np.tile(SWIVELS_RAD, n), easy_rad=easy)
    strain = np.where(_meets_own_body(chain, option, arm.local, places), MET, arm.strain_rad)
    if free is not None:
        worth = np.flatnonzero((arm.residual_m < RESIDUAL_M) & (strain <= STRAIN_RAD))
        if len(worth):
            strain[worth[~free.arms(option, arm.local[worth])]] = MET
    strain, effort = strain.reshape(n, k), arm.effort.reshape(n, k)
    best, elbow, rows = np.empty(n, np.int64), np.empty((n, 3)), np.arange(n)
    kernels.easiest(chain.bones_m, strain, effort, arm.local.reshape(n, k, 4, 3, 3), best, elbow)
    return Arms(arm.residual_m[rows * k], strain[rows, best], effort[rows, best], SWIVELS_RAD[best], elbow)


def _meets_own_body(chain: ArmChain, option: Rung, local: F64, wrist_m: F64) -> NDArray[np.bool_]:
    """Whether arms (n, 4, 3, 3) with wrists (n, 3), trunk frame, run into trunk, thighs or head of a posture (samples along the arm)."""
    ik_kernels.KERNELS.ready()
    out = np.zeros(len(local), np.bool_)
    wrist = np.ascontiguousarray(wrist_m)
    ik_kernels.meets_body(chain.bones_m, local, wrist, option.trunk_a_m, option.trunk_b_m, option.trunk_radius_m, OWN_BODY_M, out)
    return out


def key_for(here: Standing, choice: Choice, T_wrist: F64, fingers: F64, look_m: F64 | None, *, swivel: bool = True) -> Key:
    """The key of a choice (or of another wrist frame from the same posture)."""
    posture = at_stance(choice.rung.posture, (here.home.x_m, here.home.y_m), here.home.heading_rad)
    trunk = here.T_stance @ choice.rung.trunk
    return key_at(
        here.figure, posture, trunk, T_wrist, fingers, look_from(here.figure, posture, look_m), choice.swivel_rad if swivel else None
    )


def moved_key(here: Standing, key: Key, rung: Rung, T_wrist: F64) -> Key:
    """The key with the hand elsewhere; posture, gaze and, where it is easy, the swivel are kept."""
    trunk = here.T_stance @ rung.trunk
    same = key_at(here.figure, key.posture, trunk, T_wrist, key.fingers, key.head, key.swivel_rad)
    return same if same.strain_rad <= STRAIN_RAD else key_at(here.figure, key.posture, trunk, T_wrist, key.fingers, key.head)


def works(key: Key, *, residual_m: float = RESIDUAL_M, strain_rad: float = 0.12) -> bool:
    """Whether the key's hand is where it should be, within the joint limits."""
    return key.residual_m <= residual_m and key.strain_rad <= strain_rad


def open_fingers(here: Standing) -> F64:
    """Finger rotations (15, 3) of the open hand."""
    return hand_pose(here.figure.body, "open", here.figure.side).reshape(15, 3)


def screen_key(here: Standing, key: Key, allowed: Allowed) -> Blocked | None:
    """Screens a single key as a pose."""
    pose, translation = pose_of_key(here.figure, key)
    violation = screen(here.world, segment_of(here.world, "key", pose[None], translation[None], allowed=allowed))
    return None if violation is None else Blocked.of(violation)


def clear_key(here: Standing, choice: Choice, T_wrist: F64, fingers: F64, look_m: F64 | None, allowed: Allowed) -> Key | Blocked:
    """The key of a choice, with the elbow swivelled elsewhere where its own place strikes something."""
    key = key_for(here, choice, T_wrist, fingers, look_m)
    first = screen_key(here, key, allowed)
    if first is None or first.owner == allowed.target:
        return key if first is None else first
    trunk = here.T_stance @ choice.rung.trunk
    for swivel in OTHER_SWIVELS_RAD:
        other = key_at(here.figure, key.posture, trunk, T_wrist, fingers, key.head, float(swivel))
        if works(other, strain_rad=0.1) and screen_key(here, other, allowed) is None:
            return other
    return first


Maker = Callable[[Frames], Segment]


@dataclass(frozen=True)
class Blocked:
    """Why a way was not taken: the pair of the first contact, or a speed limit. Less severe ones compare greater in `depth_m`."""

    text: str
    owner: str
    depth_m: float
    mine: str = ""
    """The limb or carried thing that meets `owner`."""
    fixed: bool = False
    """Whether that is on a part of the way that is the same by way of any via."""

    @classmethod
    def of(cls, violation: Violation) -> Blocked:
        """From a screening violation."""
        return cls(str(violation), violation.hit.owner, violation.hit.distance_m, violation.hit.mine)


@dataclass
class Budget:
    """How many motions, finger wraps and screened poses one command may still try: bounds planning work without a clock."""

    motions: int
    wraps: int = 90
    keys: int = 220
    stances: int = 1000
    careful: bool = False
    """Whether obstacles are looked at before candidates are ranked: worth its time where the easy ones have failed."""


BLENDED = 3
"""So many frames to either side of a key the path is smoothed over."""
BUDGET = "manipulation.budget"
MOTIONS = 48


def budget_of(world: ActionWorld) -> Budget:
    """The running command's budget (a fresh one outside `with_stance`)."""
    found = world.caches.get(BUDGET)
    return found if isinstance(found, Budget) else Budget(MOTIONS)


def way(
    here: Standing, keys: Sequence[Key], make: Maker, *, via_at: int = 0, pace: float = 1.0, level: bool = False, most: int = 9
) -> Segment | Blocked:
    """The first screened segment through the keys, trying vias between key `via_at` and the next one, `most` at most."""
    worst: Blocked | None = None
    before: tuple[str, str, str, float] | None = None
    budget = budget_of(here.world)
    ways = ways_between(here, keys[via_at], keys[via_at + 1])[:most]
    while ways:
        (extra, flare), ways = ways[0], ways[1:]
        if flare and before is not None and before[0] not in ARM_CAPSULES[here.figure.side][:2]:
            continue  # the hand and what it carries take the same way with the elbow out
        if budget.motions <= 0:
            return worst or Blocked("too many ways were tried", "nothing", -np.inf)
        budget.motions -= 1
        through = [*keys[: via_at + 1], *extra, *keys[via_at + 1 :]]
        frames = motion(here.figure, through, pace=pace, level=level, flare_rad=flare)
        if frames.too_fast and level:
            frames = motion(here.figure, through, pace=pace, flare_rad=flare)
        if frames.too_fast:
            worst = worst or Blocked(f"the arm would have to flip over ({frames.too_fast})", "nothing", -np.inf)
            continue
        segment = make(frames)
        violation = screen(here.world, segment)
        if violation is None:
            return segment
        if _elsewhere(here, frames, violation, via_at, via_at + len(extra)):
            return replace(Blocked.of(violation), fixed=True)
        if worst is None or violation.hit.distance_m > worst.depth_m:
            worst = Blocked.of(violation)
        if violation.hit.owner != BODY and not _moves_with_hand(here, violation.hit.mine):
            # trunk, legs, head and the other arm take the same way whatever the hand does
            squat = squat_first(here, keys[via_at], keys[via_at + 1]) if ways else None
            ways = [] if squat is None else [((squat,), 0.0)]
            continue
        pair = (violation.hit.mine, violation.hit.owner, violation.hit.link, round(violation.hit.distance_m, 3))
        if pair == before:
            break  # another way round does not change this contact
        before = pair
    if worst is None:
        raise ValueError("a way needs at least two keys")
    return worst


def _elsewhere(here: Standing, frames: Frames, violation: Violation, first: int, last: int) -> bool:
    """Whether hand or thing strike something in frames before section `first` or after `last`, which no via changes."""
    if frames.section is None or violation.hit.mine in ARM_CAPSULES[here.figure.side][:2] or not _moves_with_hand(here, violation.hit.mine):
        return False
    around = frames.section[max(0, violation.frame - BLENDED) : violation.frame + BLENDED + 1]
    return bool((around < first).all() or (around > last).all())


def _moves_with_hand(here: Standing, mine: str) -> bool:
    sides = (here.figure.side, here.figure.opposite.side) if here.figure.pair else (here.figure.side,)
    return any(mine in ARM_CAPSULES[side] for side in sides) or mine not in CAPSULE


def plain(here: Standing, phase: str, allowed: Allowed, **options: object) -> Maker:
    """A maker of segments with constant rules."""
    return lambda frames: frames_segment(here.world, phase, frames, allowed=allowed, **options)


def home_key(here: Standing) -> Key:
    """The canonical stance of the world as it is now, as a key."""
    pose, translation = idle_pose(here.world)
    return key_of_pose(here.figure, here.home, pose, translation)


def after(here: Standing, segment: Segment) -> Standing:
    """The same stance in a forked world advanced past a segment; `start` is the pose reached."""
    world = here.world.fork()
    world.advance(segment)
    state = world.state
    figure = as_held(here.figure, world)
    start = key_of_pose(figure, here.start.posture, state.body.pose_rad, state.body.translation_m)
    return replace(here, world=world, figure=figure, start=start)

"""Taking hold of a movable thing at a stance: grasp, finger wrap, lift, carry posture (seed B.2.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.carry import carry_keys
from actions.manipulation.closing import Closed, close_on
from actions.manipulation.firmness import Firmness
from actions.manipulation.freedom import Freedom
from actions.manipulation.grasp import PRE_CONTACT_M, UP, Grasp, Target, palm_axes
from actions.manipulation.holds import candidates
from actions.manipulation.keys import TRUNK, Key, key_at, wrist_of_key
from actions.manipulation.known import ByCost, ByState
from actions.manipulation.posture import Rung
from actions.manipulation.reach import (
    MET,
    OTHER_SWIVELS_RAD,
    Blocked,
    Choice,
    Maker,
    Nearest,
    Standing,
    after,
    budget_of,
    clear_key,
    moved_key,
    open_fingers,
    plain,
    rank,
    screen_key,
    standing,
    way,
    works,
)
from actions.manipulation.segments import hold_effect
from actions.manipulation.shape import Shape, shape_of
from actions.manipulation.surroundings import Place, enclosure, riders_of, support_of, world_box
from actions.motions import Hold, Segment
from actions.world import ActionWorld
from assistcore.house.clearance import Allowed
from assistcore.house.state import Hand
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import transform_points
from humans.hands import MAX_PENETRATION_M
from humans.kinematics import joint_transforms
from humans.postures import Posture, blend_posture, solve_posture
from humans.proxies import ARM_CAPSULES
from humans.rotations import rotation_z

F64 = NDArray[np.float64]

GRASPS_TRIED = 6
CHOICES = 48
CLOSINGS = 24
"""Grasps on which the fingers are closed before a stance is given up."""
CARRIES, CARRIES_LOOKED_AT = 3, 36
LIFTS_M = (0.10, 0.05, 0.02)
OUT_LIFTS_M = (0.03, 0.012)
"""How far a thing is raised off its shelf before it is drawn out."""
OUTS_M = (0.12, 0.05, -0.02)
"""How far before the front of what encloses it a thing is drawn before it is raised."""
RISES = (0.0, 0.4)
"""How far towards standing the body rises while it draws a thing out."""
YAWED_DEG = (0.0, 25.0, -25.0, 50.0, -50.0)
"""Turns of the hand about the vertical on its way in and out, where the arm would have to bend too far."""
SLOW = 0.7
"""Pace in an enclosure: a slower hand cuts corners less."""
BEFORE_M = (0.26, 0.14)
"""How far before the pre-contact place the hand comes in where the straight way meets the rim of an opening."""


@dataclass(frozen=True, eq=False)
class Failure:
    """Why an attempt at a stance failed, with how far it came (greater is farther)."""

    stage: int
    refusal: Refusal


def sides_for(world: ActionWorld, point_m: F64) -> tuple[Hand, ...]:
    """The hands to try, the nearer one first (the right one in the middle)."""
    body = world.state.body
    c, s = np.cos(body.heading_rad), np.sin(body.heading_rad)
    left = -s * (point_m[0] - body.xy_m[0]) + c * (point_m[1] - body.xy_m[1])
    return ("left", "right") if left > 0.10 else ("right", "left")


Suits = Callable[[Standing, Key], bool]
"""Whether a closed grasp serves what the thing is wanted for."""


Handy = Callable[[Grasp], bool]
"""Whether a grasp leaves a tool usable."""


@dataclass(frozen=True, eq=False)
class AtStance:
    """What was found out with one hand at one stance: ranked grasps by what makes them handy, and attempts with how each struck."""

    ranked: dict[tuple[bool, Handy | None], tuple[list[Grasp], list[Choice], Nearest]] = field(default_factory=dict)
    attempts: ByCost[tuple[list[Segment] | Failure, bool]] = field(default_factory=ByCost)


class Tries:
    """What searches for one thing in one command share, whatever they ask of a grasp: none looks again at what another has looked at."""

    def __init__(self) -> None:
        self._kept = ByState[AtStance]()

    def at(self, here: Standing) -> AtStance:
        """What is known at this stance with this hand."""
        return self._kept.get(here.world.state, here.figure.side, AtStance)


@dataclass(frozen=True, eq=False)
class Want:
    """What is to be grasped, what the grasp must serve, and what rides along on the thing."""

    key: str
    target: Target
    suits: Suits | None
    riders: tuple[str, ...]
    depth_m: float = 0.0
    """How far the far side of the thing is behind the front of what encloses it."""
    stands: bool = True
    """Whether it stands on something level, which stops closing fingers."""
    edges: bool = True
    """Whether it may be taken by an edge where no hand holds it firmly."""
    tries: Tries = field(default_factory=Tries)

    @property
    def inside(self) -> bool:
        """Whether it is taken out through an opening at the side."""
        return self.target.opening is not None


def plan_grab(
    world: ActionWorld,
    key: str,
    suits: Suits | None = None,
    handy: Handy | None = None,
    *,
    edges: bool = True,
    tries: Tries | None = None,
) -> list[Segment] | Failure:
    """Reach, grasp, lift and carry from where the person stands, by one hand with a `handy` grasp that `suits`. Changes nothing.

    `edges`: whether it may be taken by an edge where no hand holds it firmly. `tries`: of searches in one command with the same `suits`.
    """
    want = replace(wanted(world, key, suits, handy), edges=edges, tries=tries or Tries())
    best = Failure(0, Refusal(Code.GRASP_FAILED, f"{key}: no grasp suits a box of {_size(want.target.shape)}"))
    for side in sides_for(world, transform_points(want.target.T_object, want.target.shape.centre_m[None])[0]):
        outcome = _with_hand(standing(world, side), want)
        if not isinstance(outcome, Failure):
            return outcome
        best = outcome if outcome.stage > best.stage else best
    return best


def wanted(world: ActionWorld, key: str, suits: Suits | None = None, handy: Handy | None = None) -> Want:
    """What is to be grasped, as it lies, for a person who stands where it stands now."""
    entity = world.stage.entity(key)
    shape = shape_of(entity, world.caches)
    T_object = world.state.root(world.stage, key)
    centre = transform_points(T_object, shape.centre_m[None])[0]
    toward = np.append(centre[:2] - np.asarray(world.state.body.xy_m), 0.0)
    toward = toward / max(float(np.linalg.norm(toward)), 1e-9)
    place = enclosure(world, key)
    opening = place.opening if place is not None and place.opening[2] < 0.7 else None
    target = Target(T_object, shape, entity.grasp, toward, *palm_axes(world.body), opening, handy)
    depth = _depth_m(world, key, place) if place is not None and opening is not None else 0.0
    return Want(key, target, suits, riders_of(world, key), depth)


def _depth_m(world: ActionWorld, key: str, place: Place) -> float:
    """How far the far side of a thing is behind the front of the entity that it is in, along the opening."""
    out = int(np.argmax(np.abs(place.opening)))
    low, high = world_box(world, place.entity)
    own_low, own_high = world_box(world, key)
    front, far = (high[out], own_low[out]) if place.opening[out] > 0.0 else (-low[out], -own_high[out])
    return max(0.0, float(front - far))


def _size(shape: Shape) -> str:
    return " x ".join(f"{v:.2f}" for v in shape.size_m) + " m"


def _with_hand(here: Standing, want: Want) -> list[Segment] | Failure:
    key, budget, known = want.key, budget_of(here.world), want.tries.at(here)
    asked = (budget.careful, want.target.handy)
    if asked not in known.ranked:
        known.ranked[asked] = _ranked(here, want, careful=budget.careful)
    options, choices, nearest = known.ranked[asked]
    if not options:
        return Failure(0, Refusal(Code.GRASP_FAILED, f"{key}: no grasp suits a box of {_size(want.target.shape)}"))
    if not choices:
        return Failure(1, unreached(key, nearest))
    best = Failure(1, Refusal(Code.OUT_OF_REACH, f"{key} is out of reach from here"))
    tried = 0
    stuck: set[Rung] = set()
    for choice, grip in _gripping(here, want, options, choices):
        if tried >= GRASPS_TRIED or budget.keys <= 0 or budget.motions <= 0:
            break
        if choice.rung in stuck:
            continue
        budget.keys -= 1
        outcome, strikes = _attempted(here, want, options[choice.index], grip, choice)
        if strikes:
            stuck.add(choice.rung)
        if not isinstance(outcome, Failure):
            return outcome
        tried += outcome.stage > 2
        best = outcome if outcome.stage > best.stage else best
    return best if best.stage > 1 else _no_grip(here, want, options, choices)


def _ranked(here: Standing, want: Want, *, careful: bool) -> tuple[list[Grasp], list[Choice], Nearest]:
    """Grasps of this hand, those that a posture reaches in order of ease, and how near the others came."""
    target = want.target
    options = candidates(target, (here.figure.side,))
    if not options:
        return options, [], Nearest()
    free = None
    if want.inside or careful:
        free = Freedom(here.world, here.T_stance, here.figure.side, frozenset({want.key, *want.riders}))
        clear = free.hands(np.stack([g.T_wrist for g in options]))
        options = [g for g, ok in zip(options, clear, strict=True) if ok] or options
    wrists = np.stack([g.T_wrist for g in options])
    most = CHOICES if free is None else 3 * CHOICES
    choices, nearest = rank(here, wrists, np.array([g.cost for g in options]), inside=want.inside, most=most, free=free)
    return options, choices, nearest


def _attempted(here: Standing, want: Want, grasp: Grasp, grip: Closed, choice: Choice) -> tuple[list[Segment] | Failure, bool]:
    """`_attempt`, or what it was told before, and whether the body itself strikes something."""
    asked = (grasp.T_wrist.tobytes(), grasp.approach.tobytes(), grasp.family, grasp.kind, choice.rung, choice.swivel_rad)

    def made() -> tuple[list[Segment] | Failure, bool]:
        stuck: set[Rung] = set()
        return _attempt(here, want, grasp, grip, choice, stuck), bool(stuck)

    return want.tries.at(here).attempts.get(here.world, asked, made)


def _gripping(here: Standing, want: Want, options: list[Grasp], choices: list[Choice]) -> Iterator[tuple[Choice, Closed]]:
    """Choices whose closed hand holds firmly, as they come; where there is none, those that take the thing by an edge."""
    closed: dict[int, Closed] = {}
    spare: list[tuple[Choice, Closed]] = []
    found = False
    for choice in choices:
        if choice.index not in closed:
            if len(closed) >= CLOSINGS:
                continue
            closed[choice.index] = _grip(here, want, options[choice.index])
        grip = closed[choice.index]
        if grip.firmness.firm:
            found = True
            yield choice, grip
        elif want.edges and _at_an_edge(grip.firmness):
            spare.append((choice, grip))
    if not found:
        yield from spare


def _grip(here: Standing, want: Want, grasp: Grasp) -> Closed:
    return close_on(here.figure.body, want.target, grasp, here.world.caches, standing=want.stands)


def _no_grip(here: Standing, want: Want, options: list[Grasp], choices: list[Choice]) -> Failure:
    best = max((_grip(here, want, options[i]).firmness for i in {c.index for c in choices[:CLOSINGS]}), key=lambda f: f.score)
    what = f"only {len(best.digits)} of 5 fingers touch" if len(best.digits) < 4 else "the fingers do not touch it from opposite sides"
    return Failure(2, Refusal(Code.GRASP_FAILED, f"{want.key}: {what} ({', '.join(best.digits) or 'none'})", "free it or turn it"))


def unreached(key: str, nearest: Nearest) -> Refusal:
    """OUT_OF_REACH with what was missing."""
    if nearest.residual_m > 0.0:
        missing = (
            "no posture brings a hand near" if not np.isfinite(nearest.residual_m) else f"the hand stays {nearest.residual_m:.2f} m short"
        )
        return Refusal(Code.OUT_OF_REACH, f"{key} is out of reach: {missing}", "stand elsewhere or clear the way to it")
    if nearest.strain_rad >= MET:
        return Refusal(Code.OUT_OF_REACH, f"{key} is out of reach: every arm runs into something", "stand elsewhere or clear the way to it")
    return Refusal(Code.OUT_OF_REACH, f"{key} is out of reach: the arm would bend {np.degrees(nearest.strain_rad):.0f} degrees too far")


def collision(what: str, violation: Blocked) -> Refusal:
    """TRAJECTORY_COLLISION naming the pair and the depth."""
    hint = f"clear {violation.owner} or use another place" if violation.owner not in ("body", "nothing") else "try from another side"
    return Refusal(Code.TRAJECTORY_COLLISION, f"{what}: {violation.text}", hint)


def _attempt(here: Standing, want: Want, grasp: Grasp, grip: Closed, choice: Choice, stuck: set[Rung]) -> list[Segment] | Failure:
    """One closed grasp in one posture; postures in which the body itself strikes something are added to `stuck`."""
    key, target = want.key, want.target
    touch = Allowed(target=key, point_m=_point(grasp.point_m), hands=(here.figure.side,))
    contact = clear_key(here, choice, target.T_object @ grip.T_object_wrist, open_fingers(here), grasp.point_m, touch)
    if isinstance(contact, Blocked):
        if contact.mine and not _by_arm(here, contact):
            stuck.add(choice.rung)
        return Failure(2, collision(f"reaching for {key}", contact))
    if not works(contact):
        return Failure(2, Refusal(Code.OUT_OF_REACH, f"{key} is out of reach from here"))
    closed = replace(contact, fingers=grip.pose_rad.reshape(15, 3))
    best: Failure | None = None
    hold = hold_effect(here.world, key, here.figure.side, wrist_of_key(here.figure, closed), want.riders)
    suited = want.suits is None
    for offset, approach in _approaches(grasp):
        back = _backed(approach, contact.T_wrist, offset)
        pre = next((k for yaw in YAWED_DEG[:3] if works(k := moved_key(here, contact, choice.rung, _yawed(back, yaw)))), None)
        if pre is None:
            continue
        if (hit := screen_key(here, pre, touch)) is not None:
            pre = _elbow_elsewhere(here, pre, touch) if _by_arm(here, hit) else pre
            if not _by_arm(here, hit) or screen_key(here, pre, touch) is not None:
                best = best or Failure(3, collision(f"reaching for {key}", hit))
                continue
        if not suited and want.suits is not None and not want.suits(here, closed):
            return Failure(2, Refusal(Code.GRASP_FAILED, f"{key}: the hand would cover what is to be seen"))
        suited = True
        reached = _reached(here, choice, [pre, contact, closed], _taking(here, touch, hold), target.opening)
        if isinstance(reached, Blocked):
            best = Failure(4, collision(f"reaching for {key}", reached))
            continue
        lifted = lift(after(here, reached), want, choice, closed)
        if not isinstance(lifted, Failure):
            return [reached, lifted]
        best = lifted
    return best or Failure(3, Refusal(Code.OUT_OF_REACH, f"{key}: there is no room to bring the hand in front of it"))


def _by_arm(here: Standing, hit: Blocked) -> bool:
    """Whether it is the reaching arm that strikes something: its elbow may go elsewhere."""
    return hit.mine in ARM_CAPSULES[here.figure.side]


def _reached(here: Standing, choice: Choice, keys: list[Key], make: Maker, opening: F64 | None) -> Segment | Blocked:
    """The way to a grasp; into an enclosure the straight one, by way of a place before the opening, then round about."""
    if opening is None:
        return way(here, [here.start, *keys], make)
    out = np.array([opening[0], opening[1], 0.0])
    befores = [moved_key(here, keys[0], choice.rung, _moved(keys[0].T_wrist, by * out)) for by in BEFORE_M]
    starts = [[here.start], *([here.start, k] for k in befores if works(k, residual_m=0.01, strain_rad=0.25))]
    found: Segment | Blocked = Blocked("no way was tried", "nothing", -np.inf)
    for most in (2, 9):
        for start in starts:
            found = way(here, [*start, *keys], make, pace=SLOW, most=most)
            if not isinstance(found, Blocked):
                return found
    return found


def _point(point_m: F64) -> tuple[float, float, float]:
    return float(point_m[0]), float(point_m[1]), float(point_m[2])


def _approaches(grasp: Grasp) -> list[tuple[float, F64]]:
    """Pre-contact offsets and directions: the grasp's own, then steeper from above (between neighbours)."""
    down = grasp.approach * np.array([0.35, 0.35, 0.0]) - np.array([0.0, 0.0, 1.0])
    down = down / np.linalg.norm(down)
    return [(PRE_CONTACT_M[0], grasp.approach), (PRE_CONTACT_M[0], down), (PRE_CONTACT_M[1], grasp.approach), (PRE_CONTACT_M[2], down)]


def _backed(approach: F64, T_wrist: F64, offset_m: float) -> F64:
    T = T_wrist.copy()
    T[:3, 3] -= offset_m * approach
    return T


def _at_an_edge(hold: Firmness) -> bool:
    """Whether thumb and a finger touch, none too deep: enough to take by an edge what no hand closes round."""
    return "thumb" in hold.digits and len(hold.digits) >= 2 and hold.deepest_m <= MAX_PENETRATION_M


def _taking(here: Standing, touch: Allowed, hold: Hold) -> Maker:
    return lambda frames: plain(here, "reach", touch, effects=((len(frames) - 1, hold),))(frames)


def lift(here: Standing, want: Want, choice: Choice, closed: Key) -> Segment | Failure:
    """Away from the support (out of the enclosure first) and into the carry posture."""
    key = want.key
    support = support_of(here.world, key)
    rules = Allowed(held=key, support=support)
    best: Failure | None = None
    goals = clear_goals(here, key)
    if not goals:
        return Failure(5, Refusal(Code.OUT_OF_REACH, f"there is no room to carry {key} before the body here", "clear the way"))
    for raised in _ways_off(here, want, closed, choice):
        if not all(works(k, residual_m=0.01, strain_rad=0.25) for k in raised):
            best = best or Failure(5, Refusal(Code.OUT_OF_REACH, f"{key} cannot be lifted from here"))
            continue
        if (hit := screen_key(here, raised[-1], rules)) is not None:
            raised[-1] = _elbow_elsewhere(here, raised[-1], rules)
            if screen_key(here, raised[-1], rules) is not None:
                best = best or Failure(5, collision(f"lifting {key}", hit))
                continue
        make, pace = plain(here, "lift", rules, canonical_end=True), SLOW if want.inside else 1.0
        for goal in goals:
            result = way(here, [closed, *raised, goal], make, via_at=len(raised), level=True, pace=pace)
            if not isinstance(result, Blocked):
                return result
            if best is None or best.stage < 6:
                best = Failure(6, collision(f"lifting {key}", result))
    return best or Failure(5, Refusal(Code.OUT_OF_REACH, f"{key} cannot be lifted from here"))


def _elbow_elsewhere(here: Standing, key: Key, rules: Allowed) -> Key:
    """The key with the first other swivel that strikes nothing, or as it is."""
    trunk = _trunk(here, key.posture)
    for swivel in OTHER_SWIVELS_RAD:
        other = key_at(here.figure, key.posture, trunk, key.T_wrist, key.fingers, key.head, float(swivel))
        if works(other, residual_m=0.01, strain_rad=0.25) and screen_key(here, other, rules) is None:
            return other
    return key


def clear_goals(here: Standing, key: str) -> list[Key]:
    """The best carry postures that strike nothing where the person stands."""
    rules = Allowed(held=key)
    found: list[Key] = []
    for goal in carry_keys(here, key)[:CARRIES_LOOKED_AT]:
        if screen_key(here, goal, rules) is None:
            found.append(goal)
        if len(found) >= CARRIES:
            break
    return found


def _ways_off(here: Standing, want: Want, closed: Key, choice: Choice) -> Iterator[list[Key]]:
    """Keys that lead off the support, one list for each way to try: straight up, or a little up and out through the opening."""
    opening = want.target.opening
    if opening is None:
        for height in LIFTS_M:
            yield [moved_key(here, closed, choice.rung, _moved(closed.T_wrist, height * UP))]
        return
    out = np.array([opening[0], opening[1], 0.0])
    first = [moved_key(here, closed, choice.rung, _moved(closed.T_wrist, height * UP)) for height in OUT_LIFTS_M]
    for beyond in OUTS_M:
        for height, raised in zip(OUT_LIFTS_M, first, strict=True):
            T = _moved(closed.T_wrist, height * UP + (want.depth_m + beyond) * out)
            drawn = next((k for k in _drawn(here, closed, T) if works(k, residual_m=0.01, strain_rad=0.25)), None)
            if drawn is not None:
                yield [raised, drawn]


def _drawn(here: Standing, closed: Key, T: F64) -> Iterator[Key]:
    """The closed hand at T (4, 4): as it is, turned about the vertical, and with the body more upright."""
    for share in RISES:
        posture = blend_posture(closed.posture, here.home, share)
        trunk = _trunk(here, posture)
        for yaw in YAWED_DEG:
            yield key_at(here.figure, posture, trunk, _yawed(T, yaw), closed.fingers, closed.head)


def _yawed(T: F64, yaw_deg: float) -> F64:
    """A wrist frame turned about the vertical where it is."""
    out = T.copy()
    out[:3, :3] = rotation_z(np.radians(yaw_deg)) @ T[:3, :3]
    return out


def _moved(T: F64, by_m: F64) -> F64:
    out = T.copy()
    out[:3, 3] += by_m
    return out


def _trunk(here: Standing, posture: Posture) -> F64:
    """Transform (4, 4) of the joint that carries the arms."""
    body = here.figure.body
    trunk: F64 = joint_transforms(body, *solve_posture(body, posture, here.figure.other))[TRUNK]
    return trunk

"""Something slips off its support by itself and falls to the floor beside it (seed Table 5, fall_to_floor): nobody touches it.

It slides along the top with growing speed until its middle is past the edge; from there physics lets it tip, fall and settle. The direction
is the shortest way to an edge with free floor below: a pure function of the state.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from actions.manipulation.segments import rigid_tracks
from actions.manipulation.surroundings import centre_of, enclosure, riders_of, support_of, world_box
from actions.motions import LetGo, Segment
from actions.navigation.walking import carried_tracks
from actions.postures.attitudes import rules
from actions.postures.seated import seat_of
from actions.postures.seats import top_m
from actions.screening import collision_world, floor_keys, screen
from actions.world import ActionWorld
from assistcore.house.clearance import PLANNED_M
from assistcore.house.contacts import SOLES, body_hits
from assistcore.world.outcomes import Code, Refusal
from humans.kinematics import joint_transforms
from humans.proxies import ADJACENT_PAIRS, capsules

F64 = NDArray[np.float64]

DIRECTIONS = 16
FARTHEST_M = 1.2
STEP_M = 0.02
PAST = 0.3
"""Share of its half width by which the middle goes past the edge: it tips over from there."""
FASTEST_M_FRAME = 0.05
FALLING = "falling"
STRAYS = 0.5
"""Share of the height of its fall within which a thing comes to rest (the things of the flat: up to 0.48 m from 1.04 m)."""
FLOOR_M = 0.03
"""How much the ground below may differ from the floor."""


def lacking(world: ActionWorld, key: str, support: str) -> Refusal | None:
    """What keeps a thing from falling off a support, or None."""
    entity = world.stage.entity(key)
    if entity.kind != "movable":
        return Refusal(Code.NOT_AFFORDED, f"{key} is a {entity.kind} and does not fall", "name a movable thing")
    held = world.state.held
    if held is not None and (key == held.entity or any(r.entity == key for r in world.state.riding)):
        return Refusal(Code.NOT_AFFORDED, f"{key} is in the {held.hand} hand", f"put {held.entity} down first")
    if mated := world.state.attachment(key):
        return Refusal(Code.NOT_AFFORDED, f"{key} is attached to {mated.parent}", f"detach it from {mated.parent} first")
    place = enclosure(world, key)
    if place is not None:
        return Refusal(Code.NOT_AFFORDED, f"{key} is inside {place.entity}", "only what stands on top of something falls off it")
    if support in floor_keys(world):
        return Refusal(Code.NOT_AFFORDED, f"{support} is the floor", "name what it stands on")
    found = support_of(world, key)
    if found != support:
        return Refusal(Code.BAD_ARGUMENT, f"{key} stands on {found or 'nothing'}, not on {support}", "name what it stands on")
    return None


def slip_off(world: ActionWorld, key: str, support: str) -> Segment | Refusal:
    """The slide over the nearest edge; what stands on it goes along. Changes nothing."""
    ways = sorted(w for k in range(DIRECTIONS) if (w := _way(world, key, support, 2.0 * np.pi * k / DIRECTIONS)) is not None)
    why = ""
    for length, angle in ways:
        made = _slide(world, key, length, angle)
        hit = screen(world, made)
        limb = _on_the_person(world, key, made.carried[key][-1]) if hit is None else ""
        if hit is None and not limb:
            return made
        why = why or (f"the person's {limb} is in the way" if limb else str(hit))
    why = why or f"{support} has no edge with free floor below"
    return Refusal(Code.NO_FREE_SPACE, f"{key} cannot fall to the floor: {why}", f"clear the floor beside {support}")


def _way(world: ActionWorld, key: str, support: str, angle: float) -> tuple[float, float] | None:
    """How far a thing slides in a direction until it tips over the edge of its support; None without free floor there."""
    scene = collision_world(world)
    solids = scene.solids_of(support, world.state.root(world.stage, support))
    low, high = world_box(world, key)
    centre, half = centre_of(world, key), 0.5 * (high - low)
    way = np.array([np.cos(angle), np.sin(angle)])
    width = float(np.abs(way) @ half[:2])
    for s in np.arange(STEP_M, FARTHEST_M, STEP_M):
        x, y = centre[:2] + float(s) * way
        if top_m(solids, float(x), float(y)) > float(low[2]) - 0.10:
            continue
        length = float(s) + PAST * width
        end = centre[:2] + length * way
        return (length, angle) if _over_floor(world, end, half, way, float(low[2])) else None
    return None


def _over_floor(world: ActionWorld, end: F64, half: F64, way: F64, base_m: float) -> bool:
    """Whether nothing but floor is below a thing's middle, front and sides (half extents (3,)) when it is over the edge at `end` (2,)."""
    scene = collision_world(world)
    levels = [float(box[1][2]) for key in sorted(floor_keys(world)) if (box := scene.box_m(key)) is not None]
    across = np.array([-way[1], way[0]])
    ahead, aside = float(np.abs(way) @ half[:2]), float(np.abs(across) @ half[:2])
    for point in (end, end + ahead * way, end + aside * across, end - aside * across):
        top = scene.support_m(float(point[0]), float(point[1]), base_m - 0.02)
        if top is None or all(abs(top - level) > FLOOR_M for level in levels):
            return False
    return True


def _slide(world: ActionWorld, key: str, length: float, angle: float) -> Segment:
    """The person stays as it is; the thing speeds up towards the edge and is let go of there."""
    n = max(6, int(np.ceil(2.0 * length / FASTEST_M_FRAME)))
    along = length * (np.arange(1, n + 1) / n) ** 2
    root = world.state.root(world.stage, key)
    roots = np.repeat(root[None], n, axis=0)
    roots[:, :2, 3] += along[:, None] * np.array([np.cos(angle), np.sin(angle)])
    roots[:, 2, 3] += 0.5 * PLANNED_M
    body = world.state.body
    pose, place = np.repeat(body.pose_rad[None], n, axis=0), np.repeat(body.translation_m[None], n, axis=0)
    tracks = {**carried_tracks(world, pose, place), **rigid_tracks(world, key, roots)}
    return Segment(
        "fall", pose, place, np.tile(np.asarray(body.xy_m, np.float64), (n, 1)), np.full(n, body.heading_rad), np.zeros(n, np.bool_),
        carried=tracks, effects=((n - 1, LetGo(key)), *((n - 1, LetGo(r)) for r in riders_of(world, key))),
        allowed=rules(world, seat_of(world)), settle=True, posture=body.posture,
    )  # fmt: skip


def _on_the_person(world: ActionWorld, key: str, last: F64) -> str:
    """The limb that is in the column through which a thing falls from its last place (7,) or where it may come to rest, or nothing."""
    low, high = world_box(world, key)
    half = 0.5 * float(np.hypot(*(high - low)[:2]))
    start = centre_of(world, key) + last[:3] - world.state.root(world.stage, key)[:3, 3]
    body = world.state.body
    shapes = capsules(world.body, joint_transforms(world.body, body.pose_rad, body.translation_m))
    column = np.array([[start[0], start[1], half]])
    a, b = np.vstack([shapes.a_m, start[None]]), np.vstack([shapes.b_m, column])
    hits = body_hits((*shapes.names, FALLING), a, b, np.append(shapes.radius_m, half), ADJACENT_PAIRS)
    met = [h for h in hits if FALLING in (h.mine, h.link)]
    if met:
        return min(met).mine
    feet = [i for i, name in enumerate(shapes.names) if name in SOLES]
    share = np.linspace(0.0, 1.0, 5)[:, None, None]
    gaps = np.linalg.norm((shapes.a_m[feet] + share * (shapes.b_m[feet] - shapes.a_m[feet]))[..., :2] - start[:2], axis=-1).min(axis=0)
    reach = half + STRAYS * float(start[2]) + shapes.radius_m[feet]
    nearest = int(np.argmin(gaps - reach))
    return shapes.names[feet[nearest]] if gaps[nearest] < reach[nearest] else ""

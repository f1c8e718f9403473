"""The constraint table: what is held, what rides on what is moved, what is attached. Poses follow from fixed transforms: nothing drifts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from assistcore.house import relation_kernels, relations
from assistcore.house.placed import I64, Placed, placed
from assistcore.house.stage import StageModel
from assistcore.house.state import Attachment, Hand, Held, HouseState, Riding
from assistcore.world.poses import Pose, inverse

F64 = NDArray[np.float64]


def hold(entity: str, hand: Hand, T_world_wrist: F64, object_pose: Pose) -> Held:
    """The constraint that keeps an object where it is in the wrist's frame."""
    return Held(entity, hand, Pose.from_matrix(inverse(T_world_wrist) @ object_pose.matrix()))


def held_pose(held: Held, T_world_wrist: F64) -> Pose:
    """Where a held object is for a wrist transform (4, 4)."""
    return Pose.from_matrix(T_world_wrist @ held.wrist_object.matrix())


def ride(entity: str, carrier: str, link: str, T_world_carrier: F64, object_pose: Pose) -> Riding:
    """The constraint that keeps an object where it is in a carrier's frame."""
    return Riding(entity, carrier, link, Pose.from_matrix(inverse(T_world_carrier) @ object_pose.matrix()))


def riding_pose(riding: Riding, T_world_carrier: F64) -> Pose:
    """Where a rider is for a carrier transform (4, 4): the carrier's root, or its link where the constraint names one."""
    return Pose.from_matrix(T_world_carrier @ riding.carrier_object.matrix())


def with_attachment(attached: Iterable[Attachment], new: Attachment) -> tuple[Attachment, ...]:
    """The table with one row more, sorted by child."""
    return tuple(sorted([*(a for a in attached if a.child != new.child), new], key=lambda a: a.child))


def assembly_root(attached: Iterable[Attachment], entity: str) -> str:
    """The thing that an assembly moves with: the end of the chain of parents (the entity itself where it is attached to nothing)."""
    parents = {a.child: a.parent for a in attached}
    while entity in parents:
        entity = parents[entity]
    return entity


def parts_of(attached: Iterable[Attachment], entity: str) -> tuple[str, ...]:
    """Everything that is attached to an entity, directly or through others, in the table's order, nearest first."""
    table = tuple(attached)
    found: list[str] = []
    frontier = [entity]
    while frontier:
        frontier = [a.child for parent in frontier for a in table if a.parent == parent]
        found += frontier
    return tuple(found)


def riders_of(stage: StageModel, state: HouseState, entity: str, link: str = "") -> tuple[Riding, ...]:
    """Everything that goes along when an entity, or one link of it, is moved, in stage order: attached to it, on or inside it or that.

    What is held by the person stays in the hand.
    """
    world = placed(stage, state)
    loose = [
        e.key
        for e in stage.entities
        if e.kind == "movable" and e.key != entity and e.key not in state.removed and not relations.held_by(state, e.key)
    ]
    found = _direct(world, stage, entity, link, loose) if link else _along(world, state, [entity], loose)
    frontier = found
    while frontier:
        rest = [k for k in loose if k not in found]
        frontier = _along(world, state, frontier, rest)
        found = [*found, *frontier]
    T = state.link(stage, entity, link) if link else state.root(stage, entity)
    order = {k: i for i, k in enumerate(world.keys)}
    return tuple(ride(k, entity, link, T, state.poses[k]) for k in sorted(found, key=order.__getitem__))


def _along(world: Placed, state: HouseState, carriers: list[str], loose: list[str]) -> list[str]:
    """Which of `loose` are attached to, on or inside one of the carriers."""
    mated = {part for carrier in carriers for part in parts_of(state.attached, carrier)}
    resting = set(_carried(world, carriers, loose))
    return [k for k in loose if k in mated or k in resting]


def _carried(world: Placed, carriers: list[str], loose: list[str]) -> list[str]:
    """Which of `loose` are directly on or inside one of the carriers."""
    if not loose or not carriers:
        return []
    s, o = relations.rows(world, loose), relations.rows(world, carriers)
    mask = np.asarray(relations.on(world, s, o).any(axis=1) | relations.inside(world, s, o).any(axis=1))
    return [k for k, on_it in zip(loose, mask.tolist(), strict=True) if on_it]


def _direct(world: Placed, stage: StageModel, entity: str, link: str, loose: list[str]) -> list[str]:
    """Which of `loose` stand on the pieces of one link, or are in a region of it."""
    owner = stage.entity(entity)
    owner.link(link)
    row = world.row[entity]
    first = int(world.piece_start[row])
    for other in owner.links:
        if other.key == link:
            break
        first += len(other.pieces)
    pieces = (first, first + len(owner.link(link).pieces))
    regions = np.array([n for n, r in enumerate(world.regions) if world.region_entity[n] == row and r.link == link], dtype=np.int64)
    return [k for k in loose if _stands_on(world, world.row[k], pieces) or _in_regions(world, world.row[k], regions)]


def _stands_on(world: Placed, subject: int, pieces: tuple[int, int]) -> bool:
    kernel = relation_kernels
    kernel.KERNELS.ready()
    w = world
    mine = w.piece_start[subject : subject + 2]
    flat = (w.corners, w.edges, w.planes, w.corner_start, w.edge_start, w.plane_start, w.piece_low, w.piece_high)
    middle = float(w.centre[subject, 2])
    return kernel.rests_on(*flat, mine, np.array(pieces, dtype=np.int64), middle, relations.ON_GAP_M, relations.ON_SINK_M)


def _in_regions(world: Placed, subject: int, regions: I64) -> bool:
    kernel = relation_kernels
    kernel.KERNELS.ready()
    w = world
    subjects = np.array([subject], dtype=np.int64)
    boxes = (w.T_region_world, w.region_low, w.region_high, w.region_entity)
    return bool(kernel.inside_pairs(w.centre, w.samples, subjects, regions, *boxes, relations.INSIDE_SHARE).any())


def follow(
    stage: StageModel, state: HouseState, riders: Iterable[Riding], carrier_poses: Mapping[str, Pose], joints: Mapping[str, float]
) -> dict[str, Pose]:
    """Poses of riders when their carriers' roots are at `carrier_poses` (missing: as in the state) and joints at `joints`."""
    moved = state.with_(poses={**state.poses, **carrier_poses}, joints={**state.joints, **joints})
    return {r.entity: riding_pose(r, moved.link(stage, r.carrier, r.link) if r.link else moved.root(stage, r.carrier)) for r in riders}

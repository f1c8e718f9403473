"""The one collision world (seed B.1.2): signed distance from capsules and movable things to the stage's convex pieces.

Distances are exact for boxes and hulls, penetration depth included (`narrowphase`). Pieces live in flat arrays; `place` rewrites only the
links that moved. A linear scan over boxes is the broad phase: it costs about a microsecond per capsule for a furnished flat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.house import narrowphase
from assistcore.house.clearance import Hit
from assistcore.house.stage import ConvexPiece, Entity, StageModel, joint_matrix
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

_BOX_CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


class Solid(NamedTuple):
    """A convex piece in its link's frame: corners (n, 3); face and edge directions, unique up to sign, (m, 3) unit vectors."""

    corners_m: F64
    faces: F64
    edges: F64


def _unique_directions(directions: F64) -> F64:
    """Unit vectors without repeats, opposite ones counting as the same, in a fixed order."""
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    unit = directions[lengths[:, 0] > 1e-12] / lengths[lengths[:, 0] > 1e-12]
    first = np.argmax(np.abs(unit) > 1e-9, axis=1)
    unit = unit * np.sign(np.take_along_axis(unit, first[:, None], axis=1))
    _, index = np.unique(np.round(unit, 7) + 0.0, axis=0, return_index=True)
    return np.ascontiguousarray(unit[np.sort(index)])


def solid(piece: ConvexPiece) -> Solid:
    """Corners, face and edge directions of a piece. Raises AssistWorldError naming a piece without volume."""
    T = piece.T_link_piece
    if piece.half_extents_m is not None:
        half = np.asarray(piece.half_extents_m, np.float64)
        if half.min() <= 0.0:
            raise AssistWorldError(f"box piece {piece.name!r} has half extents {piece.half_extents_m}: each must be positive")
        axes = np.ascontiguousarray(T[:3, :3].T)
        return Solid((_BOX_CORNERS * half) @ T[:3, :3].T + T[:3, 3], axes, axes)
    from scipy.spatial import ConvexHull, QhullError

    points = np.asarray(piece.vertices_m, np.float64)
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError) as error:
        shape, size = points.shape, np.ptp(points, axis=0).tolist() if len(points) else []
        raise AssistWorldError(f"convex piece {piece.name!r} with points of shape {shape} and size {size} m has no volume") from error
    pairs: dict[tuple[int, int], list[int]] = {}
    for face, triangle in enumerate(hull.simplices):
        for a, b in ((0, 1), (1, 2), (0, 2)):
            key = (int(min(triangle[a], triangle[b])), int(max(triangle[a], triangle[b])))
            pairs.setdefault(key, []).append(face)
    normals = hull.equations[:, :3]
    sharp = [key for key, (f, *rest) in sorted(pairs.items()) if not rest or float(normals[f] @ normals[rest[0]]) < 1.0 - 1e-9]
    edges = np.array([points[b] - points[a] for a, b in sharp])
    R, t = T[:3, :3], T[:3, 3]
    corners = points[np.sort(hull.vertices)]
    return Solid(corners @ R.T + t, _unique_directions(normals @ R.T), _unique_directions(edges @ R.T))


class Solids(NamedTuple):
    """p convex bodies in flat arrays, as compiled loops take them.

    Corners, unit face and edge directions (., 3), each with the row offsets of the bodies (p + 1,); the boxes round them (p, 3).
    """

    corners_m: F64
    corner_rows: I64
    faces: F64
    face_rows: I64
    edges: F64
    edge_rows: I64
    low_m: F64
    high_m: F64

    @classmethod
    def of(cls, solids: list[Solid]) -> Solids:
        """Concatenates bodies."""

        def flat(parts: list[F64]) -> tuple[F64, I64]:
            rows = np.concatenate(([0], np.cumsum([len(p) for p in parts]))).astype(np.int64)
            return np.ascontiguousarray(np.concatenate(parts)) if parts else np.zeros((0, 3)), rows

        corners, corner_rows = flat([s.corners_m for s in solids])
        faces, face_rows = flat([s.faces for s in solids])
        edges, edge_rows = flat([s.edges for s in solids])
        low = np.array([s.corners_m.min(axis=0) for s in solids]).reshape(-1, 3)
        high = np.array([s.corners_m.max(axis=0) for s in solids]).reshape(-1, 3)
        return cls(corners, corner_rows, faces, face_rows, edges, edge_rows, low, high)

    def moved(self, T: F64) -> Solids:
        """The same bodies moved by a rigid transform (4, 4)."""
        return self.turned(T[:3, :3]).shifted(T[:3, 3])

    def turned(self, R: F64) -> Solids:
        """The same bodies turned (3, 3) about the origin."""
        corners = self.corners_m @ R.T
        low = np.minimum.reduceat(corners, self.corner_rows[:-1], axis=0) if len(self.low_m) else self.low_m
        high = np.maximum.reduceat(corners, self.corner_rows[:-1], axis=0) if len(self.high_m) else self.high_m
        return Solids(corners, self.corner_rows, self.faces @ R.T, self.face_rows, self.edges @ R.T, self.edge_rows, low, high)

    def shifted(self, t: F64) -> Solids:
        """The same bodies shifted by (3,)."""
        return self._replace(corners_m=self.corners_m + t, low_m=self.low_m + t, high_m=self.high_m + t)


def capsule_solids(a_m: F64, b_m: F64) -> Solids:
    """Cores of capsules as bodies of two corners and one edge; a_m, b_m shape (k, 3)."""
    k = len(a_m)
    corners = np.empty((2 * k, 3))
    corners[0::2], corners[1::2] = a_m, b_m
    one, two = np.arange(k + 1, dtype=np.int64), 2 * np.arange(k + 1, dtype=np.int64)
    axis = corners[1::2] - corners[0::2]
    edges = axis / np.maximum(np.linalg.norm(axis, axis=1, keepdims=True), 1e-12)
    low, high = np.minimum(corners[0::2], corners[1::2]), np.maximum(corners[0::2], corners[1::2])
    return Solids(corners, two, np.zeros((0, 3)), np.zeros(k + 1, np.int64), edges, one, low, high)


SKIPS_KEPT = 64
"""Masks of pieces to be ignored that are kept."""


class _Part(NamedTuple):
    """One link with pieces: which entity and link, the bodies in the link frame, and the piece rows it fills."""

    entity: Entity
    link: str
    base: F64
    local: Solids
    first: int
    last: int


def _in_root(part: _Part, joints: Mapping[str, float]) -> F64:
    """Transform (4, 4) of a part in its entity's root frame at these joint values (missing: initial)."""
    T, hop = part.base, part.entity.link(part.link)
    while True:
        if hop.joint is not None:
            T = joint_matrix(hop.joint, joints.get(hop.joint.key, hop.joint.initial)) @ T
        if not hop.parent:
            return T
        hop = part.entity.link(hop.parent)


class CollisionWorld:
    """Implements `clearance.Clearance`. Obstacles are the stage's convex pieces; the body is never among them."""

    def __init__(self, stage: StageModel) -> None:
        narrowphase.KERNELS.ready()
        self.stage = stage
        self._parts: list[_Part] = []
        self.owner: list[str] = []
        self.link: list[str] = []
        self._by_entity: dict[str, list[int]] = {}
        every: list[Solid] = []
        for entity in stage.entities:
            for link in entity.links:
                if not link.pieces:
                    continue
                solids = [solid(p) for p in link.pieces]
                first = len(every)
                every += solids
                self._by_entity.setdefault(entity.key, []).append(len(self._parts))
                self._parts.append(_Part(entity, link.key, link.T_root_link, Solids.of(solids), first, len(every)))
                self.owner += [entity.key] * len(solids)
                self.link += [link.key] * len(solids)
        self._local, self._world = Solids.of(every), Solids.of(every)
        self._hidden = np.zeros(len(every), np.bool_)
        self._placed: dict[str, tuple[Pose, tuple[float, ...]]] = {}
        self._removed: frozenset[str] = frozenset()
        self.moves = 0
        self._known_keys: tuple[int, dict[frozenset[str], int]] = (0, {})
        """How often `place` moved or hid something."""
        self._given: tuple[Mapping[str, Pose], Mapping[str, float]] | None = None
        self._turned: dict[int, tuple[bytes, Solids]] = {}
        """Parts as they were turned last, by their first piece."""
        self._skipped: tuple[NDArray[np.bool_], dict[frozenset[str], NDArray[np.bool_]]] = (self._hidden, {})
        self.place({}, {}, frozenset())

    @cached_property
    def _rows(self) -> dict[str, NDArray[np.int64]]:
        rows: dict[str, list[int]] = {}
        for index, key in enumerate(self.owner):
            rows.setdefault(key, []).append(index)
        return {key: np.array(value, np.int64) for key, value in rows.items()}

    @cached_property
    def fixed(self) -> frozenset[str]:
        """Keys of what is not movable."""
        return frozenset(e.key for e in self.stage.entities if e.kind != "movable")

    @property
    def placed(self) -> Solids:
        """All pieces in the world frame, as placed. Read only; rows of removed entities are still there (see `hidden`)."""
        return self._world

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Which pieces belong to removed entities, shape (pieces,)."""
        return self._hidden

    def pieces_of(self, entity: str) -> NDArray[np.int64]:
        """Rows of an entity's pieces in `placed` (empty for one without pieces). Raises AssistWorldError for an unknown key."""
        self.stage.entity(entity)
        return self._rows.get(entity, np.zeros(0, np.int64))

    def box_m(self, entity: str) -> tuple[F64, F64] | None:
        """Low and high corner (3,) of the box round an entity's pieces as placed, world metres; None without pieces."""
        rows = self.pieces_of(entity)
        if not len(rows):
            return None
        return self._world.low_m[rows].min(axis=0), self._world.high_m[rows].max(axis=0)

    def root(self, entity: str) -> F64:
        """Root transform (4, 4) of an entity as placed (one without pieces: its stage pose)."""
        placed = self._placed.get(entity)
        return (placed[0] if placed is not None else self.stage.entity(entity).pose).matrix()

    def place(self, poses: Mapping[str, Pose], joints: Mapping[str, float], removed: frozenset[str]) -> None:
        """Move the obstacles to these root poses (missing: the stage's) and joint values (missing: initial). Costs by what changed.

        The mappings are values: whoever wants another placement passes other ones.
        """
        if self._given is not None and poses is self._given[0] and joints is self._given[1] and removed == self._removed:
            return
        keys = self._touched(poses, joints)
        self._given = (poses, joints)
        for key in keys:
            entity = self._parts[self._by_entity[key][0]].entity
            pose = poses.get(key, entity.pose)
            values = tuple(joints.get(j.key, j.initial) for j in entity.joints)
            before = self._placed.get(key)
            if before is not None and before[1] == values and (before[0] is pose or before[0] == pose):
                continue
            self._placed[key] = (pose, values)
            self._move(entity, pose.matrix(), dict(zip((j.key for j in entity.joints), values, strict=True)))
            self.moves += 1
        if removed != self._removed:
            self._removed = removed
            self._hidden = np.isin(np.array(self.owner, dtype=object), list(removed)) if removed else np.zeros(len(self.owner), np.bool_)
            self.moves += 1

    def _touched(self, poses: Mapping[str, Pose], joints: Mapping[str, float]) -> Iterable[str]:
        """The entities with pieces that can stand otherwise than with the mappings given last."""
        if self._given is None or self._given[0].keys() != poses.keys() or (self._given[1] is not joints and self._given[1] != joints):
            return self._by_entity
        then = self._given[0]
        return [key for key, pose in poses.items() if pose is not then[key] and key in self._by_entity]

    def obstacle_key(self, without: frozenset[str] = frozenset()) -> int:
        """A number that is equal for equal placements of everything but `without` in this process: a cache key, never a record."""
        if self._known_keys[0] != self.moves:
            self._known_keys = (self.moves, {})
        known = self._known_keys[1]
        if without not in known:
            placed = tuple(value for key, value in self._placed.items() if key not in without)
            known[without] = hash((placed, self._removed))
        return known[without]

    def _elsewhere(self, part: _Part, root: F64, joints: Mapping[str, float]) -> Solids:
        """A part's pieces with its entity at another root transform. As turned last they are kept: a search mostly shifts a thing."""
        T = root @ _in_root(part, joints)
        R = T[:3, :3]
        turn = R.tobytes()
        kept = self._turned.get(part.first)
        if kept is None or kept[0] != turn:
            kept = self._turned[part.first] = (turn, part.local.turned(R))
        return kept[1].shifted(T[:3, 3])

    def _move(self, entity: Entity, root: F64, joints: Mapping[str, float]) -> None:
        world = self._world
        for index in self._by_entity[entity.key]:
            part = self._parts[index]
            here = part.local.moved(root @ _in_root(part, joints))
            for mine, rows, theirs in (
                (world.corners_m, world.corner_rows, here.corners_m),
                (world.faces, world.face_rows, here.faces),
                (world.edges, world.edge_rows, here.edges),
            ):
                mine[rows[part.first] : rows[part.last]] = theirs
            world.low_m[part.first : part.last] = here.low_m
            world.high_m[part.first : part.last] = here.high_m

    def movements(self, roots: Mapping[str, F64], joints: Mapping[str, F64]) -> tuple[I64, F64]:
        """What moves with entities at root transforms (n, 4, 4) or by joints at values (n,).

        Returns ranges of pieces that move as one (i, 2) and their places (i, n, 4, 4).
        """
        ranges, places = [np.zeros((0, 2), np.int64)], []
        owners = {self.stage.joint_owner[joint][0] for joint in joints}
        n = max((len(values) for values in (*roots.values(), *joints.values())), default=1)
        for key in sorted(owners | roots.keys()):
            for part in (self._parts[i] for i in self._by_entity.get(key, ())):
                values = dict(zip((j.key for j in part.entity.joints), self._placed[key][1], strict=True))
                frames = range(n if key in owners else 1)
                T = np.stack([_in_root(part, {**values, **{j: float(v[k]) for j, v in joints.items()}}) for k in frames])
                places.append(np.broadcast_to(roots.get(key, self.root(key)) @ T, (n, 4, 4)))
                ranges.append(np.array([[part.first, part.last]]))
        return np.concatenate(ranges), np.array(places).reshape(-1, n, 4, 4)

    def bodies(self) -> tuple[Solids, Solids]:
        """All pieces in their links' frames, and where they are; not to be written to."""
        return self._local, self._world

    def skipped(self, ignore: frozenset[str]) -> NDArray[np.bool_]:
        """Which pieces are hidden or belong to these entities, shape (pieces,); not to be written to."""
        if not ignore:
            return self._hidden
        if self._skipped[0] is not self._hidden or len(self._skipped[1]) >= SKIPS_KEPT:
            self._skipped = (self._hidden, {})
        known = self._skipped[1]
        if ignore not in known:
            skip = known[ignore] = self._hidden.copy()
            for key in ignore:
                rows = self._rows.get(key)
                if rows is not None:
                    skip[rows] = True
        return known[ignore]

    def _close(self, mine: Solids, radius: F64, skip: NDArray[np.bool_], margin_m: float) -> tuple[I64, F64]:
        w = self._world
        pairs, rows = narrowphase.close_pairs(
            mine.corners_m, mine.corner_rows, mine.faces, mine.face_rows, mine.edges, mine.edge_rows, mine.low_m, mine.high_m, radius,
            w.corners_m, w.corner_rows, w.faces, w.face_rows, w.edges, w.edge_rows, w.low_m, w.high_m, skip, margin_m,
        )  # fmt: skip
        return pairs, rows

    def _close_capsules(self, a: F64, b: F64, radius: F64, skip: NDArray[np.bool_], margin_m: float) -> tuple[I64, F64]:
        w = self._world
        pairs, rows = narrowphase.close_capsules(
            a, b, radius, w.corners_m, w.corner_rows, w.faces, w.face_rows, w.edges, w.edge_rows, w.low_m, w.high_m, skip, margin_m
        )
        return pairs, rows

    def capsules(
        self, names: tuple[str, ...], a_m: F64, b_m: F64, radius_m: F64, *, ignore: frozenset[str] = frozenset(), margin_m: float = 0.0
    ) -> list[Hit]:
        """Obstacles nearer than `margin_m` to any capsule: a, b shape (k, 3), radius (k,). The point lies on the obstacle's side."""
        a, b = np.ascontiguousarray(a_m, np.float64), np.ascontiguousarray(b_m, np.float64)
        radius = np.ascontiguousarray(radius_m, np.float64)
        pairs, rows = self._close_capsules(a, b, radius, self.skipped(ignore), float(margin_m))
        return [self._hit(names[i], j, row) for (i, j), row in zip(pairs.tolist(), rows.tolist(), strict=True)]

    def _hit(self, mine: str, piece: int, row: list[float]) -> Hit:
        return Hit(row[0], mine, self.owner[piece], self.link[piece], (row[1], row[2], row[3]))

    def solids_of(self, key: str, root: F64, joints: Mapping[str, float] | None = None) -> Solids:
        """An entity's pieces at another root transform (4, 4), with its joints as placed unless given."""
        entity = self.stage.entity(key)
        if key not in self._by_entity:
            return Solids.of([])
        if joints is None:
            joints = dict(zip((j.key for j in entity.joints), self._placed[key][1], strict=True))
        moved = [self._elsewhere(self._parts[i], np.asarray(root, np.float64), joints) for i in self._by_entity[key]]
        return moved[0] if len(moved) == 1 else joined(moved)

    def entity(self, key: str, root: F64, *, ignore: frozenset[str] = frozenset(), margin_m: float = 0.0) -> list[Hit]:
        """Obstacles other than `key` itself nearer than `margin_m` to its pieces placed at `root` (4, 4)."""
        mine = self.solids_of(key, root)
        pairs, rows = self._close(mine, np.zeros(len(mine.low_m)), self.skipped(ignore | {key}), float(margin_m))
        return [self._hit(key, j, row) for (_, j), row in zip(pairs.tolist(), rows.tolist(), strict=True)]

    def sphere_free_m(self, points_m: F64, reach_m: float, *, ignore: frozenset[str] = frozenset()) -> F64:
        """Signed distance (n,) of points (n, 3) to the nearest obstacle, capped at `reach_m`."""
        points = np.ascontiguousarray(points_m, np.float64).reshape(-1, 3)
        pairs, rows = self._close_capsules(points, points, np.zeros(len(points)), self.skipped(ignore), float(reach_m))
        out = np.full(len(points), float(reach_m))
        np.minimum.at(out, pairs[:, 0], rows[:, 0])
        return out

    def support_m(self, x_m: float, y_m: float, below_m: float) -> float | None:
        """Height of the highest obstacle top under (x, y) that is not above `below_m`, or None. Exact for convex pieces."""
        w = self._world
        top = narrowphase.top_below(
            float(x_m), float(y_m), float(below_m), w.corners_m, w.corner_rows, w.faces, w.face_rows, w.low_m, w.high_m, self._hidden
        )
        return float(top) if np.isfinite(top) else None


def joined(parts: Sequence[Solids]) -> Solids:
    """Bodies of several groups as one."""

    def rows(which: str) -> I64:
        return np.concatenate([[0], np.cumsum(np.concatenate([np.diff(getattr(p, which)) for p in parts]))]).astype(np.int64)

    def cat(which: str) -> F64:
        return np.ascontiguousarray(np.concatenate([getattr(p, which) for p in parts]))

    return Solids(
        cat("corners_m"), rows("corner_rows"), cat("faces"), rows("face_rows"), cat("edges"), rows("edge_rows"), cat("low_m"), cat("high_m")
    )

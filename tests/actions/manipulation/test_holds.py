"""Classes by cross-section, and hands that close on boxes and rods until thumb and fingers oppose each other."""

from __future__ import annotations

import numpy as np
import pytest

from actions.manipulation.closing import close_on
from actions.manipulation.drawn import drawn_distance
from actions.manipulation.grasp import Target, palm_axes
from actions.manipulation.holds import candidates, section_at
from actions.manipulation.shape import build_shape
from assistcore.house.stage import Entity, Link, Surface, VisualPart
from assistcore.house.state import Hand
from humans.model import load_body
from tests.house.shapes import box_piece, thing

BODY = load_body()
F32 = np.float32


def block(size: tuple[float, float, float], hint: str = "auto", *, drawn: float = 0.0) -> Entity:
    """A solid box on z = 0; with `drawn` its picture is so much smaller on every side, as two boxes that touch in the middle."""
    piece = box_piece(size, (0.0, 0.0, 0.5 * size[2]))
    entity = thing("block_1", [piece], kind="movable", grasp=hint)
    if not drawn:
        return entity
    import trimesh

    low, high = np.array([-0.5 * size[0], -0.5 * size[1], 0.0]) + drawn, np.array([0.5 * size[0], 0.5 * size[1], size[2]]) - drawn
    parts = []
    for name, a, b in (("left", low, np.array([0.0, *high[1:]])), ("right", np.array([0.0, *low[1:]]), high)):
        mesh = trimesh.creation.box(bounds=[a, b])
        none = np.zeros((len(mesh.vertices), 2), F32)
        parts.append(
            VisualPart(name, mesh.vertices.astype(F32), mesh.faces.astype(np.int32), mesh.vertex_normals.astype(F32), none, Surface())
        )
    link = Link("body", np.eye(4), tuple(parts), (piece,))
    return Entity(entity.ref, "movable", "block", "block", "room", entity.pose, (link,), grasp=entity.grasp)


def target(entity: Entity) -> Target:
    """The thing on a table 0.8 m high, straight ahead."""
    T = np.eye(4)
    T[2, 3] = 0.8
    return Target(T, build_shape(entity), entity.grasp, np.array([1.0, 0.0, 0.0]), *palm_axes(BODY))


@pytest.mark.parametrize(
    ("size", "hint", "kind"),
    [
        ((0.07, 0.07, 0.20), "wrap", "wrap"),
        ((0.05, 0.15, 0.03), "auto", "wrap"),
        ((0.07, 0.14, 0.012), "edge", "pinch"),
        ((0.18, 0.06, 0.27), "wrap", "wrap"),
        ((0.30, 0.20, 0.12), "wrap", "two_hand"),
        ((0.26, 0.26, 0.30), "auto", "two_hand"),
        ((0.02, 0.02, 0.80), "auto", "wrap"),
    ],
)
def test_the_class_is_decided_by_the_section(size: tuple[float, float, float], hint: str, kind: str) -> None:
    assert section_at(target(block(size, hint))).kind == kind


@pytest.mark.parametrize("size", [(0.06, 0.06, 0.18), (0.05, 0.10, 0.035), (0.06, 0.12, 0.012), (0.025, 0.18, 0.025), (0.07, 0.07, 0.07)])
@pytest.mark.parametrize("side", ["left", "right"])
def test_a_hand_closes_firmly_above_the_table(size: tuple[float, float, float], side: Hand) -> None:
    on = target(block(size))
    grasps = candidates(on, (side,))
    closed = [close_on(BODY, on, g, {}, standing=True) for g in grasps[:16]]
    firm = [c for c in closed if c.firmness.firm]
    assert firm, [c.firmness for c in closed]
    assert "thumb" in firm[0].firmness.digits and firm[0].firmness.deepest_m <= 0.003


def test_the_drawn_grid_is_the_distance_from_the_picture_and_faces_inside_are_none(sample_seed: int) -> None:
    entity = block((0.08, 0.06, 0.05), drawn=0.004)
    shape = build_shape(entity)
    low, high = shape.low_m + 0.004, shape.high_m - 0.004
    points = np.random.default_rng(sample_seed).uniform(shape.low_m - 0.004, shape.high_m + 0.004, (800, 3))
    out = np.maximum(np.maximum(low - points, points - high), 0.0)
    depth = np.minimum(points - low, high - points).min(axis=1)
    exact = np.where(depth > 0.0, -depth, np.linalg.norm(out, axis=1))
    found = shape.surface(points)
    away = np.abs(points[:, 0]) > 0.012  # where the two parts touch there is a face inside: only the sign is told there
    near = np.abs(exact) < 0.008
    assert np.abs(found - exact)[away & near].max() < 0.5 * shape.voxel_m
    assert (found[~away & (exact < -0.006)] < 0.0).all()
    assert np.abs(shape.distance(points) - exact)[near].max() > 0.003, "the convex pieces are larger"


def test_a_thing_without_a_picture_is_felt_by_its_pieces() -> None:
    entity = block((0.08, 0.06, 0.05))
    shape = build_shape(entity)
    assert shape.drawn is None and drawn_distance(entity, shape.origin_m, shape.voxel_m, shape.grid) is None
    points = np.array([[0.0, 0.0, 0.06], [0.045, 0.0, 0.02]])
    assert np.array_equal(shape.surface(points), shape.distance(points))

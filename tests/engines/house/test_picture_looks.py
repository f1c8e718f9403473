"""What attributes do to the looks of things: colours, and the two halves of what is cut."""

from __future__ import annotations

import numpy as np

from assistcore.house.stage import Surface, VisualPart
from assistworld.engines.house.picture_cut import Halves
from tests.pictures.scenes import sphere


def ball() -> VisualPart:
    """A ball of 4 cm about the origin."""
    mesh = sphere(0.04)
    return VisualPart("ball", mesh.vertices_m, mesh.faces, mesh.normals, mesh.uvs, Surface())


def test_the_halves_stay_in_the_outline_gape_at_the_top_and_meet_at_the_bottom() -> None:
    low, high = np.full(3, -0.04), np.full(3, 0.04)
    halves = Halves(ball(), 0, low, high)
    points = halves.vertices
    assert (points >= low - 1e-6).all() and (points <= high + 1e-6).all()
    top, bottom = points[points[:, 2] > 0.03], points[points[:, 2] < -0.039]
    assert np.abs(top[:, 0]).min() > 0.3 * 0.04 * 0.8, "open at the top"
    assert np.abs(bottom[:, 0]).min() < 0.002, "closed at the bottom"


def test_the_flesh_faces_the_gap() -> None:
    halves = Halves(ball(), 0, np.full(3, -0.04), np.full(3, 0.04))
    a, b, c = (halves.cap_vertices[halves.cap_faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    side = np.sign(a[:, 0])
    wide = np.linalg.norm(normal, axis=1) > 1e-9
    assert wide.sum() > 20 and (normal[wide, 0] * side[wide] < 0.0).all()


def test_the_other_axis_too() -> None:
    halves = Halves(ball(), 1, np.full(3, -0.04), np.full(3, 0.04))
    a, b, c = (halves.cap_vertices[halves.cap_faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    wide = np.linalg.norm(normal, axis=1) > 1e-9
    assert wide.sum() > 20 and (normal[wide, 1] * np.sign(a[wide, 1]) < 0.0).all()

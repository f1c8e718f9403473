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


def test_the_halves_stay_in_the_outline_and_apart_from_each_other_the_more_the_higher() -> None:
    low, high = np.full(3, -0.04), np.full(3, 0.04)
    halves = Halves(ball(), 0, low, high)
    points = halves.vertices
    assert (points >= low - 1e-6).all() and (points <= high + 1e-6).all()
    top, bottom = points[points[:, 2] > 0.03], points[points[:, 2] < -0.039]
    apart_m = [2.0 * float(np.abs(part[:, 0]).min()) for part in (bottom, top)]
    assert 0.006 < apart_m[0] < apart_m[1] < 0.04, "a finger's breadth at most, nowhere closed"


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

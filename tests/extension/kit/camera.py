"""An RTX camera that looks at the prims of a USD stage: meshes, transforms, visibility, materials and its own lens are read from there."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures import open_pictures
from assistcore.pictures.camera import Camera
from assistcore.pictures.protocol import Pictures, View
from assistcore.pictures.scene import Drawable, PictureScene, Surface, TriMesh
from extension.conversions import matrix_from_gf
from tests.extension.kit.habits import Frame

SKY = (90, 110, 140)
GREY = (0.5, 0.5, 0.5)


@dataclass(frozen=True)
class Mesh:
    """A visible mesh of the stage: vertices (n, 3), world, triangles (m, 3), and the colour of its material."""

    path: str
    vertices_m: NDArray[np.float32]
    faces: NDArray[np.int32]
    rgb: tuple[int, int, int]


@dataclass(frozen=True)
class Shot:
    """What the stage had to show, and the lens (a `Camera` without its size)."""

    meshes: tuple[Mesh, ...]
    position_m: NDArray[np.float64]
    R_world_cam: NDArray[np.float64]
    focal_per_aperture: float
    near_m: float
    far_m: float


class StageEye:
    """The stage from one camera prim. Everything is drawn flat, in the colour of its material."""

    def __init__(self, usd: Any, camera: str, renderer: Pictures | None = None) -> None:
        self._usd, self._camera = usd, camera
        self._renderer = renderer
        self._shapes: dict[str, tuple[Any, Mesh]] = {}

    def now(self) -> tuple[Shot, Hashable]:
        """See `Eye`."""
        from pxr import Usd, UsdGeom

        time = Usd.TimeCode.Default()
        lens = UsdGeom.Camera(self._usd.GetPrimAtPath(self._camera))
        T = matrix_from_gf(UsdGeom.Xformable(lens).ComputeLocalToWorldTransform(time))
        near, far = lens.GetClippingRangeAttr().Get()
        ratio = lens.GetFocalLengthAttr().Get() / lens.GetHorizontalApertureAttr().Get()
        seen = tuple(
            self._mesh(prim)
            for prim in _visible(self._usd)
            if prim.IsA(UsdGeom.Mesh) and UsdGeom.Mesh(prim).GetFaceVertexCountsAttr().Get()
        )
        return Shot(seen, T[:3, 3], T[:3, :3], ratio, near, far), T.tobytes()

    def develop(self, shot: Shot, height: int, width: int) -> Frame:
        """See `Eye`. The ids are the sensor's own: 0 the background, 1 what has no label, then mesh by mesh."""
        renderer = self._renderer = self._renderer or open_pictures()
        hfov = 2.0 * float(np.arctan(0.5 / shot.focal_per_aperture))
        lens = Camera(shot.position_m, shot.R_world_cam, hfov, width, height, shot.near_m, shot.far_m)
        renderer.load(PictureScene(tuple(_drawable(k, mesh) for k, mesh in enumerate(shot.meshes))))
        picture = renderer.draw(View(lens))
        colours = np.array([SKY, *(mesh.rgb for mesh in shot.meshes)], np.uint8)
        rgba = np.full((height, width, 4), 255, np.uint8)
        rgba[..., :3] = colours[picture.ids + 1]
        ids = np.where(picture.ids < 0, 0, picture.ids + 2).astype(np.uint32)
        labels = {"0": "BACKGROUND", "1": "UNLABELLED"} | {str(k + 2): mesh.path for k, mesh in enumerate(shot.meshes)}
        return Frame(rgba, picture.depth_m[..., None], ids[..., None], labels)

    def close(self) -> None:
        """Free the renderer."""
        if self._renderer is not None:
            self._renderer.close()

    def _mesh(self, prim: Any) -> Mesh:
        """A mesh as it is now; the same object as before where nothing of it has changed."""
        from pxr import Usd, UsdGeom

        shape, path = UsdGeom.Mesh(prim), str(prim.GetPath())
        local = shape.GetPointsAttr().Get()
        matrix = UsdGeom.Xformable(prim).ComputeLocalToWorldTransform(Usd.TimeCode.Default())
        indices, rgb = shape.GetFaceVertexIndicesAttr().Get(), _colour(prim)
        state = (local, matrix, indices, rgb)
        known = self._shapes.get(path)
        if known is not None and known[0] == state:
            return known[1]
        T = matrix_from_gf(matrix)
        points = (np.array(local, dtype=np.float64) @ T[:3, :3].T + T[:3, 3]).astype(np.float32)
        found = Mesh(path, points, np.array(indices, dtype=np.int32).reshape(-1, 3), rgb)
        self._shapes[path] = (state, found)
        return found


def _drawable(number: int, mesh: Mesh) -> Drawable:
    return Drawable(mesh.path, TriMesh.make(mesh.vertices_m, mesh.faces), Surface(), number)


def _visible(usd: Any) -> Iterator[Any]:
    """Every prim that is not hidden, nor below one that is."""
    from pxr import Usd, UsdGeom

    prims = iter(Usd.PrimRange(usd.GetPseudoRoot()))
    for prim in prims:
        shape = UsdGeom.Imageable(prim)
        if shape and shape.GetVisibilityAttr().Get() == UsdGeom.Tokens.invisible:
            prims.PruneChildren()
        else:
            yield prim


def _colour(prim: Any) -> tuple[int, int, int]:
    """Display colour of the material that is bound, of the mesh itself where none is."""
    from pxr import UsdShade

    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    linear = np.array(GREY)
    if material:
        shader, _, _ = material.ComputeSurfaceSource()
        source = shader.GetInput("diffuseColor").Get()
        linear = np.array(source if source is not None else GREY, dtype=np.float64)
    r, g, b = (int(round(255 * min(1.0, 1.055 * c ** (1 / 2.4) - 0.055 if c > 0.0031308 else 12.92 * c))) for c in linear.tolist())
    return r, g, b

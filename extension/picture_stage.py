"""A picture scene as prims below `/Pictures`, and one view of it as edits of them.

The prims are apart from the scene that PhysX reads, which is hidden: an earlier tick can be drawn at any time, and drawing moves no body.
What a view changes is written within one `Sdf.ChangeBlock`, so that a frame shows all of it or nothing.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures.camera import Camera
from assistcore.pictures.protocol import View
from assistcore.pictures.scene import BodyMesh, Drawable, Lamp, PictureScene, Surface, TriMesh, Window
from extension import stamp
from extension.conversions import APERTURE_MM, focal_length_mm, gf_matrix, linear_rgb
from extension.picture_looks import Looks

if TYPE_CHECKING:
    from pxr import Usd, UsdGeom, UsdLux, UsdShade

ROOT = "/Pictures"
BODY = f"{ROOT}/body"
RIG = f"{ROOT}/rig"
CAMERA = f"{RIG}/camera"
STAMPS = f"{RIG}/stamp_"
LAMP_INTENSITY, LAMP_RADIUS_M = 30000.0, 0.06
WINDOW_INTENSITY, SKY_INTENSITY, SUN_INTENSITY = 4000.0, 300.0, 1500.0


def drawable_path(number: int) -> str:
    """Where a drawable is in the stage."""
    return f"{ROOT}/d_{number}"


class PictureStage:
    """The prims of one picture scene on one `Usd.Stage`."""

    def __init__(self, usd: Usd.Stage, scene: PictureScene, textures: Path) -> None:
        from pxr import UsdGeom

        self.usd, self.scene = usd, scene
        usd.RemovePrim(ROOT)
        UsdGeom.Xform.Define(usd, ROOT)
        world = usd.GetPrimAtPath("/World")
        if world and UsdGeom.Imageable(world):
            UsdGeom.Imageable(world).MakeInvisible()
        self._looks = Looks(usd, f"{ROOT}/looks", scene.textures, textures)
        self.ids = {drawable_path(k): d.instance_id for k, d in enumerate(scene.drawables)}
        self._drawn = [self._add(k, d) for k, d in enumerate(scene.drawables)]
        self._number = {d.name: k for k, d in enumerate(scene.drawables)}
        self._shown = [True] * len(scene.drawables)
        self._surface: list[Surface] = [d.surface for d in scene.drawables]
        self._placed: list[bytes] = [b""] * len(scene.drawables)
        self._body = None if scene.body is None else self._add_body(scene.body)
        if scene.body is not None:
            self.ids[BODY] = scene.body.instance_id
        self._lamps = [self._add_lamp(k, lamp) for k, lamp in enumerate(scene.lamps)]
        for k, window in enumerate(scene.windows):
            self._add_window(k, window)
        self._add_daylight()
        self._add_camera()

    def _add(self, number: int, drawable: Drawable) -> UsdGeom.Mesh:
        from pxr import UsdGeom, UsdShade

        mesh = _mesh(self.usd, drawable_path(number), drawable.mesh)
        if drawable.transform >= 0:
            UsdGeom.Xformable(mesh).AddTransformOp().Set(gf_matrix(np.eye(4)))
        if not drawable.casts_shadow:
            _no_shadow(mesh)
        mesh.CreateVisibilityAttr().Set(UsdGeom.Tokens.inherited)
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(self._looks.keep(drawable.surface))
        return mesh

    def _add_body(self, body: BodyMesh) -> UsdGeom.Mesh:
        from pxr import UsdGeom, UsdShade, Vt

        points = np.zeros((body.n_vertices, 3), np.float32)
        normals = np.tile(np.array([0.0, 0.0, 1.0], np.float32), (body.n_vertices, 1))
        uvs = np.zeros((body.n_vertices, 2), np.float32) if body.uvs is None else body.uvs
        mesh = _mesh(self.usd, BODY, TriMesh(points, body.faces, normals, uvs))
        mesh.CreateVisibilityAttr().Set(UsdGeom.Tokens.invisible)
        if body.vertex_rgb is None:
            UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(self._looks.keep(body.surface))
        else:
            colours = np.array([linear_rgb((r / 255, g / 255, b / 255)) for r, g, b in body.vertex_rgb.tolist()], np.float32)
            primvar = mesh.CreateDisplayColorPrimvar(UsdGeom.Tokens.vertex)
            primvar.Set(Vt.Vec3fArray.FromNumpy(colours))
        self._faces_shown = np.zeros(len(body.faces), dtype=bool)
        return mesh

    def _add_lamp(self, number: int, lamp: Lamp) -> UsdLux.SphereLight:
        from pxr import Gf, UsdGeom, UsdLux

        light = UsdLux.SphereLight.Define(self.usd, f"{ROOT}/lights/lamp_{number}")
        light.CreateRadiusAttr(LAMP_RADIUS_M)
        light.CreateIntensityAttr(LAMP_INTENSITY * lamp.intensity)
        light.CreateColorAttr(Gf.Vec3f(*linear_rgb(lamp.rgb)))
        UsdGeom.Xformable(light).AddTranslateOp().Set(Gf.Vec3d(*lamp.position_m))
        return light

    def _add_window(self, number: int, window: Window) -> None:
        """A rectangle of light that shines along the room's side of the opening: a RectLight emits along its -Z."""
        from pxr import UsdGeom, UsdLux

        u, v = np.array(window.half_u_m), np.array(window.half_v_m)
        width, height = 2.0 * float(np.linalg.norm(u)), 2.0 * float(np.linalg.norm(v))
        inward = np.cross(u, v) / np.linalg.norm(np.cross(u, v))
        T = np.eye(4)
        T[:3, 1], T[:3, 2], T[:3, 3] = v / np.linalg.norm(v), -inward, window.centre_m
        T[:3, 0] = np.cross(T[:3, 1], T[:3, 2])
        light = UsdLux.RectLight.Define(self.usd, f"{ROOT}/lights/window_{number}")
        light.CreateWidthAttr(width)
        light.CreateHeightAttr(height)
        light.CreateIntensityAttr(WINDOW_INTENSITY)
        UsdGeom.Xformable(light).AddTransformOp().Set(gf_matrix(T))

    def _add_daylight(self) -> None:
        from pxr import Gf, UsdGeom, UsdLux

        day = self.scene.daylight
        sky = UsdLux.DomeLight.Define(self.usd, f"{ROOT}/lights/sky")
        sky.CreateIntensityAttr(SKY_INTENSITY * day.sky_strength)
        sky.CreateColorAttr(Gf.Vec3f(*linear_rgb(day.sky_rgb)))
        sun = UsdLux.DistantLight.Define(self.usd, f"{ROOT}/lights/sun")
        sun.CreateIntensityAttr(SUN_INTENSITY * day.sun_strength)
        sun.CreateColorAttr(Gf.Vec3f(*linear_rgb(day.sun_rgb)))
        towards = np.array(day.sun_direction) / np.linalg.norm(day.sun_direction)
        across = np.cross((0.0, 0.0, 1.0), towards)
        across = across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-6 else np.array([1.0, 0.0, 0.0])
        T = np.eye(4)
        T[:3, 0], T[:3, 1], T[:3, 2] = across, np.cross(towards, across), towards
        UsdGeom.Xformable(sun).AddTransformOp().Set(gf_matrix(T))

    def _add_camera(self) -> None:
        """The camera hangs in a frame of our own: the sensor rewrites the operations of the prim that it is given."""
        from pxr import UsdGeom

        self._rig = UsdGeom.Xform.Define(self.usd, RIG).AddTransformOp()
        camera = self._camera = UsdGeom.Camera.Define(self.usd, CAMERA)
        camera.CreateHorizontalApertureAttr(APERTURE_MM)
        for attribute in (camera.CreateVerticalApertureAttr, camera.CreateFocalLengthAttr, camera.CreateClippingRangeAttr):
            attribute()
        flat = np.tile(np.array([0.0, 0.0, 1.0], np.float32), (4, 1))
        faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
        self._stamps: list[UsdGeom.Mesh] = []
        for k in range(stamp.BITS + 1):
            mesh = _mesh(self.usd, f"{STAMPS}{k}", TriMesh(np.zeros((4, 3), np.float32), faces, flat, np.zeros((4, 2), np.float32)))
            mesh.CreateVisibilityAttr()
            _no_shadow(mesh)
            self._stamps.append(mesh)
        self._optics: tuple[float, int, int, float, float] | None = None

    def show(self, view: View, number: int) -> None:
        """Make the stage look like a view, stamped with a number."""
        from pxr import Sdf, UsdShade

        # First, so that a frame with the new stamp has everything.
        for k, material in self._changed_looks(view):
            UsdShade.MaterialBindingAPI(self._drawn[k].GetPrim()).Bind(material)
        with Sdf.ChangeBlock():
            self._aim(view.camera)
            self._place(view)
            self._hide(view)
            self._light(view)
            self._dress(view)
            self._stamp(number)

    def _aim(self, camera: Camera) -> None:
        from pxr import Gf, Vt

        T = np.eye(4)
        T[:3, :3], T[:3, 3] = camera.R_world_cam, camera.position_m
        self._rig.Set(gf_matrix(T))
        optics = (camera.hfov_rad, camera.width, camera.height, camera.near_m, camera.far_m)
        if optics == self._optics:
            return
        self._optics = optics
        self._camera.GetFocalLengthAttr().Set(focal_length_mm(camera.hfov_rad))
        self._camera.GetVerticalApertureAttr().Set(APERTURE_MM * (camera.height + 2 * stamp.BAND_PX) / camera.width)
        self._camera.GetClippingRangeAttr().Set(Gf.Vec2f(camera.near_m, camera.far_m))
        for k, mesh in enumerate(self._stamps):
            corners = stamp.square(k, camera.width, camera.height, camera.focal_px)
            mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(corners))
            mesh.GetExtentAttr().Set(_extent(corners))

    def _place(self, view: View) -> None:
        if view.transforms is None:
            return
        for k, drawable in enumerate(self.scene.drawables):
            if drawable.transform >= 0:
                row = view.transforms[drawable.transform]
                if row.tobytes() != self._placed[k]:
                    self._placed[k] = row.tobytes()
                    self._drawn[k].GetPrim().GetAttribute("xformOp:transform").Set(gf_matrix(row))

    def _hide(self, view: View) -> None:
        from pxr import UsdGeom

        mask = view.hidden if isinstance(view.hidden, np.ndarray) else None
        for k, drawable in enumerate(self.scene.drawables):
            hidden = bool(mask[k]) if mask is not None else drawable.name in view.hidden
            shown = not hidden and not (view.hide_ceilings and drawable.ceiling)
            if shown != self._shown[k]:
                self._shown[k] = shown
                self._drawn[k].GetVisibilityAttr().Set(UsdGeom.Tokens.inherited if shown else UsdGeom.Tokens.invisible)

    def _light(self, view: View) -> None:
        for k, (light, lamp) in enumerate(zip(self._lamps, self.scene.lamps, strict=True)):
            light.GetIntensityAttr().Set(LAMP_INTENSITY * lamp.intensity * _level(view, k))

    def _dress(self, view: View) -> None:
        """The person's skin: points and normals, and only the faces that this camera sees."""
        from pxr import UsdGeom, Vt

        body, mesh = self.scene.body, self._body
        if body is None or mesh is None:
            return
        there = view.body_vertices_m is not None
        mesh.GetVisibilityAttr().Set(UsdGeom.Tokens.inherited if there else UsdGeom.Tokens.invisible)
        if view.body_vertices_m is None:
            return
        points = np.ascontiguousarray(view.body_vertices_m, dtype=np.float32)
        mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(points))
        if view.body_normals is not None:
            mesh.GetNormalsAttr().Set(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(view.body_normals, dtype=np.float32)))
        mesh.GetExtentAttr().Set(_extent(points))
        shown = np.ones(len(body.faces), dtype=bool) if view.body_hidden_faces is None else ~np.asarray(view.body_hidden_faces, dtype=bool)
        if not np.array_equal(shown, self._faces_shown):
            self._faces_shown = shown
            _write_faces(mesh, body.faces[shown])

    def _stamp(self, number: int) -> None:
        from pxr import UsdGeom

        for mesh, on in zip(self._stamps, stamp.shown(number), strict=True):
            mesh.GetVisibilityAttr().Set(UsdGeom.Tokens.inherited if on else UsdGeom.Tokens.invisible)

    def _changed_looks(self, view: View) -> list[tuple[int, UsdShade.Material]]:
        """Drawables whose material is another one than at the last picture, with it."""
        changed = []
        for k, drawable in enumerate(self.scene.drawables):
            wanted = view.looks.get(drawable.name, drawable.surface)
            if drawable.glows_with >= 0 and wanted.emissive:
                wanted = replace(wanted, emissive=round(wanted.emissive * _level(view, drawable.glows_with), 3))
            material = self._looks.of(wanted) if wanted != drawable.surface else None
            if wanted != self._surface[k]:
                self._surface[k] = wanted
                changed.append((k, material or self._looks.keep(wanted)))
        return changed

    def close(self) -> None:
        """Take everything away and show the scene again, where the stage is still there."""
        from pxr import UsdGeom

        if self.usd.GetPrimAtPath(ROOT):
            self.usd.RemovePrim(ROOT)
            world = self.usd.GetPrimAtPath("/World")
            if world and UsdGeom.Imageable(world):
                UsdGeom.Imageable(world).MakeVisible()


def _level(view: View, lamp: int) -> float:
    return 1.0 if view.lamps_on is None else float(view.lamps_on[lamp])


def _mesh(usd: Usd.Stage, path: str, mesh: TriMesh) -> UsdGeom.Mesh:
    from pxr import Sdf, UsdGeom, Vt

    prim = UsdGeom.Mesh.Define(usd, path)
    prim.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    prim.CreateDoubleSidedAttr(True)
    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(mesh.vertices_m, dtype=np.float32)))
    prim.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(mesh.normals, dtype=np.float32)))
    prim.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    prim.CreateFaceVertexCountsAttr()
    prim.CreateFaceVertexIndicesAttr()
    prim.CreateExtentAttr(_extent(mesh.vertices_m))
    _write_faces(prim, mesh.faces)
    st = UsdGeom.PrimvarsAPI(prim).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
    st.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(mesh.uvs, dtype=np.float32)))
    return prim


def _write_faces(mesh: UsdGeom.Mesh, faces: NDArray[np.int32]) -> None:
    from pxr import Vt

    mesh.GetFaceVertexCountsAttr().Set(Vt.IntArray.FromNumpy(np.full(len(faces), 3, np.int32)))
    mesh.GetFaceVertexIndicesAttr().Set(Vt.IntArray.FromNumpy(np.ascontiguousarray(faces.ravel(), dtype=np.int32)))


def _extent(points: NDArray[Any]) -> Any:
    from pxr import Gf, Vt

    if not len(points):
        return Vt.Vec3fArray([Gf.Vec3f(0.0), Gf.Vec3f(0.0)])
    low, high = points.min(axis=0), points.max(axis=0)
    return Vt.Vec3fArray([Gf.Vec3f(*(float(v) for v in low)), Gf.Vec3f(*(float(v) for v in high))])


def _no_shadow(mesh: UsdGeom.Mesh) -> None:
    from pxr import Sdf, UsdGeom

    UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("doNotCastShadows", Sdf.ValueTypeNames.Bool, UsdGeom.Tokens.constant).Set(True)

"""A stage model as USD: one scene file, one file an asset with its spec beside it, textures as PNG; Isaac Sim opens it unchanged.

Metres, Z up, kilograms. Collision pieces are guides with CollisionAPI (cubes, or meshes with the convexHull approximation); movables have
RigidBodyAPI and MassAPI, hinged and sliding links joints with limits. Only relative paths are written.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_bake.usd_materials import write_material
from assistcore.house.stage import ConvexPiece, Entity, Joint, Link, StageModel, VisualPart
from assistcore.house.usd_scene import SCENE_VERSION, scene_facts
from assistcore.house.usd_spec import facts_of, local_joint, placing_of
from assistcore.world.canonical import canonical_json


def write_scene(stage: StageModel, folder: Path) -> Path:
    """Write `<folder>/<name>.usda` with everything it needs below `folder`. Returns the scene file.

    Everything is written beside the folder first and moved in file by file, the scene file last: whoever reads meanwhile always finds it.
    """
    new = folder.with_name(f".{folder.name}.new")
    if new.exists():
        shutil.rmtree(new)
    try:
        file = _write_into(stage, new)
        _move_in(new, folder, file.name)
    finally:
        shutil.rmtree(new, ignore_errors=True)
    return folder / file.name


def _move_in(new: Path, folder: Path, last: str) -> None:
    """Replace the files below `folder` by those below `new`, `last` at the end; then remove what is no longer there."""
    names = sorted((p.relative_to(new) for p in new.rglob("*") if p.is_file()), key=lambda p: (p == Path(last), p))
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != (new / name).read_bytes():
            os.replace(new / name, target)
    for old in sorted(p for p in folder.rglob("*") if p.is_file()):
        if old.relative_to(folder) not in names:
            old.unlink()


def _write_into(stage: StageModel, folder: Path) -> Path:
    """Write a scene into a folder that is not there yet."""
    assets = folder / "assets"
    (assets / "textures").mkdir(parents=True)
    _write_textures(stage, assets / "textures")
    done: dict[str, str] = {}
    for entity in stage.entities:
        text = _spec_text(entity)
        if done.setdefault(entity.asset, text) != text:
            raise ValueError(f"scene {stage.name!r}: asset {entity.asset!r} of {entity.key} differs from an earlier use of that name")
        if not (assets / f"{entity.asset}.json").exists():
            (assets / f"{entity.asset}.json").write_text(text, encoding="utf-8")
            write_asset(entity, assets / f"{entity.asset}.usdc")
    return _write_scene_file(stage, folder)


def _spec_text(entity: Entity) -> str:
    return json.dumps(facts_of(entity), indent=1, sort_keys=True) + "\n"


def _write_textures(stage: StageModel, folder: Path) -> None:
    from PIL import Image

    for name, pixels in sorted(stage.textures.items()):
        image = Image.fromarray(pixels)
        few = image.quantize(64, dither=Image.Dither.NONE)
        # Labels have few colours: a palette keeps them exact and small.
        exact = np.array_equal(np.asarray(few.convert("RGB")), pixels)
        (few if exact else image).save(folder / f"{name}.png", optimize=True)


def _new_stage(path: Path) -> Any:
    from pxr import Usd, UsdGeom, UsdPhysics

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdPhysics.SetStageKilogramsPerUnit(stage, 1.0)
    return stage


def write_asset(entity: Entity, path: Path) -> None:
    """One asset: a prim per link with `visuals` and `collisions`, materials under `Looks`, joints under `Joints`."""
    from pxr import Kind, Usd, UsdGeom, UsdPhysics

    stage = _new_stage(path)
    root = UsdGeom.Xform.Define(stage, "/Asset").GetPrim()
    stage.SetDefaultPrim(root)
    Usd.ModelAPI(root).SetKind(Kind.Tokens.component)
    root.SetCustomDataByKey("assistworld:spec", f"./{path.stem}.json")
    if entity.kind == "movable":
        UsdPhysics.RigidBodyAPI.Apply(root)
        UsdPhysics.MassAPI.Apply(root).CreateMassAttr(entity.mass_kg)
    looks: dict[str, Any] = {}
    for link in entity.links:
        prim = UsdGeom.Xform.Define(stage, f"/Asset/{link.key}")
        _set_matrix(prim, link.T_root_link)
        if link.joint is not None:
            UsdPhysics.RigidBodyAPI.Apply(prim.GetPrim())
        for part in link.parts:
            _write_part(stage, f"/Asset/{link.key}/visuals/{_token(part.name)}", part, looks)
        UsdGeom.Scope.Define(stage, f"/Asset/{link.key}/collisions")
        for piece in link.pieces:
            _write_piece(stage, f"/Asset/{link.key}/collisions/{_token(piece.name)}", piece)
    for link in entity.links:
        if link.joint is not None:
            _write_joint(stage, entity, link, link.joint)
    stage.GetRootLayer().customLayerData = {"creator": "assets_bake"}
    stage.GetRootLayer().Save()


def _token(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _set_matrix(xformable: Any, T: NDArray[np.float64]) -> None:
    from pxr import Gf

    if not np.array_equal(T, np.eye(4)):
        xformable.AddTransformOp().Set(Gf.Matrix4d(T.T.tolist()))


def _write_part(stage: Any, path: str, part: VisualPart, looks: dict[str, Any]) -> None:
    from pxr import Sdf, UsdGeom, UsdShade, Vt

    mesh = UsdGeom.Mesh.Define(stage, path)
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(part.vertices_m)))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(part.faces), 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.ascontiguousarray(part.faces.ravel())))
    mesh.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(part.normals)))
    mesh.SetNormalsInterpolation(UsdGeom.Tokens.vertex)
    mesh.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(mesh.GetPointsAttr().Get()))
    st = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex)
    st.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(part.uvs)))
    key = canonical_json(
        [list(part.surface.rgb), part.surface.texture, part.surface.roughness, part.surface.emissive, part.surface.opacity]
    )
    if key not in looks:
        looks[key] = write_material(stage, f"/Asset/Looks/look_{len(looks)}", part.surface)
    UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(looks[key])


def _write_piece(stage: Any, path: str, piece: ConvexPiece) -> None:
    from pxr import Gf, UsdGeom, UsdPhysics, Vt

    shape: Any
    if piece.half_extents_m is not None:
        shape = UsdGeom.Cube.Define(stage, path)
        shape.CreateSizeAttr(2.0)
        shape.CreateExtentAttr([(-1.0, -1.0, -1.0), (1.0, 1.0, 1.0)])
        _set_matrix(shape, piece.T_link_piece)
        shape.AddScaleOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*piece.half_extents_m))
    else:
        from scipy.spatial import ConvexHull

        points = piece.vertices_m.astype(np.float32)
        hull = ConvexHull(piece.vertices_m)
        faces = _outward(piece.vertices_m, hull.simplices)
        shape = UsdGeom.Mesh.Define(stage, path)
        shape.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(points))
        shape.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(faces), 3, np.int32)))
        shape.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.ascontiguousarray(faces.astype(np.int32).ravel())))
        shape.CreateSubdivisionSchemeAttr(UsdGeom.Tokens.none)
        UsdPhysics.MeshCollisionAPI.Apply(shape.GetPrim()).CreateApproximationAttr(UsdPhysics.Tokens.convexHull)
    shape.CreatePurposeAttr(UsdGeom.Tokens.guide)
    UsdPhysics.CollisionAPI.Apply(shape.GetPrim())


def _outward(points: NDArray[np.float64], triangles: NDArray[np.int32]) -> NDArray[np.int32]:
    centre = points.mean(axis=0)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    inside = np.einsum("ij,ij->i", np.cross(b - a, c - a), a - centre) < 0
    out = triangles.copy()
    out[inside] = out[inside][:, ::-1]
    return out


def _write_joint(stage: Any, entity: Entity, link: Link, joint: Joint) -> None:
    from pxr import Gf, Sdf, UsdPhysics

    path = f"/Asset/Joints/{local_joint(entity.key, joint.key)}"
    kind = UsdPhysics.RevoluteJoint if joint.kind == "hinge" else UsdPhysics.PrismaticJoint
    prim = kind.Define(stage, path)
    prim.CreateBody0Rel().SetTargets([Sdf.Path(f"/Asset/{link.parent or entity.links[0].key}")])
    prim.CreateBody1Rel().SetTargets([Sdf.Path(f"/Asset/{link.key}")])
    axis = np.asarray(joint.axis)
    letter = "XYZ"[int(np.argmax(np.abs(axis)))]
    sign = float(np.sign(axis[np.argmax(np.abs(axis))]))
    prim.CreateAxisAttr(letter)
    low, high = sorted((joint.closed_at * sign, joint.open_at * sign))
    scale = 180.0 / np.pi if joint.kind == "hinge" else 1.0
    prim.CreateLowerLimitAttr(low * scale)
    prim.CreateUpperLimitAttr(high * scale)
    anchor = Gf.Vec3f(*joint.anchor_m)
    prim.CreateLocalPos0Attr(anchor)
    prim.CreateLocalPos1Attr(anchor)
    prim.CreateLocalRot0Attr(Gf.Quatf(1.0))
    prim.CreateLocalRot1Attr(Gf.Quatf(1.0))
    prim.GetPrim().SetCustomDataByKey("assistworld:joint", joint.kind)


def _write_scene_file(stage_model: StageModel, folder: Path) -> Path:
    from pxr import Gf, Sdf, UsdGeom

    path = folder / f"{stage_model.name}.usda"
    stage = _new_stage(path)
    world = UsdGeom.Xform.Define(stage, "/World").GetPrim()
    stage.SetDefaultPrim(world)
    _write_physics_scene(stage)
    for entity in stage_model.entities:
        prim = UsdGeom.Xform.Define(stage, f"/World/{entity.key}")
        prim.GetPrim().GetReferences().AddReference(f"./assets/{entity.asset}.usdc")
        prim.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*entity.pose.position_m))
        w, x, y, z = entity.pose.quat_wxyz
        prim.AddOrientOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Quatd(w, x, y, z))
        attribute = prim.GetPrim().CreateAttribute("assistworld:placing", Sdf.ValueTypeNames.String)
        attribute.Set(canonical_json(placing_of(entity)))
    _write_lights(stage, stage_model)
    stage.GetRootLayer().customLayerData = {
        "assistworld": {"version": SCENE_VERSION, "name": stage_model.name, "facts": canonical_json(scene_facts(stage_model))}
    }
    stage.GetRootLayer().Save()
    return path


def _write_physics_scene(stage: Any) -> None:
    from pxr import Gf, Sdf, UsdPhysics

    scene = UsdPhysics.Scene.Define(stage, "/World/PhysicsScene")
    scene.CreateGravityDirectionAttr(Gf.Vec3f(0.0, 0.0, -1.0))
    scene.CreateGravityMagnitudeAttr(9.81)
    prim = scene.GetPrim()
    prim.AddAppliedSchema("PhysxSceneAPI")
    prim.CreateAttribute("physxScene:timeStepsPerSecond", Sdf.ValueTypeNames.UInt).Set(60)


def _write_lights(stage: Any, model: StageModel) -> None:
    from pxr import Gf, UsdGeom, UsdLux

    UsdLux.DomeLight.Define(stage, "/World/Lights/sky").CreateIntensityAttr(300.0)
    for k, lamp in enumerate(model.lamps):
        light = UsdLux.SphereLight.Define(stage, f"/World/Lights/lamp_{k}")
        light.CreateRadiusAttr(0.06)
        light.CreateIntensityAttr(30000.0 * lamp.intensity)
        light.CreateColorAttr(Gf.Vec3f(*lamp.rgb))
        UsdGeom.Xformable(light).AddTranslateOp().Set(Gf.Vec3d(*lamp.position_m))
    for k, window in enumerate(model.windows):
        rect = UsdLux.RectLight.Define(stage, f"/World/Lights/window_{k}")
        rect.CreateWidthAttr(window.size_m[0])
        rect.CreateHeightAttr(window.size_m[1])
        rect.CreateIntensityAttr(4000.0)
        n = np.asarray(window.normal)
        right = np.cross((0.0, 0.0, 1.0), -n)
        T = np.eye(4)
        T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = right, (0.0, 0.0, 1.0), -n, window.centre_m
        _set_matrix(UsdGeom.Xformable(rect), T)

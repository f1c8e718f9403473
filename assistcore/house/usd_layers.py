"""The parts of the USD reader that touch `pxr`: placings of a scene layer, links of an asset, units, texture paths."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import ConvexPiece, Link, Surface, VisualPart
from assistcore.world.errors import InputError, Problem
from assistcore.world.poses import Pose

_CORNERS = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True)
class Placing:
    """One placed asset of a scene: key, URI of its file, pose in metres, facts of the placing."""

    key: str
    uri: str
    pose: Pose
    facts: dict[str, Any]


def stage_units(file: Path) -> float | Problem:
    """Metres per unit of a file, or the problem with its units or axis."""
    from pxr import Sdf

    layer = Sdf.Layer.FindOrOpen(str(file))
    if layer is None:
        return Problem(str(file), "is not a USD file", "bake it anew")
    root = layer.pseudoRoot
    if not root.HasInfo("metersPerUnit"):
        return Problem(str(file), "has no metersPerUnit", "author it: a unit is never guessed")
    if not root.HasInfo("upAxis") or str(root.GetInfo("upAxis")) != "Z":
        return Problem(str(file), f"has up axis {root.GetInfo('upAxis') or 'Y (not authored)'}", "only Z up is read")
    unit = float(root.GetInfo("metersPerUnit"))
    if not 1e-4 <= unit <= 10.0:
        return Problem(str(file), f"metersPerUnit {unit} is not between 0.0001 and 10", "")
    return unit


def read_placings(file: Path) -> tuple[tuple[Placing, ...], dict[str, Any], float]:
    """The placings in file order, the layer data of the scene and its metres per unit."""
    from pxr import Sdf

    unit = stage_units(file)
    if isinstance(unit, Problem):
        raise InputError(f"scene {file.name} cannot be read", [unit])
    layer = Sdf.Layer.FindOrOpen(str(file))
    facts = dict(layer.customLayerData).get("assistworld")
    world = layer.GetPrimAtPath("/World")
    if facts is None or world is None:
        what = "has no 'assistworld' layer data" if facts is None else "has no prim /World"
        raise InputError(f"scene {file.name} cannot be read", [Problem(str(file), what, "scenes are written by assets_bake")])
    out = []
    for prim in world.nameChildren:
        references = prim.referenceList.GetAddedOrExplicitItems()
        told = layer.GetAttributeAtPath(prim.path.AppendProperty("assistworld:placing"))
        if not references or told is None:
            continue
        out.append(Placing(prim.name, str(references[0].assetPath), _pose(layer, prim.path, unit), json.loads(told.default)))
    return tuple(out), dict(facts), unit


def _pose(layer: Any, path: Any, unit: float) -> Pose:
    def value(name: str) -> Any:
        attribute = layer.GetAttributeAtPath(path.AppendProperty(name))
        return None if attribute is None else attribute.default

    x, y, z = (float(v) * unit for v in (value("xformOp:translate") or (0.0, 0.0, 0.0)))
    turn = value("xformOp:orient")
    if turn is None:
        return Pose((x, y, z))
    i, j, k = turn.imaginary
    return Pose((x, y, z), (float(turn.real), float(i), float(j), float(k)))


def texture_uris(file: Path) -> tuple[str, ...]:
    """Every texture file that an asset names, sorted."""
    from pxr import Sdf

    layer = Sdf.Layer.FindOrOpen(str(file))
    found: set[str] = set()

    def visit(path: Any) -> None:
        if path.IsPropertyPath() and path.name == "inputs:file":
            found.add(str(layer.GetAttributeAtPath(path).default.path))

    if layer is not None:
        layer.Traverse(Sdf.Path.absoluteRootPath, visit)
    return tuple(sorted(found))


def read_links(file: Path, unit_m: float) -> list[Link]:
    """Geometry and looks of an asset's links, in file order; joints and handles come from the spec."""
    from pxr import Usd, UsdGeom

    stage = Usd.Stage.Open(str(file))
    out = []
    for prim in stage.GetDefaultPrim().GetChildren():
        if prim.GetName() in ("Looks", "Joints"):
            continue
        parts = [_part(p, unit_m) for p in _children(stage, f"{prim.GetPath()}/visuals")]
        pieces = [_piece(p, unit_m) for p in _children(stage, f"{prim.GetPath()}/collisions")]
        out.append(Link(prim.GetName(), _matrix(UsdGeom.Xformable(prim), unit_m), tuple(parts), tuple(pieces)))
    return out


def _children(stage: Any, path: str) -> list[Any]:
    prim = stage.GetPrimAtPath(path)
    return list(prim.GetChildren()) if prim else []


def _matrix(xformable: Any, unit_m: float) -> NDArray[np.float64]:
    for op in xformable.GetOrderedXformOps():
        if op.GetOpName() == "xformOp:transform":
            T = np.array(op.Get(), dtype=np.float64).T
            T[:3, 3] *= unit_m
            return T
    return np.eye(4)


def _part(prim: Any, unit_m: float) -> VisualPart:
    from pxr import UsdGeom, UsdShade

    mesh = UsdGeom.Mesh(prim)
    vertices = np.array(mesh.GetPointsAttr().Get(), dtype=np.float32)
    if unit_m != 1.0:
        vertices = vertices * np.float32(unit_m)
    faces = np.array(mesh.GetFaceVertexIndicesAttr().Get(), dtype=np.int32).reshape(-1, 3)
    normals = np.array(mesh.GetNormalsAttr().Get(), dtype=np.float32)
    uvs = np.array(UsdGeom.PrimvarsAPI(mesh).GetPrimvar("st").Get(), dtype=np.float32)
    material, _ = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()
    return VisualPart(prim.GetName(), vertices, faces, normals, uvs, _surface(material))


def _surface(material: Any) -> Surface:
    shader, _, _ = material.ComputeSurfaceSource()
    texture = ""
    colour = shader.GetInput("diffuseColor")
    if colour.HasConnectedSource():
        source = colour.GetConnectedSources()[0][0].source.GetPrim()
        texture = Path(source.GetAttribute("inputs:file").Get().path).stem
    r, g, b = (round(float(c), 4) for c in colour.GetAttr().Get())
    return Surface(
        (r, g, b),
        texture,
        round(float(shader.GetInput("roughness").Get()), 4),
        float(material.GetPrim().GetCustomDataByKey("assistworld:emissive") or 0.0),
        round(float(shader.GetInput("opacity").Get()), 4),
    )


def _piece(prim: Any, unit_m: float) -> ConvexPiece:
    from pxr import UsdGeom

    name = prim.GetName()
    if prim.IsA(UsdGeom.Cube):
        cube = UsdGeom.Cube(prim)
        scale = next(op.Get() for op in cube.GetOrderedXformOps() if op.GetOpName() == "xformOp:scale")
        x, y, z = (float(v) * unit_m for v in scale)
        return ConvexPiece(name, np.array([x, y, z]) * _CORNERS, _matrix(cube, unit_m), (x, y, z))
    points = np.array(UsdGeom.Mesh(prim).GetPointsAttr().Get(), dtype=np.float64) * unit_m
    return ConvexPiece(name, points, np.eye(4))

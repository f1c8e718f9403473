"""Models from a folder of GLB files, as Objaverse gives them, through trimesh (the extra `sim`)."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from assistcore.world.errors import InputError, Problem
from assistworld.engines.puzzle.games._solids import Solid, together
from assistworld.engines.puzzle.games._toys import in_unit_ball

MOST_FACES = 200_000
"""Above this a picture takes seconds."""
READABLE = {"KHR_materials_unlit", "KHR_texture_transform", "KHR_mesh_quantization", "KHR_materials_specular", "KHR_materials_ior"}
"""Required extensions without which the shape is still read rightly."""


def glb_files(folder: Path) -> tuple[str, ...]:
    """Paths of all GLB files below a folder, relative to it, sorted. Raises InputError where there are none."""
    found = tuple(sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*.glb"))) if folder.is_dir() else ()
    if not found:
        what = "holds no .glb file" if folder.is_dir() else "is no folder"
        raise InputError("models from a folder", [Problem(str(folder), what, "a folder of GLB files, such as Objaverse's `glbs`")])
    return found


def load_glb(folder: Path, name: str) -> Solid:
    """The whole scene of a file as one solid within a distance of 1 from its middle; both sides of open surfaces are seen.

    Colours are those of the faces, of the material, or of the texture at the corners. Raises InputError naming the file for one that is
    outside the folder, cannot be read, needs an extension that is not read, or has no extent or too many faces.
    """
    file = folder / name
    if not file.resolve().is_relative_to(folder.resolve()) or not file.is_file():
        raise InputError("model from a folder", [Problem(str(file), "is no file in this folder")])
    if unread := sorted(set(_required(file)) - READABLE):
        raise InputError("model from a folder", [Problem(str(file), f"needs {', '.join(unread)}", "convert it without this extension")])
    try:
        parts = [_part(mesh) for mesh in _meshes(file)]
    except ModuleNotFoundError as error:
        fix = "pip install 'assistworld[sim]'"
        raise InputError("model from a folder", [Problem(str(file), f"cannot be read without {error.name}", fix)]) from error
    except Exception as error:  # trimesh raises whatever its parsers meet in a broken file
        raise InputError("model from a folder", [Problem(str(file), f"cannot be read: {type(error).__name__}: {error}")]) from error
    return _whole(file, [part for part in parts if len(part.faces)])


def _required(file: Path) -> list[str]:
    """`extensionsRequired` of the JSON chunk (glTF 2.0, 4.4); empty where the file is broken, which trimesh tells better."""
    data = file.read_bytes()
    if len(data) < 20 or data[:4] != b"glTF":
        return []
    length = struct.unpack_from("<I", data, 12)[0]
    try:
        listed = json.loads(data[20 : 20 + length]).get("extensionsRequired", [])
    except (ValueError, AttributeError):
        return []
    return [str(item) for item in listed] if isinstance(listed, list) else []


def _meshes(file: Path) -> list[Any]:
    """All triangle meshes of a file in its own frame (y up)."""
    import trimesh

    scene: Any = trimesh.load(file, force="scene")
    found = []
    for node in sorted(scene.graph.nodes_geometry):
        placed, geometry = scene.graph[node]
        mesh = scene.geometry[geometry]
        if isinstance(mesh, trimesh.Trimesh):
            mesh = mesh.copy()
            mesh.apply_transform(placed)
            found.append(mesh)
    return found


def _part(mesh: Any) -> Solid:
    faces = np.asarray(mesh.faces, np.int64)
    if hasattr(mesh.visual, "to_color"):  # a texture, or the one colour of a material without any
        at_corners = np.asarray(mesh.visual.to_color().vertex_colors, np.float32)
        rgb = np.broadcast_to(at_corners, (len(mesh.vertices), 4))[faces].mean(1)[:, :3] / 255
    else:
        rgb = np.asarray(mesh.visual.face_colors, np.float32)[:, :3] / 255
    if not mesh.is_watertight:
        faces, rgb = np.concatenate([faces, faces[:, ::-1]]), np.concatenate([rgb, rgb])
    return Solid.of(mesh.vertices, faces, rgb)


def _whole(file: Path, parts: list[Solid]) -> Solid:
    if not parts:
        raise InputError("model from a folder", [Problem(str(file), "has no triangles")])
    solid = together(parts)
    if len(solid.faces) > MOST_FACES:
        raise InputError("model from a folder", [Problem(str(file), f"has {len(solid.faces)} faces", f"at most {MOST_FACES}")])
    if not np.isfinite(solid.points).all():
        raise InputError("model from a folder", [Problem(str(file), "has points that are not finite")])
    try:
        return in_unit_ball(solid)
    except ValueError as error:
        raise InputError("model from a folder", [Problem(str(file), str(error))]) from error

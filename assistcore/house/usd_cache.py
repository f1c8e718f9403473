"""A fast copy of a read stage: one uncompressed .npz per content key, in a cache folder. It is never the source of anything.

The key covers the names and bytes of every file below the scene's folder, so that one changed byte of one mesh makes a new key.
The folder is `ASSISTWORLD_CACHE`, else `~/.cache/assistworld`; where it cannot be written, nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import ConvexPiece, Entity, Link, StageModel, Surface, VisualPart
from assistcore.house.usd import read_stage
from assistcore.house.usd_scene import lamps_of, rooms_of, scene_facts, spots_of, windows_of
from assistcore.house.usd_spec import facts_of, instantiate, placing_of, prototype_from
from assistcore.world.bounded import MIB, TooLarge
from assistcore.world.ids import EntityRef
from assistcore.world.poses import Pose

CACHE_VERSION = 1
KEPT = 3
"""Copies kept of one scene."""
LIMIT_BYTES = 2048 * MIB
"""What a copy may hold; a larger one is none of ours."""
Array = NDArray[Any]


def cache_folder() -> Path:
    """Where fast copies are kept."""
    given = os.environ.get("ASSISTWORLD_CACHE")
    return Path(given) if given else Path.home() / ".cache" / "assistworld"


def content_key(scene: Path) -> str:
    """SHA-256 over the names and bytes of all files below the scene's folder, and this format's version."""
    total = hashlib.sha256(f"stage cache {CACHE_VERSION}".encode())
    for path in sorted(p for p in scene.parent.rglob("*") if p.is_file()):
        data = path.read_bytes()
        total.update(f"\n{path.relative_to(scene.parent).as_posix()} {len(data)}\n".encode())
        total.update(data)
    return total.hexdigest()


def read_stage_cached(scene: Path) -> StageModel:
    """The same stage as `read_stage`, from its fast copy where there is one. A torn copy is ignored and written anew."""
    file = cache_folder() / "stages" / f"{scene.stem}-{content_key(scene)[:24]}.npz"
    if file.is_file():
        try:
            return _load(file)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile):
            pass
    stage = read_stage(scene)
    _store(stage, file)
    return stage


def _store(stage: StageModel, file: Path) -> None:
    arrays: dict[str, Array] = {}

    def keep(value: Array) -> str:
        name = f"a{len(arrays)}"
        arrays[name] = value
        return name

    assets = {e.asset: _asset(e, keep) for e in reversed(stage.entities)}
    told = {
        "name": stage.name,
        "scene": scene_facts(stage),
        "assets": assets,
        "entities": [[e.key, e.asset, list(e.pose.position_m), list(e.pose.quat_wxyz), placing_of(e)] for e in stage.entities],
        "textures": {name: keep(pixels) for name, pixels in sorted(stage.textures.items())},
    }
    arrays["told"] = np.frombuffer(json.dumps(told).encode(), np.uint8)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=file.parent, suffix=".tmp", delete=False) as out:
            np.savez(out, **arrays)  # type: ignore[arg-type]
        os.replace(out.name, file)
        _prune(file)
    except OSError:
        return  # a folder that cannot be written only costs time


def _prune(file: Path) -> None:
    """Of older copies of the same scene only the newest few stay."""
    stem = file.name.rsplit("-", 1)[0]
    others = sorted((p for p in file.parent.glob(f"{stem}-*.npz") if p != file), key=lambda p: p.stat().st_mtime)
    for old in others[: -KEPT + 1]:
        old.unlink(missing_ok=True)


def _asset(e: Entity, keep: Any) -> dict[str, Any]:
    geometry = {}
    for link in e.links:
        parts = [[p.name, asdict(p.surface), *(keep(a) for a in (p.vertices_m, p.faces, p.normals, p.uvs))] for p in link.parts]
        pieces = [
            [p.name, list(p.half_extents_m) if p.half_extents_m else None, keep(p.vertices_m), keep(p.T_link_piece)] for p in link.pieces
        ]
        geometry[link.key] = [keep(link.T_root_link), parts, pieces]
    return {"facts": facts_of(e), "geometry": geometry}


def _load(file: Path) -> StageModel:
    with zipfile.ZipFile(file) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > LIMIT_BYTES:
            raise TooLarge(file.name, f"{size} bytes when unpacked", LIMIT_BYTES)
    with open(file, "rb") as raw, np.load(raw, allow_pickle=False) as found:
        told = json.loads(bytes(found["told"]))
        arrays = {name: found[name] for name in found.files}
    prototypes = {name: prototype_from(a["facts"], _links(a["geometry"], arrays)) for name, a in told["assets"].items()}
    entities = []
    for key, asset, position, quat_wxyz, placing in told["entities"]:
        x, y, z = position
        qw, qx, qy, qz = quat_wxyz
        entities.append(
            instantiate(prototypes[asset], EntityRef.from_key(key), placing.pop("room"), Pose((x, y, z), (qw, qx, qy, qz)), **placing)
        )
    scene = told["scene"]
    textures = {name: arrays[where] for name, where in told["textures"].items()}
    return StageModel(told["name"], rooms_of(scene), tuple(entities), textures, lamps_of(scene), windows_of(scene), spots_of(scene))


def _links(geometry: Mapping[str, Any], arrays: Mapping[str, Array]) -> list[Link]:
    out = []
    for key, (T, parts, pieces) in geometry.items():
        seen = tuple(
            VisualPart(name, *(arrays[a] for a in rest), Surface(**{**look, "rgb": tuple(look["rgb"])}))  # type: ignore[call-arg,arg-type]
            for name, look, *rest in parts
        )
        felt = tuple(ConvexPiece(name, arrays[v], arrays[t], tuple(half) if half else None) for name, half, v, t in pieces)
        out.append(Link(key, arrays[T], seen, felt))
    return out

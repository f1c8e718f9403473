"""The body: an SMPL+H-layout model (52 joints) as a frozen dataclass, and its loader.

Source: InteractiveWorld B.1.1. The model frame is SMPL's: metres, y up, facing +z, the body's left is +x. `kinematics` turns it into the
z-up world.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from humans.gait_style import BUILT_IN, GaitStyle
from humans.model_files import BodyFileError, read_model_arrays
from humans.rotations import F64

N_JOINTS = 52
FINGERS = ("index", "middle", "pinky", "ring", "thumb")
_HEAD_AND_LIMBS = (
    "pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3 left_foot right_foot neck "
    "left_collar right_collar head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist"
)
JOINT_NAMES: tuple[str, ...] = tuple(_HEAD_AND_LIMBS.split()) + tuple(
    f"{side}_{finger}{k}" for side in ("left", "right") for finger in FINGERS for k in (1, 2, 3)
)
PARENTS: tuple[int, ...] = (-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19) + tuple(
    wrist if k == 0 else 22 + 15 * hand + 3 * f + k - 1 for hand, wrist in enumerate((20, 21)) for f in range(5) for k in range(3)
)
JOINT: Mapping[str, int] = {name: index for index, name in enumerate(JOINT_NAMES)}
HEIGHT_M = (0.8, 2.6)
DEFAULT_BODY_FILE = Path(__file__).parent / "data" / "default_smplh.npz"


@dataclass(frozen=True, eq=False)
class BodyModel:
    """A fixed-shape body. Lengths in metres, model frame (y up, facing +z, left is +x).

    joint_names (52,), parents (52,) with -1 for the root; template_m (V, 3); faces (F, 3) int32, counter-clockwise seen from outside;
    skin_index, skin_weight (V, K), K influences, weights sum to 1; J_regressor (52, V); rest_joints_m (52, 3); shapedirs (V, 3, B);
    posedirs (V, 3, 459) or None when the model has no pose correctives; flex_axes (2, 15, 3): unit axis of finger flexion in the joint's
    frame for [left, right], fingers in FINGERS order; tips_m (52, 3): end of the bone that starts at the joint; vertex_part (V,) index into
    part_names; gait: the way in which the person walks.
    """

    joint_names: tuple[str, ...]
    parents: NDArray[np.int64]
    template_m: F64
    faces: NDArray[np.int32]
    skin_index: NDArray[np.int64]
    skin_weight: F64
    J_regressor: F64
    rest_joints_m: F64
    shapedirs: F64
    posedirs: F64 | None
    flex_axes: F64
    tips_m: F64
    vertex_part: NDArray[np.uint8]
    part_names: tuple[str, ...]
    license: str
    source: str
    gait: GaitStyle = BUILT_IN

    def joint(self, name: str) -> int:
        """Index of a joint by name; raises KeyError naming the value."""
        if name not in JOINT:
            raise KeyError(f"no joint {name!r}; joints are {', '.join(JOINT_NAMES[:22])} and fingers such as left_index1")
        return JOINT[name]

    @property
    def floor_y_m(self) -> float:
        """Height of the lowest vertex of the rest pose in the model frame (negative)."""
        return float(self.template_m[:, 1].min())

    def dominant_joint(self) -> NDArray[np.int64]:
        """Joint with the largest skin weight for each vertex, shape (V,)."""
        best = np.argmax(self.skin_weight, axis=1)
        return np.take_along_axis(self.skin_index, best[:, None], axis=1)[:, 0]


def _require(arrays: Mapping[str, NDArray[Any]], key: str, source: str) -> NDArray[Any]:
    if key not in arrays:
        raise BodyFileError(f"{source}: key {key!r} is missing; an SMPL+H file has it. Found {sorted(arrays)}")
    return arrays[key]


def _influences(weights: F64) -> tuple[NDArray[np.int64], F64]:
    """Dense weights (V, 52) -> the K largest influences, K = the most that any vertex uses (exact, no truncation)."""
    count = max(1, int((weights > 0.0).sum(axis=1).max()))
    index = np.argsort(-weights, axis=1, kind="stable")[:, :count]
    weight = np.take_along_axis(weights, index, axis=1)
    return np.ascontiguousarray(index, np.int64), np.ascontiguousarray(weight / weight.sum(axis=1, keepdims=True))


def _tips(joints: F64, template: F64, dominant: NDArray[np.int64]) -> F64:
    """End point of every bone: the child joint, or for a leaf the farthest vertex that it moves, along the parent's direction."""
    tips = joints.copy()
    for j in range(N_JOINTS):
        children = [c for c in range(N_JOINTS) if PARENTS[c] == j]
        if children:
            tips[j] = joints[children[0]]
            continue
        direction = joints[j] - joints[PARENTS[j]]
        direction = direction / max(float(np.linalg.norm(direction)), 1e-9)
        own = template[dominant == j]
        reach = float(((own - joints[j]) @ direction).max()) if len(own) else 0.02
        tips[j] = joints[j] + direction * reach
    return tips


def _flex_axes(joints: F64, tips: F64) -> F64:
    """Flexion axes (2, 15, 3) from a T-pose with palms down (model frame): fingers about direction x down, the thumb towards the palm."""
    out = np.zeros((2, 15, 3))
    down = np.array([0.0, -1.0, 0.0])
    for s, side in enumerate(("left", "right")):
        palm = 0.5 * (joints[JOINT[f"{side}_middle1"]] + joints[JOINT[f"{side}_ring1"]]) + 0.03 * down
        for f, finger in enumerate(FINGERS):
            for k in range(3):
                j = JOINT[f"{side}_{finger}{k + 1}"]
                direction = tips[j] - joints[j]
                axis = np.cross(direction, down if finger != "thumb" else palm - joints[j])
                out[s, 3 * f + k] = axis / np.linalg.norm(axis)
    return out


def _numbers(arrays: Mapping[str, NDArray[Any]], key: str, source: str, shape: tuple[int | None, ...]) -> F64:
    """A needed array as float64. None in `shape` allows any size. Raises BodyFileError for another shape or what is no finite number."""
    found = _require(arrays, key, source)
    if len(found.shape) != len(shape) or any(want is not None and got != want for got, want in zip(found.shape, shape, strict=False)):
        wanted = tuple("any" if want is None else want for want in shape)
        hint = " (24 joints is SMPL, 55 is SMPL-X; this needs SMPL+H)" if key == "weights" else ""
        raise BodyFileError(f"{source}: {key!r} has shape {found.shape}, needs {str(wanted).replace(chr(39), '')}{hint}")
    try:
        if found.dtype.kind == "c":
            raise TypeError("complex numbers")
        numbers = np.ascontiguousarray(found, np.float64)
    except (TypeError, ValueError) as error:
        raise BodyFileError(f"{source}: {key!r} of type {found.dtype} holds no real numbers ({error})") from error
    if not np.isfinite(numbers).all():
        raise BodyFileError(f"{source}: {key!r} holds values that are not finite")
    return numbers


def _mesh(arrays: Mapping[str, NDArray[Any]], source: str) -> tuple[F64, NDArray[np.int32]]:
    """Template (V, 3) and faces (F, 3), metres, y up."""
    template = _numbers(arrays, "v_template", source, (None, 3))
    corners = _numbers(arrays, "f", source, (None, 3))
    n = len(template)
    if n == 0 or len(corners) == 0:
        raise BodyFileError(f"{source}: the mesh has {n} vertices and {len(corners)} faces")
    if corners.min() < 0 or corners.max() >= n or (corners != np.floor(corners)).any():
        worst = corners.max() if corners.max() >= n else corners.min()
        raise BodyFileError(f"{source}: 'f' uses vertex {worst:g}, the mesh has whole numbers from 0 to {n - 1}")
    height = float(np.ptp(template[:, 1]))
    if not HEIGHT_M[0] <= height <= HEIGHT_M[1]:
        raise BodyFileError(
            f"{source}: the body is {height:.2f} m tall along y, needs {HEIGHT_M[0]} to {HEIGHT_M[1]}: metres, y up, in T-pose"
        )
    return template, corners.astype(np.int32)


def _weighed(values: F64, key: str, source: str) -> F64:
    """Rows that sum to one. Raises BodyFileError naming the row that does not."""
    off = np.abs(values.sum(axis=1) - 1.0)
    if float(off.max()) > 0.02:
        row = int(off.argmax())
        raise BodyFileError(f"{source}: row {row} of {key!r} sums to {values[row].sum():.3f}, needs 1")
    return values


def body_from_arrays(arrays: Mapping[str, NDArray[Any]], source: str) -> BodyModel:
    """Checks shapes and values and builds a BodyModel. Raises BodyFileError naming key, what was found and what is needed."""
    template, faces = _mesh(arrays, source)
    n = len(template)
    weights = _weighed(_numbers(arrays, "weights", source, (n, N_JOINTS)), "weights", source)
    if weights.min() < -1e-6:
        raise BodyFileError(f"{source}: 'weights' holds {weights.min():.3f}; a vertex cannot follow a joint by less than nothing")
    regressor = _weighed(_numbers(arrays, "J_regressor", source, (N_JOINTS, n)), "J_regressor", source)
    tree = np.asarray(_require(arrays, "kintree_table", source))
    parents = np.full(N_JOINTS, -1, np.int64)
    if tree.shape == (2, N_JOINTS) and tree.dtype.kind in "iuf":
        parents[1:] = np.nan_to_num(tree[0, 1:].astype(np.float64), nan=-1.0)
    if tuple(parents.tolist()) != PARENTS:
        found = f"{parents.tolist()}" if tree.shape == (2, N_JOINTS) else f"of shape {tree.shape}"
        raise BodyFileError(f"{source}: kintree_table {found} is not the SMPL+H tree {list(PARENTS)}")
    posedirs = None
    if "posedirs" in arrays and np.any(arrays["posedirs"]):
        posedirs = _numbers(arrays, "posedirs", source, (n, 3, 459))
    shapes = _numbers(arrays, "shapedirs", source, (n, 3, None)) if "shapedirs" in arrays else np.zeros((n, 3, 0))
    index, weight = _influences(weights)
    joints = regressor @ template
    dominant = np.take_along_axis(index, np.argmax(weight, axis=1)[:, None], axis=1)[:, 0]
    if joints[JOINT["head"], 1] <= joints[0, 1] or joints[0, 1] <= joints[JOINT["left_ankle"], 1]:
        raise BodyFileError(f"{source}: head, pelvis and ankles are not above each other along y; the rest pose is a T-pose, y up")
    tips = _numbers(arrays, "tips", source, (N_JOINTS, 3)) if "tips" in arrays else _tips(joints, template, dominant)
    flex = _numbers(arrays, "flex_axes", source, (2, 15, 3)) if "flex_axes" in arrays else _flex_axes(joints, tips)
    flex = flex / np.linalg.norm(flex, axis=-1, keepdims=True)
    part = _numbers(arrays, "vertex_part", source, (n,)).astype(np.uint8) if "vertex_part" in arrays else np.zeros(n, np.uint8)
    names = tuple(str(p) for p in arrays["part_names"]) if "part_names" in arrays else ("skin",)
    terms = str(arrays.get("license", "the licence of the file's owner"))
    body = BodyModel(
        JOINT_NAMES, parents, template, faces, index, weight, regressor, joints, shapes, posedirs, flex, tips, part, names, terms, source
    )
    for value in vars(body).values():
        if isinstance(value, np.ndarray):
            value.setflags(write=False)
    return body


@cache
def _load(path: Path) -> BodyModel:
    return body_from_arrays(read_model_arrays(path), str(path) if path != DEFAULT_BODY_FILE else "default")


def load_body(path: Path | str | None = None) -> BodyModel:
    """The embedded CC0 body, or the user's own licensed SMPL+H file (npz, pkl, or an AMASS `smplh/<gender>` folder).

    The result is cached and its arrays are read-only. Raises BodyFileError with file, key, value and what is needed.
    """
    return _load(DEFAULT_BODY_FILE if path is None else Path(path).expanduser().resolve())


def with_shape(body: BodyModel, betas: NDArray[np.float64]) -> BodyModel:
    """The body with shape coefficients (n,) applied to template, joints and tips; n at most the number of shape directions."""
    betas = np.asarray(betas, np.float64)
    if betas.ndim != 1 or len(betas) > body.shapedirs.shape[2]:
        raise ValueError(f"betas of shape {betas.shape}; this body has {body.shapedirs.shape[2]} shape directions")
    template = body.template_m + body.shapedirs[:, :, : len(betas)] @ betas
    joints = body.J_regressor @ template
    return replace(body, template_m=template, rest_joints_m=joints, tips_m=body.tips_m + joints - body.rest_joints_m)

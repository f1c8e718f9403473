"""The body: model files, forward kinematics, skinning, gait, postures, hands, capsule proxies, head camera, motion files.

Public names are loaded on first use; importing this package costs nothing and has no effect.
"""

from __future__ import annotations

from importlib import import_module

_PUBLIC = {
    "BodyModel": "humans.model",
    "BodyFileError": "humans.model_files",
    "JOINT": "humans.model",
    "JOINT_NAMES": "humans.model",
    "PARENTS": "humans.model",
    "load_body": "humans.model",
    "with_shape": "humans.model",
    "joint_transforms": "humans.kinematics",
    "root_pose": "humans.kinematics",
    "pelvis_translation": "humans.kinematics",
    "skin": "humans.kinematics",
    "vertex_normals": "humans.kinematics",
    "Capsules": "humans.proxies",
    "capsules": "humans.proxies",
    "ADJACENT_PAIRS": "humans.proxies",
    "CAPSULE_NAMES": "humans.proxies",
    "walking_width_m": "humans.proxies",
    "ArmOverlay": "humans.arms",
    "arm_overlay": "humans.arms",
    "Posture": "humans.postures",
    "solve_posture": "humans.postures",
    "stand": "humans.postures",
    "lean": "humans.postures",
    "lean_posture": "humans.postures",
    "blend": "humans.postures",
    "blend_posture": "humans.postures",
    "plant_feet": "humans.postures",
    "RootTrack": "humans.gait",
    "GaitFrames": "humans.gait",
    "walk": "humans.gait",
    "FAMILIES": "humans.hands",
    "Grip": "humans.hands",
    "Seat": "humans.hands",
    "seat": "humans.hands",
    "wrap": "humans.hands",
    "hand_pose": "humans.hands",
    "family_pose": "humans.hands",
    "set_hand": "humans.hands",
    "MotionFileError": "humans.motion_files",
    "read_amass": "humans.motion_files",
    "head_camera": "humans.camera",
    "gaze": "humans.camera",
    "faces_in_view": "humans.camera",
    "own_head_faces": "humans.camera",
}

__all__ = sorted(_PUBLIC)


def __getattr__(name: str) -> object:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'humans' has no attribute {name!r}; public names: {', '.join(__all__)}")
    return getattr(import_module(_PUBLIC[name]), name)


def __dir__() -> list[str]:
    return __all__

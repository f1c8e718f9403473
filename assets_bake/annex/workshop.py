"""The workshop: workbench, the rack on wheels, a standing sign in parts, another one put together and lying down, a side table kit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from assets_bake.annex.heights import CONSOLE, FOLDING, SORTING
from assets_bake.families.kit import PLATE_M, POLE_M, THICK_M
from assets_bake.looks import OAK, WALNUT
from assets_bake.scene_maker import SceneMaker
from assistcore.world.poses import Pose, quat_wxyz_from_matrix

BENCH, TRESTLE = 0.80, 0.45
RACK_SHELVES = (0.22, 0.62, 1.02)
RACK_AT = (13.5, 6.3)


def furnish(scene: SceneMaker) -> None:
    """Add the workshop's fixtures and kits."""
    scene.room = "workshop"
    scene.put(
        "workbench_1",
        "table",
        "workbench",
        (12.05, 8.62, 0.0),
        "S",
        category="workbench",
        nouns=("bench", "table"),
        size_m=(3.3, 0.70, BENCH),
        look=OAK,
        leg_m=0.08,
        shelf_m=0.24,
    )
    scene.put(
        "trestle_table_1",
        "table",
        "trestle_table",
        (9.84, 7.4, 0.0),
        "E",
        category="trestle_table",
        nouns=("table",),
        size_m=(1.5, 0.62, TRESTLE),
        look=WALNUT,
    )
    scene.put(
        "rack_1",
        "trolley",
        "rack",
        (*RACK_AT, 0.0),
        np.pi,
        kind="rack",
        nouns=("shelf on wheels", "trolley"),
        adjectives=("tall",),
        size_m=(0.46, 0.80, 1.42),
        shelves_m=RACK_SHELVES,
        mass_kg=22.0,
    )
    _signs(scene)
    table_signs(scene)
    scene.put(
        "frame_1",
        "kit",
        "table_frame",
        (10.75, 7.7, 0.0),
        0.4,
        part="frame",
        category="frame",
        nouns=("table frame", "legs"),
        adjectives=("wooden",),
    )
    scene.put(
        "table_top_1",
        "kit",
        "table_top",
        (11.2, 8.60, BENCH),
        "S",
        part="top",
        category="table_top",
        nouns=("top", "tabletop", "board"),
        adjectives=("wooden",),
    )
    scene.put("plant_3", "decor", "plant_tall", (9.85, 8.6, 0.0), 2.0, kind="plant", size_m=(0.72, 1.35))


def _signs(scene: SceneMaker) -> None:
    """`base_1` stands on the trestle table, its pole and panel lie on the workbench; `base_2` is put together and lies on the floor."""
    base: dict[str, Any] = {"part": "base", "category": "base", "nouns": ("foot", "stand", "sign base"), "adjectives": ("metal",)}
    pole: dict[str, Any] = {"part": "pole", "category": "pole", "nouns": ("post", "rod"), "adjectives": ("wooden",)}
    panel: dict[str, Any] = {"part": "panel", "category": "panel", "nouns": ("sign", "board"), "adjectives": ("yellow",)}
    small: dict[str, Any] = {**base, "base_m": 0.24}
    scene.put("base_1", "kit", "sign_base_small", (9.95, 7.98, TRESTLE), "E", **small)
    scene.put("pole_1", "kit", "sign_pole", (9.80, 7.2, TRESTLE), "E", **pole)
    scene.entities[-1] = replace(scene.entities[-1], pose=lying_pole(12.42, 8.37, BENCH))
    scene.put("panel_1", "kit", "sign_panel_ring", (11.9, 8.55, BENCH), "S", lines=("PLEASE", "RING"), **panel)
    scene.put("base_2", "kit", "sign_base", (0.0, 0.0, 0.0), "S", base_m=0.40, **base)
    scene.entities[-1] = replace(scene.entities[-1], pose=lying_sign(10.0, 6.2, 0.40))
    scene.put("pole_2", "kit", "sign_pole", (0.0, 0.0, 0.0), "S", mated=("foot", "base_2", "tube"), **pole)
    scene.put("panel_2", "kit", "sign_panel_shut", (0.0, 0.0, 0.0), "S", mated=("shoe", "pole_2", "head"), lines=("BACK", "AT 3"), **panel)
    for k in (-3, -2, -1):
        scene.entities[k] = replace(scene.entities[k], room="workshop")


def lying_pole(x_m: float, y_m: float, z_m: float) -> Pose:
    """A pole on its side, the head towards -x."""
    R = np.array([[0.0, 0.0, -1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    w, x, y, z = (float(v) for v in quat_wxyz_from_matrix(R))
    return Pose((x_m, y_m, z_m + THICK_M / 2), (w, x, y, z))


def lying_sign(x_m: float, y_m: float, base_m: float, *, z_m: float = 0.0, heading_rad: float = 0.0, pole_m: float = POLE_M) -> Pose:
    """A sign on the edge of its base and the flat of its panel, the head towards a heading and a little down."""
    reach, half = PLATE_M + pole_m + 0.23, base_m / 2
    down = float(np.arctan2(half - 0.009, reach - PLATE_M))
    c, s = float(np.cos(down)), float(np.sin(down))
    a, b = float(np.cos(heading_rad)), float(np.sin(heading_rad))
    # columns: the sign's own x (across), y (up), z (towards the head)
    R = np.array([[-b, s * a, c * a], [a, s * b, c * b], [0.0, c, -s]])
    w, x, y, z = (float(v) for v in quat_wxyz_from_matrix(R))
    return Pose((x_m, y_m, z_m + half * c + PLATE_M * s), (w, x, y, z))


def table_signs(scene: SceneMaker) -> None:
    """Small signs that lie on tables in several rooms, put together but not yet stood up; one has no panel."""
    short = 0.50
    for k, (room, x, y, z, heading, panel) in enumerate(
        (
            ("workshop", 12.85, 8.60, BENCH, 0.0, ("NO", "ENTRY")),
            ("mail_room", 7.22, 1.12, SORTING, np.pi / 2, ("MAIL", "HERE")),
            ("laundry", 6.15, 0.50, FOLDING, np.pi, ("FOLDED",)),
            ("hall", 13.75, 4.72, CONSOLE, -np.pi / 2, ()),
        ),
        3,
    ):
        scene.put(
            f"base_{k}",
            "kit",
            "sign_base_small",
            (0.0, 0.0, 0.0),
            "S",
            room=room,
            part="base",
            category="base",
            nouns=("foot", "stand", "sign base"),
            adjectives=("metal",),
            base_m=0.24,
        )
        scene.entities[-1] = replace(scene.entities[-1], pose=lying_sign(x, y, 0.24, z_m=z, heading_rad=heading, pole_m=short))
        scene.put(
            f"pole_{k}",
            "kit",
            "sign_pole_short",
            (0.0, 0.0, 0.0),
            "S",
            room=room,
            part="pole",
            category="pole",
            nouns=("post", "rod"),
            adjectives=("wooden", "short"),
            pole_m=short,
            mated=("foot", f"base_{k}", "tube"),
        )
        if panel:
            scene.put(
                f"panel_{k}",
                "kit",
                f"sign_panel_{k}",
                (0.0, 0.0, 0.0),
                "S",
                room=room,
                part="panel",
                category="panel",
                nouns=("sign", "board"),
                adjectives=("yellow",),
                lines=panel,
                mated=("shoe", f"pole_{k}", "head"),
            )

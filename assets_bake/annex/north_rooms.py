"""Office with the workstation, archive with its narrow aisle, store room; corridor and hall."""

from __future__ import annotations

from assets_bake.annex.heights import CONSOLE
from assets_bake.looks import OAK, WALNUT, WHITE_PAINT, plain, textured
from assets_bake.scene_maker import SceneMaker

DESK, SIDEBOARD, STORE_TABLE = 0.74, 0.8, 0.78
AISLE_M = (5.92, 6.66)
"""The aisle of the archive, y from, to: a person passes it, a wide tray does not."""


def furnish(scene: SceneMaker) -> None:
    """Add the fixtures of these rooms."""
    _office(scene)
    _archive(scene)
    _store_room(scene)
    _ways(scene)


def _office(scene: SceneMaker) -> None:
    scene.room = "office"
    cushion = textured("weave", 0.16, (0.30, 0.36, 0.42), 0.95)
    scene.put(
        "desk_1",
        "table",
        "desk",
        (0.42, 7.3, 0.0),
        "E",
        category="desk",
        nouns=("table", "workstation"),
        size_m=(1.4, 0.72, DESK),
        look=OAK,
    )
    scene.put("laptop_1", "electronics", "laptop", (0.62, 7.42, DESK), "E", kind="laptop", nouns=("computer", "workstation", "keyboard"))
    scene.put("chair_1", "chair", "chair_office", (1.41, 7.75, 0.0), -1.17, look=WALNUT, seat=cushion)
    scene.put(
        "sideboard_1",
        "cabinet",
        "sideboard",
        (3.68, 6.4, 0.0),
        "W",
        category="sideboard",
        nouns=("cabinet", "cupboard"),
        size_m=(1.0, 0.40, SIDEBOARD),
        plinth_m=0.06,
        shelves_m=(0.44,),
        look=WHITE_PAINT,
        inside=OAK,
        door_width_m=0.5,
        surface=True,
        adjectives=("white",),
        handle_z_m=0.62,
    )
    scene.put("plant_1", "decor", "plant_tall", (0.42, 8.55, 0.0), 4.0, kind="plant", size_m=(0.72, 1.35))
    scene.put("picture_1", "decor", "picture_sea", (0.0, 7.3, 1.6), "E", kind="picture", size_m=(0.6, 0.45), art="art_sea")
    scene.put("rug_1", "decor", "rug_office", (2.1, 7.3, 0.0), "S", kind="rug", size_m=(1.6, 2.0), look=textured("rug_stripes", 0.0))


def _open_shelf(scene: SceneMaker, key: str, at: tuple[float, float], facing: str, width_m: float, asset: str) -> None:
    scene.put(
        key,
        "cabinet",
        asset,
        (at[0], at[1], 0.0),
        facing,
        category="shelf",
        nouns=("shelves", "bookcase"),
        size_m=(width_m, 0.40, 1.7),
        plinth_m=0.06,
        shelves_m=(0.46, 0.86, 1.26),
        look=OAK,
        inside=OAK,
        door=False,
        adjectives=("wooden",),
    )


def _archive(scene: SceneMaker) -> None:
    """Shelves across the room: the way to the store room leads through the aisle between them."""
    scene.room = "archive"
    low, high = AISLE_M
    _open_shelf(scene, "shelf_1", (5.55, high + 0.6), "W", 1.2, "shelf_wide")
    _open_shelf(scene, "shelf_2", (5.55, high + 1.765), "W", 1.12, "shelf_middle")
    _open_shelf(scene, "shelf_3", (5.55, low - 0.26), "W", 0.51, "shelf_short")
    for key, z, y in (("book_row_1", 0.86, 7.5), ("book_row_2", 1.26, 8.6), ("book_row_3", 0.46, 8.8)):
        scene.put(key, "book_row", key, (5.50, y, z), "W", length_m=0.5, seed=int(key[-1]))
    scene.put("picture_2", "decor", "picture_hills", (5.0, NORTH_WALL, 1.6), "N", kind="picture", size_m=(0.6, 0.45), art="art_hills")


NORTH_WALL = 5.40


def _store_room(scene: SceneMaker) -> None:
    scene.room = "store_room"
    _open_shelf(scene, "shelf_4", (9.09, 7.6), "W", 1.2, "shelf_wide")
    scene.put(
        "packing_table_1",
        "table",
        "packing_table",
        (7.9, 8.6, 0.0),
        "S",
        category="packing_table",
        nouns=("table",),
        size_m=(1.5, 0.66, STORE_TABLE),
        look=WALNUT,
        shelf_m=0.2,
    )


def _ways(scene: SceneMaker) -> None:
    scene.room = "hall"
    scene.put(
        "console_table_1",
        "table",
        "console_table",
        (13.8, 4.5, 0.0),
        "W",
        category="console_table",
        nouns=("hall table", "table"),
        size_m=(1.0, 0.36, CONSOLE),
        look=WALNUT,
        leg_m=0.04,
        shelf_m=0.22,
    )
    scene.put("front_door_1", "decor", "front_door", (13.2, 5.28, 0.0), "S", kind="front_door", size_m=(0.92, 2.05), look=WALNUT)
    scene.put("mirror_1", "decor", "mirror_hall", (14.0, 4.5, 1.55), "W", kind="mirror", size_m=(0.55, 0.95), look=WALNUT)
    scene.put("picture_3", "decor", "picture_shapes", (9.9, 3.72, 1.6), "N", kind="picture", size_m=(0.45, 0.6), art="art_shapes")
    scene.room = "corridor"
    scene.put("rug_2", "decor", "runner", (3.4, 4.5, 0.0), "S", kind="rug", size_m=(3.0, 0.8), look=textured("rug_diamonds", 0.0))
    scene.put("plant_2", "decor", "plant_tall", (0.4, 4.9, 0.0), 1.0, kind="plant", size_m=(0.72, 1.35))
    scene.put(
        "wall_clock_1", "decor", "wall_clock", (3.6, 5.28, 1.95), "S", kind="wall_clock", size_m=(0.3, 0.3), look=plain((0.25, 0.30, 0.28))
    )

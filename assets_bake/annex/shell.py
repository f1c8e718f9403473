"""The plan: four rooms to the north, four to the south, a corridor and a hall between them; doors, passages and lamps."""

from __future__ import annotations

from assets_bake.building import Opening, Plan, RoomPlan, Wall, door, put_shell
from assets_bake.flat.lights import ceiling_lamp
from assets_bake.looks import plain, textured
from assets_bake.scene_maker import SceneMaker

OAK_FLOOR = textured("oak_floor", 1.6, roughness=0.5)
TILES = textured("tiles_floor", 0.6, roughness=0.35)
TERRACOTTA = textured("tiles_terracotta", 0.9, roughness=0.45)
CREAM, GREEN, BLUE = plain((0.90, 0.87, 0.80), 0.9), plain((0.80, 0.86, 0.79), 0.9), plain((0.79, 0.84, 0.88), 0.9)
ROSE, WHITE = plain((0.90, 0.83, 0.79), 0.9), plain((0.92, 0.92, 0.90), 0.9)
NORTH, SOUTH = 5.40, 3.60
"""Where the northern rooms begin and the southern ones end."""


def _window(at_m: float, width_m: float, low_m: float = 1.0) -> Opening:
    return Opening(at_m, width_m, low_m, 2.15, "window")


def _passage(at_m: float, width_m: float = 1.2) -> Opening:
    return Opening(at_m, width_m, 0.0, 2.1, "passage")


PLAN = Plan(
    rooms={
        "office": RoomPlan("office", (0.0, NORTH, 3.9, 9.0), BLUE, OAK_FLOOR),
        "archive": RoomPlan("archive", (4.02, NORTH, 6.6, 9.0), CREAM, OAK_FLOOR),
        "store_room": RoomPlan("store room", (6.72, NORTH, 9.3, 9.0), WHITE, TILES),
        "workshop": RoomPlan("workshop", (9.42, NORTH, 14.0, 9.0), GREEN, TILES),
        "corridor": RoomPlan("corridor", (0.0, 3.72, 6.6, 5.28), CREAM, OAK_FLOOR),
        "hall": RoomPlan("hall", (6.72, 3.72, 14.0, 5.28), CREAM, OAK_FLOOR),
        "kitchen": RoomPlan("kitchen", (0.0, 0.0, 3.6, SOUTH), ROSE, TERRACOTTA),
        "laundry": RoomPlan("laundry", (3.72, 0.0, 6.6, SOUTH), WHITE, TILES),
        "mail_room": RoomPlan("mail room", (6.72, 0.0, 10.2, SOUTH), BLUE, OAK_FLOOR),
        "break_room": RoomPlan("break room", (10.32, 0.0, 14.0, SOUTH), GREEN, OAK_FLOOR),
    },
    walls=(
        Wall("north", "x", (9.0, 9.14), (-0.14, 14.14), (_window(1.9, 1.2), _window(8.0, 0.8, 1.4), _window(11.7, 1.6))),
        Wall("south", "x", (-0.14, 0.0), (-0.14, 14.14), (_window(1.75, 0.8, 1.2), _window(8.4, 1.2), _window(12.1, 1.4))),
        Wall("west", "y", (-0.14, 0.0), (0.0, 9.0)),
        Wall("east", "y", (14.0, 14.14), (0.0, 9.0)),
        Wall("upper", "x", (5.28, 5.40), (0.0, 14.0), (door(1.4), _passage(11.0))),
        Wall("lower", "x", (3.60, 3.72), (0.0, 14.0), (door(2.6), door(5.3), _passage(8.4), door(12.3))),
        Wall("office", "y", (3.9, 4.02), (5.40, 9.0), (door(8.1),)),
        Wall("archive", "y", (6.6, 6.72), (5.40, 9.0), (door(6.3),)),
        Wall("store", "y", (9.3, 9.42), (5.40, 9.0)),
        Wall("middle", "y", (6.6, 6.72), (3.72, 5.28), (door(4.5),)),
        Wall("kitchen", "y", (3.6, 3.72), (0.0, 3.60)),
        Wall("laundry", "y", (6.6, 6.72), (0.0, 3.60)),
        Wall("mail", "y", (10.2, 10.32), (0.0, 3.60)),
    ),
    views=(
        ("office", "x", 14.0, -9.0, 23.0, 1.0),
        ("workshop", "x", 14.05, -9.0, 23.0, 1.0),
        ("kitchen", "x", -5.0, -9.0, 23.0, -1.0),
        ("break_room", "x", -5.05, -9.0, 23.0, -1.0),
    ),
    inward={"north": (0.0, -1.0), "south": (0.0, 1.0)},
)
DOORS = (
    ("office_door_1", (1.4, 5.34, 0.0), "N", "door_left", "corridor", ("corridor", "office")),
    ("archive_door_1", (3.96, 8.1, 0.0), "W", "door_right", "office", ("archive", "office")),
    ("store_room_door_1", (6.66, 6.3, 0.0), "E", "door_right", "archive", ("archive", "store_room")),
    ("hall_door_1", (6.66, 4.5, 0.0), "W", "door_left", "corridor", ("corridor", "hall")),
    ("kitchen_door_1", (2.6, 3.66, 0.0), "S", "door_left", "corridor", ("corridor", "kitchen")),
    ("laundry_door_1", (5.3, 3.66, 0.0), "S", "door_right", "corridor", ("corridor", "laundry")),
    ("break_room_door_1", (12.3, 3.66, 0.0), "S", "door_left", "hall", ("break_room", "hall")),
)
PASSAGES = (
    ("passage_1", (8.4, 3.66, 0.0), "S", ("hall", "mail_room")),
    ("passage_2", (11.0, 5.34, 0.0), "S", ("hall", "workshop")),
)
LAMPS = (
    ("office", (1.9, 7.2), (2.2, NORTH), "N", 1.0),
    ("archive", (4.7, 7.2), (4.02, 7.3), "E", 0.9),
    ("store_room", (8.0, 7.2), (6.72, 7.1), "E", 0.9),
    ("workshop", (11.7, 7.2), (11.8, NORTH), "N", 1.1),
    ("corridor", (3.3, 4.5), (0.0, 4.5), "E", 1.0),
    ("hall", (10.0, 4.5), (9.3, 5.28), "S", 1.0),
    ("kitchen", (1.8, 1.9), (1.9, SOUTH), "S", 1.0),
    ("laundry", (5.2, 1.9), (4.5, SOUTH), "S", 0.9),
    ("mail_room", (8.4, 1.9), (7.5, SOUTH), "S", 1.0),
    ("break_room", (12.2, 1.9), (11.5, SOUTH), "S", 1.0),
)


def furnish(scene: SceneMaker) -> None:
    """Add shell, doors, passages, lamps and the places to stand."""
    put_shell(scene, PLAN)
    for key, at, facing, asset, room, connects in DOORS:
        scene.put(key, "door", asset, at, facing, room=room, connects=connects, hinge=asset.removeprefix("door_"))
    for key, at, facing, connects in PASSAGES:
        scene.put(
            key, "decor", "passage", at, facing, kind="passage", category="passage", size_m=(1.2, 2.1), room=connects[0], connects=connects
        )
    for room, above, switch, side, intensity in LAMPS:
        ceiling_lamp(scene, f"{room}_lamp_1", room, above, switch, side, intensity)
    for room, x, y, heading in (
        ("start", 4.6, 4.5, 3.1415927),
        ("corridor", 4.6, 4.5, 3.1415927),
        ("hall", 9.0, 4.5, 0.0),
        ("office", 1.9, 6.9, 1.5707963),
        ("archive", 4.6, 7.2, 0.0),
        ("store_room", 7.6, 7.2, 0.4),
        ("workshop", 11.7, 6.7, 0.9),
        ("kitchen", 1.3, 2.3, -1.2),
        ("laundry", 5.3, 2.6, -1.7),
        ("mail_room", 8.4, 2.9, -1.6),
        ("break_room", 12.3, 2.7, -1.9),
    ):
        scene.spots[room] = (x, y, heading)

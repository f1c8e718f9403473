"""Imports only go down the house plan of ARCHITECTURE.md, inside a package as well, and never in a circle."""

from __future__ import annotations

import graphlib
import sys

from tests.repository.tree import PACKAGES, ROOT, imports, modules, sources

# Highest floor first; rooms on one line share a floor and may use each other.
FLOORS = [
    ("assets_bake",),
    ("extension",),
    ("assistworld", "assistworld.cli", "assistworld.adapters", "assistworld.web"),
    ("assistworld.studies",),
    ("assistworld.agents",),
    ("assistworld.episodes",),
    ("assistworld.engines",),
    ("evaluator",),
    ("taskpacks",),
    ("actions",),
    ("humans",),
    ("assistcore", "assistcore.models"),
    ("assistcore.house",),
    ("assistcore.pictures",),
    ("assistcore.world",),
]
# The rooms of `actions`, highest first. Its plain modules stand between them; the circle test below keeps those in order.
ACTIONS = [("verbs",), ("tools", "postures", "assembly", "fixtures"), ("manipulation",), ("navigation",)]
HEIGHT = {room: -number for number, rooms in enumerate(FLOORS) for room in rooms}
KIT = {"omni", "isaacsim", "carb"}


def room_of(module: str) -> str | None:
    """The room of the house plan that holds a module; None for other libraries."""
    parts = module.split(".")
    return next((name for name in (".".join(parts[:2]), parts[0]) if name in HEIGHT), None)


def test_every_folder_is_a_room_of_the_plan() -> None:
    for package in ("assistworld", "assistcore"):
        folders = {path.parts[1] for path in sources() if path.parts[0] == package and len(path.parts) > 2}
        planned = {room.split(".")[1] for room in HEIGHT if room.startswith(package + ".")}
        assert folders <= planned, f"{package}/ has folders that ARCHITECTURE.md does not know: {sorted(folders - planned)}"
    top = {path.parts[0] for path in sources()}
    assert top == set(PACKAGES), f"packages missing: {sorted(set(PACKAGES) - top)}"


def test_imports_only_go_down() -> None:
    wrong = []
    for module, path in modules().items():
        here = room_of(module)
        for found in imports(path):
            there = room_of(found.target)
            if here is None or there is None or there == here:
                continue
            if HEIGHT[there] > HEIGHT[here]:
                wrong.append(f"{path}:{found.line} {here} imports {found.target}")
    assert not wrong, "imports that go up the house:\n" + "\n".join(wrong)


def test_the_rooms_of_the_action_layer_only_look_down() -> None:
    height = {room: -number for number, rooms in enumerate(ACTIONS) for room in rooms}
    folders = {path.parts[1] for path in sources() if path.parts[0] == "actions" and len(path.parts) > 2}
    assert folders == set(height), "a room of actions/ that this plan does not know, or the other way round"
    wrong = []
    for path in sources():
        if path.parts[0] == "actions" and len(path.parts) > 2:
            for found in imports(path):
                first, _, rest = found.target.partition(".")
                there = rest.partition(".")[0]
                if first == "actions" and there in height and there != path.parts[1] and height[there] >= height[path.parts[1]]:
                    wrong.append(f"{path}:{found.line} imports {found.target}")
    assert not wrong, "\n".join(wrong)


def test_nothing_imports_the_bake_tool_and_only_the_extension_knows_kit() -> None:
    wrong = []
    for path in sources():
        for found in imports(path):
            first = found.target.split(".")[0]
            if (first == "assets_bake" and path.parts[0] != "assets_bake") or (first in KIT and path.parts[0] != "extension"):
                wrong.append(f"{path}:{found.line} imports {found.target}")
    assert not wrong, "\n".join(wrong)


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        module: {found.target for found in imports(path) if found.at_import and found.target in modules()} - {module}
        for module, path in modules().items()
    }
    try:
        order = list(graphlib.TopologicalSorter(graph).static_order())
    except graphlib.CycleError as error:
        raise AssertionError("modules import each other in a circle: " + " <- ".join(error.args[1])) from error
    assert len(order) == len(graph)


def test_imports_name_modules_that_exist() -> None:
    missing = []
    for path in sources():
        for found in imports(path):
            first = found.target.split(".")[0]
            if first in PACKAGES and found.target not in modules() and not (ROOT / found.target.replace(".", "/")).is_dir():
                missing.append(f"{path}:{found.line} imports {found.target}")
    assert not missing, "\n".join(missing)
    assert not set(PACKAGES) & sys.stdlib_module_names

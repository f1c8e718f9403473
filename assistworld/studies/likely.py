"""Of which things a verb could make something now, as the graph and the stage say; the rest is refused at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from assistcore.house.stage import StageModel
from assistcore.world.graph import SceneGraph

UP = 0.9
"""Least upward part of the opening of a vessel."""


def likely(stage: StageModel, graph: SceneGraph, verb: str, argument: str, first: str, keys: Sequence[str]) -> list[str]:
    """Those of `keys` that are not so already and can be meant; all of them where none is. `first`: what was named before."""
    said = _test(stage, graph, verb, argument, first)
    return [k for k in keys if said(k)] or list(keys)


def _test(stage: StageModel, graph: SceneGraph, verb: str, argument: str, first: str) -> Callable[[str], bool]:
    match verb, argument:
        case (("open" | "open_door"), _):
            return lambda k: graph.has("closed", k)
        case (("close" | "close_door"), _):
            return lambda k: not graph.has("closed", k)
        case (("turn_on" | "turn_off"), _):
            return lambda k: graph.value(k, "running") is (verb == "turn_off")
        case "raise", _:
            return lambda k: not graph.has("raised", k)
        case "pick", _:
            return lambda k: not graph.value(k, "attached")
        case "place_on_floor", "anchor":
            return lambda k: k in stage.by_key
        case (("stir" | "pour"), "target"):
            return lambda k: _vessel(stage, k) and not graph.value(k, "inside")
        case "wipe", "target":
            return lambda k: _wiped(stage, graph, k, first)
        case (("push" | "pull"), "destination"):
            return lambda k: "patch" not in _roles(stage, k)
    return lambda k: True


def _roles(stage: StageModel, key: str) -> frozenset[str]:
    return stage.entity(key).roles if key in stage.by_key else frozenset()


def _vessel(stage: StageModel, key: str) -> bool:
    """Whether something holds what is poured into it from above."""
    return key in stage.by_key and any(r.kind == "interior" and r.opening[2] > UP for r in stage.entity(key).regions)


def _wiped(stage: StageModel, graph: SceneGraph, key: str, tool: str) -> bool:
    """A surface, a spill that is there, or a stain that is there while the tool is wet."""
    roles = _roles(stage, key)
    if "patch" not in roles:
        return True
    return graph.value(key, "present") is True and ("stain" not in roles or graph.value(tool, "wet") is True)

"""Close a room door."""

from __future__ import annotations

from actions.motions import Plan, Segment
from actions.verbs._locomotion import from_stance, walk_plan
from actions.world import ActionWorld
from assistcore.world.commands import Command
from assistcore.world.engine import VerbInfo
from assistcore.world.errors import nearest
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Code, Refusal

INFO = VerbInfo(
    name="close_door",
    surface=("CloseDoor",),
    args=("door",),
    hands="free",
    english=(
        "close {door}",
        "shut {door}",
    ),
    meaning="Close a door between rooms: walk to its handle and swing the leaf.",
    group="fixtures",
    targets=("door",),
)
DONE_SHARE = 0.05
"""At most this far open counts as closed."""


def plan(world: ActionWorld, command: Command) -> Plan | Refusal:
    """Walk to the handle and drive the hinge. Changes nothing."""
    refs = command.entities()
    if not refs:
        return Refusal(Code.BAD_ARGUMENT, "close_door needs a door", "name a door")
    key = refs[0].key
    entity = world.stage.by_key.get(key)
    if entity is None or key in world.state.removed:
        return Refusal(Code.UNKNOWN_ENTITY, f"there is no {key} here", nearest(key, list(world.stage.by_key)))
    if entity.kind != "door" or not entity.joints:
        return Refusal(Code.NOT_AFFORDED, f"{key} is no door between rooms", "use [Close] for cupboards and drawers")
    shares = [world.state.open_fraction(world.stage, j.key) for j in entity.joints]
    if all(share <= DONE_SHARE for share in shares):
        return Refusal(Code.ALREADY, f"{key} is closed already ({100 * shares[0]:.0f} % open)")
    ready = from_stance(world)
    if isinstance(ready, Refusal):
        return ready
    here, first = ready
    from actions.manipulation.drive import plan_drive

    steps: list[Segment] | Refusal = plan_drive(here, key, False)
    return steps if isinstance(steps, Refusal) else walk_plan(command, first, steps, {"door": key})


def verify(graph: SceneGraph, command: Command) -> Refusal | None:
    """The graph says that the door is closed."""
    key = command.entities()[0].key
    if graph.has("closed", key):
        return None
    return Refusal(Code.POSTCONDITION_FAILED, f"{key} is not closed (joint at {graph.value(key, 'joint')} of 1000)", "try again")

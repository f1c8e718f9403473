"""What a planner plans in: the stage, the body, the collision world and a state that can be advanced without touching the real one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from actions.motions import Attach, Detach, Hold, LetGo, Pour, Segment, SetAttribute
from assistcore.house.clearance import Clearance
from assistcore.house.constraints import with_attachment
from assistcore.house.pours import poured
from assistcore.house.stage import StageModel
from assistcore.house.state import BodyState, Held, HouseState
from assistcore.world.poses import Pose

if TYPE_CHECKING:
    from humans.model import BodyModel


@dataclass
class ActionWorld:
    """A scratch world for planning one command. `clearance` is shared: use `scene()` to have it placed at this state."""

    stage: StageModel
    body: BodyModel
    clearance: Clearance
    state: HouseState
    seed: int = 0
    number: int = 0
    """The command's number in the episode: random draws come from `stream(seed, purpose, number)`."""
    caches: dict[str, object] = field(default_factory=dict)
    """Derived data keyed by what it depends on (grids, distance fields); never state."""

    def fork(self) -> ActionWorld:
        """A copy whose state can be advanced on its own (caches and collision world stay shared)."""
        return replace(self)

    def scene(self) -> Clearance:
        """The collision world, placed at this state."""
        self.clearance.place(self.state.poses, self.state.joints, self.state.removed)
        return self.clearance

    def advance(self, segment: Segment) -> None:
        """Bring the scratch state to the end of a segment (without physics: a released thing stays where the hand left it)."""
        state = self.state
        poses = dict(state.poses)
        for key, track in segment.carried.items():
            poses[key] = Pose.from_array(track[-1])
        joints = {**state.joints, **{key: float(track[-1]) for key, track in segment.joints.items()}}
        held, riding, attached = state.held, state.riding, state.attached
        attributes = {k: dict(v) for k, v in state.attributes.items()}
        for _, effect in sorted(segment.effects, key=lambda pair: pair[0]):
            match effect:
                case Hold(entity=entity, hand=hand, wrist_object=pose, riders=riders, second=second):
                    held, riding = Held(entity, hand, pose, second), riders
                case LetGo(entity=entity):
                    held, riding = (None, ()) if held is not None and held.entity == entity else (held, riding)
                case Attach(attachment=new):
                    held, riding, attached = None, (), with_attachment(attached, new)
                case Detach(child=child):
                    attached = tuple(a for a in attached if a.child != child)
                case SetAttribute(entity=entity, name=name, value=value):
                    attributes.setdefault(entity, {})[name] = value
                case Pour(source=source, target=target, ml=ml, holds_ml=holds, spill=spill):
                    for entity, name, value in poured(attributes, source, target, ml, holds, spill):
                        attributes.setdefault(entity, {})[name] = value
        body = BodyState(
            segment.pose_rad[-1],
            segment.translation_m[-1],
            (float(segment.xy_m[-1, 0]), float(segment.xy_m[-1, 1])),
            float(segment.heading_rad[-1]),
            segment.posture,
        )
        self.state = state.with_(poses=poses, joints=joints, held=held, riding=riding, attributes=attributes, body=body, attached=attached)

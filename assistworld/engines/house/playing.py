"""Play a committed motion one frame at a time: a pure step from (motion, state) to the next, with the effects that fell due.

A walk that is to stop is replaced by the two steps that end it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from actions.motions import Attach, Detach, Effect, Hold, LetGo, Motion, Pour, Segment, SetAttribute
from actions.navigation.stopping import stop_segment
from actions.world import ActionWorld
from assistcore.house.constraints import with_attachment
from assistcore.house.pours import poured
from assistcore.house.state import BodyState, Held, HouseState
from assistcore.world.poses import Pose


@dataclass(frozen=True, eq=False)
class Played:
    """One frame played: the new state and motion, what moved kinematically, and the effects that fell due, in order."""

    state: HouseState
    motion: Motion
    moved: dict[str, Pose]
    driven: dict[str, float]
    effects: tuple[Effect, ...]
    mark: str
    safe: bool
    segment_ended: bool


def play_frame(motion: Motion, state: HouseState) -> Played:
    """Show frame `motion.frame` of its current segment. Raises IndexError when the motion has no frame left (a caller's fault)."""
    segment = motion.plan.segments[motion.segment]
    i = motion.frame
    moved = {key: Pose.from_array(track[i]) for key, track in segment.carried.items()}
    driven = {key: float(track[i]) for key, track in segment.joints.items()}
    effects = tuple(effect for at, effect in segment.effects if at == i)
    ended = i + 1 >= len(segment)
    new = replace(motion, frame=i + 1)
    return Played(
        state=_apply(state, segment, i, moved, driven, effects),
        motion=new,
        moved=moved,
        driven=driven,
        effects=effects,
        mark=next((name for at, name in segment.marks if at == i), ""),
        safe=bool(segment.safe[i]),
        segment_ended=ended,
    )


def _apply(
    state: HouseState, segment: Segment, i: int, moved: dict[str, Pose], driven: dict[str, float], effects: tuple[Effect, ...]
) -> HouseState:
    body = BodyState(
        segment.pose_rad[i],
        segment.translation_m[i],
        (float(segment.xy_m[i, 0]), float(segment.xy_m[i, 1])),
        float(segment.heading_rad[i]),
        segment.posture,
    )
    held, riding, attributes, attached = state.held, state.riding, state.attributes, state.attached
    for effect in effects:
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
                attributes = {**attributes, entity: {**attributes.get(entity, {}), name: value}}
            case Pour(source=source, target=target, ml=ml, holds_ml=holds, spill=spill):
                for entity, name, value in poured(attributes, source, target, ml, holds, spill):
                    attributes = {**attributes, entity: {**attributes.get(entity, {}), name: value}}
    poses = {**state.poses, **moved} if moved else state.poses
    joints = {**state.joints, **driven} if driven else state.joints
    return HouseState(poses, joints, body, held, riding, attributes, state.removed, attached)


def next_segment(motion: Motion) -> Motion:
    """The motion at the first frame of its next segment."""
    return replace(motion, segment=motion.segment + 1, frame=0, settling=0)


def give_up(world: ActionWorld, motion: Motion) -> Motion:
    """The motion that stops where a walk can be stopped; the same motion elsewhere (it goes on to its next safe frame)."""
    segment = motion.plan.segments[motion.segment]
    stop = stop_segment(world, segment, motion.frame - 1)
    if stop is None:
        return motion
    return Motion(replace(motion.plan, segments=(stop,)), stopping=True)

"""The state of a house between two ticks, as plain values: what Physics measured, the two tables, and the person's body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import StageModel, link_matrix
from assistcore.world.poses import Pose

Hand = Literal["left", "right"]
AttributeValue = bool | int | str


@dataclass(frozen=True)
class Held:
    """A constraint: the entity follows the wrist joint of `hand` at a fixed transform (object frame in the wrist joint's frame)."""

    entity: str
    hand: Hand
    wrist_object: Pose
    second: Pose | None = None
    """Where both hands hold it: the other wrist joint's frame in the object's frame. That hand rides on the object."""


@dataclass(frozen=True)
class Riding:
    """A constraint: the entity follows a carrier (an entity, or one link of it) at a fixed transform while that is moved."""

    entity: str
    carrier: str
    link: str
    carrier_object: Pose


@dataclass(frozen=True)
class Attachment:
    """A constraint: the child's plug is mated to the parent's socket; the child follows the parent's root at a fixed transform."""

    child: str
    plug: str
    parent: str
    socket: str
    parent_child: Pose


@dataclass(frozen=True, eq=False)
class BodyState:
    """The person: axis-angle pose (156,), translation (3,) (world z-up, `humans` convention), ground position, heading and facing.

    Between commands the body is in the canonical stance at `xy_m`, `heading_rad` (holding arm included).
    """

    pose_rad: NDArray[np.float64]
    translation_m: NDArray[np.float64]
    xy_m: tuple[float, float]
    heading_rad: float
    posture: str = "standing"


@dataclass(frozen=True, eq=False)
class HouseState:
    """Everything a plan depends on. Immutable: `with_` gives a changed copy. `poses` has every present movable, `joints` every joint."""

    poses: Mapping[str, Pose]
    joints: Mapping[str, float]
    body: BodyState
    held: Held | None = None
    riding: tuple[Riding, ...] = ()
    attributes: Mapping[str, Mapping[str, AttributeValue]] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    attached: tuple[Attachment, ...] = ()
    """What is mated to what, sorted by child. A child has one parent; the one without is the root of an assembly."""

    def with_(self, **changes: object) -> HouseState:
        """A copy with some fields replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def same_as(self, other: HouseState) -> bool:
        """Whether two states are equal, number for number."""
        tables = ("poses", "joints", "held", "riding", "attached", "attributes", "removed")
        if any(getattr(self, name) != getattr(other, name) for name in tables):
            return False
        a, b = self.body, other.body
        if (a.xy_m, a.heading_rad, a.posture) != (b.xy_m, b.heading_rad, b.posture):
            return False
        return a.pose_rad.tobytes() == b.pose_rad.tobytes() and a.translation_m.tobytes() == b.translation_m.tobytes()

    def attachment(self, child: str) -> Attachment | None:
        """What a thing is mated to by its plug, or None."""
        return next((a for a in self.attached if a.child == child), None)

    def absent(self, stage: StageModel) -> frozenset[str]:
        """Keys of what is not there now: removed by the scenario, or a patch (spill, stain) that is not present."""
        gone = [key for key in stage.patches if self.attributes.get(key, {}).get("present") is not True]
        return self.removed.union(gone) if gone else self.removed

    def root(self, stage: StageModel, entity: str) -> NDArray[np.float64]:
        """World transform (4, 4) of an entity's root now."""
        pose = self.poses.get(entity)
        return (pose or stage.entity(entity).pose).matrix()

    def link(self, stage: StageModel, entity: str, link: str) -> NDArray[np.float64]:
        """World transform (4, 4) of a link now."""
        owner = stage.entity(entity)
        return link_matrix(owner, owner.link(link), self.root(stage, entity), self.joints)

    def open_fraction(self, stage: StageModel, joint: str) -> float:
        """How far a joint is from closed (0.0) to open (1.0)."""
        owner, _ = stage.joint_owner[joint]
        j = next(x for x in stage.entity(owner).joints if x.key == joint)
        return (self.joints.get(joint, j.initial) - j.closed_at) / (j.open_at - j.closed_at)

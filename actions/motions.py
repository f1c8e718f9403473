"""Committed motions as plain values: frames, what they carry and drive, and the effects that fall due at a frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assistcore.house.clearance import Allowed
from assistcore.house.state import Attachment, AttributeValue, Hand, Riding
from assistcore.world.commands import Command
from assistcore.world.poses import Pose

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Hold:
    """The hand closes on an entity: it follows the wrist from this frame on, and `riders` (what is in or on it) follow the entity.

    `second`: the other wrist in the entity's frame where both hands hold it.
    """

    entity: str
    hand: Hand
    wrist_object: Pose
    riders: tuple[Riding, ...] = ()
    second: Pose | None = None


@dataclass(frozen=True)
class LetGo:
    """The entity becomes dynamic and settles: the hand opens where it is held, else it is left to itself."""

    entity: str


@dataclass(frozen=True)
class SetAttribute:
    """An attribute changes (a device starts running, food is cut)."""

    entity: str
    name: str
    value: AttributeValue


@dataclass(frozen=True)
class Pour:
    """Millilitres run from a source into a target that holds at most `holds_ml` (empty: a drain), what finds no room into a spill.

    Relative, not a value to be set: what has run out on the way there is not poured a second time.
    """

    source: str
    target: str
    ml: int
    holds_ml: int
    spill: str = ""


@dataclass(frozen=True)
class Attach:
    """The held child is mated to its parent: the hand lets go, and from now on the child is part of the parent."""

    attachment: Attachment


@dataclass(frozen=True)
class Detach:
    """The child is its own thing again (it is taken hold of at the same frame)."""

    child: str


Effect = Hold | LetGo | SetAttribute | Pour | Attach | Detach


@dataclass(frozen=True, eq=False)
class Segment:
    """A stretch of committed frames at 12 a second; frame 0 follows the pose before it by one tick.

    pose_rad (n, 156), translation_m (n, 3), xy_m (n, 2), heading_rad (n,). `carried` maps entity to root poses (n, 7) (x, y, z, qw, qx,
    qy, qz):
    the held object, things inside it, riders of a driven joint. `joints` maps joint key to values (n,). `effects` fall due when a frame
    has been
    shown. `allowed` is what the checker exempts in these frames. `marks` name frames for the picture picker (`look_hold`).
    `safe` (n,) says where an interruption may leave the body (the last frame always).
    """

    phase: str
    pose_rad: F64
    translation_m: F64
    xy_m: F64
    heading_rad: F64
    safe: NDArray[np.bool_]
    carried: Mapping[str, F64] = field(default_factory=dict)
    joints: Mapping[str, F64] = field(default_factory=dict)
    effects: tuple[tuple[int, Effect], ...] = ()
    allowed: Allowed = Allowed()
    marks: tuple[tuple[int, str], ...] = ()
    settle: bool = False
    """Whether physics must run until rest after the last frame."""
    posture: str = "standing"

    def __len__(self) -> int:
        return int(self.pose_rad.shape[0])


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a command will do, screened before it is committed."""

    command: Command
    segments: tuple[Segment, ...]
    notes: Mapping[str, object] = field(default_factory=dict)
    """Diagnostics for the log: route length, repairs, stance, grip, residuals. JSON values only.

    `hold_ticks` prolongs the command; `remark` is what there is to say about it although it was done, for the person.
    """


@dataclass(frozen=True, eq=False)
class Motion:
    """A running plan: plain data with a cursor. `settling` counts physics ticks after the last frame of a settling segment."""

    plan: Plan
    segment: int = 0
    frame: int = 0
    settling: int = 0
    stopping: bool = False

"""Where a child is when its plug is in a parent's socket (seed B.3.1): the 6-DoF mating pose, and what is mated from the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from assistcore.house.stage import Connector, Entity, StageModel
from assistcore.house.state import Attachment
from assistcore.world.poses import Pose, inverse, yaw_quat_wxyz

F64 = NDArray[np.float64]


def connector_frame(entity: Entity, connector: Connector) -> F64:
    """A connector's frame (4, 4) in the root frame of its entity (connectors are on links without a joint of their own)."""
    return np.asarray(entity.link(connector.link).T_root_link @ Pose(connector.point_m, connector.quat_wxyz).matrix())


def turned(angle_rad: float) -> F64:
    """A turn (4, 4) about the axis of a connection."""
    w, x, y, z = (float(v) for v in yaw_quat_wxyz(angle_rad))
    return Pose((0.0, 0.0, 0.0), (w, x, y, z)).matrix()


def mate(stage: StageModel, child: str, plug: Connector, parent: str, socket: Connector, angle_rad: float = 0.0) -> Attachment:
    """The attachment of a child by a plug in a socket; `angle_rad` turns it about the connection's axis."""
    T = connector_frame(stage.entity(parent), socket) @ turned(angle_rad) @ inverse(connector_frame(stage.entity(child), plug))
    return Attachment(child, plug.name, parent, socket.name, Pose.from_matrix(T))


def mated_at_start(stage: StageModel, removed: frozenset[str] = frozenset(), moved: frozenset[str] = frozenset()) -> tuple[Attachment, ...]:
    """The attachments of the scene as baked, without what is absent or was put elsewhere. Sorted by child."""
    out = []
    for entity in stage.entities:
        m = entity.mated
        if m is None or entity.key in removed | moved or m.parent in removed:
            continue
        plug, socket = entity.connector(m.plug), stage.entity(m.parent).connector(m.socket)
        if plug is None or socket is None:
            raise ValueError(f"scene {stage.name!r}: {entity.key} is mated by {m.plug!r} to {m.socket!r} of {m.parent}, which lack these")
        out.append(mate(stage, entity.key, plug, m.parent, socket))
    return tuple(sorted(out, key=lambda a: a.child))


def with_children(poses: Mapping[str, Pose], attached: tuple[Attachment, ...]) -> dict[str, Pose]:
    """The poses with every attached child where its parent has it."""
    out = dict(poses)
    rows = list(attached)
    while rows:
        ready = [a for a in rows if a.parent not in {b.child for b in rows}]
        if not ready:
            raise ValueError(f"attachments form a ring: {', '.join(a.child for a in rows)}")
        for a in ready:
            out[a.child] = Pose.from_matrix(out[a.parent].matrix() @ a.parent_child.matrix())
            rows.remove(a)
    return out


def at_their_places(stage: StageModel) -> StageModel:
    """The stage with every child that is mated from the start at its mating pose."""
    poses = with_children({e.key: e.pose for e in stage.entities}, mated_at_start(stage))
    return replace(stage, entities=tuple(replace(e, pose=poses[e.key]) if e.mated is not None else e for e in stage.entities))

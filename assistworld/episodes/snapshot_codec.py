"""Snapshots of an interval as one compact attachment: a JSON header and byte-shuffled float64 arrays, deflated. Lossless."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from assistcore.world.bounded import MIB, inflate
from assistcore.world.canonical import canonical_json
from assistcore.world.errors import VersionError
from assistcore.world.snapshots import Snapshot

VERSION = 1
_MAGIC = b"AWSN"
LIMIT_BYTES = 512 * MIB
"""What a chunk may be when it is unpacked: more than an hour of a full flat."""


def encode(snapshots: Sequence[Snapshot], attach: Callable[[bytes], str]) -> bytes:
    """Bytes of a chunk. Pictures that cannot be redrawn are stored through `attach`, which returns their digest."""
    layouts: list[dict[str, Any]] = []
    rows: list[list[Any]] = []
    columns: list[list[list[float]]] = []
    for snapshot in snapshots:
        layout: dict[str, Any] = {
            "transforms": sorted(snapshot.transforms),
            "joints": sorted(snapshot.joints),
            "body": len(snapshot.body),
            "looks": dict(sorted(snapshot.looks.items())),
        }
        if layout not in layouts:
            layouts.append(layout)
            columns.append([])
        at = layouts.index(layout)
        numbers = [float(x) for k in layout["transforms"] for x in snapshot.transforms[k]]
        columns[at].append(numbers + [float(snapshot.joints[k]) for k in layout["joints"]] + [float(x) for x in snapshot.body])
        rows.append([snapshot.tick, at, attach(snapshot.picture) if snapshot.picture is not None else None])
    blocks = [np.asarray(c, dtype="<f8").reshape(len(c), -1) for c in columns]
    shapes = [list(b.shape) for b in blocks]
    header = canonical_json({"version": VERSION, "layouts": layouts, "rows": rows, "shapes": shapes}).encode("ascii")
    body = b"".join(_shuffle(b) for b in blocks)
    return _MAGIC + zlib.compress(len(header).to_bytes(4, "little") + header + body, 6)


def decode(data: bytes, fetch: Callable[[str], bytes]) -> tuple[Snapshot, ...]:
    """Inverse of `encode`. Raises VersionError for another version, ValueError for bytes that are no chunk or too large."""
    if data[:4] != _MAGIC:
        raise ValueError(f"not a snapshot chunk: starts with {data[:4]!r}")
    raw = inflate(data[4:], LIMIT_BYTES, "not a snapshot chunk")
    size = int.from_bytes(raw[:4], "little")
    header = json.loads(raw[4 : 4 + size])
    if header["version"] != VERSION:
        raise VersionError("snapshot chunk", str(header["version"]), str(VERSION))
    at = 4 + size
    blocks = []
    for n, width in header["shapes"]:
        blocks.append(_unshuffle(raw[at : at + 8 * n * width], n, width))
        at += 8 * n * width
    cursors = [0] * len(blocks)
    out = []
    for tick, index, picture in header["rows"]:
        numbers = blocks[index][cursors[index]].tolist()
        cursors[index] += 1
        out.append(_snapshot(tick, header["layouts"][index], numbers, fetch(picture) if picture else None))
    return tuple(out)


def _snapshot(tick: int, layout: dict[str, Any], numbers: list[float], picture: bytes | None) -> Snapshot:
    moved, joints = layout["transforms"], layout["joints"]
    n = 7 * len(moved)
    return Snapshot(
        tick,
        transforms={k: tuple(numbers[7 * i : 7 * i + 7]) for i, k in enumerate(moved)},
        joints=dict(zip(joints, numbers[n : n + len(joints)], strict=True)),
        body=tuple(numbers[n + len(joints) :]),
        looks=layout["looks"],
        picture=picture,
    )


def _shuffle(block: np.ndarray[Any, np.dtype[np.float64]]) -> bytes:
    """Bytes of the bit-wise difference of successive rows, byte plane after byte plane: what does not move becomes zeros."""
    bits = np.ascontiguousarray(block).view("<u8")
    delta = bits.copy()
    delta[1:] ^= bits[:-1]
    return np.ascontiguousarray(delta.T).reshape(-1).view(np.uint8).reshape(-1, 8).T.tobytes()


def _unshuffle(data: bytes, n: int, width: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    if n * width == 0:
        return np.zeros((n, width))
    planes = np.frombuffer(data, dtype=np.uint8).reshape(8, -1).T
    delta = np.ascontiguousarray(planes).reshape(-1).view("<u8").reshape(width, n).T
    return np.ascontiguousarray(np.bitwise_xor.accumulate(delta, axis=0)).view("<f8")

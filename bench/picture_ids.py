"""Instance ids of two machines or drivers: write those of a fixed set of cameras, or compare two such files up to edges.

Run: python -m bench.picture_ids write FILE.npz, then python -m bench.picture_ids compare A.npz B.npz (exit status 1 when they differ).
"""

from __future__ import annotations

import sys

import numpy as np
from numpy.typing import NDArray

from assistcore.pictures import Camera, open_pictures
from tests.pictures import scenes

_EDGE_PX = 2
_LEAST_AGREEMENT = 0.995


def cameras() -> list[Camera]:
    """Twelve cameras in the two rooms of the test flat."""
    out = []
    for k in range(12):
        centre = np.array([0.9, -0.9, 1.55]) if k % 3 else np.array([4.2, 0.4, 1.55])
        yaw = k * np.pi / 6
        out.append(Camera.look_at(centre, centre + (np.cos(yaw), np.sin(yaw), -0.3), hfov_rad=1.3, width=640, height=480))
    return out


def write(path: str) -> None:
    """Draw all cameras and store ids and the driver's name."""
    with open_pictures() as renderer:
        renderer.load(scenes.flat()[0])
        ids = np.stack([renderer.draw(scenes.view_of(camera)).ids for camera in cameras()])
        np.savez_compressed(path, ids=ids, device=renderer.device)
        print(f"{path}: {renderer.device}")


def near_edges(ids: NDArray[np.int32]) -> NDArray[np.bool_]:
    """True within _EDGE_PX of a change of id; shape (h, w)."""
    edge = np.zeros(ids.shape, bool)
    edge[1:] |= ids[1:] != ids[:-1]
    edge[:-1] |= ids[1:] != ids[:-1]
    edge[:, 1:] |= ids[:, 1:] != ids[:, :-1]
    edge[:, :-1] |= ids[:, 1:] != ids[:, :-1]
    for _ in range(_EDGE_PX - 1):
        grown = edge.copy()
        grown[1:] |= edge[:-1]
        grown[:-1] |= edge[1:]
        grown[:, 1:] |= edge[:, :-1]
        grown[:, :-1] |= edge[:, 1:]
        edge = grown
    return edge


def compare(first: str, second: str) -> bool:
    """Print agreement and differences away from edges; True when the files agree."""
    a, b = np.load(first), np.load(second)
    wrong = a["ids"] != b["ids"]
    inner = sum(int((w & ~near_edges(i)).sum()) for w, i in zip(wrong, a["ids"], strict=True))
    share = 100 * (1 - wrong.mean())
    print(f"{a['device']} against {b['device']}: {share:.3f} % equal, {inner} differences further than {_EDGE_PX} px from an edge")
    return inner == 0 and 1 - wrong.mean() >= _LEAST_AGREEMENT


def main(arguments: list[str]) -> int:
    """Exit status of the command line."""
    if len(arguments) == 2 and arguments[0] == "write":
        write(arguments[1])
        return 0
    if len(arguments) == 3 and arguments[0] == "compare":
        return 0 if compare(arguments[1], arguments[2]) else 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

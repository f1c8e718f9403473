"""Milliseconds a picture of the bare renderer on the test flat: body skinned and shadows updated every picture.

Run: python -m bench.pictures [--json] [--pictures N] [--width W] [--height H]
"""

from __future__ import annotations

import argparse
import json
import time

import numpy as np

from assistcore.pictures import View, open_pictures
from assistcore.pictures.renderer import GlPictures
from tests.pictures import scenes

_WARM = 3


def measure(renderer: GlPictures, n: int, width: int, height: int, *, body: bool, supersample: int) -> dict[str, float]:
    """Median and least wall time and median CPU time of n pictures, milliseconds."""
    poses = [scenes.body_shape(0.05 * k) for k in range(12)]
    _, transforms = scenes.flat()
    wall, cpu = [], []
    for k in range(n + _WARM):
        vertices, normals = poses[k % 12] if body else (None, None)
        view = View(
            camera=scenes.head_camera(width, height),
            transforms=transforms,
            body_vertices_m=vertices,
            body_normals=normals,
            body_hidden_faces=scenes.head_faces() if body else None,
            supersample=supersample,
        )
        started, used = time.perf_counter(), time.process_time()
        renderer.draw(view)
        wall.append(time.perf_counter() - started)
        cpu.append(time.process_time() - used)
    ms = [1000.0 * np.array(times[_WARM:]) for times in (wall, cpu)]
    return {
        "median_ms": round(float(np.median(ms[0])), 2),
        "least_ms": round(float(ms[0].min()), 2),
        "cpu_ms": round(float(np.median(ms[1])), 2),
    }


def main() -> None:
    """Print one line a case, or one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--pictures", type=int, default=30)
    parser.add_argument("--width", type=int, default=640)
    parser.add_argument("--height", type=int, default=480)
    options = parser.parse_args()
    cases = {"static": (False, 1), "body": (True, 1), "static 2x2": (False, 2), "body 2x2": (True, 2)}
    started = time.perf_counter()
    with open_pictures() as renderer:
        renderer.load(scenes.flat()[0])
        renderer.draw(scenes.view_of(scenes.head_camera(options.width, options.height)))
        first_s = time.perf_counter() - started
        rows = {
            name: measure(renderer, options.pictures, options.width, options.height, body=body, supersample=supersample)
            for name, (body, supersample) in cases.items()
        }
        record = {
            "device": renderer.device,
            "size": [options.width, options.height],
            "start_to_first_picture_s": round(first_s, 2),
            "cases": rows,
        }
    if options.json:
        print(json.dumps(record))
        return
    print(record["device"], f"first picture after {first_s:.2f} s")
    for name, row in rows.items():
        print(
            f"{name:12s} {row['median_ms']:8.1f} ms  least {row['least_ms']:.1f}  cpu {row['cpu_ms']:.1f}  {1000 / row['median_ms']:.0f}/s"
        )


if __name__ == "__main__":
    main()

"""`./dev bench [PART...] [--json]`: speed of the house, measured on this machine; each part says what it does and prints when it is done.

Aims, warm: 3 simulated seconds a wall second with 4 frames an action at 640 x 480, 20 without; reset below 1 s; route below 50 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench import puzzles
from bench.house import PARTS, Part, measure

AIMS = {
    "with frames": "aim >= 3",
    "without frames": "aim >= 20",
    "reset": "aim < 1 s",
    "route": "aim < 50 ms",
}


Rows = Iterator[tuple[str, str, str]]
"""What, its value, and the aim or nothing."""


def _spread(value: Mapping[str, Any]) -> str:
    refused = f", {value['refused']} refused" if value.get("refused") else ""
    return f"{value['median']:.0f} ms, {value['p99']:.0f} ms; processor {value['cpu_median']:.0f} ms (n {value['n']}{refused})"


def _loading(found: Mapping[str, Any]) -> Rows:
    yield "scene load, cold and warm", f"{found['scene_load_cold_s']:.2f} s, {found['scene_load_warm_s']:.2f} s", ""


def _resetting(found: Mapping[str, Any]) -> Rows:
    yield "first reset of a process", f"{found['reset_first_s']:.2f} s", ""
    yield "reset", f"{found['reset_s']:.2f} s; {found['reset_with_things_that_settle_s']:.2f} s with settling", AIMS["reset"]


def _planning(found: Mapping[str, Any]) -> Rows:
    where = f" in {found['scene']}" if "scene" in found else ""
    for what, key in (
        ("route", "route_ms"),
        ("whole walk plan", "walk_plan_ms"),
        ("reach plan", "reach_plan_ms"),
        ("first reach for a thing", "reach_first_ms"),
    ):
        if key in found:
            yield f"{what}{where}, median and p99", _spread(found[key]), AIMS.get(what, "")


def _script(found: Mapping[str, Any]) -> Rows:
    rate = f"{found['simulated_per_wall']:.2f} ({found['simulated_s']:.0f} s in {found['wall_s']:.1f} s)"
    yield f"{found['commands']} commands, {found['verbs']} verbs, simulated s per wall s", rate, AIMS["without frames"]
    by_scene = ", ".join(f"{scene} {value:.1f}" for scene, value in found["by_scene"].items())
    yield "  per processor second", f"{found['simulated_per_cpu']:.2f}; per wall second in {by_scene}", ""
    yield "  planning and playing", f"{found['plan_s']:.1f} s, {found['play_s']:.1f} s", ""
    for slow in found["slowest"]:
        yield f"    {slow['text']}", f"plan {slow['plan_s']:.2f} s, play {slow['play_s']:.2f} s for {slow['simulated_s']:.1f} s", ""
    for fault in (*found["not_done"], *found["unused_verbs"]):
        yield "  NOT DONE", fault, ""


def _drawing(found: Mapping[str, Any]) -> Rows:
    yield "pictures are drawn on", found["device"], ""
    yield "first picture", f"{found['first_picture_s']:.2f} s", ""
    both = f"{found['frame_ms']['median']:.1f} ms, {found['bare_renderer_ms']['median']:.1f} ms"
    yield "frame, bare renderer", f"{both} (ratio {found['frame_to_bare']:.2f})", ""


def _episodes(found: Mapping[str, Any]) -> Rows:
    for name, key in (("with frames", "with_frames"), ("without frames", "without_frames")):
        episode = found[key]
        rate = f"{episode['simulated_per_wall']:.2f} ({episode['simulated_s']:.0f} s in {episode['wall_s']:.1f} s)"
        yield f"simulated s per wall s, {name}", rate, AIMS[name]
        yield "  share outside engine and renderer", f"{100 * episode['share_outside_engine_and_renderer']:.1f} %", ""
        yield "  seconds in", ", ".join(f"{n} {s:.2f}" for n, s in list(episode["seconds_in"].items())[:5]), ""


ROWS: Mapping[str, Callable[[Mapping[str, Any]], Rows]] = {
    "loading": _loading, "resetting": _resetting, "planning": _planning, "largest": _planning, "script": _script, "drawing": _drawing,
    "episodes": _episodes, "puzzles": puzzles.rows,
}  # fmt: skip


def lines(name: str, found: Mapping[str, Any]) -> list[str]:
    """The figures of a part as text."""
    return [f"  {what:<46}{value:<50}{aim}".rstrip() for what, value, aim in ROWS[name](found)]


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print, part by part."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=(__doc__ or "").strip(), formatter_class=argparse.RawTextHelpFormatter)
    names = [part.name for part in PARTS]
    parser.add_argument("parts", nargs="*", help=f"parts to measure; all unless given: {', '.join(names)}")
    parser.add_argument("--json", action="store_true", help="print one JSON object at the end, and how far it is to standard error")
    parser.add_argument("--reference", metavar="PYTHON", help="interpreter with the reference suite of the puzzles (VisGym) installed")
    asked = parser.parse_args(words)
    puzzles.REFERENCE = asked.reference
    if unknown := sorted(set(asked.parts) - set(names)):
        parser.error(f"no part {', '.join(unknown)}; there are {', '.join(names)}")
    busy = f"load {os.getloadavg()[0]:.1f} before" if hasattr(os, "getloadavg") else "load unknown"
    machine = f"{os.cpu_count()} CPUs, {platform.machine()}, Python {platform.python_version()}, {busy}"
    out = sys.stderr if asked.json else sys.stdout

    def begins(part: Part) -> None:
        print(f"{part.name}: {part.does}", file=out, flush=True)

    def ends(part: Part, found: dict[str, Any], took_s: float) -> None:
        print("\n".join([*lines(part.name, found), f"  ({took_s:.0f} s in all)"]), file=out, flush=True)

    print(machine, file=out, flush=True)
    found = {"machine": machine, **measure(asked.parts or names, begins, ends)}
    if asked.json:
        print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`./dev bench [--json]`: speed of the house, measured in one run on this machine.

Aims, warm: 3 simulated seconds a wall second with 4 frames an action at 640 x 480, 20 without; reset below 1 s; route below 50 ms.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from bench.house import measure

AIMS = {
    "with frames": "aim >= 3",
    "without frames": "aim >= 20",
    "reset": "aim < 1 s",
    "route": "aim < 50 ms",
}


def lines(found: Mapping[str, Any]) -> list[str]:
    """The figures as text."""
    load, reset, plan, draw = found["loading"], found["resetting"], found["planning"], found["drawing"]
    large, verbs = found["largest"], found["script"]
    out = [f"{found['machine']}; pictures drawn on {draw['device']}", ""]

    def row(what: str, value: str, aim: str = "") -> None:
        out.append(f"{what:<44}{value:<34}{aim}".rstrip())

    for name, key in (("with frames", "with_frames"), ("without frames", "without_frames")):
        episode = found["episodes"][key]
        rate = f"{episode['simulated_per_wall']:.2f} ({episode['simulated_s']:.0f} s in {episode['wall_s']:.1f} s)"
        row(f"simulated s per wall s, {name}", rate, AIMS[name])
        row("  share outside engine and renderer", f"{100 * episode['share_outside_engine_and_renderer']:.1f} %")
        row("  seconds in", ", ".join(f"{n} {s:.2f}" for n, s in list(episode["seconds_in"].items())[:5]))
    row("scene load, cold and warm", f"{load['scene_load_cold_s']:.2f} s, {load['scene_load_warm_s']:.2f} s")
    row("first reset of a process", f"{reset['reset_first_s']:.2f} s")
    row("reset", f"{reset['reset_s']:.2f} s; {reset['reset_with_things_that_settle_s']:.2f} s with settling", AIMS["reset"])
    for what, key, aim in (
        ("route", "route_ms", AIMS["route"]),
        ("whole walk plan", "walk_plan_ms", ""),
        ("reach plan", "reach_plan_ms", ""),
    ):
        value = plan[key]
        refused = f", {value['refused']} refused" if value.get("refused") else ""
        row(f"{what}, median and p99", f"{value['median']:.0f} ms, {value['p99']:.0f} ms (n {value['n']}{refused})", aim)
    for what, key, aim in (("route", "route_ms", AIMS["route"]), ("whole walk plan", "walk_plan_ms", "")):
        value = large[key]
        refused = f", {value['refused']} refused" if value.get("refused") else ""
        figures = f"{value['median']:.0f} ms, {value['p99']:.0f} ms (n {value['n']}{refused})"
        row(f"{what} in {large['scene']}, median and p99", figures, aim)
    rate = f"{verbs['simulated_per_wall']:.2f} ({verbs['simulated_s']:.0f} s in {verbs['wall_s']:.1f} s)"
    row(f"script of {verbs['commands']} commands, {verbs['verbs']} verbs, s per s", rate, AIMS["without frames"])
    row("  per processor second", f"{verbs['simulated_per_cpu']:.2f}; " + ", ".join(f"{k} {v:.1f}" for k, v in verbs["by_scene"].items()))
    row("  planning and playing", f"{verbs['plan_s']:.1f} s, {verbs['play_s']:.1f} s")
    for slow in verbs["slowest"]:
        row(f"    {slow['text']}", f"plan {slow['plan_s']:.2f} s, play {slow['play_s']:.2f} s for {slow['simulated_s']:.1f} s")
    for fault in (*verbs["not_done"], *verbs["unused_verbs"]):
        row("  NOT DONE", fault)
    row("first picture", f"{draw['first_picture_s']:.2f} s")
    row(
        "frame, bare renderer",
        f"{draw['frame_ms']['median']:.1f} ms, {draw['bare_renderer_ms']['median']:.1f} ms (ratio {draw['frame_to_bare']:.2f})",
    )
    return out


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./dev bench", description=(__doc__ or "").strip(), formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args(words)
    machine = f"{os.cpu_count()} CPUs, {platform.machine()}, Python {platform.python_version()}"
    found = {"machine": machine, **measure()}
    print(json.dumps(found) if asked.json else "\n".join(lines(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())

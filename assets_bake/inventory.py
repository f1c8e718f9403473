"""The inventory page of a scene, `docs/<scene>.md`: rooms, fixtures and movables with where they are and what is printed on them."""

from __future__ import annotations

import numpy as np

from assistcore.house.stage import Entity, Region, StageModel, link_matrix


def inventory(stage: StageModel) -> str:
    """The page as Markdown. Positions are metres: x to the east, y to the north, z up."""
    out = [
        f"# The scene `{stage.name}`",
        "",
        f"Written by `python -m assets_bake {stage.name}`; do not edit.",
        f"Load it with `assistworld.engines.house.scenes.load_scene({stage.name!r})`.",
        "Positions are metres (x east, y north, z up). A person says the name, one of the further names, or an adjective with either.",
        "",
        "## Rooms",
        "",
        "| key | from | to | doors and passages |",
        "|---|---|---|---|",
    ]
    for room in stage.rooms:
        p = np.asarray(room.polygon_m)
        doors = [e.key for e in stage.entities if room.key in e.connects]
        out.append(f"| `{room.key}` | {_xy(p.min(axis=0))} | {_xy(p.max(axis=0))} | {', '.join(f'`{d}`' for d in doors)} |")
    out += [
        "",
        "Places to stand (`spots`: x, y, heading in radians): "
        + "; ".join(f"`{k}` {x:.2f}, {y:.2f}, {a:.2f}" for k, (x, y, a) in stage.spots.items()),
    ]
    for room in stage.rooms:
        out += ["", f"## {room.title.capitalize()}", "", *_fixtures(stage, room.key), "", *_movables(stage, room.key)]
    return "\n".join(out) + "\n"


def _xy(v: np.ndarray) -> str:
    return ", ".join(f"{c:.2f}" for c in v)


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _words(e: Entity) -> str:
    return ", ".join([*(f"*{a}*" for a in e.adjectives), *e.nouns])


def _fixtures(stage: StageModel, room: str) -> list[str]:
    out = ["| fixture | words | roles | regions | opens | switch | at |", "|---|---|---|---|---|---|---|"]
    for e in stage.entities:
        if e.room != room or e.kind not in ("fixture", "door"):
            continue
        regions = ", ".join(f"{r.name} ({r.kind})" for r in e.regions)
        joint = ", ".join(f"{j.kind} {abs(j.open_at - j.closed_at):.2f}{' rad' if j.kind == 'hinge' else ' m'}" for j in e.joints)
        cells = [
            f"`{e.key}`",
            _words(e),
            ", ".join(sorted(e.roles)),
            regions,
            joint,
            "yes" if e.control else "",
            _xy(np.array(e.pose.position_m[:2])),
        ]
        out.append(_row(cells))
    return out


def _movables(stage: StageModel, room: str) -> list[str]:
    out = ["| movable | words | roles | where | printed | at | grams |", "|---|---|---|---|---|---|---|"]
    for e in stage.entities:
        if e.room != room or e.kind != "movable":
            continue
        printed = " / ".join(e.labels[0].lines) if e.labels else ""
        where, at = place_of(stage, e), _xy(np.array(e.pose.position_m))
        out.append(_row([f"`{e.key}`", _words(e), ", ".join(sorted(e.roles)), where, printed, at, f"{e.mass_kg * 1000:.0f}"]))
    return out


def place_of(stage: StageModel, thing: Entity) -> str:
    """The region that holds the middle of a thing's base: the smallest one, `on` a surface or `in` an interior; else the floor."""
    base = thing.pose.matrix()[:3, 3] + [0.0, 0.0, 0.004]
    best: tuple[float, str] | None = None
    for e in stage.entities:
        if e.key == thing.key:
            continue
        for r in e.regions:
            if _holds(e, r, base):
                size = float(np.prod(np.subtract(r.high_m, r.low_m)))
                word = "on" if r.kind == "surface" else "in"
                name = f"{word} `{e.key}`" + (f" ({r.name})" if len(e.regions) > 1 else "")
                if best is None or size < best[0]:
                    best = (size, name)
    return best[1] if best else "on the floor"


def _holds(e: Entity, r: Region, point: np.ndarray) -> bool:
    T = link_matrix(e, e.link(r.link), e.pose.matrix(), {})
    local = np.linalg.inv(T) @ np.array([*point, 1.0])
    return bool((local[:3] >= np.subtract(r.low_m, 0.01)).all() and (local[:3] <= np.add(r.high_m, 0.01)).all())

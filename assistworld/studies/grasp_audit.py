"""One grasp of every movable thing: planned from standing, played, and judged by the skin of the hand against the thing as it is drawn.

The thing stands alone on a free table of its scene; what is attached to it there is taken away. Its class is decided by its cross-section
(`actions.manipulation.sections`) before anything is planned. Accepted: a *wrap* touches with four of five digits, some of them opposite to
each other or to the palm; a *pinch* with the thumb and two fingers opposite to it; a *two-hand* hold with both palms or with thumb and
fingers of both hands, one hand opposite to the other or both below; and nothing of any hand is more than 4 mm inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from assistcore.world.engine import Scenario
from assistcore.world.outcomes import Refusal, Status
from assistworld.studies.hand_contact import BAND_M, DEEPEST_M, DIGITS, Touch, hand_touches, triangles
from assistworld.studies.trials import shared_engine

if TYPE_CHECKING:
    from assistcore.house.stage import StageModel
    from assistworld.engines.house.engine import HouseEngine

SCENES = ("flat", "annex")
TABLES = {"flat": ("dining_table_1", "kitchen"), "annex": ("sorting_table_1", "mail_room")}
"""Where things are taken from: a table, and the spot where the person stands at first."""
AIMS = {"wrap": 0.95, "pinch": 0.90, "two_hand": 0.90}
TICKS = 1200
CLEARED_M = 1.3
"""Other things nearer than this to the middle of the table are taken away."""
BELOW = -0.7
"""A hand is below a thing where the surface that it touches faces down at least this much."""


def things() -> tuple[tuple[str, str], ...]:
    """(scene, key) of every movable thing, in the order of the scenes."""
    return tuple((scene, e.key) for scene in SCENES for e in shared_engine(scene).stage.entities if e.kind == "movable")


def audit(scene: str, key: str) -> dict[str, Any]:
    """Take one thing. JSON: its class and section, how the command ended, gaps by digit, deepest penetration, what was missing."""
    from actions.manipulation.commands import graspable
    from actions.manipulation.sections import section_of
    from actions.manipulation.shape import shape_of
    from actions.world import ActionWorld

    engine = shared_engine(scene)
    engine.reset(scenario(engine, scene, key), 0)
    stage, entity = engine.stage, engine.stage.entity(key)
    section = section_of(shape_of(entity, {}), entity.grasp, engine.state.root(stage, key)[2, :3])
    facts: dict[str, Any] = {
        "scene": scene,
        "key": key,
        "class": section.kind,
        "measured": section.where,
        "thickness_mm": round(1000.0 * section.thickness_m, 1),
        "across_mm": round(1000.0 * section.across_m, 1),
    }
    world = ActionWorld(stage, engine.body, engine.parts.collision, engine.state) if engine.parts is not None else None
    if world is not None and (never := _loose(graspable(world, key))) is not None:
        return {**facts, "ok": True, "class": "none", "status": "void", "fact": never.fact}
    status, fact = _taken(engine, entity.ref.surface)
    if status != "done":
        return {**facts, "ok": False, "status": status, "fact": fact, "missing": [fact]}
    return {**facts, "status": status, **measure(engine, key, section.kind)}


def _loose(refusal: Refusal | None) -> Refusal | None:
    """What can never be taken in a hand; a thing attached to another is taken off that before."""
    return None if refusal is None or "attached" in refusal.fact else refusal


def scenario(engine: HouseEngine, scene: str, key: str) -> Scenario:
    """The thing alone on its table, the person in the room."""
    table, spot = TABLES[scene]
    stage = engine.stage
    x, y, z = stage.entity(table).pose.position_m
    attached = _assembly(stage, key)
    near = [
        e.key
        for e in stage.entities
        if e.kind == "movable" and e.pose.position_m[2] > z and np.hypot(e.pose.position_m[0] - x, e.pose.position_m[1] - y) < CLEARED_M
    ]
    changes: list[Mapping[str, Any]] = [{"remove": k} for k in sorted({*near, *attached} - {key})]
    return Scenario(scene, {"spot": spot}, [*changes, {"move": key, "onto": table, "spot": (0.5, 0.3)}])


def _assembly(stage: StageModel, key: str) -> list[str]:
    """Everything that is attached to a thing, directly or not, itself included."""
    pairs = [(e.key, e.mated.parent) for e in stage.entities if e.mated is not None]
    found = [key]
    for one in found:
        found += [other for pair in pairs if one in pair for other in pair if other not in found]
    return found


def _taken(engine: HouseEngine, name: str) -> tuple[str, str]:
    """Play `[Grab]`: how it ended and why."""
    parsed = engine.parse(f"[Grab] {name}")
    refusal = parsed if isinstance(parsed, Refusal) else engine.begin(parsed.command)
    if refusal is not None:
        return "refused", f"{refusal.code}: {refusal.fact}"
    for _ in range(TICKS):
        outcome = engine.tick().outcome
        if outcome is not None:
            return ("done", "") if outcome.status is Status.DONE else (str(outcome.status.value), str(outcome.refusal))
    return "failed", f"no outcome after {TICKS} ticks"


def measure(engine: HouseEngine, key: str, kind: str) -> dict[str, Any]:
    """How the thing in the hand is held now. JSON: `ok`, the hands, gaps, deepest penetration, what is missing."""
    from humans.kinematics import joint_transforms, skin

    state, body = engine.state, engine.body
    held = state.held
    if held is None or held.entity != key:
        return {"ok": False, "missing": [f"{key} is not held"]}
    surface, T = triangles(engine.stage.entity(key)), state.root(engine.stage, key)
    vertices = skin(body, joint_transforms(body, state.body.pose_rad, state.body.translation_m))
    hands = {side: hand_touches(body, vertices, side, T, surface) for side in ("left", "right")}
    active = hands[held.hand]
    missing = both_missing(hands) if kind == "two_hand" else digits_missing(kind, active)
    deepest = -min(0.0, *(t.gap_m for hand in hands.values() for t in hand.values()))
    if deepest > DEEPEST_M:
        where = min(((t.gap_m, f"{side} {part}") for side, hand in hands.items() for part, t in hand.items()))[1]
        missing.append(f"{where} is {1000.0 * deepest:.1f} mm inside")
    used = [t for hand in (hands.values() if kind == "two_hand" else (active,)) for t in hand.values() if t.contact]
    return {
        "ok": not missing,
        "hand": held.hand,
        "gaps_mm": {side: {part: _mm(t.gap_m) for part, t in hand.items()} for side, hand in hands.items() if hand is active or _any(hand)},
        "contact_gap_mm": round(1000.0 * max((abs(t.gap_m) for t in used), default=BAND_M), 2),
        "deepest_mm": round(1000.0 * deepest, 2),
        "missing": missing,
    }


def digits_missing(kind: str, hand: Mapping[str, Touch]) -> list[str]:
    """What a hold by one hand lacks, for the touches of its digits and palm."""
    touching = [d for d in DIGITS if hand[d].contact]
    if kind == "pinch":
        against = [d for d in touching if d != "thumb" and hand["thumb"].opposes(hand[d])]
        return [] if len(against) >= 2 else [f"the thumb and {len(against)} fingers opposite to it touch, not two"]
    found = [] if len(touching) >= 4 else [f"{len(touching)} of 5 digits touch, not four"]
    parts = [hand[d] for d in (*touching, "palm")]
    opposed = any(a.opposes(b) for i, a in enumerate(parts) for b in parts[i + 1 :])
    return found if opposed else [*found, "nothing touches from opposite sides"]


def both_missing(hands: Mapping[str, Mapping[str, Touch]]) -> list[str]:
    """What a hold by both hands lacks."""
    palms = {side: _palm(hand) for side, hand in hands.items()}
    found = [f"the {side} hand does not hold it" for side, touches in palms.items() if not touches]
    if found:
        return found
    opposed = any(a.opposes(b) for a in palms["left"] for b in palms["right"])
    below = all(any(n[2] <= BELOW for t in touches for n in t.normals) for touches in palms.values())
    return [] if opposed or below else ["the hands are not opposite to each other, nor both below"]


def _palm(hand: Mapping[str, Touch]) -> list[Touch]:
    """What a hand that takes part in a hold touches with: its palm and at least two digits, or thumb and fingers from both sides."""
    digits = [hand[d] for d in DIGITS if hand[d].contact]
    clasped = any(hand["thumb"].opposes(hand[d]) for d in DIGITS[1:])
    if not (clasped or (hand["palm"].contact and len(digits) >= 2)):
        return []
    return [*digits, *([hand["palm"]] if hand["palm"].contact else [])]


def _any(hand: Mapping[str, Touch]) -> bool:
    return any(t.contact for t in hand.values())


def _mm(metres: float) -> float | None:
    return round(1000.0 * metres, 1) if np.isfinite(metres) else None


def figures(cases: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """By class: attempted, accepted, median and worst contact gap and penetration (millimetres, of the holds that came about)."""
    found = {}
    for kind in AIMS:
        own = [c for c in cases if c.get("class") == kind]
        held = [c for c in own if c.get("status") == "done" and "deepest_mm" in c]
        rows = {name: np.array([float(c[name]) for c in held]) for name in ("contact_gap_mm", "deepest_mm")}
        found[kind] = {
            "attempted": len(own),
            "accepted": sum(bool(c["ok"]) for c in own),
            **{f"{name}_median": round(float(np.median(v)), 2) if len(v) else None for name, v in rows.items()},
            **{f"{name}_worst": round(float(np.max(v)), 2) if len(v) else None for name, v in rows.items()},
        }
    return found


def shortfalls(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for every class whose accepted share is below the aim."""
    return [
        f"{kind}: {row['accepted']} of {row['attempted']} accepted ({row['accepted'] / row['attempted']:.1%}), the aim is {AIMS[kind]:.0%}"
        for kind, row in figures(cases).items()
        if row["attempted"] and row["accepted"] < AIMS[kind] * row["attempted"]
    ]

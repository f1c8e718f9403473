"""One script that uses every verb, in two sessions: an evening in the flat, and the annex for what only it has. Speed without frames.

Every command of the script must be done; a test holds it to that. Time counts from the text of a command to its outcome: parsing, planning
and playing. Loading and resetting do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

from actions.verb import all_verbs
from assistcore.world.engine import Scenario
from assistcore.world.errors import InfrastructureError
from assistcore.world.outcomes import Refusal
from assistworld.engines.house.engine import HouseEngine

DONE = "done"
TICKS = 20_000


@dataclass(frozen=True)
class Session:
    """A scene as changed, where the person begins, and what is asked for."""

    scene: str
    spot: str
    changes: tuple[Mapping[str, Any], ...]
    commands: tuple[str, ...]


SCRIPT = (
    Session(
        "flat",
        "kitchen",
        (
            {"move": "knife_1", "onto": "dining_table_1", "spot": (0.2, 0.18), "yaw_deg": 80},
            {"move": "wooden_spoon_1", "onto": "dining_table_1", "spot": (0.2, 0.45), "yaw_deg": 80},
            {"move": "apple_1", "into": "frying_pan_1"},
            {"move": "juice_carton_1", "onto": "kitchen_counter_1", "region": "left", "spot": (0.9, 0.4)},
            {"set": "spill_1", "attribute": "present", "value": True},
            {"set": "phone_1", "attribute": "ringing", "value": True},
            {"set": "cooking_pot_1", "attribute": "contents", "value": "water"},
            {"set": "cooking_pot_1", "attribute": "volume_ml", "value": 1500},
            {"remove": "shopping_card_1"},
        ),
        (
            "[LookAround]",
            "[Walk] <fridge>",
            "[Open] <fridge>",
            "[Grab] <lemon>",
            "[PutIn] <lemon> <fridge>",
            "[Close] <fridge>",
            "[LookAt] <coffee_jar> (2)",
            "[TurnOn] <hob>",
            "[Cook] <apple> (1)",
            "[TurnOff] <hob>",
            "[Grab] <juice_carton>",
            "[Pour] <blue_bowl> <juice_carton>",
            "[Put] <juice_carton> <kitchen_counter>",
            "[Grab] <knife>",
            "[Cut] <apple> (2) <knife>",
            "[Put] <knife> <kitchen_counter>",
            "[Grab] <wooden_spoon>",
            "[Stir] <cooking_pot> <wooden_spoon>",
            "[Put] <wooden_spoon> <kitchen_counter>",
            "[Wipe] <sponge> <spill> (1)",
            "[Flip] <sponge>",
            "[Put] <sponge> <kitchen_counter>",
            "[Walk] <sofa>",
            "[Grab] <green_book>",
            "[PutOnFloor] <green_book> <coffee_table>",
            "[FallToFloor] <blue_mug> <coffee_table>",
            "[LookScan]",
            "[Sit] <armchair>",
            "[Wait] 60",
            "[StandUp]",
            "[Forward] 0.6m",
            "[TurnAround]",
            "[Squat]",
            "[OpenDoor] <living_room_door>",
            "[Walk] <bedroom>",
            "[CloseDoor] <bedroom_door>",
            "[UseComputer] <laptop>",
            "[Grab] <phone>",
            "[AnswerPhone] <phone>",
            "[Wait] 30",
            "[Confirm]",
            "[Put] <phone> <desk>",
            "[Grab] <grey_cushion>",
            "[Drop] <grey_cushion>",
        ),
    ),
    Session(
        "annex",
        "mail_room",
        (),
        (
            "[Raise] <base> (4)",
            "[Walk] <laundry>",
            "[Detach] <canister_lid> <canister>",
            "[Attach] <canister_lid> <canister>",
            "[Walk] <workshop>",
            "[Grab] <table_top>",
            "[Attach] <table_top> <frame>",
            "[Push] <cart> <sorting_table>",
            "[Pull] <cart> <hall>",
        ),
    ),
)


@dataclass(frozen=True)
class Played:
    """One command of the script: its verb, how it ended, simulated seconds, wall seconds to plan and to play it, processor seconds."""

    scene: str
    text: str
    verb: str
    end: str
    simulated_s: float
    plan_s: float
    play_s: float
    cpu_s: float


def play(engine: HouseEngine, session: Session) -> Iterator[Played]:
    """The commands of a session in order. A command that is refused ends as its code and fact."""
    engine.reset(Scenario(session.scene, {"spot": session.spot}, session.changes), 0)
    for text in session.commands:
        started, cpu = perf_counter(), process_time()
        parsed = engine.parse(text)
        refusal = parsed if isinstance(parsed, Refusal) else engine.begin(parsed.command)
        planned = perf_counter()
        verb = "" if isinstance(parsed, Refusal) else parsed.command.verb
        ticks, end = 0, ""
        if refusal is not None:
            end = f"{refusal.code}: {refusal.fact}"
        while not end:
            step = engine.tick()
            ticks += 1
            if step.outcome is not None:
                why = f" {step.outcome.refusal.fact}" if step.outcome.refusal is not None else ""
                end = f"{step.outcome.status.value}{why}"
            elif ticks > TICKS:
                raise InfrastructureError("bench", f"{text} has no outcome after {TICKS} ticks")
        simulated, played = ticks * float(engine.tick_seconds), perf_counter() - planned
        yield Played(session.scene, text, verb, end, simulated, planned - started, played, process_time() - cpu)


def unused(played: Sequence[Played]) -> tuple[str, ...]:
    """Verbs that are performed and that no command of the script uses."""
    return tuple(sorted({info.name for info in all_verbs() if info.implemented} - {p.verb for p in played}))


def script(engine: HouseEngine) -> dict[str, Any]:
    """The script twice; figures of the second time, when everything is compiled and cached that outlives a reset."""
    list(_all(engine))
    played = list(_all(engine))
    simulated, plan, live, cpu = (sum(getattr(p, what) for p in played) for what in ("simulated_s", "plan_s", "play_s", "cpu_s"))
    slowest = sorted(played, key=lambda p: -(p.plan_s + p.play_s))[:6]
    return {
        "commands": len(played),
        "verbs": len({p.verb for p in played}),
        "unused_verbs": unused(played),
        "not_done": [f"{p.text}: {p.end}" for p in played if p.end != DONE],
        "simulated_s": round(simulated, 1),
        "wall_s": round(plan + live, 2),
        "simulated_per_wall": round(simulated / (plan + live), 2),
        "simulated_per_cpu": round(simulated / cpu, 2),
        "plan_s": round(plan, 2),
        "play_s": round(live, 2),
        "by_scene": {s.scene: _rate([p for p in played if p.scene == s.scene]) for s in SCRIPT},
        "slowest": [{"text": p.text, **{w: round(getattr(p, w), 2) for w in ("simulated_s", "plan_s", "play_s")}} for p in slowest],
    }


def _all(engine: HouseEngine) -> Iterator[Played]:
    for session in SCRIPT:
        yield from play(engine, session)


def _rate(played: list[Played]) -> float:
    return round(sum(p.simulated_s for p in played) / sum(p.plan_s + p.play_s for p in played), 2)

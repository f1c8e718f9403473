"""Whose hand moves a leaf: for every door, drawer, cabinet and appliance, how much of its way it goes with a hand on it.

A hand is on the leaf when its skin is within `CONTACT_M` of the moving link, handle included. A leaf that nobody touches may coast with a
decaying speed from the frame in which the hand left it; one that starts to move, or speeds up, untouched is a *ghost*.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assistcore.world.engine import Scenario
from assistworld.studies.trials import Player, Trial, shared_engine

if TYPE_CHECKING:
    from assistcore.house.stage import Entity, Link, StageModel
    from assistcore.house.state import HouseState
    from assistworld.engines.house.engine import HouseEngine
    from humans.model import BodyModel

F64 = NDArray[np.float64]

SCENES = ("flat", "annex")
CONTACT_M = 0.008
MOVED = 1e-6
"""Joint units (rad or m) a tick below which a leaf stands still."""
SPEEDS_UP = 1.02
LED_SHARE = 0.9


class Case(NamedTuple):
    """One opening or closing: the scene, the leaf, the way, and the room in which the person stands."""

    scene: str
    key: str
    opening: bool
    room: str


@lru_cache(maxsize=1)
def cases() -> tuple[Case, ...]:
    """Every leaf of both scenes, opened from shut and shut from wide open; room doors from either side."""
    found = []
    for scene in SCENES:
        stage = shared_engine(scene).stage
        for entity in sorted(stage.entities, key=lambda e: e.key):
            if entity.joints and entity.kind in ("door", "fixture"):
                for room in entity.connects or (entity.room,):
                    found += [Case(scene, entity.key, opening, room) for opening in (True, False)]
    return tuple(found)


def trial_of(case: Case, seed: int = 0) -> Trial:
    """The person in the middle of the room; the other doors stand open."""
    stage = shared_engine(case.scene).stage
    entity = stage.entity(case.key)
    changes: list[Mapping[str, Any]] = [{"set_open": e.key} for e in stage.entities if e.kind == "door" and e.joints and e.key != case.key]
    changes += [] if case.opening else [{"set_open": case.key}]
    verb = ("Open" if case.opening else "Close") + ("Door" if entity.kind == "door" else "")
    scenario = Scenario(case.scene, {"spot": case.room}, changes)
    return Trial(scenario, seed, (f"[{verb}] {entity.ref.surface}",), case._asdict())


class Leading:
    """Watches one leaf: how far it moves with and without a hand on it."""

    def __init__(self, engine: HouseEngine, key: str) -> None:
        self._engine, self._entity = engine, engine.stage.entity(key)
        self._link = next(link for link in self._entity.links if link.joint is not None)
        joint = self._link.joint
        self._joint = joint.key if joint is not None else ""
        self._last = engine.state.joints[self._joint]
        self._speed = 0.0
        self.way = self.led = 0.0
        self.ghosts = 0

    def watch(self, state: HouseState) -> None:
        """Look at the state after a tick."""
        value = state.joints[self._joint]
        moved, self._last = abs(value - self._last), value
        if moved > MOVED:
            on = hand_gap_m(self._engine.body, self._engine.stage, state, self._entity, self._link) <= CONTACT_M
            self.way += moved
            self.led += moved if on else 0.0
            self.ghosts += not on and moved > SPEEDS_UP * self._speed + MOVED
        self._speed = moved

    @property
    def share(self) -> float:
        """The part of its way that it was led, 0 to 1."""
        return self.led / self.way if self.way else 0.0


def hand_gap_m(body: BodyModel, stage: StageModel, state: HouseState, entity: Entity, link: Link) -> float:
    """Distance between the skin of either hand and a moving link, metres, capped at 5 cm."""
    from actions.manipulation.shape import entity_solids, signed_distance
    from assistcore.world.poses import inverse, transform_points
    from humans.kinematics import joint_transforms, skin

    T = inverse(state.link(stage, entity.key, link.key))
    vertices = skin(body, joint_transforms(body, state.body.pose_rad, state.body.translation_m))[_hand_rows(body)]
    return float(signed_distance(_solids(stage, entity.key, link.key, entity_solids), transform_points(T, vertices), 0.05).min())


@lru_cache(maxsize=8)
def _hand_rows(body: BodyModel) -> NDArray[np.int64]:
    from humans.model import JOINT

    first = min(JOINT["left_index1"], JOINT["right_index1"])
    hands = (JOINT["left_wrist"], JOINT["right_wrist"])
    return np.flatnonzero((body.dominant_joint() >= first) | np.isin(body.dominant_joint(), hands))


@lru_cache(maxsize=64)
def _solids(stage: StageModel, key: str, link: str, make: Any) -> Any:
    from dataclasses import replace

    entity = stage.entity(key)
    still = replace(entity.link(link), joint=None, T_root_link=np.eye(4), parent="")
    return make(replace(entity, links=(still,)))


def lead(case: Case, seed: int = 0) -> dict[str, Any]:
    """Play a case under the independent checker. JSON: `ok` (done, no bound broken, no ghost), the share of its way that was led."""
    trial = trial_of(case, seed)
    watched: list[Leading] = []
    player = Player(trial.scenario, trial.seed, lambda _: watched[0].watch(shared_engine(case.scene).state))
    watched.append(Leading(player.engine, case.key))
    player.command(trial.commands[0])
    result = player.result()
    done = [row["status"] for row in result["outcomes"]] == ["done"]
    leading = watched[0]
    result["ok"] = bool(result["ok"] and done and not leading.ghosts)
    return {**trial.as_json(), **result, "led_share": round(leading.share, 4), "ghosts": leading.ghosts}

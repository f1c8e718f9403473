"""What a command promises is read back, and who may act with which hand (cases.md G and H; RULES, Outcomes and Hands)."""

from __future__ import annotations

from typing import Any

import pytest

from actions.motions import SetAttribute
from actions.verb import all_verbs, load_verb
from actions.world import ActionWorld
from assistcore.house.state import Held
from assistcore.world.commands import Command
from assistcore.world.graph import SceneGraph
from assistcore.world.ids import EntityRef
from assistcore.world.outcomes import Code, Refusal
from assistcore.world.poses import Pose
from tests.actions.manipulation.checks import planned, play
from tests.actions.manipulation.scenes import lamp, mug, table, world

Facts = dict[tuple[str, str], Any]
PROMISES: dict[str, tuple[tuple[str, ...], Facts, Facts]] = {
    "pick": (("mug_1",), {("mug_1", "held"): ("right",)}, {("mug_1", "on"): ("table_1",)}),
    "place": (("mug_1", "table_1"), {("mug_1", "on"): ("table_1",)}, {("mug_1", "on"): ("floor_1",)}),
    "place_inside": (("mug_1", "box_1"), {("mug_1", "inside"): ("box_1",)}, {("mug_1", "on"): ("box_1",)}),
    "release": (("mug_1",), {("mug_1", "on"): ("floor_1",)}, {("mug_1", "held"): ("left",)}),
    "open": (("fridge_1",), {("fridge_1", "open"): True}, {("fridge_1", "open"): False, ("fridge_1", "joint"): 40}),
    "close": (("fridge_1",), {("fridge_1", "closed"): True}, {("fridge_1", "closed"): False, ("fridge_1", "joint"): 40}),
    "open_door": (("hall_door_1",), {("hall_door_1", "open"): True}, {("hall_door_1", "open"): False}),
    "close_door": (("hall_door_1",), {("hall_door_1", "closed"): True}, {("hall_door_1", "closed"): False}),
    "turn_on": (("lamp_1",), {("lamp_1", "running"): True}, {("lamp_1", "running"): False, ("lamp_2", "running"): True}),
    "turn_off": (("lamp_1",), {("lamp_1", "running"): False}, {("lamp_1", "running"): True}),
    "cut": (("apple_1", "knife_1"), {("apple_1", "cut"): True}, {("knife_1", "cut"): True}),
    "stir": (("mug_1", "spoon_1"), {("mug_1", "stirred"): True}, {("spoon_1", "used"): True}),
    "pour": (("mug_1", "jug_1"), {("mug_1", "provenance"): "pot_1 jug_1"}, {("mug_1", "provenance"): "pot_1"}),
    "wipe": (
        ("sponge_1", "stain_1"),
        {("sponge_1", "used"): True, ("stain_1", "present"): False},
        {("sponge_1", "used"): True, ("stain_1", "present"): True},
    ),
    "cook": (("apple_1",), {("apple_1", "cooked"): True}, {("apple_1", "heating_since"): 4}),
    "navigate_to": (
        ("mug_1",),
        {("mug_1", "place"): (500, 0, 0, 1, 0, 0, 0), ("human_1", "place"): (0, 0, 0, 1, 0, 0, 0)},
        {("mug_1", "place"): (5000, 0, 0, 1, 0, 0, 0), ("human_1", "place"): (0, 0, 0, 1, 0, 0, 0)},
    ),
    "sit": (("sofa_1",), {("human_1", "sitting"): ("sofa_1",)}, {("human_1", "sitting"): ("chair_1",)}),
    "standup": ((), {("human_1", "posture"): "standing"}, {("human_1", "sitting"): ("sofa_1",)}),
    "flip": (("mug_1",), {("mug_1", "held"): ("right",)}, {("mug_1", "on"): ("floor_1",)}),
    "answer_phone": (
        ("phone_1",),
        {("phone_1", "held"): ("right",), ("phone_1", "ringing"): False},
        {("phone_1", "held"): ("right",), ("phone_1", "ringing"): True},
    ),
    "fall_to_floor": (
        ("mug_1", "table_1"),
        {("mug_1", "place"): (500, 0, 40, 1000000, 0, 0, 0), ("mug_1", "on"): ("floor_1",)},
        {("mug_1", "place"): (500, 0, 750, 1000000, 0, 0, 0), ("mug_1", "on"): ("table_1",)},
    ),
    "use_computer": (("laptop_1",), {("laptop_1", "running"): True}, {("laptop_1", "running"): False}),
    "place_on_floor": (
        ("mug_1", "chair_1"),
        {("mug_1", "near"): ("chair_1",), ("mug_1", "on"): ("floor_1",)},
        {("mug_1", "near"): ("chair_2",), ("mug_1", "on"): ("floor_1",)},
    ),
    "attach": (
        ("lid_1", "pot_1"),
        {("lid_1", "attached"): ("pot_1",), ("lid_1", "held"): ()},
        {("lid_1", "on"): ("pot_1",), ("lid_1", "held"): ()},
    ),
    "detach": (("lid_1", "pot_1"), {("lid_1", "held"): ("right",)}, {("lid_1", "held"): ("right",), ("lid_1", "attached"): ("pot_1",)}),
    "raise": (("pole_1",), {("base_1", "raised"): True, ("pole_1", "attached"): ("base_1",)}, {("pole_1", "attached"): ("base_1",)}),
    "push": (("trolley_1", "table_1"), {("trolley_1", "near"): ("table_1",)}, {("trolley_1", "near"): ("table_2",)}),
    "pull": (("trolley_1", "hall_1"), {("trolley_1", "room"): "hall"}, {("trolley_1", "room"): "kitchen"}),
    "squat": ((), {("human_1", "posture"): "standing"}, {("human_1", "posture"): "sitting"}),
}
"""Verb to arguments, a graph in which its promise holds, and one in which it does not."""
NO_PROMISE = {"forward", "turn", "look_around", "look_scan", "look_at", "wait", "confirm"}
"""What they do is their frames; they change no fact."""


def command(verb: str, *keys: str) -> Command:
    return Command(verb, tuple(EntityRef.from_key(k) for k in keys))


@pytest.mark.parametrize("verb", PROMISES)
def test_success_is_read_from_the_graph_and_a_broken_promise_names_the_thing(verb: str) -> None:
    """virtualhome#88, #89: success reported, graph unchanged."""
    keys, kept, broken = PROMISES[verb]
    verify = load_verb(verb).verify
    assert verify(SceneGraph(kept), command(verb, *keys)) is None
    refusal = verify(SceneGraph(broken), command(verb, *keys))
    assert refusal is not None and refusal.code == Code.POSTCONDITION_FAILED and all(key in refusal.fact for key in keys[:1])


def test_every_verb_that_is_performed_makes_a_promise_or_changes_nothing() -> None:
    performed = {info.name for info in all_verbs() if info.implemented}
    assert performed == set(PROMISES) | NO_PROMISE


@pytest.fixture(scope="module")
def room() -> ActionWorld:
    """A table with a mug and two lamps."""
    return world(table(), mug("mug_1", 0.65, -0.1), mug("mug_2", 0.65, 0.1), lamp("lamp_1", y=0.40), lamp("lamp_2", y=-0.40))


def holding(room: ActionWorld, key: str) -> ActionWorld:
    out = room.fork()
    out.state = out.state.with_(held=Held(key, "right", Pose()))
    return out


@pytest.mark.parametrize("verb", sorted(i.name for i in all_verbs() if i.implemented and i.hands == "empty"))
def test_what_needs_an_empty_hand_is_refused_with_a_full_one(room: ActionWorld, verb: str) -> None:
    """RULES, Hands: a second Grab is HAND_FULL and names what is held."""
    second = ("table_1",) if len(load_verb(verb).INFO.args) > 1 else ()
    refusal = load_verb(verb).plan(holding(room, "mug_1"), command(verb, "mug_2", *second))
    assert isinstance(refusal, Refusal) and refusal.code == Code.HAND_FULL and "mug_1" in refusal.fact


@pytest.mark.parametrize("verb", sorted(i.name for i in all_verbs() if i.implemented and i.hands == "holds"))
def test_what_needs_the_named_thing_in_the_hand_is_refused_without(room: ActionWorld, verb: str) -> None:
    """RULES, Hands. What must be held is the argument named tool or source, else the first."""
    names = load_verb(verb).INFO.args
    keys = ("table_1", "mug_1") if {"tool", "source"} & set(names[1:]) else ("mug_1", "table_1")
    refusal = load_verb(verb).plan(room, command(verb, *keys))
    assert isinstance(refusal, Refusal) and refusal.code in (Code.NOT_HELD, Code.HAND_EMPTY)
    other = load_verb(verb).plan(holding(room, "mug_2"), command(verb, *keys))
    assert isinstance(other, Refusal) and other.code == Code.NOT_HELD and "mug_1" in other.fact


@pytest.mark.parametrize("key", ["lamp_1", "lamp_2"])
def test_each_of_two_lamps_is_switched_by_its_own_index(room: ActionWorld, key: str) -> None:
    """embodied-agent-interface#9: a plan without ids hits the same lamp twice."""
    plan = planned(load_verb("turn_on").plan(room, command("turn_on", key)))
    effects = [e for s in plan.segments for _, e in s.effects]
    assert effects == [SetAttribute(key, "running", True)]
    assert play(room, plan.segments).state.attributes[key]["running"] is True

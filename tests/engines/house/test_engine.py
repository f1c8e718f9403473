"""What the engine promises of commands, ticks, graph and pictures (DESIGN section 2), on the real flat."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import numpy as np
import pytest

from actions.manipulation.dropping import limb_below
from actions.motions import Plan
from actions.planning import plan_command
from actions.world import ActionWorld
from assistcore.pictures import open_pictures
from assistcore.pictures.protocol import PicturesUnavailable
from assistcore.world.commands import Command, Parsed
from assistcore.world.engine import Scenario
from assistcore.world.graph import Change, fold
from assistcore.world.outcomes import Code, Outcome, Refusal, Status
from assistcore.world.poses import Pose
from assistcore.world.snapshots import Snapshot
from assistcore.world.views import Offered
from assistworld.engines.house import make
from assistworld.engines.house.drawing import snapshot_of
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.house.physics_mujoco import MujocoPhysics
from humans.kinematics import joint_transforms
from humans.model import JOINT
from tests.engines.house.acting import DOORS_OPEN, act, begin, random_commands, stand


def test_can_is_what_begin_does_and_changes_nothing(flat: HouseEngine, sample_seed: int) -> None:
    """cases.md G, ai2thor#301: `can(put)` equals the outcome of `put`; a refusal leaves the state's hash as it was."""
    stand(flat)
    act(flat, "[Grab] <coffee_jar> (2)")
    saved, digest, graph = flat.save(), flat.digest(), flat.graph()
    kinds = set()
    for text in random_commands(flat, sample_seed, 14):
        parsed = flat.parse(text)
        assert isinstance(parsed, Parsed), text
        asked = flat.can(parsed.command)
        assert flat.digest() == digest and flat.idle(), text
        found = flat.begin(parsed.command)
        assert found == asked, text
        kinds.add("" if found is None else found.code)
        if found is None:
            flat.restore(saved)
        assert flat.digest() == digest and flat.graph() == graph and flat.save() == saved, text
    assert len(kinds) > 1


def test_one_command_at_a_time(flat: HouseEngine) -> None:
    stand(flat)
    assert begin(flat, "[Wait] 5") is None
    busy = begin(flat, "[TurnLeft]")
    assert busy is not None and busy.code == Code.BUSY and "[Wait]" in busy.fact


def test_what_is_not_performed_says_so(flat: HouseEngine) -> None:
    stand(flat)
    for info in flat.vocabulary.verbs:
        if not info.implemented:
            refused = flat.can(Command(info.name))
            assert refused is not None and refused.code == Code.NOT_SUPPORTED


def test_the_changes_are_the_graph(flat: HouseEngine, sample_seed: int) -> None:
    stand(flat)
    graph, tick, played = flat.graph(), 0, 0
    commands = [
        "[Grab] <coffee_jar> (2)",
        "[Put] <coffee_jar> (2) <dining_table> (1)",
        *random_commands(flat, sample_seed + 1, 8),
        "[Drop]",
    ]
    for text in commands:
        if begin(flat, text) is not None:
            continue
        played += 1
        while not flat.idle():
            step = flat.tick()
            tick += 1
            assert all(c.tick == tick and c.before != c.after for c in step.changes)
            graph = fold(graph, step.changes)
            assert graph == flat.graph() and step.snapshot.tick == tick, text
    assert played >= 2


def test_what_can_planned_is_played_until_something_changes(flat: HouseEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    from assistworld.engines.house import engine as module

    stand(flat)
    planned: list[str] = []

    def counted(world: ActionWorld, command: Command) -> Plan | Refusal:
        planned.append(command.verb)
        return plan_command(world, command)

    monkeypatch.setattr(module, "plan_command", counted)
    turn, look = (parsed.command for text in ("[TurnLeft] 60", "[LookScan]") if isinstance(parsed := flat.parse(text), Parsed))
    assert flat.can(turn) is None and flat.can(turn) is None and flat.begin(turn) is None
    assert planned == ["turn"]
    while not flat.idle():
        flat.tick()
    assert flat.can(turn) is None and flat.can(look) is None and flat.can(turn) is None
    flat.forget_plan()
    assert flat.can(turn) is None and planned == ["turn", "turn", "look_scan", "turn", "turn"]
    stand(flat)
    assert flat.can(turn) is None and len(planned) == 6


def test_a_thing_is_not_let_go_over_the_own_arm(flat: HouseEngine) -> None:
    """Straight above the forearm that carries it, as a block that was turned over lay on it once, it would fall on that."""
    stand(flat, "living_room")
    assert isinstance(act(flat, "[Grab] <yellow_block> (1)"), Outcome) and flat.parts is not None
    state = flat.state
    assert state.held is not None
    bones = joint_transforms(flat.body, state.body.pose_rad, state.body.translation_m)
    elbow, wrist = (bones[JOINT[f"{state.held.hand}_{name}"], :3, 3] for name in ("elbow", "wrist"))
    root = state.poses["yellow_block_1"].matrix()
    root[:3, 3] = 0.6 * elbow + 0.4 * wrist + (0.0, 0.0, 0.2)
    above = state.with_(poses={**state.poses, "yellow_block_1": Pose.from_matrix(root)})
    carried, moved = (ActionWorld(flat.stage, flat.body, flat.parts.collision, s) for s in (state, above))
    assert limb_below(carried) == "" and limb_below(moved) == f"{state.held.hand}_lower_arm"


def test_outcomes_say_when(flat: HouseEngine) -> None:
    stand(flat)
    for _ in range(3):
        flat.tick()
    outcome = act(flat, "[Wait] 2")
    assert isinstance(outcome, Outcome) and (outcome.status, outcome.began, outcome.ended) == (Status.DONE, 3, 27)


class CountedPhysics(MujocoPhysics):
    """Counts the steps it is asked for."""

    steps = 0

    def step(self, n: int) -> None:
        self.steps += n
        super().step(n)


def test_waiting_steps_no_physics() -> None:
    """RULES, Process time: waiting fast-forwards without physics while everything is at rest."""
    physics = CountedPhysics()
    engine = make(physics=physics)
    engine.reset(Scenario("flat", {"spot": "kitchen"}, [{"move": "red_mug_1", "onto": "dining_table_1"}]), 0)
    settled = physics.steps
    assert settled > 0
    poses = engine.state.poses
    outcome = act(engine, "[Wait] 600")
    assert isinstance(outcome, Outcome) and outcome.status is Status.DONE and outcome.ended == 7200
    assert physics.steps == settled and engine.state.poses is poses
    engine.close()


@pytest.mark.parametrize("after", [1, 7, 20])
def test_stop_ends_at_the_next_safe_pose(flat: HouseEngine, after: int) -> None:
    stand(flat, "hall")
    assert begin(flat, "[Grab] <coffee_jar> (2)") is None
    for _ in range(after):
        assert flat.tick().outcome is None
    flat.stop()
    passed_safe = 0
    while not flat.idle():
        motion, step = flat.motion, flat.tick()
        assert motion is not None
        passed_safe += bool(motion.plan.segments[motion.segment].safe[motion.frame])
    assert step.outcome is not None and step.outcome.status is Status.STOPPED and passed_safe == 1
    assert flat.state.held is None, "stopped before the hand closed"
    went_on = act(flat, "[Walk] <fridge> (1)")
    assert isinstance(went_on, Outcome) and went_on.status is Status.DONE


def test_stop_when_idle_does_nothing(flat: HouseEngine) -> None:
    stand(flat)
    before = flat.digest()
    flat.stop()
    assert flat.digest() == before and flat.tick().outcome is None


def test_pictures_touch_nothing(flat: HouseEngine) -> None:
    """With and without frames: equal state hashes, and the same offers (RULES, Visibility)."""
    try:
        open_pictures().close()
    except PicturesUnavailable as error:
        pytest.skip(str(error))

    def played(draw: bool) -> tuple[list[str], list[tuple[Offered, ...]]]:
        stand(flat)
        digests, offers = [], []
        assert begin(flat, "[Grab] <coffee_jar> (2)") is None
        while not flat.idle():
            step = flat.tick()
            if draw and step.snapshot.tick % 8 == 0:
                (shown,) = flat.draw([step.snapshot], "fpv")
                assert shown.data[:2] == b"\xff\xd8"
            digests.append(flat.digest())
            if step.snapshot.tick % 20 == 0:
                offers.append(flat.offer("human"))
        return digests, offers

    assert played(True) == played(False)


def test_the_assistant_is_offered_nothing(flat: HouseEngine) -> None:
    stand(flat)
    assert flat.offer("assistant") == ()
    keys = [o.key for o in flat.offer("human")]
    assert len(keys) == len(set(keys)) and {"fridge_1", "kitchen_door_1", "bedroom_1"} <= set(keys)
    elsewhere = {e.key for e in flat.stage.entities if e.kind == "movable" and e.room == "bedroom"}
    assert elsewhere and not any(o.visible for o in flat.offer("human") if o.key in elsewhere), "behind walls nothing is visible"


def test_resets_leak_nothing(flat: HouseEngine) -> None:
    def used() -> tuple[int, float]:
        gc.collect()
        resident = int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return len(os.listdir("/proc/self/fd")), resident / 2**20

    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc on this system")
    for _ in range(10):
        stand(flat)
    files, megabytes = used()
    for k in range(30):
        flat.reset(Scenario("flat", {"spot": "hall"}, DOORS_OPEN[: k % 4]), k)
    files_after, megabytes_after = used()
    assert files_after <= files
    assert megabytes_after < megabytes + 40.0


def test_a_held_thing_does_not_drift(flat: HouseEngine) -> None:
    """cases.md G, BEHAVIOR-1K PR#17: 10 000 ticks of walking, turning, waiting, and a saved state between: pose within 1e-6."""
    stand(flat)
    grabbed = act(flat, "[Grab] <coffee_jar> (2)")
    assert isinstance(grabbed, Outcome) and grabbed.status is Status.DONE
    ticks, worst = 0, 0.0

    def watch(step: object) -> None:
        nonlocal ticks, worst
        ticks += 1
        state = flat.state
        assert state.held is not None and state.held.entity == "coffee_jar_2"
        if ticks % 50 and ticks > 1500:
            return
        wrist = joint_transforms(flat.body, state.body.pose_rad, state.body.translation_m)[JOINT[f"{state.held.hand}_wrist"]]
        wanted = wrist @ state.held.wrist_object.matrix()
        worst = max(worst, float(np.abs(wanted - state.poses["coffee_jar_2"].matrix()).max()))

    for text in ("[TurnAround]", "[Walk] <sofa> (1)", "[TurnLeft] 90", "[Walk] <fridge> (1)", "[Forward] 0.3", "[Wait] 400"):
        act(flat, text, watch)
    flat.restore(flat.save())
    for text in ("[TurnRight] 120", "[Walk] <dining_table> (1)", "[Wait] 420"):
        act(flat, text, watch)
    assert ticks >= 10_000 and worst < 1e-6
    dropped = act(flat, "[Put] <coffee_jar> (2) <dining_table> (1)")
    assert isinstance(dropped, Outcome) and dropped.status is Status.DONE, dropped
    assert flat.graph().has("on", "coffee_jar_2", "dining_table_1")


def test_a_refusal_names_what_is_missing(flat: HouseEngine) -> None:
    stand(flat)
    refused = begin(flat, "[Put] <coffee_jar> (2) <dining_table> (1)")
    assert isinstance(refused, Refusal) and refused.code == Code.NOT_HELD and "coffee_jar_2" in refused.fact


def test_a_change_that_does_not_fit_is_noticed(flat: HouseEngine) -> None:
    stand(flat)
    with pytest.raises(ValueError, match="fridge_1"):
        fold(flat.graph(), [Change(1, "fridge_1", "joint", 17, 18, "test")])


def test_waiting_is_possible_while_something_still_moves(flat: HouseEngine) -> None:
    """A thing that trembles for long must not take waiting from the person: the refusal's own advice is to wait."""
    stand(flat)
    flat.physics.set_kinematic("red_mug_1", False)
    flat._resting = False  # as after a release
    wait = flat.parse("[Wait] 1")
    walk = flat.parse("[Forward] 0.3m")
    assert isinstance(wait, Parsed) and isinstance(walk, Parsed)
    refusal = flat.can(walk.command)
    assert refusal is not None and refusal.code == "BUSY"
    assert flat.can(wait.command) is None
    flat._resting = True


def test_snapshots_that_reuse_an_earlier_one_are_those_taken_afresh(flat: HouseEngine) -> None:
    stand(flat)
    other: list[str] = []

    def compare(snapshot: Snapshot) -> None:
        fresh = snapshot_of(flat.stage, flat.state, snapshot.tick)
        if snapshot != fresh or list(snapshot.transforms) != list(fresh.transforms):
            other.append(f"{text} at tick {snapshot.tick}")

    for text in ("[Grab] <coffee_jar> (1)", "[Open] <fridge> (1)", "[TurnOn] <table_lamp> (1)"):
        act(flat, text, lambda step: compare(step.snapshot))
    assert not other

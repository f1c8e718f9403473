"""The graph is a pure function of the state: reuse changes nothing, removed things have no facts, units are integers."""

from __future__ import annotations

import subprocess
import sys
from math import pi
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assistcore.house.read_graph import HUMAN, read_graph
from assistcore.house.stage import StageModel
from assistcore.house.state import Held, HouseState
from assistcore.world.graph import fold
from assistcore.world.poses import Pose, yaw_quat_wxyz
from tests.house import stages


def scene() -> StageModel:
    return stages.stage(
        stages.floor(),
        stages.table(),
        stages.drawer("drawer_1", (1.5, 0.0, 0.5)),
        stages.cabinet("cabinet_1", (-1.5, 0.0, 0.0)),
        stages.open_box("bin_1", at=(0.0, 0.0, 0.83)),
        stages.ball("apple_1", at=(0.0, 0.0, 0.80)),
        stages.block("cup_1", at=(0.3, 0.0, 0.80), attributes={"dirty": True, "volume_ml": 150}),
        stages.block("egg_1", (0.02, 0.02, 0.02), (1.5, 0.0, 0.45)),
    )


MODEL = scene()
SPOTS = [(0.0, 0.0, 0.80), (0.3, 0.0, 0.80), (0.3, 0.0, 0.90), (1.5, 0.0, 0.45), (1.9, 0.0, 0.45), (-1.5, 0.0, 0.1), (0.0, 1.5, 0.04)]
MOVABLES = ["bin_1", "apple_1", "cup_1", "egg_1"]

steps = st.lists(
    st.one_of(
        st.tuples(st.just("pose"), st.sampled_from(MOVABLES), st.sampled_from(SPOTS), st.sampled_from([0.0, pi / 4])),
        st.tuples(st.just("joint"), st.sampled_from(["drawer_1_slide", "cabinet_1_hinge"]), st.sampled_from([0.0, 0.2, 0.4, -1.6])),
        st.tuples(st.just("hold"), st.sampled_from(["", *MOVABLES])),
        st.tuples(st.just("attribute"), st.sampled_from(["cup_1", "apple_1"]), st.sampled_from(["dirty", "cut"]), st.booleans()),
        st.tuples(st.just("forget"), st.sampled_from(["cup_1", "apple_1"])),
        st.tuples(st.just("walk"), st.sampled_from([(-1.2, 0.0), (1.5, -0.6), (3.0, 3.0)])),
        st.tuples(st.just("sit"), st.sampled_from(["standing", "sitting:table_1"])),
        st.tuples(st.just("remove"), st.sampled_from(MOVABLES)),
    ),
    min_size=1,
    max_size=8,
)


def changed(state: HouseState, step: tuple[object, ...]) -> HouseState:
    match step:
        case ("pose", str(key), (float(x), float(y), float(z)), float(yaw)):
            return state.with_(poses={**state.poses, key: Pose((x, y, z), tuple(float(v) for v in yaw_quat_wxyz(yaw)))})  # type: ignore[arg-type]
        case ("joint", str(key), float(value)):
            return state.with_(joints={**state.joints, key: value})
        case ("hold", str(key)):
            return state.with_(held=Held(key, "left", Pose()) if key else None)
        case ("attribute", str(key), str(name), value):
            return state.with_(attributes={**state.attributes, key: {**state.attributes.get(key, {}), name: bool(value)}})
        case ("forget", str(key)):
            return state.with_(attributes={k: v for k, v in state.attributes.items() if k != key})
        case ("walk", (float(x), float(y))):
            return state.with_(body=stages.body_at(x, y, posture=state.body.posture))
        case ("sit", str(posture)):
            return state.with_(body=stages.body_at(*state.body.xy_m, posture=posture))
        case ("remove", str(key)):
            return state.with_(removed=state.removed ^ {key})
    raise AssertionError(step)


@settings(max_examples=150)
@given(steps)
def test_reuse_gives_the_same_graph_and_the_changes_fold(history: list[tuple[object, ...]]) -> None:
    state = stages.state_of(MODEL, attributes={"cup_1": {"dirty": True}})
    graph = read_graph(MODEL, state)
    for tick, step in enumerate(history):
        later = changed(state, step)
        reused = read_graph(MODEL, later, (state, graph))
        fresh = read_graph(MODEL, later)
        assert reused.values == fresh.values
        assert reused.digest() == fresh.digest()
        changes = graph.difference(fresh, tick=tick, cause="test")
        assert graph.difference(reused, tick=tick, cause="test") == changes
        folded = fold(graph, changes)
        assert folded.digest() == fresh.digest()
        state, graph = later, reused


def test_places_are_integers_in_millimetres_and_millionths() -> None:
    pose = Pose((1.2345, -0.0006, 2.0), tuple(-v for v in yaw_quat_wxyz(pi / 2)))
    graph = read_graph(MODEL, stages.state_of(MODEL, {"cup_1": pose}, body=stages.body_at(1.0, -2.0, pi)))
    assert graph.value("cup_1", "place") == (1235, -1, 2000, 707107, 0, 0, 707107)
    assert graph.value(HUMAN, "place") == (1000, -2000, 0, 0, 0, 0, 1000000)


def test_the_graph_holds_the_facts_that_are_promised() -> None:
    graph = read_graph(
        MODEL, stages.state_of(MODEL, attributes={"cup_1": {"volume_ml": 150}}, body=stages.body_at(-1.2, posture="sitting:table_1"))
    )
    assert graph.subjects("on") == tuple(sorted(MOVABLES))
    assert graph.subjects("open") == ("cabinet_1", "drawer_1")
    assert graph.value("cup_1", "volume_ml") == 150
    assert graph.value(HUMAN, "posture") == "sitting"
    assert graph.has("sitting", HUMAN, "table_1")
    assert graph.value("drawer_1", "room") == "kitchen"
    assert graph.has("closed", "cabinet_1") and not graph.has("open", "cabinet_1")


def test_removed_things_have_no_facts() -> None:
    graph = read_graph(MODEL, stages.state_of(MODEL, removed=frozenset({"bin_1"}), attributes={"bin_1": {"dirty": True}}))
    assert not [key for key in graph.values if key[0] == "bin_1"]
    assert not [v for v in graph.values.values() if isinstance(v, tuple) and "bin_1" in v]


def digest_here() -> str:
    return read_graph(scene(), stages.state_of(scene())).digest()


def test_another_process_reads_the_same() -> None:
    code = "from tests.house.test_read_graph import digest_here; print(digest_here())"
    root = Path(__file__).resolve().parents[2]
    other = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "7", "PATH": ""}
    )
    assert other.stdout.strip() == digest_here()

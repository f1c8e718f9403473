"""The user's own person in the house: an own body, a walk from a clip, and what is said of files that will not do."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from assistcore.world.engine import Scenario
from assistcore.world.errors import InputError
from assistcore.world.outcomes import Refusal, Status
from assistworld.cli.main import main
from assistworld.engines.house import make
from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.motion_check import MotionChecker
from humans.gait_style import SHAPE
from humans.model import load_body
from tests.humans.clips import BODY, arm_swing, clip, save

SLIDE_M = 0.006


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A clip of short quick steps with a wide arm swing, and a body 4 % larger than ours in the layout of AMASS."""
    folder = tmp_path_factory.mktemp("person")
    made = arm_swing(clip(60.0, speed=1.0, shape=replace(SHAPE, walk_ratio=0.0048)), 1.3)
    body = folder / "smplh" / "neutral"
    body.mkdir(parents=True)
    dense = np.zeros((len(BODY.template_m), 52))
    np.put_along_axis(dense, BODY.skin_index, BODY.skin_weight, axis=1)
    tree = np.stack([np.array([4294967295, *BODY.parents[1:]], np.int64), np.arange(52)])
    arrays: dict[str, np.ndarray] = {
        "f": BODY.faces.astype(np.uint32),
        "weights": dense,
        "J_regressor": BODY.J_regressor,
        "kintree_table": tree,
    }
    np.savez_compressed(body / "model.npz", v_template=1.04 * BODY.template_m, **arrays)  # type: ignore[arg-type]
    return {"gait": save(folder / "quick.npz", made, 60.0, layout="smplx"), "body": body}


def played(engine: HouseEngine, checker: MotionChecker, text: str, stop_after: int | None = None) -> Status:
    """A command to its end, every frame under the checker; stopped after a number of ticks where one is given."""
    parsed = engine.parse(text)
    assert not isinstance(parsed, Refusal), parsed
    assert (refusal := engine.begin(parsed.command)) is None, refusal
    ticks = 0
    while True:
        motion = engine.motion
        assert motion is not None
        segments = motion.plan.segments
        allowed = segments[min(motion.segment, len(segments) - 1)].allowed
        step = engine.tick()
        ticks += 1
        checker.watch(ticks, engine.state, allowed)
        if stop_after == ticks:
            engine.stop()
        if step.outcome is not None:
            return step.outcome.status


def test_walks_with_a_clip_keep_every_bound_in_the_flat(files: dict[str, Path]) -> None:
    engine = make(gait=files["gait"])
    engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    checker = MotionChecker(engine.stage, engine.body)
    assert engine.body.gait.shape.step_m < 0.9 * SHAPE.step_m
    assert played(engine, checker, "[Grab] <red_mug> (1)") is Status.DONE
    assert played(engine, checker, "[Walk] <sofa> (1)") is Status.DONE
    assert played(engine, checker, "[Walk] <fridge> (1)", stop_after=30) is Status.STOPPED
    assert played(engine, checker, "[TurnAround]") is Status.DONE
    assert played(engine, checker, "[Put] <red_mug> (1) <dining_table> (1)") is Status.DONE
    assert checker.faults == []
    assert checker.feet.stances > 20 and checker.feet.worst_m < SLIDE_M
    engine.close()


def test_the_clip_changes_the_gait_and_nothing_about_the_way(files: dict[str, Path]) -> None:
    poses, ways = [], []
    for gait in (None, files["gait"]):
        engine = make(gait=gait)
        engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
        parsed = engine.parse("[Walk] <sofa> (1)")
        assert not isinstance(parsed, Refusal) and engine.begin(parsed.command) is None
        assert engine.motion is not None
        poses.append(np.concatenate([s.pose_rad for s in engine.motion.plan.segments]))
        ways.append(np.concatenate([s.xy_m for s in engine.motion.plan.segments]))
        engine.close()
    assert np.array_equal(ways[0], ways[1])
    assert np.abs(poses[0] - poses[1]).max() > 0.2


def test_an_own_body_lives_in_the_house(files: dict[str, Path]) -> None:
    """Another size, no parts, no hand axes in the file: it walks, grasps and is drawn, and a clip fits it as well."""
    engine = make(body=files["body"], gait=files["gait"])
    start = engine.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    assert engine.body.rest_joints_m[15, 1] - engine.body.floor_y_m == pytest.approx(1.04 * (BODY.rest_joints_m[15, 1] - BODY.floor_y_m))
    checker = MotionChecker(engine.stage, engine.body)
    assert played(engine, checker, "[Walk] <sofa> (1)") is Status.DONE
    assert checker.faults == [] and checker.feet.worst_m < SLIDE_M
    assert engine.draw([start], "fpv")[0].data
    engine.close()


def test_the_version_names_the_files(files: dict[str, Path]) -> None:
    plain, gait, both = make(), make(gait=files["gait"]), make(gait=files["gait"], body=files["body"])
    assert gait.version.startswith(plain.version + ".gait-") and ".body-" in both.version
    assert make(gait=files["gait"]).version == gait.version


def test_a_saved_house_is_of_one_person(files: dict[str, Path]) -> None:
    engine, other = make(gait=files["gait"]), make()
    for one in (engine, other):
        one.reset(Scenario("flat", {"spot": "kitchen"}), 0)
    engine.restore(engine.save())
    with pytest.raises(InputError, match="person"):
        other.restore(engine.save())
    with pytest.raises(InputError, match="person"):
        engine.restore(other.save())


@pytest.mark.parametrize(
    ("option", "content", "word"),
    [
        ("gait", None, "no such file|No such file"),
        ("gait", b"PK", "not a readable npz"),
        ("body", None, "no such file"),
        ("body", b"\x80\x02", "suffix|npz"),
    ],
)
def test_files_that_will_not_do_are_named(tmp_path: Path, option: str, content: bytes | None, word: str) -> None:
    path = tmp_path / "mine.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=word) as error:
        make(**{option: path}).reset(Scenario("flat"), 0)  # type: ignore[arg-type]
    assert "mine.npz" in str(error.value) and f"{option} of the person" in str(error.value)


@pytest.mark.slow
def test_the_command_line_takes_a_gait_and_replay_needs_the_same(
    files: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip_file, words = str(files["gait"]), ["best_value_coffee", "--frames", "none", "--out", str(tmp_path), "--json"]
    assert main(["run", *words, "--gait", clip_file]) == 0
    bundle = json.loads(capsys.readouterr().out)["bundle"]
    assert main(["replay", bundle, "--gait", clip_file]) == 0
    assert main(["replay", bundle]) == 2
    assert ".gait-" in capsys.readouterr().err
    assert main(["run", *words, "--gait", str(tmp_path / "none.npz")]) == 2
    assert "none.npz" in capsys.readouterr().err


def test_the_embedded_body_is_left_alone(files: dict[str, Path]) -> None:
    make(gait=files["gait"]).reset(Scenario("flat", {"spot": "kitchen"}), 0)
    assert load_body().gait.cycle is None

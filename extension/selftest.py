"""One command that says whether physics and pictures work on this machine: `ISAAC_PYTHON -m extension.selftest`, in the checkout.

Prints a line for each check and ends with 1 where one failed. It starts Isaac Sim itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from assistcore.house.physics import STEP_SECONDS
from assistcore.house.stage import StageModel
from assistcore.pictures.camera import Camera
from assistcore.pictures.protocol import Picture, Pictures, View
from assistcore.pictures.scene import Drawable, PictureScene, Surface, TriMesh
from assistcore.world.errors import AssistWorldError
from assistcore.world.poses import Pose
from extension.conversions import pose_from_tensor_row
from extension.physics import IsaacPhysics
from extension.physics_stage import GRAVITY_M_S2, root_path
from extension.rest import apart
from extension.simulation import Simulation

FALL_STEPS = 18
REST_STEPS = 900
SQUARE = np.array([(-0.1, 0.0, -0.1), (0.1, 0.0, -0.1), (0.1, 0.0, 0.1), (-0.1, 0.0, 0.1)], np.float32)
FACES = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
CAMERA = Camera.look_at((0.0, -2.0, 50.0), (0.0, 0.0, 50.0), hfov_rad=1.2, width=640, height=480)
"""High above the house, where nothing else is seen."""
TILTED = (0.9273618, 0.1, 0.2, 0.3)


@dataclass(frozen=True)
class Check:
    """One thing that was tried, and what was seen."""

    name: str
    passed: bool
    seen: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.passed else 'FAIL'} {self.name}: {self.seen}"


class App(Protocol):
    """The part of `IsaacApp` that is used here."""

    def close(self, status: int = 0) -> None:
        """See `IsaacApp`."""
        ...


def physics_checks(physics: IsaacPhysics, simulation: Simulation, stage: StageModel) -> Iterator[Check]:
    """A thing is held, falls as it must, is read back the same in two ways, and comes to rest; a joint is driven."""
    physics.load(stage, {}, {}, frozenset())
    key = next(e.key for e in stage.entities if e.kind == "movable" and e.mated is None)
    x, y = np.mean(stage.rooms[0].polygon_m, axis=0)
    start = Pose((float(x), float(y), 2.0), TILTED)
    physics.set_kinematic(key, True)
    physics.set_pose(key, start)
    physics.step(5)
    shift, turn = apart(physics.poses()[key], start)
    yield Check("held", shift < 1e-6 and turn < 1e-5, f"{key} is {shift:.6f} m and {turn:.6f} rad from where it is held")
    physics.set_kinematic(key, False)
    physics.step(FALL_STEPS)
    drop = 2.0 - physics.poses()[key].position_m[2]
    expected = GRAVITY_M_S2 * STEP_SECONDS**2 * FALL_STEPS * (FALL_STEPS + 1) / 2
    yield Check("falls", abs(drop - expected) < 0.06 * expected, f"{drop:.3f} m in {FALL_STEPS} steps, expected {expected:.3f} m")
    row = pose_from_tensor_row(simulation.tensor_rows([root_path(key)])[0])
    shift, turn = apart(physics.poses()[key], row)
    yield Check("read back", shift < 2e-3 and turn < 0.01, f"USD and PhysX's own rows are {shift:.6f} m and {turn:.6f} rad apart")
    steps = 0
    while not physics.at_rest() and steps < REST_STEPS:
        physics.step(1)
        steps += 1
    yield Check("rests", physics.at_rest(), f"{steps} steps")
    saved, poses = physics.save(), physics.poses()
    physics.set_pose(key, start)
    physics.restore(saved)
    yield Check("restore", physics.poses() == poses and physics.at_rest(), "poses at rest are the saved ones to the bit")


def picture_checks(pictures: Pictures) -> Iterator[Check]:
    """Two squares, one of which moves: colours, ids, depth and place in the picture, twice, so that an old frame is seen."""
    red, blue = Surface(rgb=(1.0, 0.05, 0.05), emissive=1.0), Surface(rgb=(0.05, 0.05, 1.0), emissive=1.0)
    wall = TriMesh.make(SQUARE * 30 + np.array((0.0, 3.0, 50.0), np.float32), FACES)
    scene = PictureScene((Drawable("wall", wall, blue, 7), Drawable("mark", TriMesh.make(SQUARE, FACES), red, 8, transform=0)))
    pictures.load(scene)
    for x, z in ((0.0, 50.0), (0.5, 50.2), (-0.4, 49.8)):
        T = np.eye(4, dtype=np.float32)[None].copy()
        T[0, 0, 3], T[0, 2, 3] = x, z
        picture = pictures.draw(View(CAMERA, transforms=T))
        yield from _seen(picture, np.array([x, 0.0, z]))


def _seen(picture: Picture, at: np.ndarray) -> Iterator[Check]:
    (expected,), (depth,) = CAMERA.project(at[None])
    mark = picture.ids == 8
    if not mark.any():
        yield Check("ids", False, f"the mark at {at.tolist()} has no pixel; ids seen: {np.unique(picture.ids).tolist()}")
        return
    rows, columns = np.nonzero(mark)
    off = float(np.hypot(columns.mean() + 0.5 - expected[0], rows.mean() + 0.5 - expected[1]))
    yield Check("place", off < 1.5, f"the mark is {off:.2f} pixels from where the camera model has it")
    error = float(np.abs(picture.depth_m[mark] - depth).max())
    yield Check("depth", error < 0.01, f"plane depth of the mark is off by {error:.4f} m")
    r, _, b = picture.rgb[mark].mean(axis=0)
    wall_r, _, wall_b = picture.rgb[picture.ids == 7].mean(axis=0)
    yield Check("colours", bool(r > b and wall_b > wall_r), f"mark (r {r:.0f}, b {b:.0f}), wall (r {wall_r:.0f}, b {wall_b:.0f})")


def run(parts: Sequence[tuple[str, Callable[[], Iterator[Check]]]], say: Callable[[str], None] = print) -> int:
    """Run all parts, one after the other, whatever one raises. 0 where every check passed."""
    failed = 0
    for name, part in parts:
        try:
            for check in part():
                failed += not check.passed
                say(str(check))
        except Exception as error:
            failed += 1
            say(f"FAIL {name}: {type(error).__name__}: {error}")
    say("all checks passed" if not failed else f"{failed} checks failed; docs/isaac_sim.md has causes")
    return 1 if failed else 0


def main(*, start: Callable[[], App] | None = None) -> int:
    """Start Isaac Sim, check, end it with the status."""
    from assistworld.engines.house.scenes import load_scene, scene_file
    from extension.app import IsaacApp
    from extension.kit_cameras import KitCameras
    from extension.kit_simulation import KitSimulation
    from extension.pictures import IsaacPictures

    try:
        app = (start or IsaacApp)()
    except AssistWorldError as error:
        print(f"FAIL start: {error}")
        return 1
    status = 1
    try:
        simulation = KitSimulation()
        physics = IsaacPhysics(simulation, scene_file)
        pictures = IsaacPictures(KitCameras(), simulation.stage)
        status = run(
            (
                ("physics", lambda: physics_checks(physics, simulation, load_scene("flat"))),
                ("pictures", lambda: picture_checks(pictures)),
            )
        )
        pictures.close()
        physics.close()
    finally:
        app.close(status)
    return status


if __name__ == "__main__":
    sys.exit(main())

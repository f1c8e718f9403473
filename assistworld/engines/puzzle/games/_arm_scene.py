"""A gripper above a table, in MuJoCo: the model, and what one action does. In the manner of the Fetch tasks, but written for this package.

World frame: metres, origin in the middle of the table top; x away from the robot, y to its left, z up. The gripper's tip, between its
fingers, is driven along the axes by position servos; the fingers close along y. The arm behind it is drawn only.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from assistcore.world.errors import InfrastructureError

Vec3: TypeAlias = tuple[float, float, float]
Numbers: TypeAlias = tuple[float, ...]

METRES_PER_UNIT = 0.05
REACH_LOW: Vec3 = (-0.20, -0.25, 0.024)
REACH_HIGH: Vec3 = (0.20, 0.25, 0.40)
"""Where the tip can go."""
CUBE_HALF = 0.025
OPEN, CLOSED = 0.05, 0.0
"""Positions of each finger, metres from the middle."""
FLOOR_M = -0.7
HOME: Vec3 = (-0.05, 0.0, 0.20)
STEP_S, STEPS = 0.006, 50
"""Physics steps of an action: 0.3 s, in which the servos settle."""
N_HAND, N_CTRL = 5, 5
MOST_SPEED, MOST_ACCELERATION = 300.0, 1e6
"""Of anything, in SI units: what is faster comes from a file that was not written here."""

_MJCF = f"""
<mujoco model="table and gripper">
  <option timestep="{STEP_S}" integrator="implicitfast" cone="elliptic" impratio="10"/>
  <size memory="512K"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 0.1" pos="0 0 {FLOOR_M}"/>
    <geom name="table" type="box" size="0.34 0.42 0.2" pos="0 0 -0.2" friction="0.8 0.01 0.001"/>
    <body name="hand" gravcomp="1">
      <joint name="x" type="slide" axis="1 0 0"/>
      <joint name="y" type="slide" axis="0 1 0"/>
      <joint name="z" type="slide" axis="0 0 1"/>
      <geom name="palm" type="box" size="0.03 0.065 0.025" pos="0 0 0.085" mass="0.8"/>
      <body name="left" gravcomp="1">
        <joint name="left" type="slide" axis="0 1 0" range="0 0.055"/>
        <geom name="left" type="box" size="0.014 0.007 0.04" pos="0 0.0075 0.02" mass="0.1" condim="4" friction="1.6 0.05 0.001"/>
      </body>
      <body name="right" gravcomp="1">
        <joint name="right" type="slide" axis="0 -1 0" range="0 0.055"/>
        <geom name="right" type="box" size="0.014 0.007 0.04" pos="0 -0.0075 0.02" mass="0.1" condim="4" friction="1.6 0.05 0.001"/>
      </body>
    </body>
    {{cube}}
  </worldbody>
  <contact>
    <exclude body1="hand" body2="left"/>
    <exclude body1="hand" body2="right"/>
  </contact>
  <actuator>
    <position joint="x" kp="700" kv="53" forcerange="-60 60"/>
    <position joint="y" kp="700" kv="53" forcerange="-60 60"/>
    <position joint="z" kp="700" kv="53" forcerange="-60 60"/>
    <position joint="left" kp="400" kv="13" forcerange="-15 15"/>
    <position joint="right" kp="400" kv="13" forcerange="-15 15"/>
  </actuator>
</mujoco>
"""
_CUBE = f"""
    <body name="cube" pos="0 0 {CUBE_HALF}">
      <freejoint/>
      <geom name="cube" type="box" size="{CUBE_HALF} {CUBE_HALF} {CUBE_HALF}" mass="0.08" condim="4" friction="1.2 0.02 0.001"/>
    </body>
"""


@dataclass(frozen=True)
class Physics:
    """All that MuJoCo goes on from. qpos: tip x, y, z, left and right finger, metres; with a cube also its position and quaternion wxyz.

    qvel: their speeds. ctrl: where the five servos go. warmstart: accelerations with which the contact solver begins.
    """

    qpos: Numbers
    qvel: Numbers
    ctrl: Numbers
    warmstart: Numbers

    @property
    def tip_m(self) -> Vec3:
        """The point between the fingers."""
        x, y, z = self.qpos[:3]
        return (x, y, z)

    @property
    def fingers_m(self) -> tuple[float, float]:
        """How far the left and the right finger are from the middle."""
        return self.qpos[3], self.qpos[4]

    @property
    def cube_m(self) -> Vec3:
        """The middle of the cube."""
        x, y, z = self.qpos[N_HAND : N_HAND + 3]
        return (x, y, z)

    @property
    def cube_quat_wxyz(self) -> tuple[float, float, float, float]:
        """The cube's orientation."""
        w, x, y, z = self.qpos[N_HAND + 3 :]
        return (w, x, y, z)


def resting(cube_m: Vec3 | None) -> Physics:
    """The gripper at home, its fingers closed, perhaps with a cube on the table."""
    cube = () if cube_m is None else (*cube_m, 1.0, 0.0, 0.0, 0.0)
    speeds = (0.0,) * (N_HAND + (6 if cube else 0))
    return Physics((*HOME, CLOSED, CLOSED, *cube), speeds, (*HOME, CLOSED, CLOSED), speeds)


def moved(physics: Physics, units: Vec3) -> tuple[Physics, tuple[str, ...]]:
    """After the tip was sent `units` of 5 cm further, and along which axes it met the end of its reach."""
    wanted = [at + METRES_PER_UNIT * unit for at, unit in zip(physics.ctrl[:3], units, strict=True)]
    sent = [min(max(at, low), high) for at, low, high in zip(wanted, REACH_LOW, REACH_HIGH, strict=True)]
    ends = tuple(axis for axis, a, b in zip("xyz", wanted, sent, strict=True) if abs(a - b) > 1e-9)
    return simulated(replace(physics, ctrl=(*sent, *physics.ctrl[3:]))), ends


def gripped(physics: Physics, close: bool) -> Physics:
    """After the fingers were told to close or open, which they keep doing."""
    finger = CLOSED if close else OPEN
    return simulated(replace(physics, ctrl=(*physics.ctrl[:3], finger, finger)))


def simulated(physics: Physics) -> Physics:
    """0.3 s later. Exact: it depends on nothing but its input, in any thread.

    Raises InfrastructureError where MuJoCo is missing or diverges; from states without faults it does not diverge.
    """
    try:
        import mujoco
    except ModuleNotFoundError as error:
        raise InfrastructureError("move the gripper", "MuJoCo is missing; pip install 'assistworld[sim]'") from error

    model, data = _desk(len(physics.qpos) > N_HAND)
    mujoco.mj_resetData(model, data)
    data.qpos[:], data.qvel[:], data.ctrl[:] = physics.qpos, physics.qvel, physics.ctrl
    data.qacc_warmstart[:] = physics.warmstart
    mujoco.mj_step(model, data, STEPS)
    after = Physics(*(tuple(part.tolist()) for part in (data.qpos, data.qvel, data.ctrl, data.qacc_warmstart)))
    if data.time < STEP_S * (STEPS - 0.5):  # MuJoCo begins anew, at time 0, where numbers grow without bound
        raise InfrastructureError("move the gripper", f"the simulation diverged from {physics.qpos}")
    return after


_DESKS = threading.local()


def _desk(with_cube: bool) -> tuple[Any, Any]:
    """The model, and this thread's scratch data for it: nothing is left in it from one action to the next but its memory."""
    import mujoco

    model, name = _model(with_cube), "cube" if with_cube else "bare"
    if not hasattr(_DESKS, name):
        setattr(_DESKS, name, mujoco.MjData(model))
    return model, getattr(_DESKS, name)


@lru_cache(maxsize=2)
def _model(with_cube: bool) -> Any:
    """The compiled model; not changed by simulation, so shared."""
    import mujoco

    return mujoco.MjModel.from_xml_string(_MJCF.format(cube=_CUBE if with_cube else ""))


def physics_faults(physics: Physics, with_cube: bool) -> list[str]:
    """What is wrong with numbers from a file; empty for those that the gripper can come to."""
    n_qpos, n_qvel = (N_HAND + 7, N_HAND + 6) if with_cube else (N_HAND, N_HAND)
    wanted = (
        ("qpos", physics.qpos, n_qpos),
        ("qvel", physics.qvel, n_qvel),
        ("ctrl", physics.ctrl, N_CTRL),
        ("warmstart", physics.warmstart, n_qvel),
    )
    found = [f"{name} has {len(values)} numbers, expected {count}" for name, values, count in wanted if len(values) != count]
    if found:
        return found
    for axis, at, low, high in zip("xyz", physics.tip_m, REACH_LOW, REACH_HIGH, strict=True):
        if not low - 0.02 <= at <= high + 0.02:
            found.append(f"the tip's {axis} is {at}, expected {low} to {high}")
    for name, values, most in (("qvel", physics.qvel, MOST_SPEED), ("warmstart", physics.warmstart, MOST_ACCELERATION)):
        if max(map(abs, values)) > most:
            found.append(f"{name} holds {max(values, key=abs):g}, at most {most:g}")
    for axis, at, low, high in zip("xyz", physics.ctrl, REACH_LOW, REACH_HIGH, strict=False):
        if not low <= at <= high:
            found.append(f"ctrl sends the tip to {axis} {at}, expected {low} to {high}")
    if any(not CLOSED <= at <= OPEN for at in physics.ctrl[3:]):
        found.append(f"ctrl sends the fingers to {physics.ctrl[3:]}, expected {CLOSED} to {OPEN}")
    if any(not -0.02 <= at <= OPEN + 0.02 for at in physics.fingers_m):
        found.append(f"the fingers are at {physics.fingers_m}, expected {CLOSED} to {OPEN}")
    if with_cube:
        if max(map(abs, physics.cube_m)) > 3:
            found.append(f"the cube is at {physics.cube_m}, more than 3 m away")
        length = sum(part * part for part in physics.cube_quat_wxyz) ** 0.5
        if abs(length - 1) > 1e-6:
            found.append(f"the cube's quaternion has the length {length}")
    return found

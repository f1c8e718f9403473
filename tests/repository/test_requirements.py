"""The lock satisfies the bounds, is complete, and the bounds let Isaac Sim's own pins in."""

from __future__ import annotations

import importlib.metadata
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.repository.tree import ROOT

# Isaac Sim 6.2.0.0 on Python 3.12: what its environment pins exactly, or the lowest it allows.
ISAAC_PINS = {
    "numpy": "2.3.1",
    "scipy": "1.17.0",
    "pyyaml": "6.0.3",
    "pillow": "12.1.1",
    "typing-extensions": "4.12.2",
    "packaging": "23.2",
    "mujoco": "3.12.0",
    "trimesh": "4.11.1",
    "networkx": "3.6.1",
}
STAND_INS = {"opencv-python": "opencv-python-headless"}
LOCKED_EXTRAS = ("sim", "train", "dev")


def project() -> dict[str, object]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def bounds(*extras: str) -> list[Requirement]:
    table = project()
    optional = table["optional-dependencies"]
    assert isinstance(optional, dict) and isinstance(table["dependencies"], list)
    return [Requirement(text) for text in [*table["dependencies"], *(text for extra in extras for text in optional[extra])]]


def lock() -> dict[str, Version]:
    lines = [line for line in (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    pairs = [line.split("==") for line in lines]
    assert all(len(pair) == 2 for pair in pairs), "every line of the lock is name==version"
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def test_the_lock_satisfies_every_bound() -> None:
    locked = lock()
    for requirement in bounds(*LOCKED_EXTRAS):
        name = canonicalize_name(requirement.name)
        assert name in locked, f"{requirement} is not in requirements.lock"
        assert requirement.specifier.contains(locked[name]), f"{requirement}, but the lock has {locked[name]}"


def test_the_lock_holds_what_its_packages_need() -> None:
    locked = lock()
    lacking = []
    for name in locked:
        try:
            needs = importlib.metadata.requires(name) or []
        except importlib.metadata.PackageNotFoundError:
            continue
        if Version(importlib.metadata.version(name)) != locked[name]:
            continue  # Another environment, such as one with Isaac Sim's pins: another version has other needs.
        for need in map(Requirement, needs):
            named = canonicalize_name(need.name)
            wanted = canonicalize_name(STAND_INS.get(named, named))
            if (need.marker is None or need.marker.evaluate({"extra": ""})) and (
                wanted not in locked or not need.specifier.contains(locked[wanted], prereleases=True)
            ):
                lacking.append(f"{name} needs {need}; the lock has {locked.get(wanted)}")
    assert not lacking, "\n".join(lacking)


@pytest.mark.parametrize("extras", [(), ("sim",), ("models",), ("train",)])
def test_the_bounds_let_the_pins_of_isaac_sim_in(extras: tuple[str, ...]) -> None:
    for requirement in bounds(*extras):
        pin = ISAAC_PINS.get(canonicalize_name(requirement.name))
        assert pin is None or requirement.specifier.contains(pin), f"{requirement} shuts out {pin}"


def test_a_bound_is_only_a_lower_one() -> None:
    extras = project()["optional-dependencies"]
    assert isinstance(extras, dict)
    for requirement in bounds(*extras):
        assert {part.operator for part in requirement.specifier} == {">="}, requirement

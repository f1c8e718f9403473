"""The contract of a back end on the embedded house, in another process, and on a fake PhysX; and each check reports what breaks it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from assistcore.world.engine import Engine
from assistcore.world.errors import InfrastructureError
from assistworld.engines.house.engine import HouseEngine
from assistworld.engines.remote import make as make_remote
from assistworld.engines.remote.client import RemoteEngine
from assistworld.studies.contract import CHECKS, check_engine
from assistworld.studies.contract.playing import moved, reference, start
from assistworld.studies.contract.world import MUG_ON_TABLE
from assistworld.studies.trials import shared_engine
from tests.engines.contract import fake_physx
from tests.engines.contract.broken import BROKEN

CHEAP = ("stamps", "refusals")
"""What crosses the wire in its own way; the rest is the same engine and is checked over the wire on request."""


@pytest.fixture(scope="module")
def pictures() -> fake_physx.FakeRtx:
    return fake_physx.FakeRtx()


@pytest.fixture(scope="module")
def fake(pictures: fake_physx.FakeRtx) -> Iterator[HouseEngine]:
    made = fake_physx.make(pictures)
    yield made
    made.close()


@pytest.fixture(scope="module")
def remote() -> Iterator[RemoteEngine]:
    made = make_remote("house")
    yield made
    made.close()


def problems(engine: Any, name: str) -> tuple[str, ...]:
    (found,) = check_engine(cast(Engine, engine), (name,))
    return found.problems


@pytest.mark.parametrize("name", CHECKS)
def test_the_embedded_house_keeps(name: str) -> None:
    assert problems(shared_engine(), name) == ()


@pytest.mark.parametrize("name", CHECKS)
def test_fake_physx_keeps(name: str, fake: HouseEngine) -> None:
    assert problems(fake, name) == ()


@pytest.mark.parametrize("name", [name if name in CHEAP else pytest.param(name, marks=pytest.mark.slow) for name in CHECKS])
def test_the_house_in_another_process_keeps(name: str, remote: RemoteEngine) -> None:
    assert problems(remote, name) == ()


def test_fake_physx_has_its_bad_habits(fake: Any, pictures: fake_physx.FakeRtx) -> None:
    """Else what it keeps would say nothing: things settle elsewhere, and frames are thrown away before one is given out."""
    shot = start(fake, changes=MUG_ON_TABLE)
    start(reference(), changes=MUG_ON_TABLE)
    assert moved(reference().graph(), fake.graph(), mm=0, millionths=100)
    before = pictures.discarded
    fake.draw((shot,), "map")
    fake.draw((shot,), "fpv")
    assert pictures.discarded - before >= 2 * (1 + 1), "for each a late frame and one of noise"


@pytest.mark.rotating(5)
@pytest.mark.parametrize(("name", "way"), [(n, k) for n, ways in BROKEN.items() for k in range(len(ways))])
def test_a_check_reports_what_breaks_its_promise(name: str, way: int) -> None:
    broken = BROKEN[name][way](cast(Engine, shared_engine()))
    found = problems(broken, name)
    assert found and not any(p.startswith("raised") for p in found), (type(broken).__name__, found)


def test_every_check_has_an_engine_that_breaks_it() -> None:
    assert BROKEN.keys() == CHECKS.keys()


@pytest.mark.parametrize("error", [InfrastructureError("reset", "device lost"), RuntimeError("device lost")], ids=["named", "any"])
def test_what_an_engine_raises_is_a_problem_of_that_check(error: Exception) -> None:
    class Dead:
        def reset(self, *args: object) -> None:
            raise error

    found = check_engine(cast(Engine, Dead()), ("stamps", "poses"))
    assert [len(f.problems) for f in found] == [1, 1] and "device lost" in found[0].problems[0]

"""One warm engine of the real flat for the tests of this folder."""

from __future__ import annotations

import pytest

from assistworld.engines.house.engine import HouseEngine
from assistworld.studies.trials import shared_engine


@pytest.fixture(scope="session")
def flat() -> HouseEngine:
    """The engine that the random trials use too; every test resets it."""
    return shared_engine()

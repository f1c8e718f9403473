from __future__ import annotations

from collections.abc import Iterator

import pytest

from assistcore.pictures import open_pictures
from assistcore.pictures.renderer import GlPictures
from tests.pictures import scenes


@pytest.fixture(scope="session")
def empty_renderer() -> Iterator[GlPictures]:
    """One context for all tests; each test loads its own scene."""
    with open_pictures() as renderer:
        yield renderer


@pytest.fixture
def renderer(empty_renderer: GlPictures) -> GlPictures:
    """A renderer with the furnished flat loaded."""
    empty_renderer.load(scenes.flat()[0])
    return empty_renderer

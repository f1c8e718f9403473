"""The page of verbs says what the registry says."""

from __future__ import annotations

from actions.verb import all_verbs
from assistcore.world.sources import checkout
from assistworld.studies.verb_page import PAGE, verb_page


def test_the_page_of_verbs_is_current() -> None:
    assert (checkout() / PAGE).read_text(encoding="utf-8") == verb_page(), "python -m assistworld.studies.verb_page"


def test_every_surface_form_and_every_number_is_on_the_page() -> None:
    page = verb_page()
    missing = [surface for info in all_verbs() for surface in info.surface if f"`[{surface}]`" not in page]
    assert len(all_verbs()) == 36 and not missing
    assert "angle_error? (-180 to 180)" in page

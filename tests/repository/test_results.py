"""A committed result says which code made it, and a result of other code is refused."""

from __future__ import annotations

import json

from assistcore.world.sources import code_digest
from assistworld.studies.digests import RESULT_PACKAGES
from tests.repository.tree import ROOT, files

RESULTS = [path for path in files() if path.parts[:2] == ("docs", "results") and path.suffix == ".json"]


def test_every_result_carries_the_digest_of_this_code() -> None:
    stale = []
    for path in RESULTS:
        result = json.loads((ROOT / path).read_text(encoding="utf-8"))
        if result.get("code_digest") != code_digest(result.get("code_packages", RESULT_PACKAGES)):
            stale.append(str(path))
    assert not stale, f"made by other code; run ./dev prove-all again: {stale}"

"""What leaves an episode as a page or as files: nothing that was said can break it, no name tells a secret (RULES, Leaks)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from assistcore.world.canonical import digest_bytes
from assistworld.episodes.bundle import open_bundle
from assistworld.web.view import page
from tests.episodes.playing import play

ODD = ["</script><b>hi", "<!--<script>", 'he said "no" \\ {', "\u2028line\u2029", "DATA_HERE TITLE_HERE", "é<é>&amp;"]


@pytest.mark.parametrize("said", ODD)
def test_whatever_was_said_stands_in_the_page_as_it_was_said(tmp_path: Path, said: str) -> None:
    """BrowserGym#334's strings, in a page: a script that is not closed shows nothing at all."""
    play(tmp_path / "b", texts=[f"$interrupt$ {said}", "$done$"])
    text = page(open_bundle(tmp_path / "b"))
    data = next(line for line in text.splitlines() if '"events":[' in line)
    found = json.loads(data[data.index("{") : data.rindex("}") + 1])
    heard = [e["text"] for e in found["events"] if e["kind"] == "said" and e["speaker"] == "assistant"]
    assert heard == [said.strip()]
    assert "<" not in data[data.index("{") : data.rindex("}")], "nothing in the data can open or close an element"
    assert text.count("</script>") == text.count("<script")


def test_attachments_are_named_by_their_content_alone(tmp_path: Path) -> None:
    play(tmp_path / "b")
    names = sorted((tmp_path / "b" / "attachments").iterdir())
    assert names and all(re.fullmatch(r"[0-9a-f]{64}\.(png|snap|json)", p.name) for p in names)
    assert all(p.stem == digest_bytes(p.read_bytes()) for p in names)

"""Conversations for supervised fine-tuning, with pictures: JSON lines that Hugging Face `datasets` loads, one for each solved episode."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistcore.models.model import Image, Message
from assistcore.world.canonical import digest_bytes
from assistcore.world.errors import AssistWorldError, InputError, Problem
from assistworld.engines.puzzle.codec import encode
from assistworld.engines.puzzle.play import Play
from assistworld.engines.puzzle.prompting import Toggles, conversation
from assistworld.engines.puzzle.puzzle import AnyPuzzle
from assistworld.engines.puzzle.registry import make
from assistworld.engines.puzzle.solving import solve
from assistworld.episodes.files import write_atomic
from assistworld.studies.histories import History, fingerprint, followed

DATA, IMAGES, CARD = "data.jsonl", "images", "README.md"
PLACEHOLDER = "<image>"
"""Stands in a text where a picture belongs; the pictures are listed beside the conversation in the same order."""
_SPEAKERS = {"system": "system", "user": "human", "assistant": "gpt"}
_CARD = """---
configs:
- config_name: default
  data_files: data.jsonl
---

Conversations with puzzles of AssistWorld. `conversations` are turns `{from: human|gpt, value}`; every `<image>` in them stands for the next
path of `images`, relative to this folder. `episode` is equal for episodes with the same beginning.
"""


@dataclass
class Counts:
    """What an export took and left out."""

    written: int = 0
    failed: int = 0
    held_out: int = 0
    repeated: int = 0
    unsolved: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        left = f"{self.failed} without reward, {self.held_out} of the held-out list, {self.repeated} repeated"
        return f"{self.written} conversations written; left out: {left}, {len(self.unsolved)} without a solution"


def demonstrations(
    cases: Iterable[tuple[str, str, str | None, int]], *, channels: Sequence[str] = ("view",), counts: Counts, num_steps: int | None = None
) -> Iterator[History]:
    """Episodes that solvers play: puzzle, preset, strategy (None: the first) and seed of each. What has no solution is counted."""
    for name, preset, strategy, seed in cases:
        puzzle = make(name, preset)
        play = Play(puzzle, seed=seed)
        try:
            answers = solve(puzzle, play.state, strategy=strategy, seed=seed, num_steps=num_steps)
        except InputError:
            raise
        except AssistWorldError as error:
            counts.unsolved.append(f"{name} {preset}, seed {seed}: {error}")
            continue
        yield followed(play, answers, channels=channels, who=strategy or puzzle.strategies[0])


def export(histories: Iterable[History], folder: Path, *, held_out: Iterable[str] = (), toggles: Toggles, counts: Counts) -> Counts:
    """Write the solved ones of `histories` to a new folder: `data.jsonl`, `images/` and a card.

    Left out and counted: episodes without reward, those whose fingerprint is in `held_out`, and those equal to an earlier one to the last
    answer. Raises InputError where the folder has something in it already, or where thoughts are asked for that nobody had.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InputError("export", [Problem(str(folder), "is not empty", "name a new folder")])
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    kept_back, written = frozenset(held_out), set[tuple[str, ...]]()
    with open(folder / DATA, "w", encoding="utf-8", newline="\n") as file:
        for history in histories:
            given = (history.fingerprint, *history.channels, *history.answers)
            if not history.reward:
                counts.failed += 1
            elif history.fingerprint in kept_back:
                counts.held_out += 1
            elif given in written:
                counts.repeated += 1
            else:
                written.add(given)
                file.write(json.dumps(_row(history, folder, toggles), ensure_ascii=False) + "\n")
                counts.written += 1
    write_atomic(folder / CARD, _CARD.encode("ascii"))
    return counts


def _row(history: History, folder: Path, toggles: Toggles) -> dict[str, Any]:
    if toggles.reasoning and not all("<think>" in answer for answer in history.answers):
        raise InputError("export", [Problem("reasoning", f"is asked for, and {history.who} wrote no thoughts", "leave it out for solvers")])
    messages = conversation(history.rules(), history.seen(), toggles, history.goal())
    return {
        "episode": history.fingerprint,
        "puzzle": history.puzzle.name,
        "config": json.dumps(encode(history.puzzle.config), sort_keys=True),
        "seed": history.seed,
        "by": history.who,
        "steps": len(history.turns),
        "reward": history.reward,
        "conversations": [{"from": _SPEAKERS[m.role], "value": _written(m)} for m in messages],
        "images": [_stored(image, folder) for m in messages for image in m.images],
    }


def _written(message: Message) -> str:
    return "\n".join(PLACEHOLDER if isinstance(part, Image) else part for part in message.parts)


def _stored(image: Image, folder: Path) -> str:
    name = f"{IMAGES}/{digest_bytes(image.data)}{'.jpg' if image.media_type == 'image/jpeg' else '.png'}"
    if not (folder / name).exists():
        (folder / name).write_bytes(image.data)
    return name


def fingerprints(puzzles: Iterable[tuple[AnyPuzzle, int]]) -> list[str]:
    """Of every puzzle with a seed; sorted, each once."""
    return sorted({fingerprint(puzzle, Play(puzzle, seed=seed).state) for puzzle, seed in puzzles})


def read_held_out(path: Path) -> frozenset[str]:
    """A list of fingerprints, one a line. Raises InputError for a file that cannot be read, naming the first line that is none."""
    try:
        lines = [line.strip() for line in path.read_text(encoding="ascii", errors="replace").splitlines()]
    except OSError as error:
        fix = "a file that `sft held-out` wrote"
        raise InputError("held-out list", [Problem(str(path), f"cannot be read: {error.strerror}", fix)]) from error
    for number, line in enumerate(lines, 1):
        if line and (len(line) != 64 or set(line) - set("0123456789abcdef")):
            raise InputError("held-out list", [Problem(f"{path.name}:{number}", f"is {line[:70]!r}", "64 hexadecimal digits a line")])
    return frozenset(line for line in lines if line)

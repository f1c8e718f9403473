"""One attempt from pack to score: agents and engine by name, a new bundle, the ledger, the score file."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

from assistcore.world.engine import Assistant, Engine, Human
from assistcore.world.errors import AssistWorldError, InfrastructureError, InputError, Problem, nearest
from assistcore.world.records import AgentInfo
from assistworld.agents import ASSISTANTS, HUMANS
from assistworld.engines._named import ENGINES as ENGINES
from assistworld.engines._named import maker
from assistworld.episodes.driver import Watch, run
from assistworld.episodes.episode import Ended, Episode
from assistworld.episodes.files import new_folder
from assistworld.episodes.log import FolderSink
from assistworld.studies import ledger
from assistworld.studies.scoring import write_score
from evaluator.scores import Score
from taskpacks.schema import TaskPack


@dataclass(frozen=True)
class Attempt:
    """A finished attempt: its sealed bundle, how it ended, its score. `failure` is the error behind a VOID one."""

    folder: Path
    ended: Ended
    score: Score
    failure: Exception | None


def make_engine(name: str, person: Mapping[str, Path] | None = None) -> Engine:
    """An engine by name, or of the user's own as `module:function`. person: files of the user's own by option (`body`, `gait`).

    Raises UnknownName with the nearest, InputError where there is no such function or the engine takes no such option.
    """
    make = maker(name, ENGINES)
    given = dict(person or {})
    takes = signature(make).parameters
    if other := [key for key in given if key not in takes]:
        what = f"engine {name!r} has a person of its own and takes no --{other[0]}"
        raise InputError("options of the engine", [Problem(f"--{other[0]}", what, "leave it out")])
    return make(**given)


def make_assistant(name: str, pack: TaskPack, seed: int) -> Assistant:
    """An assistant by name. Raises UnknownName with the nearest."""
    assistant: Assistant = ASSISTANTS.load(name).make(pack, seed)
    return assistant


def make_human(name: str, pack: TaskPack, seed: int, options: Mapping[str, str] | None = None) -> Human:
    """A person by name. options: as text, for people who take some (`player`: model, url, history ...).

    Raises UnknownName with the nearest, InputError for an option that this person does not take.
    """
    make = HUMANS.load(name).make
    takes = [key for key in signature(make).parameters if key not in ("pack", "seed")]
    if other := [key for key in options or {} if key not in takes]:
        fix = nearest(other[0], takes) if takes else "leave it out"
        raise InputError("options of the person", [Problem(f"--human-option {other[0]}", f"{name} takes no such option", fix)])
    human: Human = make(pack, seed, **(options or {}))
    return human


def with_channels(pack: TaskPack, channels: Sequence[str]) -> TaskPack:
    """The same task with other observation channels: another pack by its digest, under the same id."""
    protocol = pack.protocol.model_copy(update={"channels": tuple(channels)})
    return pack.model_copy(update={"protocol": protocol})


def attempt(
    pack: TaskPack,
    engine: Engine,
    assistant: Assistant,
    human: Human,
    *,
    out: Path,
    seed: int = 0,
    frames: int = 4,
    watch: Watch | None = None,
    clock: Callable[[], float] | None = None,
) -> Attempt:
    """Play a pack into a new folder below `out` and score it. Raises nothing for what happens inside: a fault there makes it VOID."""
    folder = new_folder(out, f"{pack.id}-{assistant.name}-{human.name}-{seed}")
    episode = Episode(
        pack=pack,
        engine=engine,
        sink=FolderSink(folder),
        seed=seed,
        frames=frames,
        assistant=AgentInfo(name=assistant.name, privileged=assistant.privileged),
        human=AgentInfo(name=human.name, privileged=human.privileged),
    )
    options: dict[str, Any] = {"clock": clock} if clock else {}
    ended = run(episode, assistant, human, watch=watch, **options)
    if ended.score is None:
        raise _never_began(folder, episode)
    facts = {"pack": pack.id, "seed": seed, "assistant": assistant.name, "human": human.name, "reason": ended.reason}
    ledger.record(folder, ended.head, ended.count, facts)
    write_score(folder, ended.score)
    return Attempt(folder, ended, ended.score, episode.failure)


def missing_library(error: ImportError) -> InfrastructureError:
    """What to do about a library that is not there."""
    hint = "`pip install 'assistworld[sim]'` brings what the embedded house needs (in Isaac Sim's own environment see docs/isaac_sim.md)"
    return InfrastructureError("import", f"a library is missing: {error}. {hint}")


def _never_began(folder: Path, episode: Episode) -> AssistWorldError:
    """The error behind an attempt without a world (unknown scene, wrong scenario, full disk). A folder that holds nothing is removed."""
    if not episode.began:
        shutil.rmtree(folder, ignore_errors=True)
    error = episode.failure
    if isinstance(error, AssistWorldError):
        return error
    failed = missing_library(error) if isinstance(error, ImportError) else InfrastructureError("start", f"{type(error).__name__}: {error}")
    failed.__cause__ = error
    return failed

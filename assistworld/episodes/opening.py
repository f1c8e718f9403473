"""The first rows of a log: what the episode is made of and the world at tick 0."""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

from assistcore.world.canonical import canonical_json
from assistcore.world.engine import Described, Engine, Hosted
from assistcore.world.errors import InputError, Problem, nearest
from assistcore.world.records import Initial, Opened
from assistcore.world.snapshots import Snapshot
from taskpacks.digest import pack_digest, pack_json
from taskpacks.schema import TaskPack

if TYPE_CHECKING:
    from assistworld.episodes.episode import Episode


def image_channels(pack: TaskPack, engine: Engine) -> tuple[str, ...]:
    """The channels that are filmed: the pack's, or every image channel. Raises InputError for a channel the engine does not have."""
    known = {c.name: c for c in engine.vocabulary.channels}
    wanted = pack.protocol.channels
    if wanted is None:
        return tuple(name for name, c in known.items() if c.kind == "image" and c.roles)
    problems = [Problem(f"{pack.id}#/protocol/channels", f"no channel {c!r}", nearest(c, list(known))) for c in wanted if c not in known]
    if problems:
        raise InputError(f"pack {pack.id}", problems)
    return wanted


def engine_version(engine: Engine) -> str:
    """What the engine says of itself; `0` where it says nothing."""
    return engine.version if isinstance(engine, Described) else "0"


def first_rows(episode: Episode) -> Snapshot:
    """Reset the engine and write `episode` and `initial`."""
    pack, engine, sink = episode.pack, episode.engine, episode.sink
    snapshot = engine.reset(pack.scenario.scenario(), episode.seed)
    stage = engine.summary() if isinstance(engine, Described) else {}
    assistant, human = episode.agents
    tick = engine.tick_seconds
    opened = sink.write(
        0,
        Opened(
            producer=f"assistworld {version('assistworld')}",
            pack=sink.attach(pack_json(pack).encode("ascii"), ".json"),
            pack_id=pack.id,
            pack_version=pack.version,
            pack_digest=pack_digest(pack),
            family=pack.protocol.family.value,
            engine=engine.name,
            engine_version=engine_version(engine),
            stage=sink.attach(canonical_json(stage).encode("ascii"), ".json"),
            seed=episode.seed,
            frames=episode.frames,
            tick_seconds=(tick.numerator, tick.denominator),
            assistant=assistant,
            human=human,
        ),
    )
    sink.note(opened, {"engine_process": engine.process if isinstance(engine, Hosted) else "in process"})
    graph = engine.graph()
    episode.line.graph = graph
    rows = tuple((s, k, graph.values[s, k]) for s, k in sorted(graph.values))
    sink.write(0, Initial(graph=rows, graph_digest=graph.digest(), state_digest=engine.digest()))
    return snapshot

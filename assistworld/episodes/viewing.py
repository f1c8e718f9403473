"""What each role has not seen and heard yet, and the view made of it at an ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assistcore.world.engine import Described, Engine, Role
from assistcore.world.records import Glance, Viewed
from assistcore.world.snapshots import Observation
from assistcore.world.views import AssistantView, HumanView, Legend, Offered, Utterance
from assistworld.episodes import boundary
from assistworld.episodes.commands import CommandLine
from assistworld.episodes.frames import Shot, bounded
from assistworld.episodes.log import Sink
from taskpacks.schema import TaskPack


class Viewing:
    """Pictures and speech since each role's last ask; what the person was offered and has seen."""

    def __init__(self, pack: TaskPack, engine: Engine, channels: Sequence[str]) -> None:
        self._pack, self._engine = pack, engine
        roles = {c.name: c.roles for c in engine.vocabulary.channels}
        self._channels = {role: {c for c in channels if role in roles.get(c, ())} for role in ("assistant", "human")}
        self._new: dict[str, list[Observation]] = {"assistant": [], "human": []}
        self._heard: dict[str, list[Utterance]] = {"assistant": [], "human": []}
        self._dialogue: list[Utterance] = []
        self._seen: frozenset[str] = frozenset()
        self._glanced: tuple[Offered, ...] = ()
        self.offered: frozenset[str] = frozenset()
        self._world: Mapping[str, Any] | None = None

    def show(self, shots: Sequence[Shot]) -> None:
        """New frames, for the roles whose channels they are on."""
        for role, new in self._new.items():
            new += [s.observation for s in shots if s.channel in self._channels[role]]

    def hear(self, utterance: Utterance) -> None:
        """Something was said: the other role will hear it."""
        self._dialogue.append(utterance)
        self._heard["assistant" if utterance.speaker == "human" else "human"].append(utterance)

    def unheard(self, role: Role) -> bool:
        """Whether something was said to this role since its last ask."""
        return bool(self._heard[role])

    def glance(self, marks: Sequence[str], tick: int, sink: Sink) -> None:
        """Record what can be seen and read at a marked tick. What a look held in view may be named until the next command begins."""
        offers = self._engine.offer("human") if marks else ()
        for mark in marks:
            printed = {o.key: o.printed for o in offers if o.printed}
            sink.write(tick, Glance(mark=mark, visible=tuple(sorted(o.key for o in offers if o.visible)), printed=printed))
        self._glanced += tuple(o for o in offers if o.visible and o.movable)

    def turn_away(self) -> None:
        """A command begins: what was looked at before is out of view."""
        self._glanced = ()

    def plain(self, speech: str) -> tuple[str, tuple[str, ...]]:
        """Speech without handles, and the handles that were taken out."""
        return boundary.plain_speech(speech, self.offered)

    def view(
        self, role: Role, tick: int, number: int, sink: Sink, *, line: CommandLine, pending: tuple[str, ...]
    ) -> AssistantView | HumanView:
        """Build, record, and give back what the record decodes to."""
        moment = self._moment(role, tick, line, pending)
        built = boundary.assistant_view(moment) if role == "assistant" else boundary.human_view(moment)
        data = boundary.encode(built)
        sink.write(tick, Viewed(ask=number, role=role, view=data))
        self._new[role], self._heard[role] = [], []
        return boundary.decode(role, data, sink.fetch)

    def _moment(self, role: Role, tick: int, line: CommandLine, pending: tuple[str, ...]) -> boundary.Moment:
        protocol = self._pack.protocol
        shown = bounded(sorted(self._new[role], key=lambda o: (o.tick, o.channel)))
        heard, dialogue = tuple(self._heard[role]), tuple(self._dialogue)
        if role == "assistant":
            return boundary.Moment(tick, protocol.family, protocol.task, shown, heard, dialogue)
        offers = self._offers()
        last = line.last
        return boundary.Moment(
            tick,
            protocol.family,
            self._told(),
            shown,
            heard,
            dialogue,
            offers=offers,
            legend=self._legend(),
            held=next((o.key for o in offers if o.held), ""),
            room=boundary.room_of_person(line.graph),
            last_command=last.text if last else "",
            last_status=last.status if last else "",
            last_code=last.code if last else "",
            last_fact=(last.feedback or "; ".join(t for t in (last.fact, last.hint) if t)) if last else "",
            pending=pending,
            idle=self._engine.idle() and not pending,
            plan_next=self._plan_next(line),
        )

    @property
    def _stage(self) -> Mapping[str, Any]:
        """What the engine says of this scenario."""
        if self._world is None:
            self._world = self._engine.summary() if isinstance(self._engine, Described) else {}
        return self._world

    def _told(self) -> str:
        """The task, and behind it the rules of a world that has its own."""
        return "\n\n".join(text for text in (self._pack.protocol.task, str(self._stage.get("rules", ""))) if text)

    def _legend(self) -> tuple[Legend, ...]:
        """The verbs that this scenario has."""
        every, named = boundary.legend(self._engine.vocabulary), self._stage.get("verbs")
        return every if named is None else tuple(entry for entry in every if entry.verb in named)

    def _offers(self) -> tuple[Offered, ...]:
        held_in_view = {o.key: replace(o, held=False) for o in self._glanced}
        every = tuple(o if o.visible or o.held else held_in_view.get(o.key, o) for o in self._engine.offer("human"))
        self._seen |= {o.key for o in every if o.visible or o.held}
        offers = boundary.offered_now(every, self._pack.protocol.family, self._seen)
        self.offered = frozenset(o.key for o in offers)
        return offers

    def _plan_next(self, line: CommandLine) -> str:
        plan = self._pack.protocol.plan
        at = 0
        for text in line.done:
            if at < len(plan) and text == plan[at]:
                at += 1
        return plan[at] if at < len(plan) else ""

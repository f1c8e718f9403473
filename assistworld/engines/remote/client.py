"""The `Engine` on our side of the wire: every call with a deadline; a server that is lost or stalls voids the attempt and is replaced."""

from __future__ import annotations

import socket
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from assistcore.world.commands import Command, Parsed
from assistcore.world.engine import Abilities, Role, Scenario, Step, Vocabulary
from assistcore.world.errors import InfrastructureError
from assistcore.world.graph import SceneGraph
from assistcore.world.outcomes import Refusal
from assistcore.world.snapshots import Observation, Snapshot
from assistcore.world.views import Offered
from assistworld.engines.remote.errors_json import decode_error
from assistworld.engines.remote.process import Place
from assistworld.engines.remote.protocol import HANDSHAKE_S, contract
from assistworld.engines.remote.values import decode, encode
from assistworld.engines.remote.wire import PROTOCOL, Lost, Message, Overdue, proof, receive, send

GRACE_S = 10.0
"""How much longer than the server's own watchdog a client waits: the watchdog knows where the call stands."""
RENEWALS = 3
"""How often a reset may find that the server wants to be replaced."""


class RemoteEngine:
    """An `Engine` in another process. See `Watched` for what a lost one means: InfrastructureError now, a new server at the next reset.

    limit_s: longest time of one call in seconds (default: a little more than the server allows itself). fresh: a new process for every
    reset.
    """

    name: str
    vocabulary: Vocabulary
    abilities: Abilities
    tick_seconds: Fraction
    version: str

    def __init__(self, place: Place, *, limit_s: float | None = None, fresh: bool = False) -> None:
        if limit_s is not None and not limit_s > 0:
            raise ValueError(f"limit_s is {limit_s}, need more than 0")
        self._place, self._limit_s, self._fresh = place, place.limit_s + GRACE_S if limit_s is None else limit_s, fresh
        self._link: socket.socket | None = None
        self._idle, self._was_reset = True, False
        self.resident_mb = 0.0
        """Resident memory of the server after the last reset."""
        self.said_at_close = ""
        """What went wrong when the server was ended, after `close`."""
        self._open()
        try:
            told = self._call("engine")
        except BaseException:
            self._drop()
            raise
        self.name, self.version = str(told["name"]), str(told["version"])
        self.vocabulary, self.abilities, self.tick_seconds = told["vocabulary"], told["abilities"], told["tick_seconds"]

    @property
    def process(self) -> str:
        """How the engine is run, for the record of an attempt."""
        return "fresh process" if self._fresh else "warm process"

    def reset(self, scenario: Scenario, seed: int) -> Snapshot:
        """See `Engine`; on a new server where the last one was lost, or where each episode is to have its own."""
        if self._fresh and self._was_reset:
            self._drop()
        for _ in range(RENEWALS):
            if self._link is None:
                self._open()
            snapshot: Snapshot | None = self._call("reset", scenario, seed)
            if snapshot is not None:
                self._was_reset = True
                return snapshot
        raise InfrastructureError("engine", f"the server asked to be replaced {RENEWALS} times in a row; its memory bound is too small")

    def offer(self, role: Role) -> tuple[Offered, ...]:
        """See `Engine`."""
        found: tuple[Offered, ...] = self._call("offer", role)
        return found

    def parse(self, text: str) -> Parsed | Refusal:
        """See `Engine`."""
        found: Parsed | Refusal = self._call("parse", text)
        return found

    def can(self, command: Command) -> Refusal | None:
        """See `Engine`."""
        found: Refusal | None = self._call("can", command)
        return found

    def begin(self, command: Command) -> Refusal | None:
        """See `Engine`."""
        found: Refusal | None = self._call("begin", command)
        return found

    def stop(self) -> None:
        """See `Engine`."""
        self._call("stop")

    def idle(self) -> bool:
        """See `Engine`. Every answer of the server tells it; nothing is asked."""
        return self._idle

    def tick(self) -> Step:
        """See `Engine`."""
        step: Step = self._call("tick")
        return step

    def graph(self) -> SceneGraph:
        """See `Engine`."""
        found: SceneGraph = self._call("graph")
        return found

    def digest(self) -> str:
        """See `Engine`."""
        return str(self._call("digest"))

    def draw(self, snapshots: Sequence[Snapshot], channel: str) -> tuple[Observation, ...]:
        """See `Engine`."""
        drawn: tuple[Observation, ...] = self._call("draw", tuple(snapshots), channel)
        return drawn

    def save(self) -> bytes:
        """See `Engine`."""
        saved: bytes = self._call("save")
        return saved

    def restore(self, state: bytes) -> None:
        """See `Engine`."""
        self._call("restore", state)

    def summary(self) -> Mapping[str, Any]:
        """See `Described`."""
        found: Mapping[str, Any] = self._call("summary")
        return found

    def close(self) -> None:
        """See `Engine`. Raises InfrastructureError where the process died instead of ending; what was written before is complete."""
        if self._link is not None and self._place.ours:
            try:
                send(self._link, Message({"call": "end"}))
            except Lost:
                pass
        self._hang_up()
        self.said_at_close = self._place.close()
        if self.said_at_close:
            raise InfrastructureError("close engine", f"{self.said_at_close}; results written before are complete")

    def _open(self) -> None:
        """Connect and shake hands. Raises InfrastructureError with the reason of a server that refuses."""
        link = self._place.connect()
        try:
            self._greet(link)
        except BaseException:
            link.close()
            if self._place.ours:  # whoever is not let in by somebody else's server has not lost it
                self._place.renew()
            raise
        self._link = link

    def _greet(self, link: socket.socket) -> None:
        try:
            asked = receive(link, HANDSHAKE_S).header
            if asked.get("assistworld") != PROTOCOL:
                raise InfrastructureError(
                    "connect", asked.get("refused") or f"the server speaks protocol {asked.get('assistworld')!r}, not {PROTOCOL}"
                )
            answer = {"proof": proof(self._place.token, str(asked.get("challenge"))), "contract": contract()}
            send(link, Message({"assistworld": PROTOCOL, **answer}))
            told = receive(link, HANDSHAKE_S).header
        except (Lost, Overdue) as error:
            how = "did not answer" if isinstance(error, Overdue) else "hung up"
            raise InfrastructureError("connect", f"the server {how} during the handshake{self._how_ended()}") from error
        if not told.get("welcome"):
            raise InfrastructureError("connect", str(told.get("refused", "the server refused without a reason")))

    def _call(self, call: str, *args: Any) -> Any:
        """One call. None for a reset that the server wants another process for."""
        link = self._link
        if link is None:
            raise InfrastructureError("engine", f"cannot {call}: the server was lost before; reset starts a new one")
        blobs: list[bytes] = []
        asked = Message({"call": call, "args": encode(args, blobs)}, blobs)
        try:
            send(link, asked)
            answer = receive(link, self._limit_s)
        except Overdue as error:
            self._drop()
            raise InfrastructureError("engine", f"stalled in {call} ({self._limit_s:.1f} s); the server is replaced") from error
        except Lost as error:
            how = self._how_ended()
            self._drop()
            raise InfrastructureError("engine", f"the server was lost in {call}{how}") from error
        except BaseException:  # interrupted, or no message: what comes next on this link would answer another question
            self._drop()
            raise
        if "again" in answer.header:
            self._drop()
            return None
        self._idle = bool(answer.header.get("idle", True))
        self.resident_mb = float(answer.header.get("resident_mb", self.resident_mb))
        if "error" in answer.header:
            raise decode_error(answer.header["error"], call)
        return decode(answer.header.get("value"), answer.blobs)

    def _how_ended(self) -> str:
        how = self._place.ended()
        return f": it {how}" if how else ""

    def _drop(self) -> None:
        self._hang_up()
        self._place.renew()
        self._idle = True

    def _hang_up(self) -> None:
        if self._link is not None:
            self._link.close()
            self._link = None

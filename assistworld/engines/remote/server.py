"""The side that has the engine: one session at a time on a socket of this machine, every call made on the main thread.

Graphics contexts and Isaac Sim's application want the thread they were made in, so that threads here only listen and watch. A call that
takes longer than the limit ends the process with the name of the call: what hangs cannot be mended from inside.
"""

from __future__ import annotations

import faulthandler
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from assistcore.world.engine import Described, Engine
from assistcore.world.errors import InfrastructureError
from assistworld.engines.remote.errors_json import encode_error
from assistworld.engines.remote.memory import resident_mb
from assistworld.engines.remote.protocol import CALLS, HANDSHAKE_S, MEMORY_EXIT, STALLED_EXIT, contract
from assistworld.engines.remote.values import decode, encode
from assistworld.engines.remote.wire import PROTOCOL, Lost, Message, Overdue, proved, receive, send

LOOPBACK = "127.0.0.1"
BUSY_S = 2.0
"""How long a caller waits for the session before it to end, before it is told that there is one."""


class Server:
    """Serves the engine that `make` makes, to whoever has `token`.

    limit_s: longest time of one call. memory_mb: the resident size over which the process asks to be replaced at the next reset.
    while_open: a file descriptor that nothing is written to; the process ends when its other end is closed.
    """

    def __init__(
        self,
        make: Callable[[], Engine],
        token: str,
        *,
        port: int = 0,
        limit_s: float = 300.0,
        memory_mb: float = float("inf"),
        while_open: int | None = None,
    ) -> None:
        self._make, self._token, self._limit_s, self._memory_mb = make, token, limit_s, memory_mb
        self._while_open = while_open
        self._socket = socket.create_server((LOOPBACK, port), backlog=8)
        self._engine: Engine | None = None
        self._callers: SimpleQueue[socket.socket] = SimpleQueue()
        self._free = threading.Lock()
        self._now: tuple[str, float] | None = None

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._socket.getsockname()[1])

    def serve(self, ready: Callable[[], None] = lambda: None) -> int:
        """Make the engine, say `ready`, serve sessions until a client asks for the end or memory is over its bound. Returns the status."""
        threading.Thread(target=self._watch, daemon=True).start()
        if self._while_open is not None:
            threading.Thread(target=_end_with, args=(self._while_open,), daemon=True).start()
        self._within("start", self._engine_now)
        threading.Thread(target=self._listen, daemon=True).start()
        ready()
        try:
            while True:
                with self._callers.get() as link:
                    status = self._session(link)
                self._free.release()
                if status is not None:
                    return status
        finally:
            self._socket.close()
            if self._engine is not None:
                self._within("close", self._engine.close)

    def _engine_now(self) -> Engine:
        if self._engine is None:
            self._engine = self._make()
        return self._engine

    def _listen(self) -> None:
        while True:
            try:
                link, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._answer, args=(link,), daemon=True).start()

    def _answer(self, link: socket.socket) -> None:
        """Let a caller in, or say why not. Strangers never wait for each other, nor does the session for them."""
        try:
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reason = self._stranger(link)
            if reason is None and not self._free.acquire(timeout=BUSY_S):
                reason = "another session is running on this server"
            if reason is not None:
                refuse(link, reason)
                return
            self._admit(link)
        except (Lost, Overdue, InfrastructureError, OSError):
            link.close()

    def _admit(self, link: socket.socket) -> None:
        """Greet whoever now has the session and hand the link to the main thread; a caller that has hung up meanwhile gives it back."""
        handed = False
        try:
            send(link, Message({"welcome": True, "pid": os.getpid()}))
            self._callers.put(link)
            handed = True
        finally:
            if not handed:
                self._free.release()

    def _stranger(self, link: socket.socket) -> str | None:
        """Why whoever called is not let in, or None."""
        challenge = secrets.token_hex(16)
        send(link, Message({"assistworld": PROTOCOL, "challenge": challenge}))
        hello = receive(link, HANDSHAKE_S).header
        if hello.get("assistworld") != PROTOCOL:
            return f"this server speaks protocol {PROTOCOL}, the client {hello.get('assistworld')!r}"
        if not proved(self._token, challenge, hello.get("proof")):
            return "the token is missing or wrong; use the one that the server printed where to find"
        if hello.get("contract") != contract():
            return f"this server is of version {contract()}, the client of {hello.get('contract')}; install the same on both sides"
        return None

    def _session(self, link: socket.socket) -> int | None:
        """One client's calls. The exit status where the process is to end after it."""
        while True:
            try:
                asked = receive(link)
            except (Lost, InfrastructureError):
                return None
            call = str(asked.header.get("call"))
            if call == "end":
                return 0
            if call == "reset" and (size := resident_mb()) > self._memory_mb:
                note = f"{size:.0f} MB resident, the bound is {self._memory_mb:.0f} MB"
                print(f"assistworld server: replaced before a reset: {note}", file=sys.stderr, flush=True)
                _told(link, Message({"again": note}))
                return MEMORY_EXIT
            if not _told(link, self._answered(call, asked)):
                return None

    def _answered(self, call: str, asked: Message) -> Message:
        """Make a call. What it raises is part of the answer."""
        blobs: list[bytes] = []
        try:
            value = self._within(call, lambda: self._call(call, asked))
            answer: dict[str, Any] = {"value": encode(value, blobs)}
        except Exception as error:
            blobs.clear()
            answer = {"error": encode_error(error)}
        answer["idle"] = self._idle()
        if call == "reset":
            answer["resident_mb"] = resident_mb()
        return Message(answer, blobs)

    def _call(self, call: str, asked: Message) -> Any:
        engine = self._engine_now()
        if call == "engine":
            version = engine.version if isinstance(engine, Described) else "0"
            return {
                "name": engine.name,
                "version": version,
                "vocabulary": engine.vocabulary,
                "abilities": engine.abilities,
                "tick_seconds": engine.tick_seconds,
            }
        if call not in CALLS:
            raise InfrastructureError("wire", f"no call {call!r}; there are {', '.join(CALLS)}")
        if call == "summary" and not isinstance(engine, Described):
            return {}
        return getattr(engine, call)(*decode(asked.header.get("args", []), asked.blobs))

    def _idle(self) -> bool:
        try:
            return self._engine is None or self._engine.idle()
        except Exception:  # an engine that was never reset may not know
            return True

    def _within(self, call: str, work: Callable[[], Any]) -> Any:
        self._now = (call, time.monotonic())
        try:
            return work()
        finally:
            self._now = None

    def _watch(self) -> None:
        """End the process when a call takes too long; what it was, and where it stood, goes to the log."""
        while True:
            time.sleep(min(1.0, 0.1 * self._limit_s))
            now = self._now
            if now is not None and time.monotonic() - now[1] > self._limit_s:
                print(f"assistworld server: stalled in {now[0]} ({self._limit_s:.1f} s)", file=sys.stderr, flush=True)
                faulthandler.dump_traceback(all_threads=True)
                os._exit(STALLED_EXIT)


def _end_with(pipe: int) -> None:
    """End the process when whoever has the other end of the pipe is gone."""
    while os.read(pipe, 1):
        pass
    os._exit(0)


def refuse(link: socket.socket, reason: str) -> None:
    """Say why, and hang up."""
    with link:
        _told(link, Message({"refused": reason}))


def _told(link: socket.socket, message: Message) -> bool:
    try:
        send(link, message)
    except Lost:
        return False
    return True

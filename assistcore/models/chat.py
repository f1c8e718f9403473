"""Models behind the chat completions interface that most providers and local servers speak (`POST .../chat/completions`)."""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistcore.models.model import Completion, Listener, Message, Usage
from assistcore.world.errors import InfrastructureError

RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that may pass: too many requests, and faults of the server."""
QUOTE_CHARS = 300


@dataclass
class ChatModel:
    """A model by the address of its server (`https://host/v1`) and its name there.

    key: sent as a bearer token where given, and shown nowhere. limit_s: longest time of one try. tries: how often a passing fault is
    tried, with a pause that doubles from `pause_s`. options: further fields of the request (`temperature`, `max_tokens` ...).
    """

    url: str
    name: str
    key: str = ""
    limit_s: float = 120.0
    tries: int = 4
    pause_s: float = 1.0
    options: Mapping[str, Any] | None = None
    listener: Listener | None = None
    clock: Callable[[], float] = time.perf_counter
    sleep: Callable[[float], None] = time.sleep

    def __repr__(self) -> str:
        return f"ChatModel({self.url!r}, {self.name!r})"

    def complete(self, messages: Sequence[Message]) -> Completion:
        """See `Model`. A fault that may pass is tried again; another, or one that stays, raises InfrastructureError with what was said."""
        body = {"model": self.name, "messages": [_wire(message) for message in messages], **(self.options or {})}
        data = json.dumps(body).encode("utf-8")
        fault = ""
        for number in range(self.tries):
            if number:
                self.sleep(self.pause_s * 2 ** (number - 1))
            began = self.clock()
            try:
                raw = self._post(data)
            except urllib.error.HTTPError as error:
                fault = f"HTTP {error.code}: {error.read().decode('utf-8', 'replace')[:QUOTE_CHARS]}"
                if error.code not in RETRIED:
                    break
                continue
            except (OSError, http.client.HTTPException) as error:  # no connection, a hang-up, a time-out
                fault = f"{type(error).__name__}: {error}"
                continue
            completion = self._read(raw, self.clock() - began)
            if self.listener is not None:
                self.listener(messages, completion)
            return completion
        raise InfrastructureError(f"model {self.name}", f"no answer from {self.url} in {number + 1} tries; the last: {fault}")

    def _post(self, data: bytes) -> str:
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {self.key}"} if self.key else {})}
        request = urllib.request.Request(f"{self.url.rstrip('/')}/chat/completions", data, headers)
        with urllib.request.urlopen(request, timeout=self.limit_s) as response:
            content: bytes = response.read()
        return content.decode("utf-8", "replace")

    def _read(self, raw: str, latency_s: float) -> Completion:
        try:
            told = json.loads(raw)
            content = told["choices"][0]["message"]["content"]
            usage = told.get("usage") or {}
            counts = Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            said = f"{type(error).__name__}: {error} in {raw[:QUOTE_CHARS]!r}"
            raise InfrastructureError(f"model {self.name}", f"the answer of {self.url} is no chat completion: {said}") from error
        return Completion(content if isinstance(content, str) else "", counts, latency_s, str(told.get("model", self.name)), raw)


def _wire(message: Message) -> dict[str, Any]:
    """A message as the interface has it: plain text where there is no picture."""
    if not message.images:
        return {"role": message.role, "content": message.text}
    parts = [
        {"type": "text", "text": p} if isinstance(p, str) else {"type": "image_url", "image_url": {"url": p.address()}}
        for p in message.parts
    ]
    return {"role": message.role, "content": parts}

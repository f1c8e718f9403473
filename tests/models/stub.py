"""A local server that speaks chat completions: it keeps what it was asked and answers from a list or a function."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = str | tuple[int, str]
"""A text, or an HTTP status with a body."""


@dataclass
class Stub:
    """What was asked (the request bodies, in order) and with which `Authorization`; where the server is."""

    url: str = ""
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def texts(self, number: int) -> str:
        """All that request `number` says in words."""
        return "\n".join(text for message in self.asked[number]["messages"] for text in texts_of(message))

    def images(self, number: int) -> list[str]:
        """The data addresses in request `number`."""
        return [address for message in self.asked[number]["messages"] for address in images_of(message)]


def texts_of(message: dict[str, Any]) -> list[str]:
    content = message["content"]
    return [content] if isinstance(content, str) else [part["text"] for part in content if part["type"] == "text"]


def images_of(message: dict[str, Any]) -> list[str]:
    content = message["content"]
    return [] if isinstance(content, str) else [part["image_url"]["url"] for part in content if part["type"] == "image_url"]


@contextmanager
def chat_server(answers: Sequence[Answer] | Callable[[dict[str, Any]], Answer]) -> Iterator[Stub]:
    """Serve on a free local port. A list is answered in order, its last item again and again."""
    stub = Stub()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stub.asked.append({"path": self.path, **body})
            stub.keys.append(self.headers.get("Authorization"))
            answer = answers(body) if callable(answers) else answers[min(len(stub.asked), len(answers)) - 1]
            status, text = answer if isinstance(answer, tuple) else (200, _completion(answer))
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stub.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _completion(text: str) -> str:
    message = {"role": "assistant", "content": text}
    return json.dumps({"model": "stub-1", "choices": [{"message": message}], "usage": {"prompt_tokens": 7, "completion_tokens": 3}})

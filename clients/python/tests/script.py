"""A server that answers each request with the next of its replies, and keeps what came."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable, Mapping, NamedTuple, Optional


class Received(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Reply(NamedTuple):
    """A response. A status of 0 drops the connection, which also ends before bytes that are missing."""

    status: int
    body: Any = None
    headers: Mapping[str, str] = {}
    content_type: Optional[str] = None
    missing: int = 0


DROP = Reply(0)


class QuietServer(ThreadingHTTPServer):
    """Prints nothing about clients that leave before their response."""

    def handle_error(self, *_: Any) -> None:
        """The client notices."""


class Script:
    """The server; close it at the end of a test. It calls `before` with the most seconds to wait, for each request."""

    def __init__(self, *replies: Reply, before: Callable[[float], object] = lambda _: None) -> None:
        self.replies = list(replies)
        self.received: list[Received] = []
        self.connections: set[Any] = set()
        script = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                before(30)
                body = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): value for name, value in self.headers.items()}
                script.received.append(Received(self.command, self.path, headers, body))
                script.connections.add(self.client_address)
                reply = script.replies.pop(0)
                if reply.status == 0:
                    self.close_connection = True
                    return
                problem = "application/problem+json" if reply.status >= 400 else "application/json"
                text = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
                self.send_response(reply.status)
                self.send_header("content-type", reply.content_type or problem)
                self.send_header("content-length", str(len(text) + reply.missing))
                self.close_connection = reply.missing > 0
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                """Prints nothing."""

        self._server = QuietServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        # The second argument is how long close() may wait for it to notice, in seconds.
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Stops the server."""
        self._server.shutdown()
        self._server.server_close()

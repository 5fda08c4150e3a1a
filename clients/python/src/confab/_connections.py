"""Connections to one server, which are kept between requests."""

from __future__ import annotations

import http.client
import selectors
import ssl
import threading
from typing import Union
from urllib.parse import urlsplit

Connection = Union[http.client.HTTPConnection, http.client.HTTPSConnection]


class Connections:
    """The idle connections of a client, for any number of threads: each request has one of its own."""

    def __init__(self, url: str, context: ssl.SSLContext | None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("the address of the server begins with http:// or https://")
        self.path = parts.path.rstrip("/")
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._context = context or (ssl.create_default_context() if self._is_secure else None)
        self._idle: list[Connection] = []
        self._lock = threading.Lock()

    def take(self, timeout: float) -> Connection:
        """A connection that the server has not closed, or a new one, which connects at its first request."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._create(timeout)
            if _is_quiet(connection):
                connection.timeout = timeout
                connection.sock.settimeout(timeout)
                return connection
            connection.close()

    def give_back(self, connection: Connection) -> None:
        """Keeps a connection whose response has been read to its end."""
        with self._lock:
            self._idle.append(connection)

    def close(self) -> None:
        """Closes the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _create(self, timeout: float) -> Connection:
        if self._is_secure:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=timeout, context=self._context
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)


def _is_quiet(connection: Connection) -> bool:
    """Whether an idle connection is still open: one that can be read has been closed by the server."""
    if connection.sock is None:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(connection.sock, selectors.EVENT_READ)
        return not selector.select(0)

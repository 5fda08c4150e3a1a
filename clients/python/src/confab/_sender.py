"""Sends requests, again where that is safe, and reads their responses."""

from __future__ import annotations

import http.client
import json
import random
import ssl
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Callable, Iterator, Mapping, Union
from urllib.parse import quote

from ._connections import Connection, Connections
from ._credential import Credential
from ._errors import ConnectionFailed, ProblemError
from ._multipart import Multipart
from ._options import CallOptions, Ref, query_text
from ._pages import Pages, Query

# Statuses after which the same request can succeed.
_PASSING = frozenset([408, 425, 429, 502, 503, 504])
# The first wait before another attempt, which doubles each time, and the longest, in seconds.
_WAIT_FIRST = 0.2
_WAIT_MAX = 10.0
_CHUNK_BYTES = 65_536

Key = Union[str, Callable[[bool], str], None]


class Answer(dict[str, Any]):
    """An object that the server returned, with its entity tag for `if_match`."""

    etag: str | None = None


class Download:
    """A file as it arrives: read it, or iterate over its parts, and close it."""

    def __init__(self, connection: Connection, response: http.client.HTTPResponse) -> None:
        self._connection = connection
        self._response = response

    def read(self, size: int = -1) -> bytes:
        """The next bytes, at most `size`, or all of them; empty at the end."""
        try:
            part = self._response.read() if size < 0 else self._response.read(size)
            if part == b"" and size != 0:
                _assert_complete(self._response)
            return part
        except (OSError, http.client.HTTPException) as error:
            raise ConnectionFailed("the file ended before it was complete") from error

    def close(self) -> None:
        """Closes the connection, whether or not the file has been read."""
        self._connection.close()

    def __iter__(self) -> Iterator[bytes]:
        while part := self.read(_CHUNK_BYTES):
            yield part

    def __enter__(self) -> Download:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Request:
    """One request, as all its attempts send it."""

    method: str
    path: str
    query: Query = field(default_factory=dict)
    body: Any = None
    file: Multipart | None = None
    takes_key: bool = False
    is_download: bool = False


@dataclass(frozen=True)
class Response:
    """A success."""

    headers: Mapping[str, str]
    body: Any


class Sender:
    """Sends requests to one server. The methods of operations call it."""

    def __init__(
        self,
        url: str,
        key: Key = None,
        *,
        on_behalf_of: Ref | None = None,
        attempts: int = 5,
        timeout: float = 30.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        """
        url: The address of the server, such as `https://comments.example.com`.
        key: An API key or an access token, or a function that returns one. The function is called
            again, with True, when the server refuses what it returned.
        on_behalf_of: The user on whose behalf an API key acts, by id or uid.
        attempts: Attempts of a request that fails in passing, the first one included.
        timeout: How long an attempt may take, in seconds.
        context: How TLS is verified; as Python does by default when absent.
        """
        self._connections = Connections(url, context)
        self._credential = Credential(key)
        self._on_behalf_of = on_behalf_of
        self._attempts = attempts
        self._timeout = timeout

    def close(self) -> None:
        """Closes the connections that are kept. The client can be used again."""
        self._connections.close()

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        options: CallOptions | None = None,
    ) -> Any:
        """Sends a request that has no method here, and returns its body."""
        return self._run(Request(method, path, query or {}, body), options).body

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Query | None = None,
        body: Any = None,
        takes_key: bool = False,
        options: CallOptions | None,
    ) -> Any:
        request = Request(method, path, query or {}, body, takes_key=takes_key)
        return self._run(request, options).body

    def _pages(self, path: str, *, query: Query, options: CallOptions | None) -> Pages[Any]:
        def read(page: Query) -> tuple[Any, str | None]:
            response = self._run(Request("GET", path, page), options)
            return response.body, response.headers.get("link")

        return Pages(read, query)

    def _upload(
        self, path: str, file: bytes | BinaryIO, name: str, *, options: CallOptions | None
    ) -> Any:
        return self._run(Request("POST", path, file=Multipart(file, name)), options).body

    def _download(self, path: str, *, options: CallOptions | None) -> Download:
        download: Download = self._run(Request("GET", path, is_download=True), options).body
        return download

    def _run(self, request: Request, options: CallOptions | None) -> Response:
        given = options or {}
        key = given.get("idempotency_key") or (str(uuid.uuid4()) if request.takes_key else None)
        # PUT and DELETE can be repeated as they are (RFC 9110), POST and PATCH with a key.
        is_repeatable = request.method not in ("POST", "PATCH") or key is not None
        credential = self._credential.get()
        is_renewed = False
        attempt = 1
        while True:
            try:
                return self._attempt(request, self._headers(request, given, key, credential), given)
            except ProblemError as error:
                if error.status == 401 and self._credential.can_renew and not is_renewed:
                    is_renewed = True
                    credential = self._credential.get(refused=credential)
                    continue
                if attempt >= self._attempts or not _can_pass(error, is_repeatable):
                    raise
                wait = error.retry_after
            except ConnectionFailed:
                if attempt >= self._attempts or not is_repeatable:
                    raise
                wait = None
            time.sleep(_back_off(attempt) if wait is None else wait)
            attempt += 1

    def _headers(
        self, request: Request, given: CallOptions, key: str | None, credential: str | None
    ) -> dict[str, str]:
        headers = {"Accept": "*/*", **given.get("headers", {})}
        if "if_match" in given:
            headers["If-Match"] = _tag_of(given["if_match"])
        if "if_none_match" in given:
            headers["If-None-Match"] = given["if_none_match"]
        if credential is not None:
            headers["Authorization"] = f"Bearer {credential}"
        user = given.get("on_behalf_of", self._on_behalf_of)
        if user is not None:
            headers["X-Confab-User"] = quote(str(user), safe="")
        if key is not None:
            headers["Idempotency-Key"] = f'"{key}"'
        if request.body is not None:
            headers["Content-Type"] = "application/json"
        if request.file is not None:
            headers["Content-Type"] = request.file.content_type
            headers["Content-Length"] = str(request.file.length)
        return headers

    def _attempt(
        self, request: Request, headers: Mapping[str, str], given: CallOptions
    ) -> Response:
        timeout = given.get("timeout", self._timeout)
        until = time.monotonic() + timeout
        connection = self._connections.take(timeout)
        is_kept = False
        try:
            response = self._exchange(connection, request, headers)
            if request.is_download and response.status < 300:
                is_kept = True
                return Response(_lower(response), Download(connection, response))
            # Only the wait for a file to leave is unbounded: it takes as long as it needs.
            body = _read(connection, response, until if request.file is None else None)
            if not response.will_close:
                is_kept = True
                self._connections.give_back(connection)
            return _received(response, body)
        except (OSError, http.client.HTTPException, UnicodeError, json.JSONDecodeError) as error:
            is_late = time.monotonic() >= until
            what = f"took longer than {timeout} s" if is_late else "got no complete response"
            raise ConnectionFailed(f"{request.method} {request.path} {what}") from error
        finally:
            if not is_kept:
                connection.close()

    def _exchange(
        self, connection: Connection, request: Request, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        path = f"{self._connections.path}{request.path}{query_text(request.query)}"
        body: Any = None if request.body is None else json.dumps(request.body).encode()
        if request.file is not None:
            body = request.file.parts()
        try:
            connection.request(request.method, path, body, dict(headers))
        except (BrokenPipeError, ConnectionResetError):
            # A server that refuses a file answers before it has arrived.
            if request.file is None or connection.sock is None:
                raise
        return connection.getresponse()


def _can_pass(error: ProblemError, is_repeatable: bool) -> bool:
    """Whether another attempt can succeed and does not repeat a change."""
    # A request that was refused for its rate was not carried out.
    if error.status == 429:
        return error.retry_after is not None
    return is_repeatable and (error.status in _PASSING or error.code == "idempotency_key_in_use")


def _back_off(attempt: int) -> float:
    """A random time of at most the back-off, so that clients that failed together do not return together."""
    return random.random() * min(_WAIT_FIRST * 2.0 ** (attempt - 1), _WAIT_MAX)


def _tag_of(matched: Mapping[str, Any] | str) -> str:
    tag = matched if isinstance(matched, str) else getattr(matched, "etag", None)
    if tag is None:
        raise TypeError("if_match is neither a response of this client that has a tag nor a tag")
    return tag


def _lower(response: http.client.HTTPResponse) -> dict[str, str]:
    return {name.lower(): value for name, value in response.getheaders()}


def _read(
    connection: Connection, response: http.client.HTTPResponse, until: float | None
) -> bytes:
    """Reads a body to its end; each part has what is left of the time."""
    parts: list[bytes] = []
    while True:
        if until is not None and connection.sock is not None:
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.sock.settimeout(left)
        part = response.read1(_CHUNK_BYTES)
        if part == b"":
            _assert_complete(response)
            # Not every version closes it by itself, and the connection waits for that.
            response.close()
            return b"".join(parts)
        parts.append(part)


def _assert_complete(response: http.client.HTTPResponse) -> None:
    """Raises an IncompleteRead where a body is shorter than its length, which reading in parts does not."""
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)


def _received(response: http.client.HTTPResponse, body: bytes) -> Response:
    headers = _lower(response)
    if response.status >= 300:
        is_problem = headers.get("content-type", "").startswith("application/problem+json")
        problem = json.loads(body) if is_problem else {}
        raise ProblemError(response.status, problem if isinstance(problem, dict) else {}, headers)
    parsed = json.loads(body) if body else None
    if isinstance(parsed, dict):
        parsed = Answer(parsed)
        parsed.etag = headers.get("etag")
    return Response(headers, parsed)

"""The errors of the client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class FieldError(TypedDict):
    """A field at fault: in the body by its JSON pointer, or in the query by its name."""

    pointer: NotRequired[str]
    parameter: NotRequired[str]
    code: str
    message: str


class ConfabError(Exception):
    """What the methods of a client raise."""


class ProblemError(ConfabError):
    """The server refused a request, or failed at it. `problem` is the whole body (RFC 9457)."""

    def __init__(self, status: int, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.problem = problem
        self.message: str = problem.get("detail") or problem.get("title") or f"the server returned {status}"
        # Why, as one word; `unknown` where something between client and server wrote the response.
        self.code: str = problem.get("code", "unknown")
        self.fields: list[FieldError] = problem.get("errors", [])
        # The id of the request in the log of the server.
        self.request_id: str | None = problem.get("request_id") or headers.get("x-request-id")
        # How long to wait before another attempt, in seconds, where the server says so.
        self.retry_after = _seconds(headers.get("retry-after"))
        super().__init__(self.message)


class ConnectionFailed(ConfabError):
    """There was no complete response: the connection failed or took too long. Whether the server acted is unknown."""


def _seconds(text: str | None) -> float | None:
    return float(text) if text is not None and text.isdecimal() else None

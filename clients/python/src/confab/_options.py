"""What every call can be given, and how parameters are written into an address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, TypedDict, Union
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Ref = Union[int, str]
"""The id or the uid of an app, a user or a directory."""

Filter = Union[bool, Literal["null"]]
"""True for the items that have a property, False for the others, `"null"` for both."""


class CallOptions(TypedDict):
    """Options of one call, each instead of what the client has."""

    # The user on whose behalf an API key acts, by id or uid.
    on_behalf_of: NotRequired[Ref]
    # How long an attempt may take, in seconds.
    timeout: NotRequired[float]
    # What this client returned before, or an entity tag, or `*`: the change is made only if nobody
    # else has edited it since, and otherwise refused with `precondition_failed`.
    if_match: NotRequired[Mapping[str, Any] | str]
    # `*` makes a PUT create and never change.
    if_none_match: NotRequired[str]
    # 1 to 255 visible ASCII characters; made for each call when absent. A key that you store
    # survives your process.
    idempotency_key: NotRequired[str]
    # Headers besides those of the client.
    headers: NotRequired[Mapping[str, str]]


def segment(value: Ref) -> str:
    """A parameter as a segment of a path. Raises a ValueError for an empty one."""
    text = str(value)
    if text == "":
        raise ValueError("a parameter of the path is empty")
    return quote(text, safe="")


def joined(values: Sequence[str] | None) -> str | None:
    """Several values of one parameter, with commas."""
    return None if values is None else ",".join(values)


def query_text(query: Mapping[str, Any]) -> str:
    """A query with its question mark; empty for an empty query. A list is a parameter for each value."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return f"?{urlencode(pairs)}" if pairs else ""

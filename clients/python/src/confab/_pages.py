"""Lists, page by page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Callable, Generic, Iterator, Mapping, TypeVar
from urllib.parse import parse_qsl

Item = TypeVar("Item")
Query = Mapping[str, Any]


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list."""

    data: list[Item]
    start: int
    """The 1-based position of the first item; 0 on an empty page."""
    end: int
    """The 1-based position of the last item; 0 on an empty page."""
    count: int | None
    """How many items match, on this page or not; None where it was not counted."""


class Pages(Generic[Item]):
    """A list: iterate over it for the items of all pages, or take its first page."""

    def __init__(self, read: Callable[[Query], tuple[Any, str | None]], query: Query) -> None:
        self._read = read
        self._query = query

    def first(self) -> Page[Item]:
        """Requests the first page."""
        return next(self.pages())

    def pages(self) -> PageIterator[Item]:
        """Iterates over the pages, of which the first alone has a count."""
        return PageIterator(self._read, self._query)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


class PageIterator(Generic[Item]):
    """The pages of a list. A page that failed is requested again by the next step."""

    # No generator, which a failure would end.
    def __init__(self, read: Callable[[Query], tuple[Any, str | None]], query: Query) -> None:
        self._read = read
        self._query: Query | None = query

    def __iter__(self) -> PageIterator[Item]:
        return self

    def __next__(self) -> Page[Item]:
        if self._query is None:
            raise StopIteration
        body, link = self._read(self._query)
        self._query = next_query(link)
        return Page(body.get("data", []), body.get("start", 0), body.get("end", 0), body.get("count"))


def next_query(link: str | None) -> Query | None:
    """The query of the next page in a `Link` header; None on the last page."""
    found = re.search(r'<([^>]*)>;\s*rel="?next"?', link or "")
    if found is None:
        return None
    query: dict[str, list[str]] = {}
    for name, value in parse_qsl(found[1].partition("?")[2], keep_blank_values=True):
        query.setdefault(name, []).append(value)
    # The first page said it, and to count can take longer than to read a page.
    return {**query, "count": False}

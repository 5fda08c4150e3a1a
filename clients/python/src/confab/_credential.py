"""The credential of requests."""

from __future__ import annotations

import threading
from typing import Callable


class Credential:
    """A text, or what a function returns. All threads share one result of the function, until a request with it is refused."""

    def __init__(self, key: str | Callable[[bool], str] | None) -> None:
        self._key = key
        self._current: str | None = None
        self._lock = threading.Lock()
        self.can_renew = callable(key)

    def get(self, refused: str | None = None) -> str | None:
        """Returns a credential other than `refused`. A failure of the function is raised, and not kept."""
        if not callable(self._key):
            return self._key
        with self._lock:
            if self._current is None or self._current == refused:
                self._current = self._key(refused is not None)
            return self._current

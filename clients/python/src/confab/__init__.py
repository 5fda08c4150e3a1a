"""A client of a Confab server, without dependencies."""

from __future__ import annotations

from . import types
from ._errors import ConfabError, ConnectionFailed, FieldError, ProblemError
from ._options import CallOptions, Filter, Ref
from ._pages import Page, Pages
from ._sender import Download
from ._webhooks import WebhookVerificationError, verify_webhook
from .operations import Operations


class Confab(Operations):
    """A client of one server with one credential, for any number of threads."""

    def __enter__(self) -> Confab:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


__all__ = [
    "CallOptions",
    "Confab",
    "ConfabError",
    "ConnectionFailed",
    "Download",
    "FieldError",
    "Filter",
    "Page",
    "Pages",
    "ProblemError",
    "Ref",
    "WebhookVerificationError",
    "types",
    "verify_webhook",
]

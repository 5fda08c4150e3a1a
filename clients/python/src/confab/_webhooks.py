"""Verifies the requests that the server sends to webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import math
import re
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Mapping, Protocol, Sequence, Union

if TYPE_CHECKING:
    from .types import DeliveryPayload

_PREFIX = "whsec_"
_VERSION = "v1,"


class MessageHeaders(Protocol):
    """Headers as `http.server` and most frameworks have them."""

    def items(self) -> Iterable[tuple[str, str]]: ...


Headers = Union[Mapping[str, str], Mapping[str, Sequence[str]], MessageHeaders]


class WebhookVerificationError(Exception):
    """Why a request is refused; `code` is for programs and the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify_webhook(
    secret: str | Sequence[str],
    headers: Headers,
    body: bytes | str,
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> DeliveryPayload:
    """Verifies a request and returns its event. Raises a WebhookVerificationError when it is not to be trusted.

    secret: The secret of the webhook, or several that are accepted while one replaces the other.
    body: The bytes as they arrived, before any JSON parser.
    tolerance: How far the time of the request may be from that of this machine, in seconds;
        `math.inf` looks at no time.
    now: The time to compare with, in seconds since 1970; the clock of this machine when absent.
    """
    content = _bytes_of(body)
    keys = _keys_of(secret)
    guid = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _signatures_of(_header(headers, "webhook-signature"))
    if re.fullmatch("[0-9]{1,12}", timestamp) is None:
        raise WebhookVerificationError(
            "timestamp_invalid",
            f"the header webhook-timestamp is no number of seconds: {timestamp[:40]}",
        )
    if not signatures:
        raise WebhookVerificationError(
            "signature_unknown", "the header webhook-signature holds no signature of version v1"
        )
    # A character that is none has bytes that the server never signs.
    signed = f"{guid}.{timestamp}.".encode("utf-8", "surrogatepass") + content
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys]
    if not any(hmac.compare_digest(one, other) for one in expected for other in signatures):
        raise WebhookVerificationError(
            "signature_mismatch",
            "the signature does not fit: the secret is another one, "
            "or the body is not byte for byte what was sent",
        )
    _assert_recent(int(timestamp), time.time() if now is None else now, tolerance)
    try:
        payload: DeliveryPayload = json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise WebhookVerificationError("body_not_json", "the body is signed and no JSON") from error
    return payload


def _bytes_of(body: bytes | str) -> bytes:
    if isinstance(body, str):
        return body.encode("utf-8", "surrogatepass")
    if isinstance(body, (bytes, bytearray, memoryview)):
        return bytes(body)
    raise WebhookVerificationError(
        "body_not_raw",
        "the body must be the text or the bytes as they arrived: "
        "what a JSON parser made of them cannot be verified",
    )


def _keys_of(secret: object) -> list[bytes]:
    several = [secret] if isinstance(secret, (str, bytes)) else secret
    keys = [_key_of(one) for one in several] if isinstance(several, Iterable) else []
    if not keys:
        raise WebhookVerificationError("secret_missing", "there is no secret to verify with")
    return keys


def _key_of(secret: object) -> bytes:
    """The key of a secret: what follows `whsec_` is base64, any other secret is its own UTF-8."""
    if secret is None or secret == "":
        raise WebhookVerificationError("secret_missing", "there is no secret to verify with")
    if not isinstance(secret, str):
        raise WebhookVerificationError("secret_invalid", "the secret is no text")
    if not secret.startswith(_PREFIX):
        try:
            return secret.encode()
        except UnicodeEncodeError as error:
            raise WebhookVerificationError("secret_invalid", "the secret is no text") from error
    text = secret[len(_PREFIX) :]
    key = _decoded(text)
    if key == b"" or base64.b64encode(key).decode() != text:
        raise WebhookVerificationError(
            "secret_invalid", "what follows whsec_ in the secret is no base64"
        )
    return key


def _decoded(text: str) -> bytes:
    """The bytes of base64; none of a text that is no base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _signatures_of(text: str) -> list[bytes]:
    return [
        _decoded(part[len(_VERSION) :]) for part in text.split(" ") if part.startswith(_VERSION)
    ]


def _header(headers: Headers, name: str) -> str:
    """The one value of a header, however its name is written."""
    values: list[object] = []
    items = getattr(headers, "items", None)
    for key, value in items() if callable(items) else ():
        if isinstance(key, str) and key.lower() == name:
            values.extend(value if isinstance(value, (list, tuple)) else [value])
    if len(values) > 1:
        raise WebhookVerificationError(
            "header_repeated", f"the header {name} is there more than once"
        )
    found = values[0] if values else None
    if not isinstance(found, str) or found == "":
        raise WebhookVerificationError(
            "header_missing",
            f"the header {name} is missing: this is no request of Confab, the webhook has no "
            "secret, or something on the way took the header away",
        )
    return found


def _assert_recent(timestamp: int, now: float, tolerance: float) -> None:
    late = (round(now) if math.isfinite(now) else now) - timestamp
    if -late > tolerance:
        raise WebhookVerificationError(
            "timestamp_too_new",
            f"the request was signed {-late} seconds ahead of this clock, and {tolerance} are "
            "allowed: one of the clocks is wrong",
        )
    # With a number that is none, no comparison holds, and no time is accepted.
    if not late <= tolerance:
        raise WebhookVerificationError(
            "timestamp_too_old",
            f"the request was signed {late} seconds ago, and {tolerance} are allowed: it was held "
            "up or sent again by somebody, or this clock is fast",
        )

"""Requests of webhooks, with the vectors of the server in docs/webhook-vectors.json."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import pathlib
import unittest
from email.message import Message
from typing import Any

from confab import WebhookVerificationError, verify_webhook

VECTORS: dict[str, Any] = json.loads(
    pathlib.Path(__file__).parents[3].joinpath("docs/webhook-vectors.json").read_text("utf-8")
)
NOW: int = VECTORS["now"]
FIRST: dict[str, Any] = VECTORS["vectors"][0]
SECRET: str = FIRST["secret"]
BODY: str = FIRST["body"]
HEADERS: dict[str, str] = FIRST["headers"]


class WebhooksTest(unittest.TestCase):
    def refusal(self, *, headers: Any = HEADERS, secret: Any = SECRET, body: Any = BODY, **options: Any) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            verify_webhook(secret, headers, body, **{"now": NOW, **options})
        return caught.exception.code

    def test_the_vectors_of_the_server(self) -> None:
        self.assertGreater(len(VECTORS["vectors"]), 5)
        for vector in VECTORS["vectors"]:
            with self.subTest(vector["name"]):
                given = (vector["secret"], vector["headers"], vector["body"])
                if vector["is_valid"]:
                    event = verify_webhook(*given, now=NOW)
                    self.assertEqual(event, json.loads(vector["body"]))
                else:
                    with self.assertRaises(WebhookVerificationError) as caught:
                        verify_webhook(*given, now=NOW)
                    self.assertEqual(caught.exception.code, "signature_mismatch")

    def test_accepts_bytes_and_headers_of_any_spelling(self) -> None:
        message = Message()
        for name, value in HEADERS.items():
            message[name.upper()] = value
        lists = {name: [value] for name, value in HEADERS.items()}
        every: list[Any] = [message, lists]
        for headers in every:
            event = verify_webhook(SECRET, headers, BODY.encode(), now=NOW)
            self.assertEqual(event["action"], "comment_created")

    def test_accepts_either_secret_during_a_rotation(self) -> None:
        verify_webhook(["another", SECRET], HEADERS, BODY, now=NOW)
        verify_webhook([SECRET, "another"], HEADERS, BODY, now=NOW)
        self.assertEqual(self.refusal(secret=["another", "a third"]), "signature_mismatch")

    def test_skips_signatures_of_other_versions(self) -> None:
        signature = f"v1a,abc v2,def v1,short {HEADERS['webhook-signature']}"
        verify_webhook(SECRET, {**HEADERS, "webhook-signature": signature}, BODY, now=NOW)

    def test_allows_five_minutes_or_the_given_tolerance(self) -> None:
        for seconds in (-300, 0, 300):
            verify_webhook(SECRET, HEADERS, BODY, now=NOW + seconds)
        self.assertEqual(self.refusal(now=NOW + 301), "timestamp_too_old")
        self.assertEqual(self.refusal(now=NOW - 301), "timestamp_too_new")
        self.assertEqual(self.refusal(now=NOW + 11, tolerance=10), "timestamp_too_old")
        verify_webhook(SECRET, HEADERS, BODY, now=NOW + 86_400, tolerance=math.inf)
        # Without a time it compares with the clock of this machine.
        with self.assertRaisesRegex(WebhookVerificationError, "seconds"):
            verify_webhook(SECRET, HEADERS, BODY, tolerance=1)

    def test_names_what_is_wrong(self) -> None:
        signature = HEADERS["webhook-signature"]
        self.assertEqual(self.refusal(body=json.loads(BODY)), "body_not_raw")
        self.assertEqual(self.refusal(body=BODY + " "), "signature_mismatch")
        self.assertEqual(self.refusal(secret=""), "secret_missing")
        self.assertEqual(self.refusal(secret=[]), "secret_missing")
        self.assertEqual(self.refusal(secret="whsec_no base64!"), "secret_invalid")
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            without = {key: value for key, value in HEADERS.items() if key != name}
            self.assertEqual(self.refusal(headers=without), "header_missing")
            twice: dict[str, Any] = {**HEADERS, name: [HEADERS[name], HEADERS[name]]}
            self.assertEqual(self.refusal(headers=twice), "header_repeated")
        for timestamp in ("soon", "-1", "1e9", "١"):
            headers = {**HEADERS, "webhook-timestamp": timestamp}
            self.assertEqual(self.refusal(headers=headers), "timestamp_invalid")
        for none in (None, b"", 5, [None], ["another", 5]):
            self.assertIn(self.refusal(secret=none), ("secret_missing", "secret_invalid"))
        self.assertEqual(self.refusal(secret="\ud800"), "secret_invalid")
        unknown = {**HEADERS, "webhook-signature": signature.replace("v1,", "v2,")}
        self.assertEqual(self.refusal(headers=unknown), "signature_unknown")

    def test_refuses_what_no_request_has(self) -> None:
        self.assertEqual(self.refusal(body=BODY + "\ud800"), "signature_mismatch")
        absent: list[Any] = [None, [], [None], 5, b"bytes"]
        for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
            for value in absent:
                self.assertEqual(self.refusal(headers={**HEADERS, name: value}), "header_missing")
            for text in ("\ud800", "\udcff", "\0", "\u0661"):
                code = self.refusal(headers={**HEADERS, name: text})
                self.assertIn(code, ("signature_mismatch", "signature_unknown", "timestamp_invalid"))
        none: list[Any] = [None, [], "headers", {}, {5: "a", None: "b"}]
        for headers in none:
            self.assertEqual(self.refusal(headers=headers), "header_missing")

    def test_a_tolerance_that_is_no_number_accepts_no_time(self) -> None:
        self.assertEqual(self.refusal(tolerance=math.nan), "timestamp_too_old")
        for now in (math.nan, math.inf):
            self.assertEqual(self.refusal(now=now), "timestamp_too_old")
        self.assertEqual(self.refusal(now=-math.inf), "timestamp_too_new")

    def test_a_body_that_nests_too_deep_is_no_event(self) -> None:
        body = "[" * 200_000
        signed = f"{HEADERS['webhook-id']}.{HEADERS['webhook-timestamp']}.{body}".encode()
        code = hmac.new(b"plain", signed, hashlib.sha256).digest()
        headers = {**HEADERS, "webhook-signature": "v1," + base64.b64encode(code).decode()}
        self.assertEqual(self.refusal(secret="plain", headers=headers, body=body), "body_not_json")


if __name__ == "__main__":
    unittest.main()

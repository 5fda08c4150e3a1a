"""A request is repeated where that cannot change anything twice, and only then."""

from __future__ import annotations

import threading
import time
import unittest
from typing import Any, Callable

from confab import Confab, ConnectionFailed, Download, ProblemError

from .script import DROP, Reply, Script

SOON = {"retry-after": "0"}
UNAVAILABLE = Reply(503, {"code": "storage_unavailable"}, SOON)


class RetriesTest(unittest.TestCase):
    def script(self, *replies: Reply, **options: Any) -> Script:
        script = Script(*replies, **options)
        self.addCleanup(script.close)
        return script

    def client(self, script: Script, **options: Any) -> Confab:
        client = Confab(script.url, "wyu_x", attempts=3, **options)
        self.addCleanup(client.close)
        return client

    def test_repeats_a_create_request_with_the_same_key(self) -> None:
        script = self.script(DROP, UNAVAILABLE, Reply(201, {"id": 7}))
        self.assertEqual(self.client(script).create_app_comment("page", {"text": "x"})["id"], 7)
        keys = [request.headers["idempotency-key"] for request in script.received]
        self.assertEqual(len(keys), 3)
        self.assertEqual(len(set(keys)), 1)
        self.assertRegex(keys[0], '^"[0-9a-f-]{36}"$')

    def test_waits_as_long_as_the_server_says(self) -> None:
        script = self.script(Reply(503, {"code": "too_busy"}, {"retry-after": "1"}), Reply(200, {"id": 7}))
        began = time.monotonic()
        self.assertEqual(self.client(script).get_comment(7)["id"], 7)
        self.assertGreaterEqual(time.monotonic() - began, 1.0)
        self.assertEqual(len(script.received), 2)

    def test_takes_a_key_of_the_caller(self) -> None:
        script = self.script(Reply(201, {"id": 7}))
        self.client(script).create_app_comment("page", {}, options={"idempotency_key": "order-7"})
        self.assertEqual(script.received[0].headers["idempotency-key"], '"order-7"')

    def test_does_not_repeat_what_may_have_been_carried_out(self) -> None:
        for reply in (DROP, UNAVAILABLE):
            script = self.script(reply, Reply(200, {}))
            with self.assertRaises((ProblemError, ConnectionFailed)):
                self.client(script).issue_token("ada")
            self.assertEqual(len(script.received), 1)

    def test_repeats_what_was_refused_for_its_rate(self) -> None:
        script = self.script(Reply(429, {"code": "rate_limited"}, SOON), Reply(200, {"access_token": "y"}))
        self.assertEqual(self.client(script).issue_token("ada")["access_token"], "y")

    def test_waits_while_the_first_request_with_its_key_runs(self) -> None:
        script = self.script(Reply(409, {"code": "idempotency_key_in_use"}), Reply(201, {"id": 7}))
        self.assertEqual(self.client(script).create_app_comment("page", {})["id"], 7)

    def test_gives_up_after_its_attempts(self) -> None:
        busy = Reply(503, {"code": "too_busy", "detail": "Too busy."}, SOON)
        script = self.script(Reply(503), Reply(503), busy)
        with self.assertRaises(ProblemError) as caught:
            self.client(script).get_comment(1)
        error = caught.exception
        self.assertEqual((error.status, error.code, error.retry_after), (503, "too_busy", 0))
        self.assertEqual(str(error), "Too busy.")
        script.replies = [DROP, DROP, DROP]
        with self.assertRaises(ConnectionFailed):
            self.client(script).get_comment(1)
        self.assertEqual(len(script.received), 6)

    def test_does_not_repeat_a_refusal(self) -> None:
        field = {"pointer": "/text", "code": "too_long", "message": "m"}
        script = self.script(Reply(422, {"code": "validation_failed", "errors": [field]}))
        with self.assertRaises(ProblemError) as caught:
            self.client(script).create_app_comment("page", {})
        self.assertEqual(caught.exception.fields, [field])
        self.assertEqual(len(script.received), 1)

    def test_ends_an_attempt_after_its_time(self) -> None:
        release = threading.Event()
        self.addCleanup(release.set)
        replies = [Reply(200, {})] * 3
        script = self.script(*replies, before=release.wait)
        with self.assertRaisesRegex(ConnectionFailed, "took longer than 0.05 s"):
            self.client(script, timeout=0.05).get_comment(1)

    def test_says_what_a_proxy_has_written(self) -> None:
        script = self.script(Reply(404, b"<h1>no", content_type="text/html"))
        with self.assertRaises(ProblemError) as caught:
            self.client(script).get_comment(1)
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "unknown"))

    def test_does_not_take_a_part_for_the_whole(self) -> None:
        script = self.script(Reply(200, {"id": 1}, missing=9), Reply(200, {"id": 2}))
        self.assertEqual(self.client(script).get_comment(1)["id"], 2)
        script.replies = [Reply(200, b"half of", missing=9)] * 2
        reads: list[Callable[[Download], bytes]] = [Download.read, b"".join]
        for read in reads:
            with self.client(script).export_user("ada") as archive:
                with self.assertRaises(ConnectionFailed):
                    read(archive)

    def test_keeps_its_connection(self) -> None:
        script = self.script(*[Reply(200, {"id": 1})] * 5)
        client = self.client(script)
        for _ in range(5):
            client.get_comment(1)
        self.assertEqual(len(script.connections), 1)

    def test_gets_another_credential_when_one_has_expired(self) -> None:
        expired = Reply(401, {"code": "invalid_credential"})
        script = self.script(expired, Reply(200, {"id": 1}), Reply(200, {"id": 1}), expired, expired)
        asked: list[bool] = []

        def credential(refresh: bool) -> str:
            asked.append(refresh)
            return f"token-{len(asked)}"

        client = Confab(script.url, credential)
        self.addCleanup(client.close)
        client.get_comment(1)
        client.get_comment(1)
        self.assertEqual(asked, [False, True])
        sent = [request.headers["authorization"] for request in script.received]
        self.assertEqual(sent, ["Bearer token-1", "Bearer token-2", "Bearer token-2"])
        with self.assertRaises(ProblemError):
            client.get_comment(1)
        self.assertEqual(asked, [False, True, True])

    def test_sends_a_file_again_from_its_beginning(self) -> None:
        script = self.script(Reply(429, {"code": "rate_limited"}, SOON), Reply(201, {"id": 3}))
        self.client(script).create_blob(b"the plan", name="plan.txt")
        first, second = (request.body for request in script.received)
        self.assertIn(b'filename="plan.txt"\r\n', first)
        self.assertEqual(first.count(b"the plan"), 1)
        self.assertEqual(second.count(b"the plan"), 1)

    def test_writes_parameters_as_the_server_reads_them(self) -> None:
        page = {"data": [], "start": 0, "end": 0}
        script = self.script(Reply(200, page), Reply(200, {"counts": [1, 2]}), Reply(200, {"id": 1}))
        client = self.client(script)
        client.list_app_comments("a/b", trashed="null", count=False, expand=["parent", "embed"]).first()
        client.list_counts(uid=["a,b", "c"])
        client.get_app("ü", options={"on_behalf_of": "zoë"})
        paths = [request.path for request in script.received]
        self.assertEqual(
            paths,
            [
                "/api/apps/a%2Fb/comments?trashed=null&count=false&expand=parent%2Cembed",
                "/api/counts?uid=a%2Cb&uid=c",
                "/api/apps/%C3%BC",
            ],
        )
        self.assertEqual(script.received[2].headers["x-confab-user"], "zo%C3%AB")
        with self.assertRaises(ValueError):
            client.get_app("")

    def test_goes_on_with_the_page_that_failed(self) -> None:
        link = {"link": '</api/apps/x/comments?after=abc&top=1>; rel="next"'}
        first = Reply(200, {"data": [{"id": 1}], "start": 1, "end": 1, "count": 2}, link)
        refused = Reply(403, {"code": "forbidden"})
        script = self.script(first, refused, Reply(200, {"data": [{"id": 2}], "start": 2, "end": 2}))
        pages = self.client(script).list_app_comments("x", top=1).pages()
        self.assertEqual(next(pages).data[0]["id"], 1)
        with self.assertRaises(ProblemError):
            next(pages)
        self.assertEqual(next(pages).data[0]["id"], 2)
        self.assertEqual(list(pages), [])
        self.assertEqual(script.received[2].path, "/api/apps/x/comments?after=abc&top=1&count=false")


if __name__ == "__main__":
    unittest.main()

"""The operations of the specification, against the server at CONFAB_URL with the key CONFAB_KEY."""

from __future__ import annotations

import io
import os
import queue
import threading
import unittest
import uuid
from typing import BinaryIO

from confab import Confab, ProblemError, verify_webhook

from .script import Received, Reply, Script

URL = os.environ.get("CONFAB_URL", "")
KEY = os.environ.get("CONFAB_KEY", "")


def unique(name: str) -> str:
    return f"{name}-{uuid.uuid4().hex[:12]}"


@unittest.skipIf(URL == "", "CONFAB_URL names no server")
class OperationsTest(unittest.TestCase):
    """Each method sends what its operation takes, and the server carries it out."""

    def setUp(self) -> None:
        self.confab = Confab(URL, KEY)
        self.addCleanup(self.confab.close)
        self.user = unique("ada")
        self.confab.create_user({"uid": self.user, "name": "Ada Lovelace"})
        self.app = unique("page")
        self.confab.create_app({"uid": self.app, "type": "comments", "access": "write"})
        self.addCleanup(self.confab.delete_app, self.app)

    def test_apps(self) -> None:
        app = self.confab.get_app(self.app)
        self.assertEqual((app["uid"], app["access"]), (self.app, "write"))
        changed = self.confab.update_app(app["id"], {"name": "Launch", "tags": ["a"]})
        self.assertEqual(changed.get("name"), "Launch")
        cleared = self.confab.update_app(self.app, {"name": None})
        self.assertNotIn("name", cleared)
        other = unique("put")
        made = self.confab.upsert_app(other, {"type": "comments", "name": "Put"})
        self.assertEqual(self.confab.upsert_app(other, {"type": "comments"}, page=False)["id"], made["id"])
        found = {item["uid"] for item in self.confab.list_apps(tag="a", type=["comments"], contextual=True)}
        self.assertIn(self.app, found)
        self.assertTrue(self.confab.trash_app(other)["is_trashed"])
        trashed = [item["uid"] for item in self.confab.list_apps(trashed=True)]
        self.assertIn(other, trashed)
        self.assertFalse(self.confab.restore_app(other)["is_trashed"])
        self.confab.delete_app(other)
        with self.assertRaises(ProblemError) as caught:
            self.confab.get_app(other)
        self.assertEqual((caught.exception.status, caught.exception.code), (404, "not_found"))

    def test_members(self) -> None:
        self.confab.add_member(self.app, self.user, {"access": "read"})
        members = self.confab.list_members(self.app).first()
        access = {member["uid"]: member["access"] for member in members.data}
        self.assertEqual(access[self.user], "read")
        other = unique("grace")
        self.confab.create_user({"uid": other})
        self.confab.add_members(self.app, [{"uid": other, "access": "write"}])
        self.confab.remove_member(self.app, self.user)
        self.confab.remove_members(self.app, [other])
        left = {member["uid"] for member in self.confab.list_members(self.app)}
        self.assertTrue(left.isdisjoint({self.user, other}))

    def test_subscriptions(self) -> None:
        self.confab.add_member(self.app, self.user, {"access": "write"})
        token = self.confab.issue_token(self.user, {"expires_in": 3600})["access_token"]
        as_user = Confab(URL, token)
        self.addCleanup(as_user.close)
        self.assertTrue(as_user.subscribe_app(self.app)["is_subscribed"])
        self.assertFalse(as_user.unsubscribe_app(self.app)["is_subscribed"])

    def test_comments(self) -> None:
        comment = self.confab.create_app_comment(
            self.app, {"text": "Ready for **review**"}, options={"on_behalf_of": self.user}
        )
        self.assertEqual(comment["created_by"]["uid"], self.user)
        self.assertEqual(comment.get("html"), "<p>Ready for <strong>review</strong></p>")
        self.assertEqual(self.confab.get_comment(comment["id"]).get("text"), comment.get("text"))
        changed = self.confab.update_comment(comment["id"], {"text": "Done", "metadata": {"step": 2}})
        self.assertEqual((changed.get("text"), changed.get("metadata")), ("Done", {"step": 2}))
        self.assertIn(comment["id"], [one["id"] for one in self.confab.list_comments(q="Done")])
        listed = self.confab.list_app_comments(self.app, expand=["created_by", "parent"]).first()
        self.assertEqual([one.get("created_by", {}).get("uid") for one in listed.data], [self.user])

    def test_comments_on_posts_and_files(self) -> None:
        posts, files = unique("posts"), unique("files")
        for uid, kind in ((posts, "posts"), (files, "files")):
            self.confab.create_app({"uid": uid, "type": kind})
            self.addCleanup(self.confab.delete_app, uid)
        post = self.confab.create_post(posts, {"text": "A post"})
        on_post = self.confab.create_post_comment(post["id"], {"text": "On the post"})
        self.assertEqual(on_post["parent"], {"id": post["id"], "type": "post"})
        contents: list[bytes | BinaryIO] = [b"plan\n" * 1000, io.BytesIO(b"plan\n" * 50_000)]
        for number, content in enumerate(contents):
            blob = self.confab.create_blob(content, name=f"Entwürfe {number}.txt")
            self.assertEqual(blob["name"], f"Entwürfe {number}.txt")
            file = self.confab.create_file(files, {"blob_id": blob["id"]})
            self.assertEqual((file["name"], file["size"]), (blob["name"], blob["size"]))
        on_file = self.confab.create_file_comment(file["id"], {"text": "On the file"})
        self.assertEqual(on_file["parent"], {"id": file["id"], "type": "file"})

    def test_lists_of_several_pages(self) -> None:
        sent = [f"Text {number}" for number in range(7)]
        for text in sent:
            self.confab.create_app_comment(self.app, {"text": text})
        comments = self.confab.list_app_comments(self.app, top=3, order_by="id")
        self.assertEqual([one.get("text") for one in comments], sent)
        pages = list(comments.pages())
        self.assertEqual([len(page.data) for page in pages], [3, 3, 1])
        self.assertEqual([page.count for page in pages], [7, None, None])
        self.assertEqual((pages[1].start, pages[1].end), (4, 6))
        backwards = self.confab.list_app_comments(self.app, top=2, order_by="id desc", q="text")
        self.assertEqual([one.get("text") for one in backwards], sent[::-1])

    def test_webhooks(self) -> None:
        webhook = self.confab.register_webhook(
            {"payload_url": "https://example.com/hook", "triggers": ["comment_created"], "is_enabled": False}
        )
        self.assertEqual(webhook["triggers"], ["comment_created"])
        changed = self.confab.update_webhook(webhook["id"], {"triggers": ["app_created"]})
        self.assertEqual(changed["triggers"], ["app_created"])
        self.assertEqual(self.confab.get_webhook(webhook["id"])["payload_url"], "https://example.com/hook")
        self.assertIn(webhook["id"], [one["id"] for one in self.confab.list_webhooks()])
        self.assertEqual(list(self.confab.list_deliveries(webhook["id"], status="failed")), [])
        self.confab.delete_webhook(webhook["id"])
        with self.assertRaises(ProblemError):
            self.confab.get_webhook(webhook["id"])

    def test_a_delivery_is_verified(self) -> None:
        arrived: queue.Queue[Received] = queue.Queue()
        receiver = Script(*[Reply(200, {})] * 10)
        receiver.received = Mailbox(arrived)
        self.addCleanup(receiver.close)
        secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
        webhook = self.confab.register_webhook(
            {"payload_url": receiver.url, "secret": secret, "triggers": ["comment_created"]}
        )
        self.addCleanup(self.confab.delete_webhook, webhook["id"])
        comment = self.confab.create_app_comment(self.app, {"text": "Told"})
        request = arrived.get(timeout=30)
        event = verify_webhook(secret, request.headers, request.body)
        self.assertEqual(event["action"], "comment_created")
        self.assertEqual(event["comment"]["id"], comment["id"])

    def test_refusals(self) -> None:
        with self.assertRaises(ProblemError) as caught:
            self.confab.create_app({"uid": "12", "type": "comments", "access": "nobody"})  # type: ignore[typeddict-item]
        refused = caught.exception
        self.assertEqual((refused.status, refused.code), (422, "validation_failed"))
        self.assertEqual(sorted(field.get("pointer", "") for field in refused.fields), ["/access", "/uid"])
        self.assertTrue(all(field["message"] for field in refused.fields))
        self.assertRegex(refused.request_id or "", ".")
        self.assertEqual(str(refused), refused.message)
        with self.assertRaises(ProblemError) as caught:
            Confab(URL, "wyk_nobody").get_app(self.app)
        self.assertEqual(caught.exception.status, 401)

    def test_changes_of_others(self) -> None:
        comment = self.confab.create_app_comment(self.app, {"text": "One"})
        read = self.confab.get_comment(comment["id"])
        changed = self.confab.update_comment(comment["id"], {"text": "Two"}, options={"if_match": read})
        with self.assertRaises(ProblemError) as caught:
            self.confab.update_comment(comment["id"], {"text": "Three"}, options={"if_match": read})
        self.assertEqual(caught.exception.code, "precondition_failed")
        self.confab.trash_comment(comment["id"], options={"if_match": changed})

    def test_a_download(self) -> None:
        self.confab.create_app_comment(self.app, {"text": "Kept"}, options={"on_behalf_of": self.user})
        with self.confab.export_user(self.user) as archive:
            whole = b"".join(archive)
        # A tar archive, whole: its last file is the end of an export.
        self.assertIn(b"export.json", whole)
        self.assertEqual(len(whole) % 512, 0)

    def test_threads(self) -> None:
        failures: list[BaseException] = []

        def write(name: str) -> None:
            try:
                for number in range(10):
                    self.confab.create_app_comment(self.app, {"text": f"{name} {number}"})
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        texts = [one.get("text") for one in self.confab.list_app_comments(self.app, top=7)]
        self.assertEqual(sorted(map(str, texts)), sorted(f"{a} {n}" for a in "abcd" for n in range(10)))


class Mailbox(list[Received]):
    """A list that another thread can wait for."""

    def __init__(self, arrived: queue.Queue[Received]) -> None:
        super().__init__()
        self._arrived = arrived

    def append(self, received: Received) -> None:
        self._arrived.put(received)

# Made by `npm run generate` from the contract of the server.
"""A method for each operation."""

from __future__ import annotations

from typing import Any, BinaryIO, Literal, Sequence

from . import types
from ._options import CallOptions, Filter, Ref, joined, segment
from ._pages import Pages
from ._sender import Download, Sender


class Operations(Sender):
    """The operations of a server.

    A method takes the parameters of the path, then the body, then by name the query and the
    options. A list takes words to find (`q`), a `tag`, `trashed`, the size of a page (`top`), how
    many items to `skip`, the cursor of a page (`after`), whether to `count`, an order (`order_by`)
    and what items carry besides their flat fields (`expand`).
    """

    def create_app(self, body: types.AppCreate, *, options: CallOptions | None = None) -> types.App:
        """Creates an app. Its creator becomes a member with write access and its manager."""
        answer: types.App = self._send(
            "POST", "/api/apps", body=body, takes_key=True, options=options
        )
        return answer

    def get_app(
        self,
        app: Ref,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.App:
        """Gets an app by its id or uid.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.App = self._send(
            "GET", f"/api/apps/{segment(app)}", query=query, options=options
        )
        return answer

    def update_app(
        self,
        app: Ref,
        body: types.AppPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.App:
        """Changes the fields that are present; null clears one."""
        answer: types.App = self._send(
            "PATCH", f"/api/apps/{segment(app)}", body=body, takes_key=True, options=options
        )
        return answer

    def upsert_app(
        self,
        app: str,
        body: types.AppPut,
        *,
        page: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.App:
        """Updates the app with the uid in the path, or creates it.

        page: `true` creates a missing app as a page: it belongs to nobody, and its access is
            `write`, limited to the directory of the caller if there is one. This applies only to a
            contextual type and a body without other fields; any other call creates an app that
            belongs to the caller, with the access `none` unless the body sets it. The default is
            true for an access token with the header `X-Weavy-Source: @weavy/uikit…`, otherwise
            false.
        """
        query = {"page": page}
        answer: types.App = self._send(
            "PUT", f"/api/apps/{segment(app)}", query=query, body=body, options=options
        )
        return answer

    def init_app(self, body: types.AppInit, *, options: CallOptions | None = None) -> types.App:
        """Creates or changes an app and a user, and makes the user a member, all in one
        transaction.
        """
        answer: types.App = self._send(
            "POST", "/api/apps/init", body=body, takes_key=True, options=options
        )
        return answer

    def delete_app(self, app: Ref, *, options: CallOptions | None = None) -> None:
        """Deletes an app permanently, with everything in it, whether or not it is in the trash."""
        self._send("DELETE", f"/api/apps/{segment(app)}", options=options)

    def list_apps(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "uid",
            "uid desc",
            "type",
            "type desc",
            "name",
            "name desc",
            "display_name",
            "display_name desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "members"]] | None = None,
        contextual: Filter | None = None,
        type: Sequence[str] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AppItem]:
        """Lists the apps the caller can see.

        contextual: `true` lists contextual apps only, `false` the others. Absent or `null`
            lists both.
        type: Guids or names of app types; absent lists all.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "contextual": contextual,
            "type": joined(type),
        }
        return self._pages("/api/apps", query=query, options=options)

    def subscribe_app(self, app: Ref, *, options: CallOptions | None = None) -> types.App:
        """Subscribes the caller to notifications of the app."""
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/subscribe", takes_key=True, options=options
        )
        return answer

    def unsubscribe_app(self, app: Ref, *, options: CallOptions | None = None) -> types.App:
        """Ends the subscription of the caller."""
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/unsubscribe", takes_key=True, options=options
        )
        return answer

    def trash_app(self, app: Ref, *, options: CallOptions | None = None) -> types.App:
        """Puts the app in the trash, where it is hidden until it is restored. Doing it twice is
        the same as once.
        """
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_app(self, app: Ref, *, options: CallOptions | None = None) -> types.App:
        """Takes the app out of the trash."""
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/restore", takes_key=True, options=options
        )
        return answer

    def lock_app(
        self,
        app: Ref,
        body: types.LockCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.App:
        """Locks an app, at once or from a time on."""
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/lock", body=body, takes_key=True, options=options
        )
        return answer

    def unlock_app(self, app: Ref, *, options: CallOptions | None = None) -> types.App:
        """Unlocks an app."""
        answer: types.App = self._send(
            "POST", f"/api/apps/{segment(app)}/unlock", takes_key=True, options=options
        )
        return answer

    def add_member(
        self,
        app: Ref,
        user: Ref,
        body: types.MemberPut | None = None,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Adds a member, or changes the access or the role of one. The default access is write;
        null takes a role away.
        """
        self._send(
            "PUT", f"/api/apps/{segment(app)}/members/{segment(user)}", body=body, options=options
        )

    def add_members(
        self,
        app: Ref,
        body: list[types.MemberInput],
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Adds members or changes their access or roles: all of them, or none when one is
        unknown.
        """
        self._send(
            "POST", f"/api/apps/{segment(app)}/members", body=body, takes_key=True, options=options
        )

    def list_members(
        self,
        app: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "uid",
            "uid desc",
            "name",
            "name desc",
            "display_name",
            "display_name desc",
            "access",
            "access desc",
            "created_at",
            "created_at desc",
        ] | None = None,
        suspended: Filter | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AppMember]:
        """Lists the members of an app.

        suspended: `true` lists suspended members only, `false` the others, `null` all. The
            default is `false`.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "suspended": suspended,
        }
        return self._pages(f"/api/apps/{segment(app)}/members", query=query, options=options)

    def remove_member(self, app: Ref, user: str, *, options: CallOptions | None = None) -> None:
        """Removes a member. Several ids may stand in the path, separated by commas."""
        self._send("DELETE", f"/api/apps/{segment(app)}/members/{segment(user)}", options=options)

    def remove_members(
        self,
        app: Ref,
        body: list[str],
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Removes members by id or uid: all of them, or none when one is unknown."""
        self._send("DELETE", f"/api/apps/{segment(app)}/members", body=body, options=options)

    def explain_access(
        self,
        app: Ref,
        *,
        user: str | None = None,
        post: str | None = None,
        file: str | None = None,
        options: CallOptions | None = None,
    ) -> types.AppAccess:
        """Explains what a user may do in an app, and by which rule.

        user: The id or uid of the user. The caller when absent.
        post: The id of a post in the app: whether the user writes on it, which its lock can
            prevent.
        file: The id of a file in the app: whether the user writes on it, which its lock can
            prevent.
        """
        query = {"user": user, "post": post, "file": file}
        answer: types.AppAccess = self._send(
            "GET", f"/api/apps/{segment(app)}/access", query=query, options=options
        )
        return answer

    def get_mail(self, *, options: CallOptions | None = None) -> types.MailSettings:
        """Gets the mail settings of the caller."""
        answer: types.MailSettings = self._send("GET", "/api/user/mail", options=options)
        return answer

    def update_mail(
        self,
        body: types.MailPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.MailSettings:
        """Changes the mail settings of the caller."""
        answer: types.MailSettings = self._send(
            "PATCH", "/api/user/mail", body=body, takes_key=True, options=options
        )
        return answer

    def get_status(self, *, options: CallOptions | None = None) -> types.Status:
        """Gets the state of the server, and its activity in the last hour."""
        answer: types.Status = self._send("GET", "/api/status", options=options)
        return answer

    def get_settings(self, *, options: CallOptions | None = None) -> types.ServerSettings:
        """Gets the settings in effect, without secrets, and where each one stands."""
        answer: types.ServerSettings = self._send("GET", "/api/settings", options=options)
        return answer

    def list_keys(self, *, options: CallOptions | None = None) -> types.ApiKeys:
        """Lists the API keys, without their secrets."""
        answer: types.ApiKeys = self._send("GET", "/api/keys", options=options)
        return answer

    def create_key(
        self,
        body: types.ApiKeyCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.NewApiKey:
        """Creates an API key. Only this response shows its secret."""
        answer: types.NewApiKey = self._send("POST", "/api/keys", body=body, options=options)
        return answer

    def rotate_key(
        self,
        id: int,
        body: types.KeyRotation | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.NewApiKey:
        """Makes an API key that takes the place of another one, which stays valid for a while."""
        answer: types.NewApiKey = self._send(
            "POST", f"/api/keys/{segment(id)}/rotate", body=body, options=options
        )
        return answer

    def revoke_key(self, id: int, *, options: CallOptions | None = None) -> None:
        """Revokes an API key: requests with it and sessions that it began are refused from then
        on.
        """
        self._send("DELETE", f"/api/keys/{segment(id)}", options=options)

    def list_backups(self, *, options: CallOptions | None = None) -> types.Backups:
        """Lists the backups at the place of the server, and the work in progress."""
        answer: types.Backups = self._send("GET", "/api/backups", options=options)
        return answer

    def create_backup(self, *, options: CallOptions | None = None) -> types.BackupJob:
        """Starts to make a backup, as the server does automatically."""
        answer: types.BackupJob = self._send("POST", "/api/backups", options=options)
        return answer

    def verify_backup(self, backup: str, *, options: CallOptions | None = None) -> types.BackupJob:
        """Begins to check that a backup can be restored."""
        answer: types.BackupJob = self._send(
            "POST", f"/api/backups/{segment(backup)}/verify", options=options
        )
        return answer

    def download_backup(self, backup: str, *, options: CallOptions | None = None) -> Download:
        """Sends a backup as a tar archive, which unpacks to a place of backups."""
        return self._download(f"/api/backups/{segment(backup)}/archive", options=options)

    def get_doctor(self, *, options: CallOptions | None = None) -> types.DoctorRun:
        """Gets the findings of the last examination of the server, and whether one is running."""
        answer: types.DoctorRun = self._send("GET", "/api/doctor", options=options)
        return answer

    def run_doctor(self, *, options: CallOptions | None = None) -> types.DoctorRun:
        """Starts to examine the server, its surroundings and its store, as `confab doctor` does."""
        answer: types.DoctorRun = self._send("POST", "/api/doctor", options=options)
        return answer

    def fix_with_doctor(self, *, options: CallOptions | None = None) -> types.DoctorRun:
        """Examines the server, mends faults that need no decision, and examines it again."""
        answer: types.DoctorRun = self._send("POST", "/api/doctor/fix", options=options)
        return answer

    def star_app(self, app: Ref, *, options: CallOptions | None = None) -> None:
        """Stars the app for the caller; twice is once."""
        self._send("POST", f"/api/apps/{segment(app)}/stars", takes_key=True, options=options)

    def unstar_app(self, app: Ref, *, options: CallOptions | None = None) -> None:
        """Takes the star of the caller away."""
        self._send("DELETE", f"/api/apps/{segment(app)}/stars", options=options)

    def list_stars(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.StarredEntity]:
        """Lists the items that the caller has starred and can see."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages("/api/stars", query=query, options=options)

    def get_features(self, set: str, *, options: CallOptions | None = None) -> types.Features:
        """Gets the features that a client can offer in one kind of app: `chat`, `comments`,
        `feeds` (posts), `files` or `messenger`.
        """
        answer: types.Features = self._send("GET", f"/api/features/{segment(set)}", options=options)
        return answer

    def create_app_comment(
        self,
        app: Ref,
        body: types.CommentCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Comment:
        """Creates a comment in a comments app."""
        answer: types.Comment = self._send(
            "POST", f"/api/apps/{segment(app)}/comments", body=body, takes_key=True, options=options
        )
        return answer

    def create_file_comment(
        self,
        id: int,
        body: types.CommentCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Comment:
        """Creates a comment on a file."""
        answer: types.Comment = self._send(
            "POST", f"/api/files/{segment(id)}/comments", body=body, takes_key=True, options=options
        )
        return answer

    def create_post_comment(
        self,
        id: int,
        body: types.CommentCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Comment:
        """Creates a comment on a post."""
        answer: types.Comment = self._send(
            "POST", f"/api/posts/{segment(id)}/comments", body=body, takes_key=True, options=options
        )
        return answer

    def get_comment(
        self,
        id: int,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Comment:
        """Gets a comment.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.Comment = self._send(
            "GET", f"/api/comments/{segment(id)}", query=query, options=options
        )
        return answer

    def update_comment(
        self,
        id: int,
        body: types.EntryPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Comment:
        """Changes the fields that are present; null clears one and an array replaces."""
        answer: types.Comment = self._send(
            "PATCH", f"/api/comments/{segment(id)}", body=body, takes_key=True, options=options
        )
        return answer

    def list_comments(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CommentItem]:
        """Lists the comments of every app the caller can see."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages("/api/comments", query=query, options=options)

    def list_app_comments(
        self,
        app: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "reaction_count",
            "reaction_count desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        thread: Literal["roots"] | None = None,
        replies: int | None = None,
        page: bool | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CommentItem]:
        """Lists the comments of an app.

        thread: `roots` lists the comments that answer none, each with the first of its thread
            in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the
            trash keeps its place, without text and author, while comments below it are shown;
            `count` leaves such places out.
        replies: How many comments of each thread `replies` has: at most 25, and 3 where it is
            absent. `top` times `replies` is at most 625.
        page: `true` asks for the comments of a page that perhaps nobody has opened yet: where
            the caller sees no such app, the list is empty, without the header `Allow`, in place of
            401 or 404. The default is false.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "thread": thread,
            "replies": replies,
            "page": page,
        }
        return self._pages(f"/api/apps/{segment(app)}/comments", query=query, options=options)

    def list_file_comments(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "reaction_count",
            "reaction_count desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        thread: Literal["roots"] | None = None,
        replies: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CommentItem]:
        """Lists the comments on a file.

        thread: `roots` lists the comments that answer none, each with the first of its thread
            in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the
            trash keeps its place, without text and author, while comments below it are shown;
            `count` leaves such places out.
        replies: How many comments of each thread `replies` has: at most 25, and 3 where it is
            absent. `top` times `replies` is at most 625.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "thread": thread,
            "replies": replies,
        }
        return self._pages(f"/api/files/{segment(id)}/comments", query=query, options=options)

    def list_post_comments(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "reaction_count",
            "reaction_count desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        thread: Literal["roots"] | None = None,
        replies: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.CommentItem]:
        """Lists the comments on a post.

        thread: `roots` lists the comments that answer none, each with the first of its thread
            in `replies`, by id or by `reaction_count`. A comment that was deleted or is in the
            trash keeps its place, without text and author, while comments below it are shown;
            `count` leaves such places out.
        replies: How many comments of each thread `replies` has: at most 25, and 3 where it is
            absent. `top` times `replies` is at most 625.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "thread": thread,
            "replies": replies,
        }
        return self._pages(f"/api/posts/{segment(id)}/comments", query=query, options=options)

    def list_replies(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "reaction_count", "reaction_count desc"] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.AnswerItem]:
        """Lists the comments below a comment."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/comments/{segment(id)}/replies", query=query, options=options)

    def trash_comment(self, id: int, *, options: CallOptions | None = None) -> types.Comment:
        """Puts a comment in the trash."""
        answer: types.Comment = self._send(
            "POST", f"/api/comments/{segment(id)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_comment(self, id: int, *, options: CallOptions | None = None) -> types.Comment:
        """Takes a comment out of the trash."""
        answer: types.Comment = self._send(
            "POST", f"/api/comments/{segment(id)}/restore", takes_key=True, options=options
        )
        return answer

    def hold_comment(self, id: int, *, options: CallOptions | None = None) -> types.Comment:
        """Holds a comment: only its author and moderators see it until it is approved."""
        answer: types.Comment = self._send(
            "POST", f"/api/comments/{segment(id)}/hold", takes_key=True, options=options
        )
        return answer

    def approve_comment(self, id: int, *, options: CallOptions | None = None) -> types.Comment:
        """Approves a comment that is held, so that everyone sees it."""
        answer: types.Comment = self._send(
            "POST", f"/api/comments/{segment(id)}/approve", takes_key=True, options=options
        )
        return answer

    def delete_comment(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a comment permanently, in the trash or not."""
        self._send("DELETE", f"/api/comments/{segment(id)}", options=options)

    def list_comment_attachments(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "size",
            "size desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "timestamp",
            "timestamp desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "parent"]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.FileItem]:
        """Lists the attachments of a comment."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/comments/{segment(id)}/attachments", query=query, options=options)

    def render_text(
        self,
        body: types.TextToRender,
        *,
        options: CallOptions | None = None,
    ) -> types.RenderedText:
        """Renders a text as a comment would show it, for a preview."""
        answer: types.RenderedText = self._send("POST", "/api/markdown", body=body, options=options)
        return answer

    def list_counts(
        self,
        *,
        uid: Sequence[str] | None = None,
        options: CallOptions | None = None,
    ) -> types.CommentCounts:
        """Counts the comments of up to 100 apps, for pages that list other pages.

        uid: The uid of an app. Send the parameter once for each app.
        """
        query = {"uid": uid}
        answer: types.CommentCounts = self._send("GET", "/api/counts", query=query, options=options)
        return answer

    def create_blob(
        self,
        file: bytes | BinaryIO,
        *,
        name: str = "file",
        options: CallOptions | None = None,
    ) -> types.Blob:
        """Uploads a file of at most 50 MiB, to be used by a comment, a post or a file within 24
        hours.
        """
        answer: types.Blob = self._upload("/api/blobs", file, name, options=options)
        return answer

    def create_import_blob(
        self,
        file: bytes | BinaryIO,
        *,
        name: str = "file",
        options: CallOptions | None = None,
    ) -> types.Blob:
        """Uploads an export of at most 512 MiB, to be used by an import within 24 hours."""
        answer: types.Blob = self._upload("/api/blobs/import", file, name, options=options)
        return answer

    def create_external_blob(
        self,
        body: types.ExternalBlobCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Blob:
        """Names a file that is kept elsewhere, to be used as an upload is."""
        answer: types.Blob = self._send(
            "POST", "/api/blobs/external", body=body, takes_key=True, options=options
        )
        return answer

    def get_blob(self, id: int, *, options: CallOptions | None = None) -> types.Blob:
        """Gets a blob of the caller; an API key can get any blob."""
        answer: types.Blob = self._send("GET", f"/api/blobs/{segment(id)}", options=options)
        return answer

    def create_file(
        self,
        app: Ref,
        body: types.FileCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Puts an upload into a files app."""
        answer: types.File = self._send(
            "POST", f"/api/apps/{segment(app)}/files", body=body, takes_key=True, options=options
        )
        return answer

    def list_app_files(
        self,
        app: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "size",
            "size desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "timestamp",
            "timestamp desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "parent"]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.FileItem]:
        """Lists the files of a files app."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/apps/{segment(app)}/files", query=query, options=options)

    def list_files(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "size",
            "size desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "timestamp",
            "timestamp desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "parent"]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.FileItem]:
        """Lists the files of every files app the caller can see. Attachments stand in what they
        belong to.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages("/api/files", query=query, options=options)

    def get_file(
        self,
        id: int,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.File:
        """Gets a file or an attachment.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.File = self._send(
            "GET", f"/api/files/{segment(id)}", query=query, options=options
        )
        return answer

    def trash_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Puts a file in the trash. To remove an attachment, edit the item that it belongs to."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Takes a file out of the trash."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/restore", takes_key=True, options=options
        )
        return answer

    def hold_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Holds a file: only its author and moderators see it until it is approved."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/hold", takes_key=True, options=options
        )
        return answer

    def approve_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Approves a file that is held, so that everyone sees it."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/approve", takes_key=True, options=options
        )
        return answer

    def lock_file(
        self,
        id: int,
        body: types.LockCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Locks a file with its comments, at once or from a time on."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/lock", body=body, takes_key=True, options=options
        )
        return answer

    def unlock_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Unlocks a file."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/unlock", takes_key=True, options=options
        )
        return answer

    def update_file(
        self,
        id: int,
        body: types.FilePatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Changes the fields of a file that are present; null clears metadata and tags."""
        answer: types.File = self._send(
            "PATCH", f"/api/files/{segment(id)}", body=body, takes_key=True, options=options
        )
        return answer

    def delete_file(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a file permanently, in the trash or not, with its versions and the comments on
        it.
        """
        self._send("DELETE", f"/api/files/{segment(id)}", options=options)

    def subscribe_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Subscribes the caller to notifications of the file."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/subscribe", takes_key=True, options=options
        )
        return answer

    def unsubscribe_file(self, id: int, *, options: CallOptions | None = None) -> types.File:
        """Ends the subscription of the caller."""
        answer: types.File = self._send(
            "POST", f"/api/files/{segment(id)}/unsubscribe", takes_key=True, options=options
        )
        return answer

    def list_file_versions(
        self,
        id: int,
        *,
        top: int | None = None,
        skip: int | None = None,
        options: CallOptions | None = None,
    ) -> types.FileVersions:
        """Lists the versions of a file, the current one first and then the earlier ones, newest
        first.

        top: The most versions to list; 100 when absent.
        skip: How many versions are skipped; 0 by default.
        """
        query = {"top": top, "skip": skip}
        answer: types.FileVersions = self._send(
            "GET", f"/api/files/{segment(id)}/versions", query=query, options=options
        )
        return answer

    def get_file_version(
        self,
        id: int,
        version: int,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Gets one version of a file by its number."""
        answer: types.File = self._send(
            "GET", f"/api/files/{segment(id)}/versions/{segment(version)}", options=options
        )
        return answer

    def delete_file_version(
        self,
        id: int,
        version: int,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Deletes an earlier version permanently. The current one cannot be deleted (400)."""
        self._send(
            "DELETE", f"/api/files/{segment(id)}/versions/{segment(version)}", options=options
        )

    def restore_file_version(
        self,
        id: int,
        version: int,
        *,
        options: CallOptions | None = None,
    ) -> types.File:
        """Makes the content of an earlier version the current one, as a new version."""
        answer: types.File = self._send(
            "POST",
            f"/api/files/{segment(id)}/versions/{segment(version)}/restore",
            takes_key=True,
            options=options,
        )
        return answer

    def create_post(
        self,
        app: Ref,
        body: types.EntryCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Post:
        """Creates a post in a posts app."""
        answer: types.Post = self._send(
            "POST", f"/api/apps/{segment(app)}/posts", body=body, takes_key=True, options=options
        )
        return answer

    def list_app_posts(
        self,
        app: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.PostItem]:
        """Lists the posts of an app."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/apps/{segment(app)}/posts", query=query, options=options)

    def list_posts(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.PostItem]:
        """Lists the posts of every app the caller can see."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages("/api/posts", query=query, options=options)

    def get_post(
        self,
        id: int,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Post:
        """Gets a post.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.Post = self._send(
            "GET", f"/api/posts/{segment(id)}", query=query, options=options
        )
        return answer

    def update_post(
        self,
        id: int,
        body: types.EntryPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Post:
        """Changes the fields that are present; null clears one and an array replaces."""
        answer: types.Post = self._send(
            "PATCH", f"/api/posts/{segment(id)}", body=body, takes_key=True, options=options
        )
        return answer

    def trash_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Puts a post in the trash, out of sight with its comments."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Takes a post out of the trash, with the comments it had."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/restore", takes_key=True, options=options
        )
        return answer

    def lock_post(
        self,
        id: int,
        body: types.LockCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Post:
        """Locks a post with its comments, at once or from a time on."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/lock", body=body, takes_key=True, options=options
        )
        return answer

    def unlock_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Unlocks a post."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/unlock", takes_key=True, options=options
        )
        return answer

    def subscribe_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Subscribes the caller to notifications of the post."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/subscribe", takes_key=True, options=options
        )
        return answer

    def unsubscribe_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Ends the subscription of the caller."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/unsubscribe", takes_key=True, options=options
        )
        return answer

    def hold_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Holds a post: only its author and moderators see it until it is approved."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/hold", takes_key=True, options=options
        )
        return answer

    def approve_post(self, id: int, *, options: CallOptions | None = None) -> types.Post:
        """Approves a post that is held, so that everyone sees it."""
        answer: types.Post = self._send(
            "POST", f"/api/posts/{segment(id)}/approve", takes_key=True, options=options
        )
        return answer

    def delete_post(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a post permanently, in the trash or not."""
        self._send("DELETE", f"/api/posts/{segment(id)}", options=options)

    def list_post_attachments(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "size",
            "size desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "timestamp",
            "timestamp desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "parent"]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.FileItem]:
        """Lists the attachments of a post."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/posts/{segment(id)}/attachments", query=query, options=options)

    def create_message(
        self,
        app: Ref,
        body: types.EntryCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Creates a message in a chat, a chat room or a private chat."""
        answer: types.Message = self._send(
            "POST", f"/api/apps/{segment(app)}/messages", body=body, takes_key=True, options=options
        )
        return answer

    def list_app_messages(
        self,
        app: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.MessageItem]:
        """Lists the messages of an app."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/apps/{segment(app)}/messages", query=query, options=options)

    def list_messages(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal[
            "created_by",
            "modified_by",
            "parent",
            "embed",
            "meeting",
        ]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.MessageItem]:
        """Lists the messages of every app the caller can see."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages("/api/messages", query=query, options=options)

    def get_message(
        self,
        id: int,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Gets a message.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.Message = self._send(
            "GET", f"/api/messages/{segment(id)}", query=query, options=options
        )
        return answer

    def update_message(
        self,
        id: int,
        body: types.EntryPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Message:
        """Changes the fields that are present; null clears one and an array replaces."""
        answer: types.Message = self._send(
            "PATCH", f"/api/messages/{segment(id)}", body=body, takes_key=True, options=options
        )
        return answer

    def trash_message(self, id: int, *, options: CallOptions | None = None) -> types.Message:
        """Puts a message in the trash."""
        answer: types.Message = self._send(
            "POST", f"/api/messages/{segment(id)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_message(self, id: int, *, options: CallOptions | None = None) -> types.Message:
        """Takes a message out of the trash."""
        answer: types.Message = self._send(
            "POST", f"/api/messages/{segment(id)}/restore", takes_key=True, options=options
        )
        return answer

    def hold_message(self, id: int, *, options: CallOptions | None = None) -> types.Message:
        """Holds a message: only its author and moderators see it until it is approved."""
        answer: types.Message = self._send(
            "POST", f"/api/messages/{segment(id)}/hold", takes_key=True, options=options
        )
        return answer

    def approve_message(self, id: int, *, options: CallOptions | None = None) -> types.Message:
        """Approves a message that is held, so that everyone sees it."""
        answer: types.Message = self._send(
            "POST", f"/api/messages/{segment(id)}/approve", takes_key=True, options=options
        )
        return answer

    def delete_message(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a message permanently, in the trash or not."""
        self._send("DELETE", f"/api/messages/{segment(id)}", options=options)

    def list_message_attachments(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "size",
            "size desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
            "timestamp",
            "timestamp desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by", "parent"]] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.FileItem]:
        """Lists the attachments of a message."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
        }
        return self._pages(f"/api/messages/{segment(id)}/attachments", query=query, options=options)

    def create_conversation(
        self,
        body: types.ConversationCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Starts a conversation with other users."""
        answer: types.Conversation = self._send(
            "POST", "/api/conversations", body=body, takes_key=True, options=options
        )
        return answer

    def list_conversations(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "pinned_at",
            "pinned_at desc",
            "last_message_id",
            "last_message_id desc",
            "id",
            "id desc",
            "name",
            "name desc",
            "created_at",
            "created_at desc",
        ] | None = None,
        expand: Sequence[Literal["created_by", "modified_by"]] | None = None,
        unread: Filter | None = None,
        type: Sequence[str] | None = None,
        member: str | None = None,
        contextual: Filter | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ConversationItem]:
        """Lists the conversations of the caller: pinned ones first, then those with the newest
        messages.

        unread: `true` lists unread conversations only, `false` read ones. Absent or `null`
            lists both.
        type: Names or guids of app types; absent lists all.
        member: Only conversations with this user, by id or uid.
        contextual: `true` lists chats only, `false` chat rooms and private chats. Absent or
            `null` lists both.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "unread": unread,
            "type": joined(type),
            "member": member,
            "contextual": contextual,
        }
        return self._pages("/api/conversations", query=query, options=options)

    def get_badge(self, *, options: CallOptions | None = None) -> types.ConversationBadge:
        """Counts the unread conversations of the caller."""
        answer: types.ConversationBadge = self._send(
            "GET", "/api/conversations/badge", options=options
        )
        return answer

    def get_conversation(
        self,
        id: int,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Gets a conversation; only its members and an API key know of it.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.Conversation = self._send(
            "GET", f"/api/conversations/{segment(id)}", query=query, options=options
        )
        return answer

    def set_delivered(self, id: int, *, options: CallOptions | None = None) -> types.Conversation:
        """Marks the messages so far as delivered to the caller."""
        answer: types.Conversation = self._send(
            "PUT", f"/api/conversations/{segment(id)}/delivered", options=options
        )
        return answer

    def mark_conversation(
        self,
        id: int,
        *,
        message_id: int | None = None,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Marks a conversation as read up to a message. A mark never goes back.

        message_id: The id of the last message that the caller has read; the newest when absent.
        """
        query = {"message_id": message_id}
        answer: types.Conversation = self._send(
            "PUT", f"/api/conversations/{segment(id)}/mark", query=query, options=options
        )
        return answer

    def unmark_conversation(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Marks a conversation as unread."""
        answer: types.Conversation = self._send(
            "DELETE", f"/api/conversations/{segment(id)}/mark", options=options
        )
        return answer

    def pin_conversation(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Pins a conversation: it comes first in the list of the caller."""
        answer: types.Conversation = self._send(
            "PUT", f"/api/conversations/{segment(id)}/pin", options=options
        )
        return answer

    def unpin_conversation(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Conversation:
        """Unpins a conversation."""
        answer: types.Conversation = self._send(
            "DELETE", f"/api/conversations/{segment(id)}/pin", options=options
        )
        return answer

    def get_option(self, id: int, *, options: CallOptions | None = None) -> types.Option:
        """Gets an option of a poll."""
        answer: types.Option = self._send("GET", f"/api/options/{segment(id)}", options=options)
        return answer

    def vote_option(self, id: int, *, options: CallOptions | None = None) -> types.Option:
        """Votes for an option, or takes the vote back from the option the caller chose."""
        answer: types.Option = self._send(
            "POST", f"/api/options/{segment(id)}/vote", takes_key=True, options=options
        )
        return answer

    def list_voters(self, id: int, *, options: CallOptions | None = None) -> list[types.User]:
        """Lists the users who chose an option, in the order of their votes."""
        answer: list[types.User] = self._send(
            "GET", f"/api/options/{segment(id)}/voters", options=options
        )
        return answer

    def add_comment_reaction(
        self,
        id: int,
        body: types.ReactionCreate,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Reacts to a comment with an emoji."""
        self._send(
            "POST",
            f"/api/comments/{segment(id)}/reactions",
            body=body,
            takes_key=True,
            options=options,
        )

    def remove_comment_reaction(self, id: int, *, options: CallOptions | None = None) -> None:
        """Takes back the reaction of the caller to a comment, if there is one."""
        self._send("DELETE", f"/api/comments/{segment(id)}/reactions", options=options)

    def list_comment_reactions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        content: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ReactionDetail]:
        """Lists the reactions to a comment.

        content: Only reactions with this emoji.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "content": content,
        }
        return self._pages(f"/api/comments/{segment(id)}/reactions", query=query, options=options)

    def add_post_reaction(
        self,
        id: int,
        body: types.ReactionCreate,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Reacts to a post with an emoji."""
        self._send(
            "POST",
            f"/api/posts/{segment(id)}/reactions",
            body=body,
            takes_key=True,
            options=options,
        )

    def remove_post_reaction(self, id: int, *, options: CallOptions | None = None) -> None:
        """Takes back the reaction of the caller to a post, if there is one."""
        self._send("DELETE", f"/api/posts/{segment(id)}/reactions", options=options)

    def list_post_reactions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        content: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ReactionDetail]:
        """Lists the reactions to a post.

        content: Only reactions with this emoji.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "content": content,
        }
        return self._pages(f"/api/posts/{segment(id)}/reactions", query=query, options=options)

    def add_message_reaction(
        self,
        id: int,
        body: types.ReactionCreate,
        *,
        options: CallOptions | None = None,
    ) -> None:
        """Reacts to a message with an emoji."""
        self._send(
            "POST",
            f"/api/messages/{segment(id)}/reactions",
            body=body,
            takes_key=True,
            options=options,
        )

    def remove_message_reaction(self, id: int, *, options: CallOptions | None = None) -> None:
        """Takes back the reaction of the caller to a message, if there is one."""
        self._send("DELETE", f"/api/messages/{segment(id)}/reactions", options=options)

    def list_message_reactions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        content: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ReactionDetail]:
        """Lists the reactions to a message.

        content: Only reactions with this emoji.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "content": content,
        }
        return self._pages(f"/api/messages/{segment(id)}/reactions", query=query, options=options)

    def get_reaction(self, id: int, *, options: CallOptions | None = None) -> types.ReactionDetail:
        """Gets a reaction."""
        answer: types.ReactionDetail = self._send(
            "GET", f"/api/reactions/{segment(id)}", options=options
        )
        return answer

    def delete_reaction(self, id: int, *, options: CallOptions | None = None) -> None:
        """Removes a reaction of the caller, or of any user as manager of the app."""
        self._send("DELETE", f"/api/reactions/{segment(id)}", options=options)

    def report_comment(
        self,
        id: int,
        body: types.ReportCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.OwnReport:
        """Reports a comment to the moderators of its app, once for each user."""
        answer: types.OwnReport = self._send(
            "POST",
            f"/api/comments/{segment(id)}/reports",
            body=body,
            takes_key=True,
            options=options,
        )
        return answer

    def report_post(
        self,
        id: int,
        body: types.ReportCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.OwnReport:
        """Reports a post to the moderators of its app, once for each user."""
        answer: types.OwnReport = self._send(
            "POST", f"/api/posts/{segment(id)}/reports", body=body, takes_key=True, options=options
        )
        return answer

    def report_message(
        self,
        id: int,
        body: types.ReportCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.OwnReport:
        """Reports a message to the moderators of its app, once for each user."""
        answer: types.OwnReport = self._send(
            "POST",
            f"/api/messages/{segment(id)}/reports",
            body=body,
            takes_key=True,
            options=options,
        )
        return answer

    def report_file(
        self,
        id: int,
        body: types.ReportCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.OwnReport:
        """Reports a file to the moderators of its app, once for each user."""
        answer: types.OwnReport = self._send(
            "POST", f"/api/files/{segment(id)}/reports", body=body, takes_key=True, options=options
        )
        return answer

    def list_reports(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "created_at",
            "created_at desc",
            "reported_at",
            "reported_at desc",
            "report_count",
            "report_count desc",
        ] | None = None,
        expand: Sequence[Literal["author", "resolved_by"]] | None = None,
        state: Literal["open", "resolved"] | None = None,
        app: str | None = None,
        held: Filter | None = None,
        reason: Literal["spam", "abuse", "illegal", "off_topic", "other", "rule"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ReportItem]:
        """Lists the reported and held items that the caller moderates, the last ones first.

        state: Only open or only resolved reports. Absent lists both.
        app: The id or uid of an app: only reports in it. Digits alone are an id.
        held: `true` lists only items that are held, `false` the others. Absent or `null` lists
            both.
        reason: Only items that a user reported for this reason.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "state": state,
            "app": app,
            "held": held,
            "reason": reason,
        }
        return self._pages("/api/reports", query=query, options=options)

    def get_report(self, id: int, *, options: CallOptions | None = None) -> types.Report:
        """Gets a report that the caller moderates."""
        answer: types.Report = self._send("GET", f"/api/reports/{segment(id)}", options=options)
        return answer

    def resolve_report(
        self,
        id: int,
        body: types.ReportResolve,
        *,
        options: CallOptions | None = None,
    ) -> types.Report:
        """Decides on a report: keeps or approves the item, trashes or holds it, or also suspends
        its author.
        """
        answer: types.Report = self._send(
            "POST",
            f"/api/reports/{segment(id)}/resolve",
            body=body,
            takes_key=True,
            options=options,
        )
        return answer

    def list_comment_revisions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Revision]:
        """Lists the versions of a comment before each of its edits."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages(f"/api/comments/{segment(id)}/revisions", query=query, options=options)

    def list_post_revisions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Revision]:
        """Lists the versions of a post before each of its edits."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages(f"/api/posts/{segment(id)}/revisions", query=query, options=options)

    def list_message_revisions(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Revision]:
        """Lists the versions of a message before each of its edits."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages(f"/api/messages/{segment(id)}/revisions", query=query, options=options)

    def create_embed(
        self,
        body: types.EmbedCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Embed:
        """Fetches an address and creates an embed from the page."""
        answer: types.Embed = self._send("POST", "/api/embeds", body=body, options=options)
        return answer

    def get_embed(self, id: int, *, options: CallOptions | None = None) -> types.Embed:
        """Gets an embed of the caller."""
        answer: types.Embed = self._send("GET", f"/api/embeds/{segment(id)}", options=options)
        return answer

    def create_meeting(
        self,
        body: types.MeetingCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Meeting:
        """Makes a video meeting with an address that cannot be guessed."""
        answer: types.Meeting = self._send("POST", "/api/meetings", body=body, options=options)
        return answer

    def get_meeting(self, id: int, *, options: CallOptions | None = None) -> types.Meeting:
        """Gets a meeting of the caller."""
        answer: types.Meeting = self._send("GET", f"/api/meetings/{segment(id)}", options=options)
        return answer

    def create_user(
        self,
        body: types.UserCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.UserDetail:
        """Creates a user."""
        answer: types.UserDetail = self._send(
            "POST", "/api/users", body=body, takes_key=True, options=options
        )
        return answer

    def list_users(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "uid",
            "uid desc",
            "name",
            "name desc",
            "display_name",
            "display_name desc",
            "email",
            "email desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        expand: Sequence[Literal["visitor"]] | None = None,
        directory_id: int | None = None,
        suspended: Filter | None = None,
        way: str | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.ListedUser]:
        """Lists users.

        directory_id: Only the users of this directory.
        suspended: `true` lists suspended users only, `false` the others, `null` all. The
            default is `false`.
        way: Only users who sign in like this: `none` for users of your product, `visitor` for
            all visitors, or one way, such as `guest`. Everybody when absent, and for users, who do
            not see how others sign in.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "directory_id": directory_id,
            "suspended": suspended,
            "way": way,
        }
        return self._pages("/api/users", query=query, options=options)

    def autocomplete_users(
        self,
        *,
        q: str | None = None,
        top: int | None = None,
        skip: int | None = None,
        count: bool | None = None,
        id: int | None = None,
        options: CallOptions | None = None,
    ) -> types.AutocompleteList:
        """Finds users by the first letters of the words of their names.

        q: The beginnings of words; absent or `*` finds every user.
        top: The most users to list; 5 when absent.
        skip: How many users are skipped; 0 by default.
        count: Whether to count all matching users. The default is false.
        id: The app that `is_member` and `access` are about; without it they are absent.
        """
        query = {"q": q, "top": top, "skip": skip, "count": count, "id": id}
        answer: types.AutocompleteList = self._send(
            "GET", "/api/users/autocomplete", query=query, options=options
        )
        return answer

    def get_user(
        self,
        user: Ref,
        *,
        trashed: bool | None = None,
        options: CallOptions | None = None,
    ) -> types.UserDetail:
        """Gets a user by id or uid.

        trashed: `true` returns the object even if it is in the trash. The default is false.
        """
        query = {"trashed": trashed}
        answer: types.UserDetail = self._send(
            "GET", f"/api/users/{segment(user)}", query=query, options=options
        )
        return answer

    def update_user(
        self,
        user: Ref,
        body: types.UserPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UserDetail:
        """Changes the fields that are present; null clears one."""
        answer: types.UserDetail = self._send(
            "PATCH", f"/api/users/{segment(user)}", body=body, takes_key=True, options=options
        )
        return answer

    def upsert_user(
        self,
        user: str,
        body: types.UserPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UserDetail:
        """Updates the user with the uid in the path, or creates it."""
        answer: types.UserDetail = self._send(
            "PUT", f"/api/users/{segment(user)}", body=body, options=options
        )
        return answer

    def trash_user(self, user: Ref, *, options: CallOptions | None = None) -> types.UserDetail:
        """Puts the user in the trash. The user cannot do anything until restored. Doing it twice
        is the same as once.
        """
        answer: types.UserDetail = self._send(
            "POST", f"/api/users/{segment(user)}/trash", takes_key=True, options=options
        )
        return answer

    def restore_user(self, user: Ref, *, options: CallOptions | None = None) -> types.UserDetail:
        """Takes the user out of the trash."""
        answer: types.UserDetail = self._send(
            "POST", f"/api/users/{segment(user)}/restore", takes_key=True, options=options
        )
        return answer

    def get_caller(self, *, options: CallOptions | None = None) -> types.UserDetail:
        """Gets the user whose access token is used."""
        answer: types.UserDetail = self._send("GET", "/api/user", options=options)
        return answer

    def list_directory_members(
        self,
        directory: Ref,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "uid",
            "uid desc",
            "name",
            "name desc",
            "display_name",
            "display_name desc",
            "email",
            "email desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        suspended: Filter | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.User]:
        """Lists the users of a directory. A user may ask for their own directory only.

        suspended: `true` lists suspended users only, `false` the others, `null` all. The
            default is `false`.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "suspended": suspended,
        }
        return self._pages(
            f"/api/directories/{segment(directory)}/members", query=query, options=options
        )

    def issue_token(
        self,
        user: Ref,
        body: types.TokenCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.AccessToken:
        """Issues an access token of a user. A uid that nobody has creates the user."""
        answer: types.AccessToken = self._send(
            "POST", f"/api/users/{segment(user)}/tokens", body=body, options=options
        )
        return answer

    def revoke_tokens(self, user: Ref, *, options: CallOptions | None = None) -> None:
        """Revokes every access token of a user, even if the user is suspended or in the trash."""
        self._send("DELETE", f"/api/users/{segment(user)}/tokens", options=options)

    def get_sign_in(self, *, options: CallOptions | None = None) -> types.SignInWays:
        """Says how visitors can sign in."""
        answer: types.SignInWays = self._send("GET", "/api/sign-in", options=options)
        return answer

    def make_puzzle(self, *, options: CallOptions | None = None) -> types.Puzzle:
        """Makes a puzzle for a guest."""
        answer: types.Puzzle = self._send("POST", "/api/sign-in/puzzle", options=options)
        return answer

    def sign_in_as_guest(
        self,
        body: types.GuestSignIn,
        *,
        options: CallOptions | None = None,
    ) -> types.SignedIn:
        """Signs a guest in, who is a new visitor each time."""
        answer: types.SignedIn = self._send(
            "POST", "/api/sign-in/guest", body=body, options=options
        )
        return answer

    def sign_in_by_email(
        self,
        body: types.EmailSignIn,
        *,
        options: CallOptions | None = None,
    ) -> types.SignInTicket:
        """Sends a code and a link to a mailbox."""
        answer: types.SignInTicket = self._send(
            "POST", "/api/sign-in/email", body=body, options=options
        )
        return answer

    def confirm_code(
        self,
        body: types.MailedCode,
        *,
        options: CallOptions | None = None,
    ) -> types.SignInConfirmed:
        """Confirms a mailbox by the code of a mail."""
        answer: types.SignInConfirmed = self._send(
            "POST", "/api/sign-in/email/code", body=body, options=options
        )
        return answer

    def confirm_link(
        self,
        body: types.MailedLink,
        *,
        options: CallOptions | None = None,
    ) -> types.SignInConfirmed:
        """Confirms a mailbox by the link of a mail."""
        answer: types.SignInConfirmed = self._send(
            "POST", "/api/sign-in/email/link", body=body, options=options
        )
        return answer

    def refuse_mail(self, body: types.MailRefusal, *, options: CallOptions | None = None) -> None:
        """Stops the codes to a mailbox for a week, by the link of a mail that nobody asked for."""
        self._send("POST", "/api/sign-in/email/refusal", body=body, options=options)

    def exchange_code(
        self,
        body: types.CodeExchange,
        *,
        options: CallOptions | None = None,
    ) -> types.SignedIn:
        """Signs a visitor in with the code of a window."""
        answer: types.SignedIn = self._send(
            "POST", "/api/sign-in/token", body=body, options=options
        )
        return answer

    def renew_sign_in(
        self,
        body: types.Renewal,
        *,
        options: CallOptions | None = None,
    ) -> types.SignedIn:
        """Gets a visitor the next access token."""
        answer: types.SignedIn = self._send(
            "POST", "/api/sign-in/renewal", body=body, options=options
        )
        return answer

    def sign_out(
        self,
        *,
        everywhere: bool | None = None,
        options: CallOptions | None = None,
    ) -> None:
        """Signs the visitor out: here, or everywhere.

        everywhere: Whether every session of the visitor ends, and not only the one of the
            token.
        """
        query = {"everywhere": everywhere}
        self._send("DELETE", "/api/sign-in", query=query, options=options)

    def update_visitor(
        self,
        body: types.VisitorPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UserDetail:
        """Changes the name and the picture of the visitor."""
        answer: types.UserDetail = self._send(
            "PATCH", "/api/user", body=body, takes_key=True, options=options
        )
        return answer

    def add_mailbox(
        self,
        body: types.MailboxAddition,
        *,
        options: CallOptions | None = None,
    ) -> types.SignInTicket:
        """Sends a code to a mailbox by which the visitor wants to sign in as well."""
        answer: types.SignInTicket = self._send(
            "POST", "/api/user/mailbox", body=body, options=options
        )
        return answer

    def confirm_mailbox(
        self,
        body: types.AddedMailbox,
        *,
        options: CallOptions | None = None,
    ) -> types.SignedIn:
        """Confirms that mailbox by the code of the mail, which joins the accounts of both."""
        answer: types.SignedIn = self._send(
            "POST", "/api/user/mailbox/code", body=body, options=options
        )
        return answer

    def erase_user(
        self,
        user: Ref,
        *,
        content: Literal["remove", "keep"] | None = None,
        options: CallOptions | None = None,
    ) -> types.Erasure:
        """Erases a user with everything that the server has of them.

        content: Whether comments, posts and messages are removed (`remove`, the default) or
            kept without their author (`keep`). Files are removed in either case.
        """
        query = {"content": content}
        answer: types.Erasure = self._send(
            "DELETE", f"/api/users/{segment(user)}", query=query, options=options
        )
        return answer

    def get_erasure(self, id: int, *, options: CallOptions | None = None) -> types.Erasure:
        """Gets the receipt of an erasure, signed once everything is done."""
        answer: types.Erasure = self._send("GET", f"/api/erasures/{segment(id)}", options=options)
        return answer

    def export_user(self, user: Ref, *, options: CallOptions | None = None) -> Download:
        """Sends everything that the server has of a user, as a tar archive."""
        return self._download(f"/api/users/{segment(user)}/export", options=options)

    def create_directory(
        self,
        body: types.DirectoryCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Directory:
        """Creates a directory."""
        answer: types.Directory = self._send(
            "POST", "/api/directories", body=body, takes_key=True, options=options
        )
        return answer

    def list_directories(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "name",
            "name desc",
            "created_at",
            "created_at desc",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Directory]:
        """Lists directories: all of them for an API key, the one they belong to for a user."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages("/api/directories", query=query, options=options)

    def get_directory(
        self,
        directory: Ref,
        *,
        options: CallOptions | None = None,
    ) -> types.Directory:
        """Gets a directory by id or name. A user can get only their own."""
        answer: types.Directory = self._send(
            "GET", f"/api/directories/{segment(directory)}", options=options
        )
        return answer

    def update_directory(
        self,
        directory: Ref,
        body: types.DirectoryPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Directory:
        """Renames a directory."""
        answer: types.Directory = self._send(
            "PATCH",
            f"/api/directories/{segment(directory)}",
            body=body,
            takes_key=True,
            options=options,
        )
        return answer

    def delete_directory(self, directory: Ref, *, options: CallOptions | None = None) -> None:
        """Deletes a directory that no user and no app belongs to."""
        self._send("DELETE", f"/api/directories/{segment(directory)}", options=options)

    def list_notifications(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        expand: Sequence[Literal["actor", "user"]] | None = None,
        action: str | None = None,
        unread: Filter | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.NotificationItem]:
        """Lists the notifications of the caller, the newest first.

        action: Only notifications of this action, such as `comment_created`.
        unread: `true` lists unread notifications only, `false` read ones. Absent or `null`
            lists both.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "action": action,
            "unread": unread,
        }
        return self._pages("/api/notifications", query=query, options=options)

    def mark_notifications(
        self,
        *,
        id: str | None = None,
        options: CallOptions | None = None,
    ) -> None:
        """Marks a notification of the caller and all earlier ones as read, or all of them
        without an id.

        id: The id of the last notification to mark.
        """
        query = {"id": id}
        self._send("PUT", "/api/notifications/mark", query=query, options=options)

    def get_notification(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Notification:
        """Gets a notification of the caller, or with an API key of any user."""
        answer: types.Notification = self._send(
            "GET", f"/api/notifications/{segment(id)}", options=options
        )
        return answer

    def delete_notification(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a notification permanently."""
        self._send("DELETE", f"/api/notifications/{segment(id)}", options=options)

    def mark_notification(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Notification:
        """Marks a notification as read."""
        answer: types.Notification = self._send(
            "PUT", f"/api/notifications/{segment(id)}/mark", options=options
        )
        return answer

    def unmark_notification(
        self,
        id: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Notification:
        """Marks a notification as unread."""
        answer: types.Notification = self._send(
            "DELETE", f"/api/notifications/{segment(id)}/mark", options=options
        )
        return answer

    def get_moderation_rules(self, *, options: CallOptions | None = None) -> types.ModerationRules:
        """Gets the rules that screen texts, and the statistics of each."""
        answer: types.ModerationRules = self._send("GET", "/api/moderation/rules", options=options)
        return answer

    def replace_moderation_rules(
        self,
        body: types.ModerationRulesReplacement,
        *,
        options: CallOptions | None = None,
    ) -> types.ModerationRules:
        """Replaces the rules that texts are screened with."""
        answer: types.ModerationRules = self._send(
            "PUT", "/api/moderation/rules", body=body, options=options
        )
        return answer

    def test_moderation_rules(
        self,
        body: types.TextToTest,
        *,
        options: CallOptions | None = None,
    ) -> types.RuleTest:
        """Tests which rules match a text, and what would happen to it."""
        answer: types.RuleTest = self._send(
            "POST", "/api/moderation/test", body=body, options=options
        )
        return answer

    def create_ban(
        self,
        body: types.BanCreate | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Ban:
        """Bans an address for a while: visitors who come from there only read."""
        answer: types.Ban = self._send(
            "POST", "/api/bans", body=body, takes_key=True, options=options
        )
        return answer

    def list_bans(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "expires_at", "expires_at desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Ban]:
        """Lists the bans in force, the last ones first."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages("/api/bans", query=query, options=options)

    def moderate_user(
        self,
        user: Ref,
        body: types.UserModerationPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.UserModeration:
        """Trusts or suspends a user, or bans the address of a visitor, as a moderator."""
        answer: types.UserModeration = self._send(
            "PATCH",
            f"/api/users/{segment(user)}/moderation",
            body=body,
            takes_key=True,
            options=options,
        )
        return answer

    def delete_ban(self, id: int, *, options: CallOptions | None = None) -> None:
        """Ends a ban before its time."""
        self._send("DELETE", f"/api/bans/{segment(id)}", options=options)

    def create_import(
        self,
        body: types.ImportCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Import:
        """Tries an import of the comments of another system, and writes none."""
        answer: types.Import = self._send(
            "POST", "/api/imports", body=body, takes_key=True, options=options
        )
        return answer

    def list_imports(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["id", "id desc", "created_at", "created_at desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Import]:
        """Lists imports, including those of the command `confab import`."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages("/api/imports", query=query, options=options)

    def get_import(self, id: int, *, options: CallOptions | None = None) -> types.Import:
        """Gets an import with its report and its progress."""
        answer: types.Import = self._send("GET", f"/api/imports/{segment(id)}", options=options)
        return answer

    def run_import(self, id: int, *, options: CallOptions | None = None) -> types.Import:
        """Runs an import whose dry run is done."""
        answer: types.Import = self._send(
            "POST", f"/api/imports/{segment(id)}/run", takes_key=True, options=options
        )
        return answer

    def stop_import(self, id: int, *, options: CallOptions | None = None) -> types.Import:
        """Stops an import that is being read, waits to be run, or runs."""
        answer: types.Import = self._send(
            "POST", f"/api/imports/{segment(id)}/stop", takes_key=True, options=options
        )
        return answer

    def undo_import(self, id: int, *, options: CallOptions | None = None) -> types.Import:
        """Undoes an import: puts the items that it created in the trash."""
        answer: types.Import = self._send(
            "POST", f"/api/imports/{segment(id)}/undo", takes_key=True, options=options
        )
        return answer

    def list_events(
        self,
        *,
        after: int | None = None,
        before: int | None = None,
        entity_type: str | None = None,
        entity_id: int | None = None,
        top: int | None = None,
        options: CallOptions | None = None,
    ) -> types.EventPage:
        """Reads the log of changes in its order, from a position on, or backwards.

        after: The position of the last event that is known.
        before: Reads backwards from this position, which is not included. The largest integer
            of JSON, 9007199254740991, begins with the newest event.
        entity_type: With `entity_id`, only the events about one item, the newest first: the
            events that have it under the name of this type.
        entity_id: The id of that thing.
        top: The most events of the page. A page ends before its events exceed 4 MiB, so it can
            have fewer: go on with `after` at `next`.
        """
        query = {
            "after": after,
            "before": before,
            "entity_type": entity_type,
            "entity_id": entity_id,
            "top": top,
        }
        answer: types.EventPage = self._send("GET", "/api/events", query=query, options=options)
        return answer

    def type_message(self, id: int, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of a chat that the caller is writing a message."""
        self._send("PUT", f"/api/apps/{segment(id)}/messages/typing", options=options)

    def type_post(self, id: int, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of a posts app that the caller is writing a post."""
        self._send("PUT", f"/api/apps/{segment(id)}/posts/typing", options=options)

    def type_file_comment(self, id: int, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of the app that the caller is writing a comment on a file."""
        self._send("PUT", f"/api/files/{segment(id)}/comments/typing", options=options)

    def type_post_comment(self, id: int, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of the app that the caller is writing a comment on a post."""
        self._send("PUT", f"/api/posts/{segment(id)}/comments/typing", options=options)

    def type_comment(self, app: Ref, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of an app that the caller is writing a comment."""
        self._send("PUT", f"/api/apps/{segment(app)}/comments/typing", options=options)

    def type_conversation(self, id: int, *, options: CallOptions | None = None) -> None:
        """Notifies the other users of a conversation that the caller is writing a message."""
        self._send("PUT", f"/api/conversations/{segment(id)}/typing", options=options)

    def register_webhook(
        self,
        body: types.WebhookCreate,
        *,
        options: CallOptions | None = None,
    ) -> types.Webhook:
        """Registers a webhook. It is enabled unless the request disables it."""
        answer: types.Webhook = self._send(
            "POST", "/api/webhooks", body=body, takes_key=True, options=options
        )
        return answer

    def list_webhook_events(
        self,
        *,
        group: str | None = None,
        action: str | None = None,
        options: CallOptions | None = None,
    ) -> types.WebhookEvents:
        """Describes every event: its action, its group and the JSON Schema of its payload.

        group: Only events of this group, such as comments.
        action: Only the event with this action.
        """
        query = {"group": group, "action": action}
        answer: types.WebhookEvents = self._send(
            "GET", "/api/webhooks/events", query=query, options=options
        )
        return answer

    def get_webhook(self, id: int, *, options: CallOptions | None = None) -> types.WebhookDetail:
        """Gets a webhook."""
        answer: types.WebhookDetail = self._send(
            "GET", f"/api/webhooks/{segment(id)}", options=options
        )
        return answer

    def update_webhook(
        self,
        id: int,
        body: types.WebhookPatch | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Webhook:
        """Changes the fields that are present; null clears the secret."""
        answer: types.Webhook = self._send(
            "PATCH", f"/api/webhooks/{segment(id)}", body=body, takes_key=True, options=options
        )
        return answer

    def rotate_webhook_secret(
        self,
        id: int,
        body: types.SecretRotation | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.RotatedSecret:
        """Gives a webhook another secret while the one before still holds for a while."""
        answer: types.RotatedSecret = self._send(
            "POST", f"/api/webhooks/{segment(id)}/secret/rotate", body=body, options=options
        )
        return answer

    def list_webhooks(
        self,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "payload_url",
            "payload_url desc",
            "is_enabled",
            "is_enabled desc",
            "created_at",
            "created_at desc",
            "modified_at",
            "modified_at desc",
        ] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Webhook]:
        """Lists the webhooks."""
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages("/api/webhooks", query=query, options=options)

    def delete_webhook(self, id: int, *, options: CallOptions | None = None) -> None:
        """Deletes a webhook with its deliveries. Nothing further is sent."""
        self._send("DELETE", f"/api/webhooks/{segment(id)}", options=options)

    def list_deliveries(
        self,
        id: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        count: bool | None = None,
        order_by: Literal[
            "id",
            "id desc",
            "sequence",
            "sequence desc",
            "event_id",
            "event_id desc",
            "action",
            "action desc",
            "delivered_at",
            "delivered_at desc",
            "duration",
            "duration desc",
            "status_code",
            "status_code desc",
            "status",
            "status desc",
        ] | None = None,
        expand: Sequence[Literal["payload"]] | None = None,
        status: Literal["pending", "retrying", "delivered", "failed", "canceled"] | None = None,
        status_code: int | None = None,
        action: str | None = None,
        event_id: int | None = None,
        since: str | None = None,
        until: str | None = None,
        after: int | None = None,
        before: int | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.DeliveryItem]:
        """Lists the deliveries of a webhook, the newest first.

        status: Only deliveries of this status.
        status_code: Only deliveries whose last attempt was answered with this status.
        action: Only deliveries of this action, such as `comment_created`.
        event_id: Only the delivery of the event with this id.
        since: Only deliveries of events of this time (RFC 3339) or later.
        until: Only deliveries of events before this time (RFC 3339).
        before: Only deliveries with a lower id than this. In the default order, the newest
            first, the header `Link` has the address of the next page with it.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "count": count,
            "order_by": order_by,
            "expand": joined(expand),
            "status": status,
            "status_code": status_code,
            "action": action,
            "event_id": event_id,
            "since": since,
            "until": until,
            "after": after,
            "before": before,
        }
        return self._pages(f"/api/webhooks/{segment(id)}/deliveries", query=query, options=options)

    def get_delivery(
        self,
        id: int,
        delivery: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Delivery:
        """Gets a delivery with its body."""
        answer: types.Delivery = self._send(
            "GET", f"/api/webhooks/{segment(id)}/deliveries/{segment(delivery)}", options=options
        )
        return answer

    def list_attempts(
        self,
        id: int,
        delivery: int,
        *,
        q: str | None = None,
        tag: str | None = None,
        trashed: Filter | None = None,
        top: int | None = None,
        skip: int | None = None,
        after: str | None = None,
        count: bool | None = None,
        order_by: Literal["number", "number desc"] | None = None,
        options: CallOptions | None = None,
    ) -> Pages[types.Attempt]:
        """Lists the attempts of a delivery, the first one first, with their requests and
        responses.
        """
        query = {
            "q": q,
            "tag": tag,
            "trashed": trashed,
            "top": top,
            "skip": skip,
            "after": after,
            "count": count,
            "order_by": order_by,
        }
        return self._pages(
            f"/api/webhooks/{segment(id)}/deliveries/{segment(delivery)}/attempts",
            query=query,
            options=options,
        )

    def ping_webhook(self, id: int, *, options: CallOptions | None = None) -> types.Delivery:
        """Sends a webhook an event of its own, `webhook_pinged`, whatever its triggers are."""
        answer: types.Delivery = self._send(
            "POST", f"/api/webhooks/{segment(id)}/ping", takes_key=True, options=options
        )
        return answer

    def redeliver(
        self,
        id: int,
        delivery: int,
        *,
        options: CallOptions | None = None,
    ) -> types.Delivery:
        """Has a delivery sent again, with the same body and guid, whatever became of it."""
        answer: types.Delivery = self._send(
            "POST",
            f"/api/webhooks/{segment(id)}/deliveries/{segment(delivery)}/redeliver",
            takes_key=True,
            options=options,
        )
        return answer

    def redeliver_many(
        self,
        id: int,
        body: types.RedeliverMany | None = None,
        *,
        options: CallOptions | None = None,
    ) -> types.Redelivered:
        """Has the deliveries sent again that a filter matches, the oldest first."""
        answer: types.Redelivered = self._send(
            "POST", f"/api/webhooks/{segment(id)}/redeliver", body=body, options=options
        )
        return answer

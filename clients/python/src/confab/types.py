# Made by `npm run generate` from the contract of the server.
"""What the server takes and returns, as dictionaries.

A later version of the server may return more fields and other values of a `Literal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    # Type checkers bring it. Python 3.10 has none, and does not evaluate the annotations.
    from typing_extensions import NotRequired


class AccessDecision(TypedDict):
    """Whether a user has a right in an app, and by which rule."""

    # Whether the user has the right.
    is_allowed: bool
    # The rule that decides. `api_key`: An API key may do everything in every app. `key_scope`: The
    # API key lacks the scope that this needs. `user_suspended`: The user is suspended, so they
    # cannot do anything. `user_trashed`: The user is in the trash, so they cannot do anything.
    # `app_trashed`: The app is in the trash, so neither it nor its content can be used until it is
    # restored. `locked`: The app is locked, so only moderators and managers write in it.
    # `item_locked`: The post or file, or the post that the file is attached to, is locked, so only
    # moderators and managers write on it. `member_access`: The user is a member, and a member's own
    # access counts in place of the app's. `app_access`: The user is no member, so the access of the
    # app counts. `directory`: The user is no member, and the access of the app is for the users of
    # another directory. `manager`: The member has the role `manager`. `moderator`: The member has
    # the role `moderator`, which is to moderate and not to manage. `directory_moderator`: The user
    # moderates what they see in the apps of their directory, or, without a directory, in all apps.
    # `role_without_write`: The role of the member counts only while their own access is `write`.
    # `creator`: The user created the app, and their membership is from a release without roles, so
    # they manage it. `creator_without_role`: The user created the app but has no role in it: it is
    # a page, which belongs to nobody, or the membership was made again. `no_role`: The user has no
    # role in the app.
    rule: Literal[
        "api_key",
        "key_scope",
        "user_suspended",
        "user_trashed",
        "app_trashed",
        "locked",
        "item_locked",
        "member_access",
        "app_access",
        "directory",
        "manager",
        "moderator",
        "directory_moderator",
        "role_without_write",
        "creator",
        "creator_without_role",
        "no_role",
    ]
    # The rule in one sentence.
    reason: str


class AccessToken(TypedDict):
    """A new access token. It is shown here and never again."""

    # The token, for the header `Authorization: Bearer`.
    access_token: str
    # How long the token is valid, in seconds.
    expires_in: int


class Actor(TypedDict):
    """The user who caused an event, as they were at that time."""

    # The id of the user.
    id: int
    # The unique name that the host product gave the user.
    uid: str
    # The name to show: `name`, else the given and family names, else the nickname, else the part of
    # the e-mail address before the @, else the uid.
    display_name: str
    # The e-mail address. Absent when it is not known.
    email: NotRequired[str]
    # The given name, at most 64 characters. Absent when it is not known.
    given_name: NotRequired[str]
    # The middle name, at most 64 characters. Absent when it is not known.
    middle_name: NotRequired[str]
    # The whole name, at most 256 characters. Absent when it is not known.
    name: NotRequired[str]
    # The family name, at most 64 characters. Absent when it is not known.
    family_name: NotRequired[str]
    # The nickname, at most 32 characters. Absent when there is none.
    nickname: NotRequired[str]
    # The phone number, at most 32 characters. Absent when it is not known.
    phone_number: NotRequired[str]
    # A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none.
    comment: NotRequired[str]
    # The id of the directory that the user belongs to. Absent when the user belongs to none.
    directory_id: NotRequired[int]
    # The id of the blob that is the user's picture. Absent when there is no picture, or it is an
    # address on the web.
    picture_id: NotRequired[int]
    # The address of the user's picture; needs no credential and stays valid until the user gets
    # another picture. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # Free-form properties of the user, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the user, in the order in which they were set.
    tags: NotRequired[list[str]]
    # How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your
    # product.
    way: NotRequired[str]
    # `moderator` for a user who moderates every app of their directory that they see or, without a
    # directory, every app that they see. Absent for most users.
    role: NotRequired[Literal["moderator"]]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # When the user was created.
    created_at: NotRequired[str]
    # When the user was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # Whether the user is a program rather than a person.
    is_bot: bool
    # True for a user whose texts are shown at once in apps that hold those of newcomers or guests.
    # Absent for everyone else.
    is_trusted: NotRequired[bool]
    # Whether the user is suspended and so cannot do anything.
    is_suspended: NotRequired[bool]
    # Whether the user is in the trash and so cannot do anything.
    is_trashed: NotRequired[bool]
    # Who made the change: the user (`person`), a program that is a user or the server itself
    # (`bot`), or an API key, on behalf of the user or not (`api_key`). Absent from events of
    # releases that did not record it.
    kind: NotRequired[Literal["person", "bot", "api_key"]]
    # The id of the API key with which the change was made. Absent for a change that a user made
    # with an access token, and for users who read the event.
    api_key_id: NotRequired[int]
    # What a program made the change through: `mcp`. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]


class AddedMailbox(TypedDict):
    """The code of a mail that was sent to a visitor who had signed in."""

    # The ticket of the answer before.
    ticket: str
    # The six digits of the mail.
    code: str


class AnswerItem(TypedDict):
    """A comment in a list of answers."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author. Absent only in the place of a comment that was deleted or is in the
    # trash, in a thread.
    created_by_id: NotRequired[int]
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The id of the comment that it answers. Absent when it answers none.
    reply_to_id: NotRequired[int]
    # The id of the comment that began its thread. Absent in that comment, and when it answers none.
    root_id: NotRequired[int]
    # How many comments below it are shown: all of the thread for the comment that began it, and
    # those that answer it for any other. Absent when there are none.
    reply_count: NotRequired[int]
    # The item that another item belongs to.
    parent: NotRequired[Parent]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class ApiKey(TypedDict):
    """An API key without its secret, which is kept nowhere."""

    # The id of the key, which `confab key revoke` takes.
    id: int
    # The purpose of the key.
    name: str
    # Its last four characters.
    hint: str
    # The scopes of the key; `all` stands for every scope.
    scopes: list[str]
    # When it was made.
    created_at: str
    # When it was last used, to the minute. Absent for a key that was never used.
    last_used_at: NotRequired[str]
    # When it ends. Absent for a key without an end.
    expires_at: NotRequired[str]
    # When it was revoked. Absent for a key that was not.
    revoked_at: NotRequired[str]
    # True for the key of this request, or of its session. Absent for other keys.
    is_current: NotRequired[bool]


class ApiKeyCreate(TypedDict):
    """The name of a new API key, and its limits."""

    # The purpose of the key.
    name: str
    # The scopes of the key; `all` stands for every scope, including those of later releases.
    scopes: list[Literal["read", "apps", "users", "webhooks", "moderate", "all"]]
    # When it ends, in RFC 3339; without an end when absent.
    expires_at: NotRequired[str]


class App(TypedDict):
    """A container of content, with members and an access level for everyone else."""

    # The id of the app.
    id: int
    # The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`.
    type: Literal[
        "chat",
        "comments",
        "files",
        "posts",
        "chat_room",
        "private_chat",
        "d65dd4bc-418e-403c-9f56-f9cf4da931ed",
        "88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd",
        "523edd88-4bbf-4547-b60f-2859a6d2ddc1",
        "5ebfa152-de85-48da-82dd-30a1b560c313",
        "edb400ac-839b-45a7-b2a8-6a01820d1c44",
        "7e14f418-8f15-46f4-b182-f619b671e470",
    ]
    # The unique name that the host product gave the app.
    uid: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). If the app has a directory, this applies to the users of that
    # directory only.
    access: Literal["none", "read", "write"]
    # The id of the directory that `access` is limited to. Absent when it is not limited.
    directory_id: NotRequired[int]
    # The name to show: `name`, or `uid` if there is none. A conversation without a name is called
    # by the names of its members.
    display_name: str
    # The name of the app, at most 256 characters. Absent when it has none.
    name: NotRequired[str]
    # What the app is about, at most 4096 characters. Absent when it has none.
    description: NotRequired[str]
    # Not used: always absent.
    archive_url: NotRequired[str]
    # The address of the other person's picture in a private chat; needs no credential. Absent
    # otherwise.
    avatar_url: NotRequired[str]
    # Free-form properties of the app, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the app, in the order in which they were set.
    tags: list[str]
    # When the app was created.
    created_at: str
    # The id of the user who created the app; that of `system` for an app made with an API key.
    created_by_id: int
    # When the app was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the app. Absent until the first change.
    modified_by_id: NotRequired[int]
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # The content that is held until a moderator approves it: `everything` that users write here,
    # the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When
    # absent, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items make a newcomer known. Only where `approval` is `newcomers`.
    approval_count: NotRequired[int]
    # What people without a credential may do: read the comments of the app (`read`), or also write
    # some once they have signed in as visitors (`write`). Absent where they may do nothing.
    visitors: NotRequired[Literal["read", "write"]]
    # What the caller may do in the app.
    permissions: list[Literal["list", "read", "create", "update", "delete", "admin"]]
    # Whether the caller has starred the app.
    is_starred: bool
    # Whether the caller is notified of activity in the app.
    is_subscribed: bool
    # Whether the app is in the trash.
    is_trashed: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # One page of a list.
    members: MemberList


class AppAccess(TypedDict):
    """The rights of a user in an app, and the rules that give them."""

    # The id of the app.
    app_id: int
    # The id of the user. That of `system` for an API key that asks about itself.
    user_id: int
    # Whether a user has a right in an app, and by which rule.
    read: AccessDecision
    # Whether a user has a right in an app, and by which rule.
    write: AccessDecision
    # Whether a user has a right in an app, and by which rule.
    moderate: AccessDecision
    # Whether a user has a right in an app, and by which rule.
    manage: AccessDecision


class AppCreate(TypedDict):
    """The fields of a request that creates an app."""

    # The unique name of the app: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: str
    # The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or
    # private_chat in any case, or its guid.
    type: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). `none` when absent on create.
    access: NotRequired[Literal["none", "read", "write"]]
    # The id or name of a directory. It limits `access` to the users of that directory, which cannot
    # be `visitors`. Where a user opens the app and names none, it is the directory of that user;
    # only API keys open an app to all users of a server with directories.
    directory: NotRequired[str]
    # The name of the app. A name that is empty or blank counts as none.
    name: NotRequired[str]
    # The subject of the app.
    description: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # The content that is held until a moderator approves it: `everything` that users write here;
    # texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are
    # visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match,
    # including rules that only report elsewhere. An edit holds an item where a new one by the same
    # user would be held. Content of moderators, managers and API keys is never held, and content of
    # trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on
    # create, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items end the status of a newcomer; 1 when absent on create.
    approval_count: NotRequired[int]
    # What people without a credential may do in a comments app: read its comments (`read`), or also
    # write some once they have signed in as visitors (`write`). It counts while `access` lets users
    # read and the app has no directory. Nothing when absent on create.
    visitors: NotRequired[Literal["read", "write"]]


class AppInit(TypedDict):
    """An app and a user who becomes a member of it."""

    # The app, as in a request to create one.
    app: AppInitApp
    # The user, as in a request to create one.
    user: AppInitUser


class AppInitApp(TypedDict):
    """The app, as in a request to create one."""

    # The unique name of the app: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: str
    # The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or
    # private_chat in any case, or its guid.
    type: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). `none` when absent on create.
    access: NotRequired[Literal["none", "read", "write"]]
    # The id or name of a directory. It limits `access` to the users of that directory, which cannot
    # be `visitors`. Where a user opens the app and names none, it is the directory of that user;
    # only API keys open an app to all users of a server with directories.
    directory: NotRequired[str]
    # The name of the app. A name that is empty or blank counts as none.
    name: NotRequired[str]
    # The subject of the app.
    description: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # The content that is held until a moderator approves it: `everything` that users write here;
    # texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are
    # visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match,
    # including rules that only report elsewhere. An edit holds an item where a new one by the same
    # user would be held. Content of moderators, managers and API keys is never held, and content of
    # trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on
    # create, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items end the status of a newcomer; 1 when absent on create.
    approval_count: NotRequired[int]
    # What people without a credential may do in a comments app: read its comments (`read`), or also
    # write some once they have signed in as visitors (`write`). It counts while `access` lets users
    # read and the app has no directory. Nothing when absent on create.
    visitors: NotRequired[Literal["read", "write"]]


class AppInitUser(TypedDict):
    """The user, as in a request to create one."""

    # The unique name of the user: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: str
    # The e-mail address. Two users can have the same one.
    email: NotRequired[str]
    # The given name of the user.
    given_name: NotRequired[str]
    # The middle name of the user.
    middle_name: NotRequired[str]
    # The family name of the user.
    family_name: NotRequired[str]
    # The whole name of the user.
    name: NotRequired[str]
    # The nickname of the user.
    nickname: NotRequired[str]
    # The phone number of the user.
    phone_number: NotRequired[str]
    # A note about the user, at most 64 KiB in UTF-8.
    comment: NotRequired[str]
    # The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a
    # `data:` address in base64; or an http or https address of at most 2048 characters.
    picture: NotRequired[str | int]
    # The id or name of the directory that the user belongs to. A name that no directory has creates
    # one. `visitors` is for visitors only.
    directory: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # Whether the user is a program rather than a person; false when absent on create.
    is_bot: NotRequired[bool]


class AppItem(TypedDict):
    """An app in a list."""

    # The id of the app.
    id: int
    # The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`.
    type: Literal[
        "chat",
        "comments",
        "files",
        "posts",
        "chat_room",
        "private_chat",
        "d65dd4bc-418e-403c-9f56-f9cf4da931ed",
        "88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd",
        "523edd88-4bbf-4547-b60f-2859a6d2ddc1",
        "5ebfa152-de85-48da-82dd-30a1b560c313",
        "edb400ac-839b-45a7-b2a8-6a01820d1c44",
        "7e14f418-8f15-46f4-b182-f619b671e470",
    ]
    # The unique name that the host product gave the app.
    uid: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). If the app has a directory, this applies to the users of that
    # directory only.
    access: Literal["none", "read", "write"]
    # The id of the directory that `access` is limited to. Absent when it is not limited.
    directory_id: NotRequired[int]
    # The name to show: `name`, or `uid` if there is none. A conversation without a name is called
    # by the names of its members.
    display_name: str
    # The name of the app, at most 256 characters. Absent when it has none.
    name: NotRequired[str]
    # What the app is about, at most 4096 characters. Absent when it has none.
    description: NotRequired[str]
    # Not used: always absent.
    archive_url: NotRequired[str]
    # The address of the other person's picture in a private chat; needs no credential. Absent
    # otherwise.
    avatar_url: NotRequired[str]
    # Free-form properties of the app, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the app, in the order in which they were set.
    tags: list[str]
    # When the app was created.
    created_at: str
    # The id of the user who created the app; that of `system` for an app made with an API key.
    created_by_id: int
    # When the app was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the app. Absent until the first change.
    modified_by_id: NotRequired[int]
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # The content that is held until a moderator approves it: `everything` that users write here,
    # the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When
    # absent, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items make a newcomer known. Only where `approval` is `newcomers`.
    approval_count: NotRequired[int]
    # What people without a credential may do: read the comments of the app (`read`), or also write
    # some once they have signed in as visitors (`write`). Absent where they may do nothing.
    visitors: NotRequired[Literal["read", "write"]]
    # What the caller may do in the app.
    permissions: list[Literal["list", "read", "create", "update", "delete", "admin"]]
    # Whether the caller has starred the app.
    is_starred: bool
    # Whether the caller is notified of activity in the app.
    is_subscribed: bool
    # Whether the app is in the trash.
    is_trashed: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # One page of a list.
    members: NotRequired[MemberList]


class AppMember(TypedDict):
    """A member of an app."""

    # The id of the user.
    id: int
    # The uid of the user.
    uid: str
    # What the member may do in the app: nothing (`none`), read (`read`), or also create content
    # (`write`). It replaces the access level of the app, whether it is more or less.
    access: Literal["none", "read", "write"]
    # What the member may do beyond `access`, while that is `write`: decide on everyone's content
    # (`moderator`), or also change the app and its members (`manager`). Absent for most members.
    role: NotRequired[Literal["moderator", "manager"]]
    # The member's name for display.
    display_name: str
    # The address of the user's picture; needs no credential. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # When a client of the member last reported that it had received the messages of the chat.
    # Absent until then, and in other apps.
    delivered_at: NotRequired[str]
    # When the member last marked the chat as read. Absent until then, and in other apps.
    marked_at: NotRequired[str]
    # The id of the last message that the member has read. Absent when the chat has not been read or
    # was marked as unread.
    marked_id: NotRequired[int]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # Whether the user is a program rather than a person.
    is_bot: bool


class AppPatch(TypedDict):
    """The fields of an app that a client can change."""

    # The unique name of the app: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: NotRequired[str]
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). `none` when absent on create.
    access: NotRequired[Literal["none", "read", "write"] | None]
    # The id or name of a directory. It limits `access` to the users of that directory, which cannot
    # be `visitors`. Where a user opens the app and names none, it is the directory of that user;
    # only API keys open an app to all users of a server with directories.
    directory: NotRequired[str | None]
    # The name of the app. A name that is empty or blank counts as none.
    name: NotRequired[str | None]
    # The subject of the app.
    description: NotRequired[str | None]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any] | None]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str] | None]
    # The content that is held until a moderator approves it: `everything` that users write here;
    # texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are
    # visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match,
    # including rules that only report elsewhere. An edit holds an item where a new one by the same
    # user would be held. Content of moderators, managers and API keys is never held, and content of
    # trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on
    # create, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"] | None]
    # How many approved items end the status of a newcomer; 1 when absent on create.
    approval_count: NotRequired[int | None]
    # What people without a credential may do in a comments app: read its comments (`read`), or also
    # write some once they have signed in as visitors (`write`). It counts while `access` lets users
    # read and the app has no directory. Nothing when absent on create.
    visitors: NotRequired[Literal["read", "write"] | None]


class AppPut(TypedDict):
    """The fields of an app that a client can set, whether the app exists or not."""

    # The type of the app, which cannot be changed: chat, comments, files, posts, chat_room or
    # private_chat in any case, or its guid.
    type: str
    # The unique name of the app: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: NotRequired[str]
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). `none` when absent on create.
    access: NotRequired[Literal["none", "read", "write"] | None]
    # The id or name of a directory. It limits `access` to the users of that directory, which cannot
    # be `visitors`. Where a user opens the app and names none, it is the directory of that user;
    # only API keys open an app to all users of a server with directories.
    directory: NotRequired[str | None]
    # The name of the app. A name that is empty or blank counts as none.
    name: NotRequired[str | None]
    # The subject of the app.
    description: NotRequired[str | None]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any] | None]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str] | None]
    # The content that is held until a moderator approves it: `everything` that users write here;
    # texts of `newcomers` until `approval_count` of them are approved; what `guests` write, who are
    # visitors with nothing but a name; or texts that `rules` of `PUT /api/moderation/rules` match,
    # including rules that only report elsewhere. An edit holds an item where a new one by the same
    # user would be held. Content of moderators, managers and API keys is never held, and content of
    # trusted users (`is_trusted`) is held for `everything` and `rules` alone. When absent on
    # create, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"] | None]
    # How many approved items end the status of a newcomer; 1 when absent on create.
    approval_count: NotRequired[int | None]
    # What people without a credential may do in a comments app: read its comments (`read`), or also
    # write some once they have signed in as visitors (`write`). It counts while `access` lets users
    # read and the app has no directory. Nothing when absent on create.
    visitors: NotRequired[Literal["read", "write"] | None]


class Attachment(TypedDict):
    """A file that belongs to a comment, a post or a message."""

    # The id of the file.
    id: int
    # The id of the app that the file is in.
    app_id: int
    # The number of the current version. Versions count from 1.
    version: int
    # The name of the file with its extension, at most 256 characters.
    name: str
    # The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`,
    # `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else.
    kind: str
    # The media type, judged by the bytes; for a file kept elsewhere, as it was declared.
    media_type: str
    # The width of a picture, in pixels. Absent for anything else.
    width: NotRequired[int]
    # The height of a picture, in pixels. Absent for anything else.
    height: NotRequired[int]
    # The size in bytes.
    size: int
    # Free-form properties of the file, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the file, in the order in which they were set.
    tags: list[str]
    # The name of the service that keeps the bytes. Absent for an upload.
    provider: NotRequired[str]
    # What the provider says about the file, as it was sent or as JSON. Absent for an upload.
    raw: NotRequired[str]
    # The address to download the file from. That of an upload needs no credential and expires
    # within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose
    # provider has none.
    download_url: NotRequired[str]
    # Not used: always absent.
    application_url: NotRequired[str]
    # The address at which the provider shows the file inside another page. Absent for an upload.
    embed_url: NotRequired[str]
    # The address at which the provider shows the file. Absent for an upload.
    external_url: NotRequired[str]
    # How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in
    # a frame), or `none`.
    preview_format: str
    # Where the file can be shown from; needs no credential and expires within 30 hours, or sooner
    # as the operator sets it. Absent when `preview_format` is `none`.
    preview_url: NotRequired[str]
    # The address of a small picture of the file; needs no credential and expires within 30 hours,
    # or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.
    thumbnail_url: NotRequired[str]
    # When the file was created.
    created_at: str
    # The id of the user who created the file.
    created_by_id: int
    # When the file was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the file. Absent until the first change.
    modified_by_id: NotRequired[int]
    # How many comments on the file are not in the trash.
    comment_count: int
    # Always empty: the comments on a file are listed under `/api/files/{id}/comments`.
    comments: list[dict[str, Any]]
    # Whether the caller is notified of comments on the file.
    is_subscribed: bool
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # Whether the file is in the trash.
    is_trashed: bool
    # True while only its author and moderators see the file, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]


class Attempt(TypedDict):
    """One try to send a delivery."""

    # The number of the attempt, from 1. It continues when the delivery is redelivered.
    number: int
    # When the attempt was started.
    started_at: str
    # How long the attempt took, in seconds.
    duration: float
    # The kind of failure, such as `http_500` or `timeout`. Absent after a success.
    error: NotRequired[str]
    # The request that was sent.
    request: AttemptRequest
    # The response of the receiver. Absent when there was none.
    response: NotRequired[AttemptResponse]


class AttemptRequest(TypedDict):
    """The request that was sent."""

    # The address that was called. Absent for attempts made before addresses were kept.
    url: NotRequired[str]
    # The headers that were sent, by name. Absent for attempts made before headers were kept.
    headers: NotRequired[dict[str, Any]]
    # The exact text that was sent, the same on every attempt.
    body: str


class AttemptResponse(TypedDict):
    """The response of the receiver. Absent when there was none."""

    # The HTTP status of the response.
    status_code: int
    # The headers of the response, by name. Absent for attempts made before headers were kept.
    headers: NotRequired[dict[str, Any]]
    # The first 16 KiB of the body. Absent when it was empty or its retention has ended.
    body: NotRequired[str]
    # Whether the body was longer than what is kept of it.
    is_truncated: bool
    # Whether the body was valid UTF-8. If not, U+FFFD replaces what was invalid.
    is_utf8: bool


class AutocompleteList(TypedDict):
    """One page of a list."""

    # The items of the page, in the requested order. Absent with `count_only`.
    data: NotRequired[list[AutocompleteUser]]
    # The 1-based position of the first item; 0 on an empty page. Absent with `count_only`.
    start: NotRequired[int]
    # The 1-based position of the last item; 0 on an empty page. Absent with `count_only`.
    end: NotRequired[int]
    # How many items match on all pages. Absent with `count=false`.
    count: NotRequired[int]


class AutocompleteUser(TypedDict):
    """A user who can be mentioned or invited."""

    # The id of the user.
    id: int
    # The unique name that the host product gave the user.
    uid: str
    # The user's name for display.
    display_name: str
    # The address of the user's picture; needs no credential. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # Whether the user is a member of the app that `id` names. Absent without `id`.
    is_member: NotRequired[bool]
    # What the user may do in the app that `id` names; `admin` is a user who manages it. Absent
    # without `id`.
    access: NotRequired[Literal["none", "read", "write", "admin"]]


class Backup(TypedDict):
    """A backup of the store."""

    # The id of the backup: when it began, with hyphens in place of colons.
    id: str
    # Whether its manifest exists and is intact. `unfinished` is a backup that is being made or was
    # interrupted.
    state: Literal["whole", "unfinished", "damaged"]
    # The backup has every change that was acknowledged before this time. This and the following
    # properties are absent unless the backup is intact.
    moment: NotRequired[str]
    # The position in the log of events up to which it goes.
    position: NotRequired[int]
    # How many bytes it takes without blobs, which all backups share.
    bytes: NotRequired[int]
    # How many blobs it has.
    blobs: NotRequired[int]
    # How many bytes these take.
    blob_bytes: NotRequired[int]
    # Whether the key that seals secrets of webhooks is in it.
    key: NotRequired[Literal["sealed", "left out", "not needed"]]
    # Until when a store can be restored from it and the shipped log. Absent without.
    until: NotRequired[str]
    # The last check of a backup through this interface.
    check: NotRequired[BackupCheck]


class BackupCheck(TypedDict):
    """The last check of a backup through this interface."""

    # When the check ended.
    at: str
    # Whether every file, row and blob was as it was.
    is_whole: bool
    # The first 5 faults; empty for an intact backup.
    faults: list[str]


class BackupJob(TypedDict):
    """The making or checking of a backup, in the background."""

    # The kind of work.
    kind: Literal["create", "verify"]
    # The id of the backup that is checked, or that was made.
    id: NotRequired[str]
    # The progress. A check that finds damage is `done`; its findings are with the backup.
    state: Literal["running", "done", "failed"]
    # When it began.
    started_at: str
    # When it ended. Absent while it runs.
    finished_at: NotRequired[str]
    # Why it failed. Absent unless it did.
    failure: NotRequired[str]


class Backups(TypedDict):
    """The backups at the place of the server."""

    # Whether Confab can make backups of this store. It can on SQLite; PostgreSQL has its own tools.
    is_possible: bool
    # Where the backups are: a folder, or `s3://bucket/prefix`. Absent where `CONFAB_BACKUP_TO` is
    # not set.
    place: NotRequired[str]
    # Why the place cannot be read at the moment. Absent when it can.
    failure: NotRequired[str]
    # How many backups there are.
    count: int
    # The newest 100, the newest first.
    data: list[Backup]
    # The making or checking of a backup, in the background.
    job: NotRequired[BackupJob]


class Ban(TypedDict):
    """A network from which visitors can neither sign in nor change anything for a while. They
    can still read.
    """

    # The id of the ban.
    id: int
    # The network that is banned, as CIDR.
    address: str
    # Why, for other moderators. Absent where nothing was said.
    reason: NotRequired[str]
    # Since when the address is banned.
    created_at: str
    # Until when the address is banned.
    expires_at: str


class BanCreate(TypedDict):
    """What to ban, and until when."""

    # An address, or a network as CIDR of at most a /16 for IPv4 and a /32 for IPv6. An IPv6 address
    # stands for its /64, of which one machine can have all addresses.
    address: NotRequired[str]
    # In place of `address`: the id or uid of a visitor, whose last known address is banned. It is
    # known for 30 days after they signed in.
    user: NotRequired[str | int]
    # Until when, in RFC 3339: at most 366 days from now.
    expires_at: NotRequired[str]
    # In place of `expires_at`: for how long, in seconds.
    seconds: NotRequired[int]
    # Why, for other moderators.
    reason: NotRequired[str]


class BanMark(TypedDict):
    """A ban in an event, without the address and the reason."""

    # The id of the ban.
    id: int
    # Since when the address is banned.
    created_at: str
    # Until when the address is banned.
    expires_at: str


class Blob(TypedDict):
    """An upload, or a file kept elsewhere. Only its creator and API keys see it until something
    uses it.
    """

    # The id of the blob.
    id: int
    # The name of the file, at most 256 characters, without folders or invisible characters.
    name: str
    # The media type, judged by the bytes; for a file kept elsewhere, as it was declared.
    media_type: str
    # The width of a picture, in pixels. Absent for anything else.
    width: NotRequired[int]
    # The height of a picture, in pixels. Absent for anything else.
    height: NotRequired[int]
    # The size in bytes.
    size: int
    # The address of a small picture of the file; needs no credential and expires within 30 hours,
    # or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.
    thumbnail_url: NotRequired[str]
    # The name of the service that keeps the bytes. Absent for an upload.
    provider: NotRequired[str]
    # The address at which the provider shows the file. Absent for an upload.
    external_url: NotRequired[str]
    # The address at which the provider serves the bytes. Absent for an upload, and when the
    # provider has none.
    download_url: NotRequired[str]
    # The address at which the provider shows the file inside another page. Absent for an upload,
    # and when the provider has none.
    embed_url: NotRequired[str]
    # Data of the provider about the file, as it was sent or as JSON. Absent for an upload, and when
    # nothing was sent.
    raw: NotRequired[str]


class Breaker(TypedDict):
    """Open while the receiver keeps failing: only occasional probes are sent; all other
    deliveries wait and use up no attempts. The breaker closes by itself at the first success.
    A closed breaker has only `state`.
    """

    # Whether deliveries are held back (`open`) or sent (`closed`).
    state: Literal["closed", "open"]
    # What went wrong, in one sentence. Absent while the breaker is closed.
    reason: NotRequired[str]
    # When the breaker opened. Absent while it is closed.
    opened_at: NotRequired[str]
    # When one delivery is sent as a probe. Absent while the breaker is closed.
    next_probe_at: NotRequired[str]


class CodeExchange(TypedDict):
    """The code of a window, with the proof that the page has opened it."""

    # The code that the window of Confab has given the page.
    code: str
    # The text of which the page sent the SHA-256 as `challenge` when it opened the window (RFC
    # 7636).
    verifier: str


class Comment(TypedDict):
    """A comment on an app, a file or a post."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author.
    created_by_id: int
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The id of the comment that it answers. Absent when it answers none.
    reply_to_id: NotRequired[int]
    # The id of the comment that began its thread. Absent in that comment, and when it answers none.
    root_id: NotRequired[int]
    # How many comments below it are shown: all of the thread for the comment that began it, and
    # those that answer it for any other. Absent when there are none.
    reply_count: NotRequired[int]
    # The item that another item belongs to.
    parent: Parent
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class CommentCounts(TypedDict):
    """How many comments some apps have."""

    # The numbers in the order of the uids in the request.
    counts: list[int]


class CommentCreate(TypedDict):
    """The fields of a request that creates a comment."""

    # The ids of the blobs to attach, at most 100, each once.
    blobs: NotRequired[list[int]]
    # The id of an embed to show below the text; one of the caller's.
    embed_id: NotRequired[int]
    # The id of a meeting to show below the text; one of the caller's.
    meeting_id: NotRequired[int]
    # The options of a poll, in order, at most 50. There is no poll when absent.
    options: NotRequired[list[CommentCreateOption]]
    # The text as Markdown, at most 64 KiB in UTF-8.
    text: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # The id of the comment to answer: one of the same app, file or post that is neither held nor in
    # the trash.
    reply_to: NotRequired[int]


class CommentCreateOption(TypedDict):
    # The option in words; not blank.
    text: str


class CommentItem(TypedDict):
    """A comment in a list."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author. Absent only in the place of a comment that was deleted or is in the
    # trash, in a thread.
    created_by_id: NotRequired[int]
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The id of the comment that it answers. Absent when it answers none.
    reply_to_id: NotRequired[int]
    # The id of the comment that began its thread. Absent in that comment, and when it answers none.
    root_id: NotRequired[int]
    # How many comments below it are shown: all of the thread for the comment that began it, and
    # those that answer it for any other. Absent when there are none.
    reply_count: NotRequired[int]
    # The item that another item belongs to.
    parent: NotRequired[Parent]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # The first comments of the thread below it, by id. Only in a list of threads.
    replies: NotRequired[list[AnswerItem]]


class Conversation(TypedDict):
    """A chat, a chat room or a private chat, as its reader sees it."""

    # The id of the app.
    id: int
    # The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`.
    type: Literal[
        "chat",
        "comments",
        "files",
        "posts",
        "chat_room",
        "private_chat",
        "d65dd4bc-418e-403c-9f56-f9cf4da931ed",
        "88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd",
        "523edd88-4bbf-4547-b60f-2859a6d2ddc1",
        "5ebfa152-de85-48da-82dd-30a1b560c313",
        "edb400ac-839b-45a7-b2a8-6a01820d1c44",
        "7e14f418-8f15-46f4-b182-f619b671e470",
    ]
    # The unique name that the host product gave the app.
    uid: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). If the app has a directory, this applies to the users of that
    # directory only.
    access: Literal["none", "read", "write"]
    # The id of the directory that `access` is limited to. Absent when it is not limited.
    directory_id: NotRequired[int]
    # The name to show: `name`, or `uid` if there is none. A conversation without a name is called
    # by the names of its members.
    display_name: str
    # The name of the app, at most 256 characters. Absent when it has none.
    name: NotRequired[str]
    # What the app is about, at most 4096 characters. Absent when it has none.
    description: NotRequired[str]
    # Not used: always absent.
    archive_url: NotRequired[str]
    # The address of the other person's picture in a private chat; needs no credential. Absent
    # otherwise.
    avatar_url: NotRequired[str]
    # Free-form properties of the app, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the app, in the order in which they were set.
    tags: list[str]
    # When the app was created.
    created_at: str
    # The id of the user who created the app; that of `system` for an app made with an API key.
    created_by_id: int
    # When the app was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the app. Absent until the first change.
    modified_by_id: NotRequired[int]
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # The content that is held until a moderator approves it: `everything` that users write here,
    # the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When
    # absent, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items make a newcomer known. Only where `approval` is `newcomers`.
    approval_count: NotRequired[int]
    # What people without a credential may do: read the comments of the app (`read`), or also write
    # some once they have signed in as visitors (`write`). Absent where they may do nothing.
    visitors: NotRequired[Literal["read", "write"]]
    # What the caller may do in the app.
    permissions: list[Literal["list", "read", "create", "update", "delete", "admin"]]
    # Whether the caller has starred the app.
    is_starred: bool
    # Whether the caller is notified of activity in the app.
    is_subscribed: bool
    # Whether the app is in the trash.
    is_trashed: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # One page of a list.
    members: MemberList
    # The id of the newest message. Absent when there is none.
    last_message_id: NotRequired[int]
    # A message in a list.
    last_message: NotRequired[MessageItem]
    # Whether the caller pinned it.
    is_pinned: bool
    # Whether the caller has not read its last message.
    is_unread: bool


class ConversationBadge(TypedDict):
    """How many conversations of each kind the caller has not read."""

    # How many private chats are unread.
    private: int
    # How many chat rooms are unread.
    rooms: int
    # How many chats are unread.
    chat: int
    # Always 0: there are no conversations with bots of their own kind.
    bots: int


class ConversationCreate(TypedDict):
    """The members of a conversation to create, with its type and name."""

    # The other members, by id or uid. The caller is a member in any case.
    members: NotRequired[list[str | int]]
    # The name of the chat room. Absent for a private chat.
    name: NotRequired[str]
    # `private_chat` or `chat_room`. When absent, it follows from the name and the number of
    # members.
    type: NotRequired[str]


class ConversationItem(TypedDict):
    """A conversation in a list."""

    # The id of the app.
    id: int
    # The name of the type, or its guid for a client that sends `X-Weavy-Source: @weavy/uikit`.
    type: Literal[
        "chat",
        "comments",
        "files",
        "posts",
        "chat_room",
        "private_chat",
        "d65dd4bc-418e-403c-9f56-f9cf4da931ed",
        "88f96a08-c6c1-4eac-a0bd-5bf8fba1a3fd",
        "523edd88-4bbf-4547-b60f-2859a6d2ddc1",
        "5ebfa152-de85-48da-82dd-30a1b560c313",
        "edb400ac-839b-45a7-b2a8-6a01820d1c44",
        "7e14f418-8f15-46f4-b182-f619b671e470",
    ]
    # The unique name that the host product gave the app.
    uid: str
    # What users who are not members may do in the app: nothing (`none`), read (`read`), or also
    # create content (`write`). If the app has a directory, this applies to the users of that
    # directory only.
    access: Literal["none", "read", "write"]
    # The id of the directory that `access` is limited to. Absent when it is not limited.
    directory_id: NotRequired[int]
    # The name to show: `name`, or `uid` if there is none. A conversation without a name is called
    # by the names of its members.
    display_name: str
    # The name of the app, at most 256 characters. Absent when it has none.
    name: NotRequired[str]
    # What the app is about, at most 4096 characters. Absent when it has none.
    description: NotRequired[str]
    # Not used: always absent.
    archive_url: NotRequired[str]
    # The address of the other person's picture in a private chat; needs no credential. Absent
    # otherwise.
    avatar_url: NotRequired[str]
    # Free-form properties of the app, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the app, in the order in which they were set.
    tags: list[str]
    # When the app was created.
    created_at: str
    # The id of the user who created the app; that of `system` for an app made with an API key.
    created_by_id: int
    # When the app was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the app. Absent until the first change.
    modified_by_id: NotRequired[int]
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # The content that is held until a moderator approves it: `everything` that users write here,
    # the first items of `newcomers`, the items of `guests`, or texts that `rules` match. When
    # absent, only rules that hold texts everywhere apply.
    approval: NotRequired[Literal["everything", "newcomers", "guests", "rules"]]
    # How many approved items make a newcomer known. Only where `approval` is `newcomers`.
    approval_count: NotRequired[int]
    # What people without a credential may do: read the comments of the app (`read`), or also write
    # some once they have signed in as visitors (`write`). Absent where they may do nothing.
    visitors: NotRequired[Literal["read", "write"]]
    # What the caller may do in the app.
    permissions: list[Literal["list", "read", "create", "update", "delete", "admin"]]
    # Whether the caller has starred the app.
    is_starred: bool
    # Whether the caller is notified of activity in the app.
    is_subscribed: bool
    # Whether the app is in the trash.
    is_trashed: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # One page of a list.
    members: MemberList
    # The id of the newest message. Absent when there is none.
    last_message_id: NotRequired[int]
    # A message in a list.
    last_message: NotRequired[MessageItem]
    # Whether the caller pinned it.
    is_pinned: bool
    # Whether the caller has not read its last message.
    is_unread: bool


class Delivery(TypedDict):
    """One event for one webhook, with the body that is sent."""

    # The id of the delivery.
    id: int
    # The guid of the delivery, the same on every attempt.
    guid: str
    # The number of the delivery for its webhook, from 1 and without gaps. A redelivery keeps it.
    # Absent before the first attempt.
    sequence: NotRequired[int]
    # The id of the event, the same for every webhook that receives it.
    event_id: int
    # The action of the event, such as `comment_created`.
    action: str
    # When the event happened.
    created_at: str
    # How many attempts to send it were made.
    attempts: int
    # The earliest time of the next attempt. It can be in the past while the delivery waits for its
    # turn. Absent when no attempt is planned, and while the webhook is disabled.
    next_attempt_at: NotRequired[str]
    # When the last attempt was made. Absent before the first.
    delivered_at: NotRequired[str]
    # How long the last attempt took, in seconds. Absent before the first.
    duration: NotRequired[float]
    # The receiver's HTTP status at the last attempt. Absent before the first, and when there was no
    # response.
    status_code: NotRequired[int]
    # The state of the delivery: `pending` before the first attempt and after a redelivery was
    # requested, `retrying` after a failed attempt, `delivered` after a 2xx, `failed` when no
    # attempt is left, `canceled` when it was given up.
    status: Literal["pending", "retrying", "delivered", "failed", "canceled"]
    # The body as it is sent, with the subject of the event under its own name.
    payload: DeliveryPayload


class DeliveryItem(TypedDict):
    """One event for one webhook, in a list."""

    # The id of the delivery.
    id: int
    # The guid of the delivery, the same on every attempt.
    guid: str
    # The number of the delivery for its webhook, from 1 and without gaps. A redelivery keeps it.
    # Absent before the first attempt.
    sequence: NotRequired[int]
    # The id of the event, the same for every webhook that receives it.
    event_id: int
    # The action of the event, such as `comment_created`.
    action: str
    # When the event happened.
    created_at: str
    # How many attempts to send it were made.
    attempts: int
    # The earliest time of the next attempt. It can be in the past while the delivery waits for its
    # turn. Absent when no attempt is planned, and while the webhook is disabled.
    next_attempt_at: NotRequired[str]
    # When the last attempt was made. Absent before the first.
    delivered_at: NotRequired[str]
    # How long the last attempt took, in seconds. Absent before the first.
    duration: NotRequired[float]
    # The receiver's HTTP status at the last attempt. Absent before the first, and when there was no
    # response.
    status_code: NotRequired[int]
    # The state of the delivery: `pending` before the first attempt and after a redelivery was
    # requested, `retrying` after a failed attempt, `delivered` after a 2xx, `failed` when no
    # attempt is left, `canceled` when it was given up.
    status: Literal["pending", "retrying", "delivered", "failed", "canceled"]
    # The body as it is sent, with the subject of the event under its own name.
    payload: NotRequired[DeliveryPayload]


_DeliveryPayloadKeywords = TypedDict("_DeliveryPayloadKeywords", {"import": "NotRequired[Import]"})


class DeliveryPayload(_DeliveryPayloadKeywords):
    """The body as it is sent, with the subject of the event under its own name."""

    # The id of the event.
    id: int
    # The action of the event, such as `comment_created`.
    action: str
    # The user who caused an event, as they were at that time.
    actor: Actor
    # When the event happened.
    timestamp: str
    # The action with a dot.
    type: str
    # The guid of the delivery, the same on every attempt.
    guid: str
    # An app in a list.
    app: NotRequired[AppItem]
    # A member of an app.
    member: NotRequired[AppMember]
    # A comment in a list.
    comment: NotRequired[CommentItem]
    # A post in a list.
    post: NotRequired[PostItem]
    # A file in a list.
    file: NotRequired[FileItem]
    # A message in a list.
    message: NotRequired[MessageItem]
    # A reported or held item in a list: one for each item, however many users reported it.
    report: NotRequired[ReportItem]
    # Why the actor reported it, such as `spam`.
    reason: NotRequired[str]
    # The reaction: one emoji.
    reaction: NotRequired[str]
    # The item that another item belongs to.
    entity: NotRequired[Parent]
    # One option of a poll.
    option: NotRequired[Option]
    # An app in a list.
    conversation: NotRequired[AppItem]
    # When the actor marked the conversation as read. Absent when it was marked as unread.
    marked_at: NotRequired[str]
    # The id of the newest notification that was marked.
    marked_id: NotRequired[int]
    # When the messages arrived.
    delivered_at: NotRequired[str]
    # A notification in a list.
    notification: NotRequired[NotificationItem]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    user: NotRequired[User]
    # The ids of the notifications, at most 400.
    notification_ids: NotRequired[list[int]]
    # What the user chose.
    mail: NotRequired[Literal["all", "direct", "none"]]
    # How long the token is valid, in seconds.
    expires_in: NotRequired[int]
    # A group of users who see each other.
    directory: NotRequired[Directory]
    # An upload, or a file kept elsewhere. Only its creator and API keys see it until something uses
    # it.
    blob: NotRequired[Blob]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A text that rules matched.
    match: NotRequired[RuleMatch]
    # A ban in an event, without the address and the reason.
    ban: NotRequired[BanMark]
    # The rules that texts are screened with, in an event.
    rules: NotRequired[RuleSet]
    # An address that is notified of events. Its secret is never shown.
    webhook: NotRequired[Webhook]
    # One event for one webhook, in a list.
    delivery: NotRequired[DeliveryItem]
    # How many deliveries are to be sent again.
    redelivered: NotRequired[int]


class Directory(TypedDict):
    """A group of users who see each other."""

    # The id of the directory.
    id: int
    # The unique name of the directory.
    name: str


class DirectoryCreate(TypedDict):
    """The fields of a request that creates a directory."""

    # The unique name of the directory: 1 to 256 characters without white space, at least one of
    # them not a digit.
    name: str


class DirectoryPatch(TypedDict):
    """The fields of a directory that a client can change."""

    # The unique name of the directory: 1 to 256 characters without white space, at least one of
    # them not a digit.
    name: NotRequired[str]


class DoctorFinding(TypedDict):
    """Something that the doctor has found."""

    # The name of the check, as the guide to the doctor lists them. It stays the same.
    check: str
    # The severity. A `note` is not about a fault of this server, but for example about a failing
    # receiver.
    level: Literal["error", "warning", "note"]
    # What is wrong, in a sentence.
    what: str
    # How to mend it, in a sentence.
    mend: str
    # Whether `POST /api/doctor/fix` mends it. Fixes that block other writers are left to the
    # command.
    is_fixable: bool


class DoctorFixed(TypedDict):
    """Something that the doctor has mended."""

    # The name of the check.
    check: str
    # What was done, in a sentence.
    what: str


class DoctorRun(TypedDict):
    """The last examination of the server and its store."""

    # The progress; `never` before the first examination. An examination that finds faults is
    # `done`; one that could not run is `failed`.
    state: Literal["never", "running", "done", "failed"]
    # Whether it mends what it finds.
    is_fixing: NotRequired[bool]
    # The machine whose node looks: its settings, its disk and its surroundings are examined.
    host: NotRequired[str]
    # When it began.
    started_at: NotRequired[str]
    # When it ended. Absent while it runs.
    finished_at: NotRequired[str]
    # Why it could not look. Absent unless it failed.
    failure: NotRequired[str]
    # Whether it found nothing but notes. Absent unless it is done.
    is_healthy: NotRequired[bool]
    # How many things it found; after mending, how many are left.
    count: int
    # The first 100 findings.
    findings: list[DoctorFinding]
    # The first 100 fixes.
    fixed: list[DoctorFixed]


class EmailSignIn(TypedDict):
    """The mailbox of a visitor, and the page that wants to know."""

    # The address of the mailbox.
    email: str
    # The origin of the page, which has to be one of `CONFAB_CORS_ORIGINS`.
    origin: str
    # The SHA-256 of the verifier of the page, in base64url (RFC 7636).
    challenge: str
    # The address of the page, for the link of the mail, which goes there. Its origin is `origin`.
    # Without it the mail has no link.
    return_to: NotRequired[str]


class Embed(TypedDict):
    """A page or picture on the web that a comment, a post or a message shows."""

    # The id of the embed.
    id: int
    # The description that the page declares, as plain text of at most 1024 characters. Absent when
    # it declares none.
    description: NotRequired[str]
    # When the embed was created.
    created_at: str
    # The id of the user who created the embed.
    created_by_id: int
    # The host name of `original_url`.
    host: str
    # The address as it was sent. Characters that could end an HTML attribute, such as quotes and
    # angle brackets, are percent-encoded.
    original_url: str
    # Whether there is nothing to show but a link with its preview.
    is_link: bool
    # What the embed shows: the preview of a page (`link`) or a picture (`photo`).
    type: str
    # The version of oEmbed in the answer of the site. Absent when the site does not offer oEmbed.
    version: NotRequired[str]
    # The title of the page, as plain text of at most 256 characters. Absent when it has none.
    title: NotRequired[str]
    # The author that the page names, as plain text of at most 128 characters. Absent when it names
    # none.
    author_name: NotRequired[str]
    # The address of the author's page. Absent when the page names none.
    author_url: NotRequired[str]
    # The name of the site, as plain text of at most 128 characters. Absent when the page names
    # none.
    provider_name: NotRequired[str]
    # The address of the site. Absent when the page names none.
    provider_url: NotRequired[str]
    # How long the page may be cached, in seconds, as the page specifies. Absent when it does not.
    cache_age: NotRequired[int]
    # The address of a picture of the page, on the site of the page. Absent when it has none.
    thumbnail_url: NotRequired[str]
    # The width of that picture in pixels, as the page declares it. Absent when it does not.
    thumbnail_width: NotRequired[int]
    # The height of that picture in pixels, as the page declares it. Absent when it does not.
    thumbnail_height: NotRequired[int]
    # The address of the picture. Absent for a link.
    url: NotRequired[str]
    # The width of a photo in pixels. Absent for a link.
    width: NotRequired[int]
    # The height of a photo in pixels. Absent for a link.
    height: NotRequired[int]
    # Not used: always absent, because markup of other sites is not passed on.
    html: NotRequired[str]


class EmbedCreate(TypedDict):
    """The page or picture to create an embed of."""

    # The absolute http or https address of a page or picture.
    url: str


class EntryCreate(TypedDict):
    """The fields of a request that creates a comment, a post or a message."""

    # The ids of the blobs to attach, at most 100, each once.
    blobs: NotRequired[list[int]]
    # The id of an embed to show below the text; one of the caller's.
    embed_id: NotRequired[int]
    # The id of a meeting to show below the text; one of the caller's.
    meeting_id: NotRequired[int]
    # The options of a poll, in order, at most 50. There is no poll when absent.
    options: NotRequired[list[EntryCreateOption]]
    # The text as Markdown, at most 64 KiB in UTF-8.
    text: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]


class EntryCreateOption(TypedDict):
    # The option in words; not blank.
    text: str


class EntryPatch(TypedDict):
    """The fields of a comment, a post or a message that a client can change."""

    # The ids of the attachments to keep; the others are removed. All are kept when absent.
    attachments: NotRequired[list[int] | None]
    # The ids of the blobs to attach in addition, at most 100, each once.
    blobs: NotRequired[list[int] | None]
    # The id of an embed to show below the text; one of the caller's.
    embed_id: NotRequired[int | None]
    # The id of a meeting to show below the text; one of the caller's.
    meeting_id: NotRequired[int | None]
    # All options of the poll, in order. An option that is left out is removed with its votes.
    options: NotRequired[list[EntryPatchOption] | None]
    # The text as Markdown, at most 64 KiB in UTF-8.
    text: NotRequired[str | None]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any] | None]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str] | None]


class EntryPatchOption(TypedDict):
    # The id of an option to keep. Without it the option is added.
    id: NotRequired[int]
    # The option in words; not blank.
    text: str


class Erasure(TypedDict):
    """The receipt of the erasure of a user. It names the user by id alone."""

    # The id of the erasure.
    id: int
    # The id of the erased user. No user gets it again.
    user_id: int
    # Whether the texts of the user are removed (`remove`) or kept without their author (`keep`).
    content: Literal["remove", "keep"]
    # The id of the visitor whose account the erased one has become a part of, and to whom the
    # texts, reactions and reports now belong. Absent for everyone else.
    heir_id: NotRequired[int]
    # Whether everything is done.
    state: Literal["running", "finished"]
    # What is being worked on. Absent once everything is done.
    part: NotRequired[str]
    # When the erasure was requested.
    requested_at: str
    # When everything was done. Absent before that.
    finished_at: NotRequired[str]
    # How many of each kind were removed or rewritten.
    counts: ErasureCounts
    # The receipt, signed: a JSON Web Signature (RFC 7515, compact, EdDSA with Ed25519) whose
    # payload is this object without `signature` and whose header has the public key as `jwk`.
    # Absent until everything is done.
    signature: NotRequired[str]


class ErasureCounts(TypedDict):
    """How many of each kind were removed or rewritten."""

    # Access tokens that were revoked.
    tokens: int
    # Tags of the user.
    tags: int
    # Memberships in apps.
    memberships: int
    # Stars of the user that were removed.
    stars: int
    # Subscriptions of the user that were removed.
    subscriptions: int
    # Reactions of the user that were removed.
    reactions: int
    # Votes in polls.
    votes: int
    # Comments of the user: removed, or kept without their author.
    comments: int
    # Posts of the user: removed, or kept without their author.
    posts: int
    # Messages of the user: removed, or kept without their author.
    messages: int
    # What texts of the user said before edits.
    revisions: int
    # Texts in which the user was mentioned, and which now say "Deleted user" there.
    mentions: int
    # Files and attachments that were removed.
    files: int
    # Earlier versions of files that the user had put in.
    file_versions: int
    # Files of several users that show an earlier content again, because the user had put in the
    # present one.
    file_contents: int
    # Uploads that nothing used.
    uploads: int
    # Embeds that nothing shows any longer.
    embeds: int
    # Meetings to which nothing invites any longer.
    meetings: int
    # Events of the log that were rewritten, and with them the bodies of their deliveries.
    events: int
    # Attempts to deliver such events whose stored answers were removed.
    attempts: int
    # Notifications of the user.
    notifications: int
    # Notifications of other users that were removed or rewritten.
    notifications_of_others: int
    # Answers that were kept for retries of the user's requests.
    kept_answers: int
    # Answers that are kept for retries of other users' requests and were rewritten.
    kept_answers_of_others: int


_EventKeywords = TypedDict("_EventKeywords", {"import": "NotRequired[Import]"})


class Event(_EventKeywords):
    """One change, with its subject under its own name: `comment`, `app`, `member` and so on. If
    the reader could not read the same content at the address of the subject now, it is blank:
    it has no words.
    """

    # The position of the event in the log, which grows with each event.
    position: int
    # The id of the event.
    id: int
    # The action, such as `comment_created`.
    action: str
    # The user who caused an event, as they were at that time.
    actor: Actor
    # When the change was made.
    timestamp: str
    # The action with a dot, as webhooks have it.
    type: str
    # An app in a list.
    app: NotRequired[AppItem]
    # A member of an app.
    member: NotRequired[AppMember]
    # A comment in a list.
    comment: NotRequired[CommentItem]
    # A post in a list.
    post: NotRequired[PostItem]
    # A file in a list.
    file: NotRequired[FileItem]
    # A message in a list.
    message: NotRequired[MessageItem]
    # A reported or held item in a list: one for each item, however many users reported it.
    report: NotRequired[ReportItem]
    # Why the actor reported it, such as `spam`.
    reason: NotRequired[str]
    # The reaction: one emoji.
    reaction: NotRequired[str]
    # The item that another item belongs to.
    entity: NotRequired[Parent]
    # One option of a poll.
    option: NotRequired[Option]
    # An app in a list.
    conversation: NotRequired[AppItem]
    # When the actor marked the conversation as read. Absent when it was marked as unread.
    marked_at: NotRequired[str]
    # The id of the newest notification that was marked.
    marked_id: NotRequired[int]
    # When the messages arrived.
    delivered_at: NotRequired[str]
    # A notification in a list.
    notification: NotRequired[NotificationItem]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    user: NotRequired[User]
    # The ids of the notifications, at most 400.
    notification_ids: NotRequired[list[int]]
    # What the user chose.
    mail: NotRequired[Literal["all", "direct", "none"]]
    # How long the token is valid, in seconds.
    expires_in: NotRequired[int]
    # A group of users who see each other.
    directory: NotRequired[Directory]
    # An upload, or a file kept elsewhere. Only its creator and API keys see it until something uses
    # it.
    blob: NotRequired[Blob]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A text that rules matched.
    match: NotRequired[RuleMatch]
    # A ban in an event, without the address and the reason.
    ban: NotRequired[BanMark]
    # The rules that texts are screened with, in an event.
    rules: NotRequired[RuleSet]
    # An address that is notified of events. Its secret is never shown.
    webhook: NotRequired[Webhook]
    # One event for one webhook, in a list.
    delivery: NotRequired[DeliveryItem]
    # How many deliveries are to be sent again.
    redelivered: NotRequired[int]


class EventPage(TypedDict):
    """Some events of the log."""

    # The events in the order of the log, or the newest first when reading backwards.
    data: list[Event]
    # The position to send as `after` for the next page, or as `before` when reading backwards. It
    # can be beyond the position of the last event on the page.
    next: int
    # Whether there was more to read at this moment.
    has_more: bool


class ExternalBlobCreate(TypedDict):
    """A file that is kept elsewhere."""

    # The name of the service that keeps the bytes, at most 256 characters.
    provider: str
    # The address at which the provider shows the file.
    link: str
    # The name of the file, at most 256 characters.
    name: str
    # The size in bytes; 0 when absent.
    size: NotRequired[int]
    # The media type of the file, such as `image/png`. Guessed from the name when absent.
    media_type: NotRequired[str]
    # The width of a picture, in pixels.
    width: NotRequired[int]
    # The height of a picture, in pixels.
    height: NotRequired[int]
    # The address at which the provider hands out the bytes.
    download: NotRequired[str]
    # The address at which the provider shows the file inside another page.
    embed: NotRequired[str]
    # Data of the provider about the file: any JSON, at most 64 KiB serialised. A string is kept as
    # it is.
    raw: NotRequired[Any]


class File(TypedDict):
    """A file of a files app, or an attachment."""

    # The id of the file.
    id: int
    # The id of the app that the file is in.
    app_id: int
    # The number of the current version. Versions count from 1.
    version: int
    # The name of the file with its extension, at most 256 characters.
    name: str
    # The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`,
    # `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else.
    kind: str
    # The media type, judged by the bytes; for a file kept elsewhere, as it was declared.
    media_type: str
    # The width of a picture, in pixels. Absent for anything else.
    width: NotRequired[int]
    # The height of a picture, in pixels. Absent for anything else.
    height: NotRequired[int]
    # The size in bytes.
    size: int
    # Free-form properties of the file, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the file, in the order in which they were set.
    tags: list[str]
    # The name of the service that keeps the bytes. Absent for an upload.
    provider: NotRequired[str]
    # What the provider says about the file, as it was sent or as JSON. Absent for an upload.
    raw: NotRequired[str]
    # The address to download the file from. That of an upload needs no credential and expires
    # within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose
    # provider has none.
    download_url: NotRequired[str]
    # Not used: always absent.
    application_url: NotRequired[str]
    # The address at which the provider shows the file inside another page. Absent for an upload.
    embed_url: NotRequired[str]
    # The address at which the provider shows the file. Absent for an upload.
    external_url: NotRequired[str]
    # How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in
    # a frame), or `none`.
    preview_format: str
    # Where the file can be shown from; needs no credential and expires within 30 hours, or sooner
    # as the operator sets it. Absent when `preview_format` is `none`.
    preview_url: NotRequired[str]
    # The address of a small picture of the file; needs no credential and expires within 30 hours,
    # or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.
    thumbnail_url: NotRequired[str]
    # When the file was created.
    created_at: str
    # The id of the user who created the file.
    created_by_id: int
    # When the file was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the file. Absent until the first change.
    modified_by_id: NotRequired[int]
    # How many comments on the file are not in the trash.
    comment_count: int
    # Always empty: the comments on a file are listed under `/api/files/{id}/comments`.
    comments: list[dict[str, Any]]
    # Whether the caller is notified of comments on the file.
    is_subscribed: bool
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # Whether the file is in the trash.
    is_trashed: bool
    # True while only its author and moderators see the file, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: Parent
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class FileCreate(TypedDict):
    """The fields of a request that puts an upload into a files app."""

    # The id of the upload that becomes the file; one of the caller's that nothing uses.
    blob_id: int
    # The name of the file; that of the upload when absent. Folders and invisible characters are
    # left out.
    name: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # Whether a file of the same name in the app gets the upload as its new version; false when
    # absent.
    replace: NotRequired[bool]


class FileItem(TypedDict):
    """A file in a list."""

    # The id of the file.
    id: int
    # The id of the app that the file is in.
    app_id: int
    # The number of the current version. Versions count from 1.
    version: int
    # The name of the file with its extension, at most 256 characters.
    name: str
    # The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`,
    # `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else.
    kind: str
    # The media type, judged by the bytes; for a file kept elsewhere, as it was declared.
    media_type: str
    # The width of a picture, in pixels. Absent for anything else.
    width: NotRequired[int]
    # The height of a picture, in pixels. Absent for anything else.
    height: NotRequired[int]
    # The size in bytes.
    size: int
    # Free-form properties of the file, as the client sent them. Absent when it has none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the file, in the order in which they were set.
    tags: list[str]
    # The name of the service that keeps the bytes. Absent for an upload.
    provider: NotRequired[str]
    # What the provider says about the file, as it was sent or as JSON. Absent for an upload.
    raw: NotRequired[str]
    # The address to download the file from. That of an upload needs no credential and expires
    # within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose
    # provider has none.
    download_url: NotRequired[str]
    # Not used: always absent.
    application_url: NotRequired[str]
    # The address at which the provider shows the file inside another page. Absent for an upload.
    embed_url: NotRequired[str]
    # The address at which the provider shows the file. Absent for an upload.
    external_url: NotRequired[str]
    # How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in
    # a frame), or `none`.
    preview_format: str
    # Where the file can be shown from; needs no credential and expires within 30 hours, or sooner
    # as the operator sets it. Absent when `preview_format` is `none`.
    preview_url: NotRequired[str]
    # The address of a small picture of the file; needs no credential and expires within 30 hours,
    # or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.
    thumbnail_url: NotRequired[str]
    # When the file was created.
    created_at: str
    # The id of the user who created the file.
    created_by_id: int
    # When the file was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # The id of the user who last changed the file. Absent until the first change.
    modified_by_id: NotRequired[int]
    # How many comments on the file are not in the trash.
    comment_count: int
    # Always empty: the comments on a file are listed under `/api/files/{id}/comments`.
    comments: list[dict[str, Any]]
    # Whether the caller is notified of comments on the file.
    is_subscribed: bool
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]
    # Whether the file is in the trash.
    is_trashed: bool
    # True while only its author and moderators see the file, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: NotRequired[Parent]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class FilePatch(TypedDict):
    """The fields of a file that a client can change."""

    # The id of the upload that becomes the content of the file; one of the caller's that nothing
    # uses.
    blob_id: NotRequired[int]
    # Another name for the file. Folders and invisible characters are left out.
    name: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any] | None]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str] | None]
    # Whether the content that `blob_id` replaces is kept as an earlier version; otherwise it is
    # lost. False when absent.
    backup: NotRequired[bool | None]


class GuestSignIn(TypedDict):
    """Who a guest says to be."""

    # The name that is shown. It may not look like that of a moderator or of another visitor, also
    # not in letters that look alike.
    name: str
    # An e-mail address, which only API keys see. No mail is sent to it.
    email: NotRequired[str]
    # A puzzle with its solution.
    puzzle: NotRequired[SolvedPuzzle]


class HeldItem(TypedDict):
    """Why an item is held."""

    # Why it is held: a `moderator` decided so, its app asks for `approval`, or a `rule` of the
    # server caught it.
    reason: Literal["moderator", "approval", "rule"]
    # The names of the rules that it matches. Only where the reason is `rule`.
    rules: NotRequired[list[str]]


class Import(TypedDict):
    """An import of the comments of another system, with its progress."""

    # The id of the import.
    id: int
    # What the file is an export of.
    kind: Literal[
        "wordpress",
        "disqus",
        "remark42",
        "artalk",
        "isso",
        "commento",
        "comentario",
        "cusdis",
        "waline",
        "giscus",
    ]
    # The name of the file.
    name: str
    # Whether users get the e-mail addresses of the file.
    keeps_emails: bool
    # What a reply becomes: an answer in a thread (`thread`), or a comment that begins with a line
    # of what it replies to (`quote`).
    replies: Literal["thread", "quote"]
    # The address of the site that paths in the file belong to. Absent when none was given.
    site: NotRequired[str]
    # The state: the file is being read (`reading`), the dry run is done (`ready`), comments are
    # being written (`running`), all are written (`finished`), the file cannot be imported or an
    # error ended the import (`failed`), a user stopped it (`stopped`), it was not run within a day,
    # so its file is gone (`expired`), it is being undone (`undoing`), or it was undone (`undone`).
    state: Literal[
        "reading",
        "ready",
        "running",
        "finished",
        "failed",
        "stopped",
        "expired",
        "undoing",
        "undone",
    ]
    # Why it failed, in a sentence. Absent unless it has failed.
    error: NotRequired[str]
    # The report of the dry run: what would be imported, and what would be left out.
    planned: NotRequired[ImportPlanned]
    # The items that an import creates.
    made: ImportMade
    # The items that undoing an import puts in the trash.
    undone: NotRequired[ImportUndone]
    # When it was created.
    created_at: str
    # When it was run. Absent before that.
    started_at: NotRequired[str]
    # When it finished, failed or was stopped. Absent before that.
    finished_at: NotRequired[str]
    # When everything was taken back. Absent before that.
    undone_at: NotRequired[str]


class ImportCreate(TypedDict):
    """The import to try."""

    # What the file is an export of.
    kind: Literal[
        "wordpress",
        "disqus",
        "remark42",
        "artalk",
        "isso",
        "commento",
        "comentario",
        "cusdis",
        "waline",
        "giscus",
    ]
    # The id of the upload with the export, which may be packed with gzip and has at most 1 GiB
    # unpacked. `POST /api/blobs/import` takes larger files than other uploads.
    blob_id: int
    # Whether users get the e-mail addresses of the file, which every reader of a comment can then
    # see. `false` when absent.
    keeps_emails: NotRequired[bool]
    # What a reply becomes: an answer in a thread (`thread`), or a comment that begins with a line
    # of what it replies to (`quote`). `thread` when absent.
    replies: NotRequired[Literal["thread", "quote"]]
    # The address of the site, for an export that names pages by their path alone. Comments of such
    # pages are left out when it is absent.
    site: NotRequired[str]


class ImportMade(TypedDict):
    """The items that an import creates."""

    # Comments that were created.
    comments: int
    # Comments that were restored from the trash, because undoing an import had put them there.
    restored: int
    # Apps that were created.
    apps: int
    # Users that were created.
    users: int


class ImportPlanned(TypedDict):
    """The report of the dry run: what would be imported, and what would be left out."""

    # Where the comments are from: the kind, for WordPress with `:` and the address of the site.
    source: str
    # How many comments the file has.
    found: int
    # How many of them an import brings in.
    comments: int
    # How many of those an earlier import has brought in already.
    there_before: int
    # How many of those are in the trash because an import was undone. Running this import restores
    # them.
    restorable: int
    # The comments that are left out, by reason; with `comments` they add up to `found`.
    left_out: list[ImportPlannedLeftOut]
    # Replies that move up in their thread, because what they reply to is left out.
    moved_replies: int
    # How many pages the file has.
    pages: int
    # How many of them have comments to import.
    pages_with_comments: int
    # How many apps those pages need.
    apps: int
    # How many of the apps are open only to their members, because their page is not public.
    restricted_apps: int
    # How many users the comments need.
    users: int
    # Messages about faults of the file that were repaired, and about comments that cannot be read.
    notes: list[str]


class ImportPlannedLeftOut(TypedDict):
    # Why: `unreadable`: unreadable; `spam`: spam; `deleted`: deleted or in the trash; `pending`:
    # not approved by a moderator; `pingback`: pingbacks (automatic link notifications, not
    # comments); `trackback`: trackbacks (automatic link notifications, not comments);
    # `not_a_comment`: records of plugins, such as a shop's notes; `page_missing`: their page is not
    # in the file or has no web address; `text_empty`: without text; `text_too_long`: longer than 64
    # KiB; `duplicate`: a second time in the same file.
    reason: Literal[
        "unreadable",
        "spam",
        "deleted",
        "pending",
        "pingback",
        "trackback",
        "not_a_comment",
        "page_missing",
        "text_empty",
        "text_too_long",
        "duplicate",
    ]
    # How many comments.
    count: int


class ImportUndone(TypedDict):
    """The items that undoing an import puts in the trash."""

    # Comments that were put in the trash.
    comments: int
    # Apps that were put in the trash.
    apps: int
    # Users who were put in the trash.
    users: int


class KeyRotation(TypedDict):
    """How to replace an API key."""

    # How long the key before stays valid, in seconds; 86400 when absent. 0 revokes it at once. It
    # never makes a key last longer.
    overlap_seconds: NotRequired[int]
    # When the new key expires, in RFC 3339. When absent, it expires when the old key would have.
    expires_at: NotRequired[str]


class ListedUser(TypedDict):
    """A user in the list of users."""

    # The id of the user.
    id: int
    # The unique name that the host product gave the user.
    uid: str
    # The name to show: `name`, else the given and family names, else the nickname, else the part of
    # the e-mail address before the @, else the uid.
    display_name: str
    # The e-mail address. Absent when it is not known.
    email: NotRequired[str]
    # The given name, at most 64 characters. Absent when it is not known.
    given_name: NotRequired[str]
    # The middle name, at most 64 characters. Absent when it is not known.
    middle_name: NotRequired[str]
    # The whole name, at most 256 characters. Absent when it is not known.
    name: NotRequired[str]
    # The family name, at most 64 characters. Absent when it is not known.
    family_name: NotRequired[str]
    # The nickname, at most 32 characters. Absent when there is none.
    nickname: NotRequired[str]
    # The phone number, at most 32 characters. Absent when it is not known.
    phone_number: NotRequired[str]
    # A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none.
    comment: NotRequired[str]
    # The id of the directory that the user belongs to. Absent when the user belongs to none.
    directory_id: NotRequired[int]
    # The id of the blob that is the user's picture. Absent when there is no picture, or it is an
    # address on the web.
    picture_id: NotRequired[int]
    # The address of the user's picture; needs no credential and stays valid until the user gets
    # another picture. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # Free-form properties of the user, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the user, in the order in which they were set.
    tags: NotRequired[list[str]]
    # How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your
    # product.
    way: NotRequired[str]
    # `moderator` for a user who moderates every app of their directory that they see or, without a
    # directory, every app that they see. Absent for most users.
    role: NotRequired[Literal["moderator"]]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # When the user was created.
    created_at: NotRequired[str]
    # When the user was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # Whether the user is a program rather than a person.
    is_bot: bool
    # True for a user whose texts are shown at once in apps that hold those of newcomers or guests.
    # Absent for everyone else.
    is_trusted: NotRequired[bool]
    # Whether the user is suspended and so cannot do anything.
    is_suspended: NotRequired[bool]
    # Whether the user is in the trash and so cannot do anything.
    is_trashed: NotRequired[bool]
    # What moderators know of a visitor besides the profile.
    visitor: NotRequired[VisitorFacts]


class LockCreate(TypedDict):
    """From when something is locked."""

    # From when it is locked, in RFC 3339; from now on when absent.
    locked_at: NotRequired[str]
    # How many days after it was created it is locked. Only where `locked_at` is absent.
    after_days: NotRequired[int]


class MailPatch(TypedDict):
    """The settings of mail to change."""

    # `all`: everything that the user has not read; `direct`: only mentions, replies and private
    # messages; `none`: nothing.
    mail: NotRequired[Literal["all", "direct", "none"]]


class MailRefusal(TypedDict):
    """A mail that its reader did not ask for."""

    # What the link of the mail has in its fragment.
    secret: str


class MailSettings(TypedDict):
    """The mail settings of a user."""

    # The address that messages go to: the `email` of the user. Absent when there is none.
    address: NotRequired[str]
    # Whether the mail server refused mail to this address three times in a row. No mail is sent
    # until the address changes.
    is_refused: bool
    # `all`: everything that the user has not read; `direct`: only mentions, replies and private
    # messages; `none`: nothing.
    mail: Literal["all", "direct", "none"]
    # When the last message was sent.
    sent_at: NotRequired[str]


class MailboxAddition(TypedDict):
    """A mailbox by which a visitor wants to sign in as well."""

    # The address of the mailbox.
    email: str
    # The origin of the page, which has to be one of `CONFAB_CORS_ORIGINS`.
    origin: str


class MailedCode(TypedDict):
    """The code of a mail."""

    # The ticket of the answer before.
    ticket: str
    # The six digits of the mail.
    code: str
    # The name of a visitor who signs in for the first time.
    name: NotRequired[str]


class MailedLink(TypedDict):
    """The link of a mail."""

    # What the link of the mail has in its fragment, up to the dot.
    secret: str
    # The `challenge` with which a page of this browser has asked for the mail. The fragment has it
    # after the dot, to be compared.
    challenge: str
    # The name of a visitor who signs in for the first time.
    name: NotRequired[str]


class Meeting(TypedDict):
    """A video meeting."""

    # The id of the meeting.
    id: int
    # The provider of the meeting: `jitsi`.
    provider: str
    # The id of the meeting at the provider.
    provider_id: NotRequired[str]
    # A unique id that the server gave the meeting.
    uuid: NotRequired[str]
    # The address at which users join. Anyone who has it can join.
    join_url: NotRequired[str]
    # When the meeting ended. Absent as long as the provider has not reported it.
    ended_at: NotRequired[str]
    # The address of the recording. Absent when there is none.
    recording_url: NotRequired[str]


class MeetingCreate(TypedDict):
    """What kind of meeting to make."""

    # The provider: `jitsi`, which needs no account. `zoom` and `teams` are not supported yet and
    # are a 422.
    provider: Literal["jitsi", "zoom", "teams"]


class MemberInput(TypedDict):
    """A user to add as a member. One of `uid` and `id` is required."""

    # The id or uid of a user.
    uid: NotRequired[str | int]
    # Another name for `uid`. When both are present, `uid` wins.
    id: NotRequired[str | int]
    # What the member may do in the app: nothing (`none`), read (`read`), or also create content
    # (`write`). The default is `write`, also for a user who is a member already.
    access: NotRequired[Literal["none", "read", "write"]]
    # What the member may do beyond `access`, while that is `write`: decide on everyone's content
    # (`moderator`), or also change the app and its members (`manager`). A role that is absent stays
    # as it is.
    role: NotRequired[Literal["moderator", "manager"]]


class MemberList(TypedDict):
    """One page of a list."""

    # The items of the page, in the requested order. Absent with `count_only`.
    data: NotRequired[list[AppMember]]
    # The 1-based position of the first item; 0 on an empty page. Absent with `count_only`.
    start: NotRequired[int]
    # The 1-based position of the last item; 0 on an empty page. Absent with `count_only`.
    end: NotRequired[int]
    # How many items match on all pages. Absent with `count=false`.
    count: NotRequired[int]


class MemberPut(TypedDict):
    """The fields of a member that a client can set."""

    # What the member may do in the app: nothing (`none`), read (`read`), or also create content
    # (`write`). The default is `write`, also for a user who is a member already.
    access: NotRequired[Literal["none", "read", "write"] | None]
    # What the member may do beyond `access`, while that is `write`: decide on everyone's content
    # (`moderator`), or also change the app and its members (`manager`). A role that is absent stays
    # as it is.
    role: NotRequired[Literal["moderator", "manager"] | None]


class Message(TypedDict):
    """A message in a chat."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author.
    created_by_id: int
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: Parent
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class MessageItem(TypedDict):
    """A message in a list."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author.
    created_by_id: int
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: NotRequired[Parent]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]


class ModerationRules(TypedDict):
    """The rules that texts are screened with."""

    # The version of the rules, which every change raises by one; 0 where none were ever set.
    version: int
    # Whether the rules hold for bots too.
    includes_bots: bool
    # The rules, at most 100, and at most 64 KiB as JSON.
    rules: list[Rule]
    # When the rules were last changed. Absent where none were ever set.
    modified_at: NotRequired[str]
    # Statistics of each rule, in the order of the rules, and then of the hook if it did anything.
    # The counts lag behind the responses by a moment.
    counts: list[RuleCount]


class ModerationRulesReplacement(TypedDict):
    """The rules that replace the present ones."""

    # The version that the client has read. If the rules have changed since, the request is refused.
    version: int
    # Whether the rules hold for bots too. False when absent.
    includes_bots: NotRequired[bool | None]
    # The rules, at most 100, and at most 64 KiB as JSON.
    rules: list[Rule]


class NewApiKey(TypedDict):
    """A new API key. It is shown here and never again."""

    # The id of the key, which `confab key revoke` takes.
    id: int
    # The purpose of the key.
    name: str
    # Its last four characters.
    hint: str
    # The scopes of the key; `all` stands for every scope.
    scopes: list[str]
    # When it was made.
    created_at: str
    # When it was last used, to the minute. Absent for a key that was never used.
    last_used_at: NotRequired[str]
    # When it ends. Absent for a key without an end.
    expires_at: NotRequired[str]
    # When it was revoked. Absent for a key that was not.
    revoked_at: NotRequired[str]
    # The key itself, for the header `Authorization: Bearer`.
    key: str


class Notification(TypedDict):
    """A notification of a user. If the user may no longer see its subject, `actor_id`, `actor`
    and `link` are absent.
    """

    # The id of the notification.
    id: int
    # The action of the event, such as `comment_created`.
    action: str
    # The id of the user who caused it. Absent when the caller may no longer see what it is about.
    actor_id: NotRequired[int]
    # The sentence, with {0}, {1} and so on in the place of `args`.
    template: str
    # Who did it, then the name of the app or file, then how the text begins; what is unknown is
    # left out.
    args: list[str]
    # The sentence with its arguments.
    text: str
    # The sentence with its arguments, as HTML that is safe to show.
    html: str
    # The sentence with its arguments, without markup.
    plain: str
    # The item that another item belongs to.
    link: NotRequired[Parent]
    # The id of the user who is notified.
    user_id: int
    # When the notification was created.
    created_at: str
    # Whether the notification is unread.
    is_unread: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    actor: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    user: User


class NotificationItem(TypedDict):
    """A notification in a list."""

    # The id of the notification.
    id: int
    # The action of the event, such as `comment_created`.
    action: str
    # The id of the user who caused it. Absent when the caller may no longer see what it is about.
    actor_id: NotRequired[int]
    # The sentence, with {0}, {1} and so on in the place of `args`.
    template: str
    # Who did it, then the name of the app or file, then how the text begins; what is unknown is
    # left out.
    args: list[str]
    # The sentence with its arguments.
    text: str
    # The sentence with its arguments, as HTML that is safe to show.
    html: str
    # The sentence with its arguments, without markup.
    plain: str
    # The item that another item belongs to.
    link: NotRequired[Parent]
    # The id of the user who is notified.
    user_id: int
    # When the notification was created.
    created_at: str
    # Whether the notification is unread.
    is_unread: bool
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    actor: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    user: NotRequired[User]


class Option(TypedDict):
    """One option of a poll."""

    # The id of the option.
    id: int
    # The option in words, at most 512 characters.
    text: str
    # How many users chose the option.
    vote_count: int
    # Whether the caller chose it.
    has_voted: bool
    # The first 100 users who chose it, in the order of their votes. Empty in a list;
    # /api/options/{id}/voters lists all of them.
    voters: list[User]


class OwnReport(TypedDict):
    """The report of a user, with its reason."""

    # The item that another item belongs to.
    entity: Parent
    # The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks
    # the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the
    # server.
    reason: Literal["spam", "abuse", "illegal", "off_topic", "other", "rule"]
    # What the user wrote about it. Absent when there is no text.
    text: NotRequired[str]
    # When the user reported it.
    created_at: str


class Parent(TypedDict):
    """The item that another item belongs to."""

    # The id of the parent.
    id: int
    # The type of the parent: `app`, `file`, `post`, `comment`, `message` or `user`.
    type: str


class Post(TypedDict):
    """A post in a posts app."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author.
    created_by_id: int
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: Parent
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # How many comments on the post are not in the trash.
    comment_count: int
    # Always empty: the comments of a post are listed under /api/posts/{id}/comments.
    comments: list[dict[str, Any]]
    # Whether the caller is notified of comments on it.
    is_subscribed: bool
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]


class PostItem(TypedDict):
    """A post in a list."""

    # The id of the comment, post or message.
    id: int
    # The id of the app that it is in.
    app_id: int
    # What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.
    text: NotRequired[str]
    # The text as HTML that is safe to show. Absent when there is no text.
    html: NotRequired[str]
    # The text without markup. Absent when there is no text.
    plain: NotRequired[str]
    # How many attachments it has.
    attachment_count: int
    # The attachments, in the order of their ids.
    attachments: list[Attachment]
    # The id of its embed. Absent when it has none.
    embed_id: NotRequired[int]
    # The id of its meeting. Absent when it has none.
    meeting_id: NotRequired[int]
    # How many options its poll has; 0 when there is no poll.
    option_count: int
    # The options of its poll, in order.
    options: list[Option]
    # The reactions to it, one of each user who reacted.
    reactions: list[Reaction]
    # Free-form properties, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # Its tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote it as it is, with the credential of its author or
    # last editor: `mcp`, the Model Context Protocol. Absent for plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When it was created.
    created_at: str
    # The id of its author.
    created_by_id: int
    # When it was last edited. Absent until the first edit.
    modified_at: NotRequired[str]
    # The id of the user who last edited it. Absent until the first edit.
    modified_by_id: NotRequired[int]
    # Whether it is in the trash.
    is_trashed: bool
    # True while only its author and moderators see it, until a moderator approves it. Absent
    # otherwise.
    is_held: NotRequired[bool]
    # The item that another item belongs to.
    parent: NotRequired[Parent]
    # A page or picture on the web that a comment, a post or a message shows.
    embed: NotRequired[Embed]
    # A video meeting.
    meeting: NotRequired[Meeting]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    modified_by: NotRequired[User]
    # How many comments on the post are not in the trash.
    comment_count: int
    # Always empty: the comments of a post are listed under /api/posts/{id}/comments.
    comments: list[dict[str, Any]]
    # Whether the caller is notified of comments on it.
    is_subscribed: bool
    # From when only moderators write in it; it can lie ahead. Absent when it is not locked.
    locked_at: NotRequired[str]


class Puzzle(TypedDict):
    """A proof of work in the form of ALTCHA 2: find a `counter` so that the hash of salt, nonce
    and counter (32 bits, the highest byte first) begins with `keyPrefix`. The library
    `altcha-lib` does.
    """

    # What has to be solved.
    parameters: PuzzleParameters
    # By which the server knows its own puzzle.
    signature: str


class PuzzleData(TypedDict):
    """What comes with a puzzle."""

    # Until when the puzzle can be sent, in seconds since 1970.
    until: int


class PuzzleParameters(TypedDict):
    """What has to be solved."""

    # The hash function.
    algorithm: str
    # How often it is applied.
    cost: int
    # How many bytes of the hash count.
    keyLength: int
    # How the hash has to begin, in hexadecimal digits.
    keyPrefix: str
    # What comes before the number.
    nonce: str
    # What comes before that.
    salt: str
    # What comes with a puzzle.
    data: PuzzleData


class PuzzleSolution(TypedDict):
    """The solution of a puzzle."""

    # The number that solves the puzzle.
    counter: int
    # The hash, in hexadecimal digits.
    derivedKey: str


class Reaction(TypedDict):
    """The reaction of one user to a comment, a post or a message."""

    # The id of the reaction.
    id: int
    # The emoji, exactly one.
    content: str
    # When the user reacted.
    created_at: str
    # The id of the user who reacted.
    created_by_id: int
    # How many users reacted with this emoji to the same comment, post or message.
    count: int


class ReactionCreate(TypedDict):
    """The emoji to react with."""

    # Exactly one emoji. It is kept with the variation selectors that make it one.
    content: str


class ReactionDetail(TypedDict):
    """A reaction, with its subject and the user who reacted."""

    # The id of the reaction.
    id: int
    # The emoji, exactly one.
    content: str
    # When the user reacted.
    created_at: str
    # The id of the user who reacted.
    created_by_id: int
    # How many users reacted with this emoji to the same comment, post or message.
    count: int
    # The item that another item belongs to.
    parent: Parent
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User


class RedeliverMany(TypedDict):
    """Which deliveries to send again."""

    # Only deliveries of this status.
    status: NotRequired[Literal["pending", "retrying", "delivered", "failed", "canceled"]]
    # Only deliveries whose last attempt was answered with this status.
    status_code: NotRequired[int]
    # Only deliveries of this action, such as `comment_created`.
    action: NotRequired[str]
    # Only the delivery of the event with this id.
    event_id: NotRequired[int]
    # Only deliveries of events of this time (RFC 3339) or later.
    since: NotRequired[str]
    # Only deliveries of events before this time (RFC 3339).
    until: NotRequired[str]
    # Only deliveries with a higher id: send the `next` of the previous answer.
    after: NotRequired[int]
    # The most deliveries to send again; 1000 when absent.
    limit: NotRequired[int]


class Redelivered(TypedDict):
    """How many deliveries are to be sent again."""

    # How many deliveries wait to be sent again.
    redelivered: int
    # The id to send as `after` for the next deliveries. Absent when these were all.
    next: NotRequired[int]


class RenderedText(TypedDict):
    """A text as it would be shown."""

    # The text as HTML that is safe to show; empty for a text without content.
    html: str
    # The text without markup.
    plain: str


class Renewal(TypedDict):
    """What stays signed in."""

    # The secret of the last answer.
    renewal_secret: str


class Report(TypedDict):
    """An item that is held, or that users have reported, with their texts."""

    # The id of the report.
    id: int
    # The id of the app that the item is in.
    app_id: int
    # The app that the item is in.
    app: ReportApp
    # The item that another item belongs to.
    entity: Parent
    # The item as it was when the report was opened; its author may have edited it since. Absent in
    # events, and once the item is deleted permanently.
    snapshot: NotRequired[ReportSnapshot]
    # Why an item is held.
    held: NotRequired[HeldItem]
    # The id of the author of the item.
    author_id: int
    # Whether a moderator still has to decide (`open`). A resolved report opens again when another
    # user reports the item, and when the item is held.
    state: Literal["open", "resolved"]
    # How many users have reported the item; 0 for an item that is or was held without a report.
    report_count: int
    # How many of them since the report was opened; 0 when it is resolved.
    new_report_count: int
    # The reasons that were given, in the order in which they were first given.
    reasons: list[ReportReason]
    # The texts of users, the newest first: at most 3 in a list and 100 on a single report. In an
    # event only the text of its actor.
    texts: list[ReportText]
    # When the item was first reported or held.
    created_at: str
    # When the item was last reported or held.
    reported_at: str
    # The decision: one of the actions of `POST /api/reports/{id}/resolve`, or `delete` when the
    # item was deleted permanently. Approving or trashing a held item that nobody has reported is
    # `keep` or `trash`. Absent while the report is open.
    action: NotRequired[Literal["keep", "trash", "hold", "suspend", "delete"]]
    # What the moderator noted. Absent when there is no note.
    note: NotRequired[str]
    # When it was decided. Absent while the report is open.
    resolved_at: NotRequired[str]
    # The id of the user who decided. Absent while the report is open, and when the item was
    # deleted.
    resolved_by_id: NotRequired[int]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    author: User
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    resolved_by: NotRequired[User]


class ReportApp(TypedDict):
    """The app that the item is in."""

    # The id of the app.
    id: int
    # The uid of the app.
    uid: str
    # The type of the app.
    type: str
    # The name of the app, or else its uid.
    display_name: str


class ReportCreate(TypedDict):
    """Why something is reported."""

    # Why it is reported: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal`
    # (breaks the law), `off_topic` (does not belong here) or `other`.
    reason: Literal["spam", "abuse", "illegal", "off_topic", "other"]
    # A text for the moderators, at most 1000 characters.
    text: NotRequired[str]


class ReportItem(TypedDict):
    """A reported or held item in a list: one for each item, however many users reported it."""

    # The id of the report.
    id: int
    # The id of the app that the item is in.
    app_id: int
    # The app that the item is in.
    app: ReportItemApp
    # The item that another item belongs to.
    entity: Parent
    # The item as it was when the report was opened; its author may have edited it since. Absent in
    # events, and once the item is deleted permanently.
    snapshot: NotRequired[ReportItemSnapshot]
    # Why an item is held.
    held: NotRequired[HeldItem]
    # The id of the author of the item.
    author_id: int
    # Whether a moderator still has to decide (`open`). A resolved report opens again when another
    # user reports the item, and when the item is held.
    state: Literal["open", "resolved"]
    # How many users have reported the item; 0 for an item that is or was held without a report.
    report_count: int
    # How many of them since the report was opened; 0 when it is resolved.
    new_report_count: int
    # The reasons that were given, in the order in which they were first given.
    reasons: list[ReportItemReason]
    # The texts of users, the newest first: at most 3 in a list and 100 on a single report. In an
    # event only the text of its actor.
    texts: list[ReportText]
    # When the item was first reported or held.
    created_at: str
    # When the item was last reported or held.
    reported_at: str
    # The decision: one of the actions of `POST /api/reports/{id}/resolve`, or `delete` when the
    # item was deleted permanently. Approving or trashing a held item that nobody has reported is
    # `keep` or `trash`. Absent while the report is open.
    action: NotRequired[Literal["keep", "trash", "hold", "suspend", "delete"]]
    # What the moderator noted. Absent when there is no note.
    note: NotRequired[str]
    # When it was decided. Absent while the report is open.
    resolved_at: NotRequired[str]
    # The id of the user who decided. Absent while the report is open, and when the item was
    # deleted.
    resolved_by_id: NotRequired[int]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    author: NotRequired[User]
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    resolved_by: NotRequired[User]


class ReportItemApp(TypedDict):
    """The app that the item is in."""

    # The id of the app.
    id: int
    # The uid of the app.
    uid: str
    # The type of the app.
    type: str
    # The name of the app, or else its uid.
    display_name: str


class ReportItemReason(TypedDict):
    # The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks
    # the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the
    # server.
    reason: Literal["spam", "abuse", "illegal", "off_topic", "other", "rule"]
    # How many users gave it.
    count: int


class ReportItemSnapshot(TypedDict):
    """The item as it was when the report was opened; its author may have edited it since. Absent
    in events, and once the item is deleted permanently.
    """

    # How the text begins, without markup: at most 500 characters. Absent when there is none.
    text: NotRequired[str]
    # The name of the file. Absent for anything else.
    name: NotRequired[str]
    # When the item was created.
    created_at: str


class ReportReason(TypedDict):
    # The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks
    # the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the
    # server.
    reason: Literal["spam", "abuse", "illegal", "off_topic", "other", "rule"]
    # How many users gave it.
    count: int


class ReportResolve(TypedDict):
    """The decision on a report."""

    # The decision: the item stays, and is approved if it is held (`keep`); it is put in the trash
    # (`trash`) or held (`hold`); or it is put in the trash and its author is suspended (`suspend`).
    action: Literal["keep", "trash", "hold", "suspend"]
    # A note for other moderators, at most 1000 characters.
    note: NotRequired[str]


class ReportSnapshot(TypedDict):
    """The item as it was when the report was opened; its author may have edited it since. Absent
    in events, and once the item is deleted permanently.
    """

    # How the text begins, without markup: at most 500 characters. Absent when there is none.
    text: NotRequired[str]
    # The name of the file. Absent for anything else.
    name: NotRequired[str]
    # When the item was created.
    created_at: str


class ReportText(TypedDict):
    """The text of one user about a report."""

    # The reason: `spam` (advertising), `abuse` (insults, harassment, threats), `illegal` (breaks
    # the law), `off_topic` (does not belong here) or `other`; `rule` for a report by a rule of the
    # server.
    reason: Literal["spam", "abuse", "illegal", "off_topic", "other", "rule"]
    # What the user wrote about it.
    text: str
    # When the user reported it.
    created_at: str
    # The id of the user who reported it.
    created_by_id: int


class Revision(TypedDict):
    """A comment, a post or a message before an edit."""

    # The id of the revision.
    id: int
    # The text, as Markdown. Absent when there was none.
    text: NotRequired[str]
    # The ids of the attachments, in their order. Attachments that an edit removed no longer exist.
    attachment_ids: list[int]
    # The options of the poll, in their order; empty when there was no poll.
    options: list[RevisionOption]
    # The id of the embed. Absent when there was none.
    embed_id: NotRequired[int]
    # The id of the meeting. Absent when there was none.
    meeting_id: NotRequired[int]
    # Free-form properties, as the client sent them. Absent when there were none.
    metadata: NotRequired[dict[str, Any]]
    # The tags, in the order in which they were set.
    tags: list[str]
    # The protocol through which a program wrote this: `mcp`, the Model Context Protocol. Absent for
    # plain HTTP.
    via: NotRequired[Literal["mcp"]]
    # When this was written: at the creation, or with the edit that replaced the revision before. It
    # held until the next revision, and the newest one until `modified_at` of the item.
    created_at: str
    # The id of the user who wrote this.
    created_by_id: int
    # A user. API keys, and users reading about themselves, get every field. Other users get `id`,
    # `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`, `avatar_url`,
    # `presence` and `is_bot`.
    created_by: User


class RevisionOption(TypedDict):
    """An option, without its votes."""

    # The id of the option.
    id: int
    # The option in words, at most 512 characters.
    text: str


class RotatedSecret(TypedDict):
    """The outcome of a rotation."""

    # The generated secret, shown only in this response. Absent when the request contained one.
    secret: NotRequired[str]
    # When the previous secret ends. Absent when there was none, or it ended at once.
    previous_secret_until: NotRequired[str]


class Rule(TypedDict):
    """A rule for texts: a name, an action, exactly one condition (`words`, `pattern`,
    `links_max`, `equal_texts` or `rate`), and limits to certain users and apps.
    """

    # The unique name of the rule, not blank and not `hook`. Staff see it, authors do not.
    name: str
    # The action on a text that matches: `report` shows it and files a report, `hold` hides it until
    # a moderator approves it, `refuse` responds with 403 `text_refused`. If several rules match,
    # the strictest action applies.
    action: Literal["report", "hold", "refuse"]
    # Matches a text with one of these words or phrases. Only whole words count; what a search
    # ignores (case, accents, vowel signs, forms of letters, punctuation, invisible characters) does
    # not.
    words: NotRequired[list[str]]
    # Matches a text with a line that this regular expression (RE2) matches, ignoring case.
    pattern: NotRequired[str]
    # Matches a text with more links than this. An embed counts as a link.
    links_max: NotRequired[int]
    # Matches a text that was already sent within the window. Texts are equal when their words are
    # equal.
    equal_texts: NotRequired[RuleEqualTexts]
    # Matches a text of a user who has sent many texts. Edits count as well.
    rate: NotRequired[RuleRate]
    # Limits the rule to users who were created less than this many hours ago, and to guests who are
    # not trusted. When absent, the rule applies to every user.
    newcomer_hours: NotRequired[int]
    # Whether the rule is limited to apps, in any directory, in which non-members may write. False
    # when absent.
    only_open_apps: NotRequired[bool]


class RuleCount(TypedDict):
    """Statistics of a rule since it has this name."""

    # The name of the rule, or `hook` for the hook of the operator.
    name: str
    # How many texts it reported.
    reported: int
    # How many texts it held.
    held: int
    # How many texts it refused.
    refused: int
    # When it last matched a text. Absent until then.
    last_at: NotRequired[str]


class RuleEqualTexts(TypedDict):
    """Matches a text that was already sent within the window. Texts are equal when their words
    are equal.
    """

    # `user` counts the equal texts of the author; `everyone` counts the users who sent an equal
    # text.
    of: Literal["user", "everyone"]
    # The number of texts from which on the rule matches.
    count: int
    # The length of the window in seconds, at most a day.
    seconds: int
    # Shorter texts do not count, because many users say "thank you". 40 when absent.
    characters_min: NotRequired[int]


class RuleMatch(TypedDict):
    """A text that rules matched."""

    # The id of the comment, post or message.
    id: int
    # `comment`, `post` or `message`.
    type: str
    # The rules that match, and `hook` if the hook of the operator took an action.
    rules: list[RuleMatchRule]


class RuleMatchRule(TypedDict):
    """A rule that matches."""

    # The name of the rule.
    name: str
    # What the rule does.
    action: Literal["report", "hold", "refuse"]


class RuleRate(TypedDict):
    """Matches a text of a user who has sent many texts. Edits count as well."""

    # How many texts of a user within the window the rule lets pass.
    count: int
    # The length of the window in seconds, at most a day.
    seconds: int


class RuleSet(TypedDict):
    """The rules that texts are screened with, in an event."""

    # The version of the rules, which every change raises by one; 0 where none were ever set.
    version: int
    # Whether the rules hold for bots too.
    includes_bots: bool
    # The rules, at most 100, and at most 64 KiB as JSON.
    rules: list[Rule]
    # When the rules were last changed. Absent where none were ever set.
    modified_at: NotRequired[str]


class RuleTest(TypedDict):
    """The result of testing the rules on a text."""

    # The action that would be taken on the text; `take` means that it is accepted.
    action: Literal["take", "report", "hold", "refuse"]
    # Why no rule holds for the user: as a moderator or manager of the app, or as a bot. Absent
    # where the rules hold.
    exempt: NotRequired[Literal["moderator", "bot"]]
    # The rules that match, in their order, also where the user is exempt.
    matches: list[RuleTestMatche]


class RuleTestMatche(TypedDict):
    """A rule that matches."""

    # The name of the rule.
    name: str
    # What the rule does.
    action: Literal["report", "hold", "refuse"]


class SecretRotation(TypedDict):
    """How to rotate the secret of a webhook."""

    # The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes. One
    # is generated when absent.
    secret: NotRequired[str]
    # How long deliveries are also signed with the previous secret, in seconds; 86400 when absent. 0
    # ends the previous secret at once.
    overlap_seconds: NotRequired[int]


class ServerSettings(TypedDict):
    """The settings in effect, as `confab config` prints them."""

    # The path of the file of settings. Absent when there is none.
    file: NotRequired[str]
    # Every setting, in the order of the reference.
    settings: list[ShownSetting]


_ShownSettingKeywords = TypedDict("_ShownSettingKeywords", {"from": "str"})


class ShownSetting(_ShownSettingKeywords):
    """A setting of the node that answers."""

    # The name of the setting as the file of settings has it; `--` before it makes the flag.
    name: str
    # The value in effect: empty without one, and `(hidden)` for a secret that is set.
    value: str


class SignInConfirmed(TypedDict):
    """That a mailbox is confirmed."""

    # The code for the page, with which it gets the tokens. Absent while a name is missing.
    code: NotRequired[str]
    # Whether this is a new visitor, whose name is missing. Send it with the same code again.
    needs_name: bool
    # The origin of the page.
    origin: str
    # The address of the page, where it was given.
    return_to: NotRequired[str]


class SignInTicket(TypedDict):
    """What a window waits with. It says nothing about the mailbox."""

    # What the code of the mail is sent with.
    ticket: str
    # How long the mail is good, in seconds.
    expires_in: int


class SignInWays(TypedDict):
    """How visitors can sign in."""

    # The ways of signing in that the server allows, in the order of `CONFAB_SIGN_IN`.
    ways: list[str]
    # Whether guests have to solve a puzzle.
    has_puzzle: bool
    # Which visitors may have a picture: none, those who signed in by mail or by a provider
    # (`confirmed`), or all.
    pictures: Literal["none", "confirmed", "all"]
    # Which visitors may add pictures to comments: none, those who signed in by mail or by a
    # provider (`confirmed`), or all. Nobody can while what they write waits for approval.
    comment_pictures: Literal["none", "confirmed", "all"]
    # Whether visitors who have signed in may open pages of the listed origins: the first of them
    # makes the app of a page, with `PUT /api/apps/{uid}?page=true`.
    opens_pages: bool


class SignedIn(TypedDict):
    """What a visitor has signed in with. It is shown here and never again."""

    # The token, for the header `Authorization: Bearer`.
    access_token: str
    # How long the token is valid, in seconds.
    expires_in: int
    # What gets the next token. It works once and comes with a new one.
    renewal_secret: str
    # How long the secret is valid, in seconds.
    renewal_expires_in: int
    # A user with the directory and the picture.
    user: UserDetail


class SolvedPuzzle(TypedDict):
    """A puzzle with its solution."""

    # A proof of work in the form of ALTCHA 2: find a `counter` so that the hash of salt, nonce and
    # counter (32 bits, the highest byte first) begins with `keyPrefix`. The library `altcha-lib`
    # does.
    challenge: Puzzle
    # The solution of a puzzle.
    solution: PuzzleSolution


class StarredEntity(TypedDict):
    """Something that the caller has starred."""

    # The id of the app.
    id: int
    # What is starred: always `app`.
    type: str


class Status(TypedDict):
    """The state of the node that responds, and its activity in the last hour."""

    # The version of the server.
    version: str
    # Where the store is: in a file (`sqlite`) or on PostgreSQL.
    engine: Literal["sqlite", "postgres"]
    # When this node started.
    started_at: str
    # Whether all checks are in order.
    is_ready: bool
    # The checks of readiness.
    checks: list[StatusCheck]
    # The last 60 minutes of this node, the oldest first; the last minute is not complete.
    minutes: list[StatusMinute]


class StatusCheck(TypedDict):
    """The state of one part of the server, as `GET /readyz` has it."""

    # The name of the check.
    name: str
    # Whether the server can be ready with it.
    is_ok: bool
    # The figures of the check, such as `free_bytes`. Any release can add figures.
    figures: dict[str, Any]


class StatusMinute(TypedDict):
    """The activity of this node in one minute."""

    # When the minute began.
    at: str
    # Requests that were answered.
    requests: int
    # How many of them failed on the server (5xx).
    failures: int
    # Comments that were created.
    comments: int
    # Attempts to deliver that succeeded.
    deliveries: int
    # Attempts to deliver that failed.
    failed_deliveries: int
    # The median (p50) of the response times, rounded up to a step such as 0.005; 0 without
    # requests. Operations that wait by design do not count.
    median_seconds: float
    # The 95th percentile (p95), with the same rounding.
    slow_seconds: float


class TextToRender(TypedDict):
    """A text that is not kept."""

    # The text as Markdown, at most 64 KiB in UTF-8.
    text: str


class TextToTest(TypedDict):
    """A text to test the rules with."""

    # The text as Markdown, at most 64 KiB in UTF-8.
    text: str
    # The id or uid of the user who would send it. A user of long standing when absent.
    user: NotRequired[str | int]
    # The id or uid of the app that it would be sent to. A closed app when absent.
    app: NotRequired[str | int]


class TokenCreate(TypedDict):
    """How long the token is valid, and the fields of the user if it is created."""

    # How long the token is valid, in seconds; 3600 when absent.
    expires_in: NotRequired[int]
    # The e-mail address. Two users can have the same one.
    email: NotRequired[str]
    # The given name of the user.
    given_name: NotRequired[str]
    # The middle name of the user.
    middle_name: NotRequired[str]
    # The family name of the user.
    family_name: NotRequired[str]
    # The whole name of the user.
    name: NotRequired[str]
    # The nickname of the user.
    nickname: NotRequired[str]
    # The phone number of the user.
    phone_number: NotRequired[str]
    # A note about the user, at most 64 KiB in UTF-8.
    comment: NotRequired[str]
    # The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a
    # `data:` address in base64; or an http or https address of at most 2048 characters.
    picture: NotRequired[str | int]
    # The id or name of the directory that the user belongs to. A name that no directory has creates
    # one. `visitors` is for visitors only.
    directory: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # Whether the user is a program rather than a person; false when absent on create.
    is_bot: NotRequired[bool]


class User(TypedDict):
    """A user. API keys, and users reading about themselves, get every field. Other users get
    `id`, `uid`, `display_name`, `given_name`, `family_name`, `nickname`, `directory_id`,
    `avatar_url`, `presence` and `is_bot`.
    """

    # The id of the user.
    id: int
    # The unique name that the host product gave the user.
    uid: str
    # The name to show: `name`, else the given and family names, else the nickname, else the part of
    # the e-mail address before the @, else the uid.
    display_name: str
    # The e-mail address. Absent when it is not known.
    email: NotRequired[str]
    # The given name, at most 64 characters. Absent when it is not known.
    given_name: NotRequired[str]
    # The middle name, at most 64 characters. Absent when it is not known.
    middle_name: NotRequired[str]
    # The whole name, at most 256 characters. Absent when it is not known.
    name: NotRequired[str]
    # The family name, at most 64 characters. Absent when it is not known.
    family_name: NotRequired[str]
    # The nickname, at most 32 characters. Absent when there is none.
    nickname: NotRequired[str]
    # The phone number, at most 32 characters. Absent when it is not known.
    phone_number: NotRequired[str]
    # A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none.
    comment: NotRequired[str]
    # The id of the directory that the user belongs to. Absent when the user belongs to none.
    directory_id: NotRequired[int]
    # The id of the blob that is the user's picture. Absent when there is no picture, or it is an
    # address on the web.
    picture_id: NotRequired[int]
    # The address of the user's picture; needs no credential and stays valid until the user gets
    # another picture. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # Free-form properties of the user, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the user, in the order in which they were set.
    tags: NotRequired[list[str]]
    # How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your
    # product.
    way: NotRequired[str]
    # `moderator` for a user who moderates every app of their directory that they see or, without a
    # directory, every app that they see. Absent for most users.
    role: NotRequired[Literal["moderator"]]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # When the user was created.
    created_at: NotRequired[str]
    # When the user was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # Whether the user is a program rather than a person.
    is_bot: bool
    # True for a user whose texts are shown at once in apps that hold those of newcomers or guests.
    # Absent for everyone else.
    is_trusted: NotRequired[bool]
    # Whether the user is suspended and so cannot do anything.
    is_suspended: NotRequired[bool]
    # Whether the user is in the trash and so cannot do anything.
    is_trashed: NotRequired[bool]


class UserCreate(TypedDict):
    """The fields of a request that creates a user."""

    # The unique name of the user: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: str
    # The e-mail address. Two users can have the same one.
    email: NotRequired[str]
    # The given name of the user.
    given_name: NotRequired[str]
    # The middle name of the user.
    middle_name: NotRequired[str]
    # The family name of the user.
    family_name: NotRequired[str]
    # The whole name of the user.
    name: NotRequired[str]
    # The nickname of the user.
    nickname: NotRequired[str]
    # The phone number of the user.
    phone_number: NotRequired[str]
    # A note about the user, at most 64 KiB in UTF-8.
    comment: NotRequired[str]
    # The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a
    # `data:` address in base64; or an http or https address of at most 2048 characters.
    picture: NotRequired[str | int]
    # The id or name of the directory that the user belongs to. A name that no directory has creates
    # one. `visitors` is for visitors only.
    directory: NotRequired[str]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any]]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str]]
    # Whether the user is a program rather than a person; false when absent on create.
    is_bot: NotRequired[bool]
    # Whether texts of the user are shown at once in apps with the approval `newcomers` or `guests`.
    # False when absent on create.
    is_trusted: NotRequired[bool]
    # Whether the user is suspended. A suspended user cannot do anything and is left out of lists.
    # False when absent on create.
    is_suspended: NotRequired[bool]
    # `moderator` lets the user moderate every app of their directory that they see or, without a
    # directory, every app that they see.
    role: NotRequired[Literal["moderator"]]


class UserDetail(TypedDict):
    """A user with the directory and the picture."""

    # The id of the user.
    id: int
    # The unique name that the host product gave the user.
    uid: str
    # The name to show: `name`, else the given and family names, else the nickname, else the part of
    # the e-mail address before the @, else the uid.
    display_name: str
    # The e-mail address. Absent when it is not known.
    email: NotRequired[str]
    # The given name, at most 64 characters. Absent when it is not known.
    given_name: NotRequired[str]
    # The middle name, at most 64 characters. Absent when it is not known.
    middle_name: NotRequired[str]
    # The whole name, at most 256 characters. Absent when it is not known.
    name: NotRequired[str]
    # The family name, at most 64 characters. Absent when it is not known.
    family_name: NotRequired[str]
    # The nickname, at most 32 characters. Absent when there is none.
    nickname: NotRequired[str]
    # The phone number, at most 32 characters. Absent when it is not known.
    phone_number: NotRequired[str]
    # A note of the host product about the user, at most 64 KiB in UTF-8. Absent when there is none.
    comment: NotRequired[str]
    # The id of the directory that the user belongs to. Absent when the user belongs to none.
    directory_id: NotRequired[int]
    # The id of the blob that is the user's picture. Absent when there is no picture, or it is an
    # address on the web.
    picture_id: NotRequired[int]
    # The address of the user's picture; needs no credential and stays valid until the user gets
    # another picture. Absent for a user without a picture.
    avatar_url: NotRequired[str]
    # Free-form properties of the user, as the client sent them. Absent when there are none.
    metadata: NotRequired[dict[str, Any]]
    # The tags of the user, in the order in which they were set.
    tags: NotRequired[list[str]]
    # How a visitor signs in: `guest`, `email` or the name of a provider. Absent for a user of your
    # product.
    way: NotRequired[str]
    # `moderator` for a user who moderates every app of their directory that they see or, without a
    # directory, every app that they see. Absent for most users.
    role: NotRequired[Literal["moderator"]]
    # Whether the user has a live connection to the server (`active`) or not (`away`).
    presence: Literal["active", "away"]
    # When the user was created.
    created_at: NotRequired[str]
    # When the user was last changed. Absent until the first change.
    modified_at: NotRequired[str]
    # Whether the user is a program rather than a person.
    is_bot: bool
    # True for a user whose texts are shown at once in apps that hold those of newcomers or guests.
    # Absent for everyone else.
    is_trusted: NotRequired[bool]
    # Whether the user is suspended and so cannot do anything.
    is_suspended: NotRequired[bool]
    # Whether the user is in the trash and so cannot do anything.
    is_trashed: NotRequired[bool]
    # A group of users who see each other.
    directory: NotRequired[Directory]
    # An upload, or a file kept elsewhere. Only its creator and API keys see it until something uses
    # it.
    picture: NotRequired[Blob]
    # The ways in which the visitor can sign in again: `email` and names of providers; empty for a
    # guest. Only where a visitor gets themselves, with `GET /api/user`.
    ways: NotRequired[list[str]]
    # What moderators know of a visitor besides the profile.
    visitor: NotRequired[VisitorFacts]


class UserModeration(TypedDict):
    """How moderators have decided about a user."""

    # Whether what they write is shown at once where newcomers or guests wait for approval.
    is_trusted: bool
    # Whether they can do nothing.
    is_suspended: bool
    # Until when the address from which the visitor last signed in is banned. Absent where it is
    # not, or not known. A caller who is no API key gets the end of the ban that the request asks
    # for, also where a longer one stays, and no other, because bans would show who shares an
    # address.
    banned_until: NotRequired[str]


class UserModerationPatch(TypedDict):
    """What to decide about a user. What is absent stays."""

    # Whether what they write needs no approval of newcomers.
    is_trusted: NotRequired[bool]
    # Whether they can do nothing from now on.
    is_suspended: NotRequired[bool]
    # For how many seconds from now to ban the address from which the visitor last signed in; 0 ends
    # its ban. A longer ban stays.
    ban_seconds: NotRequired[int]


class UserPatch(TypedDict):
    """The fields of a user that a client can change."""

    # The unique name of the user: 1 to 256 characters without white space, at least one of them not
    # a digit.
    uid: NotRequired[str]
    # The e-mail address. Two users can have the same one.
    email: NotRequired[str | None]
    # The given name of the user.
    given_name: NotRequired[str | None]
    # The middle name of the user.
    middle_name: NotRequired[str | None]
    # The family name of the user.
    family_name: NotRequired[str | None]
    # The whole name of the user.
    name: NotRequired[str | None]
    # The nickname of the user.
    nickname: NotRequired[str | None]
    # The phone number of the user.
    phone_number: NotRequired[str | None]
    # A note about the user, at most 64 KiB in UTF-8.
    comment: NotRequired[str | None]
    # The id of a blob that is a PNG, JPEG, GIF or WebP; such a picture of at most 512 KiB as a
    # `data:` address in base64; or an http or https address of at most 2048 characters.
    picture: NotRequired[str | int | None]
    # The id or name of the directory that the user belongs to. A name that no directory has creates
    # one. `visitors` is for visitors only.
    directory: NotRequired[str | None]
    # Free-form properties, kept as sent: at most 64 KiB serialised and 32 levels deep.
    metadata: NotRequired[dict[str, Any] | None]
    # The tags, at most 100 of at most 64 characters each. Spaces around a tag are removed, and
    # repeated tags count once.
    tags: NotRequired[list[str] | None]
    # Whether the user is a program rather than a person; false when absent on create.
    is_bot: NotRequired[bool | None]
    # Whether texts of the user are shown at once in apps with the approval `newcomers` or `guests`.
    # False when absent on create.
    is_trusted: NotRequired[bool | None]
    # Whether the user is suspended. A suspended user cannot do anything and is left out of lists.
    # False when absent on create.
    is_suspended: NotRequired[bool | None]
    # `moderator` lets the user moderate every app of their directory that they see or, without a
    # directory, every app that they see.
    role: NotRequired[Literal["moderator"] | None]


class VisitorFacts(TypedDict):
    """What moderators know of a visitor besides the profile."""

    # How many items of the visitor were approved, in apps that ask for the approval of newcomers or
    # guests.
    approved_count: int
    # The network from which the visitor last signed in or stayed signed in, as CIDR: an IPv4
    # address, or the /64 of an IPv6 address. Absent where that was 30 days ago, or the address may
    # stand for everybody.
    address: NotRequired[str]
    # When that was. Absent with `address`.
    signed_in_at: NotRequired[str]


class VisitorPatch(TypedDict):
    """What a visitor can change of themselves."""

    # The name that is shown. It may not look like that of a moderator or of another visitor, also
    # not in letters that look alike.
    name: NotRequired[str]
    # A PNG, JPEG, GIF or WebP of at most 512 KiB as a `data:` address in base64; null takes the
    # picture away. Others see a small copy. Ids of blobs and addresses on the web are refused.
    picture: NotRequired[str | None]


class Webhook(TypedDict):
    """An address that is notified of events. Its secret is never shown."""

    # The id of the webhook.
    id: int
    # The address that receives deliveries.
    payload_url: str
    # The groups of events and the single actions that are delivered, in the order in which they
    # were set.
    triggers: list[str]
    # Whether deliveries are sent.
    is_enabled: bool
    # Whether each delivery waits until the previous one has succeeded or was given up.
    ordered: bool
    # Open while the receiver keeps failing: only occasional probes are sent; all other deliveries
    # wait and use up no attempts. The breaker closes by itself at the first success. A closed
    # breaker has only `state`.
    breaker: Breaker


class WebhookCreate(TypedDict):
    """The fields of a request that registers a webhook."""

    # The absolute http or https address that receives deliveries, at most 2048 characters. Internal
    # addresses are refused unless the operator allows them.
    payload_url: str
    # The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes.
    # Deliveries are not signed when absent.
    secret: NotRequired[str]
    # Groups of events (comments, posts, messages, files, reactions, polls, notifications,
    # conversations, apps, members) or names of single actions, such as `comment_created`. Repeated
    # ones count once.
    triggers: list[str]
    # Whether deliveries are sent. True when absent on create.
    enabled: NotRequired[bool]
    # Another name of `enabled`. When both are present, `enabled` wins.
    is_enabled: NotRequired[bool]
    # Whether each delivery waits until the previous one has succeeded or was given up. False when
    # absent on create.
    ordered: NotRequired[bool]


class WebhookDetail(TypedDict):
    """A webhook, with the state of the rotation of its secret."""

    # The id of the webhook.
    id: int
    # The address that receives deliveries.
    payload_url: str
    # The groups of events and the single actions that are delivered, in the order in which they
    # were set.
    triggers: list[str]
    # Whether deliveries are sent.
    is_enabled: bool
    # Whether each delivery waits until the previous one has succeeded or was given up.
    ordered: bool
    # Open while the receiver keeps failing: only occasional probes are sent; all other deliveries
    # wait and use up no attempts. The breaker closes by itself at the first success. A closed
    # breaker has only `state`.
    breaker: Breaker
    # Until when the secret from before the last rotation is also valid. Absent if there is none.
    previous_secret_until: NotRequired[str]


class WebhookEvent(TypedDict):
    """One event that is in the log."""

    # The name of the event, such as `comment_created`.
    action: str
    # The action with a dot, as it stands in the body.
    type: str
    # What webhooks name as trigger; absent for what is in the log alone.
    group: NotRequired[str]
    # When the event happens, in one sentence.
    description: str
    # The JSON Schema (2020-12) of the body of a delivery.
    schema: dict[str, Any]


class WebhookEvents(TypedDict):
    """Every event that webhooks can receive or the log contains, by group."""

    # The events, by group.
    data: list[WebhookEvent]


class WebhookPatch(TypedDict):
    """The fields of a webhook that a client can change."""

    # The absolute http or https address that receives deliveries, at most 2048 characters. Internal
    # addresses are refused unless the operator allows them.
    payload_url: NotRequired[str]
    # The key of the signature headers. After `whsec_`, it must be the base64 of 24 to 64 bytes.
    # Null ends the signing of deliveries.
    secret: NotRequired[str | None]
    # Groups of events (comments, posts, messages, files, reactions, polls, notifications,
    # conversations, apps, members) or names of single actions, such as `comment_created`. Repeated
    # ones count once.
    triggers: NotRequired[list[str]]
    # Whether deliveries are sent. True when absent on create.
    is_enabled: NotRequired[bool]
    # Another name of `is_enabled`. When both are present, `is_enabled` wins.
    enabled: NotRequired[bool]
    # Whether each delivery waits until the previous one has succeeded or was given up. False when
    # absent on create.
    ordered: NotRequired[bool]


# API keys, the newest first.
ApiKeys = list[ApiKey]


# The features that work in apps of this kind on this server.
Features = list[Literal[
    "attachments",
    "comments",
    "embeds",
    "meetings",
    "mentions",
    "polls",
    "previews",
    "reactions",
    "receipts",
    "thumbnails",
    "typing",
    "versions",
]]


# The versions of a file, the current one first.
FileVersions = list[File]

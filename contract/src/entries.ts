import Type, { type Static } from 'typebox';
import { Embed } from './embeds.ts';
import {
  boolean,
  count,
  described,
  Id,
  limits,
  Metadata,
  string,
  Tags,
  Text,
  Timestamp,
  via,
} from './fields.ts';
import { lockedAt } from './locks.ts';
import { Meeting } from './meetings.ts';
import { User } from './users.ts';

const o = Type.Optional;

/** A file that belongs to an entry. */
export const Attachment = Type.Object(
  {
    id: described(Id, 'The id of the file.'),
    app_id: described(Id, 'The id of the app that the file is in.'),
    version: Type.Integer({
      minimum: 1,
      description: 'The number of the current version. Versions count from 1.',
    }),
    name: string('The name of the file with its extension, at most 256 characters.'),
    kind: string(
      'The kind of the file, by its extension: `archive`, `audio`, `code`, `document`, `email`, `presentation`, `spreadsheet`, `image`, `text`, `video`, or `file` for anything else.',
    ),
    media_type: string('The media type, judged by the bytes; for a file kept elsewhere, as it was declared.'),
    width: o(Type.Integer({ description: 'The width of a picture, in pixels. Absent for anything else.' })),
    height: o(Type.Integer({ description: 'The height of a picture, in pixels. Absent for anything else.' })),
    size: count('The size in bytes.'),
    metadata: o(
      described(
        Metadata,
        'Free-form properties of the file, as the client sent them. Absent when it has none.',
      ),
    ),
    tags: Type.Array(Type.String(), {
      description: 'The tags of the file, in the order in which they were set.',
    }),
    provider: o(string('The name of the service that keeps the bytes. Absent for an upload.')),
    raw: o(string('What the provider says about the file, as it was sent or as JSON. Absent for an upload.')),
    download_url: o(
      string(
        'The address to download the file from. That of an upload needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent for a file kept elsewhere whose provider has none.',
      ),
    ),
    application_url: o(string('Not used: always absent.')),
    embed_url: o(
      string('The address at which the provider shows the file inside another page. Absent for an upload.'),
    ),
    external_url: o(string('The address at which the provider shows the file. Absent for an upload.')),
    preview_format: string(
      'How `preview_url` can be shown: `image`, `code`, `text`, `audio`, `video`, `pdf`, `embed` (in a frame), or `none`.',
    ),
    preview_url: o(
      string(
        'Where the file can be shown from; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent when `preview_format` is `none`.',
      ),
    ),
    thumbnail_url: o(
      string(
        'The address of a small picture of the file; needs no credential and expires within 30 hours, or sooner as the operator sets it. Absent unless the file is a picture that can be reduced.',
      ),
    ),
    created_at: described(Timestamp, 'When the file was created.'),
    created_by_id: described(Id, 'The id of the user who created the file.'),
    modified_at: o(described(Timestamp, 'When the file was last changed. Absent until the first change.')),
    modified_by_id: o(
      described(Id, 'The id of the user who last changed the file. Absent until the first change.'),
    ),
    comment_count: count('How many comments on the file are not in the trash.'),
    comments: Type.Array(Type.Object({}), {
      description: 'Always empty: the comments on a file are listed under `/api/files/{id}/comments`.',
    }),
    is_subscribed: boolean('Whether the caller is notified of comments on the file.'),
    locked_at: lockedAt,
    is_trashed: boolean('Whether the file is in the trash.'),
    is_held: o(
      boolean(
        'True while only its author and moderators see the file, until a moderator approves it. Absent otherwise.',
      ),
    ),
  },
  { $id: 'Attachment', description: 'A file that belongs to a comment, a post or a message.' },
);

/** One answer of a poll. */
export const Option = Type.Object(
  {
    id: described(Id, 'The id of the option.'),
    text: string('The option in words, at most 512 characters.'),
    vote_count: count('How many users chose the option.'),
    has_voted: boolean('Whether the caller chose it.'),
    voters: Type.Array(User, {
      description:
        'The first 100 users who chose it, in the order of their votes. Empty in a list; /api/options/{id}/voters lists all of them.',
    }),
  },
  { $id: 'Option', description: 'One option of a poll.' },
);

/** One user's reaction. */
export const Reaction = Type.Object(
  {
    id: described(Id, 'The id of the reaction.'),
    content: string('The emoji, exactly one.'),
    created_at: described(Timestamp, 'When the user reacted.'),
    created_by_id: described(Id, 'The id of the user who reacted.'),
    count: Type.Integer({
      minimum: 1,
      description: 'How many users reacted with this emoji to the same comment, post or message.',
    }),
  },
  { $id: 'Reaction', description: 'The reaction of one user to a comment, a post or a message.' },
);

/** The parent of an entry. */
export const Parent = Type.Object(
  {
    id: described(Id, 'The id of the parent.'),
    type: Type.String({
      description: 'The type of the parent: `app`, `file`, `post`, `comment`, `message` or `user`.',
      examples: ['app'],
    }),
  },
  { $id: 'Parent', description: 'The item that another item belongs to.' },
);

/** The fields of a comment that say where it is in a thread. */
export const threadFields = {
  reply_to_id: o(described(Id, 'The id of the comment that it replies to. Absent when it replies to none.')),
  root_id: o(
    described(
      Id,
      'The id of the comment that began its thread. Absent in that comment, and when it replies to none.',
    ),
  ),
  reply_count: o(
    Type.Integer({
      minimum: 1,
      description:
        'How many comments below it are shown: all of the thread for the comment that began it, and those that reply to it for any other. Absent when there are none.',
    }),
  ),
};

/** The fields of a comment or post in a list. */
export const entryItemFields = {
  id: described(Id, 'The id of the comment, post or message.'),
  app_id: described(Id, 'The id of the app that it is in.'),
  text: o(
    string('What the author wrote, as Markdown of at most 64 KiB in UTF-8. Absent when there is no text.'),
  ),
  html: o(string('The text as HTML that is safe to show. Absent when there is no text.')),
  plain: o(string('The text without markup. Absent when there is no text.')),
  attachment_count: count('How many attachments it has.'),
  attachments: Type.Array(Attachment, { description: 'The attachments, in the order of their ids.' }),
  embed_id: o(described(Id, 'The id of its embed. Absent when it has none.')),
  meeting_id: o(described(Id, 'The id of its meeting. Absent when it has none.')),
  option_count: count('How many options its poll has; 0 when there is no poll.'),
  options: Type.Array(Option, { description: 'The options of its poll, in order.' }),
  reactions: Type.Array(Reaction, { description: 'The reactions to it, one of each user who reacted.' }),
  metadata: o(
    described(Metadata, 'Free-form properties, as the client sent them. Absent when there are none.'),
  ),
  tags: Type.Array(Type.String(), { description: 'Its tags, in the order in which they were set.' }),
  via: o(
    via(
      'What wrote it as it is, in the name of its author or last editor: a program by the Model Context Protocol (`mcp`), or the provider of an agent (`agent`). Absent for plain HTTP.',
    ),
  ),
  created_at: described(Timestamp, 'When it was created.'),
  created_by_id: described(Id, 'The id of its author.'),
  modified_at: o(described(Timestamp, 'When it was last edited. Absent until the first edit.')),
  modified_by_id: o(described(Id, 'The id of the user who last edited it. Absent until the first edit.')),
  is_trashed: boolean('Whether it is in the trash.'),
  is_held: o(
    boolean(
      'True while only its author and moderators see it, until a moderator approves it. Absent otherwise.',
    ),
  ),
};

/** The fields that a list item has only where `expand` names them. */
export const entryExpandedFields = {
  parent: o(described(Parent, 'What it belongs to. Only where `expand` asks for it.')),
  embed: o(described(Embed, 'Its embed. Only where `expand` asks for it; absent when it has none.')),
  meeting: o(described(Meeting, 'Its meeting. Only where `expand` asks for it; absent when it has none.')),
  created_by: o(described(User, 'The user who wrote it. Only where `expand` asks for it.')),
  modified_by: o(
    described(
      User,
      'The user who last edited it. Only where `expand` asks for it; absent until the first edit.',
    ),
  ),
};

/** The fields that a single comment or post has in addition to those of a list item. */
export const entryDetailFields = {
  parent: described(Parent, 'What it belongs to.'),
  embed: o(described(Embed, 'Its embed. Absent when it has none.')),
  meeting: o(described(Meeting, 'Its meeting. Absent when it has none.')),
  created_by: described(User, 'The user who wrote it.'),
  modified_by: o(described(User, 'The user who last edited it. Absent until the first edit.')),
};

const optionText = Type.String({
  minLength: 1,
  maxLength: limits.optionCharactersMax,
  pattern: '\\S',
  description: 'The option in words; not blank.',
});
const blobIds = Type.Array(Id, { maxItems: limits.blobsMax, uniqueItems: true });

/** The fields that a client may set on a comment or post to create. */
export const EntryCreate = Type.Object(
  {
    blobs: o(described(blobIds, 'The ids of the blobs to attach, at most 100, each once.')),
    embed_id: o(described(Id, "The id of an embed to show below the text; one of the caller's.")),
    meeting_id: o(described(Id, "The id of a meeting to show below the text; one of the caller's.")),
    options: o(
      Type.Array(Type.Object({ text: optionText }), {
        maxItems: limits.optionsMax,
        description: 'The options of a poll, in order, at most 50. There is no poll when absent.',
      }),
    ),
    text: o(Text),
    metadata: o(Metadata),
    tags: o(Tags),
  },
  {
    $id: 'EntryCreate',
    description: 'The fields of a request that creates a comment, a post or a message.',
  },
);
export type EntryCreate = Static<typeof EntryCreate>;

/** The fields of a comment or post that a client may change. */
export const EntryPatch = Type.Object(
  {
    attachments: o(
      Type.Array(Id, {
        maxItems: limits.blobsMax,
        uniqueItems: true,
        description: 'The ids of the attachments to keep; the others are removed. All are kept when absent.',
      }),
    ),
    blobs: o(described(blobIds, 'The ids of the blobs to attach in addition, at most 100, each once.')),
    embed_id: o(described(Id, "The id of an embed to show below the text; one of the caller's.")),
    meeting_id: o(described(Id, "The id of a meeting to show below the text; one of the caller's.")),
    options: o(
      Type.Array(
        Type.Object({
          id: o(
            Type.Integer({
              minimum: 1,
              description: 'The id of an option to keep. Without it the option is added.',
            }),
          ),
          text: optionText,
        }),
        {
          maxItems: limits.optionsMax,
          description:
            'All options of the poll, in order. An option that is left out is removed with its votes.',
        },
      ),
    ),
    text: o(Text),
    metadata: o(Metadata),
    tags: o(Tags),
  },
  {
    $id: 'EntryPatch',
    description: 'The fields of a comment, a post or a message that a client can change.',
  },
);
export type EntryPatch = Static<typeof EntryPatch>;

/** The fields by which comments and posts can be sorted. */
export const entryList = {
  orderBy: ['id', 'created_at', 'modified_at'],
  expand: ['created_by', 'modified_by', 'parent', 'embed', 'meeting'],
} as const;

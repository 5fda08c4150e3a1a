import Type, { type Static } from 'typebox';
import { Embed } from './embeds.ts';
import { Id, limits, Metadata, Tags, Text, Timestamp } from './fields.ts';
import { Meeting } from './meetings.ts';
import { User } from './users.ts';

const o = Type.Optional;

/** A file that belongs to an entry. */
export const Attachment = Type.Object(
  {
    id: Id,
    app_id: Id,
    version: Type.Integer({ minimum: 1 }),
    name: Type.String(),
    kind: Type.String(),
    media_type: Type.String(),
    width: o(Type.Integer()),
    height: o(Type.Integer()),
    size: Type.Integer({ minimum: 0 }),
    metadata: o(Metadata),
    tags: Type.Array(Type.String()),
    provider: o(Type.String()),
    raw: o(Type.String()),
    download_url: o(
      Type.String({
        description: 'Absent for what is kept elsewhere without an address to download it from.',
      }),
    ),
    application_url: o(Type.String()),
    embed_url: o(Type.String()),
    external_url: o(Type.String()),
    preview_format: Type.String(),
    preview_url: o(Type.String()),
    thumbnail_url: o(Type.String()),
    created_at: Timestamp,
    created_by_id: Id,
    modified_at: o(Timestamp),
    modified_by_id: o(Id),
    comment_count: Type.Integer({ minimum: 0 }),
    comments: Type.Array(Type.Object({})),
    is_subscribed: Type.Boolean(),
    is_trashed: Type.Boolean(),
  },
  { $id: 'Attachment' },
);

/** One answer of a poll. */
export const Option = Type.Object(
  {
    id: Id,
    text: Type.String(),
    vote_count: Type.Integer({ minimum: 0 }),
    has_voted: Type.Boolean({ description: 'Whether the caller chose it.' }),
    voters: Type.Array(User, {
      description:
        'The first 100 people who chose it, in the order in which they did. Empty in a list; all of them are under /api/options/{id}/voters.',
    }),
  },
  { $id: 'Option' },
);

/** One person's reaction. */
export const Reaction = Type.Object(
  {
    id: Id,
    content: Type.String({ description: 'One emoji.' }),
    created_at: Timestamp,
    created_by_id: Id,
    count: Type.Integer({ minimum: 1, description: 'How many people reacted to the same with this emoji.' }),
  },
  { $id: 'Reaction' },
);

/** What an entry belongs to. */
export const Parent = Type.Object({ id: Id, type: Type.String() }, { $id: 'Parent' });

/** The fields of a comment or post in a list. */
export const entryItemFields = {
  id: Id,
  app_id: Id,
  text: o(Type.String()),
  html: o(Type.String()),
  plain: o(Type.String()),
  attachment_count: Type.Integer({ minimum: 0 }),
  attachments: Type.Array(Attachment),
  embed_id: o(Id),
  meeting_id: o(Id),
  option_count: Type.Integer({ minimum: 0 }),
  options: Type.Array(Option),
  reactions: Type.Array(Reaction),
  metadata: o(Metadata),
  tags: Type.Array(Type.String()),
  created_at: Timestamp,
  created_by_id: Id,
  modified_at: o(Timestamp),
  modified_by_id: o(Id),
  is_trashed: Type.Boolean(),
};

/** The fields a list item gets only where `expand` asks for them. */
export const entryExpandedFields = {
  parent: o(Parent),
  embed: o(Embed),
  meeting: o(Meeting),
  created_by: o(User),
  modified_by: o(User),
};

/** The fields that a single comment or post has besides those of a list item. */
export const entryDetailFields = {
  parent: Parent,
  embed: o(Embed),
  meeting: o(Meeting),
  created_by: User,
  modified_by: o(User),
};

const optionText = Type.String({ minLength: 1, maxLength: limits.optionCharactersMax, pattern: '\\S' });
const blobIds = Type.Array(Id, { maxItems: limits.blobsMax, uniqueItems: true });

/** What a client may set when it creates a comment or post. */
export const EntryCreate = Type.Object(
  {
    blobs: o(blobIds),
    embed_id: o(Id),
    meeting_id: o(Id),
    options: o(Type.Array(Type.Object({ text: optionText }), { maxItems: limits.optionsMax })),
    text: o(Text),
    metadata: o(Metadata),
    tags: o(Tags),
  },
  { $id: 'EntryCreate' },
);
export type EntryCreate = Static<typeof EntryCreate>;

/** What a client may change of a comment or post. */
export const EntryPatch = Type.Object(
  {
    attachments: o(
      Type.Array(Id, {
        maxItems: limits.blobsMax,
        uniqueItems: true,
        description: 'Ids of the files to keep.',
      }),
    ),
    blobs: o(blobIds),
    embed_id: o(Id),
    meeting_id: o(Id),
    options: o(
      Type.Array(
        Type.Object({
          id: o(
            Type.Unsafe<number | null>({
              type: ['integer', 'null'],
              minimum: 1,
              description: 'An option to keep; without it the option is added.',
            }),
          ),
          text: optionText,
        }),
        { maxItems: limits.optionsMax },
      ),
    ),
    text: o(Text),
    metadata: o(Metadata),
    tags: o(Tags),
  },
  { $id: 'EntryPatch' },
);
export type EntryPatch = Static<typeof EntryPatch>;

/** What comments and posts can be sorted by. */
export const entryList = {
  orderBy: ['id', 'created_at', 'modified_at'],
  defaultOrder: { field: 'id', descending: false },
  expand: ['created_by', 'modified_by', 'parent', 'embed', 'meeting'],
} as const;

import { type AliasedRawBuilder, type RawBuilder, sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { type Parameters, type Query, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import { systemUserId } from '../users/users.sql.ts';

/** The parameters of one step through the rows of a user: the first `top` whose id is from `from` to below `below`. */
type Ids = { userId: number; from: number; below: number; top: number };

// A statement that remembers nothing, so that it may give more than is asked for.
type Statement<P extends Parameters, R> = Omit<Query<P, R>, 'remembered'>;

/** The rows of one kind in an export. */
export type ExportedRows = {
  /** The kind on the lines of the export: the name of the table. */
  readonly kind: string;
  /** The column that the steps follow. */
  readonly id: string;
  /** The highest id of a row; null where there is none. */
  readonly last: Statement<{ userId: number }, { id: number | null }>;
  /** The rows of a step, in the order of ids. */
  readonly rows: Statement<Ids, object>;
  /** How many ids a step spans. */
  readonly span: number;
  /** The most rows of a step. */
  readonly top: number;
};

/** The most rows of a step. The content of an entry takes at most half a megabyte, so 50 take 25. */
const rowsPerStep = 50;
/** How many ids a step spans where no index finds the rows of a user. */
const idsPerStep = 5000;

type UserId = RawBuilder<unknown>;

type Shape = {
  readonly columns: readonly (string | AliasedRawBuilder<unknown, string>)[];
  /** The owner of the rows: the column with the user, or a condition. */
  readonly of: string | ((userId: UserId) => RawBuilder<boolean>);
  /** The column that orders the rows; `id` by default. */
  readonly id?: string;
  /** Whether several rows of the user can have the same id. All of them are read in one step then, so they must be short. */
  readonly hasEqualIds?: true;
  /** Whether an index finds the rows of a user. */
  readonly isByUser?: true;
};

function rowsOf(table: keyof Tables, shape: Shape): ExportedRows {
  const { columns, of, id = 'id' } = shape;
  const order = sql.ref(`${table}.${id}`);
  const isOwn = (userId: unknown): RawBuilder<boolean> =>
    typeof of === 'string' ? sql<boolean>`${sql.ref(`${table}.${of}`)} = ${userId}` : of(sql`${userId}`);
  const from = table as 'entries';
  return {
    kind: table,
    id,
    span: shape.isByUser ? Number.MAX_SAFE_INTEGER : idsPerStep,
    top: shape.hasEqualIds ? Number.MAX_SAFE_INTEGER : rowsPerStep,
    last: query<{ userId: number }>()((q, value) =>
      q
        .selectFrom(from)
        .select(sql<number | null>`max(${order})`.as('id'))
        // Without an index by user, the last id of all is found at once.
        .$if(shape.isByUser === true, (part) => part.where(isOwn(value('userId')))),
    ),
    rows: query<Ids>()((q, value) =>
      q
        .selectFrom(from)
        .select(columns as readonly 'id'[])
        .where(sql<boolean>`${order} >= ${value('from')} and ${order} < ${value('below')}`)
        .where(isOwn(value('userId')))
        .orderBy(order)
        .limit(rowCount(value('top'))),
    ),
  };
}

const itemTimes = ['created_at', 'modified_at', 'trashed_at', 'held_at', 'locked_at'];
const ofReport = (column: string) =>
  sql`(select ${sql.ref(column)} from reports where reports.id = complaints.report_id)`.as(column);

/** Everything that the store has of a user besides the profile, in the order of the export. */
export const exportedRows: readonly ExportedRows[] = [
  rowsOf('access_tokens', {
    of: 'user_id',
    id: 'created_at',
    columns: ['created_at', 'expires_at'],
    hasEqualIds: true,
    isByUser: true,
  }),
  rowsOf('mail_states', {
    of: 'user_id',
    id: 'user_id',
    columns: ['user_id', 'choice', 'new_comments', 'sent_at', 'refused_address'],
    isByUser: true,
  }),
  rowsOf('visitor_addresses', {
    of: 'user_id',
    id: 'user_id',
    columns: ['user_id', 'address', 'used_at'],
    isByUser: true,
  }),
  rowsOf('members', {
    of: 'user_id',
    id: 'app_id',
    columns: [
      ...['app_id', 'access', 'role', 'created_at', 'marked_id', 'marked_at', 'delivered_at'],
      ...['pinned_at', 'wrote_id'],
    ],
    isByUser: true,
  }),
  rowsOf('approved_counts', { of: 'user_id', id: 'app_id', columns: ['app_id', 'count'] }),
  rowsOf('stars', { of: 'user_id', id: 'app_id', columns: ['app_id'], isByUser: true }),
  rowsOf('follows', { of: 'user_id', id: 'followed_id', columns: ['followed_id'], isByUser: true }),
  rowsOf('subscriptions', {
    of: 'user_id',
    id: 'entity_id',
    columns: ['entity_type', 'entity_id'],
    hasEqualIds: true,
    isByUser: true,
  }),
  rowsOf('apps', {
    of: 'created_by_id',
    columns: [
      ...['id', 'type', 'uid', 'access', 'name', 'description', 'metadata', 'tags', 'created_at'],
      ...['modified_at', 'trashed_at'],
    ],
  }),
  rowsOf('entries', {
    of: 'created_by_id',
    columns: ['id', 'kind', 'app_id', 'parent_type', 'parent_id', 'content', 'anchor', ...itemTimes],
  }),
  rowsOf('options', {
    of: (userId) =>
      sql`exists (select 1 from entries where entries.id = options.entry_id and entries.created_by_id = ${userId})`,
    columns: ['id', 'entry_id', 'position', 'text', 'vote_count'],
  }),
  rowsOf('revisions', { of: 'created_by_id', columns: ['id', 'entry_id', 'created_at', 'content'] }),
  rowsOf('reactions', { of: 'created_by_id', columns: ['id', 'entry_id', 'content', 'created_at'] }),
  rowsOf('votes', { of: 'user_id', id: 'entry_id', columns: ['entry_id', 'option_id', 'created_at'] }),
  rowsOf('complaints', {
    of: 'user_id',
    columns: ['id', ofReport('entity_type'), ofReport('entity_id'), 'reason', 'text', 'created_at'],
    isByUser: true,
  }),
  rowsOf('files', {
    of: (userId) => sql`(files.created_by_id = ${userId} or files.content_by_id = ${userId})`,
    columns: [
      ...['id', 'app_id', 'parent_type', 'parent_id', 'blob_id', 'version', 'name', 'metadata', 'tags'],
      ...itemTimes,
    ],
  }),
  rowsOf('file_versions', {
    of: 'created_by_id',
    id: 'file_id',
    columns: ['file_id', 'number', 'blob_id', 'name', 'created_at'],
    hasEqualIds: true,
  }),
  rowsOf('embeds', {
    of: 'created_by_id',
    columns: ['id', 'url', 'original_url', 'content', 'actions', 'created_at'],
    isByUser: true,
  }),
  rowsOf('meetings', {
    of: 'created_by_id',
    columns: [
      'id',
      'provider',
      'provider_id',
      'join_url',
      'shown_as',
      'created_at',
      'ended_at',
      'recording_url',
    ],
    isByUser: true,
  }),
  rowsOf('notifications', {
    of: 'user_id',
    columns: [
      ...['id', 'reason', 'action', 'actor_id', 'app_id', 'link_type', 'link_id', 'template', 'args'],
      ...['created_at', 'read_at'],
    ],
    isByUser: true,
  }),
  // The subject of an event has a line of its own; the payload would repeat it.
  rowsOf('events', {
    of: 'actor_id',
    columns: ['id', 'action', 'app_id', 'entity_type', 'entity_id', 'created_at'],
  }),
  // Also what was uploaded with an API key and put into a file by the user.
  rowsOf('blobs', {
    of: (userId) =>
      sql`(blobs.created_by_id = ${userId} or (blobs.created_by_id = ${sql.lit(systemUserId)} and (
        exists (select 1 from files where files.blob_id = blobs.id
          and coalesce(files.content_by_id, files.created_by_id) = ${userId})
        or exists (select 1 from file_versions where file_versions.blob_id = blobs.id
          and file_versions.created_by_id = ${userId}))))`,
    columns: [
      ...['id', 'key', 'name', 'media_type', 'size', 'width', 'height', 'provider', 'link', 'download'],
      ...['embed', 'raw', 'created_at', 'expires_at'],
    ],
  }),
];

import { sql } from 'kysely';
import { blobColumns } from '../../access/blob/blob.sql.ts';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command, insertRow, query } from '../../db/statement.ts';

/** Inserts an unused blob that expires at `expiresAt`. */
export const insertBlob = insertRow('blobs', [
  'key',
  'name',
  'media_type',
  'width',
  'height',
  'size',
  'provider',
  'link',
  'download',
  'embed',
  'raw',
  'digest',
  'created_at',
  'created_by_id',
  'expires_at',
  'is_of_visitor',
]);

/** How many unused blobs a user has, how many of their bytes this server stores, and when the first of them expires. */
export const waitingBlobs = query<{ userId: number; now: number }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select((blob) => [
      blob.fn.countAll<number>().as('count'),
      sql<number>`cast(coalesce(sum(case when provider is null then size else 0 end), 0) as bigint)`.as(
        'bytes',
      ),
      blob.fn.min<number | null>('expires_at').as('firstEnd'),
    ])
    .where('created_by_id', '=', value('userId'))
    .where('expires_at', '>', value('now')),
);

/** How many bytes the pictures have that visitors sent for comments, in use or not. */
export const bytesOfVisitors = query<Record<never, never>>()((q) =>
  q
    .selectFrom('blobs')
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'))
    // A literal: the partial index is used only for a condition that is literally its own.
    .where(sql<boolean>`is_of_visitor = 1`),
);

/** Some blobs, in any state. */
export const blobsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select([...blobColumns, 'blobs.digest'])
    .where(anyOf(sql.ref('blobs.id'), value('ids'))),
);

/** The counted properties of a blob in use, as `StoredBlob`. */
const storedColumns = ['size', 'provider', 'created_by_id as createdById', 'app_id as appId'] as const;

/**
 * Claims unused blobs of one user, or of any user (`anyones` is 1); where `remadeOnly` is 1, only pictures made again. A blob
 * without a row could not be claimed.
 */
export const claimBlobs = command<{
  ids: readonly number[];
  userId: number;
  anyones: number;
  remadeOnly: number;
  appId: number | null;
  now: number;
}>()((q, value) =>
  q
    .updateTable('blobs')
    .set({ expires_at: null, app_id: value('appId'), is_counted: 1 })
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('expires_at', '>', value('now'))
    .where((where) =>
      where.or([where('created_by_id', '=', value('userId')), sql<boolean>`${value('anyones')} = 1`]),
    )
    .where(sql<boolean>`(${value('remadeOnly')} = 0 or is_of_visitor = 1)`)
    .returning(['id', 'name', ...storedColumns]),
);

/**
 * Releases the blobs, among some, that nothing uses any longer, and returns them: they can be swept from `at` on and
 * cannot be claimed again. A file and one of its versions can share a blob.
 */
export const releaseBlobs = command<{ ids: readonly number[]; at: number }>()((q, value) =>
  q
    .updateTable('blobs')
    .set({ expires_at: value('at') })
    .where(anyOf(sql.ref('id'), value('ids')))
    .where(
      sql<boolean>`not exists (select 1 from files where files.blob_id = blobs.id)
        and not exists (select 1 from file_versions where file_versions.blob_id = blobs.id)
        and not exists (select 1 from users where users.picture_id = blobs.id)
        and not exists (select 1 from apps where apps.picture_id = blobs.id)`,
    )
    .returning(['id', 'is_counted as isCounted', ...storedColumns]),
);

/** Notes of some blobs that they are counted no more. */
export const uncountBlobs = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .updateTable('blobs')
    .set({ is_counted: 0 })
    .where(anyOf(sql.ref('id'), value('ids'))),
);

/** The blobs that expired before `before`, the oldest first. */
export const expiredBlobs = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select(['id', 'key'])
    .where('expires_at', '<=', value('before'))
    .orderBy('expires_at')
    .limit(rowCount(value('top'))),
);

/** Removes the rows of blobs whose bytes are gone, and returns them. */
export const deleteBlobs = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('blobs')
    .where(anyOf(sql.ref('id'), value('ids')))
    .where('expires_at', 'is not', null)
    .returning(['is_counted as isCounted', ...storedColumns]),
);

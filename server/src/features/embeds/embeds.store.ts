import { sql } from 'kysely';
import { embedColumns } from '../../access/embed/embed.sql.ts';
import { anyOf } from '../../db/dialect.ts';
import { insertRow, query } from '../../db/statement.ts';

/** The latest fetch of an address since a time, for any user. */
export const latestFetch = query<{ url: string; since: number }>()((q, value) =>
  q
    .selectFrom('embeds')
    .select(['content', 'fetched_at as fetchedAt'])
    .where('url', '=', value('url'))
    .where('fetched_at', '>', value('since'))
    .orderBy('fetched_at', 'desc')
    .limit(sql.lit(1)),
);

/** The embed that a user already has of an address since a time. */
export const ownEmbed = query<{ url: string; originalUrl: string; userId: number; since: number }>()(
  (q, value) =>
    q
      .selectFrom('embeds')
      .select(embedColumns)
      .where('url', '=', value('url'))
      .where('fetched_at', '>', value('since'))
      .where('original_url', '=', value('originalUrl'))
      .where('created_by_id', '=', value('userId'))
      .orderBy('fetched_at', 'desc')
      .limit(sql.lit(1)),
);

/** Adds an embed. */
export const insertEmbed = insertRow('embeds', [
  'url',
  'original_url',
  'content',
  'actions',
  'fetched_at',
  'created_at',
  'created_by_id',
]);

/** Some embeds. */
export const embedsByIds = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('embeds')
    .select(embedColumns)
    .where(anyOf(sql.ref('id'), value('ids'))),
);

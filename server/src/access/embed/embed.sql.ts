import type { RowOf } from '../../db/statement.ts';

/** The columns of an embed. */
export const embedColumns = [
  'id',
  'original_url as originalUrl',
  'content',
  'actions',
  'created_at as createdAt',
  'created_by_id as createdById',
] as const;

/** An embed as stored. `content` has the fields that were fetched, rendered. */
export type EmbedRow = RowOf<'embeds', typeof embedColumns>;

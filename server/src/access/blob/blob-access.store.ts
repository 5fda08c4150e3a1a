import { query } from '../../db/statement.ts';
import { blobColumns } from './blob.sql.ts';

/** A blob that is in use, or that still waits to be used. */
export const blobById = query<{ id: number; now: number }>()((q, value) =>
  q
    .selectFrom('blobs')
    .select(blobColumns)
    .where('id', '=', value('id'))
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', value('now'))])),
);

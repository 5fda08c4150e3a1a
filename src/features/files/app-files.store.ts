import { sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { query } from '../../db/statement.ts';

/** The first files of an app, in the trash or not. */
export const filesOfApp = query<{ appId: number; top: number }>()((q, value) =>
  q
    .selectFrom('files')
    .select(['id', 'blob_id as blobId'])
    .where('app_id', '=', value('appId'))
    .where(sql<boolean>`parent_type = 'app'`)
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

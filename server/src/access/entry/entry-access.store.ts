import { sql } from 'kysely';
import { query } from '../../db/statement.ts';
import { type EntryKind, entryColumns, isEntry, isShownInThread, parentIsLive } from './entry.sql.ts';

/** An entry whose parent is not in the trash. */
export const entryById = query<{ id: number; kind: EntryKind }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryColumns)
    .where('id', '=', value('id'))
    .where('kind', '=', value('kind'))
    .where(parentIsLive),
);

/** An entry of any kind whose parent is not in the trash. */
export const entryOfAnyKind = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(entryColumns)
    .where('id', '=', value('id'))
    .where(isEntry)
    .where(parentIsLive),
);

/** A comment or the place of one, if a thread shows it and its parent is not in the trash. */
export const threadById = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('entries')
    .select(['id', 'app_id as appId', 'root_id as rootId', 'reply_count as replyCount'])
    .where('id', '=', value('id'))
    .where(sql`kind`, 'in', ['comment', 'place'])
    .where(isShownInThread('entries'))
    .where(
      sql<boolean>`exists (select 1 from tallies where tallies.parent_type = entries.parent_type
        and tallies.parent_id = entries.parent_id and tallies.kind = 'comment' and tallies.is_hidden = 0)`,
    ),
);

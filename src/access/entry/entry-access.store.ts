import { query } from '../../db/statement.ts';
import { type EntryKind, entryColumns, parentIsLive } from './entry.sql.ts';

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
  q.selectFrom('entries').select(entryColumns).where('id', '=', value('id')).where(parentIsLive),
);

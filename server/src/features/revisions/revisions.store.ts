import { sql } from 'kysely';
import { list } from '../../db/list.ts';
import { command, insertRow } from '../../db/statement.ts';

/** Adds a revision. */
export const insertRevision = insertRow('revisions', ['entry_id', 'created_at', 'created_by_id', 'content']);

/** Removes the oldest revisions of an entry: those beyond a number, and those beyond a total size in bytes. */
export const deleteOldRevisions = command<{ entryId: number; countMax: number; bytesMax: number }>()(
  (q, value) =>
    q.deleteFrom('revisions').where('id', 'in', (sub) =>
      sub
        .selectFrom(
          q
            .selectFrom('revisions')
            .select([
              'id',
              sql<number>`row_number() over (order by id desc)`.as('place'),
              sql<number>`sum(octet_length(content)) over (order by id desc)`.as('bytes'),
            ])
            .where('entry_id', '=', value('entryId'))
            .as('placed'),
        )
        .select('placed.id')
        .where(sql<boolean>`place > ${value('countMax')} or bytes > ${value('bytesMax')}`),
    ),
);

/** The revisions of an entry. */
export const revisionList = list<{ entryId: number }>()({
  name: 'revisions',
  filters: {},
  rows: (q, value) =>
    q
      .selectFrom('revisions')
      .select(['id', 'content', 'created_at as createdAt', 'created_by_id as createdById'])
      .where('entry_id', '=', value('entryId')),
  orders: { id: [], created_at: [{ by: sql`created_at` }] },
  id: sql`id`,
});

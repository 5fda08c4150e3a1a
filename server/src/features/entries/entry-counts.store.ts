import { sql } from 'kysely';
import { visibleTo } from '../../access/access.sql.ts';
import type { EntryKind } from '../../access/entry/entry.sql.ts';
import { cachedByShape, query } from '../../db/statement.ts';

/** How many comments outside the trash the posts and files of an app have, from the stored counts. */
export const countBelow = query<{ appId: number }>()((q, value) =>
  q
    .selectFrom('tallies')
    .select([
      sql<number>`coalesce(sum(live), 0)`.as('live'),
      sql<number>`coalesce(sum(trashed), 0)`.as('trashed'),
    ])
    .where('kind', '=', 'comment')
    .where('app_id', '=', value('appId'))
    .where('is_hidden', '=', 0)
    .where('parent_type', '<>', 'app'),
);

/** How many entries all visible parents have, from the stored counts. */
export const countAllEntries = cachedByShape((scope: 'visible' | 'all') =>
  query<{ kind: EntryKind; userId: number; directoryId: number }>()((q, value) =>
    q
      .selectFrom('tallies')
      .innerJoin('apps', 'apps.id', 'tallies.app_id')
      .select([
        sql<number>`coalesce(sum(tallies.live), 0)`.as('live'),
        sql<number>`coalesce(sum(tallies.trashed), 0)`.as('trashed'),
      ])
      .where('tallies.kind', '=', value('kind'))
      .where('tallies.is_hidden', '=', 0)
      .where('apps.trashed_at', 'is', null)
      .$if(scope === 'visible', (part) =>
        part.where(
          visibleTo(sql.ref('apps.id'), { userId: value('userId'), directoryId: value('directoryId') }),
        ),
      ),
  ),
);

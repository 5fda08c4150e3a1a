import { sql } from 'kysely';
import { isVisible } from '../../access/access.sql.ts';
import { anyOf } from '../../db/dialect.ts';
import { cachedByShape, query } from '../../db/statement.ts';

/** Whose apps are counted: those of everyone, those that a user sees, or those that are open to visitors. */
type Reach = 'all' | 'user' | 'visitors';

/** How many comments of their own some apps have, by uid; those that are not seen have no row. */
export const commentCounts = cachedByShape((reach: Reach) =>
  query<{ uids: readonly string[]; userId: number; directoryId: number }>()((q, value) =>
    q
      .selectFrom('apps')
      .innerJoin('tallies', (join) =>
        join
          .onRef('tallies.parent_id', '=', 'apps.id')
          .on('tallies.parent_type', '=', sql.lit('app'))
          .on('tallies.kind', '=', sql.lit('comment')),
      )
      .select(['apps.uid', 'tallies.live as count'])
      .where(anyOf(sql.ref('apps.uid'), value('uids')))
      .where('apps.deleted_at', 'is', null)
      .where('apps.trashed_at', 'is', null)
      .$if(reach === 'visitors', (part) => part.where('apps.visitors', 'is not', null))
      .$if(reach !== 'all', (part) =>
        part.where(isVisible('apps', { userId: value('userId'), directoryId: value('directoryId') })),
      ),
  ),
);

import { type SelectQueryBuilder, sql } from 'kysely';
import { anyOf } from '../../db/dialect.ts';
import type { Bind, Builder } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** Those of some comments that are still held, as rows of `entries` alone. */
export function heldByIds(
  q: Builder,
  value: Bind<{ ownIds: readonly number[] }>,
): SelectQueryBuilder<Tables, 'entries', Record<never, never>> {
  return q
    .selectFrom('entries')
    .where(anyOf(sql.ref('entries.id'), value('ownIds')))
    .where('entries.held_at', 'is not', null)
    .where('entries.trashed_at', 'is not', null);
}

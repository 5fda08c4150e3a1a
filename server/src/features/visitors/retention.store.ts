import { type RawBuilder, sql } from 'kysely';
import { rowCount } from '../../db/dialect.ts';
import { type Command, command, query } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';

/** The times until which rows have expired: that of most rows, and those of rows that are kept for longer. */
type ExpiryTimes = { now: number; requests: number; addresses: number };

/** A table whose rows are kept for a time. */
type Expiring = {
  readonly until: keyof ExpiryTimes;
  /** Deletes at most `top` rows that have expired. */
  readonly deleteExpired: Command<{ until: number; top: number }, unknown>;
  /** Whether there is such a row. */
  readonly hasExpired: (until: unknown) => RawBuilder<boolean>;
};

type Column<T extends keyof Tables> = keyof Tables[T] & string;

/** Rows of a table until the time in a column; `key` tells them apart. */
function rowsOf<T extends keyof Tables>(
  name: T,
  { key, column, until = 'now' }: { key: Column<T>; column: Column<T>; until?: keyof ExpiryTimes },
): Expiring {
  const [table, id, time] = [sql.table(name), sql.ref(key), sql.ref(column)];
  return {
    until,
    deleteExpired: command<{ until: number; top: number }>()((q, value) =>
      q.deleteFrom(name as 'bans').where(
        sql<boolean>`${id} in
          (select ${id} from ${table} where ${time} <= ${value('until')} limit ${rowCount(value('top'))})`,
      ),
    ),
    hasExpired: (past) => sql<boolean>`exists (select 1 from ${table} where ${time} <= ${past})`,
  };
}

/** What is kept of visitors for a time only. */
export const expiring: readonly Expiring[] = [
  rowsOf('visitor_secrets', { key: 'hash', column: 'expires_at' }),
  rowsOf('solved_puzzles', { key: 'hash', column: 'expires_at' }),
  rowsOf('refused_mailboxes', { key: 'hash', column: 'until_at' }),
  rowsOf('sign_in_requests', { key: 'hash', column: 'expires_at', until: 'requests' }),
  rowsOf('visitor_addresses', { key: 'user_id', column: 'used_at', until: 'addresses' }),
  rowsOf('counted_guests', { key: 'hash', column: 'expires_at' }),
  rowsOf('bans', { key: 'id', column: 'expires_at' }),
];

/** A row while any of that has expired. */
export const anythingExpired = query<ExpiryTimes>()((q, value) =>
  q
    .selectFrom('leases')
    .select('name')
    .where(
      sql<boolean>`(${sql.join(
        expiring.map(({ until, hasExpired }) => hasExpired(value(until))),
        sql` or `,
      )})`,
    )
    .limit(sql.lit(1)),
);

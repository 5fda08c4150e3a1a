import { sql } from 'kysely';
import type { Tx } from './db.ts';
import { fixedCommand } from './fixed-command.ts';
import type { InspectedRow, Inspection } from './inspection.ts';
import { command, query } from './statement.ts';
import { changeCount, type Tally } from './tallies.ts';

/** Holds stored counts against the rows that they count, and counts anew (decision 0008). */

/** The definition of one kind of stored count, in SQL that both engines accept. */
type Counted = {
  readonly from: string;
  readonly parentType: string;
  readonly parentId: string;
  readonly kind: string;
  readonly appId: string;
  readonly live: string;
  readonly trashed: string;
};

const listedUser = 'users.suspended_at is null and users.trashed_at is null';
// The user with id 1 is built in and in no list.
const countedUser = `${listedUser} and users.id > 1`;
const inTrash = { live: 'trashed_at is null', trashed: 'trashed_at is not null and held_at is null' };
const noTrash = { live: '1 = 1', trashed: '1 = 0' };

/** Every stored count in `tallies`, except the count of deliveries, which expire. */
const tallies: readonly Counted[] = [
  {
    from: "(select * from entries where kind <> 'place') as entries",
    parentType: 'parent_type',
    parentId: 'parent_id',
    kind: 'kind',
    appId: 'app_id',
    ...inTrash,
  },
  {
    from: "(select * from entries where kind = 'comment' and root_id is not null) as entries",
    parentType: 'parent_type',
    parentId: 'parent_id',
    kind: "'answer'",
    appId: 'app_id',
    ...inTrash,
  },
  {
    from: '(select * from entries where resolved_at is not null) as entries',
    parentType: 'parent_type',
    parentId: 'parent_id',
    kind: "'resolved'",
    appId: 'app_id',
    ...inTrash,
  },
  {
    from: "(select * from files where parent_type = 'app') as files",
    parentType: "'app'",
    parentId: 'app_id',
    kind: "'file'",
    appId: 'app_id',
    ...inTrash,
  },
  {
    from: `(select app_id from members join users on users.id = members.user_id where ${listedUser}) as members`,
    parentType: "'app'",
    parentId: 'app_id',
    kind: "'member'",
    appId: 'app_id',
    ...noTrash,
  },
  {
    from: 'notifications',
    parentType: "'user'",
    parentId: 'user_id',
    kind: "'notification'",
    appId: '0',
    ...noTrash,
  },
  {
    from: 'notifications',
    parentType: "'user'",
    parentId: 'user_id',
    kind: "'unread_notification'",
    appId: '0',
    live: 'read_at is null',
    trashed: '1 = 0',
  },
  {
    from: 'users',
    parentType: "'server'",
    parentId: '0',
    kind: "'user'",
    appId: '0',
    live: countedUser,
    trashed: '1 = 0',
  },
  {
    from: 'users',
    parentType: "'directory'",
    parentId: 'coalesce(directory_id, 0)',
    kind: "'user'",
    appId: '0',
    live: countedUser,
    trashed: '1 = 0',
  },
];

const sumOf = (condition: string) => `cast(sum(case when ${condition} then 1 else 0 end) as bigint)`;

function countsText({ from, parentType, parentId, kind, appId, live, trashed }: Counted, where = ''): string {
  return `select parent_type, parent_id, kind, max(app_id) as app_id, ${sumOf('is_live = 1')} as live, ${sumOf('is_trashed = 1')} as trashed
    from (select ${parentType} as parent_type, ${parentId} as parent_id, ${kind} as kind, ${appId} as app_id,
      case when ${live} then 1 else 0 end as is_live, case when ${trashed} then 1 else 0 end as is_trashed from ${from}) as one
    ${where} group by parent_type, parent_id, kind`;
}

/** A stored count that differs from the rows. */
export type WrongCount = Tally & { readonly stored: number; readonly actual: number };

/**
 * At most `top` of the stored counts that differ from their rows. What was deleted and goes batch by batch is left out.
 */
export async function wrongCounts(store: Inspection, top: number): Promise<WrongCount[]> {
  const kinds =
    "('comment', 'answer', 'resolved', 'post', 'message', 'file', 'member', 'notification', 'unread_notification', 'user')";
  const rows = await store.rows(
    `select coalesce(t.parent_type, c.parent_type) as parent_type, coalesce(t.parent_id, c.parent_id) as parent_id,
       coalesce(t.kind, c.kind) as kind, coalesce(t.app_id, c.app_id) as app_id,
       coalesce(t.live, 0) + coalesce(t.trashed, 0) as stored, coalesce(c.live, 0) + coalesce(c.trashed, 0) as actual
     from (select * from tallies where kind in ${kinds}) as t
     full join (${tallies.map((one) => countsText(one)).join(' union all ')}) as c
       on c.parent_type = t.parent_type and c.parent_id = t.parent_id and c.kind = t.kind
     where (coalesce(t.live, 0) <> coalesce(c.live, 0) or coalesce(t.trashed, 0) <> coalesce(c.trashed, 0))
       and t.removed_at is null
       and coalesce(t.app_id, c.app_id) not in (select id from apps where deleted_at is not null)
     order by 1, 2, 3 limit ${top}`,
  );
  return rows.map((row) => ({
    parentType: String(row.parent_type),
    parentId: Number(row.parent_id),
    kind: String(row.kind),
    appId: Number(row.app_id),
    stored: Number(row.stored),
    actual: Number(row.actual),
  }));
}

type Key = Omit<Tally, 'appId'>;

const actualCounts = tallies.map((one) =>
  query<Key>()((q, value) =>
    q
      .selectFrom(sql<{ live: number; trashed: number }>`(${sql.raw(countsText(one))})`.as('actual'))
      .select(['live', 'trashed'])
      .where(sql`parent_type`, '=', value('parentType'))
      .where(sql`parent_id`, '=', value('parentId'))
      .where(sql`kind`, '=', value('kind')),
  ),
);

const setTally = command<Key & { live: number; trashed: number }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({ live: value('live'), trashed: value('trashed') })
    .where('parent_type', '=', value('parentType'))
    .where('parent_id', '=', value('parentId'))
    .where('kind', '=', value('kind')),
);

/** Counts anew what one stored count counts; must run in a transaction. */
export async function recount(tx: Tx, { parentType, parentId, kind, appId }: Tally): Promise<void> {
  const key = { parentType, parentId, kind };
  // The row may be missing.
  await changeCount(tx, { ...key, appId }, { live: 0, trashed: 0 });
  let [live, trashed] = [0, 0];
  for (const counts of actualCounts) {
    const row = await tx.get(counts, key);
    live += Number(row?.live ?? 0);
    trashed += Number(row?.trashed ?? 0);
  }
  await tx.run(setTally, { ...key, live, trashed });
}

/** A sum that a row of a table keeps about rows of another, with the SQL of what it must be. */
const sums = [
  {
    table: 'entries',
    column: 'reaction_count',
    actual: '(select count(*) from reactions where entry_id = entries.id)',
  },
  {
    table: 'entries',
    column: 'reply_count',
    // Two sums, because an engine has no index for either of two columns. What answers the first of a thread is in one alone.
    actual: `((select count(*) from entries as below where below.root_id = entries.id and below.trashed_at is null)
      + (select count(*) from entries as answers where answers.reply_to_id = entries.id
        and answers.root_id <> answers.reply_to_id and answers.trashed_at is null))`,
  },
  {
    table: 'options',
    column: 'vote_count',
    actual: '(select count(*) from votes where option_id = options.id)',
  },
  {
    table: 'users',
    column: 'stored_bytes',
    actual:
      '(select coalesce(sum(size), 0) from blobs where created_by_id = users.id and is_counted = 1 and provider is null)',
  },
  {
    table: 'apps',
    column: 'stored_bytes',
    actual:
      '(select coalesce(sum(size), 0) from blobs where app_id = apps.id and is_counted = 1 and provider is null)',
  },
] as const;

/** A row whose sum is wrong. */
export type WrongSum = { readonly table: string; readonly column: string; readonly id: number };

/** At most `top` rows of each kind whose sums differ from what they sum up. */
export async function wrongSums(store: Inspection, top: number): Promise<WrongSum[]> {
  const wrongSums: WrongSum[] = [];
  for (const { table, column, actual } of sums) {
    const rows: InspectedRow[] = await store.rows(
      `select id from ${table} where ${column} <> ${actual} order by id limit ${top}`,
    );
    wrongSums.push(...rows.map(({ id }) => ({ table, column, id: Number(id) })));
  }
  return wrongSums;
}

/** Sums up anew for some rows; must run in a transaction. */
export async function sumAnew(tx: Tx, wrong: readonly WrongSum[]): Promise<void> {
  for (const { table, column, actual } of sums) {
    const ids = wrong.filter((one) => one.table === table && one.column === column).map(({ id }) => id);
    if (ids.length > 0)
      await tx.run(
        fixedCommand(`update ${table} set ${column} = ${actual} where id in (${ids.join(', ')})`),
        {},
      );
  }
}

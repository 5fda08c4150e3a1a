import { fixedCommand } from './fixed-command.ts';
import type { Inspection } from './inspection.ts';

/** Rows that refer to something by its type and id, where the schema lets it go without them. */

/** Whether the thing that two columns, with their table, name is there. */
function isThere(type: string, id: string): string {
  const inTable = (table: string, more = '') =>
    `exists (select 1 from ${table} as thing where thing.id = ${id}${more})`;
  return `case when ${type} = 'app' then ${inTable('apps')} when ${type} = 'file' then ${inTable('files')}
    when ${type} = 'user' then ${inTable('users')} when ${type} = 'webhook' then ${inTable('webhooks')}
    when ${type} = 'directory' then ${id} = 0 or ${inTable('directories')} when ${type} = 'server' then ${id} = 0
    else ${inTable('entries', ` and thing.kind = ${type}`)} end`;
}

// Rows that belong to a deleted item are marked and removed in batches.
const isMarked = (
  table: string,
) => `exists (select 1 from tallies as below where below.parent_type = ${table}.parent_type
  and below.parent_id = ${table}.parent_id and below.removed_at is not null)`;

/** The rows of each table whose thing is gone. What is not `isSafe` is content, which nobody removes unasked. */
const leftovers = [
  {
    table: 'tallies',
    condition: `removed_at is null and not (${isThere('tallies.parent_type', 'tallies.parent_id')})`,
    isSafe: true,
  },
  {
    table: 'subscriptions',
    condition: `not (${isThere('subscriptions.entity_type', 'subscriptions.entity_id')})`,
    isSafe: true,
  },
  {
    table: 'entries',
    condition: `not (${isThere('entries.parent_type', 'entries.parent_id')}) and not ${isMarked('entries')}`,
    isSafe: false,
  },
  { table: 'files', condition: `not (${isThere('files.parent_type', 'files.parent_id')})`, isSafe: false },
] as const;

/** How many rows of a table refer to something that is gone, and what removes them where that is safe. */
export type Leftover = {
  readonly table: string;
  readonly count: number;
  readonly removal: ReturnType<typeof fixedCommand> | undefined;
};

/** The tables with such rows; counts at most `top` rows of each. */
export async function findLeftovers(store: Inspection, top: number): Promise<Leftover[]> {
  const result: Leftover[] = [];
  for (const { table, condition, isSafe } of leftovers) {
    const [row] = await store.rows(
      `select count(*) as n from (select 1 as one from ${table} where ${condition} limit ${top}) as found`,
    );
    const count = Number(row?.n ?? 0);
    const removal = isSafe ? fixedCommand(`delete from ${table} where ${condition}`) : undefined;
    if (count > 0) result.push({ table, count, removal });
  }
  return result;
}

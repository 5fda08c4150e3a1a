import { leaseMs } from 'confab-server/src/features/webhooks/sending/lanes.ts';
import type { Model } from 'confab-testing/harness/model.ts';
import type { DatabaseServers } from './database.ts';
import type { Stream } from './live.ts';
import { pollSlowly } from './poll-slowly.ts';

/** The log of a server in one row: how many events, the last one, and a sum over all that they say. */
const logOf = `select count(*)::int as count, coalesce(max(id), 0)::int as last,
  coalesce(sum(hashtextextended(events::text, 0)::numeric), 0)::text as sum from events`;

/** The three servers of PostgreSQL have the same log. */
export async function checkServersAgree(databases: DatabaseServers, model: Model): Promise<void> {
  let logs: string[] = [];
  const read = async () => {
    logs = await Promise.all(
      databases.all.map(async (server) => JSON.stringify(await databases.rowsOf(server, logOf))),
    );
    return new Set(logs).size === 1 ? true : undefined;
  };
  try {
    await pollSlowly('three equal logs', read, 30_000);
  } catch {
    model.violate('store', `the servers have different logs: ${logs.join(', ')}`);
  }
}

/** What the readers of the stream were told is what the log says: the log has no second branch that somebody saw. */
export async function checkNoFork(
  databases: DatabaseServers,
  model: Model,
  streams: readonly Stream[],
): Promise<void> {
  const rows = await databases.rows<{ id: number; action: string }>('select id::int, action from events');
  const actions = new Map(rows.map(({ id, action }) => [id, action]));
  for (const { name, told } of streams) {
    const others = [...told].filter(([position, action]) => actions.get(position) !== action);
    if (others.length > 0)
      model.violate(
        'event',
        `${others.length} events that a stream ${name} had are others in the log, such as ${others.slice(0, 5).join(' ')}`,
      );
  }
}

/** No lease outlasts the time for which a node may hold one. */
export async function checkLeases(databases: DatabaseServers, model: Model): Promise<void> {
  const latest = `(extract(epoch from now()) * 1000 + ${leaseMs + 1000})`;
  const stuck = await databases.rows<{ name: string }>(
    `select name from leases where until > ${latest}
     union all select 'webhook ' || id from webhooks where leased_until > ${latest}`,
  );
  if (stuck.length > 0)
    model.violate('store', `leases are stuck: ${stuck.map(({ name }) => name).join(', ')}`);
}

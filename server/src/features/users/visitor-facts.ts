import { dayMs, timestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { Read, Tx } from '../../db/db.ts';
import { type Json, json } from '../../kernel/json.ts';
import type { User } from '../../kernel/principal.ts';
import { addressesOfVisitors, approvedOfUsers } from './users.store.ts';

/** What moderators know of visitors besides their profiles: where they came from, and how much of theirs was approved. */

/** How long the address of a visitor is kept after they signed in, in milliseconds. */
export const addressMs = 30 * dayMs;

/** The network from which a visitor last signed in; undefined for one of whom none is kept. */
export async function lastAddressOf(
  read: Pick<Read, 'all'> | Tx,
  { id }: Pick<User, 'id'>,
  at: UnixMs,
): Promise<string | undefined> {
  const parameters = { ids: [id], since: at - addressMs };
  const [row] = await (read as Pick<Read, 'all'>).all(addressesOfVisitors, parameters);
  return row?.address;
}

/** The facts about the visitors among some users, by id; two statements for any number of them. */
export async function factsOfVisitors(
  read: Pick<Read, 'all'>,
  users: readonly Pick<User, 'id' | 'way'>[],
  at: UnixMs,
): Promise<ReadonlyMap<number, object>> {
  const ids = users.flatMap(({ id, way }) => (way === null ? [] : [id]));
  if (ids.length === 0) return new Map();
  const addresses = await read.all(addressesOfVisitors, { ids, since: at - addressMs });
  const approved = await read.all(approvedOfUsers, { ids });
  return new Map(
    ids.map((id) => {
      const last = addresses.find(({ userId }) => userId === id);
      return [
        id,
        {
          approved_count: approved.find(({ userId }) => userId === id)?.count ?? 0,
          ...(last === undefined ? {} : { address: last.address, signed_in_at: timestamp(last.usedAt) }),
        },
      ];
    }),
  );
}

/** A rendered user with the facts about them as a visitor; without any, as it is. */
export function withFacts(rendered: Json, facts: object | undefined): Json {
  return facts === undefined
    ? rendered
    : json(`${rendered.slice(0, -1)},"visitor":${JSON.stringify(facts)}}`);
}

import type { Db, Read } from '../../db/db.ts';
import { idsBefore, insertIds, joinedInto, type LastIds, lastNoted, presentIds } from './newest-ids.store.ts';

/**
 * Nothing can be about a user before they were there. So a walk of rows in the order of their ids ends at the newest id of
 * a moment before the user. These moments are noted while the log grows. Ids order them, not times: clocks jump, and
 * nodes have different ones.
 */

/** How many events are between two moments: what an erasure of a new user looks at, without what others do meanwhile. */
const eventsApart = 2000;
/**
 * How far below a noted id a walk goes on. The transactions of a store take turns, so that no lower id is added later;
 * the rest costs one step and is for engines that give out ids earlier.
 */
const marginIds = 1000;

/** Notes the newest ids, unless the log has hardly grown since the last time. */
export async function noteLastIds(db: Db): Promise<void> {
  const isDue = async (read: Read) => {
    const now = await read.get(presentIds, {});
    const last = await read.get(lastNoted, {});
    return now !== undefined && now.events - (last?.events ?? 0) >= eventsApart ? now : undefined;
  };
  if ((await isDue(db.read)) === undefined) return;
  await db.write(async (tx) => {
    const now = await isDue(tx);
    if (now !== undefined) await tx.insert(insertIds, now);
  });
}

/** The ids above which everything is that can be about a user; undefined where the user may be older than all that is noted. */
export async function idsBeforeUser(read: Read, userId: number): Promise<LastIds | undefined> {
  const ids = await read.get(idsBefore, { userId: await firstIdOf(read, userId) });
  if (ids === undefined) return undefined;
  const below = Object.entries(ids).map(([table, id]) => [table, Math.max(0, id - marginIds)]);
  return Object.fromEntries(below) as LastIds;
}

/** The lowest id of a user and of those whose accounts have become a part of theirs: what these wrote is older. */
async function firstIdOf(read: Read, userId: number): Promise<number> {
  let first = userId;
  let ids = [userId];
  while (ids.length > 0) {
    ids = (await read.all(joinedInto, { ids })).map((joined) => joined.userId);
    first = Math.min(first, ...ids);
  }
  return first;
}

import type { Read } from '../db/db.ts';
import { levelOf } from '../features/access/access.ts';
import { standingFacts } from './standing.store.ts';

/**
 * What people are to apps, remembered until an event of the log says that it may have changed. So telling a thousand
 * connections of an event costs no statement, and whoever lost a right gets nothing from the moment the log has been
 * read up to that change.
 */

/** What a user is to an app: may see it, may see what is in it (it is not in the trash), belongs to it. */
export type Standing = {
  readonly maySee: boolean;
  readonly maySeeContent: boolean;
  readonly isMember: boolean;
};

const nothing: Standing = { maySee: false, maySeeContent: false, isMember: false };
// Shared, because there is one for each person and app somebody listens to.
const standings: readonly Standing[] = [
  nothing,
  { maySee: true, maySeeContent: false, isMember: false },
  { maySee: true, maySeeContent: false, isMember: true },
  { maySee: true, maySeeContent: true, isMember: false },
  { maySee: true, maySeeContent: true, isMember: true },
];

function standing(wanted: Standing): Standing {
  const known = standings.find(
    (each) =>
      each.maySee === wanted.maySee &&
      each.maySeeContent === wanted.maySeeContent &&
      each.isMember === wanted.isMember,
  );
  return known ?? nothing;
}

/** What each of some users is to each of some apps at the moment, by app and user; one statement. */
export async function readStandings(
  read: Read,
  { appIds, userIds }: { appIds: readonly number[]; userIds: readonly number[] },
): Promise<Map<number, Map<number, Standing>>> {
  const byApp = new Map(appIds.map((id) => [id, new Map(userIds.map((userId) => [userId, nothing]))]));
  if (appIds.length === 0 || userIds.length === 0) return byApp;
  for (const row of await read.all(standingFacts, { appIds, userIds })) {
    const user = { id: row.userId, directoryId: row.userDirectoryId };
    const maySee = levelOf({ kind: 'token', user }, row) !== 'none';
    const facts = { maySee, maySeeContent: maySee && row.trashedAt === null };
    byApp
      .get(row.appId)
      ?.set(row.userId, standing({ ...facts, isMember: maySee && row.memberAccess !== null }));
  }
  return byApp;
}

/** Whether an event of an app is for somebody with this standing: what is in the trash is unseen, the app itself is not. */
export function isShownTo(entityType: string, { maySee, maySeeContent }: Standing): boolean {
  return entityType === 'app' ? maySee : maySeeContent;
}

/** Standings that are remembered. */
export type Standings = ReturnType<typeof createStandings>;

/** An empty memory of standings. */
export function createStandings() {
  const known = new Map<number, Map<number, Standing>>();

  return {
    /** What the users are to the app; at most one statement, for those who are not remembered. */
    async of(read: Read, appId: number, userIds: readonly number[]): Promise<ReadonlyMap<number, Standing>> {
      const users = known.get(appId) ?? new Map<number, Standing>();
      const unknown = [...new Set(userIds)].filter((userId) => !users.has(userId));
      if (unknown.length === 0) return users;
      const found = await readStandings(read, { appIds: [appId], userIds: unknown });
      for (const [userId, each] of found.get(appId) ?? []) users.set(userId, each);
      known.set(appId, users);
      return users;
    },

    /** Each of these answers whether anything was remembered. */
    forgetApp: (appId: number): boolean => known.delete(appId),

    forgetMember: (appId: number, userId: number): boolean => known.get(appId)?.delete(userId) === true,

    forgetUser(userId: number): boolean {
      let wasKnown = false;
      for (const [appId, users] of known) {
        if (!users.delete(userId)) continue;
        wasKnown = true;
        if (users.size === 0) known.delete(appId);
      }
      return wasKnown;
    },

    forgetAll: (): void => known.clear(),
  };
}

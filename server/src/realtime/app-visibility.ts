import { findFacts } from 'confab-contract/actions.ts';
import { levelOf, moderates } from '../access/standing.ts';
import type { Read } from '../db/db.ts';
import { visibilityFacts } from './app-visibility.store.ts';

/**
 * What users may see of apps, cached until an event of the log may have changed it. So sending an event to a thousand
 * connections takes no statement, and a user who lost a right gets nothing once the log has been read up to that change.
 */

/**
 * What a user may see of an app: the app, its content (unless the app is in the trash) and what only moderators see, and
 * whether they are a member.
 */
export type AppVisibility = {
  readonly maySee: boolean;
  readonly maySeeContent: boolean;
  readonly isMember: boolean;
  readonly isModerator: boolean;
};

const invisible: AppVisibility = {
  maySee: false,
  maySeeContent: false,
  isMember: false,
  isModerator: false,
};
// Shared objects, because the cache has an entry for each user and app.
const visibilities: readonly AppVisibility[] = [
  invisible,
  ...[false, true].flatMap((maySeeContent) =>
    [false, true].flatMap((isMember) =>
      [false, true].map((isModerator) => ({ maySee: true, maySeeContent, isMember, isModerator })),
    ),
  ),
];

function sharedVisibility(wanted: AppVisibility): AppVisibility {
  const known = visibilities.find(
    (each) =>
      each.maySee === wanted.maySee &&
      each.maySeeContent === wanted.maySeeContent &&
      each.isMember === wanted.isMember &&
      each.isModerator === wanted.isModerator,
  );
  return known ?? invisible;
}

/** The visibility of each of some apps to each of some users, by app and user; one statement. */
export async function readVisibilities(
  read: Read,
  { appIds, userIds }: { appIds: readonly number[]; userIds: readonly number[] },
): Promise<Map<number, Map<number, AppVisibility>>> {
  const byApp = new Map(appIds.map((id) => [id, new Map(userIds.map((userId) => [userId, invisible]))]));
  if (appIds.length === 0 || userIds.length === 0) return byApp;
  for (const row of await read.all(visibilityFacts, { appIds, userIds })) {
    const user = { id: row.userId, directoryId: row.userDirectoryId, role: row.userRole };
    const level = levelOf({ kind: 'token', user }, row);
    const maySee = level !== 'none';
    const visibility = sharedVisibility({
      maySee,
      maySeeContent: maySee && row.trashedAt === null,
      isMember: maySee && row.memberAccess !== null,
      isModerator: moderates({ level }),
    });
    byApp.get(row.appId)?.set(row.userId, visibility);
  }
  return byApp;
}

/** The properties of an event that decide which users see it. */
export type EventFacts = {
  readonly action: string;
  readonly entityType: string;
  readonly userId: number | null;
};

/**
 * Whether a user sees an event of an app, given what the user sees of the app. An app in the trash shows its own events,
 * not its content's.
 */
export function isShownTo(event: EventFacts, userId: number, visibility: AppVisibility): boolean {
  const { maySee, maySeeContent, isModerator } = visibility;
  const isForThem = isForModerators(event.action) ? isModerator : event.userId === null;
  if (!isForThem && event.userId !== userId) return false;
  return event.entityType === 'app' ? maySee : maySeeContent;
}

/** Whether the moderators of an app see the events of an action. */
export function isForModerators(action: string): boolean {
  return findFacts(action)?.readers === 'moderators';
}

/** The cache of visibilities. */
export type VisibilityCache = ReturnType<typeof createVisibilityCache>;

/** An empty cache. */
export function createVisibilityCache() {
  const known = new Map<number, Map<number, AppVisibility>>();

  return {
    /** What the users may see of the app; at most one statement, for users who are not cached. */
    async of(
      read: Read,
      appId: number,
      userIds: readonly number[],
    ): Promise<ReadonlyMap<number, AppVisibility>> {
      const users = known.get(appId) ?? new Map<number, AppVisibility>();
      const unknown = [...new Set(userIds)].filter((userId) => !users.has(userId));
      if (unknown.length === 0) return users;
      const visibilities = await readVisibilities(read, { appIds: [appId], userIds: unknown });
      for (const [userId, each] of visibilities.get(appId) ?? []) users.set(userId, each);
      known.set(appId, users);
      return users;
    },

    /** Each `forget` returns whether anything was cached. */
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

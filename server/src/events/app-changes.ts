import type { Action } from 'confab-contract/actions.ts';
import type { Db } from '../db/db.ts';
import { appsAfter, newestPosition } from './events.store.ts';

/**
 * Which apps have changed, for what a server keeps of them. Every change appends an event in its own transaction, so the log
 * says it; a commit only notes that there is something to read, and the next who asks reads it.
 */
export type AppChanges = {
  /** Reads the events since the last call; undefined where nothing was committed, which costs nothing. */
  catchUp(): Promise<void> | undefined;
  /** Lets the next `catchUp` read even where no commit was heard: notices of other nodes can be lost. */
  recheck(): void;
  /** The present moment: what is read from the store from here on has all changes before it. */
  moment(): number;
  /** Whether an app may have changed after a moment. */
  hasChanged(appId: number, since: number): boolean;
};

/** The most events that are read one by one; after more, every app counts as changed. */
const eventsMax = 1000;
/**
 * What no app shows: a notification, which follows a change that counts itself, and a user who has done nothing yet. Both
 * are frequent, and the second would concern every app.
 */
const unshown: ReadonlySet<string> = new Set<Action>(['notification_created', 'user_created']);
/** The most apps whose last change is remembered; with more, every app counts as changed. */
const appsMax = 10_000;

/** Follows the changes of the apps of a store. */
export function createAppChanges({ db }: { readonly db: Db }): AppChanges {
  const changedAt = new Map<number, number>();
  let allChangedAt = 0;
  let position: number | undefined;
  let clock = 0;
  let isBehind = true;
  let reading: Promise<void> | undefined;
  db.onCommit('events', () => {
    isBehind = true;
  });

  function changeAll(): void {
    changedAt.clear();
    allChangedAt = clock;
  }

  async function read(): Promise<void> {
    isBehind = false;
    clock += 1;
    const events =
      position === undefined ? [] : await db.read.all(appsAfter, { after: position, top: eventsMax + 1 });
    if (position === undefined || events.length > eventsMax) {
      position = (await db.read.get(newestPosition, {}))?.id ?? 0;
      return changeAll();
    }
    position = events.at(-1)?.id ?? position;
    const visible = events.filter(({ action }) => !unshown.has(action));
    // What concerns several apps, such as the name of an author, may be shown in any.
    if (visible.some(({ appId }) => appId === null) || changedAt.size > appsMax) return changeAll();
    for (const { appId } of visible) if (appId !== null) changedAt.set(appId, clock);
  }

  function startReading(): Promise<void> {
    return read()
      .catch((error) => {
        isBehind = true;
        throw error;
      })
      .finally(() => {
        reading = undefined;
      });
  }

  async function catchUp(): Promise<void> {
    // What is being read may have begun before the last commit. What begins after it has that commit.
    if (reading !== undefined) await reading;
    if (!isBehind) return;
    reading ??= startReading();
    await reading;
  }

  return {
    catchUp: () => (reading === undefined && !isBehind ? undefined : catchUp()),
    recheck: () => {
      isBehind = true;
    },
    moment: () => clock,
    hasChanged: (appId, since) => Math.max(allChangedAt, changedAt.get(appId) ?? 0) > since,
  };
}

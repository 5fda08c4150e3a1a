import type { LockCreate } from 'confab-contract/locks.ts';
import { Problem } from 'confab-contract/problem.ts';
import { dayMs, parseTimestamp, type UnixMs } from 'confab-contract/values/time.ts';
import type { AppView } from './access.ts';
import { moderates } from './standing.ts';

/**
 * Locks of apps, posts and files: from a time on, only moderators write in a locked app or below a locked post or file
 * (decision 0064). Users can still read, and remove their own content.
 */

/** Content with its locks besides the lock of its app, as times in Unix milliseconds. */
export type Lockable = { readonly lockedAt: number | null; readonly parentLockedAt: number | null };

/** Whether the app or the content in it is locked at this time for the caller, who does not moderate the app. */
export function isLocked(app: AppView, at: UnixMs, content?: Lockable): boolean {
  const times = [app.lockedAt, content?.lockedAt, content?.parentLockedAt];
  return !moderates(app) && times.some((from) => from !== null && from !== undefined && from <= at);
}

/** Throws `locked` when the app or the content in it is locked at this time, unless the caller moderates the app. */
export function assertUnlocked(app: AppView, at: UnixMs, content?: Lockable): void {
  if (isLocked(app, at, content))
    throw new Problem('locked', 'This is locked: it can be read, and only moderators still write here.');
}

/**
 * From when something is locked after a request: from the given time, so many days after it was made, or, without
 * either, from now, unless it is locked already.
 */
export function lockTimeOf(
  { locked_at: from, after_days: days }: Partial<LockCreate>,
  { lockedAt, createdAt }: { readonly lockedAt: number | null; readonly createdAt: UnixMs },
  at: UnixMs,
): UnixMs {
  const time = typeof from === 'string' ? parseTimestamp(from) : undefined;
  if (time !== undefined) return time;
  if (typeof days === 'number') return createdAt + days * dayMs;
  return lockedAt === null ? at : Math.min(lockedAt, at);
}

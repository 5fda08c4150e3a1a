import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Read } from '../../db/db.ts';
import { eventsBeyond, notificationsBeyond } from './reader-lag.store.ts';

/** How far a reader is behind. */
export type ReaderLag = {
  /** The position of the newest of what it reads; 0 for none. */
  readonly newest: number;
  /** How many positions it is behind that, also those that nothing has. */
  readonly positions: number;
  /** When the first of what it has not read came; null when it has read everything. */
  readonly since: UnixMs | null;
};

const statements = { events: eventsBeyond, notifications: notificationsBeyond } as const;

/** How far a reader of events or of notifications is behind that has read up to a position: two look-ups. */
export async function lagAt(read: Read, what: keyof typeof statements, position: number): Promise<ReaderLag> {
  const ends = await read.get(statements[what], { position });
  const newest = ends?.newest ?? 0;
  return { newest, positions: Math.max(newest - position, 0), since: ends?.since ?? null };
}

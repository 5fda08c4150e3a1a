import type { Db } from '../db/db.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import { setActive, setNobodyActive } from './presence.store.ts';

/**
 * Who is there: the users with an open connection. It is written to their rows, many changes at a time, so that every
 * answer that shows a user shows it, and told to those who listen. It is the state of the server and not data, so it
 * is in no log.
 */

/** How long a user who left counts as there, in milliseconds: a page that loads anew is gone for a moment. */
const absenceMs = 2000;
/** The least time between two writes, so that many who come at once cost one. */
const pauseMs = 250;

type Person = { readonly id: number; readonly directoryId: number | null };

/** Who is there. */
export type Presence = {
  /** The user has an open connection. Saying it again takes note of another directory. */
  came(user: Person): void;
  /** The user has none any more. */
  left(userId: number): void;
  /** The ids of everyone of a directory (null: of none) who is there, ascending. */
  activeIn(directoryId: number | null): number[];
  /** Makes everybody away and ends. */
  stop(): Promise<void>;
};

/** Starts with nobody there; `onChange` is called after others are. */
export async function startPresence({
  db,
  log,
  onChange,
}: {
  db: Db;
  log: Log;
  onChange: () => void;
}): Promise<Presence> {
  const present = new Map<number, Person>();
  const leftAt = new Map<number, number>();
  const written = new Set<number>();
  let hasChanged = false;
  let writtenAt = Number.NEGATIVE_INFINITY;

  /** Forgets who has been gone long enough; answers how long until the next one has. */
  function release(): number | undefined {
    let next: number | undefined;
    for (const [id, since] of leftAt) {
      const restMs = since + absenceMs - performance.now();
      if (restMs > 0) {
        next = Math.min(next ?? restMs, restMs);
        continue;
      }
      leftAt.delete(id);
      present.delete(id);
      hasChanged = true;
    }
    return next;
  }

  async function step(): Promise<number | undefined> {
    const sinceWriteMs = performance.now() - writtenAt;
    const nextMs = release();
    if (!hasChanged) return nextMs;
    if (sinceWriteMs < pauseMs) return pauseMs - sinceWriteMs;
    writtenAt = performance.now();
    hasChanged = false;
    const came = [...present.keys()].filter((id) => !written.has(id));
    const left = [...written].filter((id) => !present.has(id));
    try {
      await write(came, left);
    } catch (error) {
      hasChanged = true;
      throw error;
    }
    onChange();
    return nextMs;
  }

  async function write(came: readonly number[], left: readonly number[]): Promise<void> {
    if (came.length + left.length === 0) return;
    await db.write(async (tx) => {
      if (came.length > 0) await tx.run(setActive, { ids: came, isActive: 1 });
      if (left.length > 0) await tx.run(setActive, { ids: left, isActive: 0 });
    });
    for (const id of came) written.add(id);
    for (const id of left) written.delete(id);
  }

  await db.write((tx) => tx.run(setNobodyActive, {}));
  const loop: Loop = startLoop({ name: 'presence', step, log });

  return {
    came({ id, directoryId }) {
      leftAt.delete(id);
      if (present.get(id)?.directoryId === directoryId && present.has(id)) return;
      present.set(id, { id, directoryId });
      hasChanged = true;
      loop.nudge();
    },
    left(userId) {
      if (!present.has(userId)) return;
      leftAt.set(userId, performance.now());
      loop.nudge();
    },
    activeIn: (directoryId) =>
      [...present.values()]
        .filter((person) => person.directoryId === directoryId)
        .map(({ id }) => id)
        .sort((a, b) => a - b),
    async stop() {
      await loop.stop();
      if (written.size > 0) await db.write((tx) => tx.run(setNobodyActive, {}));
    },
  };
}

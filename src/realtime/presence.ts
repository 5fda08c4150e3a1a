import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import {
  deleteAllNodes,
  deleteNodes,
  deletePresence,
  insertNode,
  insertPresence,
  keepNode,
  presentElsewhere,
  setActive,
  setAway,
  setNobodyActive,
  silentNodes,
  usersOfNodes,
} from './presence.store.ts';

/**
 * Who is there: the users with an open connection. It is written to their rows, many changes at a time, so that every
 * answer that shows a user shows it, and told to those who listen. It is the state of the servers and not data, so it
 * is in no log.
 *
 * Where several nodes share a store, each has rows for the users of its own connections, and a user is there while there
 * is a row of any node. A node says every few seconds that it runs; the rows of one that does not are taken away by
 * whoever notices, and it puts them back if it was only asleep.
 */

/** How long a user who left counts as there, in milliseconds: a page that loads anew is gone for a moment. */
const absenceMs = 2000;
/** The least time between two writes, so that many who come at once cost one. */
const pauseMs = 250;
/** How often a node says that it runs, and looks for those that do not. */
const beatMs = 5000;
/** How long after it last said so a node counts as gone, with everybody who was connected to it. */
const silenceMs = 20_000;

type Person = { readonly id: number; readonly directoryId: number | null };

/** Who is there. */
export type Presence = {
  /** The user has an open connection. Saying it again takes note of another directory. */
  came(user: Person): void;
  /** The user has none any more. */
  left(userId: number): void;
  /** The ids of everyone of a directory (null: of none) who is there, ascending. */
  activeIn(directoryId: number | null): number[];
  /** Makes everybody of this node away and ends. */
  stop(): Promise<void>;
};

/** Starts with nobody there; `onChange` is called after others are. */
export async function startPresence({
  db,
  clock,
  log,
  onChange,
}: {
  db: Db;
  clock: Clock;
  log: Log;
  onChange: () => void;
}): Promise<Presence> {
  const nodeId = randomUUID();
  const present = new Map<number, Person>();
  const leftAt = new Map<number, number>();
  const written = new Set<number>();
  let elsewhere: readonly Person[] = [];
  let hasChanged = false;
  /** Whether another node has changed who is there. */
  let isStale = db.others !== undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let beatAt = Number.NEGATIVE_INFINITY;

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
    const nextMs = release();
    const beatInMs = await beat();
    if (hasChanged || isStale) {
      const sinceWriteMs = performance.now() - writtenAt;
      if (sinceWriteMs < pauseMs) return pauseMs - sinceWriteMs;
      writtenAt = performance.now();
      await settle();
    }
    return beatInMs === undefined ? nextMs : Math.min(beatInMs, nextMs ?? beatInMs);
  }

  /** Writes who came and left here, reads who did elsewhere, and tells of both. */
  async function settle(): Promise<void> {
    let isNews = hasChanged;
    if (hasChanged) {
      hasChanged = false;
      const came = [...present.keys()].filter((id) => !written.has(id));
      const left = [...written].filter((id) => !present.has(id));
      try {
        await write(came, left);
      } catch (error) {
        hasChanged = true;
        throw error;
      }
    }
    if (isStale) {
      isStale = false;
      const before = elsewhere;
      elsewhere = await db.read.all(presentElsewhere, { nodeId });
      isNews ||= JSON.stringify(before) !== JSON.stringify(elsewhere);
    }
    if (isNews) onChange();
  }

  /** Says that this node runs and notices who does not; answers how long until the next time. */
  async function beat(): Promise<number | undefined> {
    if (db.others === undefined) return undefined;
    const restMs = beatAt + beatMs - performance.now();
    if (restMs > 0) return restMs;
    beatAt = performance.now();
    // A notice that was lost is made up for here.
    isStale = true;
    if (written.size > 0) await db.write((tx) => appear(tx, []));
    const silent = (await db.read.all(silentNodes, { id: nodeId, now: clock.now() })).map(({ id }) => id);
    if (silent.length > 0) await db.write((tx) => forget(tx, silent));
    return beatMs;
  }

  /** Says that this node runs and shows who came to it; all who are, if others have taken it for gone. */
  async function appear(tx: Tx, came: readonly number[]): Promise<void> {
    const node = { id: nodeId, until: clock.now() + silenceMs };
    const isKnown = (await tx.run(keepNode, node)) > 0;
    if (!isKnown) await tx.run(insertNode, node);
    const ids = isKnown ? came : [...new Set([...written, ...came])];
    if (ids.length === 0) return;
    await tx.run(insertPresence, { nodeId, ids });
    await tx.run(setActive, { ids });
    tx.wake('presence');
  }

  /** Takes nodes away with everybody who is at no other. */
  async function forget(tx: Tx, nodeIds: readonly string[]): Promise<void> {
    const users = await tx.all(usersOfNodes, { ids: nodeIds });
    await tx.run(deleteNodes, { ids: nodeIds });
    await tx.run(setAway, { ids: users.map(({ id }) => id) });
    tx.wake('presence');
  }

  async function write(came: readonly number[], left: readonly number[]): Promise<void> {
    if (came.length + left.length === 0) return;
    await db.write(async (tx) => {
      if (came.length > 0) await appear(tx, came);
      if (left.length === 0) return;
      await tx.run(deletePresence, { nodeId, ids: left });
      await tx.run(setAway, { ids: left });
      tx.wake('presence');
    });
    for (const id of came) written.add(id);
    for (const id of left) written.delete(id);
  }

  // Where nobody else can be, what is there was left behind.
  if (db.others === undefined)
    await db.write(async (tx) => {
      await tx.run(deleteAllNodes, {});
      await tx.run(setNobodyActive, {});
    });
  const loop: Loop = startLoop({ name: 'presence', step, log });
  const stopListening = db.onCommit('presence', () => {
    if (db.others === undefined) return;
    isStale = true;
    loop.nudge();
  });

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
    activeIn: (directoryId) => [
      ...new Set(
        [...present.values(), ...elsewhere]
          .filter((person) => person.directoryId === directoryId)
          .map(({ id }) => id)
          .sort((a, b) => a - b),
      ),
    ],
    async stop() {
      stopListening();
      await loop.stop();
      if (written.size > 0) await db.write((tx) => forget(tx, [nodeId]));
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { Db, Tx } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { type Loop, startLoop } from '../workers/runner.ts';
import {
  deleteAllNodes,
  deleteNodes,
  deletePresence,
  expiredNodes,
  insertNode,
  insertPresence,
  presentElsewhere,
  renewNode,
  setActive,
  setAllAway,
  setAway,
  usersOfNodes,
} from './presence.store.ts';

/**
 * Presence: the users with an open connection. It is written to the rows of users in batches, so that every response
 * that shows a user shows it, and sent to the clients that listen. It is server state, not data, so it is not in the log.
 *
 * Where several nodes share a store, each has rows for the users of its own connections, and a user is present while any
 * node has a row for them. A node renews its own row every few seconds. Any node removes the rows of one that stopped
 * doing so, which puts them back if it was only suspended.
 */

/** How long a user who disconnected stays present: reloading a page disconnects for a moment. */
const absenceMs = 2000;
/** The least time between two writes, so that a burst of connections costs one. */
const pauseMs = 250;
/** How often a node renews its row and looks for expired ones. */
const heartbeatMs = 5000;
/** How long the row of a node lasts without renewal. */
const silenceMs = 20_000;

type ConnectedUser = { readonly id: number; readonly directoryId: number | null };

/** Knows which users are present. */
export type Presence = {
  /** Records that the user has an open connection, or has changed directory. */
  connected(user: ConnectedUser): void;
  /** Records that the user's last connection has ended. */
  disconnected(userId: number): void;
  /** The ids of the present users of a directory (null: of none), ascending. */
  activeIn(directoryId: number | null): number[];
  /** Removes the users of this node and ends. */
  stop(): Promise<void>;
};

/** Starts without users; calls `onChange` after each change of who is present. */
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
  const present = new Map<number, ConnectedUser>();
  const leftAt = new Map<number, number>();
  const written = new Set<number>();
  let elsewhere: readonly ConnectedUser[] = [];
  let hasChanged = false;
  /** Whether another node may have changed who is present. */
  let isStale = db.peers !== undefined;
  let writtenAt = Number.NEGATIVE_INFINITY;
  let heartbeatAt = Number.NEGATIVE_INFINITY;

  /** Removes users who have been disconnected long enough; returns the milliseconds until the next one has. */
  function removeAbsent(): number | undefined {
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
    const nextMs = removeAbsent();
    const beatInMs = await heartbeat();
    if (hasChanged || isStale) {
      const sinceWriteMs = performance.now() - writtenAt;
      if (sinceWriteMs < pauseMs) return pauseMs - sinceWriteMs;
      writtenAt = performance.now();
      await settle();
    }
    return beatInMs === undefined ? nextMs : Math.min(beatInMs, nextMs ?? beatInMs);
  }

  /** Writes the changes of this node, reads those of other nodes, and reports both. */
  async function settle(): Promise<void> {
    let isChanged = hasChanged;
    if (hasChanged) {
      hasChanged = false;
      const joined = [...present.keys()].filter((id) => !written.has(id));
      const departed = [...written].filter((id) => !present.has(id));
      try {
        await write(joined, departed);
      } catch (error) {
        hasChanged = true;
        throw error;
      }
    }
    if (isStale) {
      isStale = false;
      const before = elsewhere;
      elsewhere = await db.read.all(presentElsewhere, { nodeId });
      isChanged ||= JSON.stringify(before) !== JSON.stringify(elsewhere);
    }
    if (isChanged) onChange();
  }

  /** Renews the row of this node and removes expired nodes; returns the milliseconds until the next time. */
  async function heartbeat(): Promise<number | undefined> {
    if (db.peers === undefined) return undefined;
    const restMs = heartbeatAt + heartbeatMs - performance.now();
    if (restMs > 0) return restMs;
    heartbeatAt = performance.now();
    // This makes up for lost notifications.
    isStale = true;
    if (written.size > 0) await db.write((tx) => addUsers(tx, []));
    const silent = (await db.read.all(expiredNodes, { id: nodeId, now: clock.now() })).map(({ id }) => id);
    if (silent.length > 0) await db.write((tx) => removeNodes(tx, silent));
    return heartbeatMs;
  }

  /** Renews the row of this node and adds users; adds all users again if another node removed this one. */
  async function addUsers(tx: Tx, joined: readonly number[]): Promise<void> {
    const node = { id: nodeId, until: clock.now() + silenceMs };
    const isKnown = (await tx.changed(renewNode, node)) > 0;
    if (!isKnown) await tx.run(insertNode, node);
    const ids = isKnown ? joined : [...new Set([...written, ...joined])];
    if (ids.length === 0) return;
    await tx.run(insertPresence, { nodeId, ids });
    await tx.run(setActive, { ids });
    tx.wake('presence');
  }

  /** Removes nodes, and the users who are connected to no other node. */
  async function removeNodes(tx: Tx, nodeIds: readonly string[]): Promise<void> {
    const users = await tx.all(usersOfNodes, { ids: nodeIds });
    await tx.run(deleteNodes, { ids: nodeIds });
    await tx.run(setAway, { ids: users.map(({ id }) => id) });
    tx.wake('presence');
  }

  async function write(joined: readonly number[], departed: readonly number[]): Promise<void> {
    if (joined.length + departed.length === 0) return;
    await db.write(async (tx) => {
      if (joined.length > 0) await addUsers(tx, joined);
      if (departed.length === 0) return;
      await tx.run(deletePresence, { nodeId, ids: departed });
      await tx.run(setAway, { ids: departed });
      tx.wake('presence');
    });
    for (const id of joined) written.add(id);
    for (const id of departed) written.delete(id);
  }

  // Without peers, existing rows were left by an earlier process.
  if (db.peers === undefined)
    await db.write(async (tx) => {
      await tx.run(deleteAllNodes, {});
      await tx.run(setAllAway, {});
    });
  const loop: Loop = startLoop({ name: 'presence', step, log });
  const stopListening = db.onCommit('presence', () => {
    if (db.peers === undefined) return;
    isStale = true;
    loop.nudge();
  });

  return {
    connected({ id, directoryId }) {
      leftAt.delete(id);
      if (present.get(id)?.directoryId === directoryId && present.has(id)) return;
      present.set(id, { id, directoryId });
      hasChanged = true;
      loop.nudge();
    },
    disconnected(userId) {
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
      if (written.size > 0) await db.write((tx) => removeNodes(tx, [nodeId]));
    },
  };
}

import { randomBytes } from 'node:crypto';
import type { Peers } from '../db/db.ts';
import type { Principal, User } from '../kernel/principal.ts';

/**
 * Headcounts: how many people have the comments of an app on the screen, on all nodes. Each node counts its own watches and
 * notifies the others of what has changed; nothing is stored (decision 0135).
 *
 * Notices can be lost, so a node repeats its own from time to time, and forgets those of another that has been silent for
 * longer. A node that hears another for the first time repeats all, so one that has started knows them soon.
 */

/** How often a node looks for what others do not know yet. The changes of all apps are one notice. */
const lookMs = 2000;
/** How often a node repeats what it counts, and how long that counts elsewhere. */
const repeatMs = 30_000;
const silenceMs = 75_000;
/** PostgreSQL rejects a payload of 8,000 bytes or more. */
const noticeBytesMax = 7999;
/** The most users whom a notice names for one app, so that its part always fits into a notice; more are counted without ids. */
const usersMax = 400;

/** People: users by their ids, and readers whom nobody knows. */
export type People = { readonly userIds: ReadonlySet<number>; readonly others: number };

/** Somebody who has an app on the screen. */
type Present = {
  readonly principal: Pick<Principal, 'kind'> & { readonly user: Pick<User, 'id' | 'way'> };
  /** The address by which visitors are counted; undefined where it may stand for everybody. */
  readonly address: string | undefined;
};

/**
 * The people among those who are present: a user counts once, and a reader without a credential with each watch. An address
 * has few watches of visitors, so it has few people. Where the address is not known, at most `perAddressMax` count of those
 * who need no more than a request to be another: readers and guests.
 */
export function presentPeople(all: Iterable<Present>, perAddressMax: number): People {
  const userIds = new Set<number>();
  let others = 0;
  let ofUnknown = 0;
  for (const { principal, address } of all) {
    const { kind, user } = principal;
    if (userIds.has(user.id)) continue;
    const isFree = kind === 'visitor' && (user.id === 0 || user.way === 'guest');
    if (isFree && address === undefined) ofUnknown += 1;
    if (isFree && address === undefined && ofUnknown > perAddressMax) continue;
    if (user.id === 0) others += 1;
    else userIds.add(user.id);
  }
  return { userIds, others };
}

type Heard = People & { readonly until: number };

/**
 * What a node knows of the people at other nodes: at first of nobody. Without `peers` there are none. Times are those of
 * `performance.now()`, in milliseconds.
 */
export function createHeadcount(peers: Pick<Peers, 'send'> | undefined) {
  const nodeId = randomBytes(9).toString('base64url');
  /** The people of apps at each other node. */
  const elsewhere = new Map<number, Map<string, Heard>>();
  const knownUntil = new Map<string, number>();
  /** What other nodes know of this one: the part of each app in a notice. */
  const published = new Map<number, string>();
  let looksAt = Number.NEGATIVE_INFINITY;
  let repeatsAt = Number.NEGATIVE_INFINITY;

  function send(parts: readonly string[]): void {
    let notice = nodeId;
    for (const part of parts) {
      if (notice.length + part.length >= noticeBytesMax) {
        peers?.send('headcount', notice);
        notice = nodeId;
      }
      notice += ` ${part}`;
    }
    if (notice !== nodeId) peers?.send('headcount', notice);
  }

  /** Forgets nodes that have been silent; returns the apps that had people there. */
  function forget(now: number): number[] {
    for (const [node, until] of knownUntil) if (until <= now) knownUntil.delete(node);
    const concerned: number[] = [];
    for (const [appId, nodes] of elsewhere) {
      const silent = [...nodes].filter(([, { until }]) => until <= now);
      for (const [node] of silent) nodes.delete(node);
      if (silent.length > 0) concerned.push(appId);
      if (nodes.size === 0) elsewhere.delete(appId);
    }
    return concerned;
  }

  return {
    forget,

    /** How many people an app has with those of this node. */
    count(appId: number, { userIds, others }: People): number {
      const nodes = [...(elsewhere.get(appId)?.values() ?? [])];
      const users = new Set([...userIds, ...nodes.flatMap((each) => [...each.userIds])]);
      return nodes.reduce((sum, each) => sum + each.others, users.size + others);
    },

    /** Hears the notice of another node; returns the apps whose people may be others now. */
    hear(notice: string, now: number): number[] {
      const concerned = forget(now);
      const [from = '', ...parts] = notice.split(' ');
      if (!knownUntil.has(from)) repeatsAt = now;
      knownUntil.set(from, now + silenceMs);
      for (const part of parts) {
        const { appId, ...people } = readPart(part);
        const nodes = elsewhere.get(appId) ?? new Map<string, Heard>();
        nodes.delete(from);
        if (people.userIds.size + people.others > 0) nodes.set(from, { ...people, until: now + silenceMs });
        if (nodes.size > 0) elsewhere.set(appId, nodes);
        else elsewhere.delete(appId);
        concerned.push(appId);
      }
      return concerned;
    },

    /**
     * Notifies the other nodes of the people at this one, by app, where they have changed and it is time. Returns the
     * milliseconds until it may be time again; undefined where nobody is here and the others know it.
     */
    notify(here: () => ReadonlyMap<number, People>, now: number): number | undefined {
      if (peers === undefined) return undefined;
      if (now < looksAt) return looksAt - now;
      looksAt = now + lookMs;
      const parts = new Map([...here()].map(([appId, people]) => [appId, writePart(appId, people)]));
      const emptied = [...published.keys()].filter((appId) => !parts.has(appId));
      const changed = [...parts].filter(([appId, part]) => now >= repeatsAt || published.get(appId) !== part);
      if (now >= repeatsAt) repeatsAt = now + repeatMs;
      send([...changed.map(([, part]) => part), ...emptied.map((appId) => writePart(appId, nobody))]);
      for (const appId of emptied) published.delete(appId);
      for (const [appId, part] of changed) published.set(appId, part);
      return published.size === 0 ? undefined : lookMs;
    },

    /** Notifies the other nodes that nobody is here any more. */
    leave(): void {
      send([...published.keys()].map((appId) => writePart(appId, nobody)));
      published.clear();
    },
  };
}

const nobody: People = { userIds: new Set(), others: 0 };

/** The people of an app in a notice, such as `42:3:7,9`: three whom nobody knows, and two users. */
function writePart(appId: number, { userIds, others }: People): string {
  const ids = [...userIds].slice(0, usersMax);
  return `${appId}:${others + userIds.size - ids.length}:${ids.join(',')}`;
}

function readPart(part: string): People & { readonly appId: number } {
  const [appId, others, ids = ''] = part.split(':');
  const userIds = new Set(ids === '' ? [] : ids.split(',').map(Number));
  return { appId: Number(appId), others: Number(others), userIds };
}

import type { AppChanges } from '../events/app-changes.ts';
import type { ClientLimits } from '../http/limits/client-limits.ts';
import { createPlaces } from '../http/limits/places.ts';
import type { Prove } from '../http/request.ts';
import type { Clock } from '../kernel/clock.ts';
import type { LiveBody, LiveMessage } from '../kernel/live-body.ts';
import type { Principal } from '../kernel/principal.ts';

/** The limits of watches. */
export type WatchLimits = Pick<
  ClientLimits,
  'visitorWatchesMax' | 'visitorWatchesPerAddressMax' | 'unreadMs'
>;

/** An open watch. Times are those of `performance.now()`. */
export type Watch = {
  readonly body: LiveBody;
  /** The address that a visitor is counted by; undefined for callers with a credential, and where it may stand for everybody. */
  readonly address: string | undefined;
  /** Undefined for callers without a credential. */
  readonly prove: Prove | undefined;
  /** Whether its caller counts as present, and is told how many are. */
  readonly isPresent: boolean;
  /** How many people it was told of. */
  toldCount: number | undefined;
  /** As it was proved last; its user is always the one who opened the watch. */
  principal: Principal;
  sentAt: number;
  provedAt: number;
  /** Since when bytes wait for the client. */
  unreadSince: number | undefined;
};

/** An app with watches. */
export type WatchedApp = {
  readonly id: number;
  readonly watches: Set<Watch>;
  /** The moment of `AppChanges` up to which its watches know of changes. */
  since: number;
  toldAt: number;
  /** The names of those who are writing and have not been shown yet, by their ids. */
  readonly writers: Map<number, string>;
  writersToldAt: number;
  /** Since when another number of people may be present than its watches were told. */
  countChangedAt: number | undefined;
  countToldAt: number;
};

/** The dependencies of the open watches. */
export type OpenWatchesOptions = {
  readonly changes: AppChanges;
  readonly clock: Clock;
  readonly limits: WatchLimits;
  /** Called when another number of people may be present in an app. */
  readonly onPeople: () => void;
};

/** The open watches of this server, by their apps. */
export type OpenWatches = ReturnType<typeof createOpenWatches>;

/** No watches yet. */
export function createOpenWatches({ changes, clock, limits, onPeople }: OpenWatchesOptions) {
  const apps = new Map<number, WatchedApp>();
  const ofUser = new Map<number, number>();
  const places = createPlaces(limits);
  let count = 0;

  function countWatch({ principal, address }: Watch, by: 1 | -1): void {
    count += by;
    if (principal.kind !== 'visitor') addTo(ofUser, principal.user.id, by);
    else places.count(address, by);
  }

  function add(appId: number, watch: Watch): WatchedApp {
    const app = apps.get(appId) ?? {
      id: appId,
      watches: new Set(),
      since: changes.moment(),
      toldAt: 0,
      writers: new Map(),
      writersToldAt: 0,
      countChangedAt: undefined,
      countToldAt: 0,
    };
    apps.set(appId, app);
    app.watches.add(watch);
    countWatch(watch, 1);
    if (watch.isPresent) recount([appId]);
    return app;
  }

  function remove(app: WatchedApp, watch: Watch): void {
    if (!app.watches.delete(watch)) return;
    countWatch(watch, -1);
    if (app.watches.size === 0) apps.delete(app.id);
    if (watch.isPresent) recount([app.id]);
  }

  /** Notes that another number of people may be present in apps. */
  function recount(appIds: readonly number[]): void {
    if (appIds.length === 0) return;
    for (const id of appIds) {
      const app = apps.get(id);
      if (app !== undefined) app.countChangedAt ??= performance.now();
    }
    onPeople();
  }

  function end(app: WatchedApp, watch: Watch): void {
    remove(app, watch);
    watch.body.end();
  }

  function push(watch: Watch, message: LiveMessage): void {
    watch.sentAt = performance.now();
    watch.body.push(message);
  }

  function isExpired({ principal: { expiresAt } }: Watch): boolean {
    return expiresAt !== undefined && expiresAt <= clock.now();
  }

  /** Whether a client has left bytes unread for longer than any client may. */
  function isHeldUp(watch: Watch, now: number): boolean {
    if (watch.body.waitingBytes === 0) watch.unreadSince = undefined;
    else watch.unreadSince ??= now;
    return watch.unreadSince !== undefined && now - watch.unreadSince >= limits.unreadMs;
  }

  return {
    apps: apps as ReadonlyMap<number, WatchedApp>,
    add,
    remove,
    recount,
    end,
    push,
    isExpired,
    isHeldUp,

    /** Throws `too_many_connections` where the visitors of an address, or all, have the most watches. */
    assertFree: places.assertFree,

    /** How many watches are open. */
    count: (): number => count,

    /** How many watches a user has, with the API keys that act for the user. */
    countOf: (userId: number): number => ofUser.get(userId) ?? 0,

    endAll(): void {
      for (const app of [...apps.values()]) for (const watch of [...app.watches]) end(app, watch);
    },
  };
}

function addTo<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const sum = (counts.get(key) ?? 0) + by;
  if (sum === 0) counts.delete(key);
  else counts.set(key, sum);
}

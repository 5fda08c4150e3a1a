import type { Peers } from '../db/db.ts';
import { createHeadcount, type People, presentPeople } from './headcount.ts';
import type { OpenWatches, WatchedApp } from './open-watches.ts';

/** How many people the watches of this server and of the other nodes show to be present in an app (decision 0135). */
export function createWatchPeople(
  watches: OpenWatches,
  { peers, perAddressMax }: { peers: Pick<Peers, 'send' | 'onMessage'> | undefined; perAddressMax: number },
) {
  const headcount = createHeadcount(peers);
  peers?.onMessage('headcount', (notice) => watches.recount(headcount.hear(notice, performance.now())));

  /** The people whom the watches of an app show to be present at this node. */
  function peopleOf(app: WatchedApp): People {
    const present = [...app.watches].filter(({ isPresent }) => isPresent);
    return presentPeople(present, perAddressMax);
  }

  function peopleHere(): ReadonlyMap<number, People> {
    const present = [...watches.apps.values()].filter((app) =>
      [...app.watches].some(({ isPresent }) => isPresent),
    );
    return new Map(present.map((app) => [app.id, peopleOf(app)]));
  }

  return {
    count: (app: WatchedApp): number => headcount.count(app.id, peopleOf(app)),

    /** Notifies other nodes of the people at this one; returns the milliseconds until there may be more to say. */
    notifyNodes: (): number | undefined => headcount.notify(peopleHere, performance.now()),

    /** Forgets the people at nodes that have been silent. */
    forgetSilent: (now: number): void => watches.recount(headcount.forget(now)),

    leave: headcount.leave,
  };
}

/** The people of watches; undefined where watches do not say how many are present. */
export type WatchPeople = ReturnType<typeof createWatchPeople> | undefined;

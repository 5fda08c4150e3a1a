import type { Db, Topic } from 'confab-server/src/db/db.ts';
import type { Random } from 'confab-testing/harness/random.ts';
import type { Actor, SimulatedTime } from './simulated-time.ts';

const topics: readonly Topic[] = [
  'deliveries',
  'webhooks',
  'events',
  'removals',
  'imports',
  'presence',
  'rules',
  'bans',
];

/** What the parts of a run share: the time, the seed, the store and the network between them. */
export type Machine = {
  readonly time: SimulatedTime;
  readonly random: Random;
  readonly store: Db;
  /** The actor that the store runs as. It never ends. */
  readonly storeActor: Actor;
  readonly commits: Commits;
  /** Whether there may be more than one node. */
  readonly isShared: boolean;
  /** Counts a step of a node towards the store or the network, and ends the node if this is the step it is to end at. */
  cutsAt(actor: Actor): boolean;
};

/** The news of commits on their way to the nodes. */
export type Commits = {
  /** Calls the listener after commits that woke the topic, late, and now and then not at all. Returns its end. */
  listen(actor: Actor, topic: Topic, listener: () => void): () => void;
};

/** Tells nodes of the commits of a store. */
export function createCommits(
  { time, random }: { readonly time: SimulatedTime; readonly random: Random },
  { store, isShared }: { readonly store: Db; readonly isShared: boolean },
): Commits {
  const listeners = new Map<Topic, Set<{ readonly actor: Actor; readonly listener: () => void }>>(
    topics.map((topic) => [topic, new Set()]),
  );
  for (const [topic, some] of listeners)
    store.onCommit(topic, () => {
      for (const each of some) {
        if (each.actor.isDead) some.delete(each);
        // A node of its own hears of its commits for certain.
        else if (!isShared) time.after(each.actor, 0, each.listener);
        else if (!random.oneIn(20)) time.after(each.actor, random.integer(0, 40), each.listener);
      }
    });
  return {
    listen(actor, topic, listener) {
      const entry = { actor, listener };
      listeners.get(topic)?.add(entry);
      return () => void listeners.get(topic)?.delete(entry);
    },
  };
}

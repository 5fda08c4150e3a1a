import type { RuleAction } from 'confab-contract/moderation.ts';
import type { UnixMs } from 'confab-contract/values/time.ts';
import { type DeferredWork, deferred } from '../../db/db.ts';
import { addToCounts } from './moderation.store.ts';

/** A rule that matched a text, what it did, and when. */
type Counted = { readonly name: string; readonly action: RuleAction; readonly at: UnixMs };

/** Counts what rules have done, for `Tx.defer`: once for each rule in a group. */
export const countMatches: DeferredWork<Counted> = (matches) => {
  const byName = new Map<
    string,
    { name: string; report: number; hold: number; refuse: number; at: number }
  >();
  for (const { name, action, at } of matches) {
    const count = byName.get(name) ?? { name, report: 0, hold: 0, refuse: 0, at };
    count[action] += 1;
    count.at = at;
    byName.set(name, count);
  }
  // In one order, so that groups of several nodes do not wait for each other.
  const added = [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return [deferred(addToCounts, { added: JSON.stringify(added) })];
};

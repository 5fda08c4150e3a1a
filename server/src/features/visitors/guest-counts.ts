import { createHmac } from 'node:crypto';
import { dayMs, type UnixMs } from 'confab-contract/values/time.ts';
import type { Tx } from '../../db/db.ts';
import type { Principal } from '../../kernel/principal.ts';
import {
  countedGuest,
  deleteCountedGuest,
  insertCountedGuest,
  moveCountedGuest,
} from './guest-counts.store.ts';

/**
 * One person can be many guests. Where the operator says so, guests of one address count together: the first of them who
 * reacts to an item or reports it counts, until the day ends in UTC (decision 0119). What is kept meanwhile is a hash of the
 * address, the day and the item, with a secret of the store.
 */

/** The transaction of something that may be a guest's, which must not be `adding`. */
export type GuestChange = {
  readonly tx: Tx;
  readonly caller: Pick<Principal, 'user'>;
  readonly at: UnixMs;
  /** The request; its address, as `AddressOf` spells it, is undefined where it may stand for everybody. */
  readonly raw: { readonly clientAddress?: string | undefined };
};

/** Something that guests do to an item. */
type Act = {
  readonly act: 'reaction' | 'report';
  readonly item: { readonly type: string; readonly id: number };
};

/** Something that counts, and the reaction that takes it back. */
type Counted = Act & { readonly reactionId: number | null };

/** Which acts of guests count. Each is about what guests do; for everyone else nothing is asked or kept. */
export type GuestCounts = {
  /** Whether another guest of the address was first. */
  isTaken(change: GuestChange, act: Act): Promise<boolean>;
  /** Counts an act; false where another guest of the address was first. */
  take(change: GuestChange, request: Counted): Promise<boolean>;
  /** Lets a reaction count in place of the one that it replaces. */
  move(change: GuestChange, reactions: { readonly from: number; readonly to: number }): Promise<void>;
  /** Frees what a reaction that is taken back has counted, for any guest of the address. */
  free(change: GuestChange, reactionId: number): Promise<void>;
};

/** When the day ends, in UTC. */
export function endOfDay(at: UnixMs): UnixMs {
  return (Math.floor(at / dayMs) + 1) * dayMs;
}

/** Creates the part that counts guests: each of them, or together `by` their addresses. */
export function createGuestCounts({
  by,
  secret,
}: {
  readonly by: 'guest' | 'address';
  readonly secret: string;
}): GuestCounts {
  const isTogether = ({ caller }: GuestChange) => by === 'address' && caller.user.way === 'guest';
  /** What is kept of an act; undefined where nothing is. */
  const hashOf = (change: GuestChange, { act, item }: Act) => {
    const { at, raw } = change;
    if (!isTogether(change) || raw.clientAddress === undefined) return undefined;
    return createHmac('sha256', secret)
      .update(`${endOfDay(at)}\n${act}\n${item.type}\n${item.id}\n${raw.clientAddress}`)
      .digest();
  };
  return {
    async isTaken(change, act) {
      const hash = hashOf(change, act);
      return hash !== undefined && (await change.tx.get(countedGuest, { hash })) !== undefined;
    },
    async take(change, { reactionId, ...act }) {
      const hash = hashOf(change, act);
      if (hash === undefined) return true;
      const expiresAt = endOfDay(change.at);
      return (await change.tx.changed(insertCountedGuest, { hash, reactionId, expiresAt })) === 1;
    },
    async move(change, reactions) {
      if (isTogether(change)) await change.tx.run(moveCountedGuest, reactions);
    },
    async free(change, reactionId) {
      if (isTogether(change)) await change.tx.run(deleteCountedGuest, { reactionId });
    },
  };
}

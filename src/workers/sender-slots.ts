/**
 * How many attempts run at a time. Waiting costs little, so there are many slots; what they have to keep apart is
 * receivers that answer and those that do not.
 */

/**
 * Attempts at a time. The bound is for sockets and memory. The way out must open as many sockets to one origin as one
 * host may have slots, or webhooks of one host would wait for each other.
 */
const slotsMax = 64;

/** Attempts at a time for one host and port, so that one server is not flooded by the many webhooks that point to it. */
export const slotsPerHostMax = 8;

/** Attempts at a time for one webhook. It begins with one, so that a dead receiver never holds more. */
export const slotsPerLaneMax = 4;

/** What is known of the receiver of a webhook: its last attempt failed, there was none, or it succeeded. */
export type ReceiverHealth = 'failing' | 'unknown' | 'answering';

/**
 * How many of the slots webhooks of each health may take together. Those whose last attempt failed cannot keep a
 * webhook that nobody knows yet waiting, and neither those that answer: at least 16 slots are theirs alone, and 2 of the
 * slots of each host.
 */
const slotsByHealth = { failing: 16, unknown: 32, answering: slotsMax } as const;
const hostSlotsByHealth = { failing: 2, unknown: 4, answering: slotsPerHostMax } as const;

/** What takes slots. */
export type Taker = {
  readonly health: ReceiverHealth;
  /** Where it sends to; undefined where that is not known yet. */
  readonly host: string | undefined;
};

/** The slots that are free at one moment. */
export type FreeSlots = {
  /** Takes a slot; answers whether there was one. */
  take(taker: Taker): boolean;
};

/** Counts what is left beside those that send. */
export function freeSlots(takers: Iterable<Taker & { readonly sending: number }>): FreeSlots {
  const left = new Map<string, number>();

  function countersOf({ health, host }: Taker): [counter: string, slots: number][] {
    const all: [string, number][] = [
      ['', slotsMax],
      [health, slotsByHealth[health]],
    ];
    if (host === undefined) return all;
    return [...all, [`host ${host}`, slotsPerHostMax], [`${health} ${host}`, hostSlotsByHealth[health]]];
  }

  function use(taker: Taker, slots: number): void {
    for (const [counter, most] of countersOf(taker)) left.set(counter, (left.get(counter) ?? most) - slots);
  }

  for (const taker of takers) if (taker.sending > 0) use(taker, taker.sending);
  return {
    take(taker) {
      if (countersOf(taker).some(([counter, most]) => (left.get(counter) ?? most) <= 0)) return false;
      use(taker, 1);
      return true;
    },
  };
}

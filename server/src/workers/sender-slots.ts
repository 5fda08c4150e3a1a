/**
 * How many attempts run at a time. Waiting is cheap, so there are many slots; they keep receivers that fail from taking
 * the place of receivers that respond.
 */

/**
 * Attempts at a time, bounded for sockets and memory. The egress must allow as many sockets to one origin as a host has
 * slots, or webhooks of one host would wait for each other.
 */
const slotsMax = 64;

/** Attempts at a time for one host and port, so that a server with many webhooks is not flooded. */
export const slotsPerHostMax = 8;

/** Attempts at a time for one webhook. Each starts with one, so that a dead receiver never holds more. */
export const slotsPerLaneMax = 4;

/** The health of a webhook's receiver: the last attempt failed, there was none, or it succeeded. */
export type ReceiverHealth = 'failing' | 'unknown' | 'answering';

/**
 * How many slots the webhooks of each health may take together. Failing webhooks cannot block unknown ones, and neither
 * can block those that respond, which have at least 16 slots, and 2 slots of each host, to themselves.
 */
const slotsByHealth = { failing: 16, unknown: 32, answering: slotsMax } as const;
const hostSlotsByHealth = { failing: 2, unknown: 4, answering: slotsPerHostMax } as const;

/** A webhook that requests slots. */
export type SlotRequest = {
  readonly health: ReceiverHealth;
  /** The host and port that it sends to; undefined until that is known. */
  readonly host: string | undefined;
};

/** The slots that are free at one moment. */
export type FreeSlots = {
  /** Takes a slot; returns whether one was free. */
  take(request: SlotRequest): boolean;
};

/** The slots that the requests in `taken` leave free. */
export function freeSlots(taken: Iterable<SlotRequest & { readonly sending: number }>): FreeSlots {
  const free = new Map<string, number>();

  function countersOf({ health, host }: SlotRequest): [counter: string, slots: number][] {
    const all: [string, number][] = [
      ['', slotsMax],
      [health, slotsByHealth[health]],
    ];
    if (host === undefined) return all;
    return [...all, [`host ${host}`, slotsPerHostMax], [`${health} ${host}`, hostSlotsByHealth[health]]];
  }

  function use(request: SlotRequest, slots: number): void {
    for (const [counter, most] of countersOf(request)) free.set(counter, (free.get(counter) ?? most) - slots);
  }

  for (const request of taken) if (request.sending > 0) use(request, request.sending);
  return {
    take(request) {
      if (countersOf(request).some(([counter, most]) => (free.get(counter) ?? most) <= 0)) return false;
      use(request, 1);
      return true;
    },
  };
}

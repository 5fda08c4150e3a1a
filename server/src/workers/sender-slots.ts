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

/** The free slots of each health, and of all webhooks together. */
type Counters = Record<ReceiverHealth | 'all', number>;

/** Whether a slot is free in the counters of a health. */
function hasSlot(free: Counters, health: ReceiverHealth): boolean {
  return free.all > 0 && free[health] > 0;
}

function use(free: Counters, health: ReceiverHealth, slots: number): void {
  free.all -= slots;
  free[health] -= slots;
}

/** The slots that the requests in `taken` leave free. The sender asks at each of its turns. */
export function freeSlots(taken: Iterable<SlotRequest & { readonly sending: number }>): FreeSlots {
  const free: Counters = { all: slotsMax, ...slotsByHealth };
  const freeByHost = new Map<string, Counters>();

  function ofHost(host: string): Counters {
    let counters = freeByHost.get(host);
    if (counters === undefined) {
      counters = { all: slotsPerHostMax, ...hostSlotsByHealth };
      freeByHost.set(host, counters);
    }
    return counters;
  }

  for (const { health, host, sending } of taken) {
    if (sending === 0) continue;
    use(free, health, sending);
    if (host !== undefined) use(ofHost(host), health, sending);
  }
  return {
    take({ health, host }) {
      const onHost = host === undefined ? undefined : ofHost(host);
      if (!hasSlot(free, health) || (onHost !== undefined && !hasSlot(onHost, health))) return false;
      use(free, health, 1);
      if (onHost !== undefined) use(onHost, health, 1);
      return true;
    },
  };
}

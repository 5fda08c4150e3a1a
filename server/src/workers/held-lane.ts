import type { UnixMs } from 'confab-contract/values/time.ts';
import type { Claim, Head } from '../features/webhooks/sending/lanes.ts';

/** A lane that this process holds, with the state of its sender. */
export type HeldLane = {
  readonly claim: Claim;
  /** Deliveries that are in flight or whose outcome is not yet recorded. */
  readonly busy: Set<number>;
  sending: number;
  /** Unrecorded outcomes that decide whether and when more is sent to the receiver. */
  unsettled: number;
  /** Heads that were read ahead of their attempts, in the order of the queue. */
  ahead: Head[];
  /** Whether an attempt has failed, or a probe ended, since the last reading of its queue began. */
  isOutdated: boolean;
  /** Whether the last reading of the queue reached its end. */
  isReadWhole: boolean;
  /** Whether the queue had nothing left to start when it was last read. */
  isDrained: boolean;
  isReleasing: boolean;
  /** Whether only one of its deliveries may be in flight. */
  isOrdered: boolean;
  /** The host and port of its receiver when the queue was last read. */
  host: string | undefined;
  leasedUntil: UnixMs;
};

/** The lanes that this process holds, by webhook id, the longest waiting first. */
export type HeldLanes = Map<number, HeldLane>;

/** A newly claimed lane. */
export function heldLane(claim: Claim, leasedUntil: UnixMs): HeldLane {
  return {
    claim,
    busy: new Set(),
    sending: 0,
    unsettled: 0,
    ahead: [],
    isOutdated: false,
    isReadWhole: false,
    isDrained: false,
    isReleasing: false,
    isOrdered: false,
    host: undefined,
    leasedUntil,
  };
}

/** The claims of some lanes. */
export function claimsOf(lanes: readonly HeldLane[]): Claim[] {
  return lanes.map((lane) => lane.claim);
}

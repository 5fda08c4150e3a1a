import type { Claim } from '../features/webhooks/sending/lanes.ts';
import type { UnixMs } from '../kernel/clock.ts';

/** A lane that this process holds, as its sender sees it. */
export type HeldLane = {
  readonly claim: Claim;
  /** Deliveries that are being sent or whose outcome is not recorded yet. */
  readonly busy: Set<number>;
  sending: number;
  /** Outcomes that decide whether and when the receiver is sent anything more, and are not recorded yet. */
  unsettled: number;
  /** Whether the last look at the queue showed nothing that could still be started. */
  isDrained: boolean;
  isReleasing: boolean;
  /** Whether only one of its deliveries may be under way. */
  isOrdered: boolean;
  /** Where its deliveries go to, as the last look at the queue showed. */
  host: string | undefined;
  leasedUntil: UnixMs;
};

/** The lanes that this process holds by the ids of their webhooks, the one that waited longest first. */
export type HeldLanes = Map<number, HeldLane>;

/** A lane that was just claimed. */
export function heldLane(claim: Claim, leasedUntil: UnixMs): HeldLane {
  return {
    claim,
    busy: new Set(),
    sending: 0,
    unsettled: 0,
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

import { type ReceiverHealth, slotsPerLaneMax } from './sender-slots.ts';

/**
 * How many attempts of a webhook may run at the same time, as its last responses have earned: 2 or 4, or 1 after a failure.
 * It outlasts the holding of a lane. Webhooks are deleted while nobody holds them, so only those that sent last are
 * remembered; one that is forgotten begins anew.
 */

/** Four times the lanes that are held at a time. */
const rememberedMax = 1024;

/** Starts without any. */
export function createAllowances() {
  /** In the order of the last responses; 0 after a failure. */
  const earned = new Map<number, number>();

  function remember(webhookId: number, allowance: number): void {
    earned.delete(webhookId);
    earned.set(webhookId, allowance);
    const [oldest] = earned.keys();
    if (earned.size > rememberedMax && oldest !== undefined) earned.delete(oldest);
  }

  /** At least 1. */
  const of = (webhookId: number): number => Math.max(earned.get(webhookId) ?? 1, 1);

  return {
    of,

    healthOf(webhookId: number): ReceiverHealth {
      const allowance = earned.get(webhookId);
      return allowance === undefined ? 'unknown' : allowance === 0 ? 'failing' : 'answering';
    },

    delivered: (webhookId: number): void => remember(webhookId, Math.min(of(webhookId) * 2, slotsPerLaneMax)),

    failed: (webhookId: number): void => remember(webhookId, 0),

    forget: (webhookId: number): void => void earned.delete(webhookId),
  };
}

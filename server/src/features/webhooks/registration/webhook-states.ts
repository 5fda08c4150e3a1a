import type { Read } from '../../../db/db.ts';
import { listStates } from './webhooks.store.ts';

/** The state of a webhook for operators. Times are Unix milliseconds, null while the breaker is closed. */
export type WebhookState = {
  readonly id: number;
  readonly payloadUrl: string;
  readonly triggers: readonly string[];
  readonly isEnabled: boolean;
  readonly isOrdered: boolean;
  readonly openedAt: number | null;
  readonly reason: string | null;
  readonly probeAt: number | null;
  /** How many deliveries are unfinished. */
  readonly waiting: number;
};

/** Every webhook, in the order of their ids. */
export async function webhookStates(read: Read): Promise<WebhookState[]> {
  const rows = await read.all(listStates, {});
  return rows.map(({ isEnabled, isOrdered, triggers, breakerOpenedAt, breakerReason, waiting, ...row }) => ({
    ...row,
    triggers: JSON.parse(triggers) as string[],
    isEnabled: isEnabled === 1,
    isOrdered: isOrdered === 1,
    openedAt: breakerOpenedAt,
    reason: breakerReason,
    waiting: Number(waiting),
  }));
}

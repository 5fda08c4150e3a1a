import { sql } from 'kysely';
import { jsonArrayOf } from '../../db/dialect.ts';

/** A webhook as shown. `triggers` is a JSON array. */
export type WebhookRow = {
  readonly id: number;
  readonly payloadUrl: string;
  readonly isEnabled: number;
  readonly isOrdered: number;
  /** Times are Unix milliseconds; all three are null while the breaker is closed. */
  readonly breakerOpenedAt: number | null;
  readonly breakerReason: string | null;
  readonly probeAt: number | null;
  readonly triggers: string;
};

/** The columns of `WebhookRow`, in a statement that reads `webhooks`. */
export const webhookColumns = [
  'webhooks.id',
  'webhooks.payload_url as payloadUrl',
  'webhooks.is_enabled as isEnabled',
  'webhooks.is_ordered as isOrdered',
  'webhooks.breaker_opened_at as breakerOpenedAt',
  'webhooks.breaker_reason as breakerReason',
  'webhooks.probe_at as probeAt',
  jsonArrayOf(sql.ref('trigger'), {
    from: sql`webhook_triggers where webhook_id = webhooks.id`,
    order: sql.ref('position'),
  }).as('triggers'),
] as const;

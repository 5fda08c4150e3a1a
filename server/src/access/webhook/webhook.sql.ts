import { sql } from 'kysely';
import { jsonArrayOf } from '../../db/dialect.ts';
import type { RowOf } from '../../db/statement.ts';

/** The columns of a webhook, in a statement that reads `webhooks`. */
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

/**
 * A webhook as shown. `triggers` is a JSON array; `breakerOpenedAt`, `breakerReason` and `probeAt` are null while the
 * breaker is closed.
 */
export type WebhookRow = RowOf<'webhooks', typeof webhookColumns>;

import { query } from '../../db/statement.ts';
import { deliveryColumns } from './delivery.sql.ts';

/** One delivery of a webhook, with the payload of its event. */
export const deliveryById = query<{ webhookId: number; id: number }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .select(deliveryColumns)
    .select('events.payload')
    .where('deliveries.id', '=', value('id'))
    .where('deliveries.webhook_id', '=', value('webhookId')),
);

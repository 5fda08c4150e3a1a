import { sql } from 'kysely';
import { rowCount } from '../../../db/dialect.ts';
import { query } from '../../../db/statement.ts';
import { laneDueAt } from '../sending/lanes.sql.ts';

/** The newest event. */
export const newestEvent = query()((q) =>
  q.selectFrom('events').select((part) => part.fn.max('id').as('id')),
);

/** The events about webhooks, up to one event, oldest first. */
export const webhookLog = query<{ upTo: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'action', 'entity_id as webhookId', 'payload'])
    .where('entity_type', '=', 'webhook')
    .where('id', '<=', value('upTo'))
    .orderBy('id'),
);

/** The first events after one that happened at or after a time. */
export const eventsAfter = query<{ after: number; upTo: number; since: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'action', 'is_silent as isSilent', 'entity_id as entityId'])
    .where('id', '>', value('after'))
    .where('id', '<=', value('upTo'))
    .where('created_at', '>=', value('since'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** The deliveries of the events from one to another. */
export const deliveriesOfEvents = query<{ from: number; to: number }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .select(['event_id as eventId', 'webhook_id as webhookId'])
    .where('event_id', '>=', value('from'))
    .where('event_id', '<=', value('to'))
    .orderBy('event_id')
    .orderBy('webhook_id'),
);

/** Every webhook, with its waiting deliveries; deleted ones are left out. */
export const queues = query()((q) =>
  q
    .selectFrom('webhooks')
    .select([
      'id',
      'payload_url as payloadUrl',
      'is_enabled as isEnabled',
      'due_at as dueAt',
      'lease',
      'leased_until as leasedUntil',
      'breaker_opened_at as openedAt',
      'breaker_reason as reason',
      'probe_at as probeAt',
      'probes',
      laneDueAt.as('laneDueAt'),
      sql<number>`(select count(*) from deliveries where webhook_id = webhooks.id and due_at is not null)`.as(
        'waiting',
      ),
      sql<number | null>`(select min(due_at) from deliveries where webhook_id = webhooks.id
        and due_at is not null)`.as('waitingSince'),
    ])
    .where('deleted_at', 'is', null)
    .orderBy('id'),
);

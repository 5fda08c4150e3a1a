import { sql } from 'kysely';
import { query } from '../../db/statement.ts';

/** The newest event, and when the first one after a position was appended. */
export const eventsBeyond = query<{ position: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select((part) => [
      part.fn.max('events.id').as('newest'),
      sql<
        number | null
      >`(select created_at from events where id > ${value('position')} order by id limit 1)`.as('since'),
    ]),
);

/** The same of notifications. */
export const notificationsBeyond = query<{ position: number }>()((q, value) =>
  q
    .selectFrom('notifications')
    .select((part) => [
      part.fn.max('notifications.id').as('newest'),
      sql<
        number | null
      >`(select created_at from notifications where id > ${value('position')} order by id limit 1)`.as(
        'since',
      ),
    ]),
);

import { sql } from 'kysely';
import { anyOf, rowCount } from '../../db/dialect.ts';
import { command, query } from '../../db/statement.ts';

/** The position up to which the notifier is done, and the newest event. The mailer reads notifications. */
export const logBounds = query()((q) =>
  q.selectNoFrom([
    sql<number | null>`(select event_id from event_cursors where reader = 'notifier')`.as('done'),
    sql<number | null>`(select max(id) from events)`.as('newest'),
  ]),
);

// A delivery makes its body of its event, and a parked event waits for its notifications.
const isNeeded = sql<boolean>`(exists (select 1 from deliveries where deliveries.event_id = events.id)
  or exists (select 1 from parked_events where parked_events.event_id = events.id))`;

/** The first events after one, and whether each has to stay. */
export const oldestEvents = query<{ after: number; upto: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'created_at as createdAt', isNeeded.as('isNeeded')])
    .where('id', '>', value('after'))
    .where('id', '<=', value('upto'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Removes those of some events that need not stay, and returns their ids. */
export const deleteEvents = command<{ ids: readonly number[] }>()((q, value) =>
  q
    .deleteFrom('events')
    .where(anyOf(sql.ref('id'), value('ids')))
    .where(sql<boolean>`not ${isNeeded}`)
    .returning('id'),
);

/** Notes the newest event that was removed. Readers at an earlier position learn that they miss some. */
export const noteRemoved = command<{ eventId: number }>()((q, value) =>
  q
    .insertInto('event_cursors')
    .values({ reader: 'retention', event_id: value('eventId'), user_id: 0 })
    .onConflict((conflict) =>
      conflict
        .column('reader')
        .doUpdateSet({ event_id: value('eventId') })
        .where('event_cursors.event_id', '<', value('eventId')),
    ),
);

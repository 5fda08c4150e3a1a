import { sql } from 'kysely';
import { anyOf, numbersOf, rowCount } from '../../db/dialect.ts';
import { command, insertSelected, query, updateRow } from '../../db/statement.ts';

/** Notes some deleted items of one type. */
export const queueItems = command<{ type: string; ids: readonly number[]; at: number }>()((q, value) =>
  insertSelected(q, 'redactions', {
    from: q.selectFrom(numbersOf(value('ids'), 'given')),
    values: { entity_type: value('type'), entity_id: sql<number>`given.value`, deleted_at: value('at') },
  }),
);

/** Notes the poll options of some entries, which must still be there. */
export const queueOptions = command<{ entryIds: readonly number[]; at: number }>()((q, value) =>
  insertSelected(q, 'redactions', {
    from: q.selectFrom('options').where(anyOf(sql.ref('options.entry_id'), value('entryIds'))),
    values: { entity_type: sql<string>`'option'`, entity_id: sql.ref('options.id'), deleted_at: value('at') },
  }),
);

/** The items that were noted first, of those deleted before a time. */
export const pendingItems = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('redactions')
    .select(['id', 'entity_type as entityType', 'entity_id as entityId', 'position'])
    .where('deleted_at', '<', value('before'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** An erasure that goes on; one that fails would keep all texts that were deleted. */
export const runningErasure = query()((q) =>
  q
    .selectFrom('erasures')
    .select('id')
    .where('finished_at', 'is', null)
    .where('failures', '=', sql.lit(0))
    .limit(sql.lit(1)),
);

/** Notes how far the events of an item were looked at. */
export const movePosition = updateRow('redactions', ['position']);

/** Forgets that some items were noted. */
export const deleteItems = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('redactions').where(anyOf(sql.ref('id'), value('ids'))),
);

/** The first events of an item after one. */
export const eventsOfItem = query<{ type: string; id: number; after: number; top: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'payload'])
    .where('entity_type', '=', value('type'))
    .where('entity_id', '=', value('id'))
    .where('id', '>', value('after'))
    .orderBy('id')
    .limit(rowCount(value('top'))),
);

/** Writes the payload of an event. */
export const setPayload = updateRow('events', ['payload']);

/** Removes what receivers answered to the deliveries of some events; it may repeat what they were sent. */
export const clearAttempts = command<{ eventIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('attempts')
    .set({ response_body: null, response_headers: null })
    .where('delivery_id', 'in', (sub) =>
      sub
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where(anyOf(sql.ref('deliveries.event_id'), value('eventIds'))),
    )
    .where((where) =>
      where.or([where('response_body', 'is not', null), where('response_headers', 'is not', null)]),
    ),
);

/** Removes the errors of some parked events; an error may repeat a text. */
export const clearErrors = command<{ eventIds: readonly number[] }>()((q, value) =>
  q
    .updateTable('parked_events')
    .set({ error: 'The error is not kept, because the event was rewritten.' })
    .where(anyOf(sql.ref('event_id'), value('eventIds'))),
);

import { sql } from 'kysely';
import { anyOf, inLimitedRows, numberIn, recordsOf, rowCount } from '../../../db/dialect.ts';
import { command, query } from '../../../db/statement.ts';

/** Deletes response bodies of attempts that started before a time, at most `top`. */
export const deleteResponseBodies = command<{ before: number; top: number }>()((q, value) =>
  q
    .updateTable('attempts')
    .set({ response_body: null })
    .where(
      sql<boolean>`(delivery_id, number) in (select delivery_id, number from attempts
        where response_body is not null and started_at < ${value('before')}
        order by started_at limit ${rowCount(value('top'))})`,
    ),
);

/** The first attempts with a body that began before a time. */
export const oldBodies = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('attempts')
    .select('number')
    .where('response_body', 'is not', null)
    .where('started_at', '<', value('before'))
    .orderBy('started_at')
    .limit(rowCount(value('top'))),
);

/** The first deliveries that ended and were last attempted before a time. */
export const endedBefore = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('deliveries')
    .select(['id', 'webhook_id as webhookId'])
    .where('due_at', 'is', null)
    .where('delivered_at', '<', value('before'))
    .orderBy('delivered_at')
    .limit(rowCount(value('top'))),
);

/** Deliveries that have been due since before a time, of webhooks that are not leased. */
export const waitingSince = query<{ before: number; top: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .innerJoin('deliveries', (join) =>
      join.on(
        inLimitedRows(
          sql.ref('deliveries.id'),
          sql`(select queue.id from deliveries as queue where queue.webhook_id = webhooks.id
            and queue.due_at < ${value('before')} order by queue.due_at, queue.id
            limit ${rowCount(value('top'))})`,
        ),
      ),
    )
    .select(['deliveries.id', 'deliveries.webhook_id as webhookId'])
    .where('webhooks.lease', 'is', null)
    .limit(rowCount(value('top'))),
);

/** Deletes deliveries with their attempts. */
export const deleteDeliveriesById = command<{ ids: readonly number[] }>()((q, value) =>
  q.deleteFrom('deliveries').where(anyOf(sql.ref('id'), value('ids'))),
);

/** Subtracts deleted deliveries from the counts of webhooks; `given` is a JSON array of `{id, gone}`. */
export const subtractDeliveryCounts = command<{ given: string }>()((q, value) =>
  q
    .updateTable('tallies')
    .set({
      live: sql`live - (select ${numberIn('given', 'gone')} from ${recordsOf(value('given'), 'given')}
        where ${numberIn('given', 'id')} = tallies.parent_id)`,
    })
    .where('parent_type', '=', 'webhook')
    .where('kind', '=', 'delivery')
    .where(
      'parent_id',
      'in',
      q.selectFrom(recordsOf(value('given'), 'given')).select(numberIn('given', 'id').as('id')),
    ),
);

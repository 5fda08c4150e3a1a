import { sql } from 'kysely';
import { webhookColumns } from '../../../access/webhook/webhook.sql.ts';
import { rowCount, textsOf } from '../../../db/dialect.ts';
import { matchesSearch } from '../../../db/filters.ts';
import { list } from '../../../db/list.ts';
import { command, insertRow, insertSelected, query, updateRow } from '../../../db/statement.ts';

/** Adds a webhook without deliveries and without a secret. */
export const insertWebhook = insertRow('webhooks', ['payload_url', 'is_enabled', 'is_ordered', 'created_at']);

/** Changes a webhook; its due time is updated separately. */
export const updateWebhook = updateRow('webhooks', [
  'payload_url',
  'is_enabled',
  'is_ordered',
  'modified_at',
]);

/** Triggers in the order given. */
export const insertTriggers = command<{ id: number; triggers: readonly string[] }>()((q, value) =>
  insertSelected(q, 'webhook_triggers', {
    from: q.selectFrom(textsOf(value('triggers'), 'given')),
    values: { webhook_id: value('id'), trigger: sql<string>`given.value`, position: sql<number>`given.key` },
  }),
);

/** Deletes the triggers of a webhook. */
export const deleteTriggers = command<{ id: number }>()((q, value) =>
  q.deleteFrom('webhook_triggers').where('webhook_id', '=', value('id')),
);

/** Hides a webhook permanently, clears its secrets and revokes the lease of its sender. */
export const markDeleted = command<{ id: number; at: number }>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({
      deleted_at: value('at'),
      secret: null,
      previous_secret: null,
      previous_secret_until: null,
      is_enabled: 0,
      due_at: null,
      leased_until: null,
      lease: null,
    })
    .where('id', '=', value('id')),
);

/** A deleted webhook that still has rows, if any. */
export const deletedWebhook = query()((q) =>
  q.selectFrom('webhooks').select('id').where('deleted_at', 'is not', null).limit(sql.lit(1)),
);

/** Deletes the first deliveries of a webhook, with their attempts. */
export const deleteDeliveries = command<{ id: number; top: number }>()((q, value) =>
  q.deleteFrom('deliveries').where('id', 'in', (sub) =>
    sub
      .selectFrom('deliveries')
      .select('id')
      .where('webhook_id', '=', value('id'))
      .orderBy('id')
      .limit(rowCount(value('top'))),
  ),
);

/** Removes the row of a webhook that has no deliveries left. */
export const deleteWebhook = command<{ id: number }>()((q, value) =>
  q.deleteFrom('webhooks').where('id', '=', value('id')),
);

/** Every webhook, with how many of its deliveries are unfinished. */
export const listStates = query()((q) =>
  q
    .selectFrom('webhooks')
    .select(webhookColumns)
    .select((part) =>
      part
        .selectFrom('deliveries')
        .select((each) => each.fn.countAll<number>().as('count'))
        .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
        .where('deliveries.due_at', 'is not', null)
        .as('waiting'),
    )
    .where('deleted_at', 'is', null)
    .orderBy('webhooks.id'),
);

/** The webhooks of the server. */
export const webhookList = list<{ question: readonly string[] }>()({
  name: 'webhooks',
  filters: { hasQuestion: [false, true] },
  candidates: (q, value, { hasQuestion }) =>
    q
      .selectFrom('webhooks')
      .where('deleted_at', 'is', null)
      .$if(hasQuestion, (part) =>
        part.where(matchesSearch(sql.ref('webhooks.id'), 'webhook', value('question'))),
      ),
  // The triggers, which no index finds by their webhook, are read for those of the page alone.
  byIds: (q, ids) => q.selectFrom('webhooks').select(webhookColumns).where('webhooks.id', 'in', ids),
  orders: {
    id: [],
    payload_url: [{ by: sql`webhooks.payload_url`, isText: true }],
    is_enabled: [{ by: sql`webhooks.is_enabled` }],
    created_at: [{ by: sql`webhooks.created_at` }],
    modified_at: [{ by: sql`webhooks.modified_at`, hasNulls: true }],
  },
  id: sql`webhooks.id`,
});

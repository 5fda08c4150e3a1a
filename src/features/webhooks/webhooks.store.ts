import { sql } from 'kysely';
import { anyOf, jsonArrayOf, nullsLowest, rowCount, textsOf } from '../../db/dialect.ts';
import { isFound } from '../../db/filters.ts';
import { type Bind, type Builder, command, query, shaped } from '../../db/statement.ts';

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

const shownColumns = [
  'webhooks.id',
  'webhooks.payload_url as payloadUrl',
  'webhooks.is_enabled as isEnabled',
  'webhooks.is_ordered as isOrdered',
  'webhooks.breaker_opened_at as breakerOpenedAt',
  'webhooks.breaker_reason as breakerReason',
  'webhooks.probe_at as probeAt',
] as const;

const triggersJson = jsonArrayOf(sql.ref('trigger'), {
  from: sql`webhook_triggers where webhook_id = webhooks.id`,
  order: sql.ref('position'),
}).as('triggers');

/** One webhook with its secrets; deleted ones are not there. */
export const webhookById = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(shownColumns)
    .select(['webhooks.secret', 'webhooks.previous_secret as previousSecret', triggersJson])
    .where('id', '=', value('id'))
    .where('deleted_at', 'is', null),
);

/** Some webhooks that are there, in the order of their ids. */
export const webhooksById = query<{ ids: readonly number[] }>()((q, value) =>
  q
    .selectFrom('webhooks')
    .select(shownColumns)
    .select(triggersJson)
    .where(anyOf(sql.ref('webhooks.id'), value('ids')))
    .where('deleted_at', 'is', null)
    .orderBy('webhooks.id'),
);

/** Adds a webhook for which nothing waits and that has no secret yet. */
export const insertWebhook = command<{
  payloadUrl: string;
  isEnabled: number;
  isOrdered: number;
  at: number;
}>()((q, value) =>
  q.insertInto('webhooks').values({
    payload_url: value('payloadUrl'),
    is_enabled: value('isEnabled'),
    is_ordered: value('isOrdered'),
    created_at: value('at'),
  }),
);

/** Changes a webhook; when it is due afterwards is settled apart. */
export const updateWebhook = command<{
  id: number;
  payloadUrl: string;
  isEnabled: number;
  isOrdered: number;
  at: number;
}>()((q, value) =>
  q
    .updateTable('webhooks')
    .set({
      payload_url: value('payloadUrl'),
      is_enabled: value('isEnabled'),
      is_ordered: value('isOrdered'),
      modified_at: value('at'),
    })
    .where('id', '=', value('id')),
);

/** Triggers in the order given. */
export const insertTriggers = command<{ id: number; triggers: readonly string[] }>()((q, value) =>
  q
    .insertInto('webhook_triggers')
    .columns(['webhook_id', 'trigger', 'position'])
    .expression(
      q
        .selectFrom(textsOf(value('triggers'), 'given'))
        .select([
          sql<number>`${value('id')}`.as('webhook_id'),
          sql<string>`given.value`.as('trigger'),
          sql<number>`given.key`.as('position'),
        ]),
    ),
);

/** Takes the triggers of a webhook away. */
export const deleteTriggers = command<{ id: number }>()((q, value) =>
  q.deleteFrom('webhook_triggers').where('webhook_id', '=', value('id')),
);

/** Hides a webhook for good, forgets its secrets and takes it from whoever is sending for it. */
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

/** Forgets how many deliveries a webhook has. */
export const deleteDeliveryCount = command<{ id: number }>()((q, value) =>
  q.deleteFrom('tallies').where('parent_type', '=', 'webhook').where('parent_id', '=', value('id')),
);

/** A webhook that is deleted and still has rows, if any. */
export const deletedWebhook = query()((q) =>
  q.selectFrom('webhooks').select('id').where('deleted_at', 'is not', null).limit(1),
);

/** Takes away the first deliveries of a webhook, with their attempts. */
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

/** Every webhook that is there, with how many of its deliveries are not done. */
export const listStates = query()((q) =>
  q
    .selectFrom('webhooks')
    .select(shownColumns)
    .select([
      triggersJson,
      (part) =>
        part
          .selectFrom('deliveries')
          .select((each) => each.fn.countAll<number>().as('count'))
          .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
          .where('deliveries.due_at', 'is not', null)
          .as('waiting'),
    ])
    .where('deleted_at', 'is', null)
    .orderBy('webhooks.id'),
);

/** What decides the text of a webhook list statement. */
export type WebhookListShape = {
  readonly order: 'id' | 'payload_url' | 'is_enabled' | 'created_at' | 'modified_at';
  readonly descending: boolean;
  readonly hasQuestion: boolean;
};

type WebhookListParameters = { question: string; top: number; skip: number };

function filtered(q: Builder, value: Bind<WebhookListParameters>, shape: WebhookListShape) {
  return q
    .selectFrom('webhooks')
    .where('deleted_at', 'is', null)
    .$if(shape.hasQuestion, (part) =>
      part.where(isFound(sql.ref('webhooks.id'), 'webhook', value('question'))),
    );
}

/** A page of the webhooks. */
export const listWebhooks = shaped((key: string) => {
  const shape = JSON.parse(key) as WebhookListShape;
  const direction = shape.descending ? 'desc' : 'asc';
  const first = shape.order === 'modified_at' ? nullsLowest(direction) : direction;
  return query<WebhookListParameters>()((q, value) =>
    filtered(q, value, shape)
      .select(shownColumns)
      .select(triggersJson)
      .orderBy(`webhooks.${shape.order}`, first)
      .$if(shape.order !== 'id', (part) => part.orderBy('webhooks.id', direction))
      .limit(rowCount(value('top')))
      .offset(rowCount(value('skip'))),
  );
});

/** How many webhooks a list has. */
export const countWebhooks = shaped((key: string) => {
  const shape = JSON.parse(key) as WebhookListShape;
  return query<WebhookListParameters>()((q, value) =>
    filtered(q, value, shape).select((part) => part.fn.countAll<number>().as('count')),
  );
});

import Type, { type Static } from 'typebox';
import { changing, getting } from './common-operations.ts';
import { boolean, count, described, Id, listOf, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';
import { Actor } from './users.ts';

const o = Type.Optional;

/** The statuses of a delivery. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'canceled'] as const;
/** One of `deliveryStatuses`. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The body that is sent; the catalogue of events has the schema of each action. */
const DeliveryPayload = Type.Object(
  {
    id: Type.Integer({ minimum: 1, description: 'The id of the event.' }),
    action: string('The action of the event, such as `comment_created`.'),
    actor: described(Actor, 'The user who caused the event, as they were at that time.'),
    timestamp: described(Timestamp, 'When the event happened.'),
    type: string('The action with a dot.'),
    guid: string('The guid of the delivery, the same on every attempt.'),
  },
  {
    $id: 'DeliveryPayload',
    additionalProperties: true,
    description: 'The body as it is sent, with the subject of the event under its own name.',
  },
);

/** A delivery. The fields about the response are those of the last attempt, and absent before the first. */
const deliveryFields = {
  id: described(Id, 'The id of the delivery.'),
  guid: string('The guid of the delivery, the same on every attempt.'),
  sequence: o(
    Type.Integer({
      minimum: 1,
      description:
        'The number of the delivery for its webhook, from 1 and without gaps. A redelivery keeps it. Absent before the first attempt.',
    }),
  ),
  event_id: Type.Integer({
    minimum: 1,
    description: 'The id of the event, the same for every webhook that receives it.',
  }),
  action: string('The action of the event, such as `comment_created`.'),
  created_at: described(Timestamp, 'When the event happened.'),
  attempts: count('How many attempts to send it were made.'),
  next_attempt_at: o(
    Type.String({
      ...Timestamp,
      description:
        'The earliest time of the next attempt. It can be in the past while the delivery waits for its turn. Absent when no attempt is planned, and while the webhook is disabled.',
    }),
  ),
  delivered_at: o(described(Timestamp, 'When the last attempt was made. Absent before the first.')),
  duration: o(
    Type.Number({
      minimum: 0,
      description: 'How long the last attempt took, in seconds. Absent before the first.',
    }),
  ),
  status_code: o(
    Type.Integer({
      description:
        "The receiver's HTTP status at the last attempt. Absent before the first, and when there was no response.",
    }),
  ),
  status: Type.Unsafe<DeliveryStatus>({
    type: 'string',
    enum: [...deliveryStatuses],
    description:
      'The state of the delivery: `pending` before the first attempt and after a redelivery was requested, `retrying` after a failed attempt, `delivered` after a 2xx, `failed` when no attempt is left, `canceled` when it was given up.',
  }),
};

/** A delivery in a list. */
export const DeliveryItem = Type.Object(
  {
    ...deliveryFields,
    payload: o(described(DeliveryPayload, 'The body that is sent. Only where `expand` asks for it.')),
  },
  { $id: 'DeliveryItem', description: 'One event for one webhook, in a list.' },
);
export type Delivery = Static<typeof DeliveryItem>;

/** A single delivery, with the body that is sent. */
const DeliveryDetail = Type.Object(
  { ...deliveryFields, payload: described(DeliveryPayload, 'The body that is sent.') },
  { $id: 'Delivery', description: 'One event for one webhook, with the body that is sent.' },
);

const DeliveryList = listOf(DeliveryItem, 'DeliveryList');

const Headers = Type.Record(Type.String(), Type.Union([Type.String(), Type.Array(Type.String())]));

const Attempt = Type.Object(
  {
    number: Type.Integer({
      minimum: 1,
      description: 'The number of the attempt, from 1. It continues when the delivery is redelivered.',
    }),
    started_at: described(Timestamp, 'When the attempt was started.'),
    duration: Type.Number({ minimum: 0, description: 'How long the attempt took, in seconds.' }),
    error: o(string('The kind of failure, such as `http_500` or `timeout`. Absent after a success.')),
    request: Type.Object(
      {
        url: o(string('The address that was called. Absent for attempts made before addresses were kept.')),
        headers: o(
          described(
            Headers,
            'The headers that were sent, by name. Absent for attempts made before headers were kept.',
          ),
        ),
        body: string('The exact text that was sent, the same on every attempt.'),
      },
      { description: 'The request that was sent.' },
    ),
    response: o(
      Type.Object(
        {
          status_code: Type.Integer({ description: 'The HTTP status of the response.' }),
          headers: o(
            described(
              Headers,
              'The headers of the response, by name. Absent for attempts made before headers were kept.',
            ),
          ),
          body: o(
            string('The first 16 KiB of the body. Absent when it was empty or its retention has ended.'),
          ),
          is_truncated: boolean('Whether the body was longer than what is kept of it.'),
          is_utf8: boolean('Whether the body was valid UTF-8. If not, U+FFFD replaces what was invalid.'),
        },
        { description: 'The response of the receiver. Absent when there was none.' },
      ),
    ),
  },
  { $id: 'Attempt', description: 'One try to send a delivery.' },
);
export type Attempt = Static<typeof Attempt>;

const AttemptList = listOf(Attempt, 'AttemptList');

const time = (description: string) =>
  Type.String({ format: 'date-time', description, examples: ['2026-11-21T07:42:00Z'] });

/** The filters of deliveries, in a list and for sending them again. */
const choiceFields = {
  status: o(
    Type.Unsafe<DeliveryStatus>({
      type: 'string',
      enum: [...deliveryStatuses],
      description: 'Only deliveries of this status.',
    }),
  ),
  status_code: o(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      description: 'Only deliveries whose last attempt was answered with this status.',
    }),
  ),
  action: o(string('Only deliveries of this action, such as `comment_created`.')),
  event_id: o(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Only the delivery of the event with this id.',
    }),
  ),
  since: o(time('Only deliveries of events of this time (RFC 3339) or later.')),
  until: o(time('Only deliveries of events before this time (RFC 3339).')),
};

/** The most deliveries that one request sends again. */
const redeliveriesMax = 1000;

export const RedeliverMany = Type.Object(
  {
    ...choiceFields,
    after: o(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Only deliveries with a higher id: send the `next` of the previous answer.',
      }),
    ),
    limit: o(
      Type.Integer({
        minimum: 1,
        maximum: redeliveriesMax,
        description: `The most deliveries to send again; ${redeliveriesMax} when absent.`,
      }),
    ),
  },
  { $id: 'RedeliverMany', description: 'Which deliveries to send again.' },
);
export type RedeliverMany = Static<typeof RedeliverMany>;

const Redelivered = Type.Object(
  {
    redelivered: count('How many deliveries wait to be sent again.'),
    next: o(
      Type.Integer({
        minimum: 1,
        description: 'The id to send as `after` for the next deliveries. Absent when these were all.',
      }),
    ),
  },
  { $id: 'Redelivered', description: 'How many deliveries are to be sent again.' },
);

// All that match are counted, and most of these have no index.
const deliveryScans = [
  'event_id',
  'action',
  'delivered_at',
  'duration',
  'status_code',
  'status',
  'since',
  'until',
  'after',
  'before',
];

export const deliveryOperations = operationsOf('Webhooks', {
  listDeliveries: {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: 'Lists the deliveries of a webhook, the newest first.',
    description:
      'A delivery is in the list as soon as the request that caused it is answered. A receiver that cannot be called reads the same list: with `order_by=id&expand=payload` and the last id that it knows as `after` it gets every delivery once, whatever became of sending it. One that found a gap in the numbers it was sent gets what is missing with `order_by=sequence&expand=payload` and the last number before the gap as `after`.',
    caller: 'key',
    on: { webhook: 'manage' },
    effect: 'list',
    query: Type.Object({
      ...choiceFields,
      after: o(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'Only deliveries with a higher id than this; with `order_by=sequence` only those with a higher sequence. In these two orders, ascending, the header `Link` has the address of the next page with it.',
        }),
      ),
      before: o(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'Only deliveries with a lower id than this. In the default order, the newest first, the header `Link` has the address of the next page with it.',
        }),
      ),
    }),
    list: {
      orderBy: ['id', 'sequence', 'event_id', 'action', 'delivered_at', 'duration', 'status_code', 'status'],
      defaultOrder: { field: 'id', descending: true },
      expand: ['payload'],
    },
    scans: deliveryScans,
    success: { 200: DeliveryList },
    errors: [401, 404],
  },
  getDelivery: {
    ...getting(DeliveryDetail),
    path: '/api/webhooks/{id}/deliveries/{delivery}',
    summary: 'Gets a delivery with its body.',
    caller: 'key',
    on: { delivery: 'manage' },
  },
  listAttempts: {
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries/{delivery}/attempts',
    summary: 'Lists the attempts of a delivery, the first one first, with their requests and responses.',
    description:
      'Attempts have neither words, tags nor a trash, so a query for one of these matches none. The first 16 KiB of each response are kept.',
    caller: 'key',
    on: { delivery: 'manage' },
    effect: 'read',
    list: { orderBy: ['number'], expand: [] },
    success: { 200: AttemptList },
    errors: [401, 404],
  },
  pingWebhook: {
    method: 'POST',
    path: '/api/webhooks/{id}/ping',
    summary: 'Sends a webhook an event of its own, `webhook_pinged`, whatever its triggers are.',
    description:
      'The event is delivered like any other: signed, numbered, retried, and kept back while the webhook is disabled. No other webhook gets it. If the breaker is open, a probe is sent at once.',
    caller: 'key',
    on: { webhook: 'manage' },
    effect: 'change',
    success: { 201: DeliveryDetail },
    errors: [400, 401, 403, 404],
  },
  redeliver: {
    ...changing(DeliveryDetail),
    path: '/api/webhooks/{id}/deliveries/{delivery}/redeliver',
    summary: 'Has a delivery sent again, with the same body and guid, whatever became of it.',
    description:
      'The delivery is due at once and gets a complete new schedule of attempts; the numbers of attempts continue. A waiting delivery is brought forward, and one that is already due stays as it is: a delivery is never in the queue twice. If an attempt is in progress, the delivery is sent again at once unless that attempt succeeds. If the breaker is open, a probe is sent at once.',
    caller: 'key',
    on: { delivery: 'manage' },
  },
  redeliverMany: {
    method: 'POST',
    path: '/api/webhooks/{id}/redeliver',
    summary: 'Has the deliveries sent again that a filter matches, the oldest first.',
    description: `At least one of \`status\`, \`status_code\`, \`action\`, \`event_id\`, \`since\` and \`until\` is required. One request has at most ${redeliveriesMax} sent again, so that other writers do not wait; as long as the answer has \`next\`, send the same with that as \`after\`. What waits to be sent at once anyway is left as it is and not counted.`,
    caller: 'key',
    on: { webhook: 'manage' },
    effect: 'wait',
    body: RedeliverMany,
    success: { 200: Redelivered },
    errors: [400, 401, 403, 404, 422],
    example: { status: 'failed', since: '2026-11-21T07:00:00Z' },
  },
});

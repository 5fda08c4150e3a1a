import Type, { type Static } from 'typebox';
import { Id, limits, listOf, Timestamp } from './fields.ts';
import { operation } from './operation.ts';

const o = Type.Optional;
const tag = 'Webhooks';

/** A webhook. The secret is taken and never shown. */
export const Webhook = Type.Object(
  {
    id: Id,
    payload_url: Type.String(),
    triggers: Type.Array(Type.String()),
    is_enabled: Type.Boolean(),
  },
  { $id: 'Webhook' },
);
export type Webhook = Static<typeof Webhook>;

/** What became of a delivery. */
export const deliveryStatuses = ['pending', 'retrying', 'delivered', 'failed', 'canceled'] as const;
/** One of `deliveryStatuses`. */
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A delivery; what the receiver did is that of the last attempt and absent before the first. */
export const Delivery = Type.Object(
  {
    id: Id,
    guid: Type.String({ description: 'The same on every attempt.' }),
    event_id: Type.Integer({ minimum: 1, description: 'Shared by all deliveries of one event.' }),
    action: Type.String(),
    delivered_at: o(Timestamp),
    duration: o(Type.Number({ minimum: 0, description: 'Seconds.' })),
    status_code: o(Type.Integer({ description: "The receiver's status; absent when there was no answer." })),
    status: Type.Unsafe<DeliveryStatus>({
      type: 'string',
      enum: [...deliveryStatuses],
      description:
        'pending before the first attempt, retrying after a failed one, delivered on any 2xx, failed when no attempt is left, canceled when it was given up.',
    }),
  },
  { $id: 'Delivery' },
);
export type Delivery = Static<typeof Delivery>;

const WebhookList = listOf(Webhook, 'WebhookList');
const DeliveryList = listOf(Delivery, 'DeliveryList');

const payloadUrl = Type.String({
  maxLength: limits.payloadUrlCharactersMax,
  description:
    'Absolute http or https address that receives deliveries. Internal addresses are refused unless the operator allows them.',
  examples: ['https://example.com/hooks/confab'],
});
const secret = Type.String({
  minLength: 1,
  maxLength: limits.secretCharactersMax,
  description:
    'Key of the signature headers. A secret that begins with whsec_ is followed by the base64 of 24 to 64 bytes.',
});
const triggers = Type.Array(Type.String(), {
  minItems: 1,
  description:
    'Groups of events (comments, posts, messages, files, reactions, polls, notifications, conversations, apps, members) or names of single actions, such as comment_created. Repeated ones count once.',
});
const enabled = Type.Boolean({ description: 'Whether deliveries are sent.' });

export const WebhookCreate = Type.Object(
  {
    payload_url: payloadUrl,
    secret: o(secret),
    triggers,
    enabled: o(enabled),
    is_enabled: o(Type.Boolean({ description: 'Another name of `enabled`, which wins.' })),
  },
  { $id: 'WebhookCreate' },
);
export type WebhookCreate = Static<typeof WebhookCreate>;

export const WebhookPatch = Type.Object(
  {
    payload_url: o(payloadUrl),
    secret: o(secret),
    triggers: o(triggers),
    is_enabled: o(enabled),
    enabled: o(Type.Boolean({ description: 'Another name of `is_enabled`, which wins.' })),
  },
  { $id: 'WebhookPatch' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

const id = { id: 'id' } as const;

export const webhookOperations = {
  registerWebhook: operation({
    id: 'registerWebhook',
    method: 'POST',
    path: '/api/webhooks',
    tag,
    summary: 'Registers a webhook. It is enabled unless the request says otherwise.',
    description:
      'Every event of its triggers from then on is delivered at least once. The body of a delivery is the same on every attempt; it is signed with the secret of the moment.',
    caller: 'key',
    body: WebhookCreate,
    success: { 201: Webhook },
    errors: [400, 401, 403, 422],
    example: { payload_url: 'https://example.com/hooks/confab', secret: 'a secret', triggers: ['comments'] },
  }),
  getWebhook: operation({
    id: 'getWebhook',
    method: 'GET',
    path: '/api/webhooks/{id}',
    tag,
    summary: 'Gets a webhook.',
    caller: 'key',
    params: id,
    success: { 200: Webhook },
    errors: [401, 404],
  }),
  updateWebhook: operation({
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    tag,
    summary: 'Changes the fields that are present; null clears the secret.',
    description:
      'While a webhook is disabled nothing is sent and its events make no deliveries. Deliveries that wait stay, and go on when it is enabled again. A new address or secret holds from the next attempt on; a delivery that was made for a trigger goes even if the trigger is taken away.',
    caller: 'key',
    params: id,
    body: WebhookPatch,
    neverNull: ['payload_url', 'triggers', 'is_enabled', 'enabled'],
    success: { 200: Webhook },
    errors: [400, 401, 403, 404, 422],
    example: { is_enabled: false },
  }),
  listWebhooks: operation({
    id: 'listWebhooks',
    method: 'GET',
    path: '/api/webhooks',
    tag,
    summary: 'Lists the webhooks.',
    description: 'Webhooks have neither tags nor a trash, so a tag or trashed=true matches none.',
    caller: 'key',
    list: {
      orderBy: ['id', 'payload_url', 'is_enabled', 'created_at', 'modified_at'],
      defaultOrder: { field: 'id', descending: false },
      expand: [],
    },
    success: { 200: WebhookList },
    errors: [401],
  }),
  listDeliveries: operation({
    id: 'listDeliveries',
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    tag,
    summary: 'Lists the deliveries of a webhook, the newest first.',
    description: 'A delivery is in the list as soon as the request that caused it is answered.',
    caller: 'key',
    params: id,
    query: Type.Object({
      action: o(Type.String({ description: 'Only deliveries of this action, such as comment_created.' })),
    }),
    list: {
      orderBy: ['id', 'event_id', 'action', 'delivered_at', 'duration', 'status_code', 'status'],
      defaultOrder: { field: 'id', descending: true },
      expand: [],
    },
    success: { 200: DeliveryList },
    errors: [401, 404],
  }),
  deleteWebhook: operation({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    tag,
    summary: 'Deletes a webhook with its deliveries. Nothing further is sent.',
    caller: 'key',
    params: id,
    success: { 204: null },
    errors: [400, 401, 403, 404],
  }),
};

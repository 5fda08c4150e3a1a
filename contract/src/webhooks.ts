import Type, { type Static } from 'typebox';
import { deleting, getting } from './common-operations.ts';
import { boolean, described, Id, limits, listOf, string, Timestamp } from './fields.ts';
import { operationsOf } from './operation.ts';

const o = Type.Optional;

const Breaker = Type.Object(
  {
    state: Type.Unsafe<'closed' | 'open'>({
      type: 'string',
      enum: ['closed', 'open'],
      description: 'Whether deliveries are held back (`open`) or sent (`closed`).',
    }),
    reason: o(string('What went wrong, in one sentence. Absent while the breaker is closed.')),
    opened_at: o(described(Timestamp, 'When the breaker opened. Absent while it is closed.')),
    next_probe_at: o(
      Type.String({
        ...Timestamp,
        description: 'When one delivery is sent as a probe. Absent while the breaker is closed.',
      }),
    ),
  },
  {
    $id: 'Breaker',
    description:
      'Open while the receiver keeps failing: only occasional probes are sent; all other deliveries wait and use up no attempts. The breaker closes by itself at the first success. A closed breaker has only `state`.',
  },
);

/** A webhook. Requests can set the secret, and responses never contain it. */
export const Webhook = Type.Object(
  {
    id: described(Id, 'The id of the webhook.'),
    payload_url: string('The address that receives deliveries.'),
    triggers: Type.Array(Type.String(), {
      description:
        'The groups of events and the single actions that are delivered, in the order in which they were set.',
    }),
    is_enabled: boolean('Whether deliveries are sent.'),
    ordered: boolean('Whether each delivery waits until the previous one has succeeded or was given up.'),
    breaker: described(Breaker, 'The breaker, which pauses deliveries while the receiver keeps failing.'),
  },
  { $id: 'Webhook', description: 'An address that is notified of events. Its secret is never shown.' },
);
export type Webhook = Static<typeof Webhook>;

const WebhookDetail = Type.Object(
  {
    ...Webhook.properties,
    previous_secret_until: o(
      described(
        Timestamp,
        'Until when the secret from before the last rotation is also valid. Absent if there is none.',
      ),
    ),
  },
  { $id: 'WebhookDetail', description: 'A webhook, with the state of the rotation of its secret.' },
);

const WebhookList = listOf(Webhook, 'WebhookList');

const WebhookEvent = Type.Object(
  {
    action: string('The name of the event, such as `comment_created`.'),
    type: string('The action with a dot, as it stands in the body.'),
    group: o(string('What webhooks name as trigger; absent for what is in the log alone.')),
    description: string('When the event happens, in one sentence.'),
    schema: Type.Object(
      {},
      { additionalProperties: true, description: 'The JSON Schema (2020-12) of the body of a delivery.' },
    ),
  },
  { $id: 'WebhookEvent', description: 'One event that is in the log.' },
);
const WebhookEvents = Type.Object(
  { data: Type.Array(WebhookEvent, { description: 'The events, by group.' }) },
  {
    $id: 'WebhookEvents',
    description: 'Every event that webhooks can receive or the log contains, by group.',
  },
);

const payloadUrl = Type.String({
  maxLength: limits.payloadUrlCharactersMax,
  description:
    'The absolute http or https address that receives deliveries, at most 2048 characters. Internal addresses are refused unless the operator allows them.',
  examples: ['https://example.com/hooks/confab'],
});
const secret = (whenAbsent: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.secretCharactersMax,
      description: `The key of the signature headers. After \`whsec_\`, it must be the base64 of 24 to 64 bytes. ${whenAbsent}`,
    }),
  );
const triggers = Type.Array(Type.String(), {
  minItems: 1,
  description:
    'Groups of events (comments, posts, messages, files, reactions, polls, notifications, conversations, apps, members) or names of single actions, such as `comment_created`. Repeated ones count once.',
});
const enabled = boolean('Whether deliveries are sent. True when absent on create.');
const ordered = boolean(
  'Whether each delivery waits until the previous one has succeeded or was given up. False when absent on create.',
);

const WebhookCreate = Type.Object(
  {
    payload_url: payloadUrl,
    secret: secret('Deliveries are not signed when absent.'),
    triggers,
    enabled: o(enabled),
    is_enabled: o(boolean('Another name of `enabled`. When both are present, `enabled` wins.')),
    ordered: o(ordered),
  },
  { $id: 'WebhookCreate', description: 'The fields of a request that registers a webhook.' },
);

export const WebhookPatch = Type.Object(
  {
    payload_url: o(payloadUrl),
    secret: secret('Null ends the signing of deliveries.'),
    triggers: o(triggers),
    is_enabled: o(enabled),
    enabled: o(boolean('Another name of `is_enabled`. When both are present, `is_enabled` wins.')),
    ordered: o(ordered),
  },
  { $id: 'WebhookPatch', description: 'The fields of a webhook that a client can change.' },
);
export type WebhookPatch = Static<typeof WebhookPatch>;

/** How long the previous secret can stay valid, in seconds: at most a week, by default a day. */
const overlap = { secondsMax: 604_800, secondsDefault: 86_400 } as const;

const SecretRotation = Type.Object(
  {
    secret: secret('One is generated when absent.'),
    overlap_seconds: o(
      Type.Integer({
        minimum: 0,
        maximum: overlap.secondsMax,
        description: `How long deliveries are also signed with the previous secret, in seconds; ${overlap.secondsDefault} when absent. 0 ends the previous secret at once.`,
      }),
    ),
  },
  { $id: 'SecretRotation', description: 'How to rotate the secret of a webhook.' },
);

/** The response to a rotation. Only this response contains a generated secret. */
const RotatedSecret = Type.Object(
  {
    secret: o(
      Type.String({
        description:
          'The generated secret, shown only in this response. Absent when the request contained one.',
        examples: ['whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='],
      }),
    ),
    previous_secret_until: o(
      Type.String({
        ...Timestamp,
        description: 'When the previous secret ends. Absent when there was none, or it ended at once.',
      }),
    ),
  },
  { $id: 'RotatedSecret', description: 'The outcome of a rotation.' },
);

export const webhookOperations = operationsOf('Webhooks', {
  registerWebhook: {
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Registers a webhook. It is enabled unless the request disables it.',
    description:
      'Every later event of its triggers is delivered at least once. The body of a delivery is the same on every attempt, and is signed with the current secret.',
    caller: 'key',
    scopes: ['webhooks'],
    on: 'server',
    effect: 'change',
    body: WebhookCreate,
    success: { 201: Webhook },
    errors: [400, 401, 403, 422],
    example: { payload_url: 'https://example.com/hooks/confab', secret: 'a secret', triggers: ['comments'] },
  },
  listWebhookEvents: {
    method: 'GET',
    path: '/api/webhooks/events',
    summary: 'Describes every event: its action, its group and the JSON Schema of its payload.',
    description:
      'Webhooks subscribe to events with a `group`, by the group or by the action. Other events are only in the log of events, except `webhook_pinged`, which is delivered to the webhook that is pinged. Properties can be added to an event at any time.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    query: Type.Object({
      group: o(string('Only events of this group, such as comments.')),
      action: o(string('Only the event with this action.')),
    }),
    success: { 200: WebhookEvents },
    errors: [401],
  },
  getWebhook: {
    ...getting(WebhookDetail),
    path: '/api/webhooks/{id}',
    summary: 'Gets a webhook.',
    caller: 'key',
    on: { webhook: 'manage' },
  },
  updateWebhook: {
    method: 'PATCH',
    path: '/api/webhooks/{id}',
    summary: 'Changes the fields that are present; null clears the secret.',
    description:
      'While a webhook is disabled, nothing is sent, and its events create no deliveries. Waiting deliveries stay, and continue when it is enabled again. A new address or secret applies from the next attempt on. A delivery that was created for a trigger is sent even if the trigger is removed later.',
    caller: 'key',
    on: { webhook: 'manage' },
    effect: 'change',
    body: WebhookPatch,
    neverNull: ['payload_url', 'triggers', 'is_enabled', 'enabled', 'ordered'],
    success: { 200: Webhook },
    errors: [400, 401, 403, 404, 422],
    example: { is_enabled: false },
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/api/webhooks/{id}/secret/rotate',
    summary: 'Gives a webhook another secret while the one before still holds for a while.',
    description:
      'Without a secret in the request, the server generates one, and shows it only in this response. During the overlap, `webhook-signature` has a signature with each of the two secrets, the new one first, so that receivers can switch at any moment. The headers with a hex digest have only one signature, made with the new secret. An older secret that is still valid from an earlier rotation ends.',
    caller: 'key',
    on: { webhook: 'manage' },
    effect: 'change',
    body: SecretRotation,
    success: { 200: RotatedSecret },
    answersSecret: true,
    errors: [400, 401, 403, 404, 422],
    example: { overlap_seconds: 3600 },
  },
  listWebhooks: {
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Lists the webhooks.',
    description: 'Webhooks have neither tags nor a trash, so a tag or trashed=true matches none.',
    caller: 'key',
    on: 'server',
    effect: 'read',
    list: { orderBy: ['id', 'payload_url', 'is_enabled', 'created_at', 'modified_at'], expand: [] },
    success: { 200: WebhookList },
    errors: [401],
  },
  deleteWebhook: {
    ...deleting,
    path: '/api/webhooks/{id}',
    summary: 'Deletes a webhook with its deliveries. Nothing further is sent.',
    caller: 'key',
    on: { webhook: 'manage' },
  },
});

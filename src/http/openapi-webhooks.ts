import { deliveredActions, deliverySchema, webhookEvents } from '../contract/webhook-events.ts';
import type { Schema, Schemas } from './openapi-schemas.ts';

/** The `webhooks` of the OpenAPI document: what a receiver is sent, one for each action. */

type Header = { readonly name: string; readonly description: string; readonly schema: Schema };

const text: Schema = { type: 'string' };

/** The operator can give the first ones another beginning than `X-Weavy`. */
const headers: readonly Header[] = [
  { name: 'X-Weavy-Delivery', description: 'The guid of the delivery.', schema: text },
  { name: 'X-Weavy-Trigger', description: 'The group of the event.', schema: text },
  { name: 'X-Weavy-Action', description: 'The action of the event.', schema: text },
  {
    name: 'X-Weavy-Sequence',
    description: 'The number of the delivery among those of its webhook, without gaps.',
    schema: { type: 'integer', minimum: 1 },
  },
  {
    name: 'X-Weavy-Signature',
    description: '`sha256=` and the HMAC-SHA256 of the body in hex. Absent when there is no secret.',
    schema: text,
  },
  { name: 'webhook-id', description: 'The guid, as Standard Webhooks name it.', schema: text },
  {
    name: 'webhook-timestamp',
    description: 'The time of this attempt in Unix seconds.',
    schema: { type: 'integer' },
  },
  {
    name: 'webhook-signature',
    description: 'The signatures of Standard Webhooks. Absent when there is no secret.',
    schema: text,
  },
];

/** Describes each event that can be sent, with `schemas` for what is named. */
export function webhookParts(schemas: Schemas): { readonly [action: string]: object } {
  const parameters = headers.map((header) => ({ ...header, in: 'header' }));
  return Object.fromEntries(
    deliveredActions.map((action) => {
      const { group, sentence } = webhookEvents[action];
      const asked =
        group === undefined
          ? 'Sent to a webhook that is pinged.'
          : `Sent to webhooks with \`${group}\` or \`${action}\` among their triggers.`;
      return [
        action,
        {
          post: {
            operationId: `receive_${action}`,
            tags: ['Webhooks'],
            summary: sentence,
            description: asked,
            security: [],
            parameters,
            requestBody: {
              required: true,
              content: { 'application/json': { schema: schemas.use(deliverySchema(action)) } },
            },
            responses: {
              '2XX': { description: 'The delivery has arrived.' },
              '410': {
                description: 'The receiver is gone: the delivery is given up and the webhook paused.',
              },
              '4XX': { description: 'The delivery is sent again later.' },
              '5XX': { description: 'The delivery is sent again later.' },
            },
          },
        },
      ];
    }),
  );
}

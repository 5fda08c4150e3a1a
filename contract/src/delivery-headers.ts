import Type, { type TSchema } from 'typebox';

/** A header of requests to webhooks. */
export type DeliveryHeader = {
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
};

const text = Type.String();

/** Every header of an attempt except those of any request; an operator can replace the prefix `X-Weavy`. */
export const deliveryHeaders: readonly DeliveryHeader[] = [
  { name: 'User-Agent', description: '`Confab-Hookshot/` and the version of the server.', schema: text },
  { name: 'X-Weavy-Delivery', description: 'The guid of the delivery.', schema: text },
  { name: 'X-Weavy-Trigger', description: 'The group of the event.', schema: text },
  { name: 'X-Weavy-Action', description: 'The action of the event.', schema: text },
  {
    name: 'X-Weavy-Hook-ID',
    description: 'The id of the webhook.',
    schema: Type.Integer({ minimum: 1 }),
  },
  {
    name: 'X-Weavy-Attempt',
    description: 'The number of this attempt of the delivery, from 1.',
    schema: Type.Integer({ minimum: 1 }),
  },
  {
    name: 'X-Weavy-Sequence',
    description: 'The number of the delivery for its webhook, without gaps.',
    schema: Type.Integer({ minimum: 1 }),
  },
  {
    name: 'X-Weavy-Signature',
    description: '`sha256=` and the HMAC-SHA256 of the body in hex. Absent when there is no secret.',
    schema: text,
  },
  {
    name: 'X-Hub-Signature-256',
    description: 'The same as `X-Weavy-Signature`, under the name that GitHub uses.',
    schema: text,
  },
  { name: 'webhook-id', description: 'The guid, as Standard Webhooks name it.', schema: text },
  {
    name: 'webhook-timestamp',
    description: 'The time of this attempt in Unix seconds.',
    schema: Type.Integer(),
  },
  {
    name: 'webhook-signature',
    description: 'The signatures of Standard Webhooks. Absent when there is no secret.',
    schema: text,
  },
  {
    name: 'Stripe-Signature',
    description:
      'Time and signatures as Stripe sends them. Only where the operator asks for it (`CONFAB_WEBHOOK_STRIPE_SIGNATURE`) and there is a secret.',
    schema: text,
  },
];

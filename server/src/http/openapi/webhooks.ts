import { type Action, factsOf } from 'confab-contract/actions.ts';
import { deliveryHeaders } from 'confab-contract/delivery-headers.ts';
import {
  AnyDelivery,
  deliveredActions,
  deliverySchema,
  ownDeliverySchema,
} from 'confab-contract/webhook-events.ts';
import { exampleOf } from './examples.ts';
import type { Schema, Schemas } from './schemas.ts';

/**
 * The `webhooks` of the OpenAPI document: one request to a receiver, whose body is one of the deliveries. A receiver has one
 * address for all of them, and their headers and answers are the same.
 */

/** Such as `CommentCreatedDelivery`. */
function schemaNameOf(action: Action): string {
  const words = action.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Delivery`;
}

/** The schemas of the deliveries of each action, by name. */
export function deliverySchemas(schemas: Schemas): { readonly [name: string]: Schema } {
  const base = schemas.use(AnyDelivery);
  return Object.fromEntries(
    deliveredActions.map((action) => {
      const { group, sentence } = factsOf(action);
      const recipients =
        group === undefined
          ? 'Sent to a webhook that is pinged.'
          : `Sent to webhooks with \`${group}\` or \`${action}\` among their triggers.`;
      const schema = {
        description: `${sentence} ${recipients}`,
        allOf: [base, schemas.use(ownDeliverySchema(action))],
      };
      return [schemaNameOf(action), schema];
    }),
  );
}

/** An example of each delivery. Those that differ in nothing but `action` and `type` are there once, by the first of them. */
function deliveryExamples(schemas: Schemas): { readonly [action: string]: object } {
  const bodies = deliveredActions.map((action) => [action, schemas.use(deliverySchema(action))] as const);
  const named = schemas.named();
  const alike = new Map<string, { first: Action; value: unknown; others: Action[] }>();
  for (const [action, schema] of bodies) {
    const value = exampleOf(schema, named) as object;
    const key = JSON.stringify({ ...value, action: '', type: '' });
    const known = alike.get(key);
    if (known === undefined) alike.set(key, { first: action, value, others: [] });
    else known.others.push(action);
  }
  return Object.fromEntries(
    [...alike.values()].map(({ first, value, others }) => {
      const names = others.map((action) => `\`${action}\``).join(', ');
      const description =
        others.length === 0
          ? {}
          : { description: `Also, with \`action\` and \`type\` of their own: ${names}.` };
      return [first, { summary: factsOf(first).sentence, ...description, value }];
    }),
  );
}

/** The request to a receiver. */
export function webhookParts(schemas: Schemas): { readonly [name: string]: object } {
  const referenceTo = (action: Action) => `#/components/schemas/${schemaNameOf(action)}`;
  const delivery = {
    operationId: 'receiveDelivery',
    tags: ['Webhooks'],
    summary: 'An event, sent to each webhook that asks for it.',
    security: [],
    parameters: deliveryHeaders.map((header) => ({ ...header, in: 'header' })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            oneOf: deliveredActions.map((action) => ({ $ref: referenceTo(action) })),
            discriminator: {
              propertyName: 'action',
              mapping: Object.fromEntries(deliveredActions.map((action) => [action, referenceTo(action)])),
            },
          },
          examples: deliveryExamples(schemas),
        },
      },
    },
    responses: {
      '2XX': { description: 'The delivery has arrived.' },
      '410': { description: 'The receiver is gone: the delivery is given up and the webhook paused.' },
      '4XX': { description: 'The delivery is sent again later.' },
      '5XX': { description: 'The delivery is sent again later.' },
    },
  };
  return { delivery: { post: delivery } };
}

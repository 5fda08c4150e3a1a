import { factsOf } from '../../contract/actions.ts';
import { deliveryHeaders } from '../../contract/delivery-headers.ts';
import { deliveredActions, deliverySchema } from '../../contract/webhook-events.ts';
import type { Schemas } from './schemas.ts';

/** The `webhooks` of the OpenAPI document: the request to a receiver, for each action. */

/** Describes each event, with `schemas` for named schemas. */
export function webhookParts(schemas: Schemas): { readonly [action: string]: object } {
  const parameters = deliveryHeaders.map((header) => ({ ...header, in: 'header' }));
  return Object.fromEntries(
    deliveredActions.map((action) => {
      const { group, sentence } = factsOf(action);
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

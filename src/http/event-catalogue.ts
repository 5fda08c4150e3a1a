import {
  deliverySchema,
  type WebhookAction,
  type WebhookEvent,
  webhookEvents,
} from '../contract/webhook-events.ts';
import { type Json, json, jsonArray } from '../kernel/json.ts';
import { createSchemas } from './openapi-schemas.ts';

/**
 * What every event looks like to a receiver, made from the contract as the OpenAPI document is. Each schema stands by
 * itself: what it refers to is in its own `$defs`.
 */

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema (2020-12) of the body of a delivery of an action. */
function standaloneSchema(action: WebhookAction): { readonly [keyword: string]: unknown } {
  const schemas = createSchemas('#/$defs/');
  const schema = schemas.use(deliverySchema(action));
  return { $schema: dialect, ...schema, $defs: schemas.named() };
}

function rendered(action: WebhookAction, { group, sentence }: WebhookEvent): Json {
  return json(
    JSON.stringify({
      action,
      type: action.replace('_', '.'),
      ...(group === undefined ? {} : { group }),
      description: sentence,
      schema: standaloneSchema(action),
    }),
  );
}

/** Renders the catalogue once; answers what shows all of it or a part. */
export function createEventCatalogue(): (wanted: { group?: string; action?: string }) => Json {
  const entries = Object.entries(webhookEvents).map(([action, event]: [string, WebhookEvent]) => ({
    action,
    group: event.group,
    text: rendered(action as WebhookAction, event),
  }));
  return ({ group, action }) => {
    const wanted = entries.filter(
      (entry) =>
        (group === undefined || entry.group === group) && (action === undefined || entry.action === action),
    );
    return json(`{"data":${jsonArray(wanted.map(({ text }) => text))}}`);
  };
}

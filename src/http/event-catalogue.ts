import { type Action, actionNames, factsOf } from '../contract/actions.ts';
import { deliverySchema } from '../contract/webhook-events.ts';
import { type Json, json, jsonArray } from '../kernel/json.ts';
import { createSchemas } from './openapi-schemas.ts';

/**
 * The schemas of all events that receivers get, derived from the contract like the OpenAPI document. Each schema is
 * self-contained: its references point to its own `$defs`.
 */

const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The JSON Schema (2020-12) of the body of a delivery of an action. */
function standaloneSchema(action: Action): { readonly [keyword: string]: unknown } {
  const schemas = createSchemas('#/$defs/');
  const schema = schemas.use(deliverySchema(action));
  return { $schema: dialect, ...schema, $defs: schemas.named() };
}

function rendered(action: Action): Json {
  const { group, sentence } = factsOf(action);
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

/** Renders the catalogue once; returns a function that selects all of it or a part. */
export function createEventCatalogue(): (wanted: { group?: string; action?: string }) => Json {
  const entries = actionNames.map((action) => ({
    action,
    group: factsOf(action).group,
    text: rendered(action),
  }));
  return ({ group, action }) => {
    const wanted = entries.filter(
      (entry) =>
        (group === undefined || entry.group === group) && (action === undefined || entry.action === action),
    );
    return json(`{"data":${jsonArray(wanted.map(({ text }) => text))}}`);
  };
}

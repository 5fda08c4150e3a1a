import { type Action, actionNames, factsOf } from 'confab-contract/actions.ts';
import { deliverySchema } from 'confab-contract/webhook-events.ts';
import { type Json, json, jsonArray } from '../../kernel/json.ts';
import { createSchemas } from './schemas.ts';

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

/** Returns a function that selects all of the catalogue or a part. Each entry is rendered once, when it is first wanted. */
export function createEventCatalogue(): (filter: { group?: string; action?: string }) => Json {
  const texts = new Map<Action, Json>();
  const textOf = (name: Action): Json => {
    const text = texts.get(name) ?? rendered(name);
    texts.set(name, text);
    return text;
  };
  return ({ group, action }) => {
    const names = actionNames.filter(
      (name) =>
        (group === undefined || factsOf(name).group === group) && (action === undefined || name === action),
    );
    return json(`{"data":${jsonArray(names.map(textOf))}}`);
  };
}

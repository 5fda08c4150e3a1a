import { type Action, findFacts } from 'confab-contract/actions.ts';
import { deliverySchema } from 'confab-contract/webhook-events.ts';
import { validatorOf } from './contract-check.ts';

const schemas = new Map<string, object>();

function schemaOf(action: string): object | undefined {
  if (findFacts(action) === undefined) return undefined;
  const known = schemas.get(action) ?? deliverySchema(action as Action);
  schemas.set(action, known);
  return known;
}

/** The differences between the body of a delivery and the catalogue of events; empty when there are none. */
export function payloadFault(body: Uint8Array): string[] {
  const text = Buffer.from(body).toString();
  const payload = JSON.parse(text) as { action: string };
  const { action } = payload;
  const schema = schemaOf(action);
  if (schema === undefined) return [`no event is called ${action}`];
  const validate = validatorOf(schema);
  if (validate(payload) === true) return [];
  const errors = validate.errors?.map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
  return [`${action} is not as described: ${errors?.join('; ')} in ${text.slice(0, 600)}`];
}

import type { Operation } from 'confab-contract/operation.ts';
import { Problem } from 'confab-contract/problem.ts';
import { Input } from '../../kernel/input.ts';
import type { JsonBody } from './body.ts';
import { faulty, ValidationState } from './validation-state.ts';
import { valueReader } from './value-readers.ts';

type Prefer = { readonly isStrict: boolean };

/**
 * Validates a parsed body. Throws `wrong_type` (400) for a value of the wrong JSON type. Any other fault stays in the
 * `Input` until rights are checked (422).
 */
export type BodyReader = (
  body: Pick<JsonBody, 'value' | 'sources'> | undefined,
  prefer: Prefer,
) => Input<unknown>;

/** Creates the reader of an operation's body. On PATCH and PUT null clears a field; elsewhere it means absent. */
export function bodyReader(operation: Operation): BodyReader {
  const { body: schema, method, neverNull = [] } = operation;
  if (schema === undefined) throw new Error(`${operation.id} takes no body`);
  const read = valueReader(schema, { keepsNull: method === 'PATCH' || method === 'PUT', neverNull });
  const isList = (schema as { type?: unknown }).type === 'array';

  return (body, prefer) => {
    if (isList && body === undefined)
      throw new Problem('malformed_request', 'The body must be a JSON array.');
    const { value, sources } = body ?? { value: {}, sources: {} };
    const state = new ValidationState(prefer);
    const result = read(value, sources, state);
    const refusal = state.refusal();
    if (refusal !== undefined) throw refusal;
    if (state.count === 0) return Input.of(result);
    return Input.faulty(result === faulty ? undefined : result, state.broken.problem('validation_failed'));
  };
}

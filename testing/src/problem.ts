import assert from 'node:assert/strict';
import type { ProblemBody } from 'confab-contract/fields.ts';
import type { Answer } from './server.ts';

/** Fails unless the response is this problem, with a fault at each of the given pointers or parameters. */
export function assertProblem(
  answer: Pick<Answer, 'status' | 'body'>,
  status: number,
  code: string,
  ...places: readonly string[]
): void {
  const body = answer.body as ProblemBody;
  assert.equal(answer.status, status, JSON.stringify(body));
  assert.equal(body.code, code, JSON.stringify(body));
  const named = (body.errors ?? []).map((error) => error.pointer ?? error.parameter);
  for (const place of places) assert.ok(named.includes(place), `${place} is not among ${named.join(', ')}`);
}

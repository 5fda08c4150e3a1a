import { keyOperations } from 'confab-contract/keys.ts';
import { notFound } from 'confab-contract/problem.ts';
import { handler } from '../../binding/handler.ts';
import { endKeyAt, findKey } from '../credentials/keys.ts';

/** Revokes a key, also the caller's own and the last one; revoking it again changes nothing. */
export const revokeKey = handler(keyOperations.revokeKey, async ({ tx, at, params: { id } }) => {
  if ((await findKey(tx, id)) === undefined) throw notFound('key');
  await endKeyAt(tx, id, { until: at, at });
  return undefined;
});

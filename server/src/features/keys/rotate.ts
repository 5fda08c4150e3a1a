import { keyOperations, overlapSecondsDefault } from 'confab-contract/keys.ts';
import { notFound } from 'confab-contract/problem.ts';
import type { NeededScope } from 'confab-contract/scopes.ts';
import { parseTimestamp } from 'confab-contract/values/time.ts';
import { handler } from '../../binding/handler.ts';
import { json } from '../../kernel/json.ts';
import { endKeyAt, findKey } from '../credentials/keys.ts';
import { makeKey } from './create.ts';

/** Makes a key in place of another one, which ends after the overlap, or at once without one. */
export const rotateKey = handler(
  keyOperations.rotateKey,
  async ({ tx, caller, at, params: { id }, body }) => {
    const { overlap_seconds: overlapSeconds, expires_at } = body;
    const before = await findKey(tx, id);
    const isInForce =
      before !== undefined &&
      before.hint !== '' &&
      before.revokedAt === null &&
      (before.expiresAt === null || before.expiresAt > at);
    if (!isInForce) throw notFound('key');
    const key = await makeKey(
      { tx, caller, at },
      {
        name: before.name,
        scopes: before.scopes.split(',') as NeededScope[],
        expiresAt: expires_at === undefined ? before.expiresAt : parseTimestamp(expires_at),
      },
    );
    await endKeyAt(tx, id, { until: at + (overlapSeconds ?? overlapSecondsDefault) * 1000, at });
    return json(JSON.stringify(key));
  },
);

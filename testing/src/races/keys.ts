import { setTimeout as pause } from 'node:timers/promises';
import type { Caller } from './caller.ts';

/** How many requests have the same key. */
const copies = 6;
/** How long a client waits whose first request is still running, in milliseconds. */
const waitMs = 5;

/** What became of requests with idempotency keys. */
export type KeysResult = {
  readonly keys: number;
  /** Keys with another number of effects than one. */
  readonly wrong: number;
  /** Keys whose requests got different answers. */
  readonly differing: number;
};

/**
 * Sends six copies of each request at once, alternately to all nodes; each creates a comment. Without `isKeyed` they
 * have no key.
 */
export async function raceKeys(
  nodes: readonly [Caller, ...Caller[]],
  { name, keys, isKeyed }: { readonly name: string; readonly keys: number; readonly isKeyed: boolean },
): Promise<KeysResult> {
  const [first] = nodes;
  let wrong = 0;
  let differing = 0;
  for (let n = 0; n < keys; n += 1) {
    const app = `${name}-${n}`;
    await first('POST', '/api/apps', { uid: app, type: 'comments' });
    const ids = await Promise.all(
      Array.from({ length: copies }, async (_, copy) => {
        const call = nodes[copy % nodes.length] ?? first;
        const path = `/api/apps/${app}/comments`;
        for (;;) {
          const headers = isKeyed ? { 'idempotency-key': app } : {};
          const { status, body } = await call('POST', path, { text: 'once' }, headers);
          if (status === 201) return body.id;
          if (status !== 409) throw new Error(`POST ${path} answered ${status}`);
          await pause(waitMs);
        }
      }),
    );
    const { body } = await first('GET', `/api/apps/${app}/comments?count_only=true`);
    if (body.count !== 1) wrong += 1;
    if (new Set(ids).size !== 1) differing += 1;
  }
  return { keys, wrong, differing };
}

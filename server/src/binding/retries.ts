import { Problem } from 'confab-contract/problem.ts';
import type { Db, Tx } from '../db/db.ts';
import { insertKeptAnswer, keptAnswerOf } from '../db/kept-answers.ts';
import type { Answer } from '../http/answers/answer.ts';
import type { IdempotencyKey } from '../http/answers/idempotency-key.ts';
import type { Clock } from '../kernel/clock.ts';
import { json } from '../kernel/json.ts';
import type { Principal } from '../kernel/principal.ts';

/**
 * Requests with an `Idempotency-Key` change something once, however often they arrive (decision 0061). The answer is kept
 * in the transaction of the change, so both are there or neither is, and every retry gets it.
 *
 * On one node, a request that arrives while another with its key runs is refused. Of two nodes that run it at the same
 * time, one commits; the other cannot keep a second answer for the key, or is refused for what the first has changed. Both
 * roll it back, and it then finds the answer of the first.
 */

/** Keeps an answer for the retries of its request, in the transaction of the change. */
export type Keep = (tx: Tx, answer: Answer) => Promise<void>;

/** A request with a key, and who sent it. */
type KeyedCall = { readonly principal: Principal; readonly idempotencyKey: IdempotencyKey };

/** Runs requests that have a key. */
export type Retries = {
  /**
   * Runs `work`, which passes its answer to `keep`, or returns the answer that is kept. Throws `idempotency_key_in_use`
   * and `idempotency_key_reused`.
   */
  once<T>(call: KeyedCall, work: (keep: Keep) => Promise<T>): Promise<T | Answer>;
};

/** Creates what runs requests that have a key on this node. */
export function createRetries({ db, clock }: { readonly db: Db; readonly clock: Clock }): Retries {
  /** The fingerprints of the requests that run, by caller and key. */
  const running = new Map<string, Uint8Array>();

  return {
    async once({ principal, idempotencyKey: { key, fingerprint } }, work) {
      const retryKey = { userId: principal.user.id, apiKeyId: principal.apiKeyId ?? 0, key };
      const name = `${retryKey.userId} ${retryKey.apiKeyId} ${key}`;
      const other = running.get(name);
      if (other !== undefined) {
        assertSame(other, fingerprint);
        throw new Problem('idempotency_key_in_use', 'The first request with this key is still running.');
      }
      const find = async (): Promise<Answer | undefined> => {
        const stored = await db.read.get(keptAnswerOf, retryKey);
        if (stored === undefined) return undefined;
        assertSame(stored.fingerprint, fingerprint);
        const { status, body } = stored;
        const headers = { 'idempotent-replayed': 'true' };
        return body === null ? { status, headers } : { status, headers, body: json(body) };
      };
      const keep: Keep = async (tx, { status, headers, body = null }) => {
        if (headers !== undefined || (body !== null && typeof body !== 'string'))
          throw new TypeError('only a status and JSON can be kept');
        await tx.insert(insertKeptAnswer, { ...retryKey, fingerprint, status, createdAt: clock.now(), body });
      };
      running.set(name, fingerprint);
      try {
        return (await find()) ?? (await work(keep).catch(async (error) => (await find()) ?? refuse(error)));
      } finally {
        running.delete(name);
      }
    },
  };
}

function refuse(error: unknown): never {
  throw error;
}

function assertSame(one: Uint8Array, other: Uint8Array): void {
  if (Buffer.compare(one, other) !== 0)
    throw new Problem('idempotency_key_reused', 'This key has come with another request.');
}

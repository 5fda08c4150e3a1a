import type { Principal } from '../../kernel/principal.ts';
import { addressId, type RateLimits, rateLimited } from '../../kernel/rate-limits.ts';
import { hashText } from '../../kernel/text-hash.ts';
import { UnknownCredential } from './refusals.ts';

/**
 * Limits how many credentials a client can guess. Each unknown credential counts once for its address, so a page that
 * repeats a revoked token does not count as guessing; expired tokens do not count either. At the limit, only credentials
 * that have recently worked on this node are looked up for the address; all others are refused without a look-up.
 */

/** The most hashes of a generation; two generations are kept. */
const generationMax = 10_000;

/** A set that forgets what was added long ago. */
class Recent {
  #young = new Set<number>();
  #old = new Set<number>();

  has(value: number): boolean {
    return this.#young.has(value) || this.#old.has(value);
  }

  add(value: number): void {
    if (this.#young.has(value)) return;
    if (this.#young.size >= generationMax) {
      this.#old = this.#young;
      this.#young = new Set();
    }
    this.#young.add(value);
  }
}

type Credentials = { readonly authorization: string | undefined; readonly session?: string | undefined };

/** Limits what `authenticate` looks up for the address of a client. Throws `rate_limited` beyond it. */
export function limitGuesses<C extends Credentials>(
  authenticate: (credentials: C) => Promise<Principal>,
  limits: RateLimits,
): (credentials: C & { readonly address?: string | undefined }) => Promise<Principal> {
  const worked = new Recent();
  const failed = new Recent();
  return async (credentials) => {
    const { address } = credentials;
    const credential = credentials.authorization ?? credentials.session;
    if (address === undefined || credential === undefined) return await authenticate(credentials);
    const id = addressId(address);
    const hash = hashText(credential);
    const state = limits.peek('address', id, 'credential');
    if (state?.isRefused === true && !worked.has(hash)) throw rateLimited(state);
    try {
      const principal = await authenticate(credentials);
      worked.add(hash);
      return principal;
    } catch (error) {
      if (!(error instanceof UnknownCredential)) throw error;
      const attempt = hashText(`${id} ${credential}`);
      if (failed.has(attempt)) throw error;
      failed.add(attempt);
      const usage = await limits.take('address', id, 'credential');
      throw usage?.isRefused === true ? rateLimited(usage) : error;
    }
  };
}

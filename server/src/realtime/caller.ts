import { Problem } from 'confab-contract/problem.ts';
import type { HttpRequest, Prove } from '../http/request.ts';
import { allOf } from '../kernel/all-of.ts';
import type { Principal } from '../kernel/principal.ts';
import type { FormOfConnection } from './forms.ts';

/**
 * The user who opens a live connection, and what checks their credential again later. As long as it succeeds the user is
 * the same, so connections are counted by the id of `principal.user` from their first to their last byte.
 */
export type LiveCaller = { readonly principal: Principal; readonly prove: Prove };

/** The user who opens a connection of the hub, and its form. */
export type HubCaller = LiveCaller & FormOfConnection;

/** The caller of a request that opens a live connection with a credential. */
export function liveCaller({
  caller: principal,
  raw: { prove },
}: {
  readonly caller: Principal;
  readonly raw: Pick<HttpRequest, 'prove'>;
}): LiveCaller {
  if (prove === undefined) throw new Error('a live connection of a user has no credential');
  return { principal, prove };
}

/** How many credentials are checked at a time: as many as PostgreSQL looks up in one statement (`db/postgres/gatherer.ts`). */
const provedTogetherMax = 256;

/**
 * Checks the credentials of live connections again, many with one statement. Calls `hold` with the user of each as they are
 * now, and `end` where the credential has ended. Throws what the store throws once every check of its kind has ended.
 */
export async function proveAll<C extends { readonly prove: Prove }>(
  all: readonly C[],
  { hold, end }: { hold: (one: C, principal: Principal) => void; end: (one: C) => void },
): Promise<void> {
  const proveOne = async (one: C) => {
    try {
      hold(one, await one.prove());
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'storage_unavailable') throw error;
      // Nothing was refused, as where an identity provider does not answer: the next round asks again.
      if (error.status >= 500) return;
      end(one);
    }
  };
  for (let from = 0; from < all.length; from += provedTogetherMax)
    await allOf(all.slice(from, from + provedTogetherMax).map(proveOne));
}

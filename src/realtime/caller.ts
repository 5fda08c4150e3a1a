import { authorizationOf } from '../http/connection.ts';
import type { Http } from '../http/server.ts';
import type { Principal } from '../kernel/principal.ts';

/** The user who opens a live connection, with what authenticates them again later. */
export type LiveCaller = {
  readonly principal: Principal;
  readonly authorization: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly session?: string | undefined;
};

type Raw = Parameters<Parameters<Http['page']>[1]>[1];

/** The caller of a request that opens a live connection. */
export function liveCaller({ caller, raw }: { readonly caller: Principal; readonly raw: Raw }): LiveCaller {
  const onBehalfOf = raw.headers['x-confab-user'];
  return {
    principal: caller,
    authorization: authorizationOf(raw.raw, { takesTokenInQuery: true }),
    onBehalfOf: Array.isArray(onBehalfOf) ? onBehalfOf[0] : onBehalfOf,
    session: raw.credential?.session,
  };
}

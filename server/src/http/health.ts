import { Problem } from 'confab-contract/problem.ts';
import type { Json } from '../kernel/json.ts';
import { json } from '../kernel/json.ts';
import { authorizationOf } from './connection.ts';
import { freeBytesOf } from './limits/room.ts';
import type { Authenticate, HttpRequest } from './request.ts';
import type { Http } from './server.ts';

/** The state of one component: whether the server can be ready with it, and figures about it. Never a secret. */
export type State = { readonly ok: boolean; readonly [figure: string]: boolean | number | string };

/** Checks one component. A check that throws counts as not ok; its error is not exposed. */
export type Check = () => Promise<State>;

/**
 * Serves the health endpoints. `/healthz` returns 200 as long as the process can respond, so that a supervisor restarts
 * it otherwise. `/readyz` returns 503 while a check is not ok, so that a load balancer sends requests elsewhere. Only
 * callers with an API key see the results of the checks; a wrong credential is 401.
 */
export function bindHealth(
  http: Http,
  {
    version,
    checks,
    authenticate,
  }: { version: string; checks: { readonly [name: string]: Check }; authenticate: Authenticate },
): void {
  http.page('/healthz', async () => answer(200, { status: 'ok', version }));
  async function hasKey(raw: HttpRequest): Promise<boolean> {
    const authorization = authorizationOf(raw.raw, { takesTokenInQuery: false });
    if (authorization === undefined) return false;
    try {
      const address = raw.clientAddress;
      return (await authenticate({ authorization, onBehalfOf: undefined, address })).kind === 'key';
    } catch (error) {
      if (error instanceof Problem && error.status < 500) throw error;
      // If the store cannot look up the key, report that it is not ready.
      return false;
    }
  }

  http.page('/readyz', async (_params, raw) => {
    const isDetailed = await hasKey(raw);
    const states = await statesOf(checks);
    const isReady = states.every(([, { ok }]) => ok);
    const state = {
      status: isReady ? 'ready' : 'not ready',
      ...(isDetailed ? { checks: Object.fromEntries(states) } : {}),
    };
    return answer(isReady ? 200 : 503, state);
  });
}

function answer(status: number, state: object) {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    ...(status === 503 ? { 'retry-after': '5' } : {}),
  };
  const body: Json = json(`${JSON.stringify(state)}\n`);
  return { status, headers, body };
}

/** The results of checks, in their order. */
export async function statesOf(
  checks: Readonly<Record<string, Check>>,
): Promise<readonly (readonly [name: string, state: State])[]> {
  return await Promise.all(
    Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
  );
}

async function stateOf(check: Check): Promise<State> {
  try {
    return await check();
  } catch {
    return { ok: false, detail: 'cannot be found out' };
  }
}

/** Whether the disk of `folder` has at least `freeBytesMin` bytes available to unprivileged users. */
export function diskCheck(folder: string, freeBytesMin: number): Check {
  return async () => {
    const freeBytes = await freeBytesOf(folder);
    return { ok: freeBytes >= freeBytesMin, free_bytes: freeBytes, free_bytes_min: freeBytesMin };
  };
}

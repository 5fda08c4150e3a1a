import { statfs } from 'node:fs/promises';
import type { FastifyRequest } from 'fastify';
import type { Json } from '../kernel/json.ts';
import { json } from '../kernel/json.ts';
import { Problem } from '../kernel/problem.ts';
import { authorizationOf } from './connection.ts';
import type { Authenticate, Http } from './server.ts';

/** The state of one part: whether it keeps the server from being ready, and figures about it. Never a secret. */
export type State = { readonly ok: boolean; readonly [figure: string]: boolean | number | string };

/** Finds out the state of one part. One that throws counts as not ok; what it threw is told to nobody. */
export type Check = () => Promise<State>;

/**
 * Serves the state of the server to what watches it. `/healthz` answers 200 as long as the process can answer at all: a
 * supervisor restarts on its silence. `/readyz` answers 503 while one of the checks is not ok: a balancer then sends
 * requests elsewhere. Which check it is, and the figures of all of them, are for callers with an API key; a wrong credential
 * is 401.
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
  async function hasKey(raw: FastifyRequest): Promise<boolean> {
    const authorization = authorizationOf(raw.raw, { takesTokenInQuery: false });
    if (authorization === undefined) return false;
    try {
      return (await authenticate({ authorization, onBehalfOf: undefined })).kind === 'key';
    } catch (error) {
      if (error instanceof Problem && error.status === 401) throw error;
      // A store that cannot be asked for the key is what the answer is about.
      return false;
    }
  }

  http.page('/readyz', async (_params, raw) => {
    const isDetailed = await hasKey(raw);
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
    );
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

async function stateOf(check: Check): Promise<State> {
  try {
    return await check();
  } catch {
    return { ok: false, detail: 'cannot be found out' };
  }
}

/** Whether the disk below `folder` has at least `freeBytesMin` bytes for who is not the superuser. */
export function diskCheck(folder: string, freeBytesMin: number): Check {
  return async () => {
    const { bavail, bsize } = await statfs(folder);
    const freeBytes = bavail * bsize;
    return { ok: freeBytes >= freeBytesMin, free_bytes: freeBytes, free_bytes_min: freeBytesMin };
  };
}

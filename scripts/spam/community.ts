import { configFrom } from '../../src/config/config.ts';
import type { Db } from '../../src/db/db.ts';
import { type Running, startServer } from '../../src/main/main.ts';
import { send } from '../../test/support/client.ts';
import { HeldClock } from '../differential/clock.ts';
import { freshKey } from '../harness/confab-process.ts';

/** A server with a clock of its own, and the accounts that write to it. */

/** The response to a request. */
export type Reply = { readonly status: number; readonly body: { readonly [field: string]: unknown } };

/** A community on a fresh server, at a time that the run moves. */
export type Community = {
  readonly clock: HeldClock;
  call(method: string, path: string, body?: unknown, as?: string): Promise<Reply>;
  close(): Promise<void>;
};

/** Starts a server in this process. `settings` are variables of the environment. */
export async function startCommunity(
  folder: string,
  {
    settings = {},
    wrapDb,
  }: { readonly settings?: Record<string, string>; readonly wrapDb?: (db: Db) => Db } = {},
): Promise<Community> {
  const clock = new HeldClock(Date.parse('2026-11-21T08:00:00Z'));
  const key = freshKey();
  const environment = {
    CONFAB_PORT: '0',
    CONFAB_API_KEY: key,
    CONFAB_DATA_DIR: folder,
    CONFAB_LOG_LEVEL: 'silent',
    ...settings,
  };
  const running: Running = await startServer(configFrom(environment), {
    clock,
    ...(wrapDb === undefined ? {} : { wrapDb }),
  });
  return {
    clock,
    async call(method, path, body, as = key) {
      const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
      const { status, text } = await send(running.url + path, {
        method,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status, body: text === '' ? {} : JSON.parse(text) };
    },
    close: () => running.close(),
  };
}

/** Sends a request that must succeed, and returns the body of the response. */
export async function must(
  { call }: Community,
  ...request: Parameters<Community['call']>
): Promise<Reply['body']> {
  const { status, body } = await call(...request);
  if (status >= 300) throw new Error(`${request[0]} ${request[1]} is ${status}: ${JSON.stringify(body)}`);
  return body;
}

import type { Db } from 'confab-server/src/db/db.ts';
import { send } from 'confab-testing/client.ts';
import type { Answer, Body, Sender } from 'confab-testing/harness/client.ts';
import { HeldClock } from 'confab-testing/harness/held-clock.ts';
import { startLocal } from 'confab-testing/harness/local-server.ts';

/** A server with a clock of its own, and the accounts that write to it. */

/** A community on a fresh server, at a time that the run moves. At the end of a scope with `await using` it is closed. */
export type Community = Sender &
  AsyncDisposable & {
    readonly clock: HeldClock;
    call(method: string, path: string, body?: unknown, as?: string): Promise<Answer>;
  };

/** Starts a server in this process, with the rates that it has by default. `settings` are variables of the environment. */
export async function startCommunity(
  folder: string,
  {
    settings = {},
    wrapDb,
  }: { readonly settings?: Record<string, string>; readonly wrapDb?: (db: Db) => Db } = {},
): Promise<Community> {
  const clock = new HeldClock(Date.parse('2026-11-21T08:00:00Z'));
  const parts = { clock, ...(wrapDb === undefined ? {} : { wrapDb }) };
  const server = await startLocal({ folder, settings, parts, hasDefaultRates: true });
  async function call(method: string, path: string, body?: unknown, as = server.key): Promise<Answer> {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/json' };
    const { status, text } = await send(server.url + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status, body: text === '' ? {} : (JSON.parse(text) as Body) };
  }
  return {
    clock,
    call,
    async must(...[method, path, body, as]) {
      const answer = await call(method, path, body, as);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path} is ${answer.status}: ${JSON.stringify(answer.body)}`);
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

import type { TestContext } from 'node:test';
import { clientLimits } from 'confab-server/src/http/limits/client-limits.ts';
import { createServer, type Http } from 'confab-server/src/http/server.ts';
import { systemClock } from 'confab-server/src/kernel/clock.ts';
import type { Log } from 'confab-server/src/kernel/log.ts';

/** Serves the pages that `bind` adds, without a store behind them, until the end of the test; returns the address. */
export async function servePages(t: TestContext, log: Log, bind: (http: Http) => void): Promise<string> {
  const http = createServer({
    authenticate: () => Promise.reject(new Error('these pages are for everyone')),
    clock: systemClock,
    log,
    publicUrl: () => 'http://localhost',
    origins: () => [],
    limits: clientLimits,
    changes: { catchUp: () => undefined, moment: () => 0, hasChanged: () => true },
    rateLimits: { take: () => undefined, takeNow: () => undefined, peek: () => undefined },
    bans: { assertFree: () => undefined },
    addressOf: () => undefined,
    room: { look: async () => undefined, check: () => undefined },
  });
  bind(http);
  http.complete();
  const { port } = await http.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => http.close());
  return `http://127.0.0.1:${port}`;
}

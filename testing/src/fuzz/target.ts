import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'confab-server/src/db/db.ts';
import { Pool } from 'undici';
import { answerFrom } from '../differential/receiver.ts';
import type { Answer, Request, Servers } from '../differential/servers.ts';
import { textFor } from '../differential/twins.ts';
import { startLocal } from '../harness/local-server.ts';
import type { Random } from '../harness/random.ts';
import { startReceiver } from '../harness/receiver.ts';
import { temporaryFolder } from '../harness/suite.ts';
import { startCluster } from '../stores/postgres.ts';
import { faultsOf } from './judge.ts';
import { mutated, type Sent } from './mutations.ts';

/** The engine of a server under test. */
export type Engine = 'sqlite' | 'postgres';

/** A request whose response is wrong, and how. */
export type Fault = { readonly sent: Sent; readonly what: string };

/** What was sent to a server, and what came back. */
export type Tally = {
  requests: number;
  mutated: number;
  readonly byStatus: Map<number, number>;
  readonly faults: Fault[];
};

/** A server under test, with what sends to it and judges what comes back. */
export type Target = {
  /** The server as both sides of a run: each request goes to it once, beside changed copies of it. */
  readonly servers: Servers;
  readonly tally: Tally;
  /** The version of the engine. */
  readonly kind: string;
};

/** How long a response may take. Statements of lists end after 5 seconds, and a machine may be busy. */
const patienceMs = 30_000;
/** The most changed copies that are sent with a request, at the same time. */
const copiesMax = 5;
/** How many connections there are: one for a request and one for each of its copies. */
const connections = copiesMax + 1;

/** Starts a server on a fresh store. `wrapDb` plants a mistake in it. */
export async function startTarget({
  engine,
  random,
  wrapDb = (db) => db,
}: {
  readonly engine: Engine;
  readonly random: Random;
  readonly wrapDb?: (db: Db) => Db;
}): Promise<Target> {
  const folder = temporaryFolder('fuzz');
  const receiver = await startReceiver(answerFrom);
  const cluster = engine === 'postgres' ? await startCluster() : undefined;
  const logged: string[] = [];
  const running = await startLocal({
    folder: folder.path,
    settings: {
      CONFAB_LOG_LEVEL: 'error',
      CONFAB_EGRESS_ALLOW: '127.0.0.0/8',
      ...(cluster === undefined ? {} : { CONFAB_DATABASE_URL: await cluster.createDatabase('fuzz') }),
    },
    parts: { logTo: { write: (line: string) => void logged.push(line) }, wrapDb },
  });
  const pool = new Pool(running.url, { connections, pipelining: 1 });
  const tally: Tally = { requests: 0, mutated: 0, byStatus: new Map(), faults: [] };

  async function sendOne(sent: Sent): Promise<Answer> {
    const { method, path, headers, body } = sent;
    try {
      const answer = await pool.request({
        method: method as 'GET',
        path,
        headers,
        signal: AbortSignal.timeout(patienceMs),
        ...(body === undefined ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      const received = { status: answer.statusCode, headers: answer.headers, bytes };
      tally.byStatus.set(received.status, (tally.byStatus.get(received.status) ?? 0) + 1);
      for (const what of faultsOf(sent, received, folder.path)) tally.faults.push({ sent, what });
      return received;
    } catch (error) {
      tally.faults.push({ sent, what: `no response: ${error}` });
      return { status: 0, headers: {}, bytes: Buffer.from('{}') };
    } finally {
      tally.requests += 1;
    }
  }

  const servers: Servers = {
    key: running.key,
    receiver,
    urls: { left: running.url, right: running.url },
    kind: cluster?.kind ?? 'SQLite',
    logged,
    async send(request) {
      const sent = sentOf(request);
      const copies = Array.from({ length: random.integer(0, copiesMax) }, () => mutated(sent, random));
      tally.mutated += copies.length;
      const [answer] = await Promise.all([sent, ...copies].map(sendOne));
      if (answer === undefined) throw new Error('nothing was sent');
      return { left: answer, right: answer };
    },
    settle: async () => undefined,
    // Deferred work goes on beside the requests, which come as fast as they are answered.
    passTime: async () => await pause(0),
    async stop() {
      await pool.destroy();
      await running.close();
      receiver.close();
      await cluster?.stop();
      folder[Symbol.dispose]();
    },
  };
  return { servers, tally, kind: servers.kind };
}

/** A request for one server. */
function sentOf({ method, path, headers, body }: Request): Sent {
  const content = body?.('left');
  return {
    method,
    path: textFor(path, 'left'),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, textFor(value, 'left')]),
    ),
    body: content === undefined ? undefined : Buffer.from(content as string),
  };
}

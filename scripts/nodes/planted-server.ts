/**
 * A node with a bug that `npm run test:nodes` must find; nothing else starts it. The argument names the bug.
 */

import pg from 'pg';
import { readConfig } from '../../src/config.ts';
import type { Db, Read } from '../../src/db/db.ts';
import { compile } from '../../src/db/statement.ts';
import { type Parts, startServer } from '../../src/main.ts';
import { facade } from '../harness/store-facade.ts';

/** How long an answer of the store is taken for the present one. */
const staleMs = 20;

/** Begins groups of writes with other words. */
function beginWith(words: string): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, first: unknown, ...rest: unknown[]) {
    const isBegin = typeof first === 'string' && first.startsWith('begin') && first.includes('from log_head');
    return query.call(this, isBegin ? words : first, ...rest);
  } as typeof pg.Client.prototype.query;
}

/** Answers reads with what the same statement answered a moment ago. */
function remembersReads(db: Db): Db {
  const known = new Map<string, { at: number; value: unknown }>();
  async function remembered<T>(key: string, read: () => Promise<T>): Promise<T> {
    const found = known.get(key);
    if (found !== undefined && performance.now() - found.at < staleMs) return found.value as T;
    const value = await read();
    known.set(key, { at: performance.now(), value });
    return value;
  }
  const read: Read = {
    get: (query, parameters) =>
      remembered(`1 ${compile(query, 'postgres').sql} ${JSON.stringify(parameters)}`, () =>
        db.read.get(query, parameters),
      ),
    all: (query, parameters) => db.read.all(query, parameters),
  };
  return { ...facade(db), read, readForList: async () => read };
}

const bugs: { readonly [name: string]: { readonly begin?: string; readonly parts?: Parts } } = {
  // Groups do not follow each other: the ids of events are not in the order of their commits.
  'unlocked-head': { begin: 'begin' },
  // A commit is answered before it is on the disk.
  'async-commit': {
    begin: 'begin; set local synchronous_commit = off; select id from log_head where id = 1 for update',
  },
  'stale-reads': { parts: { wrapDb: remembersReads } },
};

const [bug = ''] = process.argv.slice(2);
const planted = bugs[bug];
if (planted === undefined) throw new Error(`no such bug: ${bug}`);
if (planted.begin !== undefined) beginWith(planted.begin);
const running = await startServer(readConfig(), planted.parts);
process.stdout.write(`A server with the bug ${bug} listens on ${running.url}\n`);
process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));

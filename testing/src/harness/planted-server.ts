/**
 * A server with something planted in it, for the scripts only: a bug that they must find, or a clock that is put
 * forward. The arguments name what is planted and, for the clock, the file with its offset.
 */

import { existsSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from 'confab-server/src/config/config.ts';
import type { Db, Read, Tx } from 'confab-server/src/db/db.ts';
import { compile } from 'confab-server/src/db/statement.ts';
import { parts } from 'confab-server/src/features/erasures/parts.ts';
import { type Parts, startServer } from 'confab-server/src/main/main.ts';
import pg from 'pg';
import { answersEarly, insertsInto, wrapStore } from './store-wrapper.ts';

/** How long a stale result of the store counts as current. */
const staleMs = 20;
/** How often the file with the offset of the clock is read. */
const lookMs = 20;

const [what = '', file = ''] = process.argv.slice(2);

/** Writes the rows of a table, such as events, in separate transactions, after those of the changes. */
const writesApart =
  (table: string) =>
  (db: Db): Db => {
    return {
      ...wrapStore(db, {}),
      async write(work) {
        const apart: ((tx: Tx) => Promise<unknown>)[] = [];
        const value = await db.write(async (tx) => {
          const insert: Tx['insert'] = async (command, parameters) => {
            if (!insertsInto(command, table)) return await tx.insert(command, parameters);
            apart.push((later) => later.insert(command, parameters));
            return 0;
          };
          // The deliveries of an event are deferred, with its id.
          const defer: Tx['defer'] = (then, item) => {
            const isOfEvent = typeof item === 'object' && item !== null && 'eventId' in item;
            if (table !== 'events' || !isOfEvent) tx.defer(then, item);
          };
          return await work({ ...tx, insert, defer });
        });
        for (const each of apart) await db.write(each);
        return value;
      },
    };
  };

/** Turns off syncing once the server runs, so that the operating system decides when commits reach the disk. */
function relaxSync(): void {
  const { exec } = DatabaseSync.prototype;
  DatabaseSync.prototype.exec = function (sql: string) {
    if (sql === 'begin immediate') exec.call(this, 'pragma synchronous = normal');
    exec.call(this, sql);
  };
}

/** Leaves the names of uploads to the operating system: folders are not synced, files are. */
async function relaxNames(): Promise<void> {
  const file = await open(process.execPath);
  const prototype = Object.getPrototypeOf(file) as typeof file;
  await file.close();
  const { sync } = prototype;
  prototype.sync = async function () {
    if ((await this.stat()).isFile()) await sync.call(this);
  };
}

type Send = (this: pg.Client, query: unknown, ...rest: unknown[]) => unknown;

/** Wraps the function that sends every query to PostgreSQL. */
function intercept(instead: (send: Send) => Send): void {
  const { prototype } = pg.Client as unknown as { prototype: { query: Send } };
  prototype.query = instead(prototype.query);
}

/** Replaces each command that begins with `start`. */
function replaceCommand(start: string, words: string): void {
  intercept(
    (send) =>
      function (query, ...rest) {
        return send.call(this, typeof query === 'string' && query.startsWith(start) ? words : query, ...rest);
      },
  );
}

/** Answers a query that is sent again with its first result. */
function asksOnce(): void {
  const known = new WeakMap<object, unknown>();
  intercept(
    (send) =>
      function (query, ...rest) {
        if (typeof query !== 'object' || query === null) return send.call(this, query, ...rest);
        const answer = known.get(query) ?? send.call(this, query, ...rest);
        known.set(query, answer);
        return answer;
      },
  );
}

/** Answers reads with the earlier result of the same statement. */
function remembersReads(db: Db): Db {
  const known = new Map<string, { at: number; value: unknown }>();
  async function remembered<T>(key: string, read: () => Promise<T>): Promise<T> {
    const found = known.get(key);
    if (found !== undefined && performance.now() - found.at < staleMs) return found.value as T;
    const value = await read();
    known.set(key, { at: performance.now(), value });
    return value;
  }
  const read = (plain: Read): Read => ({
    all: (query, parameters) => plain.all(query, parameters),
    get: (query, parameters) =>
      remembered(`${compile(query, 'postgres').sql} ${JSON.stringify(parameters)}`, () =>
        plain.get(query, parameters),
      ),
  });
  return wrapStore(db, { read });
}

/** Puts the clock forward by the milliseconds in the file, so that days between attempts pass at once. */
function hurries(): Parts {
  const forwardMs = (): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
  let offsetMs = forwardMs();
  setInterval(() => {
    offsetMs = forwardMs();
  }, lookMs).unref();
  return { clock: { now: () => Date.now() + offsetMs } };
}

/** The actions before and after the start of the server, and the parts it starts with. */
type Plant = {
  readonly before?: () => void | Promise<void>;
  readonly after?: () => void;
  readonly parts?: () => Parts;
};

/** Makes a part of erasures do nothing. */
function forgetsPart(): void {
  const part = parts.find(({ name }) => name === file);
  if (part === undefined) throw new Error(`an erasure has no part ${file}`);
  Object.assign(part, { run: async () => ({ counts: {}, hasMore: false }), change: async () => ({}) });
}

const plants: { readonly [name: string]: Plant } = {
  'early-answer': { parts: () => ({ wrapDb: answersEarly }) },
  'event-apart': { parts: () => ({ wrapDb: writesApart('events') }) },
  'kept-apart': { parts: () => ({ wrapDb: writesApart('kept_answers') }) },
  'relaxed-sync': { after: relaxSync },
  'unsynced-names': { before: relaxNames },
  // Groups run concurrently, so the ids of events are not in the order of their commits.
  'unlocked-head': { before: () => replaceCommand('select id from log_head', 'select 1') },
  // What a group read before its turn is not read again behind the lock.
  'read-ahead': { before: asksOnce },
  // The response to a commit is sent before it is on the disk.
  'async-commit': { before: () => replaceCommand('begin', 'begin; set local synchronous_commit = off') },
  'stale-reads': { parts: () => ({ wrapDb: remembersReads }) },
  // An erasure leaves out a part of its work, which the argument names.
  'erase-forgets': { before: forgetsPart },
  hurry: { parts: hurries },
};

const plant = plants[what];
if (plant === undefined) throw new Error(`there is no ${what} to plant`);
await plant.before?.();
const running = await startServer(readSettings().config, plant.parts?.());
plant.after?.();
process.stdout.write(`A server with ${what} listens on ${running.url}\n`);
process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));

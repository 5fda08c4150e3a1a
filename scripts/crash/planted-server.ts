/**
 * A server with a bug that the crash run must find; nothing but `npm run test:crash` starts it. The argument names
 * the bug.
 */

import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../../src/config.ts';
import type { Db, Tx } from '../../src/db/db.ts';
import { compile, type Statement } from '../../src/db/statement.ts';
import { type Parts, startServer } from '../../src/main.ts';
import { facade } from '../harness/store-facade.ts';

/** Answers as soon as the transaction has done its work, before the group it is in is committed. */
function answersEarly(db: Db): Db {
  return {
    ...facade(db),
    write: (work) =>
      new Promise((resolve, reject) => {
        db.write(async (tx) => {
          const value = await work(tx);
          resolve(value);
          return value;
        }).catch(reject);
      }),
  };
}

/** Writes the event of a change in a transaction of its own, after that of the change. */
function writesEventsApart(db: Db): Db {
  return {
    ...facade(db),
    async write(work) {
      const events: ((tx: Tx) => Promise<unknown>)[] = [];
      const value = await db.write(async (tx) => {
        const insert: Tx['insert'] = async (command, parameters) => {
          if (!writesTo(command, 'events')) return await tx.insert(command, parameters);
          events.push((later) => later.insert(command, parameters));
          return 0;
        };
        // What webhooks are told is put off, with the id of its event.
        const later: Tx['later'] = (then, item) => {
          if (!isAboutEvent(item)) tx.later(then, item);
        };
        return await work({ ...tx, insert, later });
      });
      for (const event of events) void db.write(event);
      return value;
    },
  };
}

function isAboutEvent(item: unknown): boolean {
  return typeof item === 'object' && item !== null && 'eventId' in item;
}

function writesTo(statement: Statement<unknown>, table: string): boolean {
  return compile(statement, 'sqlite').sql.startsWith(`insert into "${table}"`);
}

/** From here on commits are left to the operating system, which writes them when it likes. */
function relaxSync(): void {
  const exec = DatabaseSync.prototype.exec;
  DatabaseSync.prototype.exec = function (sql: string) {
    if (sql === 'begin immediate') exec.call(this, 'pragma synchronous = normal');
    exec.call(this, sql);
  };
}

const bugs: { readonly [name: string]: Parts } = {
  'early-answer': { wrapDb: answersEarly },
  'event-apart': { wrapDb: writesEventsApart },
  'relaxed-sync': {},
};

const [bug = ''] = process.argv.slice(2);
const parts = bugs[bug];
if (parts === undefined) throw new Error(`no such bug: ${bug}`);
const running = await startServer(readConfig(), parts);
if (bug === 'relaxed-sync') relaxSync();
process.stdout.write(`A server with the bug ${bug} listens on ${running.url}\n`);
process.once('SIGTERM', () => void running.close().then(() => process.exit(0)));

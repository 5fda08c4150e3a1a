import type { Db, Read, Tx } from 'confab-server/src/db/db.ts';
import { compile, type Statement } from 'confab-server/src/db/statement.ts';

/** Wrappers of the parts of a store; a part without one stays unchanged. */
export type Wrapping = {
  readonly read?: (read: Read) => Read;
  readonly tx?: (tx: Tx) => Tx;
  readonly write?: <T>(written: Promise<T>) => Promise<T>;
};

/** A store that wraps another. */
export function wrapStore(db: Db, { read = same, tx = same, write = same }: Wrapping): Db {
  return {
    read: read(db.read),
    readForList: async () => read(await db.readForList()),
    readLong: (asked, work) => db.readLong(asked, (plain) => work(read(plain))),
    write: (work, kind) => write(db.write((plain) => work(tx(plain)), kind)),
    onCommit: (topic, listener) => db.onCommit(topic, listener),
    listenToPeers: () => db.listenToPeers(),
    ...(db.peers === undefined ? {} : { peers: db.peers }),
    ...(db.replica === undefined ? {} : { replica: db.replica }),
    forgetDeleted: () => db.forgetDeleted(),
    health: () => db.health(),
    close: () => db.close(),
  };
}

function same<T>(plain: T): T {
  return plain;
}

/** Responds as soon as the transaction has done its work, before its group is committed: a bug to plant. */
export function answersEarly(db: Db): Db {
  return {
    ...wrapStore(db, {}),
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

/** Whether a statement inserts into a table. */
export function insertsInto(statement: Statement<unknown>, table: string): boolean {
  return compile(statement, 'sqlite').sql.startsWith(`insert into "${table}"`);
}

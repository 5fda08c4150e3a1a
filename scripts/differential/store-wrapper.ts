import type { Db, Read, Tx } from '../../src/db/db.ts';

/** What is put around the parts of a store; what is left out stays as it is. */
export type Wrapping = {
  readonly read?: (read: Read) => Read;
  readonly tx?: (tx: Tx) => Tx;
  readonly write?: <T>(written: Promise<T>) => Promise<T>;
};

/** A store that does what another does, with something around it. */
export function wrapStore(db: Db, { read, tx, write }: Wrapping): Db {
  const readOf = read ?? ((plain: Read) => plain);
  return {
    read: readOf(db.read),
    readForList: async () => readOf(await db.readForList()),
    async write(work, kind) {
      const written = db.write(tx === undefined ? work : (plain) => work(tx(plain)), kind);
      return await (write === undefined ? written : write(written));
    },
    onCommit: (topic, listener) => db.onCommit(topic, listener),
    hearOthers: () => db.hearOthers(),
    ...(db.others === undefined ? {} : { others: db.others }),
    ...(db.replica === undefined ? {} : { replica: db.replica }),
    health: () => db.health(),
    close: () => db.close(),
  };
}

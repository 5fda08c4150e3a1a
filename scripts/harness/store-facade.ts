import type { Db } from '../../src/db/db.ts';

/** The store with its functions bound, to be spread by whoever replaces some of them. */
export function facade(db: Db): Db {
  return {
    read: db.read,
    readForList: () => db.readForList(),
    write: (work, kind) => db.write(work, kind),
    onCommit: (topic, listener) => db.onCommit(topic, listener),
    hearOthers: () => db.hearOthers(),
    ...(db.others === undefined ? {} : { others: db.others }),
    health: () => db.health(),
    close: () => db.close(),
  };
}

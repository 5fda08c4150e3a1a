import type { Db } from 'confab-server/src/db/db.ts';
import { wrapStore } from '../harness/store-wrapper.ts';
import { poll } from '../poll.ts';

/** Delays transactions before they begin, so that a test can act while a request is running. */
export type Gate = {
  /** The part for `startServer`. */
  wrapDb(db: Db): Db;
  close(): void;
  open(): void;
  /** Resolves when this many transactions are waiting. */
  holds(count: number): Promise<void>;
};

/** An open gate. */
export function createGate(): Gate {
  let opening: PromiseWithResolvers<void> | undefined;
  let held = 0;
  return {
    wrapDb: (db) => ({
      ...wrapStore(db, {}),
      async write(work, kind) {
        held += 1;
        await opening?.promise;
        held -= 1;
        return await db.write(work, kind);
      },
    }),
    close() {
      opening ??= Promise.withResolvers();
    },
    open() {
      opening?.resolve();
      opening = undefined;
    },
    async holds(count) {
      await poll(`${count} held transactions`, () => (held >= count ? held : undefined));
    },
  };
}

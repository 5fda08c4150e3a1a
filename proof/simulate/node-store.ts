import type { Db, JobKind, Read, Topic, Tx } from 'confab-server/src/db/db.ts';
import type { Parameters, Query, Statement } from 'confab-server/src/db/statement.ts';
import { wrapStore } from 'confab-testing/harness/store-wrapper.ts';
import type { Machine } from './machine.ts';
import type { Actor } from './simulated-time.ts';

/** Called in the transaction of a statement, with its parameters and its result. */
export type Watch = (statement: Statement<unknown>, parameters: Parameters, result: unknown) => void;

/**
 * The connection of one node to the store that all nodes share. The statements are the real ones; what is simulated is
 * the network between the node and the database: answers take a while, and the node can be cut off before a statement
 * reaches the database or before its answer reaches the node. Other nodes hear of a commit late, and sometimes not at all.
 */
export function nodeStore(machine: Machine, actor: Actor, watches: readonly Watch[]): Db {
  const { time, random, store, storeActor, commits } = machine;

  /** Whether the node goes on after one more step, or ends here. */
  const isCut = (): boolean => machine.cutsAt(actor);
  const never = <T>(): Promise<T> => new Promise(() => {});
  const delayMs = (): number =>
    random.oneIn(400) ? random.integer(200, 4000) : random.oneIn(10) ? random.integer(1, 30) : 0;

  async function reading<T>(run: () => Promise<T>): Promise<T> {
    if (isCut()) return await never();
    const waitMs = delayMs();
    const isEarly = random.oneIn(2);
    if (waitMs > 0 && !isEarly) await time.sleep(actor, waitMs);
    const value = await time.as(storeActor, run);
    if (waitMs > 0 && isEarly) await time.sleep(actor, waitMs);
    return value;
  }

  async function writing<T>(work: (tx: Tx) => Promise<T>, kind: JobKind | undefined): Promise<T> {
    if (isCut()) return await never();
    await time.sleep(actor, delayMs());
    const written = time.as(storeActor, () => store.write((tx) => work(watched(tx)), kind));
    // The answer reaches the node by a task of its own, so that what follows belongs to it.
    return await new Promise<T>((resolve, reject) => {
      const answer = (then: () => void) => {
        if (isCut()) return;
        time.after(actor, delayMs(), then);
      };
      written.then(
        (value) => answer(() => resolve(value)),
        (error: unknown) => answer(() => reject(error)),
      );
    });
  }

  function watched(tx: Tx): Tx {
    const seen = async <T>(statement: Statement<unknown>, parameters: Parameters, result: Promise<T>) => {
      const value = await result;
      for (const watch of watches) watch(statement, parameters, value);
      return value;
    };
    const changed: Tx['changed'] = (statement, parameters) =>
      seen(statement, parameters, tx.changed(statement, parameters));
    return {
      get: (statement, parameters) => seen(statement, parameters, tx.get(statement, parameters)),
      all: (statement, parameters) => seen(statement, parameters, tx.all(statement, parameters)),
      run: async (statement, parameters) => void (await changed(statement, parameters)),
      changed,
      insert: (statement, parameters) => tx.insert(statement, parameters),
      defer: (later, item) => tx.defer(later, item),
      wake: (topic) => tx.wake(topic),
    };
  }

  const read: Read = {
    get: <P extends Parameters, R>(query: Query<P, R>, parameters: P) =>
      reading(() => store.read.get(query, parameters)),
    all: <P extends Parameters, R>(query: Query<P, R>, parameters: P) =>
      reading(() => store.read.all(query, parameters)),
  };

  return {
    ...wrapStore(store, {}),
    read,
    readForList: async () => read,
    readLong: (_asked, work) => work(read),
    write: writing,
    onCommit: (topic: Topic, listener: () => void) => commits.listen(actor, topic, listener),
    ...(machine.isShared ? { peers: { send: () => {}, onMessage: () => {} } } : {}),
    close: async () => {},
  };
}

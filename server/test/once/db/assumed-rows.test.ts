import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCluster } from 'confab-testing/stores/postgres.ts';
import { pino } from 'pino';
import type { Db } from '../../../src/db/db.ts';
import { AssumedRows } from '../../../src/db/postgres/assumed-rows.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { command, query, remember } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const directory = query<{ id: number }>()((q, value) =>
  q.selectFrom('directories').select(['id', 'name']).where('id', '=', value('id')),
);
const steady = remember(directory, {
  id: ({ id }) => id,
  tables: { directories: 'id' },
  changesSeldom: true,
});

type Row = { readonly id: number; readonly name: string };

/** A store of one row, whose answers come when the test lets them. */
function oneRow() {
  const rows = new AssumedRows();
  let present: Row | undefined = { id: 1, name: 'one' };
  let waiting: (() => void)[] = [];
  let asked = 0;
  return {
    rows,
    asked: () => asked,
    change: (row: Row | undefined) => {
      present = row;
    },
    answer: () => {
      for (const each of waiting.splice(0)) each();
    },
    get: (statement = steady) =>
      rows.get(statement, { id: 1 }, async () => {
        asked += 1;
        await new Promise<void>((resolve) => {
          waiting = [...waiting, resolve];
        });
        return present;
      }),
  };
}

/** A store that has been asked for its row within a request. */
async function warm(store: ReturnType<typeof oneRow>): Promise<void> {
  const first = store.rows.within(() => store.get());
  store.answer();
  assert.deepEqual(await first, { id: 1, name: 'one' });
}

describe('rows that seldom change', () => {
  test('are not waited for the second time, but the result is', async () => {
    const store = oneRow();
    await warm(store);
    const steps: string[] = [];
    const result = store.rows.within(async () => {
      steps.push((await store.get())?.name ?? 'none');
      return 'result';
    });
    void result.then(() => steps.push('answered'));
    await new Promise(setImmediate);
    assert.deepEqual(steps, ['one']);
    store.answer();
    assert.equal(await result, 'result');
    assert.deepEqual(steps, ['one', 'answered']);
    assert.equal(store.asked(), 2);
  });

  for (const [what, changed] of [
    ['has changed', { id: 1, name: 'two' }],
    ['is gone', undefined],
  ] as const)
    test(`let a request run again where one ${what}`, async () => {
      const store = oneRow();
      await warm(store);
      store.change(changed);
      const seen: (string | undefined)[] = [];
      const result = store.rows.within(async () => {
        const row = await store.get();
        seen.push(row?.name);
        if (row?.name === 'one') throw new Error('refused by what was');
        return row?.name;
      });
      await new Promise(setImmediate);
      store.answer();
      await new Promise(setImmediate);
      store.answer();
      assert.equal(await result, changed?.name);
      assert.deepEqual(seen, ['one', changed?.name]);
      // What was read is what the next one assumes.
      const next = store.rows.within(async () => (await store.get())?.name);
      await new Promise(setImmediate);
      store.answer();
      assert.equal(await next, changed?.name);
    });

  test('let a request fail as it did where all are as they were', async () => {
    const store = oneRow();
    await warm(store);
    const result = store.rows.within(async () => {
      await store.get();
      throw new Error('refused');
    });
    await new Promise(setImmediate);
    store.answer();
    await assert.rejects(result, /refused/);
    assert.equal(store.asked(), 2);
  });

  test('fail with the store', async () => {
    const store = oneRow();
    await warm(store);
    const reading = () => store.rows.get(steady, { id: 1 }, () => Promise.reject(new Error('no store')));
    await assert.rejects(
      store.rows.within(async () => (await reading())?.name),
      /no store/,
    );
  });

  test('are waited for where they are large, so that all of them together are not', async () => {
    const store = oneRow();
    store.change({ id: 1, name: 'a'.repeat(5000) });
    const first = store.rows.within(() => store.get());
    store.answer();
    await first;
    let length: number | undefined;
    const second = store.rows.within(async () => {
      length = (await store.get())?.name.length;
    });
    await new Promise(setImmediate);
    assert.equal(length, undefined);
    store.answer();
    await second;
    assert.equal(length, 5000);
  });

  test('are waited for outside of a request, after it, and where they often change', async () => {
    const store = oneRow();
    await warm(store);
    const outside = store.get();
    store.answer();
    assert.equal((await outside)?.name, 'one');
    let later: Promise<Row | undefined> | undefined;
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    await store.rows.within(async () => {
      later = isOver.then(() => store.get());
    });
    store.change({ id: 1, name: 'two' });
    end();
    await new Promise(setImmediate);
    store.answer();
    assert.equal((await later)?.name, 'two');
    const others = store.rows.within(() => store.get(directory));
    await new Promise(setImmediate);
    store.answer();
    assert.equal((await others)?.name, 'two');
  });
});

const addDirectory = command<{ name: string }>()((q, value) =>
  q
    .insertInto('directories')
    .values({ name: value('name'), created_at: 0 })
    .returning('id'),
);
const rename = command<{ id: number; name: string }>()((q, value) =>
  q
    .updateTable('directories')
    .set({ name: value('name') })
    .where('id', '=', value('id')),
);

describe('what a request of PostgreSQL begins for others', () => {
  let db: Db;
  let close: () => Promise<void>;
  before(async () => {
    const cluster = await startCluster();
    const url = await cluster.createDatabase(`assumed_${process.pid}`);
    const log = pino({ level: 'silent' });
    db = await openPostgres({ url, isPrepared: true, readersMax: 2, log, clock: systemClock });
    close = async () => {
      await db.close();
      await cluster.stop();
    };
  });
  after(() => close());

  test('assumes nothing, such as what reads after its commit', async () => {
    const id = (await db.write((tx) => tx.get(addDirectory, { name: 'one' })))?.id ?? 0;
    const name = async () => (await db.read.get(steady, { id }))?.name;
    assert.equal(await db.assuming?.(name), 'one');
    await db.write((tx) => tx.run(rename, { id, name: 'two' }));
    const seen = Promise.withResolvers<string | undefined>();
    const stop = db.onCommit('events', () => name().then(seen.resolve, seen.reject));
    let runs = 0;
    const work = async () => {
      runs += 1;
      await db.write(async (tx) => tx.wake('events'));
      await seen.promise;
      return await name();
    };
    assert.equal(await db.assuming?.(work), 'two');
    stop();
    assert.equal(await seen.promise, 'two');
    assert.equal(runs, 2);
  });
});

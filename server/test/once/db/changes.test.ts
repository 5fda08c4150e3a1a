import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { sentWhile } from 'confab-testing/stores/sent-statements.ts';
import { pino } from 'pino';
import type { Db, Tx } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { command, insertRow, query } from '../../../src/db/statement.ts';
import { insertEvent, insertEvents } from '../../../src/events/events.store.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const addDirectory = insertRow('directories', ['name', 'name_key', 'created_at']);

const rename = command<{ id: number; name: string }>()((q, value) =>
  q
    .updateTable('directories')
    .set({ name: value('name') })
    .where('id', '=', value('id')),
);

const directoryById = query<{ id: number }>()((q, value) =>
  q.selectFrom('directories').select('name').where('id', '=', value('id')),
);

const of = (key: number) => ({ among: 'directories', key }) as const;

// Changes of different items share the round trips of their group, in which others cannot write.
describe('changes of different items, on PostgreSQL', () => {
  let cluster: Cluster;
  let db: Db;
  before(async () => {
    cluster = await startCluster();
    const url = await cluster.createDatabase(`changes_${process.pid}`);
    db = await openPostgres({
      url,
      isPrepared: true,
      readersMax: 2,
      log: pino({ level: 'silent' }),
      clock: systemClock,
    });
  });
  after(async () => {
    await db.close();
    await cluster.stop();
  });

  const add = (name: string) =>
    db.write((tx) => tx.insert(addDirectory, { name, nameKey: name, createdAt: 0 }));
  const nameOf = async (id: number) => (await db.read.get(directoryById, { id }))?.name;

  /** Adds a word to the name of a directory. */
  const append = (id: number, word: string) => async (tx: Tx) => {
    const before = await tx.get(directoryById, { id });
    await tx.run(rename, { id, name: `${before?.name} ${word}` });
  };

  /** The first words of statements. */
  const kindsOf = (sent: readonly { text: string }[]) =>
    sent.map(
      ({ text }) =>
        /^(begin|select id from log_head|select nextval|select setval|commit|update|select)/.exec(
          text,
        )?.[1] ?? text,
    );

  test('read beside each other before their turn, and write within it without waiting', async () => {
    const ids = [await add('a'), await add('b'), await add('c')];
    const sent = await sentWhile(async () => {
      await Promise.all(ids.map((id) => db.write(append(id, 'changed'), of(id))));
    });
    assert.deepEqual(kindsOf(sent), [
      'begin',
      'select',
      'select id from log_head',
      'select nextval',
      'select',
      'update',
      'update',
      'update',
      'select setval',
      'commit',
    ]);
    assert.deepEqual(await Promise.all(ids.map(nameOf)), ['a changed', 'b changed', 'c changed']);
  });

  test('of the same item follow each other', async () => {
    const id = await add('same');
    await Promise.all(['one', 'two', 'three'].map((word) => db.write(append(id, word), of(id))));
    assert.equal(await nameOf(id), 'same one two three');
  });

  test('of other kinds are in groups of their own, in the order in which they came', async () => {
    const id = await add('kinds');
    const write = [
      db.write(append(id, 'one'), of(id)),
      db.write(append(id, 'two'), { among: 'others', key: id }),
      db.write(append(id, 'three')),
    ];
    await Promise.all(write);
    assert.equal(await nameOf(id), 'kinds one two three');
  });

  test('fail alone where the store refuses what they have sent', async () => {
    const [first, second] = [await add('first'), await add('second')];
    const done = await Promise.allSettled([
      db.write((tx) => tx.run(rename, { id: first, name: 'renamed' }), of(first)),
      db.write((tx) => tx.run(rename, { id: second, name: 'kinds one two three' }), of(second)),
    ]);
    assert.deepEqual(
      done.map(({ status }) => status),
      ['fulfilled', 'rejected'],
    );
    assert.deepEqual([await nameOf(first), await nameOf(second)], ['renamed', 'second']);
  });

  test('append events with ids in the order in which they append them, also after many at once', async () => {
    const event = { action: 'app_created', actorId: 1, appId: null, userId: null, createdAt: 0 };
    const about = { ...event, entityType: 'app', entityId: 0, payload: '', isSilent: 1 };
    const many = {
      ...event,
      entityType: 'app',
      events: JSON.stringify([{ actorId: 1, entityId: 0, payload: '' }]),
    };
    const ids = await db.write(async (tx) => {
      const first = await tx.insert(insertEvent, about);
      const [second] = await tx.all(insertEvents, many);
      return [first, Number(second?.id), await tx.insert(insertEvent, about)];
    }, of(1));
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(new Set(ids).size, 3);
  });

  test('leave no gap in the ids of events', async () => {
    const event = { action: 'app_created', actorId: 1, appId: null, userId: null, createdAt: 0 };
    const about = { ...event, entityType: 'app', entityId: 0, payload: '', isSilent: 1 };
    const ids: number[] = [];
    for (const key of [1, 2, 3]) {
      ids.push(await db.write((tx) => tx.insert(insertEvent, about), of(key)));
      await db.write(async () => undefined, of(key));
    }
    const [first = 0] = ids;
    assert.deepEqual(ids, [first, first + 1, first + 2]);
  });

  test('begin to read while a group before has its turn, and see what it has written', async () => {
    const id = await add('turn');
    let hasRead = false;
    let next: Promise<unknown> = Promise.resolve();
    const began = db.write(async (tx) => {
      await tx.run(rename, { id, name: 'turn over' });
      next = db.write(async (later) => {
        const before = await later.get(directoryById, { id });
        hasRead = true;
        await later.run(rename, { id, name: `${before?.name}, next` });
      }, of(id));
      // The store answers this transaction until the other has read, which it does before its own turn.
      for (let asked = 0; asked < 1000 && !hasRead; asked += 1) await tx.get(directoryById, { id });
      assert.equal(hasRead, true);
    });
    await began;
    await next;
    assert.equal(await nameOf(id), 'turn over, next');
  });
});

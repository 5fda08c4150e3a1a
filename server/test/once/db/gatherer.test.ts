import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Cluster, startCluster } from 'confab-testing/stores/postgres.ts';
import { sentWhile } from 'confab-testing/stores/sent-statements.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import type { Db } from '../../../src/db/db.ts';
import { isUniqueViolation } from '../../../src/db/dialect.ts';
import { openPostgres } from '../../../src/db/postgres/postgres.ts';
import { command, query } from '../../../src/db/statement.ts';
import { systemClock } from '../../../src/kernel/clock.ts';

const addDirectory = command<{ name: string; at: number }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: value('at') }),
);

const findOrAdd = command<{ name: string }>()((q, value) =>
  q
    .insertInto('directories')
    .values({ name: value('name'), created_at: 0 })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id'),
);

const directoryByName = query<{ name: string }>()((q, value) =>
  q.selectFrom('directories').select(['id', 'name']).where('name', '=', value('name')),
);

const directories = query<{ from: number }>()((q, value) =>
  q.selectFrom('directories').select(['id', 'name']).where('id', '>', value('from')).orderBy('id'),
);

/** A row of the log, which has columns that may be null. */
const addEvent = command<{ appId: number | null; userId: number | null; payload: string }>()((q, value) =>
  q.insertInto('events').values({
    action: 'app_created',
    actor_id: 1,
    app_id: value('appId'),
    user_id: value('userId'),
    entity_type: 'app',
    entity_id: 0,
    payload: value('payload'),
    created_at: 0,
    is_silent: 1,
  }),
);

const eventById = query<{ id: number }>()((q, value) =>
  q
    .selectFrom('events')
    .select(['id', 'app_id as appId', 'user_id as userId', 'payload'])
    .where('id', '=', value('id')),
);

const echo = query<{ text: string | null; bytes: Uint8Array | null; number: number }>()((q, value) =>
  q.selectNoFrom([
    sql<Uint8Array | null>`cast(${value('bytes')} as bytea)`.as('bytes'),
    sql<string | null>`cast(${value('text')} as text)`.as('text'),
    sql<number>`cast(${value('number')} as bigint)`.as('number'),
  ]),
);

// What requests of one turn ask is asked together, and each is answered as if it had asked alone.
describe('statements of one turn on PostgreSQL', () => {
  let cluster: Cluster;
  let db: Db;
  before(async () => {
    cluster = await startCluster();
    db = await openPostgres({
      url: await cluster.createDatabase(`gatherer_${process.pid}`),
      isPrepared: true,
      readersMax: 2,
      log: pino({ level: 'silent' }),
      clock: systemClock,
    });
    for (const name of ['north', 'south', 'west'])
      await db.write((tx) => tx.insert(addDirectory, { name, at: 1 }));
  });
  after(async () => {
    await db.close();
    await cluster.stop();
  });

  test('that read the same are one, and each gets its own rows', async () => {
    const sent = await sentWhile(async () => {
      const lists = await Promise.all(
        Array.from({ length: 20 }, () => db.read.all(directories, { from: 0 })),
      );
      for (const rows of lists) {
        assert.deepEqual(
          rows.map(({ name }) => name),
          ['north', 'south', 'west'],
        );
        rows.length = 0;
      }
    });
    assert.equal(sent.filter(({ text }) => text.includes('"directories"')).length, 1);
  });

  test('that read one row each are one, and each gets its own or none', async () => {
    const names = ['south', 'nowhere', 'north', 'South', '', 'west', 'it\'s \\ "here", {or} null'];
    const sent = await sentWhile(async () => {
      const rows = await Promise.all(names.map((name) => db.read.get(directoryByName, { name })));
      assert.deepEqual(
        rows.map((row) => row?.name),
        ['south', undefined, 'north', undefined, undefined, 'west', undefined],
      );
    });
    assert.equal(sent.length, 1);
  });

  test('accept nulls, empty texts, long ones, bytes and the largest numbers unchanged', async () => {
    const texts = ['', 'NULL', 'ä🎈\u2028', '{a,"b"}', '\\x00', '"\\\n\t', '"\\'.repeat(50_000), null];
    const asked = texts.flatMap((text, index) => {
      const number = Number.MAX_SAFE_INTEGER - index;
      const bytes = Buffer.from([...'\0\\"ÿ'].map((character) => character.charCodeAt(0)));
      return [
        { text, number, bytes: null },
        { text: null, number: -number, bytes: bytes.subarray(index) },
      ];
    });
    const sent = await sentWhile(async () => {
      assert.deepEqual(await Promise.all(asked.map((one) => db.read.get(echo, one))), asked);
    });
    assert.equal(sent.length, 1);
    const nothing = [1, 2].map((number) => ({ text: null, number, bytes: null }));
    assert.deepEqual(await Promise.all(nothing.map((one) => db.read.get(echo, one))), nothing);
  });

  test('that insert are one, and each gets the id of its own row', async () => {
    const events = Array.from({ length: 300 }, (_, index) => ({
      appId: null,
      userId: index % 3 === 0 ? null : index + 1,
      payload: `"n":${index},"quote":"\\\\ ' {} \\""`,
    }));
    const sent = await sentWhile(async () => {
      const ids = await Promise.all(
        events.map((event) => db.write((tx) => tx.insert(addEvent, event), 'adding')),
      );
      const rows = await Promise.all(ids.map((id) => db.read.get(eventById, { id })));
      assert.deepEqual(
        rows,
        events.map((event, index) => ({ id: ids[index], ...event })),
      );
    });
    const inserts = sent.filter(({ text }) => text.includes('insert into "events"'));
    // A group has at most 256 transactions.
    assert.equal(inserts.length, 2);
  });

  test('that insert fail alone where one cannot be', async () => {
    const names = ['east', 'north', 'up', 'down'];
    const done = await Promise.allSettled(
      names.map((name) => db.write((tx) => tx.insert(addDirectory, { name, at: 2 }), 'adding')),
    );
    assert.deepEqual(
      done.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    assert.ok(done[1]?.status === 'rejected' && isUniqueViolation(done[1].reason, 'directories.name'));
    const found = await Promise.all(names.map((name) => db.read.get(directoryByName, { name })));
    for (const [index, one] of done.entries())
      if (one.status === 'fulfilled') assert.equal(found[index]?.id, one.value);
  });

  test('that write and return rows are never combined', async () => {
    const made = await Promise.all(
      Array.from({ length: 8 }, () => db.write((tx) => tx.get(findOrAdd, { name: 'once' }), 'adding')),
    );
    assert.equal(made.filter((row) => row !== undefined).length, 1);
  });
});

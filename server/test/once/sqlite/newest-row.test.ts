import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Connection } from '../../../src/db/sqlite/connection.ts';
import { command } from '../../../src/db/statement.ts';

const add = command<{ name: string }>()((q, value) =>
  q.insertInto('directories').values({ name: value('name'), created_at: 0 }),
);
const rename = command<{ id: number; name: string }>()((q, value) =>
  q
    .updateTable('directories')
    .set({ name: value('name') })
    .where('id', '=', value('id')),
);
const renameAll = command<{ name: string }>()((q, value) =>
  q
    .updateTable('directories')
    .set({ name: value('name') })
    .returning('id'),
);

// A search index that forgets words inserts rows with such ids, and each change answers the id of the newest row.
test('a change is made after a row was inserted whose id is no safe integer', () => {
  using database = new DatabaseSync(':memory:');
  database.exec('create table directories (id integer primary key, name text, created_at integer)');
  database.exec('create table words (id integer primary key)');
  const connection = new Connection(database, {});
  const { id } = connection.run(add, { name: 'before' });
  assert.equal(id, 1);
  database.exec('insert into words (id) values (9009535716950016)');
  assert.equal(connection.run(rename, { id, name: 'after' }).changes, 1);
  assert.equal(connection.run(renameAll, { name: 'all' }).changes, 1);
  assert.deepEqual(connection.get(renameAll, { name: 'again' }), { id });
  assert.deepEqual(connection.run(add, { name: 'another' }), { changes: 1, id: 2 });
});

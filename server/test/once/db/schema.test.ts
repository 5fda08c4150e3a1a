import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { postgresSchema, type Schema, sqliteSchema } from 'confab-testing/stores/schemas.ts';

/** What the schema promises, such as that a uid belongs to one user, is promised by both engines. */
describe('the schema', () => {
  let stores: BothStores;
  let sqlite: Schema;
  let postgres: Schema;
  before(async () => {
    stores = await openBothStores();
    sqlite = sqliteSchema(stores.sqlite);
    postgres = await postgresSchema(stores.postgres);
  });
  after(() => stores.close());

  it('has the same tables with the same columns on both engines', () => {
    assert.ok(Object.keys(sqlite.columns).length > 30);
    assert.deepEqual(postgres.columns, sqlite.columns);
  });

  it('has the same keys, foreign keys and checks on both engines', () => {
    assert.deepEqual(postgres.primaryKeys, sqlite.primaryKeys);
    assert.deepEqual(postgres.foreignKeys, sqlite.foreignKeys);
    assert.deepEqual(postgres.checks, sqlite.checks);
  });

  it('has the same indexes on both engines, except that of addresses, which may be longer than a key of PostgreSQL', () => {
    const inPostgres = postgres.indexes.filter((index) => !index.startsWith('embeds (url'));
    assert.deepEqual(
      inPostgres,
      sqlite.indexes.filter((index) => !index.startsWith('embeds (url')),
    );
    assert.equal(postgres.indexes.length, sqlite.indexes.length);
  });

  it('has the same indexes of words on both engines', () => {
    assert.deepEqual(postgres.searchTables, sqlite.searchTables);
  });

  it('compares every text of PostgreSQL by its bytes, as SQLite does', async () => {
    const { rows } = await stores.postgres.query(
      `select table_name, column_name from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`,
    );
    assert.deepEqual(rows, []);
  });
});

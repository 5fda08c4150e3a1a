import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { compile } from '../../src/db/statement.ts';
import { type BothStores, openBothStores } from '../support/both-stores.ts';
import { allStatements, type StoreStatement } from '../support/statements.ts';

/** Every statement is understood by both engines as it is, whatever its shape: none is found out by a request. */
describe('every statement of every store', () => {
  let stores: BothStores;
  let statements: readonly StoreStatement[];
  before(async () => {
    stores = await openBothStores();
    statements = await allStatements();
  });
  after(() => stores.close());

  it('can be prepared on SQLite', () => {
    const refused = statements.flatMap(({ name, statement }) => {
      try {
        stores.sqlite.prepare(compile(statement, 'sqlite').sql);
        return [];
      } catch (error) {
        return [`${name}: ${(error as Error).message}`];
      }
    });
    assert.deepEqual(refused, []);
  });

  it('can be prepared and planned on PostgreSQL, which infers the type of each parameter', async () => {
    const refused: string[] = [];
    for (const { name, statement } of statements) {
      try {
        const { sql, slots } = compile(statement, 'postgres');
        await stores.postgres.query(`prepare asked as ${sql}`);
        const nothing = slots.length === 0 ? '' : `(${slots.map(() => 'null').join(',')})`;
        await stores.postgres.query(`explain execute asked${nothing}`);
        await stores.postgres.query('deallocate asked');
      } catch (error) {
        refused.push(`${name}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(refused, []);
  });

  it('binds the same parameters in the same order on both', () => {
    for (const { name, statement } of statements) {
      const [lite, post] = [compile(statement, 'sqlite'), compile(statement, 'postgres')];
      assert.deepEqual(new Set(post.slots), new Set(lite.slots), name);
    }
  });
});

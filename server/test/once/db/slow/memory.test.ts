import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it } from 'node:test';
import { freshFolder } from 'confab-testing/limited-server.ts';
import { runHistory } from 'confab-testing/memory/history.ts';
import { Memory } from '../../../../src/db/memory.ts';
import { query, remember } from '../../../../src/db/statement.ts';

const seed = 20_261_122;

/** A remembered row is never outdated; `npx node proof/memory.ts` says so of far longer histories. */
describe('remembered rows', () => {
  it('give the same responses to a drawn history as a server without memory', async (test) => {
    const { steps, reads, succeeded, remembered, difference } = await runHistory({
      seed,
      steps: 120,
      readsPerStep: 5,
    });
    test.diagnostic(`${steps} steps, ${reads} reads, ${remembered} rows from memory`);
    assert.equal(difference, undefined);
    assert.ok(succeeded > reads / 3, `only ${succeeded} of ${reads} reads succeeded`);
    assert.ok(remembered > reads, `only ${remembered} rows came from memory`);
  });

  // The script tries the other tables as well.
  for (const plant of ['users', 'apps', 'members', 'entries', 'others'] as const)
    it(`are detected as wrong when a change is not noticed: ${plant}`, async () => {
      const { difference } = await runHistory({ seed, steps: 1500, readsPerStep: 5, plant });
      assert.notEqual(difference, undefined);
    });
});

const nameOf = remember(
  query<{ id: number }>()((q, value) =>
    q.selectFrom('directories').select(['id', 'name']).where('id', '=', value('id')),
  ),
  { id: ({ id }) => id, tables: { directories: 'id' } },
);

/** The memory of a store with a table of directories. */
function open(): { memory: Memory; writer: DatabaseSync } {
  const file = `${freshFolder()}/confab.db`;
  const writer = new DatabaseSync(file);
  writer.exec('pragma journal_mode = wal; create table directories (id integer primary key, name text)');
  after(() => writer.close());
  return { memory: new Memory(writer), writer };
}

/** Rows of many bytes that are asked for once take no memory. */
describe('a row of many bytes', () => {
  const { memory, writer } = open();

  /** How often the row was read where it is asked for so many times in a row. */
  function readsOf(id: number, times: number, name = 'n'.repeat(5000)): number {
    let reads = 0;
    for (let n = 0; n < times; n += 1)
      memory.get(nameOf, { id }, () => {
        reads += 1;
        return { id, name };
      });
    return reads;
  }

  it('is remembered when it is asked for again', () => {
    assert.equal(readsOf(1, 5), 2);
    assert.equal(readsOf(2, 5, 'a row of few bytes'), 1);
  });

  it('is remembered at once after it has changed', () => {
    writer.exec(`insert into directories (id, name) values (1, 'changed')`);
    memory.afterTransaction();
    assert.equal(readsOf(1, 5), 1);
  });

  it('is asked for again only before a thousand others are', () => {
    assert.equal(readsOf(3, 1), 1);
    for (let id = 10; id < 1010; id += 1) readsOf(id, 1);
    assert.equal(readsOf(3, 5), 2);
  });
});

describe('a statement that cannot be watched', () => {
  const read = () => ({ id: 1, name: 'read' });
  const byId = (tables: object) =>
    remember(
      query<{ id: number }>()((q, value) =>
        q.selectFrom('directories').select(['id', 'name']).where('id', '=', value('id')),
      ),
      { id: ({ id }: { id: number }) => id, tables },
    );

  it('is an error where it reads a table that it does not declare, or declares one that it does not read', () => {
    const { memory } = open();
    assert.throws(
      () => memory.get(byId({}), { id: 1 }, read),
      /reads the table directories, which it does not/,
    );
    const tables = { directories: 'id', apps: 'id' };
    assert.throws(() => memory.get(byId(tables), { id: 1 }, read), /does not read the table apps, which it/);
  });

  it('is watched at the next read, when the database has failed', () => {
    const { memory, writer } = open();
    const exec = writer.exec.bind(writer);
    writer.exec = (sql) => {
      exec(sql.replace(/create temp trigger \w+ after delete/, 'planted $&'));
    };
    assert.throws(() => memory.get(nameOf, { id: 1 }, read), /syntax error/);
    writer.exec = exec;
    writer.exec(`insert into directories (id, name) values (2, 'not watched yet')`);
    memory.get(nameOf, { id: 1 }, read);
    writer.exec(`insert into directories (id, name) values (1, 'changed')`);
    memory.afterTransaction();
    let reads = 0;
    memory.get(nameOf, { id: 1 }, () => {
      reads += 1;
      return read();
    });
    assert.equal(reads, 1);
  });
});

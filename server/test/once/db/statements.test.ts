import assert from 'node:assert/strict';
import type { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import { allStatements, type StoreStatement } from 'confab-testing/stores/statements.ts';
import type { AnyList } from '../../../generate/list-statements.ts';
import { sumAnew, wrongCounts, wrongSums } from '../../../src/db/counts.ts';
import type { Tx } from '../../../src/db/db.ts';
import { wrongWords } from '../../../src/db/index-of-words.ts';
import { findLeftovers } from '../../../src/db/leftovers.ts';
import { compile, type Statement } from '../../../src/db/statement.ts';
import { appList } from '../../../src/features/apps/apps.store.ts';
import { commentsWithOwnHeld, entryList } from '../../../src/features/entries/entry-list.store.ts';
import { threadList, threadsWithOwnHeld } from '../../../src/features/entries/threads.store.ts';
import { fileList } from '../../../src/features/files/file-lists.store.ts';
import { userList } from '../../../src/features/users/users.store.ts';
import { webhookList } from '../../../src/features/webhooks/registration/webhooks.store.ts';

/** A part of a program, from one address to another. */
type Part = { readonly from: number; readonly to: number };

/** The name of a list, or of its count, that has a question or a tag. */
const isFiltered = /"hasQuestion":true|"search":"(?!none)|"hasTag":true|"terms":[1-9]/;

/**
 * Whether a statement multiplies lists: an `in (select …)` that SQLite walks within the walk of another costs as many
 * steps as the one has ids times those of the other. The program of a statement shows it, which its plan does not.
 */
function hasNestedLists(database: DatabaseSync, text: string): boolean {
  const program = database.prepare(`explain ${text}`).all() as {
    addr: number;
    opcode: string;
    p1: number;
    p2: number;
  }[];
  const lists = new Set(program.filter(({ opcode }) => opcode === 'OpenEphemeral').map(({ p1 }) => p1));
  const walks = program
    .filter(({ opcode, p1 }) => opcode === 'Next' && lists.has(p1))
    .map(({ addr, p2 }) => ({ from: p2, to: addr }));
  // A list is made by a part of the program that stands within the walk and runs once.
  const made = program
    .filter(({ opcode }) => opcode === 'Once')
    .map(({ addr, p2 }) => ({ from: addr, to: p2 }));
  const isWithin = (inner: Part, outer: Part) => outer.from < inner.from && inner.to < outer.to;
  return walks.some((inner) =>
    walks.some(
      (outer) =>
        isWithin(inner, outer) && !made.some((part) => isWithin(inner, part) && isWithin(part, outer)),
    ),
  );
}

/** A line of a plan. Lines with one parent are steps of one loop. */
type Step = { readonly parent: number; readonly detail: string };

/** What a plan calls the columns of orders that have another name. */
const columns: { readonly [order: string]: string } = {
  name: 'name_key',
  display_name: 'display_name_key',
  timestamp: '<expr>',
};

/** Whether a statement sorts more rows than those of a page, which it looks up by id or takes from a few runs. */
function sortsAll(database: DatabaseSync, text: string): boolean {
  const plan = database.prepare(`explain query plan ${text}`).all() as Step[];
  return plan
    .filter(({ detail }) => detail === 'USE TEMP B-TREE FOR ORDER BY')
    .some(({ parent }) => {
      const steps = plan.filter((step) => step.parent === parent);
      return !steps.some(
        ({ detail }) => /^SCAN (?:ids|run)$/.test(detail) || detail.includes('INTEGER PRIMARY KEY'),
      );
    });
}

/** The lists that grow large. */
const largeLists = [
  entryList,
  commentsWithOwnHeld,
  threadList,
  threadsWithOwnHeld,
  appList,
  userList,
  fileList,
] as unknown as readonly AnyList[];

/** Every statement is understood by both engines as it is, whatever its shape: none is found out by a request. */
describe('every statement of every store', () => {
  let stores: BothStores;
  let statements: readonly StoreStatement[];
  before(async () => {
    stores = await openBothStores();
    statements = await allStatements();
  });
  after(() => stores.close());

  /** The statements with different texts on an engine; preparing one takes a millisecond. */
  const distinct = (engine: 'sqlite' | 'postgres') => [
    ...new Map(
      statements.map(({ name, statement }) => {
        const compiled = compile(statement, engine);
        return [compiled.sql, { name, ...compiled }] as const;
      }),
    ).values(),
  ];

  it('can be prepared on SQLite, and scans no list of ids inside another: one is scanned, the others are looked up', () => {
    let filtered = 0;
    const faults = distinct('sqlite').flatMap(({ name, sql }) => {
      try {
        if (!isFiltered.test(name)) stores.sqlite.prepare(sql);
        else {
          filtered += 1;
          if (hasNestedLists(stores.sqlite, sql)) return [`${name} scans a list inside another`];
        }
        return [];
      } catch (error) {
        return [`${name}: ${(error as Error).message}`];
      }
    });
    assert.ok(filtered > 500);
    assert.deepEqual(faults, []);
  });

  it('reads an index on SQLite in every order of the lists that grow large', () => {
    const lists = largeLists;
    const sorting = lists.flatMap(({ name, filters, orders, page }) =>
      orders.flatMap((order) =>
        [false, true].flatMap((descending) =>
          ([undefined, 'indexed', 'left out'] as const).flatMap((after) => {
            const settings = Object.fromEntries(
              Object.entries(filters).map(([filter, [first]]) => [filter, first]),
            );
            const statement = page({ order, descending, after, settings: settings as never });
            return sortsAll(stores.sqlite, compile(statement, 'sqlite').sql) ? [`${name} by ${order}`] : [];
          }),
        ),
      ),
    );
    // The size is in another table.
    assert.deepEqual(new Set(sorting), new Set(['files by size']));
  });

  it('begins in that index at the cursor, and not at the first row, on SQLite', () => {
    const lists = largeLists;
    const walking = lists.flatMap(({ name, filters, orders, page }) =>
      orders.flatMap((order) =>
        [false, true].flatMap((descending) => {
          const settings = Object.fromEntries(
            Object.entries(filters).map(([filter, [first]]) => [filter, first]),
          );
          const statement = page({ order, descending, after: 'indexed', settings: settings as never });
          const plan = stores.sqlite
            .prepare(`explain query plan ${compile(statement, 'sqlite').sql}`)
            .all() as Step[];
          const beyond = descending ? '<' : '>';
          const seek = new RegExp(order === 'id' ? `id${beyond}\\?\\)` : `(?<!\\bid)${beyond}\\?\\)`);
          const isSought = plan.some(({ detail }) => seek.test(detail));
          // The rows with the value of the cursor begin at its id; no two users or apps share a uid.
          const tie = order === 'uid' ? '(uid=?)' : `${columns[order] ?? order}=? AND id${beyond}?)`;
          const isPastTies = order === 'id' || plan.some(({ detail }) => detail.includes(tie));
          return isSought && isPastTies ? [] : [`${name} by ${order}`];
        }),
      ),
    );
    // The size is in another table.
    assert.deepEqual(new Set(walking), new Set(['files by size']));
  });

  it('reads the triggers of the webhooks of a page alone, which no index finds', () => {
    const statement = webhookList.page({
      order: 'created_at',
      descending: true,
      settings: { hasQuestion: false },
    });
    const plan = stores.sqlite
      .prepare(`explain query plan ${compile(statement, 'sqlite').sql}`)
      .all() as Step[];
    const triggers = plan.findIndex(({ detail }) => detail.includes('webhook_triggers'));
    const loop = plan.findLast(
      ({ detail }, index) => index < triggers && detail.startsWith('CORRELATED SCALAR SUBQUERY'),
    );
    const steps = plan.filter(({ parent }) => parent === loop?.parent).map(({ detail }) => detail);
    assert.ok(steps.includes('SEARCH webhooks USING INTEGER PRIMARY KEY (rowid=?)'), steps.join('\n'));
  });

  it('can be prepared and planned on PostgreSQL, which infers the type of each parameter', async () => {
    const refused: string[] = [];
    for (const { name, sql, slots } of distinct('postgres')) {
      try {
        const nothing = slots.length === 0 ? '' : `(${slots.map(() => 'null').join(',')})`;
        await stores.postgres.query(
          `deallocate all; prepare asked as ${sql}; explain execute asked${nothing}`,
        );
      } catch (error) {
        refused.push(`${name}: ${(error as Error).message}`);
      }
    }
    assert.deepEqual(refused, []);
  });

  // A shape of the wrong type gives one text for all shapes, which no request uses. It is also cached in place of the
  // right one, so that the next test file in this process reads wrong rows.
  it('has different texts for its shapes', () => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const textsByStatement = new Map<string, string[]>();
      for (const { name, statement } of statements) {
        const exported = name.split(' ').slice(0, 2).join(' ');
        const texts = textsByStatement.get(exported) ?? [];
        textsByStatement.set(exported, [...texts, compile(statement, engine).sql]);
      }
      const same = [...textsByStatement]
        .filter(([, texts]) => texts.length > 1 && new Set(texts).size === 1)
        .map(([exported]) => exported);
      assert.deepEqual(same, [], engine);
    }
  });

  it('binds the same parameters in the same order on both', () => {
    for (const { name, statement } of statements) {
      const [lite, post] = [compile(statement, 'sqlite'), compile(statement, 'postgres')];
      assert.deepEqual(new Set(post.slots), new Set(lite.slots), name);
    }
  });
});

/**
 * The texts with which stored counts, sums and words are held against their rows, and those that mend them, are plain SQL
 * (decision 0101), so only an engine finds a mistake in them.
 */
describe('every plain text about derived rows', () => {
  let stores: BothStores;
  const texts: string[] = [];
  before(async () => {
    stores = await openBothStores();
    const rows = async (text: string) => {
      texts.push(text);
      return [{ n: 1, id: 1 }];
    };
    const run = async (statement: Statement<unknown>) => texts.push(compile(statement, 'sqlite').sql);
    const store = { engine: 'sqlite', rows, close: async () => {} } as const;
    await wrongCounts(store, 5);
    await wrongWords(store, 5);
    await sumAnew({ run } as unknown as Tx, await wrongSums(store, 5));
    for (const { removal } of await findLeftovers(store, 5)) if (removal !== undefined) await run(removal);
  });
  after(() => stores.close());

  it('can be prepared on both engines', async () => {
    const faults: string[] = [];
    for (const text of texts) {
      try {
        stores.sqlite.prepare(text);
        await stores.postgres.query(`prepare asked as ${text}`);
        await stores.postgres.query('deallocate asked');
      } catch (error) {
        faults.push(`${(error as Error).message}: ${text}`);
      }
    }
    // A text of all counts; two for each of seven indexes and five sums; one for each of four tables and two removals.
    assert.equal(texts.length, 1 + 14 + 10 + 6);
    assert.deepEqual(faults, []);
  });
});

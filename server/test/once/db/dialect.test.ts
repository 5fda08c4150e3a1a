import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type BothStores, openBothStores } from 'confab-testing/stores/both-stores.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import {
  anyOf,
  atLeast,
  atMost,
  containsWords,
  flagIn,
  inLimitedRows,
  isUniqueViolation,
  jsonArrayOf,
  lastCharacters,
  matches,
  nullsLowest,
  numberIn,
  numbersOf,
  recordsOf,
  rowCount,
  searchExpression,
  searchNeedles,
  textIn,
  textsOf,
  timedUuid,
  unindexed,
} from '../../../src/db/dialect.ts';
import { command, query } from '../../../src/db/statement.ts';
import { parseQuestion, searchWords } from '../../../src/kernel/search.ts';

let stores: BothStores;
before(async () => {
  stores = await openBothStores();
});
after(() => stores.close());

/** What both engines answer; fails when they differ. */
async function agreed<R>(...asked: Parameters<typeof stores.ask<R>>): Promise<R[]> {
  const { sqlite, postgres } = await stores.ask(...asked);
  assert.deepEqual(postgres, sqlite);
  return sqlite;
}

const awkwardTexts = [
  '',
  'a',
  'NULL',
  '{}',
  '"',
  "'",
  '\\',
  'a,b',
  '{"x":1}',
  ' ',
  '\n',
  'ä',
  '😀',
  '[1]',
  '%_',
];

/** A list of any length is bound as one value, and its elements come in their order. */
describe('arrays as parameters', () => {
  it('unpacks texts and numbers with their positions', async () => {
    const texts = query<{ texts: readonly string[] }>()((q, value) =>
      q
        .selectFrom(textsOf(value('texts'), 'given'))
        .select([sql<number>`given.key`.as('key'), sql<string>`given.value`.as('value')])
        .orderBy(sql`given.key`),
    );
    const numbers = query<{ numbers: readonly number[] }>()((q, value) =>
      q
        .selectFrom(numbersOf(value('numbers'), 'given'))
        .select([sql<number>`given.key`.as('key'), sql<number>`given.value`.as('value')])
        .orderBy(sql`given.key`),
    );
    assert.deepEqual(
      await agreed(texts, { texts: awkwardTexts }),
      awkwardTexts.map((value, key) => ({ key, value })),
    );
    const numbersGiven = [5, -1, 0, Number.MAX_SAFE_INTEGER];
    assert.deepEqual(
      await agreed(numbers, { numbers: numbersGiven }),
      numbersGiven.map((value, key) => ({ key, value })),
    );
    assert.deepEqual(await agreed(texts, { texts: [] }), []);
  });

  it('finds which values are among the elements', async () => {
    const among = query<{ all: readonly string[]; some: readonly string[] }>()((q, value) =>
      q
        .selectFrom(textsOf(value('all'), 'given'))
        .select([
          sql<string>`given.value`.as('value'),
          sql<number>`${anyOf(sql.ref('given.value'), value('some'))}`.as('isAmong'),
        ])
        .orderBy(sql`given.key`),
    );
    assert.deepEqual(await agreed(among, { all: ['a', 'b', ''], some: ['b', ''] }), [
      { value: 'a', isAmong: 0 },
      { value: 'b', isAmong: 1 },
      { value: '', isAmong: 1 },
    ]);
    assert.deepEqual(await agreed(among, { all: ['a'], some: [] }), [{ value: 'a', isAmong: 0 }]);
  });
});

/** Many rows are written with one statement from a JSON text, and what a record lacks is null. */
describe('records as a parameter', () => {
  it('reads numbers, texts and flags', async () => {
    const read = query<{ records: string }>()((q, value) =>
      q
        .selectFrom(recordsOf(value('records'), 'given'))
        .select([
          numberIn('given', 'n').as('number'),
          textIn('given', 't').as('text'),
          flagIn('given', 'isIt').as('flag'),
        ])
        .orderBy(sql`given.key`),
    );
    const records = [
      { n: 1, t: 'a', isIt: true },
      { n: Number.MAX_SAFE_INTEGER, t: awkwardTexts.join('|'), isIt: false },
      { n: null, t: null, isIt: null },
      {},
    ];
    assert.deepEqual(await agreed(read, { records: JSON.stringify(records) }), [
      { number: 1, text: 'a', flag: 1 },
      { number: Number.MAX_SAFE_INTEGER, text: awkwardTexts.join('|'), flag: 0 },
      { number: null, text: null, flag: null },
      { number: null, text: null, flag: null },
    ]);
  });
});

/** Pages and their order are those of SQLite: texts by their bytes, and what is null before everything. */
describe('orders and pages', () => {
  const names = ['B', 'a', 'b', 'Ä', 'ä', 'z', '😀', 'ｚ', 'Z', '_', '-', 'é', 'zz', 'a b'];
  before(async () => {
    for (const [index, name] of names.entries())
      await agreed(insertUser, { uid: `order-${index}`, name: index % 5 === 4 ? null : name, at: index });
  });
  const insertUser = command<{ uid: string; name: string | null; at: number }>()((q, value) =>
    q.insertInto('users').values({
      uid: value('uid'),
      display_name: value('uid'),
      name: value('name'),
      tags: '[]',
      is_bot: 0,
      created_at: value('at'),
    } as never),
  );
  const page = (direction: 'asc' | 'desc') =>
    query<{ top: number; skip: number }>()((q, value) =>
      q
        .selectFrom('users')
        .select(['name', 'uid'])
        .where('uid', '<>', 'system')
        .orderBy('name', nullsLowest(direction))
        .orderBy('uid', direction)
        .limit(rowCount(value('top')))
        .offset(rowCount(value('skip'))),
    );

  it('sorts texts by their code points and null before them', async () => {
    const rows = await agreed(page('asc'), { top: 100, skip: 0 });
    const codePoints = rows.map(({ name }) => (name === null ? '' : Buffer.from(name).toString('hex')));
    assert.deepEqual(codePoints, [...codePoints].sort());
    assert.equal(rows.filter(({ name }) => name === null).length, 2);
    assert.deepEqual(await agreed(page('desc'), { top: 100, skip: 0 }), rows.toReversed());
  });

  it('limits and skips by parameters', async () => {
    const all = await agreed(page('asc'), { top: 100, skip: 0 });
    assert.deepEqual(await agreed(page('asc'), { top: 3, skip: 2 }), all.slice(2, 5));
    assert.deepEqual(await agreed(page('asc'), { top: 0, skip: 0 }), []);
  });

  it('reads the first of each from an index', async () => {
    const firsts = query<{ top: number }>()((q, value) =>
      q
        .selectFrom('directories')
        .innerJoin('users', (join) =>
          join.on(
            inLimitedRows(
              sql.ref('users.id'),
              q
                .selectFrom('users as people')
                .select('people.id')
                .where('people.directory_id', '=', sql.ref<number>('directories.id'))
                .orderBy('people.id')
                .limit(rowCount(value('top'))),
            ),
          ),
        )
        .select(['directories.name', 'users.uid'])
        .orderBy('directories.id')
        .orderBy('users.id'),
    );
    for (const engine of ["insert into directories (name, created_at) values ('one', 1), ('two', 1)"])
      await onBoth(engine);
    await onBoth("update users set directory_id = 1 + id % 2 where uid <> 'system'");
    const rows = await agreed(firsts, { top: 2 });
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['one', 'one', 'two', 'two'],
    );
  });

  it('gives the same numbers and texts', async () => {
    const facts = query<{ none: number; some: number; tail: number }>()((q, value) =>
      q
        .selectFrom('users')
        .select([
          atLeast(value('none'), 0).as('raised'),
          atLeast(value('some'), 0).as('kept'),
          atMost(sql.ref('modified_at'), value('some')).as('absent'),
          atMost(sql.ref('created_at'), value('some')).as('lesser'),
          lastCharacters(sql.ref('uid'), value('tail')).as('tail'),
        ])
        .where(unindexed(sql.ref<string>('uid')), '=', 'order-12'),
    );
    assert.deepEqual(await agreed(facts, { none: -3, some: 7, tail: 4 }), [
      { raised: 0, kept: 7, absent: 7, lesser: 7, tail: 'r-12' },
    ]);
  });

  it('turns rows into JSON in their order', async () => {
    const names = query<{ upto: number }>()((q, value) =>
      q.selectNoFrom(
        jsonArrayOf(sql.ref('uid'), {
          from: sql`users where created_at <= ${value('upto')} and uid <> 'system'`,
          order: sql`created_at desc`,
        }).as('names'),
      ),
    );
    assert.deepEqual(await agreed(names, { upto: 2 }), [{ names: '["order-2","order-1","order-0"]' }]);
    assert.deepEqual(await agreed(names, { upto: -1 }), [{ names: '[]' }]);
  });

  it('creates a UUID for each row, in the order of the given times', async () => {
    const ids = query<{ at: number }>()((q, value) =>
      q.selectFrom('users').select(timedUuid(value('at')).as('id')),
    );
    const [at, later] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 1) + 1];
    const [early, late] = [await stores.ask(ids, { at }), await stores.ask(ids, { at: later })];
    for (const engine of ['sqlite', 'postgres'] as const) {
      const [some, others] = [early[engine], late[engine]].map((rows) => rows.map(({ id }) => id));
      assert.equal(new Set([...(some ?? []), ...(others ?? [])]).size, 2 * (names.length + 1));
      for (const id of some ?? []) {
        assert.match(id, /^019b76da-a800-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        for (const other of others ?? []) assert.ok(id < other, `${id} is before ${other}`);
      }
    }
  });

  it('distinguishes a taken unique value from every other failure', async () => {
    const failures = async (text: string) => {
      const found: unknown[] = [];
      try {
        stores.sqlite.exec(text);
      } catch (error) {
        found.push(error);
      }
      await stores.postgres.query(text).catch((error: unknown) => found.push(error));
      assert.equal(found.length, 2);
      return found;
    };
    for (const error of await failures("update users set uid = 'order-1' where uid = 'order-2'")) {
      assert.ok(isUniqueViolation(error, 'users.uid'));
      assert.ok(!isUniqueViolation(error, 'apps.uid'));
    }
    for (const error of await failures('update users set directory_id = 99 where id = 2'))
      assert.ok(!isUniqueViolation(error, 'users.uid'));
  });
});

async function onBoth(text: string): Promise<void> {
  stores.sqlite.exec(text);
  await stores.postgres.query(text);
}

/** A search finds the same on both engines: whole words, beginnings and phrases, in texts of any length. */
describe('search', () => {
  const indexEntry = command<{ id: number; words: string }>()((q, value) =>
    q.insertInto('entry_search').values({ rowid: value('id'), words: value('words') }),
  );
  const found = query<{ question: readonly string[] }>()((q, value) =>
    q
      .selectFrom('entry_search')
      .select('rowid')
      .where(matches('entry_search', value('question')))
      .orderBy('rowid'),
  );
  let indexed = 0;

  async function search(texts: readonly string[], q: string, scope?: string): Promise<number[]> {
    await onBoth('delete from entry_search');
    for (const [id, text] of texts.entries())
      await agreed(indexEntry, { id: id + 1, words: searchWords(text) + (scope ? ` ${scope}` : '') });
    indexed += texts.length;
    const terms = parseQuestion(q);
    assert.ok(terms);
    const ids = (
      await agreed(found, { question: searchExpression(terms, scope === undefined ? undefined : [scope]) })
    ).map(({ rowid }) => rowid);
    const isExpected = (text: string) =>
      searchNeedles(terms).every((needle) => ` ${searchWords(text)} `.includes(needle));
    assert.deepEqual(
      ids,
      texts.flatMap((text, index) => (isExpected(text) ? [index + 1] : [])),
    );
    return ids;
  }

  it('finds words, prefixes and phrases', async () => {
    const texts = ['The quick brown fox', 'A fox, quickly: brown!', 'quick brown foxes', 'Brown fox'];
    assert.deepEqual(await search(texts, 'quick'), [1, 2, 3]);
    assert.deepEqual(await search(texts, '"quick"'), [1, 3]);
    assert.deepEqual(await search(texts, '"brown fox"'), [1, 4]);
    assert.deepEqual(await search(texts, 'brown-fox'), [1, 3, 4]);
    assert.deepEqual(await search(texts, 'fox "quick brown"'), [1, 3]);
  });

  it('finds words of scripts without spaces and with marks', async () => {
    const texts = ['我们的中文测试', '中间文字', 'क़िताब और लोग', 'Ｆｕｌｌ Éclair', 'ﬁne 한국어'];
    assert.deepEqual(await search(texts, '中文'), [1]);
    assert.deepEqual(await search(texts, 'क़िता'), [3]);
    assert.deepEqual(await search(texts, 'full eclair'), [4]);
    assert.deepEqual(await search(texts, 'fine 한국'), [5]);
  });

  it('takes no word for an operator of the query', async () => {
    const texts = ["and or not near a'b \\ c:d* & | ! <-> (x)", 'AND'];
    assert.deepEqual(await search(texts, "not AND a'b \\ c:d & | ! <-> (x)"), [1]);
    assert.deepEqual(await search(texts, '"and" AND'), [1, 2]);
  });

  it('finds a phrase anywhere in a long text, however often its words stand there', async () => {
    const texts = [`${'alpha '.repeat(20_000)}beta gamma`, `beta ${'alpha '.repeat(20_000)}gamma`];
    assert.deepEqual(await search(texts, '"alpha beta gamma"'), [1]);
    assert.deepEqual(await search(texts, '"beta alpha"'), [2]);
  });

  it('finds an endless word by its beginning', async () => {
    const texts = ['x'.repeat(60_000), `${'ä'.repeat(3000)} end`, '😀'.repeat(3000), '𒀀'.repeat(9000)];
    assert.deepEqual(await search(texts, 'xxxx'), [1]);
    assert.deepEqual(await search(texts, `"${'ä'.repeat(100)}" end`), []);
    assert.deepEqual(await search(texts, `${'ä'.repeat(100)} end`), [2]);
    assert.deepEqual(await search(texts, '𒀀𒀀'), [4]);
  });

  it('finds only rows that also have the scope word', async () => {
    assert.deepEqual(await search(['fox', 'dog'], 'fo', '\ue000comment\ue0001'), [1]);
  });

  it('agrees on any text and query of a few words', async () => {
    const word = fc.constantFrom(
      ...['a', 'ab', 'abc', 'b', 'bc', 'é', '中', '文', 'ß', 'SS', 'ẞ', '1', '12', 'x_y'],
      ...['🎉', '👍', '👍🏽', '👨‍👩‍👧', '👨', '❤️', '❤', '🇩🇪', '1️⃣', '#️⃣', '€', '+', 'a+', 'c++', '!', '++'],
    );
    const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
    const term = fc.oneof(
      word,
      fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`),
      fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join('-')),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(text, { minLength: 1, maxLength: 4 }),
        fc.array(term, { minLength: 1, maxLength: 3 }),
        async (texts, terms) => void (await search(texts, terms.join(' '))),
      ),
      { numRuns: 150, seed: 4 },
    );
    assert.ok(indexed > 300);
  });

  it('finds needles in texts without an index', async () => {
    const haystacks = query<{ texts: readonly string[]; needles: readonly string[] }>()((q, value) =>
      q
        .selectFrom(textsOf(value('texts'), 'given'))
        .select(sql<string>`given.value`.as('value'))
        .where(containsWords(sql<string>`given.value`, value('needles')))
        .orderBy(sql`given.key`),
    );
    const texts = [' comment created ', ' created comment ', ' post created '];
    const needles = (q: string) => searchNeedles(parseQuestion(q) ?? []);
    assert.deepEqual(await agreed(haystacks, { texts, needles: needles('comm crea') }), [
      { value: texts[0] },
      { value: texts[1] },
    ]);
    assert.deepEqual(await agreed(haystacks, { texts, needles: needles('"comment created"') }), [
      { value: texts[0] },
    ]);
    assert.equal((await agreed(haystacks, { texts, needles: [] })).length, 3);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { limits } from 'confab-contract/fields.ts';
import { makeApp, makeBlob, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, use, useServer } from 'confab-testing/server.ts';
import { pageBytesMax } from '../../../src/kernel/page.ts';

const statements: string[] = [];
const comments: number[] = [];

const server = useServer({}, { isQuiet: true, onStatement: (sql) => statements.push(sql) });
const app = use(() => makeApp(server, { uid: 'listed', name: 'Listed' }));
before(async () => {
  for (let i = 1; i <= 30; i += 1)
    comments.push(
      (await makeComment(server, app.id, { text: `number ${i}`, tags: i % 2 === 0 ? ['even'] : [] })).id,
    );
});
type Listed = { id: number };

async function page(query: string, path = `/api/apps/${app.id}/comments`) {
  const { body } = await server.call('GET', `${path}?${query}`);
  return body;
}

/** Positions (from 1) of the comments on a page. */
async function positions(query: string): Promise<number[]> {
  return (await page(query)).data.map((item: Listed) => comments.indexOf(item.id) + 1);
}

function range(from: number, to: number): number[] {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => from + i * step);
}

// A hundred comments of 64 KiB are 39 MB of JSON, more than one read request may cost.
describe('a page of large items', () => {
  const large: number[] = [];
  let place: number;
  before(async () => {
    place = (await makeApp(server, {})).id;
    // Each of these characters takes four in HTML.
    const text = '<'.repeat(limits.textBytesMax);
    for (let i = 0; i < 14; i += 1) large.push((await makeComment(server, place, { text })).id);
  });

  test('ends at 4 MiB, and the next one continues at its end', async () => {
    const seen: number[] = [];
    let pages = 0;
    for (let end = 0; seen.length < large.length; pages += 1) {
      const answer = await server.call('GET', `/api/apps/${place}/comments?top=100&skip=${end}`);
      assert.ok(Buffer.byteLength(answer.text) <= pageBytesMax + 1024, `${answer.text.length}`);
      assert.deepEqual([answer.body.start, answer.body.count], [end + 1, large.length]);
      assert.equal(answer.body.end, end + answer.body.data.length);
      assert.ok(answer.body.data.length > 0);
      seen.push(...answer.body.data.map((item: Listed) => item.id));
      end = answer.body.end;
    }
    assert.deepEqual(seen, large);
    assert.equal(pages, 2);
  });

  test('of the feed ends there too, for a key and for a user', async () => {
    const { id, token } = await makeUser(server);
    await server.call('PUT', `/api/apps/${place}/members/${id}`, { access: 'read' });
    for (const as of [server.key, token]) {
      const seen: number[] = [];
      for (let after = 0, hasMore = true; hasMore; ) {
        const { text, body } = await server.call('GET', `/api/events?top=100&after=${after}`, undefined, {
          as,
        });
        assert.ok(Buffer.byteLength(text) <= pageBytesMax + 1024, `${text.length}`);
        for (const event of body.data as { action: string; comment?: Listed }[])
          if (event.action === 'comment_created' && large.includes(event.comment?.id ?? 0))
            seen.push(event.comment?.id ?? 0);
        assert.ok(body.next > after || !body.has_more);
        [after, hasMore] = [body.next, body.has_more];
      }
      assert.deepEqual(seen, large);
    }
  });
});

// A page has the 1-based positions of its first and last item, and the total count.
describe('the envelope', () => {
  for (const [query, numbers] of [
    ['', { start: 1, end: 25, count: 30, length: 25 }],
    ['top=10', { start: 1, end: 10, count: 30, length: 10 }],
    ['top=10&skip=25', { start: 26, end: 30, count: 30, length: 5 }],
    ['skip=30', { start: 0, end: 0, count: 30, length: 0 }],
    ['skip=1000000', { start: 0, end: 0, count: 30, length: 0 }],
    ['top=100', { start: 1, end: 30, count: 30, length: 30 }],
    ['tag=even&top=4&skip=4', { start: 5, end: 8, count: 15, length: 4 }],
    ['q=number&skip=29', { start: 30, end: 30, count: 30, length: 1 }],
  ] as const)
    test(`of ?${query} is right`, async () => {
      const { data, start, end, count } = await page(query);
      assert.deepEqual({ start, end, count, length: data.length }, numbers);
    });

  test('of pages one after the other holds each item once', async () => {
    const seen: number[] = [];
    for (let skip = 0; skip < 30; skip += 7)
      seen.push(...(await positions(`order_by=created_at&top=7&skip=${skip}`)));
    assert.deepEqual(seen, range(1, 30));
  });

  test('has only the count with count_only, and everything but the count with count=false', async () => {
    assert.deepEqual(await page('count_only=true'), { count: 30 });
    assert.deepEqual(await page('countOnly=TRUE&tag=even&top=1'), { count: 15 });
    assert.deepEqual(Object.keys(await page('count=false')).sort(), ['data', 'end', 'start']);
    assert.deepEqual(await page('count_only=true&count=false'), { count: 30 });
    assert.equal((await page('count_only=1')).data.length, 25);
  });

  for (const path of [
    '/api/apps',
    '/api/comments',
    '/api/apps/listed/members',
    '/api/apps/listed/comments',
    '/api/webhooks',
  ])
    test(`of an empty page of ${path} has zeros`, async () => {
      const { data, start, end } = await page('skip=5000', path);
      assert.deepEqual({ data, start, end }, { data: [], start: 0, end: 0 });
      const only = await page('count_only=true', path);
      assert.deepEqual(Object.keys(only), ['count']);
    });
});

// Malformed parameters are ignored, and numbers out of range are clamped.
describe('top and skip', () => {
  for (const [query, length] of [
    ['top=1', 1],
    ['top=100', 30],
    ['top=0', 1],
    ['top=-5', 1],
    ['top=101', 30],
    ['top=1000000000000000000000000000000', 30],
    ['top=abc', 25],
    ['top=', 25],
    ['top=5.5', 25],
    ['top=1e2', 25],
    ['top=null', 25],
    ['top=%D9%A1%D9%A0', 25],
    ['top=3&top=7', 3],
    ['TOP=3', 3],
    ['top%5B%5D=3', 25],
    ['top%00=3', 25],
    ['skip=-1', 25],
    ['skip=abc', 25],
    ['skip=1e9', 25],
    ['skip=9007199254740991', 0],
    ['skip=9007199254740992', 0],
    ['skip=99999999999999999999', 0],
  ] as const)
    test(`?${query} lists ${length}`, async () => {
      assert.equal((await page(query)).data.length, length);
    });
});

// A list is sorted by the fields that it declares, in either spelling, and by id among equals.
describe('order_by', () => {
  for (const [query, expected] of [
    ['order_by=id', range(1, 25)],
    ['order_by=id+desc', range(30, 6)],
    ['order_by=id%20desc', range(30, 6)],
    ['order_by=id%2Bdesc', range(30, 6)],
    ['order_by=id+asc', range(1, 25)],
    ['orderby=ID+DESC', range(30, 6)],
    ['OrderBy=createdat+desc', range(30, 6)],
    ['order_by=created_at', range(1, 25)],
    ['order_by=modified_at+desc', range(30, 6)],
    ['order_by=', range(1, 25)],
    ['order_by=text', range(1, 25)],
    ['order_by=id+sideways', range(1, 25)],
    ['order_by=id,created_at', range(1, 25)],
    ['order_by=-id', range(1, 25)],
    ['order_by=1', range(1, 25)],
    ['order_by=constructor', range(1, 25)],
    ['order_by=id%3Bdrop%20table%20entries', range(1, 25)],
    ['order_by=(select%201)', range(1, 25)],
  ] as const)
    test(`?${query}`, async () => {
      assert.deepEqual(await positions(query), expected);
    });

  for (const field of ['id', 'uid', 'type', 'name', 'created_at', 'modified_at'])
    test(`sorts apps by ${field} in both directions, ties by id`, async () => {
      const up = (await page(`order_by=${field}`, '/api/apps')).data.map((item: Listed) => item.id);
      const down = (await page(`order_by=${field}+desc`, '/api/apps')).data.map((item: Listed) => item.id);
      assert.ok(up.length > 1);
      assert.deepEqual(down, [...up].reverse());
    });

  before(async () => {
    await makeApp(server, { uid: 'sorted-b', name: 'Alpha', type: 'chat' });
    await makeApp(server, { uid: 'sorted-a', name: 'Beta' });
  });
});

// A search matches each of its words as a prefix, in any script and case, in the visible text.
describe('q', () => {
  let place: number;
  const texts = [
    'The quick brown fox jumps over the lazy dog',
    'A Quick-witted foxglove in Ångström units',
    '日本語の検索は難しい',
    'Ёлка и ёж под ёлкой',
    'naïve café crème brûlée',
    'see https://example.com/path?a=b and mail me@example.com',
    'snake_case and camelCase v1.2.3',
    'ไทย ภาษา',
    'AND OR NOT NEAR',
  ];
  before(async () => {
    place = (await makeApp(server)).id;
    for (const text of texts) await makeComment(server, place, { text });
  });

  for (const [q, expected] of [
    ['quick', [0, 1]],
    ['QUICK fox', [0, 1]],
    ['fox qui', [0, 1]],
    ['ick', []],
    ['"quick brown"', [0]],
    ['"brown quick"', []],
    ['"quick bro"', []],
    ['"fox"', [0]],
    ['angstrom', [1]],
    ['Ångs', [1]],
    ['検索', [2]],
    ['索検', []],
    ['日本', [2]],
    ['語', [2]],
    ['ёлк', [3]],
    ['ЁЖ', [3]],
    ['cafe', [4]],
    ['CAFÉ', [4]],
    ['creme brulee', [4]],
    ['example.com', [5]],
    ['me@example', [5]],
    ['snake', [6]],
    ['camelcase', [6]],
    ['v1.2', [6]],
    ['ภาษา', [7]],
    ['and or', [8]],
    ['NEAR(', [8]],
    ['not', [8]],
    ['fox NOT dog', []],
    ['fox*', [0, 1]],
    ['lazy"', [0]],
    ['text:fox', []],
    ['quick nowhere', []],
  ] as const)
    test(`finds with ${q}`, async () => {
      const body = await page(`q=${encodeURIComponent(q)}`, `/api/apps/${place}/comments`);
      const found = body.data.map((item: { text: string }) => texts.indexOf(item.text));
      assert.deepEqual(found, expected);
      assert.equal(body.count, expected.length);
    });

  for (const q of ['', ' ', ' \t ', '\u0000'])
    test(`that is blank (${JSON.stringify(q)}) lists everything`, async () => {
      assert.equal(
        (await page(`q=${encodeURIComponent(q)}`, `/api/apps/${place}/comments`)).count,
        texts.length,
      );
    });

  for (const q of [
    '"',
    '""',
    '*',
    '%',
    '_',
    '\\',
    '(',
    '('.repeat(2000),
    '-',
    ':',
    '!!!',
    '...',
    '\ufe0f',
    '🏽',
  ])
    test(`without a searchable word (${JSON.stringify(q.slice(0, 4))}) finds nothing`, async () => {
      const path = `/api/apps/${place}/comments`;
      assert.deepEqual((await page(`q=${encodeURIComponent(q)}`, path)).data, []);
      assert.deepEqual(await page(`q=${encodeURIComponent(q)}&count_only=true`, path), { count: 0 });
    });

  test('of more than 32 words finds nothing, and 32 all count', async () => {
    const count = async (words: readonly string[]) =>
      (await page(`q=${encodeURIComponent(words.join(' '))}`, `/api/apps/${place}/comments`)).count;
    const many = Array.from({ length: 31 }, () => 'quick');
    assert.equal(await count([...many, 'fox']), 2);
    assert.equal(await count([...many, 'nowhere']), 0);
    assert.equal(await count([...many, 'fox', 'quick']), 0);
    const long = 'x'.repeat(300);
    assert.equal(await count([long, 'fox']), 0);
    assert.equal(await count(['fox', 'brown', long]), 0);
  });

  test('finds apps by uid, name and description', async () => {
    const word = `zebra${freshUid('')}`.replace('-', '');
    const made = [
      await makeApp(server, { uid: `${word}-uid` }),
      await makeApp(server, { name: `A ${word} crossing` }),
      await makeApp(server, { description: `about a ${word}` }),
    ];
    await makeApp(server, { metadata: { word }, tags: [word] });
    const { data } = await page(`q=${word}`, '/api/apps');
    assert.deepEqual(
      data.map(({ id }: Listed) => id),
      made.map(({ id }) => id),
    );
    assert.equal((await page(`q=${word}+crossing`, '/api/apps')).count, 1);
    await server.call('PATCH', `/api/apps/${made[1]?.id}`, { name: 'renamed' });
    assert.equal((await page(`q=${word}`, '/api/apps')).count, 2);
  });
});

// Tags must match exactly, including case.
describe('tag', () => {
  test('lists only items that have it', async () => {
    const place = (await makeApp(server)).id;
    const tags = ['Plan', 'plan', 'pla', "o'clock", '100%', 'a_b', 'ü', 'two words'];
    for (const tag of tags) await makeComment(server, place, { tags: [tag] });
    for (const tag of tags) {
      const { count, data } = await page(`tag=${encodeURIComponent(tag)}`, `/api/apps/${place}/comments`);
      assert.equal(count, 1, tag);
      assert.deepEqual(data[0].tags, [tag]);
    }
    for (const tag of ['%', '_', 'pl', 'PLAN', '\u0000x', 'x'.repeat(10_000)])
      assert.equal(
        (await page(`tag=${encodeURIComponent(tag)}`, `/api/apps/${place}/comments`)).count,
        0,
        tag.slice(0, 9),
      );
  });

  test('combines with q and trashed', async () => {
    const place = (await makeApp(server)).id;
    const one = await makeComment(server, place, { text: 'red fish', tags: ['t'] });
    await makeComment(server, place, { text: 'blue fish', tags: ['t'] });
    await makeComment(server, place, { text: 'red bird' });
    await server.call('POST', `/api/comments/${one.id}/trash`);
    const count = async (query: string) =>
      (await page(`${query}&count_only=true`, `/api/apps/${place}/comments`)).count;
    assert.equal(await count('q=red&tag=t'), 0);
    assert.equal(await count('q=red&tag=t&trashed=true'), 1);
    assert.equal(await count('q=red&tag=t&trashed=null'), 1);
    assert.equal(await count('q=red&trashed=null'), 2);
    assert.equal(await count('q=fish&tag=t&trashed=null'), 2);
  });
});

// Trashed items are left out unless `trashed` is exactly true or null.
describe('trashed', () => {
  let place: number;
  before(async () => {
    place = (await makeApp(server)).id;
    await makeComment(server, place);
    const { id } = await makeComment(server, place);
    await server.call('POST', `/api/comments/${id}/trash`);
  });
  for (const [query, flags] of [
    ['', [false]],
    ['trashed=false', [false]],
    ['trashed=true', [true]],
    ['trashed=TRUE', [true]],
    ['trashed=null', [false, true]],
    ['trashed=Null', [false, true]],
    ['trashed=', [false]],
    ['trashed=1', [false]],
    ['trashed=yes', [false]],
    ['trashed=nul', [false]],
    ['trashed=%00', [false]],
    ['trashed=true%00', [false]],
    ['trashed=false&trashed=true', [false]],
    ['trashed[]=true', [false]],
    ['trashed=%E0%A4%A', [false]],
    ['t_r_ashed=true', [true]],
  ] as const)
    test(`?${query}`, async () => {
      const body = await page(query, `/api/apps/${place}/comments`);
      assert.deepEqual(
        body.data.map((item: { is_trashed: boolean }) => item.is_trashed),
        flags,
      );
      assert.equal(body.count, flags.length);
    });
});

// Apps can be filtered by type and by whether they belong to a page of the host product.
describe('the types of listed apps', () => {
  const tagged = { tags: ['by-type'] };
  before(async () => {
    for (const type of ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat'])
      await makeApp(server, { type, ...tagged });
  });
  for (const [query, types] of [
    ['', ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat']],
    ['contextual=true', ['chat', 'comments', 'files', 'posts']],
    ['contextual=false', ['chat_room', 'private_chat']],
    ['contextual=null', ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat']],
    ['contextual=perhaps', ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat']],
    ['type=comments', ['comments']],
    ['type=88F96A08-c6c1-4eac-a0bd-5bf8fba1a3fd', ['comments']],
    ['type=comments&type=CHAT', ['chat', 'comments']],
    ['type=comments,chat', ['chat', 'comments']],
    ['type=', ['chat', 'comments', 'files', 'posts', 'chat_room', 'private_chat']],
    ['type=00000000-0000-0000-0000-000000000000', []],
    ['type=nothing&type=files', ['files']],
    ['type=chat_room&contextual=true', []],
    [
      range(1, 60)
        .map((i) => `type=t${i}`)
        .join('&'),
      [],
    ],
  ] as const)
    test(`?${query.slice(0, 60)}`, async () => {
      const body = await page(`tag=by-type&${query}`, '/api/apps');
      assert.deepEqual(
        body.data.map((item: { type: string }) => item.type),
        types,
      );
      assert.equal(body.count, types.length);
    });
});

// Items are flat unless the request expands them; the reference client does so by its user agent.
describe('expand', () => {
  const extra = ['created_by', 'modified_by', 'parent'];
  let place: number;
  before(async () => {
    place = (await makeApp(server)).id;
    const { id } = await makeComment(server, place);
    await server.call('PATCH', `/api/comments/${id}`, { text: 'edited' });
  });
  const expanded = async (query: string, headers: Record<string, string> = {}) => {
    const { body } = await server.call('GET', `/api/apps/${place}/comments?${query}`, undefined, { headers });
    return extra.filter((name) => name in body.data[0]);
  };

  test('adds exactly the named fields', async () => {
    assert.deepEqual(await expanded(''), []);
    assert.deepEqual(await expanded('expand=created_by'), ['created_by']);
    assert.deepEqual(await expanded('expand=CreatedBy,parent'), ['created_by', 'parent']);
    assert.deepEqual(await expanded('expand=created_by,modified_by,parent,embed,meeting'), extra);
    assert.deepEqual(await expanded('expand=nothing,,parent'), ['parent']);
    assert.deepEqual(await expanded('expand=members'), []);
  });

  test('is everything for the reference client', async () => {
    assert.deepEqual(await expanded('', { 'x-weavy-source': '@weavy/uikit-web@21.1.2' }), extra);
    assert.deepEqual(await expanded('', { 'x-weavy-source': 'something else' }), []);
  });

  test('shows the members and authors of apps', async () => {
    const user = await makeUser(server);
    const mine = await makeApp(server, {}, { as: user.token });
    const { body } = await server.call('GET', `/api/apps?q=${mine.uid}&expand=members,created_by`);
    assert.equal(body.data[0].members.count, 1);
    assert.equal(body.data[0].created_by.uid, user.uid);
  });
});

// With `Prefer: handling=strict` (RFC 7240), a list reports the mistakes that it otherwise ignores.
describe('strict handling', () => {
  const strict = { prefer: 'handling=strict' };
  for (const [query, parameter] of [
    ['top=0', 'top'],
    ['top=101', 'top'],
    ['top=abc', 'top'],
    ['skip=-1', 'skip'],
    ['order_by=nothing', 'order_by'],
    ['trashed=perhaps', 'trashed'],
    ['count_only=1', 'count_only'],
    ['expand=nothing', 'expand'],
    ['contextual=maybe', 'contextual'],
    ['colour=red', 'colour'],
    [`q=${'word+'.repeat(33)}`, 'q'],
  ] as const)
    test(`refuses ?${query}`, async () => {
      // Lists declare no 400, because only this preference causes one; the contract check is left out.
      const response = await fetch(`${server.url}/api/apps?${query}`, {
        headers: { authorization: `Bearer ${server.key}`, ...strict },
      });
      assertProblem(
        { status: response.status, body: await response.json() },
        400,
        'invalid_query',
        parameter,
      );
    });

  test('confirms that it was applied to a valid request', async () => {
    const query =
      'q=a&tag=b&trashed=null&order_by=name+desc&top=3&skip=1&count=true&contextual=true&type=chat';
    const answer = await server.call('GET', `/api/apps?${query}`, undefined, { headers: strict });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
    const lenient = await server.call('GET', '/api/apps?top=0');
    assert.equal(lenient.headers.get('preference-applied'), null);
  });
});

// A page of 25 takes as many statements as a page of one: no query runs in a loop.
describe('the cost of a page', () => {
  let place: number;
  before(async () => {
    const authors = await Promise.all(range(1, 25).map(() => makeUser(server)));
    place = (await makeApp(server, { access: 'write' })).id;
    for (const author of authors) {
      const comment = await makeComment(
        server,
        place,
        {
          text: 'x',
          options: [{ text: 'a' }, { text: 'b' }],
          tags: ['t'],
          blobs: [await makeBlob(server, { as: author.token })],
        },
        { as: author.token },
      );
      await server.call('PATCH', `/api/comments/${comment.id}`, { text: 'y' });
      await server.call('PUT', `/api/apps/${place}/members/${author.uid}`);
      await makeApp(server, { tags: ['costly'], access: 'read' }, { as: author.token });
    }
  });

  /** The least of three runs, because the loops of the server also run statements. */
  async function cost(path: string): Promise<number> {
    const costs: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const from = statements.length;
      const { body } = await server.call('GET', path);
      assert.ok(body.data.length > 0);
      costs.push(statements.length - from);
    }
    return Math.min(...costs);
  }

  const expandAll = 'expand=created_by,modified_by,parent,embed,meeting,members';
  for (const [path, most] of [
    [() => `/api/apps/${place}/comments?`, 5],
    [() => `/api/apps/${place}/comments?${expandAll}&`, 7],
    // One statement counts the comments of the app, which decides whether to search their texts or the index.
    [() => `/api/apps/${place}/comments?q=y&tag=t&`, 7],
    // One asks whether so few are found that all are read.
    [() => `/api/comments?q=y&tag=t&${expandAll}&`, 8],
    [() => `/api/apps?tag=costly&${expandAll}&`, 6],
    [() => `/api/apps/${place}/members?`, 4],
  ] as const)
    test(`is the same for 1 and 25 of ${path.toString().slice(5)}`, async () => {
      const [one, many] = [await cost(`${path()}top=1`), await cost(`${path()}top=25`)];
      assert.equal((await page(`${path().split('?')[1]}top=25`, path().split('?')[0])).data.length, 25);
      assert.equal(one, many);
      assert.ok(many <= most, `${many} statements`);
    });
});

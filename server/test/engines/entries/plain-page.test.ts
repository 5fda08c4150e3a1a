import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeBlob, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';

// The addresses of attachments hold the time until which they are good.
const now = Date.now();
const server = useServer({}, { clock: { now: () => now } });

/** The page and its link to the next one, without `trashed`. */
async function page(path: string, as: string): Promise<{ text: string; link: string | undefined }> {
  const { status, text, headers } = await server.as(as).call('GET', path);
  assert.equal(status, 200, text);
  return { text, link: headers.get('link')?.replace('&trashed=null', '') };
}

// The engine joins the items of a plain page; with `trashed=null` and nothing in the trash the same list is put together
// from its rows.
describe('a page of comments that the engine joins', () => {
  let app: number;
  let token: string;
  const queries = [
    '',
    'top=1',
    'top=3&skip=2',
    'skip=900',
    'count=false',
    'order_by=id+desc&top=4',
    'top=100',
    'expand=created_by',
    'expand=parent,created_by,modified_by,embed,meeting&top=100',
  ];

  async function assertAlike(query: string): Promise<string | undefined> {
    const path = `/api/apps/${app}/comments?${query}`;
    const joined = await page(path, token);
    // A remembered page is the same each time.
    assert.deepEqual(await page(path, token), joined, query);
    assert.deepEqual(await page(`${path}&trashed=null`, token), joined, query);
    return joined.link;
  }

  async function assertAllAlike(): Promise<void> {
    for (const query of queries) await assertAlike(query);
    for (const direction of ['asc', 'desc']) {
      let link = await assertAlike(`order_by=id+${direction}&top=2`);
      for (let pages = 0; link !== undefined && pages < 20; pages += 1)
        link = await assertAlike(/\?(.*)>/.exec(link)?.[1] ?? '');
    }
  }

  before(async () => {
    token = (await makeUser(server)).token;
    app = (await makeApp(server.as(token), { access: 'write' })).id;
  });

  test('has the bytes of the page that is put together from rows', async () => {
    await assertAllAlike();
    const texts = [
      'plain',
      '"quoted" \\ back\nslash\u2028',
      'größer 文字 😀 **bold**',
      '\u0001 <b>&amp;</b>',
    ];
    for (const text of texts)
      await makeComment(server.as(token), app, { text, tags: ['t'], metadata: { a: '}]}', b: '\n' } });
    await assertAllAlike();
  });

  test('has them with attachments, polls and reactions as well', async () => {
    const poll = await makeComment(server.as(token), app, { options: [{ text: 'yes' }, { text: 'no' }] });
    await makeComment(server.as(token), app, { text: 'between' });
    const blobs = [await makeBlob(server.as(token)), await makeBlob(server.as(token))];
    await makeComment(server.as(token), app, { text: 'with files', blobs });
    for (const as of [token, (await makeUser(server)).token])
      await server.as(as).call('POST', `/api/comments/${poll.id}/reactions`, { content: '👍' });
    assert.equal((await server.read(`/api/comments/${poll.id}`)).reactions.length, 2);
    await assertAllAlike();
  });

  test('says at each place of the list where it begins, and only where asked how many there are', async () => {
    const other = (await makeApp(server.as(token), { access: 'write' })).id;
    const path = `/api/apps/${other}/comments`;
    const [first] = await Promise.all(
      Array.from({ length: 5 }, () => makeComment(server.as(token), other, { text: 'x' })),
    );
    const nextOf = async (query: string) => {
      const { headers } = await server.as(token).call('GET', `${path}?${query}`);
      return `${path}?top=2&after=${/after=([\w-]+)/.exec(headers.get('link') ?? '')?.[1]}`;
    };
    const before = await nextOf('top=3');
    await server.call('DELETE', `/api/comments/${first?.id}`);
    const after = await nextOf('top=2');
    const placeOf = async (url: string) => {
      const { start, end, count } = await server.as(token).read(url);
      return { start, end, count };
    };
    // The rows of both are the same.
    assert.deepEqual(await placeOf(after), { start: 3, end: 4, count: 4 });
    assert.deepEqual(await placeOf(before), { start: 4, end: 5, count: 4 });
    assert.deepEqual(await placeOf(`${before}&count=false`), { start: 4, end: 5, count: undefined });
  });

  test('has them where texts are long, and where they make the page too long', async () => {
    const text = 'long '.repeat(10_000);
    await makeComment(server.as(token), app, { text });
    await assertAllAlike();
    for (let i = 0; i < 40; i += 1) await makeComment(server.as(token), app, { text });
    await assertAllAlike();
    for (let i = 0; i < 60; i += 1) await makeComment(server.as(token), app, { text: 'x'.repeat(20_000) });
    await assertAlike('order_by=id+desc&top=100');
  });
});

describe('a page of threads that the engine joins', () => {
  let app: number;
  let token: string;

  type Shown = { readonly id: number; readonly root_id?: number; readonly replies?: readonly Shown[] };

  /** The threads of the list of all comments, which with `trashed=null` is put together from its rows. */
  async function threadsOf(expand: string, replies: number): Promise<Shown[]> {
    const { data } = await server
      .as(token)
      .read(`/api/apps/${app}/comments?order_by=id+asc&top=100&trashed=null${expand}`);
    const all = data as Shown[];
    return all
      .filter(({ root_id }) => root_id === undefined)
      .map((root) => ({
        ...root,
        replies: all.filter(({ root_id }) => root_id === root.id).slice(0, replies),
      }));
  }

  async function assertAlike(): Promise<void> {
    for (const expand of ['', '&expand=created_by,embed', '&expand=parent,created_by,modified_by,meeting'])
      for (const replies of [0, 2, 25]) {
        const expected = await threadsOf(expand, replies);
        const path = `/api/apps/${app}/comments?thread=roots&replies=${replies}${expand}`;
        for (const query of ['&top=20', '&top=20&order_by=id+desc', '&top=3', '&top=3&skip=1'] as const) {
          const ordered = query.includes('desc') ? expected.toReversed() : expected;
          const [skip, top] = query === '&top=3&skip=1' ? [1, 3] : [0, query === '&top=3' ? 3 : 20];
          const { text } = await page(path + query, token);
          const shown = ordered.slice(skip, skip + top);
          const [start, end] = shown.length === 0 ? [0, 0] : [skip + 1, skip + shown.length];
          assert.equal(text, JSON.stringify({ data: shown, start, end, count: expected.length }));
        }
        const paged: Shown[] = [];
        let next: string | undefined = `${path}&top=2`;
        while (next !== undefined) {
          const { text, link } = await page(next, token);
          paged.push(...JSON.parse(text).data);
          const query: string | undefined = /\?(.*)>/.exec(link ?? '')?.[1];
          next = query === undefined ? undefined : `/api/apps/${app}/comments?${query}`;
        }
        assert.deepEqual(paged, expected);
      }
  }

  const answer = async (reply_to: number, fields: object = {}, as = token) =>
    await makeComment(server.as(as), app, { text: 'an answer', ...fields, reply_to });

  before(async () => {
    token = (await makeUser(server)).token;
    app = (await makeApp(server.as(token), { access: 'write' })).id;
  });

  test('has what the list of all comments says, also with attachments, polls and reactions', async () => {
    await assertAlike();
    const other = (await makeUser(server)).token;
    for (let i = 0; i < 4; i += 1) {
      const root = await makeComment(server.as(token), app, {
        text: `größer ${i} "\n"`,
        metadata: { a: '\n' },
      });
      let below = root;
      for (let answers = 0; answers < i; answers += 1)
        below = await answer(answers === 1 ? root.id : below.id, {}, other);
    }
    await assertAlike();
    const poll = await makeComment(server.as(token), app, { options: [{ text: 'yes' }, { text: 'no' }] });
    const blobs = [await makeBlob(server.as(token))];
    const file = await answer(poll.id, { blobs });
    await answer(file.id);
    for (const as of [token, other])
      for (const { id } of [poll, file])
        await server.as(as).call('POST', `/api/comments/${id}/reactions`, { content: '👍' });
    await server
      .as(other)
      .call('PATCH', `/api/comments/${(await answer(poll.id, {}, other)).id}`, { text: 'edited' });
    await assertAlike();
  });

  test('has it where a text is long', async () => {
    const root = await makeComment(server.as(token), app, { text: 'long '.repeat(10_000) });
    await answer(root.id, { text: 'long '.repeat(10_000) });
    await assertAlike();
  });

  test('shows a new answer, an edited and a deleted one at once', async () => {
    const root = await makeComment(server.as(token), app, { text: 'last' });
    const path = `/api/apps/${app}/comments?thread=roots&top=1&order_by=id+desc`;
    const repliesOf = async () => {
      // The page is remembered from the second request on.
      await page(path, token);
      const { data } = await server.as(token).read(path);
      return data[0].replies.map(({ text }: { text: string }) => text);
    };
    assert.deepEqual(await repliesOf(), []);
    const reply = await answer(root.id);
    assert.deepEqual(await repliesOf(), ['an answer']);
    await server.as(token).call('PATCH', `/api/comments/${reply.id}`, { text: 'another' });
    assert.deepEqual(await repliesOf(), ['another']);
    await server.as(token).call('DELETE', `/api/comments/${reply.id}`);
    assert.deepEqual(await repliesOf(), []);
  });
});

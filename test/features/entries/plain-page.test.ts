import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { makeApp, makeBlob, makeComment, makeUser } from '../../support/fixtures.ts';
import { useServer } from '../../support/server.ts';

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

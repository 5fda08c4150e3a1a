import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { useServer } from 'confab-testing/server.ts';
import { withLongTexts } from '../../../src/db/long-texts.ts';
import { pageBytesMax } from '../../../src/kernel/page.ts';

const server = useServer();

/** A text of 64 KiB that takes 390 kB in a response. */
const long = '"'.repeat(64 * 1024);
/** The largest permitted metadata. */
const metadata = { all: 'x'.repeat(64 * 1024 - 20) };
/** The bytes of a page besides its items. */
const envelopeBytes = 1024;

type Envelope = { data: { id: number }[]; start: number; end: number; count: number };

/** Every page of a list in turn; fails if one exceeds the limit or has wrong positions. */
async function pagesOf(path: string, as = server.key): Promise<number[][]> {
  const pages: number[][] = [];
  for (let skip = 0; ; ) {
    const answer = await server.call(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}top=100&skip=${skip}`,
      undefined,
      { as },
    );
    assert.equal(answer.status, 200, answer.text);
    const { data, start, end }: Envelope = answer.body;
    if (data.length === 0) return pages;
    assert.ok(
      Buffer.byteLength(answer.text) <= pageBytesMax + envelopeBytes,
      `${path}: ${answer.text.length}`,
    );
    assert.deepEqual([start, end], [skip + 1, skip + data.length]);
    pages.push(data.map(({ id }) => id));
    skip = end;
  }
}

/** The items of all pages of a list that needs several. */
async function listed(path: string, as = server.key): Promise<number[]> {
  const pages = await pagesOf(path, as);
  assert.ok(pages.length > 1, `${path} has one page`);
  return pages.flat();
}

// A page ends before it would exceed 4 MiB, and the next one continues there: no item is lost or repeated.
describe('a page', () => {
  test('of long comments ends early, in every order and with every filter', async () => {
    const { id: app } = await makeApp(server);
    const ids: number[] = [];
    for (let i = 0; i < 24; i += 1)
      ids.push(
        (
          await makeComment(server, app, {
            text: i % 3 === 2 ? 'short' : `word ${long.slice(5)}`,
            tags: ['t'],
          })
        ).id,
      );
    const longIds = ids.filter((_, index) => index % 3 !== 2);
    const path = `/api/apps/${app}/comments`;
    assert.deepEqual(await listed(path), ids);
    assert.deepEqual(await listed(`${path}?order_by=id+desc`), ids.toReversed());
    assert.deepEqual(await listed(`${path}?order_by=created_at&expand=created_by,parent`), ids);
    assert.deepEqual(await listed(`${path}?q=word&tag=t`), longIds);
    assert.deepEqual(await listed('/api/comments'), ids);
    const { body } = await server.call('GET', `${path}?top=100`);
    assert.equal(body.count, 24);
    const [first] = body.data;
    assert.equal(first.text, `word ${long.slice(5)}`);
    const { body: alone } = await server.call('GET', `/api/comments/${first.id}`);
    assert.deepEqual([first.html, first.plain, first.tags], [alone.html, alone.plain, alone.tags]);
  });

  test('has one item, however large', async () => {
    const { id: app } = await makeApp(server);
    await makeComment(server, app, { text: long });
    assert.equal((await server.call('GET', `/api/apps/${app}/comments?top=1`)).body.data.length, 1);
  });

  test('of apps, users and files ends early', async () => {
    const apps: number[] = [];
    const users: number[] = [];
    const files: number[] = [];
    const { id: place } = await makeApp(server, { type: 'files' });
    for (let i = 0; i < 70; i += 1) {
      apps.push((await makeApp(server, { tags: ['large'], metadata })).id);
      const { id } = await makeUser(server, { tags: ['large'], metadata });
      users.push(id);
      const file = await makeFile(server, place);
      assert.equal((await server.call('PATCH', `/api/files/${file}`, { metadata })).status, 200);
      files.push(file);
    }
    assert.deepEqual(await listed('/api/apps?tag=large'), apps);
    assert.deepEqual(await listed('/api/users?tag=large'), users);
    assert.deepEqual(await listed(`/api/apps/${place}/files`), files);
  });

  test('of conversations ends with the last message that fits', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    const rooms: number[] = [];
    for (let i = 0; i < 14; i += 1) {
      const { body } = await ada.call('POST', '/api/conversations', {
        type: 'chat_room',
        name: `Room ${i}`,
      });
      rooms.push(body.id);
      if (i !== 4)
        assert.equal((await ada.call('POST', `/api/apps/${body.id}/messages`, { text: long })).status, 201);
    }
    assert.deepEqual(await listed('/api/conversations?order_by=id', ada.token), rooms);
  });

  test('of the feed ends early and returns where to continue', async () => {
    const ada = await makeUser(server);
    const { id: app } = await makeApp(server, { access: 'write' }, { as: ada.token });
    const from = (await server.call('GET', '/api/events?after=999999999')).body.next;
    assert.equal(typeof from, 'number');
    const newest = Number((await feed(0, server.key)).at(-1));
    const made: number[] = [];
    for (let i = 0; i < 14; i += 1)
      made.push((await makeComment(server, app, { text: long }, { as: ada.token })).id);
    for (const as of [server.key, ada.token]) assert.equal((await feed(newest, as)).length, made.length);
  });

  test('of deliveries with payloads ends early', async () => {
    const { body: webhook } = await server.call('POST', '/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/hook',
      triggers: ['comment_created'],
    });
    await server.call('PATCH', `/api/webhooks/${webhook.id}`, { is_enabled: false });
    await server.call('PATCH', `/api/webhooks/${webhook.id}`, { is_enabled: true });
    const { id: app } = await makeApp(server);
    for (let i = 0; i < 14; i += 1) await makeComment(server, app, { text: long });
    const path = `/api/webhooks/${webhook.id}/deliveries?order_by=id`;
    const all = (await server.call('GET', `${path}&top=100`)).body.data.map(({ id }: { id: number }) => id);
    assert.equal(all.length, 14);
    assert.deepEqual(await listed(`${path}&expand=payload`), all);
  });
});

/** The positions of the events after the given one, read page by page. */
async function feed(after: number, as: string): Promise<number[]> {
  const positions: number[] = [];
  for (let position = after; ; ) {
    const answer = await server.call('GET', `/api/events?after=${position}&top=100`, undefined, { as });
    assert.ok(Buffer.byteLength(answer.text) <= pageBytesMax + envelopeBytes, String(answer.text.length));
    const { data, next, has_more } = answer.body;
    positions.push(...data.map((event: { position: number }) => event.position));
    if (!has_more) return positions;
    assert.ok(next > position);
    position = next;
  }
}

// A list reads only the texts of its page, however long the others are.
describe('the long texts of rows', () => {
  const rows = [3, 1, 2, 5, 4].map((id) => ({
    id,
    content: id === 1 ? 'short' : null,
    bytes: 1.5 * 1024 * 1024,
  }));

  test('are loaded for the rows that fit, in their order', async () => {
    const asked: (readonly number[])[] = [];
    const found = await withLongTexts(rows, async (ids) => {
      asked.push(ids);
      return ids.map((id) => ({ id, content: `text ${id}` }));
    });
    assert.deepEqual(asked, [[3]]);
    assert.deepEqual(
      found.map(({ id, content }) => [id, content]),
      [
        [3, 'text 3'],
        [1, 'short'],
      ],
    );
  });

  test('are not read where all are short, and a removed row is left out', async () => {
    const short = [{ id: 1, content: 'x', bytes: 1 }];
    assert.equal(await withLongTexts(short, () => Promise.reject(new Error('asked'))), short);
    assert.deepEqual(await withLongTexts([{ id: 1, content: null, bytes: 9 }], async () => []), []);
  });
});

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { poll } from 'confab-testing/poll.ts';
import { type Reply, visit } from './visitor.ts';
import { expectJson, type World } from './world.ts';

/** Checks of the cache of docs/proxy.md with what people without a credential read. */

/** How long a cache may have an answer as it is, and how long altogether while it asks again, in milliseconds. */
const freshMs = 10_000;
const keptMs = 40_000;
/** The time that a busy machine may take besides. */
const slackMs = 3000;

const statusOf = ({ headers }: Reply) => headers['x-cache-status'] ?? 'NONE';
type Page = { readonly data: readonly { readonly id: number; readonly created_by?: { uid?: string } }[] };
type Headers = Readonly<Record<string, string>>;

/** Makes an app that is open to visitors, with comments enough to be compressed, and returns how its list is read. */
async function openApp({ direct, proxy }: World, uid: string) {
  const id = await direct.create('/api/apps', { uid, type: 'comments', access: 'write', visitors: 'read' });
  const comments = `/api/apps/${id}/comments`;
  for (let number = 0; number < 20; number += 1) await direct.create(comments, { text: `words ${number}` });
  const load = (headers: Headers = {}, { method = 'GET', query = '' } = {}) =>
    visit(proxy.url, { method, path: `${comments}?expand=created_by${query}`, headers });
  return { id, comments, load };
}

function pageOf(reply: Reply): Page {
  return expectJson(reply, 200, 'the page of a visitor') as unknown as Page;
}

/** A page comes from the cache, has a change in the stated time, and loses a trashed comment in it. */
export async function checkChanges(world: World): Promise<string> {
  const { direct } = world;
  const { comments, load } = await openApp(world, 'cached');
  assert.equal(statusOf(await load()), 'MISS');
  const kept = await load();
  assert.equal(statusOf(kept), 'HIT');
  assert.equal(kept.headers['cache-control'], 'public, max-age=10, stale-while-revalidate=30');
  const begun = performance.now();
  const created = await direct.create(comments, { text: 'new' });
  const statuses = new Set<string>();
  await poll('the new comment in the cache', async () => {
    const reply = await load();
    statuses.add(statusOf(reply));
    return pageOf(reply).data.some(({ id }) => id === created) ? true : undefined;
  });
  const newMs = performance.now() - begun;
  assert.ok(newMs < freshMs + slackMs, `a new comment took ${newMs} ms`);
  assert.deepEqual([...statuses].sort(), ['HIT', 'STALE'], 'nobody waits for the server');
  // Read again at the end of the time, when the copy is stale but may not be shown.
  await direct.must('POST', `/api/comments/${created}/trash`);
  await pause(keptMs + slackMs);
  const late = await load();
  assert.equal(statusOf(late), 'EXPIRED');
  assert.ok(!pageOf(late).data.some(({ id }) => id === created));
  return `after ${(newMs / 1000).toFixed(1)} s, and never after 40`;
}

/** Requests with a credential go past the cache, and what they get is not kept. */
export async function checkCredentials(world: World): Promise<string> {
  const { direct, server, tokens, proxy } = world;
  const { id, load } = await openApp(world, 'cached-people');
  const query = '&top=3';
  const asAda = { authorization: `Bearer ${tokens[0]}` };
  for (const headers of [asAda, { authorization: `Bearer ${server.key}` }, asAda]) {
    const reply = await load(headers, { query });
    assert.equal(statusOf(reply), 'NONE');
    assert.match(reply.headers['cache-control'] ?? '', /no-store|no-cache/);
    assert.notEqual(pageOf(reply).data[0]?.created_by?.uid, undefined);
  }
  const first = await load({}, { query });
  assert.equal(statusOf(first), 'MISS', 'what people got is not there for visitors');
  assert.equal(pageOf(first).data[0]?.created_by?.uid, undefined);
  assert.equal(statusOf(await load({}, { query })), 'HIT');
  assert.notEqual(pageOf(await load(asAda, { query })).data[0]?.created_by?.uid, undefined);
  const wrong = await load({ authorization: `Bearer wyu_${'a'.repeat(38)}` }, { query });
  assert.equal(wrong.status, 401);
  assert.equal(statusOf(await load({ cookie: 'confab=1' }, { query })), 'NONE');
  // A refusal is not kept: an app that opens is there at once.
  await direct.must('PATCH', `/api/apps/${id}`, { visitors: null });
  const closed = () => load({}, { query: '&top=4' });
  for (const _ of [1, 2]) assert.equal((await closed()).status, 401);
  await direct.must('PATCH', `/api/apps/${id}`, { visitors: 'read' });
  assert.equal((await closed()).status, 200);
  const counts = () => visit(proxy.url, { path: '/api/counts?uid=cached-people' });
  assert.deepEqual([statusOf(await counts()), statusOf(await counts())], ['MISS', 'HIT']);
  return 'past it';
}

/** Each coding has its own copy; HEAD and conditional requests are answered from the cache. */
export async function checkForms(world: World): Promise<string> {
  const { tokens, proxy } = world;
  const { load } = await openApp(world, 'cached-forms');
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes };
  const texts = new Set<string>();
  for (const round of ['MISS', 'HIT', 'HIT'])
    for (const coding of ['br', 'gzip', 'identity'] as const) {
      const headers = { 'accept-encoding': coding };
      const reply = await load(headers);
      assert.equal(statusOf(reply), round, coding);
      assert.equal(reply.headers['content-encoding'] ?? 'identity', coding);
      assert.match(reply.headers['vary'] ?? '', /accept-encoding/i);
      texts.add(unpack[coding](reply.body).toString('utf8'));
      const etag = reply.headers['etag'] ?? '';
      const again = await load({ ...headers, 'if-none-match': etag });
      assert.deepEqual([again.status, again.body.length, statusOf(again)], [304, 0, 'HIT']);
      const other = await load({ ...headers, 'if-none-match': '"other"' });
      assert.equal(other.status, 200);
      const head = await load(headers, { method: 'HEAD' });
      assert.deepEqual([head.status, head.body.length, statusOf(head)], [200, 0, 'HIT']);
      assert.equal(head.headers['content-length'], String(reply.body.length));
    }
  assert.equal(texts.size, 1, 'each coding says the same');
  // People have their conditional requests, which nginx drops where it caches.
  const path = `/api/comments/${pageOf(await load()).data[0]?.id}`;
  const asAda = { authorization: `Bearer ${tokens[0]}` };
  const own = await visit(proxy.url, { path, headers: asAda });
  const tagged = { ...asAda, 'if-none-match': own.headers['etag'] ?? '' };
  assert.equal((await visit(proxy.url, { path, headers: tagged })).status, 304);
  return '3 codings';
}

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { operationList } from 'confab-contract/index.ts';
import { fileOf } from './check-requests.ts';
import { type Reply, visit } from './visitor.ts';
import { jsonBody, type World, withCaller } from './world.ts';

/** Checks of a proxy that caches everything it may. */

const statusOf = ({ headers }: Reply) => headers['x-cache-status'] ?? 'NONE';

/**
 * Reads every address of the interface as one user, and then as others. No response of an operation comes from the cache,
 * except of the contract itself, and each caller has what the server says to that caller.
 */
export async function checkCallers(world: World): Promise<string> {
  const { server, proxy, tokens } = world;
  for (const [n, token] of tokens.entries())
    await world.send(
      { method: 'POST', path: '/api/apps/room/comments', ...withToken({ text: `of user ${n}` }, token) },
      token,
    );
  // A stream has no end.
  const paths = operationList
    .filter(({ method, media }) => method === 'GET' && media !== 'text/event-stream')
    .map(({ path }) => path.replaceAll(/\{\w+\}/g, '1'));
  const callers = [tokens[0], tokens[1], server.key, undefined];
  let count = 0;
  for (const path of paths)
    for (const round of [1, 2])
      for (const as of callers) {
        const headers: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
        const through = await visit(proxy.url, { path, headers });
        const isOpen = /^public/.test(through.headers['cache-control'] ?? '');
        assert.ok(isOpen || statusOf(through) !== 'HIT', `${path} came from the cache in round ${round}`);
        const straight = await fetch(server.url + path, { headers, redirect: 'manual' });
        await straight.arrayBuffer();
        assert.equal(through.status, straight.status, `${path} for a caller of another kind`);
        count += 1;
      }
  const own = await Promise.all(tokens.map((token) => world.send({ path: '/api/user' }, token)));
  const uids = own.map(({ body }) => JSON.parse(body.toString('utf8')).uid);
  assert.deepEqual(uids, ['ada', 'grace']);
  return `${paths.length} operations, ${count} responses`;
}

/** Files at signed addresses are not kept: a file in the trash is gone at once. */
export async function checkFiles(world: World): Promise<string> {
  const bytes = randomBytes(300_000);
  const file = await fileOf(world, 'secret.bin', bytes);
  const path = file.url.slice(world.proxy.url.length);
  const load = (headers: Record<string, string> = {}) => visit(world.proxy.url, { path, headers });
  for (const _ of [1, 2, 3]) {
    const reply = await load();
    assert.ok(reply.body.equals(bytes));
    assert.notEqual(statusOf(reply), 'HIT');
  }
  const unsigned = await visit(world.proxy.url, { path: path.replace(/signature=./, 'signature=x') });
  assert.equal(unsigned.status, 404);
  await world.direct.must('POST', `/api/files/${file.id}/trash`);
  assert.equal((await load()).status, 404, 'a file in the trash');
  return 'gone at once';
}

/** Pages come from the cache, each coding and each origin with its own copy. */
export async function checkPages({ proxy, server }: World): Promise<string> {
  let hits = 0;
  const paths = [
    '/',
    '/docs',
    '/docs/proxy',
    '/openapi.json',
    '/embed.js',
    '/llms.txt',
    '/problems/not_found',
  ];
  for (const path of paths)
    for (const origin of ['', 'https://a.example', 'https://b.example', 'https://evil.example'])
      for (const coding of ['', 'br', 'gzip', 'identity'])
        for (const _ of [1, 2]) {
          const headers: Record<string, string> = {
            ...(origin === '' ? {} : { origin }),
            ...(coding === '' ? {} : { 'accept-encoding': coding }),
          };
          const reply = await visit(proxy.url, { path, headers });
          assert.equal(reply.status, 200, path);
          if (statusOf(reply) === 'HIT') hits += 1;
          const has = reply.headers['content-encoding'] ?? '';
          assert.ok(has === '' || has === coding, `${path} in ${has} for a client that takes ${coding}`);
          const allowed = reply.headers['access-control-allow-origin'];
          const isRight =
            allowed === '*' || (origin.includes('evil') ? allowed === undefined : (allowed ?? '') === origin);
          assert.ok(isRight, `${path} allows ${allowed} for ${origin}`);
        }
  const all = paths.length * 4 * 4;
  // The second time each, at least.
  assert.ok(hits >= all, `${hits} of ${all * 2} came from the cache`);
  const readiness = await visit(proxy.url, withCaller({ path: '/readyz' }, server.key));
  assert.match(readiness.body.toString('utf8'), /"checks"/);
  const bare = await visit(proxy.url, { path: '/readyz' });
  assert.doesNotMatch(bare.body.toString('utf8'), /"checks"/);
  return `${hits} of ${all * 2} from the cache`;
}

/** What is refused, and the console, are not kept. */
export async function checkRefusals({ proxy, server }: World): Promise<string> {
  const paths = [
    '/nothing',
    '/api/nothing',
    '/api/apps/none',
    '/blobs/a/b',
    '/console',
    '/console/apps',
    '/metrics',
    '/healthz',
  ];
  for (const path of paths)
    for (const as of ['', server.key, '']) {
      const reply = await visit(proxy.url, as === '' ? { path } : withCaller({ path }, as));
      assert.notEqual(statusOf(reply), 'HIT', path);
      assert.match(reply.headers['cache-control'] ?? '', /no-store|no-cache/, path);
    }
  const changed = await visit(proxy.url, { method: 'POST', path: '/docs', ...jsonBody({}) });
  assert.equal(changed.status, 405);
  return `${paths.length} addresses`;
}

function withToken(value: unknown, token: string) {
  const { headers, body } = jsonBody(value);
  return { headers: { ...headers, authorization: `Bearer ${token}` }, body: body ?? Buffer.alloc(0) };
}

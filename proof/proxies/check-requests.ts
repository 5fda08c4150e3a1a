import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type Call, formOf, jsonOf, openVisitor2, visit } from './visitor.ts';
import { expectJson, jsonBody, searchesMax, type World, withCaller } from './world.ts';

/** Checks of requests and responses. Each returns a figure for the table of the suite, and throws where the check fails. */

/** How many requests share one HTTP/2 connection. */
const streams = 200;

/** The proxy speaks HTTP/2, many requests at once over one connection; says whether it offers WebSockets over it. */
export async function checkHttp2({ proxy, server }: World): Promise<string> {
  const visitor = await openVisitor2(proxy.url);
  const replies = await Promise.all(
    Array.from({ length: streams }, () => visitor.send(withCaller({ path: '/api/apps/room' }, server.key))),
  );
  for (const reply of replies) expectJson(reply, 200, 'a request over HTTP/2');
  const hasSockets = visitor.session.remoteSettings.enableConnectProtocol === true;
  visitor.close();
  return `${streams} at once${hasSockets ? ', also WebSockets' : ''}`;
}

/** Every link in pages and responses begins with the address of the proxy. */
export async function checkLinks(world: World): Promise<string> {
  const { proxy, server } = world;
  const inside = new URL(server.url).host;
  const made = await world.send({
    method: 'POST',
    path: '/api/apps/room/comments',
    ...withJson({ text: 'with a link' }, world.tokens[0]),
  });
  const { id } = expectJson(made, 201, 'a comment');
  assert.equal(made.headers['location'], `${proxy.url}/api/comments/${id}`);
  const file = await fileOf(world, 'plan.txt', Buffer.from('a plan'));
  assert.ok(file.url.startsWith(`${proxy.url}/blobs/`), file.url);
  const problem = jsonOf(await world.send({ path: '/api/apps/none' }));
  assert.equal(problem['type'], `${proxy.url}/problems/not_found`);
  const document = jsonOf(await world.send({ path: '/openapi.json' })) as { servers: { url: string }[] };
  assert.equal(document.servers[0]?.url, proxy.url);
  const paths = [
    '/',
    '/docs',
    '/docs/proxy',
    '/llms.txt',
    '/openapi.json',
    '/problems/not_found',
    '/console',
    '/api/comments',
  ];
  for (const path of paths) {
    const reply = await world.send({ path });
    assert.equal(reply.status, 200, path);
    assert.ok(!reply.body.includes(inside), `${path} names the address behind the proxy`);
  }
  return `${paths.length + 4} responses`;
}

/** Names with characters that a proxy may decode, encode or normalise in a path. */
const hardNames = [
  ...[
    'a b',
    'a/b',
    'a%2Fb',
    'a%b',
    'ä',
    '日本',
    'a?b',
    'a#b',
    'a;b=c',
    'a+b',
    "a'b",
    'a(b)*',
    'a&b',
    'a\\b',
    'a//b',
  ],
  ...[
    '../b',
    'a/../b',
    '.b',
    'a:b',
    'a@b',
    '[a]',
    '{a}',
    '"a"',
    '<a>',
    'a|b',
    'a^b',
    '🎉',
    '%2e%2e%2fb',
    '~a',
    '`a`',
  ],
];

/** The path arrives as it was sent: names of apps and of files with every character that is special somewhere. */
export async function checkPaths(world: World): Promise<string> {
  const faults: string[] = [];
  let count = 0;
  // A uid has no white space, and a file name no folders.
  for (const uid of hardNames.filter((name) => !name.includes(' '))) {
    count += 1;
    const path = `/api/apps/${encodeURIComponent(uid)}`;
    const made = await world.send({ method: 'PUT', path, ...withJson({ type: 'comments' }) });
    if (made.status !== 201 || jsonOf(made)['uid'] !== uid) faults.push(`app ${uid}: ${made.status}`);
  }
  for (const name of hardNames.filter((each) => !/[\\/]/.test(each))) {
    count += 1;
    const bytes = randomBytes(100);
    const { url } = await fileOf(world, name.replaceAll('"', '%22'), bytes);
    const loaded = await visit(world.proxy.url, { path: url.slice(world.proxy.url.length) });
    if (!loaded.body.equals(bytes)) faults.push(`file ${name}: ${loaded.status}`);
  }
  assert.deepEqual(faults, []);
  return `${count} names`;
}

const mebibyte = 2 ** 20;

/** A file of nearly the largest size goes up over both protocols, with and without its length, and comes back whole. */
export async function checkLargeFile(world: World): Promise<string> {
  const bytes = randomBytes(49 * mebibyte);
  const form = formOf('large.bin', bytes);
  const call = { method: 'POST', path: '/api/blobs', ...form };
  const visitor = await openVisitor2(world.proxy.url);
  const send2 = (sent: Call) => visitor.send(withCaller(sent, world.server.key));
  const short = formOf('short.bin', bytes.subarray(0, 3 * mebibyte));
  const pieces = [0, 1, 2, 3].map((n) => short.body.subarray(n * mebibyte, (n + 1) * mebibyte));
  const inPieces = { ...call, body: pieces };
  const expecting = { ...call, ...short, headers: { ...short.headers, expect: '100-continue' } };
  for (const send of [() => world.send(inPieces), () => send2(inPieces), () => world.send(expecting)])
    assert.equal(expectJson(await send(), 201, '3 MiB')['size'], 3 * mebibyte);
  const times: string[] = [];
  let last = 0;
  for (const send of [() => world.send(call), () => send2(call)]) {
    const begun = performance.now();
    const blob = expectJson(await send(), 201, '49 MiB');
    times.push(((performance.now() - begun) / 1000).toFixed(1));
    assert.equal(blob['size'], bytes.length);
    last = Number(blob['id']);
  }
  visitor.close();
  const { url } = await fileFrom(world, last);
  const path = url.slice(world.proxy.url.length);
  const whole = await visit(world.proxy.url, { path });
  assert.equal(digestOf(whole.body), digestOf(bytes));
  const range = `bytes=${mebibyte}-${2 * mebibyte - 1}`;
  const part = await visit(world.proxy.url, { path, headers: { range } });
  assert.equal(part.status, 206);
  assert.equal(digestOf(part.body), digestOf(bytes.subarray(mebibyte, 2 * mebibyte)));
  const current = await visit(world.proxy.url, {
    path,
    headers: { 'if-none-match': whole.headers['etag'] ?? '' },
  });
  assert.equal(current.status, 304);
  return `up in ${times.join(', ')} s`;
}

/** A body that is too large is refused by Confab, with a problem that says so, and not by a broken connection. */
export async function checkTooLarge(world: World): Promise<string> {
  const visitor = await openVisitor2(world.proxy.url);
  const call = { method: 'POST', path: '/api/blobs', ...formOf('huge.bin', Buffer.alloc(52 * mebibyte)) };
  const replies = [await world.send(call), await visitor.send(withCaller(call, world.server.key))];
  for (const reply of replies) assert.equal(expectJson(reply, 413, '52 MiB')['code'], 'body_too_large');
  const json = await world.send({
    method: 'POST',
    path: '/api/apps/room/comments',
    ...withJson({ text: 'x'.repeat(4 * mebibyte) }),
  });
  assert.equal(expectJson(json, 413, '4 MiB of JSON')['code'], 'body_too_large');
  visitor.close();
  return '413 body_too_large';
}

/** What a client may write into the header to seem another one, or the proxy. */
const forgeries: readonly (string | readonly string[])[] = [
  '198.51.100.1',
  '198.51.100.2, 127.0.0.1',
  '127.0.0.1, 127.0.0.1',
  ['198.51.100.3', '203.0.113.3'],
  '127.0.6.2',
  'unknown, "[2001:db8::1]:80"',
  ',',
];
/** Headers that other programs read. */
const otherHeaders = ['forwarded', 'x-real-ip', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip'];

/** An address is limited by what called the proxy, whatever a client writes into the header, and others are not. */
export async function checkLimits({ proxy, server }: World): Promise<string> {
  const search = (from: string, headers: Record<string, string | readonly string[]>) =>
    visit(proxy.url, withCaller({ path: '/api/comments?q=word', headers }, server.key), from);
  // All at once, so that they rarely fall into two minutes; then the next address is tried.
  for (const busy of ['127.0.5.2', '127.0.5.3', '127.0.5.4']) {
    const sent = [
      ...[...forgeries, ...forgeries, ...forgeries].map((forged) =>
        search(busy, { 'x-forwarded-for': forged }),
      ),
      ...otherHeaders.map((name) => search(busy, { [name]: '198.51.100.9' })),
    ];
    const replies = await Promise.all(sent);
    const minutes = new Set(replies.map(({ headers: { date = '' } }) => date.slice(0, -7)));
    if (minutes.size > 1) continue;
    const taken = replies.filter(({ status }) => status === 200).length;
    const refused = replies.filter(({ status }) => status === 429).length;
    assert.deepEqual([taken, refused], [searchesMax, replies.length - searchesMax]);
    const another = await search('127.0.6.2', { 'x-forwarded-for': busy });
    assert.equal(another.status, 200, 'another address is limited as well');
    return `${taken} of ${replies.length} taken`;
  }
  throw new Error('no requests of one address were within a minute');
}

/** Compressed responses keep their tags, so that 304 and If-Match work. */
export async function checkTags(world: World): Promise<string> {
  const made = await world.send({
    method: 'POST',
    path: '/api/apps/room/comments',
    ...withJson({ text: 'word '.repeat(500) }, world.tokens[0]),
  });
  const path = `/api/comments/${expectJson(made, 201, 'a long comment')['id']}`;
  const asked = (headers: Record<string, string>) => world.send({ path, headers }, world.tokens[0]);
  const packed = await asked({ 'accept-encoding': 'br, gzip' });
  assert.equal(packed.headers['content-encoding'], 'br');
  const tag = packed.headers['etag'] ?? '';
  assert.match(tag, /^"[^"]+"$/);
  assert.equal((await asked({ 'accept-encoding': 'br, gzip', 'if-none-match': tag })).status, 304);
  const { headers, body } = withJson({ text: 'other words' }, world.tokens[0]);
  const change = (match: string) =>
    world.send({ method: 'PATCH', path, headers: { ...headers, 'if-match': match }, body });
  expectJson(await change(tag), 200, 'a change of the version that was read');
  expectJson(await change(tag), 412, 'a change of an earlier version');
  return '304 and 412';
}

/** A session of the console begins and acts: its cookie is for TLS alone, and the origin is that of the proxy. */
export async function checkSession({ proxy, server }: World): Promise<string> {
  const own = { origin: proxy.url, 'sec-fetch-site': 'same-origin' };
  const begun = await visit(proxy.url, {
    method: 'POST',
    path: '/console/session',
    headers: { ...own, authorization: `Bearer ${server.key}` },
  });
  expectJson(begun, 201, 'a session');
  const cookie = begun.headers['set-cookie'] ?? '';
  assert.match(cookie, /^__Host-confab-session=.*; Secure$/);
  const headers = { ...own, cookie: cookie.split(';')[0] ?? '' };
  const change = (origin: string) =>
    visit(proxy.url, {
      method: 'PUT',
      path: '/api/apps/from-console',
      headers: { ...headers, origin, 'content-type': 'application/json' },
      body: Buffer.from('{"type":"comments"}'),
    });
  expectJson(await change(proxy.url), 201, 'a change in the console');
  assert.equal((await change('https://evil.example')).status, 401, 'a change from another page');
  return 'yes';
}

function withJson(value: unknown, as?: string) {
  const { headers, body } = jsonBody(value);
  const credential: Record<string, string> = as === undefined ? {} : { authorization: `Bearer ${as}` };
  return { headers: { ...headers, ...credential }, body: body ?? Buffer.alloc(0) };
}

/** Uploads bytes and makes a file of them; `url` is its signed address. */
export async function fileOf(
  world: World,
  name: string,
  bytes: Buffer,
): Promise<{ id: number; url: string }> {
  const made = await world.send({ method: 'POST', path: '/api/blobs', ...formOf(name, bytes) });
  return await fileFrom(world, Number(expectJson(made, 201, `the upload of ${name}`)['id']));
}

async function fileFrom(world: World, blobId: number): Promise<{ id: number; url: string }> {
  await world.direct.must('PUT', '/api/apps/files', { type: 'files' });
  const made = await world.send({
    method: 'POST',
    path: '/api/apps/files/files',
    ...withJson({ blob_id: blobId }),
  });
  const file = expectJson(made, 201, 'a file');
  return { id: Number(file['id']), url: String(file['download_url']) };
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

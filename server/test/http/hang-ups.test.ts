import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { keptLog } from 'confab-testing/log.ts';
import { samplesOf } from 'confab-testing/metrics.ts';
import { createGate } from 'confab-testing/network/gate.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { upload } from 'confab-testing/uploads.ts';

type Line = {
  readonly msg: string;
  readonly request_id: string;
  readonly operation?: string;
  readonly status: number;
  readonly ms: number;
  readonly aborted?: true;
  readonly bytes?: number;
};

const lines: Line[] = [];
const gate = createGate();
const server = useServer(
  { CONFAB_LOG_LEVEL: 'info' },
  { logTo: keptLog(lines), wrapDb: (db) => gate.wrapDb(db) },
);
const fileBytes = 24 * 1024 * 1024;
let app: number;
let comment: { readonly id: number; readonly etag: string };
let file: string;
before(async () => {
  ({ id: app } = await makeApp(server, { access: 'write', visitors: 'read' }));
  const { id } = await makeComment(server, app);
  const { headers } = await server.call('GET', `/api/comments/${id}`);
  await makeUser(server, {}, 'ada');
  comment = { id, etag: headers.get('etag') ?? '' };
  const { id: blob } = await upload(server, { bytes: new Uint8Array(fileBytes), name: 'a.bin' });
  const { attachments } = await makeComment(server, app, { blobs: [blob] });
  const { pathname, search } = new URL(attachments?.[0]?.download_url ?? '', server.url);
  file = pathname + search;
});

/** A kind of answer: the request for it, and the operation that the metrics name. */
type Kind = {
  readonly operation: string;
  readonly method: string;
  readonly path: () => string;
  readonly headers?: () => readonly string[];
  readonly body?: string;
};

const form =
  '--b\r\ncontent-disposition: form-data; name="blob"; filename="a.txt"\r\n\r\nsome text\r\n--b--\r\n';
const json = () => ['content-type: application/json'];
const at = (rest = '') => `/api/apps/${app}${rest}`;
const kinds: { readonly [name: string]: Kind } = {
  JSON: { operation: 'getApp', method: 'GET', path: () => at() },
  HEAD: { operation: 'getApp', method: 'HEAD', path: () => at() },
  '304': {
    operation: 'getComment',
    method: 'GET',
    path: () => `/api/comments/${comment.id}`,
    headers: () => [`if-none-match: ${comment.etag}`],
  },
  change: {
    operation: 'createAppComment',
    method: 'POST',
    path: () => at('/comments'),
    headers: json,
    body: '{"text":"hello"}',
  },
  '204': { operation: 'addMember', method: 'PUT', path: () => at('/members/ada') },
  upload: {
    operation: 'createBlob',
    method: 'POST',
    path: () => '/api/blobs',
    headers: () => ['content-type: multipart/form-data; boundary=b'],
    body: form,
  },
  file: { operation: 'page', method: 'GET', path: () => file },
  'no address': { operation: 'unknown', method: 'GET', path: () => '/nowhere' },
  'stream of an app': { operation: 'watchApp', method: 'GET', path: () => at('/changes') },
  'stream of events': { operation: 'streamEvents', method: 'GET', path: () => '/api/events/stream' },
};

/** A request that is being sent over a socket of its own. */
type Sent = { readonly socket: Socket; readonly id: string; readonly said: () => string };

/** Sends a request but for the last bytes of its body. */
async function send(kind: Kind, { withhold = 0 } = {}): Promise<Sent> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port) });
  let said = '';
  socket
    .on('error', () => undefined)
    .on('data', (bytes) => {
      said += bytes.toString('latin1');
    });
  await once(socket, 'connect');
  const id = freshUid('hang-up');
  const { method, path, headers = () => [], body = '' } = kind;
  const credential = path() === file ? [] : [`authorization: Bearer ${server.key}`];
  const fields = ['host: x', `x-request-id: ${id}`, ...credential, ...headers()];
  const length = body === '' ? [] : [`content-length: ${body.length}`];
  const head = [`${method} ${path()} HTTP/1.1`, ...fields, ...length, '', ''].join('\r\n');
  socket.write(head + body.slice(0, body.length - withhold));
  return { socket, id, said: () => said };
}

const answered = ({ said }: Sent) => poll('an answer', () => said().includes('\r\n\r\n') || undefined);

/** A request that a later one shows to have begun. */
async function begun(): Promise<void> {
  for (let turns = 0; turns < 3; turns += 1) await server.call('GET', '/healthz');
}

/** How a client leaves. */
const ways: { readonly [name: string]: (kind: Kind) => Promise<Sent> } = {
  async 'reads it all'(kind) {
    const sent = await send(kind);
    await answered(sent);
    if (kind.operation === 'page')
      await poll('the whole file', () => sent.said().length > fileBytes || undefined);
    sent.socket.end();
    return sent;
  },
  async 'reads it all and stays'(kind) {
    const sent = await send(kind);
    await answered(sent);
    return sent;
  },
  async 'resets before the body'(kind) {
    const sent = await send(kind, { withhold: (kind.body ?? '').length });
    await begun();
    sent.socket.resetAndDestroy();
    return sent;
  },
  async 'resets during the body'(kind) {
    const sent = await send(kind, { withhold: 5 });
    await begun();
    sent.socket.resetAndDestroy();
    return sent;
  },
  async 'resets while it is done'(kind) {
    gate.close();
    const sent = await send(kind);
    await gate.holds(1);
    sent.socket.resetAndDestroy();
    await poll('the server to notice', async () => {
      await server.call('GET', '/healthz');
      return sent.socket.closed || undefined;
    });
    gate.open();
    return sent;
  },
  async 'resets during the answer'(kind) {
    const sent = await send(kind);
    sent.socket.pause();
    await poll('the first bytes', () => (sent.socket.bytesRead > 0 ? true : undefined));
    sent.socket.resetAndDestroy();
    return sent;
  },
  async 'closes the stream'(kind) {
    const sent = await send(kind);
    await answered(sent);
    sent.socket.end();
    return sent;
  },
  async 'resets the stream'(kind) {
    const sent = await send(kind);
    await answered(sent);
    sent.socket.resetAndDestroy();
    return sent;
  },
};

/** The way, the kind of answer, and what the line and the metric have: the status, and how much of an aborted answer went out. */
const table: readonly (readonly [way: keyof typeof ways, kind: keyof typeof kinds, said: string])[] = [
  ['reads it all', 'JSON', '200'],
  ['reads it all', 'HEAD', '200'],
  ['reads it all', '304', '304'],
  ['reads it all', 'change', '201'],
  ['reads it all', '204', '204'],
  ['reads it all', 'upload', '201'],
  ['reads it all', 'file', '200'],
  ['reads it all', 'no address', '404'],
  ['reads it all and stays', 'JSON', '200'],
  ['reads it all and stays', 'change', '201'],
  ['resets before the body', 'change', '400 aborted, nothing'],
  ['resets before the body', 'upload', '400 aborted, nothing'],
  ['resets during the body', 'change', '400 aborted, nothing'],
  ['resets during the body', 'upload', '400 aborted, nothing'],
  ['resets while it is done', 'change', '201 aborted, nothing'],
  ['resets while it is done', '204', '204 aborted, nothing'],
  ['resets while it is done', 'upload', '201 aborted, nothing'],
  ['resets during the answer', 'file', '200 aborted, a part'],
  ['closes the stream', 'stream of an app', '200 aborted, a part'],
  ['closes the stream', 'stream of events', '200 aborted, a part'],
  ['resets the stream', 'stream of an app', '200 aborted, a part'],
  ['resets the stream', 'stream of events', '200 aborted, a part'],
];

function shown({ status, aborted, bytes }: Line): string {
  if (aborted === undefined) return bytes === undefined ? String(status) : `${status} with bytes`;
  return `${status} aborted, ${bytes === 0 ? 'nothing' : Number(bytes) < fileBytes && Number(bytes) > 0 ? 'a part' : bytes}`;
}

/** The counts of requests for operations by their labels. */
function counts(samples: ReadonlyMap<string, number>): Map<string, number> {
  const own = [...samples].filter(([name]) =>
    /^confab_http_requests_total\{operation="(?!page|unknown)/.test(name),
  );
  return new Map(own.map(([name, count]) => [name.slice(name.indexOf('{')), count]));
}

const labelsOf = ({ operation, status, aborted }: Line) =>
  `{operation="${operation}",status="${status}"${aborted ? ',aborted="true"' : ''}}`;

// An operator finds every request, also one that its client did not wait for: the slow ones, and changes that were made.
describe('a request whose client', () => {
  for (const [way, name, expected] of table)
    test(`${way} (${name}) has a line`, async () => {
      const kind = kinds[name] as Kind;
      const sent = await (ways[way] as (kind: Kind) => Promise<Sent>)(kind);
      const line = await poll('the line', () => lines.find(({ request_id }) => request_id === sent.id));
      assert.equal(shown(line), expected);
      assert.ok(line.ms > 0);
      assert.equal(line.operation ?? kind.operation, kind.operation);
      // A client that stays and leaves later is no other request.
      sent.socket.destroy();
    });

  test('sends several requests ahead and resets has a line for each', async () => {
    gate.close();
    const { socket, id } = await send(kinds['change'] as Kind);
    const ids = [id, freshUid('hang-up'), freshUid('hang-up')];
    for (const next of ids.slice(1))
      socket.write(
        `GET ${at()} HTTP/1.1\r\nhost: x\r\nx-request-id: ${next}\r\nauthorization: Bearer ${server.key}\r\n\r\n`,
      );
    await gate.holds(1);
    await begun();
    socket.resetAndDestroy();
    await begun();
    gate.open();
    const found = await poll('the lines', () => {
      const of = ids.map((each) => lines.filter(({ request_id }) => request_id === each));
      return of.every(({ length }) => length > 0) ? of : undefined;
    });
    assert.deepEqual(
      found.map((each) => each.map(shown)),
      [['201 aborted, nothing'], ['200 aborted, nothing'], ['200 aborted, nothing']],
    );
  });

  test('leaves has one line and is counted once', async () => {
    let logged = new Map<string, number>();
    let counted = logged;
    const areSame = async () => {
      counted = counts(await samplesOf(server));
      const named = lines.filter(({ msg, operation }) => msg === 'request' && operation !== undefined);
      logged = new Map([...Map.groupBy(named, labelsOf)].map(([labels, all]) => [labels, all.length]));
      return isDeepStrictEqual(counted, logged) || undefined;
    };
    // The page of metrics is a second old at most. A failure shows both.
    await poll('the counts', areSame).catch(() => undefined);
    assert.deepEqual(counted, logged);
    const aborted = [...logged].filter(([labels]) => labels.includes('aborted'));
    assert.equal(
      aborted.reduce((sum, [, count]) => sum + count, 0),
      3 + table.filter(([, kind, said]) => said.includes('aborted') && kind !== 'file').length,
    );
  });
});

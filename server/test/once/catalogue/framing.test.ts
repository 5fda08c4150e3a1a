import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import type { ProblemBody } from 'confab-contract/fields.ts';
import { operationList } from 'confab-contract/index.ts';
import { operationsInSecondForm } from 'confab-contract/second-form/operations.ts';
import { acceptedBody, assertEach, makeWorld, pathOf, type World } from 'confab-testing/catalogue/rows.ts';
import { exchange, type RawAnswer, requestBytes } from 'confab-testing/network/raw.ts';
import { specifiedOperations } from 'confab-testing/operations.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { processorMs } from 'confab-testing/processor-time.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { clientLimits } from '../../../src/http/limits/client-limits.ts';
import { framingRows, rightRows } from '../../catalogue/framing.ts';

let world: World;
let auth = '';
let rows = 0;
let slow: Promise<RawAnswer>;
/** A third of what clients have, so that the test of it takes less. */
const headersMs = 5000;
const server = useServer({}, { limits: { headersMs, checkMs: 200 } });
before(async () => {
  world = await makeWorld(server);
  auth = `Authorization: Bearer ${server.key}`;
  // It takes up to twenty seconds; meanwhile the other tests show that the server serves other clients.
  slow = exchange(server.url, 'GET /api/apps HTTP/1.1\r\nHost: confab.test\r\nX-Half: a');
});
const watch = useStoreWatch(server);

function assertShape(answer: RawAnswer): void {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const body = JSON.parse(answer.body) as ProblemBody;
  assert.equal(body.status, answer.status);
  assert.ok(body.code.length > 0 && body.title.length > 0 && body.request_id.length > 0);
  assert.match(body.type, new RegExp(`^${server.url}/problems/${body.code}$`));
}

// Anything but the HTTP that this server supports is refused with a regular error, and changes nothing.
describe('an invalid request', () => {
  test('is refused with the right status', async () => {
    watch.hasChanged();
    rows += await assertEach(
      framingRows,
      ({ name }) => name,
      async ({ bytes, status, isProblem }) => {
        const answer = await exchange(server.url, bytes(auth));
        if (isProblem === true && answer.status === status) assertShape(answer);
        return { expected: status, answer };
      },
    );
    assert.equal(watch.hasChanged(), false);
  });

  test('never smuggles a second one', async () => {
    const inner = `GET /api/apps HTTP/1.1\r\nHost: confab.test\r\n${auth}\r\n\r\n`;
    for (const outer of [
      `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n`,
      `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Type: text/plain\r\nContent-Length: ${inner.length}\r\n\r\n`,
      `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Length: 2000000\r\n\r\n`,
    ]) {
      const { text } = await exchange(server.url, outer + inner);
      assert.equal(text.match(/HTTP\/1\.1 \d{3}/g)?.length, 1, text.slice(0, 300));
    }
    rows += 4;
  });
});

// Unusual but valid requests are accepted.
describe('an unusual request', () => {
  test('is answered', async () => {
    rows += await assertEach(
      rightRows,
      ({ name }) => name,
      async ({ bytes, status }) => ({ expected: status, answer: await exchange(server.url, bytes(auth)) }),
    );
  });
});

// Other methods of a path are 405 with Allow for every caller, HEAD is GET without a body, OPTIONS lists the methods.
describe('the methods of a path', () => {
  const paths = [...new Set(specifiedOperations.map(({ path }) => path.replace('{uid}', '{app}')))];
  const methodsAt = (path: string) => {
    const methods = operationsInSecondForm()
      .filter((operation) => operation.path === path)
      .map(({ method }) => method as string);
    return new Set([...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])]);
  };
  const at = (path: string) =>
    path.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => (name === 'app' ? String(world.app) : '1'));

  for (const path of paths)
    test(`of ${path}`, async () => {
      const known = methodsAt(path);
      const allow = [...known].sort().join(', ');
      rows += await assertEach(
        ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter(
          (method) => !known.has(method),
        ),
        (method) => method,
        async (method) => {
          const headers =
            method === 'DELETE' ? ['Connection: close', 'Authorization: Bearer x'] : ['Connection: close'];
          const answer = await exchange(server.url, requestBytes({ method, target: at(path), headers }));
          assert.equal(answer.headers.get('allow'), allow);
          if (method !== 'HEAD') assertShape(answer);
          return { expected: 405, answer };
        },
      );
      const options = await exchange(
        server.url,
        requestBytes({ method: 'OPTIONS', target: at(path), headers: ['Connection: close'] }),
      );
      assert.deepEqual([options.status, options.headers.get('allow'), options.body], [204, allow, '']);
      rows += 1;
    });

  for (const { id, path } of specifiedOperations.filter(({ method }) => method === 'GET'))
    test(`HEAD is ${id} without a body`, async () => {
      const target = pathOf(world, id);
      for (const [credential, at] of [
        [auth, target],
        ['X-None: 1', target],
        [auth, path.includes('{') ? pathOf(world, id, { app: 'absent', id: '987654' }) : `${target}?top=1`],
      ] as const) {
        const [get, head] = await Promise.all(
          ['GET', 'HEAD'].map((method) =>
            exchange(
              server.url,
              requestBytes({ method, target: at, headers: [credential, 'Connection: close'] }),
            ),
          ),
        );
        assert.equal(head?.status, get?.status);
        assert.equal(head?.body, '');
        for (const name of ['content-type', 'www-authenticate', 'cache-control'])
          assert.equal(head?.headers.get(name), get?.headers.get(name), name);
        rows += 1;
      }
    });
});

// Both could be said; which one is does not depend on what is at the path.
test('a body of the wrong shape is refused before a path that can name nothing', async () => {
  const answer = await server.call('POST', '/api/users/no%20name/tokens', { name: 5 });
  assertProblem(answer, 400, 'wrong_type');
});

// A path with an empty segment is 404 on every verb, also without a credential, before 405 and 401.
describe('a path with an empty segment', () => {
  const paths = [...new Set(operationList.map(({ path }) => path))];
  const filled = (path: string) =>
    path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) => (name === 'app' ? String(world.app) : '1'));
  /** The path with an extra slash at each place and at the end, and with each parameter left out. */
  const emptied = (path: string) => [
    `${filled(path)}/`,
    ...[...filled(path).matchAll(/\//g)].map(
      ({ index }) => `${filled(path).slice(0, index)}/${filled(path).slice(index)}`,
    ),
    ...[...path.matchAll(/\{[a-z_]+\}/g)].map(([name]) => filled(path.replace(name, ''))),
  ];

  test('is told that it was asked strictly', async () => {
    const answer = await fetch(`${server.url}/api/apps//posts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}`, prefer: 'handling=strict' },
    });
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
  });

  test('is 404 for every method', async () => {
    const targets = [...new Set(paths.flatMap(emptied))].filter((target) => target !== '/api/');
    const pages = [
      '/docs/',
      '/openapi.json/',
      '/problems/',
      '/problems//',
      '/blobs/',
      '/blobs//x',
      '/healthz/',
    ];
    rows += await assertEach(
      [...targets, ...pages, '/api/', '//', '/api/apps/?top=1', '/api/apps/#x'].flatMap((target) =>
        ['GET', 'DELETE', 'OPTIONS', 'PROPFIND'].map((method) => ({ method, target })),
      ),
      ({ method, target }) => `${method} ${target}`,
      async ({ method, target }) => ({
        expected: 404,
        answer: await exchange(server.url, requestBytes({ method, target, headers: ['Connection: close'] })),
      }),
    );
  });
});

// A request whose client disconnects takes effect completely or not at all.
describe('a client that leaves', () => {
  const body = (uid: string) => JSON.stringify({ uid, type: 'comments', name: 'left' });

  for (const [name, part] of [
    ['after the headers', 0],
    ['after half the body', 0.5],
    ['before the last byte', 0.99],
  ] as const)
    test(`${name} changes nothing`, async () => {
      const uid = `left-${part}`;
      const text = body(uid);
      const head = `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
      await leave(head + text.slice(0, Math.floor(text.length * part)));
      // A request on a later connection proves that the server has seen the end of the first.
      assert.equal((await server.call('GET', `/api/apps/${uid}`)).status, 404);
      rows += 1;
    });

  // However long the look-up of its credential takes, which differs between the engines.
  test('after a whole request has the whole change', async () => {
    for (let n = 0; n < 10; n += 1) {
      const uid = `left-whole-${n}`;
      const text = body(uid);
      await leave(
        `POST /api/apps HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      );
      const app = await poll('the app', async () => {
        const answer = await server.call('GET', `/api/apps/${uid}`);
        return answer.status === 200 ? answer.body : undefined;
      });
      assert.equal(app.name, 'left');
      const events = watch.rows(
        `select 1 from events where action = 'app_created' and payload like '%"${uid}"%'`,
      );
      assert.equal(events.length, 1);
    }
    rows += 10;
  });

  test('after a whole upload has the whole upload', async () => {
    const form = `--b\r\nContent-Disposition: form-data; name="blob"; filename="left.txt"\r\n\r\nleft\r\n--b--\r\n`;
    const before = watch.count('blobs');
    await leave(
      `POST /api/blobs HTTP/1.1\r\nHost: a\r\n${auth}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${form.length}\r\n\r\n${form}`,
    );
    const count = await poll('the upload', () => watch.count('blobs') - before || undefined);
    assert.equal(count, 1);
    rows += 1;
  });

  function leave(bytes: string): Promise<void> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port) }, () =>
        socket.write(bytes, () => {
          socket.end();
          socket.destroy();
        }),
      );
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  }
});

// Many idle connections and slow senders do not affect other clients, and are cut.
describe('slow and idle clients', () => {
  test('that are 300 do not block others', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets = Array.from({ length: 300 }, () => connect({ host: hostname, port: Number(port) }));
    try {
      await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on('connect', resolve))));
      const started = processorMs();
      assert.equal(
        (
          await server.call(
            'POST',
            `/api/apps/${world.app}/comments`,
            acceptedBody(world, 'createAppComment'),
          )
        ).status,
        201,
      );
      assert.ok(processorMs() - started < 1000);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  test('that do not finish their headers are cut with 408', async () => {
    const answer = await slow;
    assert.equal(answer.status, 408);
    assertShape(answer);
    assert.ok(answer.elapsedMs > headersMs - 500, `${answer.elapsedMs} ms`);
    assert.equal(clientLimits.headersMs, 15_000);
    rows += 1;
  });

  test('is in as many rows as were tested', (t) => {
    t.diagnostic(`catalogue of framing: ${rows} rows, each with its exact status`);
    assert.ok(rows > 150);
  });
});

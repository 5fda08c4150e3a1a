import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkAnswer } from 'confab-testing/contract-check.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { use, useServer } from 'confab-testing/server.ts';

const server = useServer();
const token = use(() => makeUser(server));

const end = '\x1e';

/** Opens or polls a connection; returns the status and the records. */
async function poll(id: string, as = token.token): Promise<[number, any[]]> {
  const path = `/hubs/rtm?id=${id}`;
  const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${as}` } });
  const body = await response.text();
  checkAnswer(
    { method: 'GET', path },
    {
      status: response.status,
      headers: response.headers,
      body: response.status === 200 ? body : response.status === 204 ? undefined : JSON.parse(body),
    },
  );
  const records = response.status === 200 ? body.split(end).slice(0, -1) : [];
  return [response.status, records.map((record) => JSON.parse(record))];
}

async function sendAs(as: string, id: string, ...records: unknown[]): Promise<void> {
  const text = records.map((record) => JSON.stringify(record) + end).join('');
  const headers = { 'content-type': 'text/plain;charset=UTF-8' };
  const { status } = await server.call('POST', `/hubs/rtm?id=${id}`, text, { as, headers });
  assert.equal(status, 202);
}

async function send(id: string, ...records: unknown[]): Promise<void> {
  await sendAs(token.token, id, ...records);
}

async function open(as = token.token): Promise<string> {
  const { body } = await server.call('POST', '/hubs/rtm/negotiate', undefined, { as });
  assert.deepEqual([body.negotiateVersion, body.connectionToken], [0, undefined]);
  assert.deepEqual(await poll(body.connectionId, as), [200, []]);
  await sendAs(as, body.connectionId, { protocol: 'json', version: 1 });
  assert.deepEqual(await poll(body.connectionId, as), [200, [{}]]);
  return body.connectionId;
}

const idsIn = (records: readonly any[]) => records.map((record) => record.arguments[0].comment.id);

// A polling connection keeps the events between two polls, in order, and ends when the client closes it.
describe('a polled connection', () => {
  test('responds at once with waiting records, or as soon as there are any', async () => {
    const app = await makeApp(server, { access: 'read' });
    const target = `a${app.id}:comment_created`;
    const id = await open();
    await send(id, { type: 1, target: 'Subscribe', arguments: [target], invocationId: '1' });
    assert.deepEqual(await poll(id), [200, [{ type: 3, invocationId: '1', result: null }]]);
    const waiting = poll(id);
    const first = await makeComment(server, app.id);
    const seen = (await waiting)[1];
    const others = [await makeComment(server, app.id), await makeComment(server, app.id)];
    while (seen.length < 3) seen.push(...(await poll(id))[1]);
    assert.deepEqual(
      seen.map((record) => [record.target, record.arguments[0].comment.id]),
      [first, ...others].map((comment) => [target, comment.id]),
    );
    const last = poll(id);
    assert.equal(
      (await server.call('DELETE', `/hubs/rtm?id=${id}`, undefined, { as: token.token })).status,
      202,
    );
    assert.ok([204, 404].includes((await last)[0]));
    assert.equal((await poll(id))[0], 404);
  });

  test('is cut when more waits than its share of its user’s limit', async () => {
    const app = await makeApp(server, { access: 'read' });
    const subscribe = { type: 1, target: 'Subscribe', arguments: [`a${app.id}:comment_created`] };
    const [busy, calm, quick] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const many: string[] = [];
    for (let n = 0; n < 40; n += 1) many.push(await open(busy.token));
    const [only, watched] = [await open(calm.token), await open(quick.token)];
    for (const id of many) await sendAs(busy.token, id, subscribe);
    await sendAs(calm.token, only, subscribe);
    await sendAs(quick.token, watched, subscribe);
    const made: number[] = [];
    // More than a fortieth of 16 MiB, and less than 1 MiB.
    for (let bytes = 0; bytes < 600_000; ) {
      made.push((await makeComment(server, app.id, { text: 'x'.repeat(20_000) })).id);
      const [, records] = await poll(watched, quick.token);
      assert.deepEqual(idsIn(records), [made.at(-1)]);
      bytes += JSON.stringify(records).length;
    }
    assert.deepEqual(idsIn((await poll(only, calm.token))[1]), made);
    // Each connection that is cut leaves a larger share to the others, so some stay, and they miss nothing.
    const left: number[][] = [];
    for (const id of many) {
      const [status, records] = await poll(id, busy.token);
      if (status === 200) left.push(idsIn(records));
    }
    assert.ok(left.length > 0 && left.length <= 30, String(left.length));
    assert.deepEqual(left, Array(left.length).fill(made));
  });

  test('replaces a waiting poll by a second one', async () => {
    const id = await open();
    const [first, second] = [poll(id), poll(id)];
    const either = await Promise.race([first, second]);
    assert.deepEqual(either, [200, []]);
    await send(id, { type: 1, target: 'Nothing', arguments: [], invocationId: '7' });
    const all = [...(await first)[1], ...(await second)[1]];
    assert.deepEqual(
      all.map(({ type, invocationId }) => [type, invocationId]),
      [[3, '7']],
    );
  });

  test('receives the reason for its end, and then the end', async () => {
    const id = await open();
    await send(id, { type: 'x' });
    const [status, records] = await poll(id);
    assert.deepEqual([status, records[0].type], [200, 7]);
    assert.match(records[0].error, /has no type/);
    assert.deepEqual(await poll(id), [204, []]);
    assert.equal((await poll(id))[0], 404);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeUser } from 'confab-testing/fixtures.ts';
import { type Nodes, startNodes } from 'confab-testing/nodes.ts';
import { poll } from 'confab-testing/poll.ts';
import { storeSettings } from 'confab-testing/stores/databases.ts';
import pg from 'pg';
import { createAnswerOrder } from '../../../src/http/answers/answer-order.ts';
import type { AnswerOrder } from '../../../src/kernel/reference-client.ts';

const userId = 7;
/** So long that a test can end only when the responses have been matched. */
const patienceMs = 600_000;

// A load balancer may send the two requests of a page to two nodes; they are matched as on a single node.
describe('the responses that the reference client requests at once, at two nodes', () => {
  let nodes: Nodes;
  let [a, b, c]: AnswerOrder[] = [];
  before(async () => {
    nodes = await startNodes();
    const third = await nodes.start();
    [a, b, c] = [nodes.a, nodes.b, third].map(({ running }) =>
      createAnswerOrder(running.db.peers, patienceMs),
    );
  });
  after(() => nodes.close());

  test('end with the caller when the features are requested later', async () => {
    const answered: string[] = [];
    const caller = a?.afterFeatures(userId).then(() => answered.push('caller'));
    b?.featuresSent(userId);
    answered.push('features');
    await caller;
    assert.deepEqual(answered, ['features', 'caller']);
  });

  test('are matched when the features were sent first', async () => {
    b?.featuresSent(userId);
    assert.equal(await a?.afterFeatures(userId), undefined);
  });

  test('are matched once each, at whichever nodes the requests of several pages arrive', async () => {
    const [answers, pages] = [
      [a, b, c, a],
      [b, c, a, c],
    ];
    const callers = answers.map((node) => node?.afterFeatures(userId));
    for (const node of pages) node?.featuresSent(userId);
    await Promise.all(callers);
    // Nothing remains that could release the next one early.
    let isAnswered = false;
    const next = a?.afterFeatures(userId).then(() => {
      isAnswered = true;
    });
    const other = a?.afterFeatures(userId + 1);
    b?.featuresSent(userId + 1);
    await other;
    assert.equal(isAnswered, false);
    c?.featuresSent(userId);
    await next;
  });

  test('do not wait for requests of another user', async () => {
    let isAnswered = false;
    const mine = a?.afterFeatures(userId).then(() => {
      isAnswered = true;
    });
    b?.featuresSent(userId + 2);
    await a?.afterFeatures(userId + 2);
    assert.equal(isAnswered, false);
    b?.featuresSent(userId);
    await mine;
  });

  test('are matched once each where their caller has changed at another node', async () => {
    const { a, b } = nodes;
    const { id, token } = await makeUser(a);
    const get = async (source: string) => {
      const sending = { as: token, headers: { 'x-weavy-source': source } };
      assert.equal((await b.call('GET', '/api/user', undefined, sending)).status, 200);
    };
    await get('another');
    assert.equal((await a.call('PATCH', `/api/users/${id}`, { name: 'Renamed' })).status, 200);
    const heard: string[] = [];
    const client = new pg.Client((await storeSettings(nodes.folder)).CONFAB_DATABASE_URL);
    await client.connect();
    await client.query('listen confab_answer_order; listen confab_test');
    client.on('notification', ({ payload = '' }) => heard.push(payload.split(' ')[0] ?? ''));
    await get('@weavy/uikit-web@21.1.2');
    await client.query("notify confab_test, 'end'");
    await poll('every notice', () => (heard.includes('end') ? true : undefined));
    await client.end();
    assert.deepEqual(heard, ['wait', 'end']);
  });
});

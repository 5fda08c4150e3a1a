import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Webhook } from 'confab-contract/webhooks.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { secretOf } from 'confab-testing/secrets.ts';
import { freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { completenessFaults, deliveriesOf, register } from 'confab-testing/webhooks.ts';

const server = useServer();
const watch = useStoreWatch(server);

/** A unique address; nothing listens there. */
function freshUrl(): string {
  return `http://127.0.0.1:9/${freshUid('hook')}`;
}

const eventsOf = (webhookId: number) => watch.actionsOf('webhook', webhookId);

// A webhook is registered with the requested fields, enabled by default, and its secret is never shown.
describe('registering a webhook', () => {
  test('returns the fields but never the secret', async () => {
    const payload_url = freshUrl();
    const body = { payload_url, secret: 'never shown', triggers: ['notifications', 'comments'] };
    const answer = await server.call('POST', '/api/webhooks', body);
    assert.equal(answer.status, 201);
    const { id, ...rest } = answer.body;
    assert.ok(id > 0);
    assert.deepEqual(rest, {
      payload_url,
      triggers: ['notifications', 'comments'],
      is_enabled: true,
      ordered: false,
      breaker: { state: 'closed' },
    });
    assert.equal(secretOf(server, id), 'never shown');
    const shown = await server.call('GET', `/api/webhooks/${id}`);
    assert.deepEqual(shown.body, answer.body);
    const [event] = watch.rows(
      `select payload from events where entity_type = 'webhook' and entity_id = ${id}`,
    );
    assert.ok(!String(event?.payload).includes('never shown'));
    assert.ok(String(event?.payload).includes('"action":"webhook_created"'));
  });

  test('accepts the flag under either name, its own first', async () => {
    const made = async (fields: object) =>
      (await register(server, { payload_url: freshUrl(), ...fields })).is_enabled;
    assert.equal(await made({ enabled: false }), false);
    assert.equal(await made({ is_enabled: false }), false);
    assert.equal(await made({ enabled: true, is_enabled: false }), true);
    assert.equal(await made({ enabled: null }), true);
  });

  test('merges repeated triggers, keeps their order and accepts single actions', async () => {
    const triggers = ['posts', 'comment_created', 'posts', 'apps', 'comment_created'];
    const { triggers: kept } = await register(server, { payload_url: freshUrl(), triggers });
    assert.deepEqual(kept, ['posts', 'comment_created', 'apps']);
  });

  test('accepts every group of events by its name', async () => {
    const triggers =
      'comments, posts, messages, files, reactions, polls, notifications, conversations, apps, members';
    const webhook = await register(server, { payload_url: freshUrl(), triggers: triggers.split(', ') });
    assert.equal(webhook.triggers.join(', '), triggers);
  });

  const refused: [name: string, fields: object, pointer: string][] = [
    ['no address', { payload_url: undefined }, '/payload_url'],
    ['a null address', { payload_url: null }, '/payload_url'],
    ['an empty address', { payload_url: '' }, '/payload_url'],
    ['a relative address', { payload_url: '/hook' }, '/payload_url'],
    ['an address of another scheme', { payload_url: 'ftp://example.com/' }, '/payload_url'],
    ['an address with a password', { payload_url: 'http://u:p@example.com/' }, '/payload_url'],
    ['an internal address', { payload_url: 'http://10.0.0.1/hook' }, '/payload_url'],
    ['an internal address spelled as a number', { payload_url: 'http://167772161/' }, '/payload_url'],
    [
      'an address that is too long',
      { payload_url: `http://example.com/${'a'.repeat(2048)}` },
      '/payload_url',
    ],
    ['no triggers', { triggers: undefined }, '/triggers'],
    ['an empty list of triggers', { triggers: [] }, '/triggers'],
    ['an unknown trigger', { triggers: ['comments', 'likes'] }, '/triggers/1'],
    ['an empty trigger', { triggers: [''] }, '/triggers/0'],
    ['a trigger of another case', { triggers: ['Comments'] }, '/triggers/0'],
    ['a trigger named like a property of objects', { triggers: ['constructor'] }, '/triggers/0'],
    ['an action that is in the log alone', { triggers: ['webhook_created'] }, '/triggers/0'],
    ['an empty secret', { secret: '' }, '/secret'],
    ['a secret of 257 characters', { secret: 's'.repeat(257) }, '/secret'],
    ['a secret with a line break', { secret: 'one\ntwo' }, '/secret'],
    ['a secret with NUL', { secret: 'one\0two' }, '/secret'],
    ['a whsec_ secret that is not base64', { secret: 'whsec_not base64!' }, '/secret'],
    ['a whsec_ secret of 8 bytes', { secret: `whsec_${Buffer.alloc(8).toString('base64')}` }, '/secret'],
  ];
  for (const [name, fields, pointer] of refused)
    test(`refuses ${name} with 422`, async () => {
      const body = { payload_url: freshUrl(), triggers: ['comments'], ...fields };
      const before = watch.count('webhooks');
      assertProblem(await server.call('POST', '/api/webhooks', body), 422, 'validation_failed', pointer);
      assert.equal(watch.count('webhooks'), before);
    });

  for (const [name, fields] of [
    ['an address that is a number', { payload_url: 5 }],
    ['triggers that are a text', { triggers: 'comments' }],
    ['a trigger that is a number', { triggers: [17] }],
    ['a secret that is a number', { secret: 5 }],
    ['a flag that is a text', { enabled: 'true' }],
    ['a flag that is a text, under its other name', { is_enabled: 'true' }],
  ] as const)
    test(`refuses ${name} with 400`, async () => {
      const body = { payload_url: freshUrl(), triggers: ['comments'], ...fields };
      assertProblem(await server.call('POST', '/api/webhooks', body), 400, 'wrong_type');
    });

  test('accepts a secret of 1 to 256 characters, and whsec_ with 24 to 64 bytes', async () => {
    for (const secret of [
      's',
      '🔑'.repeat(256),
      ...[24, 64].map((n) => `whsec_${Buffer.alloc(n).toString('base64')}`),
    ]) {
      const { id } = await register(server, { payload_url: freshUrl(), secret });
      assert.equal(secretOf(server, id), secret);
    }
  });

  test('names the reason why an address is refused', async () => {
    const answer = await server.call('POST', '/api/webhooks', {
      payload_url: 'http://169.254.169.254/latest/meta-data/',
      triggers: ['comments'],
    });
    assert.equal(answer.body.errors[0].code, 'address_not_allowed');
    assert.match(answer.body.errors[0].message, /CONFAB_EGRESS_ALLOW/);
  });
});

// PATCH changes what is present, leaves what is absent, clears a secret by null, and refuses what is present and invalid.
describe('updating a webhook', () => {
  test('without any field changes nothing and has no event', async () => {
    const webhook = await register(server, { payload_url: freshUrl(), secret: 'kept' });
    const answer = await server.call('PATCH', `/api/webhooks/${webhook.id}`, {});
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, webhook);
    assert.equal(secretOf(server, webhook.id), 'kept');
    assert.deepEqual(eventsOf(webhook.id), ['webhook_created']);
  });

  test('changes one field and leaves the others', async () => {
    const webhook = await register(server, { payload_url: freshUrl(), secret: 'kept' });
    const payload_url = freshUrl();
    for (const [body, changed] of [
      [{ is_enabled: false }, { is_enabled: false }],
      [{ enabled: true }, { is_enabled: true }],
      [{ is_enabled: false, enabled: true }, { is_enabled: false }],
      [{ payload_url }, { payload_url }],
      [{ triggers: ['posts', 'posts', 'files'] }, { triggers: ['posts', 'files'] }],
    ] as const) {
      const before = await server.read(`/api/webhooks/${webhook.id}`);
      const answer = await server.call('PATCH', `/api/webhooks/${webhook.id}`, body);
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { ...before, ...changed });
      assert.deepEqual(await server.read(`/api/webhooks/${webhook.id}`), answer.body);
    }
    assert.equal(secretOf(server, webhook.id), 'kept');
    assert.deepEqual(eventsOf(webhook.id), ['webhook_created', ...Array(5).fill('webhook_updated')]);
  });

  test('replaces the secret, and null clears it', async () => {
    const { id } = await register(server, { payload_url: freshUrl(), secret: 'first' });
    await server.call('PATCH', `/api/webhooks/${id}`, { secret: 'second' });
    assert.equal(secretOf(server, id), 'second');
    const answer = await server.call('PATCH', `/api/webhooks/${id}`, { secret: null });
    assert.equal(answer.status, 200);
    assert.equal(secretOf(server, id), undefined);
  });

  for (const [name, body, pointer] of [
    ['an internal address', { payload_url: 'http://192.168.0.1/' }, '/payload_url'],
    ['a null address', { payload_url: null }, '/payload_url'],
    ['null triggers', { triggers: null }, '/triggers'],
    ['no trigger', { triggers: [] }, '/triggers'],
    ['an unknown trigger', { triggers: ['likes'] }, '/triggers/0'],
    ['a null flag', { is_enabled: null }, '/is_enabled'],
    ['an empty secret', { secret: '' }, '/secret'],
  ] as const)
    test(`refuses ${name} with 422 and changes nothing`, async () => {
      const webhook = await register(server, { payload_url: freshUrl(), secret: 'kept' });
      const answer = await server.call('PATCH', `/api/webhooks/${webhook.id}`, { enabled: false, ...body });
      assertProblem(answer, 422, 'validation_failed', pointer);
      assert.deepEqual(await server.read(`/api/webhooks/${webhook.id}`), webhook);
      assert.equal(secretOf(server, webhook.id), 'kept');
    });

  test('checks the webhook before the values', async () => {
    assertProblem(await server.call('PATCH', '/api/webhooks/999999', { triggers: [] }), 404, 'not_found');
    assertProblem(await server.call('PATCH', '/api/webhooks/abc', { triggers: [] }), 404, 'not_found');
    assertProblem(await server.call('PATCH', '/api/webhooks/999999', { triggers: 5 }), 400, 'wrong_type');
  });
});

// Webhooks belong to the holder of an API key: users get 401 for reads and 403 for writes.
describe('the caller of webhook operations', () => {
  test('must have an API key', async () => {
    const { id } = await register(server, { payload_url: freshUrl() });
    const user = await makeUser(server);
    const body = { payload_url: freshUrl(), triggers: ['comments'] };
    for (const [method, path, sent, status] of [
      ['GET', '/api/webhooks', undefined, 401],
      ['GET', `/api/webhooks/${id}`, undefined, 401],
      ['GET', `/api/webhooks/${id}/deliveries`, undefined, 401],
      ['GET', '/api/webhooks/999999', undefined, 401],
      ['POST', '/api/webhooks', body, 403],
      ['PATCH', `/api/webhooks/${id}`, { is_enabled: false }, 403],
      ['DELETE', `/api/webhooks/${id}`, undefined, 403],
      ['DELETE', '/api/webhooks/999999', undefined, 403],
    ] as const) {
      const asPerson = await user.call(method, path, sent);
      assert.equal(asPerson.status, status, `${method} ${path}`);
      const asNobody = await server.as(null).call(method, path, sent);
      assert.equal(asNobody.status, 401, `${method} ${path}`);
    }
    assert.equal((await server.read(`/api/webhooks/${id}`)).is_enabled, true);
  });
});

// Lists obey the common parameters; what webhooks do not have, a tag or a trash, matches none of them.
describe('listing webhooks', () => {
  test('pages in ascending order of id and counts all', async () => {
    const word = freshUid('paged').replace('-', '');
    const made: number[] = [];
    for (let i = 0; i < 5; i += 1)
      made.push((await register(server, { payload_url: `http://127.0.0.1:9/${word}/${i}` })).id);
    const list = async (query: string) => await server.read(`/api/webhooks?q=${word}&${query}`);
    const ids = (page: { data: Webhook[] }) => page.data.map((webhook) => webhook.id);
    const first = await list('top=2');
    assert.deepEqual(ids(first), made.slice(0, 2));
    assert.deepEqual([first.start, first.end, first.count], [1, 2, 5]);
    const last = await list('top=2&skip=4');
    assert.deepEqual(ids(last), made.slice(4));
    assert.deepEqual([last.start, last.end, last.count], [5, 5, 5]);
    assert.deepEqual(ids(await list('order_by=id+desc')), made.toReversed());
    assert.deepEqual(ids(await list('order_by=payload_url+desc&top=1')), [made[4]]);
    assert.deepEqual(await list('count_only=true'), { count: 5 });
    assert.ok(!('count' in (await list('count=false'))));
    assert.deepEqual(Object.keys(first.data[0]), [
      'id',
      'payload_url',
      'triggers',
      'is_enabled',
      'ordered',
      'breaker',
    ]);
  });

  test('matches every word of the address as a prefix, in any case and script', async () => {
    const mark = freshUid('q').replace('-', '');
    const { id } = await register(server, { payload_url: `http://127.0.0.1:9/${mark}/Übersicht/orders-new` });
    const found = async (q: string) => {
      const body = await server.read(`/api/webhooks?q=${encodeURIComponent(`${mark} ${q}`)}`);
      return body.data.map((webhook: Webhook) => webhook.id);
    };
    assert.deepEqual(await found('ord'), [id]);
    assert.deepEqual(await found('UBER new'), [id]);
    assert.deepEqual(await found('"orders new"'), [id]);
    assert.deepEqual(await found('"orders ne"'), []);
    assert.deepEqual(await found('rders'), []);
    await server.call('PATCH', `/api/webhooks/${id}`, { payload_url: `http://127.0.0.1:9/${mark}/moved` });
    assert.deepEqual(await found('orders'), []);
    assert.deepEqual(await found('moved'), [id]);
  });

  test('finds none by tag and none in the trash, and counts none', async () => {
    await register(server, { payload_url: freshUrl() });
    for (const query of ['trashed=true', 'tag=x']) {
      const body = await server.read(`/api/webhooks?${query}`);
      assert.deepEqual(body, { data: [], start: 0, end: 0, count: 0 });
    }
    const body = await server.read('/api/webhooks?trashed=null&top=1');
    assert.equal(body.data.length, 1);
  });
});

// A deleted webhook disappears at once for all callers, with its deliveries, however many there are.
describe('deleting a webhook', () => {
  test('answers 204 once and 404 from then on, on every operation', async () => {
    const payload_url = freshUrl();
    const { id } = await register(server, { payload_url, triggers: ['comments'] });
    const app = await makeApp(server);
    await makeComment(server, app.uid);
    assert.equal((await deliveriesOf(server, id)).length, 1);
    const answer = await server.call('DELETE', `/api/webhooks/${id}`);
    assert.equal(answer.status, 204);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/deliveries', undefined],
      ['PATCH', '', { is_enabled: true }],
      ['DELETE', '', undefined],
    ] as const)
      assertProblem(await server.call(method, `/api/webhooks/${id}${path}`, body), 404, 'not_found');
    const q = encodeURIComponent(payload_url.slice(payload_url.lastIndexOf('/') + 1));
    assert.equal((await server.read(`/api/webhooks?q=${q}`)).count, 0);
    await makeComment(server, app.uid);
    for (const table of ['deliveries', 'webhook_triggers'])
      assert.deepEqual(watch.rows(`select * from ${table} where webhook_id = ${id}`), []);
    assert.deepEqual(watch.rows(`select * from webhooks where id = ${id}`), []);
    assert.deepEqual(
      watch.rows(`select * from tallies where parent_type = 'webhook' and parent_id = ${id}`),
      [],
    );
    assert.deepEqual(eventsOf(id), ['webhook_created', 'webhook_deleted']);
    assert.deepEqual(completenessFaults(server), []);
  });

  test('hides many deliveries at once and removes them batch by batch', async () => {
    const { id } = await register(server, { payload_url: freshUrl(), triggers: ['members'] });
    const app = await makeApp(server);
    // One event for each member, so a few requests cause more deliveries than one batch removes.
    const users = [];
    for (let i = 0; i < 26; i += 1) users.push((await makeUser(server)).uid);
    for (let round = 0; round < 20; round += 1) {
      const access = round % 2 === 0 ? 'read' : 'write';
      await server.call(
        'POST',
        `/api/apps/${app.uid}/members`,
        users.map((uid) => ({ uid, access })),
      );
    }
    const body = await server.read(`/api/webhooks/${id}/deliveries?count_only=true`);
    assert.equal(body.count, 520);
    assert.equal((await server.call('DELETE', `/api/webhooks/${id}`)).status, 204);
    assertProblem(await server.call('GET', `/api/webhooks/${id}`), 404, 'not_found');
    await poll('the deliveries to be gone', () =>
      watch.rows(`select 1 from deliveries where webhook_id = ${id} limit 1`).length === 0 &&
      watch.rows(`select 1 from webhooks where id = ${id}`).length === 0
        ? true
        : undefined,
    );
  });
});

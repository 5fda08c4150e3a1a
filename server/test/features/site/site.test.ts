import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertProblem } from 'confab-testing/problem.ts';
import { startTestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

const path = '/api/site';
const page = '/api/apps/blog.example.com~posts~1';
const origin = 'https://blog.example.com';
const server = useServer({ CONFAB_SIGN_IN_PUZZLE: 'no', CONFAB_PAGES_APPROVAL: 'none' });
const watch = useStoreWatch(server);

const change = async (body: object) => await server.call('PATCH', path, body);

/** What the pages of an origin may read. */
async function allowedOrigin(of: string): Promise<string | null> {
  const { headers } = await server.call('GET', '/api/user', undefined, {
    as: null,
    headers: { origin: of },
  });
  return headers.get('access-control-allow-origin');
}

describe('the site', () => {
  it('is closed until somebody sets it', async () => {
    assert.deepEqual(await server.read(path), {
      origins: [],
      sign_in: [],
      visitors: 'none',
      approval: 'none',
      possible_ways: ['guest'],
      fixed: { approval: 'CONFAB_PAGES_APPROVAL' },
    });
    assert.equal(await allowedOrigin(origin), null);
    assertProblem(
      await server.call('POST', '/api/sign-in/guest', { name: 'Ada' }, { as: null }),
      404,
      'not_found',
    );
    const window = await fetch(`${server.url}/sign-in`);
    assert.equal(window.status, 404);
  });

  it('says to pages of any origin what they lack', async () => {
    const lacks = async (of: string) => {
      const answer = await fetch(`${server.url}/api/sign-in`, { headers: { origin: of } });
      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.equal(answer.headers.get('vary'), 'Origin');
      return ((await answer.json()) as { lacks: string[] }).lacks;
    };
    assert.deepEqual(await lacks(origin), ['origins', 'sign_in', 'visitors']);
    await change({ origins: [origin] });
    assert.deepEqual(await lacks(origin), ['sign_in', 'visitors']);
    assert.deepEqual(await lacks('https://other.example.com'), ['origins', 'sign_in', 'visitors']);
    await change({ origins: null, sign_in: ['guest'], visitors: 'write' });
    assert.deepEqual(await lacks(origin), ['origins']);
    assert.deepEqual((await server.as(null).read('/api/sign-in')).lacks, []);
    await change({ sign_in: null, visitors: null });
  });

  it('opens to the pages and visitors of an origin at once, without a restart', async () => {
    const { status, body, text } = await change({
      origins: [`${origin}/`, origin],
      sign_in: ['guest'],
      visitors: 'write',
    });
    assert.equal(status, 200, text);
    assert.deepEqual([body.origins, body.sign_in, body.visitors], [[origin], ['guest'], 'write']);
    assert.deepEqual(await server.read(path), body);
    assert.equal(await allowedOrigin(origin), origin);
    assert.equal(await allowedOrigin('https://other.example.com'), null);
    assert.equal((await server.as(null).read('/api/sign-in')).opens_pages, true);
    const { access_token: as } = await signInGuest(server);
    assert.equal((await server.call('PUT', `${page}?page=true`, { type: 'comments' }, { as })).status, 201);
    assert.equal((await server.call('POST', `${page}/comments`, { text: 'First' }, { as })).status, 201);
    assert.equal((await server.as(null).call('GET', `${page}/comments`)).status, 200);
  });

  it('tells its change in one event, and none where nothing changes', async () => {
    const { body } = await change({ origins: [origin, 'https://shop.example.com'] });
    watch.hasCommitted();
    assert.equal((await change({ origins: body.origins })).status, 200);
    assert.equal(watch.hasCommitted(), false);
    const events: { action: string; site?: object }[] = (await server.read('/api/events?top=100')).data;
    const { origins, sign_in, visitors, modified_at } = body;
    assert.deepEqual(events.findLast(({ action }) => action === 'site_updated')?.site, {
      ...{ origins, sign_in, visitors, modified_at, version: 5 },
    });
  });

  it('closes again with null, and pages that are open stay open', async () => {
    const { body } = await change({ origins: null, sign_in: null, visitors: null });
    assert.deepEqual([body.origins, body.sign_in, body.visitors], [[], [], 'none']);
    assert.equal(await allowedOrigin(origin), null);
    assertProblem(
      await server.call('POST', '/api/sign-in/guest', { name: 'Eve' }, { as: null }),
      404,
      'not_found',
    );
    assert.equal((await server.as(null).call('GET', `${page}/comments`)).status, 200);
  });

  it('refuses what cannot be, and names the field', async () => {
    watch.hasCommitted();
    for (const [body, ...expected] of [
      [{ origins: ['https://blog.example.com/posts'] }, '/origins/0', 'origin'],
      [{ origins: ['blog.example.com'] }, '/origins/0', 'origin'],
      [{ origins: [origin, '*'] }, '/origins/1', 'origin'],
      [{ sign_in: ['guest', 'email'] }, '/sign_in/1', 'not_possible'],
      [{ sign_in: ['github'] }, '/sign_in/0', 'not_possible'],
      [{ approval: 'everything' }, '/approval', 'fixed'],
      [{ approval: null }, '/approval', 'fixed'],
    ] as const) {
      const answer = await change(body);
      assertProblem(answer, 422, 'validation_failed');
      const [{ pointer, code }] = answer.body.errors;
      assert.deepEqual([pointer, code], expected, JSON.stringify(body));
    }
    assert.equal(watch.hasCommitted(), false);
  });

  it('is changed by keys with every right alone', async () => {
    const { key } = await server.create('/api/keys', { name: 'apps', scopes: ['apps', 'read'] });
    assert.equal((await server.as(key).call('GET', path)).status, 200);
    assertProblem(await server.as(key).call('PATCH', path, { visitors: 'read' }), 403, 'scope_missing');
    assertProblem(await server.as(await server.token('ada')).call('GET', path), 401, 'key_required');
  });

  it('stays where a server starts anew, and settings win over it', async () => {
    const settings = { CONFAB_CORS_ORIGINS: 'https://other.example.com' };
    const first = await startTestServer();
    await first.call('PATCH', path, { origins: [origin], visitors: 'read' });
    await first.running.close();
    const second = await startTestServer(settings, { folder: first.folder });
    try {
      const body = await second.read(path);
      assert.deepEqual(
        [body.origins, body.visitors, body.fixed],
        [['https://other.example.com'], 'read', { origins: 'CONFAB_CORS_ORIGINS' }],
      );
    } finally {
      await second.close();
    }
  });
});

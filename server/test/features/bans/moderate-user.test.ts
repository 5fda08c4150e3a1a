import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Sending, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName } from 'confab-testing/visitors.ts';

let now = Date.parse('2026-11-21T08:00:00.000Z');
const server = useServer(
  {
    CONFAB_SIGN_IN: 'guest',
    CONFAB_SIGN_IN_PUZZLE: 'no',
    CONFAB_TRUSTED_PROXIES: '127.0.0.1',
    CONFAB_LIMITS_ADDRESS: 'off',
  },
  { clock: { now: () => now } },
);
const watch = useStoreWatch(server);

const from = (address: string, as: string | null = null): Sending => ({
  headers: { 'x-forwarded-for': address },
  as,
});

async function signIn(address: string) {
  return await server.call('POST', '/api/sign-in/guest', { name: freshName() }, from(address));
}

async function guestAt(address: string) {
  const { status, body, text } = await signIn(address);
  assert.equal(status, 200, text);
  return { token: body.access_token as string, id: body.user.id as number };
}

/** A moderator: of a directory, or of everyone. */
async function makeModerator(directory?: string) {
  const user = await makeUser(server);
  const fields = { role: 'moderator', ...(directory === undefined ? {} : { directory }) };
  const { status, text } = await server.call('PATCH', `/api/users/${user.uid}`, fields);
  assert.equal(status, 200, text);
  return user;
}

const decide = (user: number | string, body: object, as: string) =>
  server.call('PATCH', `/api/users/${user}/moderation`, body, { as });

// Who moderates everything decides about people where they read, and learns no address by it.
describe('moderating a user', () => {
  it('has a ban of the address of a visitor, which a moderator ends again', async () => {
    const app = await makeApp(server, { access: 'write', visitors: 'write' });
    const path = `/api/apps/${app.id}/comments`;
    const guest = await guestAt('198.51.100.20');
    const mina = await makeModerator();
    const banned = await decide(guest.id, { ban_seconds: 600 }, mina.token);
    assert.equal(banned.status, 200, banned.text);
    assert.deepEqual(banned.body, {
      is_trusted: false,
      is_suspended: false,
      banned_until: '2026-11-21T08:10:00.000Z',
    });
    const as = from('198.51.100.20', guest.token);
    assertProblem(await server.call('POST', path, { text: 'x' }, as), 403, 'address_banned');
    assertProblem(await signIn('198.51.100.20'), 403, 'address_banned');
    // A longer one stays.
    await decide(guest.id, { ban_seconds: 60 }, mina.token);
    assert.equal((await decide(guest.id, {}, server.key)).body.banned_until, banned.body.banned_until);
    const ended = await decide(guest.id, { ban_seconds: 0 }, mina.token);
    assert.deepEqual(ended.body, { is_trusted: false, is_suspended: false });
    assert.equal((await server.call('POST', path, { text: 'x' }, as)).status, 201);
    watch.hasCommitted();
    assert.equal((await decide(guest.id, { ban_seconds: 0 }, mina.token)).status, 200);
    assert.equal(watch.hasCommitted(), false);
    const events = (await server.read('/api/events?after=0&top=100')).data;
    const told = events.filter(({ action }: { action: string }) => action.startsWith('address_'));
    assert.deepEqual(
      told.map(({ action, actor }: any) => [action, actor.id]),
      [
        ['address_banned', mina.id],
        ['address_unbanned', mina.id],
      ],
    );
    assert.ok(!JSON.stringify(told).includes('198.51.100'));
  });

  it('has trust, with which a guest needs no approval', async () => {
    const app = await makeApp(server, { access: 'write', visitors: 'write' });
    await server.call('PATCH', `/api/apps/${app.id}`, { approval: 'guests' });
    const guest = await guestAt('198.51.100.21');
    const mina = await makeModerator();
    const as = from('198.51.100.21', guest.token);
    const write = async () =>
      (await server.call('POST', `/api/apps/${app.id}/comments`, { text: 'x' }, as)).body;
    assert.equal((await write()).is_held, true);
    assert.equal((await decide(guest.id, { is_trusted: true }, mina.token)).body.is_trusted, true);
    assert.equal((await write()).is_held, undefined);
    await decide(guest.id, { is_trusted: false }, mina.token);
    assert.equal((await write()).is_held, true);
  });

  it('has a suspension, after which nothing is done as that user', async () => {
    const guest = await guestAt('198.51.100.22');
    const mina = await makeModerator();
    assert.equal((await decide(guest.id, { is_suspended: true }, mina.token)).body.is_suspended, true);
    assert.equal(
      (await server.call('GET', '/api/user', undefined, from('198.51.100.22', guest.token))).status,
      401,
    );
    assert.equal((await decide(guest.id, { is_suspended: false }, mina.token)).body.is_suspended, false);
  });

  it('is for moderators of the directory or of everyone, and about nobody of theirs', async () => {
    const guest = await guestAt('198.51.100.23');
    await server.create('/api/directories', { name: 'staff' });
    const [mina, other, outsider, ada] = [
      await makeModerator(),
      await makeModerator(),
      await makeModerator('staff'),
      await makeUser(server),
    ];
    const app = await makeApp(server, { access: 'write', members: { manager: [ada] } });
    assert.ok(app.id > 0);
    const body = { is_trusted: true };
    assertProblem(await decide(guest.id, body, ada.token), 403, 'suspend_forbidden');
    assertProblem(await decide(999_999, body, ada.token), 403, 'suspend_forbidden');
    assertProblem(await decide(other.id, body, mina.token), 403, 'suspend_forbidden');
    assertProblem(await decide(guest.id, body, outsider.token), 404, 'not_found');
    assertProblem(await decide(999_999, body, mina.token), 404, 'not_found');
    assertProblem(
      await server.call(
        'PATCH',
        `/api/users/${guest.id}/moderation`,
        body,
        from('198.51.100.23', guest.token),
      ),
      401,
      'users_only',
    );
    assertProblem(await decide(ada.id, { ban_seconds: 60 }, mina.token), 422, 'validation_failed');
    now += 31 * 86_400_000;
    assertProblem(await decide(guest.id, { ban_seconds: 60 }, server.key), 422, 'validation_failed');
  });
});

// Nothing that a moderator gets tells them that two visitors share an address.
describe('the ban of an address that another visitor has as well', () => {
  it('is shown to API keys alone', async () => {
    const [first, second, elsewhere] = [
      await guestAt('198.51.100.30'),
      await guestAt('198.51.100.30'),
      await guestAt('198.51.100.31'),
    ];
    const mina = await makeModerator();
    await decide(first.id, { ban_seconds: 600 }, mina.token);
    for (const body of [{}, { ban_seconds: 60 }, { is_trusted: true }]) {
      const [one, other] = [
        await decide(second.id, body, mina.token),
        await decide(elsewhere.id, body, mina.token),
      ];
      assert.deepEqual([one.status, one.body], [200, other.body], JSON.stringify(body));
    }
    const seen = await decide(second.id, {}, server.key);
    assert.equal(seen.body.banned_until, new Date(now + 600_000).toISOString());
    await decide(first.id, { ban_seconds: 0 }, server.key);
    await decide(elsewhere.id, { ban_seconds: 0 }, server.key);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { useServer } from 'confab-testing/server.ts';
import { signInGuest } from 'confab-testing/visitors.ts';

describe('the session of a visitor', () => {
  let now = Date.parse('2026-11-26T10:00:00Z');
  const server = useServer(
    { CONFAB_SIGN_IN: 'guest', CONFAB_SIGN_IN_PUZZLE: 'no' },
    { clock: { now: () => now }, isQuiet: true },
  );
  const renew = (secret: string) =>
    server.call('POST', '/api/sign-in/renewal', { renewal_secret: secret }, { as: null });
  const works = async (token: string) => (await server.as(token).call('GET', '/api/user')).status === 200;

  it('has tokens of an hour, each renewed by a secret that works once', async () => {
    const first = await signInGuest(server);
    assert.equal(first.expires_in, 3600);
    now += 3_600_001;
    assert.equal(await works(first.access_token), false);
    const { status, body: second } = await renew(first.renewal_secret);
    assert.equal(status, 200);
    assert.equal(second.user.id, first.user.id);
    assert.equal(await works(second.access_token), true);
    assert.equal((await renew(second.renewal_secret)).status, 200);
  });

  it('ends everywhere when a secret comes twice', async () => {
    const first = await signInGuest(server);
    const { body: second } = await renew(first.renewal_secret);
    const copied = await renew(first.renewal_secret);
    assert.deepEqual([copied.status, copied.body.code], [403, 'sign_in_ended']);
    for (const token of [first.access_token, second.access_token]) assert.equal(await works(token), false);
    assert.equal((await renew(second.renewal_secret)).status, 403);
  });

  it('is renewed by one of many requests at once, and none of them gets a second', async () => {
    const { renewal_secret: secret } = await signInGuest(server);
    const answers = await Promise.all(Array.from({ length: 8 }, () => renew(secret)));
    assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
    assert.equal((await renew(secret)).status, 403);
  });

  it('lasts thirty days without a visit', async () => {
    const { renewal_secret: secret } = await signInGuest(server);
    now += 30 * 24 * 3_600_000;
    assert.equal((await renew(secret)).status, 403);
  });

  it('ends here or everywhere', async () => {
    const here = await signInGuest(server);
    const { body: renewed } = await renew(here.renewal_secret);
    const guest = server.as(renewed.access_token);
    assert.equal((await guest.call('DELETE', '/api/sign-in')).status, 204);
    assert.equal(await works(renewed.access_token), false);
    assert.equal((await renew(renewed.renewal_secret)).status, 403);
    const other = await signInGuest(server);
    const all = await server.as(other.access_token).call('DELETE', '/api/sign-in?everywhere=true');
    assert.equal(all.status, 204);
    assert.equal((await renew(other.renewal_secret)).status, 403);
  });

  it('is for no other kind of secret', async () => {
    const { access_token: token } = await signInGuest(server);
    const user = await server.token('product-user');
    for (const secret of [token, server.key, user, 'x', `wyr_${'0'.repeat(38)}`])
      assert.equal((await renew(secret)).status, 403);
    assert.equal((await server.as(user).call('DELETE', '/api/sign-in')).body.code, 'visitor_required');
    assert.equal((await server.call('PATCH', '/api/user', { name: 'x' })).body.code, 'visitor_required');
  });
});

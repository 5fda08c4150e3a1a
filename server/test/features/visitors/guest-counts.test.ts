import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { countOf } from 'confab-testing/lists.ts';
import { poll } from 'confab-testing/poll.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type TestServer, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { freshName } from 'confab-testing/visitors.ts';
import { continueSession } from '../../../src/features/visitors/visitor-sessions.ts';
import { makeVisitor } from '../../../src/features/visitors/visitors.ts';

const dayMs = 86_400_000;
let now = Date.parse('2026-11-26T22:00:00.000Z');
const clock = { now: () => now };
const signingIn = {
  CONFAB_SIGN_IN: 'guest',
  CONFAB_SIGN_IN_PUZZLE: 'no',
  CONFAB_LIMITS_ADDRESS: 'off',
};
const behindProxy = { ...signingIn, CONFAB_TRUSTED_PROXIES: '127.0.0.1' };

/** A guest as a page has one. */
type Guest = { readonly id: number; token: string; readonly secret: string };

/** What guests do on a server, each time from the address that is given. */
function guestsOf(server: TestServer) {
  const call = (method: string, path: string, body: object | undefined, from: string, as: string | null) =>
    server.call(method as 'POST', path as '/api/comments/{id}/reactions', body, {
      as,
      headers: { 'x-forwarded-for': from },
    });
  return {
    async signIn(from: string): Promise<Guest> {
      const { status, body, text } = await call(
        'POST',
        '/api/sign-in/guest',
        { name: freshName() },
        from,
        null,
      );
      assert.equal(status, 200, text);
      const { user, access_token: token, renewal_secret: secret } = body as any;
      return { id: user.id, token, secret };
    },
    react: (guest: Guest, comment: number, from: string, content = '👍') =>
      call('POST', `/api/comments/${comment}/reactions`, { content }, from, guest.token),
    takeBack: (guest: Guest, comment: number, from: string) =>
      call('DELETE', `/api/comments/${comment}/reactions`, undefined, from, guest.token),
    report: (guest: Guest, comment: number, from: string, text?: string) =>
      call('POST', `/api/comments/${comment}/reports`, { reason: 'spam', text }, from, guest.token),
    async comment(): Promise<number> {
      const app = await makeApp(server, { access: 'write', visitors: 'write' });
      return (await makeComment(server, app.id)).id;
    },
    reactions: (comment: number) => countOf(server, `/api/comments/${comment}/reactions`),
    async reports(comment: number): Promise<number> {
      const { data } = await server.read('/api/reports?state=open&top=100');
      return data.find(({ entity }) => entity.id === comment)?.report_count ?? 0;
    },
  };
}

let addresses = 0;
/** An address that no other test uses. */
function freshAddress(): string {
  addresses += 1;
  return `198.51.100.${addresses}`;
}

const range = (length: number) => Array.from({ length }, (_, each) => each);

// One person who is many guests counts once for each comment and day.
describe('guests who count by their address', () => {
  const server = useServer({ ...behindProxy, CONFAB_GUESTS_COUNT_BY: 'address' }, { clock });
  const watch = useStoreWatch(server);
  const guests = guestsOf(server);

  it('react and report once, fifty of them', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    for (const each of range(50)) {
      const guest = await guests.signIn(from);
      const { status, headers, body } = await guests.react(guest, comment, from);
      assert.equal(status, each === 0 ? 204 : 429);
      if (each > 0) {
        assert.equal((body as any).code, 'address_counted');
        assert.equal(headers.get('retry-after'), '7200');
      }
      const reported = await guests.report(guest, comment, from, `text ${each}`);
      assert.equal(reported.status, 200, reported.text);
      assert.equal((reported.body as any).text, `text ${each}`);
    }
    assert.equal(await guests.reactions(comment), 1);
    assert.equal(await guests.reports(comment), 1);
    assert.deepEqual(watch.actionsOf('reaction', 1), ['reaction_added']);
    const told = watch.rows(`select id from events where action = 'report_created'`);
    assert.equal(told.length, 1);
  });

  it('react and report once, twenty of them at the same time', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    const all = await Promise.all(range(20).map(() => guests.signIn(from)));
    const reacted = await Promise.all(all.map((guest) => guests.react(guest, comment, from)));
    assert.deepEqual(
      [204, 429].map((status) => reacted.filter((answer) => answer.status === status).length),
      [1, 19],
    );
    const reported = await Promise.all(all.map((guest) => guests.report(guest, comment, from)));
    assert.equal(reported.filter(({ status }) => status === 200).length, 20);
    assert.equal(await guests.reactions(comment), 1);
    assert.equal(await guests.reports(comment), 1);
    assert.equal((await server.read(`/api/comments/${comment}`)).reactions?.length, 1);
  });

  it('count again on the next day, for another comment and from another address', async () => {
    const [comment, other, from] = [await guests.comment(), await guests.comment(), freshAddress()];
    const act = async (about: number, address: string) => {
      const guest = await guests.signIn(address);
      await guests.report(guest, about, address);
      return (await guests.react(guest, about, address)).status;
    };
    assert.deepEqual([await act(comment, from), await act(comment, from)], [204, 429]);
    assert.deepEqual([await act(other, from), await act(comment, freshAddress())], [204, 204]);
    now = Math.ceil(now / dayMs) * dayMs - 1;
    assert.equal(await act(comment, from), 429);
    now += 1;
    assert.deepEqual([await act(comment, from), await act(comment, from)], [204, 429]);
    assert.deepEqual([await guests.reactions(comment), await guests.reports(comment)], [3, 3]);
    assert.deepEqual([await guests.reactions(other), await guests.reports(other)], [1, 1]);
  });

  it('have the network of a machine as their address, and none that they forge', async () => {
    const comment = await guests.comment();
    const react = async (from: string) =>
      (await guests.react(await guests.signIn(from), comment, from)).status;
    assert.deepEqual([await react('2001:db8:7:1::1'), await react('2001:db8:7:1:ffff::2')], [204, 429]);
    assert.equal(await react('2001:db8:7:2::1'), 204);
    const from = freshAddress();
    assert.deepEqual([await react(from), await react(`203.0.113.9, ${from}`)], [204, 429]);
  });

  it('take back what they gave, and give it again, or leave it to another', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    const [one, two] = [await guests.signIn(from), await guests.signIn(from)];
    const status = async (asked: Promise<{ status: number }>) => (await asked).status;
    assert.equal(await status(guests.react(one, comment, from)), 204);
    assert.equal(await status(guests.react(one, comment, from)), 204, 'the same changes nothing');
    assert.equal(await status(guests.react(one, comment, from, '🎉')), 204, 'another emoji');
    assert.equal(await status(guests.takeBack(two, comment, from)), 200, 'there is none of theirs');
    assert.equal(await status(guests.react(two, comment, from)), 429);
    assert.equal(await status(guests.takeBack(one, comment, from)), 200);
    assert.equal(await status(guests.react(one, comment, from)), 204);
    assert.equal(await status(guests.takeBack(one, comment, from)), 200);
    assert.equal(await status(guests.react(two, comment, from)), 204);
    assert.equal(await status(guests.react(one, comment, from)), 429);
    assert.equal(await guests.reactions(comment), 1);
  });

  it('free no address by changing or taking back a reaction at another one', async () => {
    const [comment, home, away] = [await guests.comment(), freshAddress(), freshAddress()];
    const [one, two, three] = [
      await guests.signIn(home),
      await guests.signIn(home),
      await guests.signIn(home),
    ];
    await guests.react(one, comment, home);
    assert.equal((await guests.react(one, comment, away, '🎉')).status, 204);
    assertProblem(await guests.react(two, comment, home), 429, 'address_counted');
    assert.equal((await guests.react(two, comment, away)).status, 204);
    assert.equal((await guests.takeBack(two, comment, home)).status, 200);
    assertProblem(await guests.react(three, comment, home), 429, 'address_counted');
    assert.equal((await guests.react(three, comment, away)).status, 204);
    assert.equal(await guests.reactions(comment), 2);
  });

  it('change what they gave on another day, also where another has given today', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    const early = await guests.signIn(from);
    await guests.react(early, comment, from);
    now = Math.ceil((now + 1) / dayMs) * dayMs - 60_000;
    const renewal = { renewal_secret: early.secret };
    early.token = (
      await server.call('POST', '/api/sign-in/renewal', renewal, { as: null })
    ).body.access_token;
    now += 60_000;
    const late = await guests.signIn(from);
    assert.equal((await guests.react(late, comment, from)).status, 204);
    assert.equal((await guests.react(early, comment, from, '🎉')).status, 204);
    assert.equal((await guests.takeBack(early, comment, from)).status, 200);
    const third = await guests.signIn(from);
    assertProblem(await guests.react(third, comment, from), 429, 'address_counted');
  });

  it('get their own first report again, and nothing of that of another', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    const [one, two] = [await guests.signIn(from), await guests.signIn(from)];
    await guests.report(one, comment, from, 'the first');
    assert.equal(((await guests.report(two, comment, from, 'mine')).body as any).text, 'mine');
    assert.equal(((await guests.report(one, comment, from, 'later')).body as any).text, 'the first');
    const { data } = await server.read('/api/reports?state=open&top=100');
    const report = data.find(({ entity }) => entity.id === comment);
    assert.deepEqual(
      report?.texts.map(({ text }) => text),
      ['the first'],
    );
  });

  it('leave nobody room by erasing themselves, and no address in the store', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    const one = await guests.signIn(from);
    await guests.react(one, comment, from);
    await guests.report(one, comment, from);
    const rows = watch.rows('select * from counted_guests');
    assert.deepEqual([...new Set(rows.flatMap(Object.keys))].sort(), ['expires_at', 'hash', 'reaction_id']);
    for (const { hash } of rows) assert.equal((hash as Uint8Array).length, 32);
    assert.equal((await server.call('DELETE', `/api/users/${one.id}`)).status, 202);
    await poll('the end of the reaction', async () =>
      (await guests.reactions(comment)) === 0 ? true : undefined,
    );
    const two = await guests.signIn(from);
    assertProblem(await guests.react(two, comment, from), 429, 'address_counted');
    await guests.report(two, comment, from);
    assert.equal(await guests.reports(comment), 1);
    now += dayMs;
    assert.equal((await guests.react(await guests.signIn(from), comment, from)).status, 204);
    now += dayMs;
    await server.restart();
    const isForgotten = await poll('the end of every hash', () =>
      watch.count('counted_guests') === 0 ? true : undefined,
    );
    assert.ok(isForgotten);
  });

  it('are guests: others from there count each', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    await guests.react(await guests.signIn(from), comment, from);
    const mailed = await server.running.db.write(async (tx) => {
      const values = { name: freshName(), email: 'a@example.com', way: 'email' };
      const signedIn = await continueSession({ tx, at: now }, await makeVisitor({ tx, at: now }, values));
      return JSON.parse(signedIn) as { user: { id: number }; access_token: string };
    });
    const users = [
      { id: mailed.user.id, token: mailed.access_token, secret: '' },
      { ...(await makeUser(server)), secret: '' },
      { ...(await makeUser(server)), secret: '' },
    ];
    for (const user of users) {
      assert.equal((await guests.react(user, comment, from)).status, 204);
      assert.equal((await guests.report(user, comment, from)).status, 200);
    }
    assert.deepEqual([await guests.reactions(comment), await guests.reports(comment)], [4, 3]);
  });
});

describe('guests who count each', () => {
  const server = useServer(behindProxy, { clock });
  const guests = guestsOf(server);

  it('count fifty times from one address', async () => {
    const [comment, from] = [await guests.comment(), freshAddress()];
    for (const _ of range(50)) {
      const guest = await guests.signIn(from);
      assert.equal((await guests.react(guest, comment, from)).status, 204);
      assert.equal((await guests.report(guest, comment, from)).status, 200);
    }
    assert.deepEqual([await guests.reactions(comment), await guests.reports(comment)], [50, 50]);
  });
});

// Everybody behind a proxy that is not named has its address.
describe('guests whose address may be that of a proxy', () => {
  const server = useServer({ ...signingIn, CONFAB_GUESTS_COUNT_BY: 'address' }, { clock });
  const guests = guestsOf(server);

  it('count each', async () => {
    const comment = await guests.comment();
    for (const from of ['198.51.100.1', '198.51.100.1', '198.51.100.1'])
      assert.equal((await guests.react(await guests.signIn(from), comment, from)).status, 204);
    assert.equal(await guests.reactions(comment), 3);
  });
});

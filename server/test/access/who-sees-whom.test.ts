import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Answer, before, freshUid, use, useServer } from 'confab-testing/server.ts';
import { withActor } from '../../src/events/events.ts';
import { actorOf, publicFormOf, renderPublicUser } from '../../src/features/users/user-json.ts';
import { json } from '../../src/kernel/json.ts';

/** Every field of a user. */
const profile = {
  email: 'secret.address@example.com',
  given_name: 'Ada',
  middle_name: 'Hiddenmiddle',
  family_name: 'Lovelace',
  nickname: 'Countess',
  phone_number: '+44 555 0100',
  comment: 'owes us money',
  metadata: { salary: 1815 },
  tags: ['secret-tag'],
};
const publicFields = [
  'avatar_url',
  'directory_id',
  'display_name',
  'family_name',
  'given_name',
  'id',
  'is_bot',
  'nickname',
  'presence',
  'uid',
];
type Person = { uid: string; id: number; token: string };
const [acme, beta] = [freshUid('acme'), freshUid('beta')];

const server = useServer();
const ada = use(() =>
  makeUser(server, { ...profile, directory: acme, picture: 'https://example.com/ada.png' }),
);
const bob = use(() => makeUser(server, { ...profile, email: 'bob@example.com', directory: acme }));
const eve = use(() => makeUser(server, { directory: beta }));

const call = (method: string, path: string, body: unknown, { token }: Pick<Person, 'token'>) =>
  server.call(method, path, body, { as: token });

async function done(answer: Promise<Answer>): Promise<any> {
  const { status, text, body } = await answer;
  assert.ok(status < 300, text);
  return body;
}

function assertPublic(user: object): void {
  assert.deepEqual(Object.keys(user).sort(), publicFields);
}

/** An event has the kind of its actor as well, and the id of the key for API keys alone. */
function assertPublicActor({ kind, ...user }: { kind: string }): void {
  assert.equal(kind, 'person');
  assertPublic(user);
}

function assertWhole(user: { email?: string }): void {
  assert.ok(user.email !== undefined, JSON.stringify(user));
}

// Users see the public form of each other everywhere; API keys and the user get everything.
describe('a user, for other users', () => {
  let comment: { id: number; options?: { id: number }[] };
  const app = use(() => makeApp(server, { access: 'write', directory: acme }));
  before(async () => {
    comment = await makeComment(
      server,
      app.id,
      { text: 'mine', options: [{ text: 'yes' }] },
      { as: ada.token },
    );
    await done(call('POST', `/api/comments/${comment.id}/reactions`, { content: '👍' }, ada));
    await done(call('POST', `/api/options/${comment.options?.[0]?.id}/vote`, undefined, ada));
    await done(call('PATCH', `/api/comments/${comment.id}`, { text: 'mine indeed' }, ada));
  });

  const places: { readonly [place: string]: (reader: { token: string }) => Promise<any> } = {
    'the author of a comment': async (reader) =>
      (await done(call('GET', `/api/comments/${comment.id}`, undefined, reader))).created_by,
    'who edited a comment': async (reader) =>
      (await done(call('GET', `/api/comments/${comment.id}`, undefined, reader))).modified_by,
    'the author in a list': async (reader) =>
      (await done(call('GET', `/api/apps/${app.id}/comments?expand=created_by`, undefined, reader))).data[0]
        .created_by,
    'a voter of an entry': async (reader) =>
      (await done(call('GET', `/api/comments/${comment.id}`, undefined, reader))).options[0].voters[0],
    'a voter of an option': async (reader) =>
      (await done(call('GET', `/api/options/${comment.options?.[0]?.id}/voters`, undefined, reader)))[0],
    'who reacted': async (reader) =>
      (await done(call('GET', `/api/comments/${comment.id}/reactions`, undefined, reader))).data[0]
        .created_by,
    'an item of the list of users': async (reader) =>
      (await done(call('GET', '/api/users?order_by=id&top=100', undefined, reader))).data.find(
        ({ id }: { id: number }) => id === ada.id,
      ),
    'a member of a directory': async (reader) =>
      (await done(call('GET', `/api/directories/${acme}/members`, undefined, reader))).data[0],
  };
  for (const [place, of] of Object.entries(places))
    test(`is public as ${place}`, async () => {
      assertPublic(await of(bob));
      assertWhole(await of(ada));
      assertWhole(await of({ token: server.key }));
    });

  test('is public as the creator of an app', async () => {
    const made = await done(
      call(
        'POST',
        '/api/apps',
        { uid: freshUid('app'), type: 'comments', access: 'read', directory: acme },
        ada,
      ),
    );
    assertPublic((await done(call('GET', `/api/apps/${made.id}`, undefined, bob))).created_by);
    assertWhole(made.created_by);
  });

  test('is public as the actor of a notification, whose own user is in full', async () => {
    const mine = await makeComment(server, app.id, { text: 'words' }, { as: bob.token });
    await done(call('POST', `/api/comments/${mine.id}/reactions`, { content: '👍' }, ada));
    await settledLog(server);
    const [notification] = (await done(call('GET', '/api/notifications?expand=actor,user', undefined, bob)))
      .data;
    assertPublic(notification.actor);
    assertWhole(notification.user);
  });

  test('is public as the actor of events for users, and in full for keys and webhooks', async () => {
    const { next } = await done(call('GET', '/api/events?after=0&top=1', undefined, { token: server.key }));
    const stream = await readEvents(server, { as: bob.token });
    const keyStream = await readEvents(server);
    const live = await connectLive(server, bob.token);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel);
    const { id } = await makeComment(server, app.id, { text: 'to be told' }, { as: ada.token });
    assertPublicActor((await live.waitFor(channel)).actor);
    const isIt = (event: any) => event.comment?.id === id && event.action === 'comment_created';
    assertPublicActor((await stream.waitFor(isIt)).actor);
    assertWhole((await keyStream.waitFor(isIt)).actor);
    const found = async (reader: { token: string }) => {
      let after = next;
      for (;;) {
        const page = await done(call('GET', `/api/events?after=${after}&top=100`, undefined, reader));
        const event = page.data.find(isIt);
        if (event !== undefined) return event;
        assert.ok(page.has_more);
        after = page.next;
      }
    };
    assertPublicActor((await found(bob)).actor);
    assertWhole((await found({ token: server.key })).actor);
    const { text } = await call('GET', '/api/events?after=0&top=100', undefined, bob);
    // Of what the reader may see nothing is about the others but in public.
    for (const secret of ['secret.address', 'Hiddenmiddle', 'owes us', 'secret-tag', '1815'])
      assert.equal(text.replaceAll(/"user":\{[^}]*\}[^}]*\}/g, '').includes(secret), false, secret);
    await live.stop();
    await stream.close();
    await keyStream.close();
  });

  test('is public in typing notices', async () => {
    const chat = await makeApp(server, { type: 'chat', access: 'write', directory: acme });
    const live = await connectLive(server, bob.token);
    await live.subscribe(`a${chat.id}:typing`);
    await done(call('PUT', `/api/apps/${chat.id}/messages/typing`, undefined, ada));
    assertPublic((await live.waitFor(`a${chat.id}:typing`)).actor);
    await live.stop();
  });

  test('is the same from the stored form and from the user', () => {
    const user = {
      ...{ id: 2, uid: 'a"b\\', displayName: '{"é"}', email: 'x@y', givenName: 'G', middleName: 'M' },
      ...{ familyName: 'F', name: '}', nickname: '\u2028', phoneNumber: '1', comment: '"}', directoryId: 3 },
      ...{ pictureId: 4, pictureUrl: 'https://x/', metadata: '{"a":"}\\"{","b":{"c":1e20}}', tags: '["}"]' },
      ...{
        role: 'moderator',
        createdAt: 0,
        modifiedAt: 1,
        isBot: true,
        way: 'guest',
        isTrusted: true,
        isActive: true,
        suspendedAt: null,
        trashedAt: null,
      },
    };
    const actor = actorOf({ user, apiKeyId: 7 }).json;
    assert.equal(publicFormOf(actor), `${renderPublicUser(user).slice(0, -1)},"kind":"api_key"}`);
    const payload = (actor: string) =>
      `"action":"x","actor":${actor},"comment":{"text":"\\"actor\\":{}"},"type":"y"`;
    const seen: string[] = [];
    const changed = withActor(payload(actor), (actor) => {
      seen.push(actor);
      return json('{}');
    });
    assert.deepEqual(seen, [actor]);
    assert.equal(changed, payload('{}'));
  });
});

// A user's searches, tags and orders use only the fields that the user sees.
describe('finding users', () => {
  const lists: { [list: string]: (query: string, reader: Person | undefined) => Promise<number[]> } = {};
  before(async () => {
    const app = await makeApp(server, { directory: acme });
    for (const { uid } of [ada, bob]) await done(server.call('PUT', `/api/apps/${app.id}/members/${uid}`));
    const listed = (path: string) => async (query: string, reader: Person | undefined) => {
      const answer = await server.call('GET', `${path}?${query}`, undefined, reader && { as: reader.token });
      return answer.body.data.map(({ id }: { id: number }) => id);
    };
    lists['users'] = listed('/api/users');
    lists['members of an app'] = listed(`/api/apps/${app.id}/members`);
    lists['members of a directory'] = listed(`/api/directories/${acme}/members`);
    lists['autocompletion'] = listed('/api/users/autocomplete');
  });

  for (const list of ['users', 'members of an app', 'members of a directory', 'autocompletion'])
    test(`among ${list}`, async () => {
      const find = lists[list];
      assert.ok(find !== undefined);
      for (const q of ['Ada', 'lovel', 'countess', ada.uid])
        assert.ok((await find(`q=${q}`, bob)).includes(ada.id), q);
      for (const q of ['secret', 'example', 'Hiddenmiddle', '0100', 'owes', '1815'])
        assert.deepEqual(await find(`q=${q}`, bob), [], q);
      for (const q of ['secret', 'Hiddenmiddle', 'countess'])
        assert.ok((await find(`q=${q}`, undefined)).includes(ada.id), q);
      if (list === 'autocompletion') return;
      assert.deepEqual(await find('tag=secret-tag', bob), [bob.id]);
      assert.deepEqual(await find('tag=secret-tag', ada), [ada.id]);
      assert.deepEqual(await find('tag=secret-tag', undefined), [ada.id, bob.id]);
    });

  test('follows an edit', async () => {
    const nickname = freshUid('nick').replace('-', 'x');
    const { uid, id } = await makeUser(server, { directory: acme });
    assert.deepEqual(await lists['users']?.(`q=${nickname}`, bob), []);
    await server.call('PATCH', `/api/users/${uid}`, { nickname });
    assert.deepEqual(await lists['users']?.(`q=${nickname}`, bob), [id]);
  });

  test('by the other members of a conversation', async () => {
    await done(call('POST', '/api/conversations', { members: [ada.id] }, bob));
    const found = async (q: string) =>
      (await done(call('GET', `/api/conversations?q=${q}`, undefined, bob))).data.length;
    assert.equal(await found('lovelace'), 1);
    assert.equal(await found('secret'), 0);
  });

  test('never orders by a hidden field', async () => {
    const ids = (await lists['users']?.('top=100', bob)) ?? [];
    for (const field of ['email', 'created_at', 'modified_at'])
      assert.deepEqual(await lists['users']?.(`order_by=${field}%20desc&top=100`, bob), ids, field);
    const byMail = (await lists['users']?.('order_by=email%20desc&top=2', undefined)) ?? [];
    assert.deepEqual(byMail, [ada.id, bob.id]);
  });
});

// A user acts only on visible users. All others get the response for a missing user.
describe('users who count as absent', () => {
  let room: { id: number };
  let suspended: Person;
  let trashed: Person;
  before(async () => {
    room = await done(call('POST', '/api/apps', { uid: freshUid('room'), type: 'chat_room' }, eve));
    suspended = await makeUser(server, { directory: beta });
    trashed = await makeUser(server, { directory: beta });
    await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: true });
    await server.call('POST', `/api/users/${trashed.uid}/trash`);
  });

  const nobody = { id: 987_654_321, uid: 'nobody-is-called-so' };
  const strangers: [string, () => { id: number; uid: string }][] = [
    ['somebody of another directory', () => ada],
    ['somebody suspended', () => suspended],
    ['somebody in the trash', () => trashed],
    ['the user of the system', () => ({ id: 1, uid: 'system' })],
  ];
  const doors: [string, (person: string | number) => [string, string, unknown?]][] = [
    ['adding a member', (person) => ['PUT', `/api/apps/${room.id}/members/${person}`, {}]],
    ['adding members', (person) => ['POST', `/api/apps/${room.id}/members`, [{ uid: String(person) }]]],
    ['removing a member', (person) => ['DELETE', `/api/apps/${room.id}/members/${person}`]],
    ['removing members', (person) => ['DELETE', `/api/apps/${room.id}/members`, [String(person)]]],
    ['starting a conversation', (person) => ['POST', '/api/conversations', { members: [person] }]],
  ];
  const traceless = ({ status, body }: Answer) =>
    JSON.stringify({ status, ...body, request_id: '', instance: '' });

  for (const [door, request] of doors)
    for (const [who, of] of strangers)
      test(`${who}, when ${door}`, async () => {
        for (const kind of ['id', 'uid'] as const) {
          const hidden = of()[kind];
          const [method, path, body] = request(hidden);
          const answer = await call(method, path, body, eve);
          assert.ok([404, 422].includes(answer.status), answer.text);
          const [, nowhere, none] = request(nobody[kind]);
          const absent = await call(method, nowhere, none, eve);
          assert.equal(traceless(answer), traceless(absent));
        }
      });

  test('the system user, even for an API key', async () => {
    for (const ref of ['1', 'system']) {
      assertProblem(await server.call('PUT', `/api/apps/${room.id}/members/${ref}`), 404, 'not_found');
      assertProblem(
        await server.call('POST', `/api/apps/${room.id}/members`, [{ uid: ref }]),
        404,
        'not_found',
      );
      assertProblem(await server.call('DELETE', `/api/apps/${room.id}/members/${ref}`), 404, 'not_found');
    }
  });

  test('no user for an API key, which can add any user as a member', async () => {
    const app = await makeApp(server);
    for (const { uid } of [ada, eve, suspended, trashed])
      assert.equal((await server.call('PUT', `/api/apps/${app.id}/members/${uid}`)).status, 204);
  });

  test('not users who share an app that a key created, while they share it', async () => {
    const [one, other] = [
      await makeUser(server, { directory: acme }),
      await makeUser(server, { directory: beta }),
    ];
    const own = await done(call('POST', '/api/apps', { uid: freshUid('own'), type: 'comments' }, one));
    const add = async () => (await call('PUT', `/api/apps/${own.id}/members/${other.uid}`, {}, one)).status;
    const leave = () => server.call('DELETE', `/api/apps/${own.id}/members/${other.uid}`);
    const common = await makeApp(server);
    const join = (access: string) => async (person: Person) =>
      await done(server.call('PUT', `/api/apps/${common.id}/members/${person.uid}`, { access }));
    await join('read')(one);
    assert.equal(await add(), 404);
    await join('none')(other);
    assert.equal(await add(), 404);
    await join('read')(other);
    assert.equal(await add(), 204);
    await leave();
    assert.equal((await call('POST', '/api/conversations', { members: [one.id] }, other)).status, 201);
    await server.call('POST', `/api/apps/${common.id}/trash`);
    assert.equal(await add(), 404);
  });

  test('users who share only an app that a user created', async () => {
    const [one, other] = [
      await makeUser(server, { directory: acme }),
      await makeUser(server, { directory: beta }),
    ];
    const own = await done(call('POST', '/api/apps', { uid: freshUid('own'), type: 'comments' }, one));
    await done(server.call('PUT', `/api/apps/${own.id}/members/${other.uid}`));
    assertProblem(
      await call('POST', '/api/conversations', { members: [other.id] }, one),
      422,
      'validation_failed',
    );
    // Inside the app its manager sees them, and can change and remove them.
    assert.equal(
      (await call('PUT', `/api/apps/${own.id}/members/${other.id}`, { access: 'read' }, one)).status,
      204,
    );
    assert.equal(
      (await call('DELETE', `/api/apps/${own.id}/members/${other.id}`, undefined, one)).status,
      204,
    );
    assert.equal((await call('PUT', `/api/apps/${own.id}/members/${other.id}`, {}, one)).status, 404);
  });

  test('from mentions', async () => {
    const app = await makeApp(server, { access: 'write' });
    const mentioned = async (text: string, writer: Person) => {
      const { id } = await makeComment(server, app.id, { text }, { as: writer.token });
      await settledLog(server);
      const { data } = await done(call('GET', '/api/notifications', undefined, ada));
      return data.some(({ link }: { link: { id: number } }) => link.id === id);
    };
    const text = `[You](@u${ada.id}) there`;
    const stranger = await makeUser(server, { directory: beta });
    assert.equal(await mentioned(text, stranger), false);
    assert.equal(await mentioned(text, bob), true);
    await done(server.call('PUT', `/api/apps/${app.id}/members/${ada.uid}`));
    assert.equal(await mentioned(text, stranger), true);
  });

  test('another directory, when an app is opened to it', async () => {
    const open = (directory: string) =>
      call('POST', '/api/apps', { uid: freshUid('open'), type: 'comments', directory }, eve);
    const hidden = await open(acme);
    const absent = await open('no-such-directory');
    assertProblem(hidden, 403, 'directory_forbidden');
    assert.equal(traceless(hidden), traceless(absent));
  });
});

// With CONFAB_PEOPLE=shared the users of one directory see each other once they share an app.
describe('users who share an app', () => {
  const other = useServer({ CONFAB_PEOPLE: 'shared' });
  const one = use(() => makeUser(other));
  const two = use(() => makeUser(other));
  const three = use(() => makeUser(other));
  before(async () => {
    const app = await other.call('POST', '/api/apps', { uid: 'theirs', type: 'comments' }, { as: one.token });
    for (const { uid } of [two]) await other.call('PUT', `/api/apps/${app.body.id}/members/${uid}`);
  });
  const ids = async (path: string, token: string): Promise<number[]> =>
    (await other.call('GET', path, undefined, { as: token })).body.data.map(({ id }: { id: number }) => id);

  test('are the only ones in each other’s lists and autocompletion', async () => {
    for (const path of ['/api/users', '/api/users/autocomplete']) {
      assert.deepEqual(await ids(path, one.token), [one.id, two.id]);
      assert.deepEqual(await ids(path, three.token), [three.id]);
    }
    const counted = await other.call('GET', '/api/users?count_only=true', undefined, { as: one.token });
    assert.deepEqual(counted.body, { count: 2 });
    assert.equal((await ids('/api/users', other.key)).length, 3);
  });

  test('can start conversations only with each other', async () => {
    const start = async (person: Person) =>
      (await other.call('POST', '/api/conversations', { members: [person.id] }, { as: one.token })).status;
    assert.equal(await start(two), 201);
    assert.equal(await start(three), 422);
  });

  test('see each other connect', async () => {
    const [first, second] = [await connectLive(other, three.token), await connectLive(other, two.token)];
    const live = await connectLive(other, one.token);
    await live.subscribe('online');
    await live.waitFor('online', (found: number[]) => found.includes(two.id) && found.includes(one.id));
    for (const [, found] of live.received) assert.equal(found.includes(three.id), false);
    for (const each of [first, second, live]) await each.stop();
  });
});

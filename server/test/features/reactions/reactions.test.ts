import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Comment } from 'confab-contract/comments.ts';
import {
  addMembers,
  makeApp,
  makeComment,
  makeFile,
  makePost,
  makeUser,
  type Person,
  usePeople,
} from 'confab-testing/fixtures.ts';
import { startReceiver } from 'confab-testing/network/receiver.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);
const app = use(() => makeApp(server, { access: 'write' }));
const [ada, bob] = usePeople(server, 'Ada', 'Bob');

const of = (comment: { id: number }) => `/api/comments/${comment.id}/reactions`;

async function react(person: Person, path: string, content: unknown) {
  return await person.call('POST', path, { content });
}

async function takeBack(person: Person, path: string) {
  return await person.call('DELETE', path, {});
}

/** The emoji of the reactions, in order. */
async function shown(path: string): Promise<string[]> {
  const body = await server.read(path);
  return body.data.map((one: { content: string; count: number }) => `${one.content}${one.count}`);
}

/** The events about the reactions to a comment: what was done, with which emoji. */
function eventsOf(comment: { id: number }): string[] {
  return watch
    .rows("select payload from events where entity_type = 'reaction' order by id")
    .map((row) => JSON.parse(`{${row['payload']}}`))
    .filter(({ entity }) => entity.id === comment.id)
    .map(({ action, reaction }) => `${action} ${reaction}`);
}

/** Entries whose kept number of reactions is not that of their rows. */
function miscounted(): unknown[] {
  return watch.rows(`select id from entries where reaction_count <>
    (select count(*) from reactions where entry_id = entries.id)`);
}

// A reaction is one emoji of one user, shown wherever the entry is shown.
describe('a reaction', () => {
  test('is shown in the entry and in its list', async () => {
    const comment = await makeComment(server, app.id);
    const answer = await react(ada, of(comment), '👍');
    assert.deepEqual([answer.status, answer.text], [204, '']);
    const list = await server.read(of(comment));
    assert.deepEqual([list.start, list.end, list.count], [1, 1, 1]);
    const { created_by, parent, ...embedded } = list.data[0];
    assert.equal(created_by.uid, ada.uid);
    assert.deepEqual(parent, { id: comment.id, type: 'comment' });
    assert.deepEqual(Object.keys(embedded).sort(), ['content', 'count', 'created_at', 'created_by_id', 'id']);
    assert.deepEqual([embedded.content, embedded.count, embedded.created_by_id], ['👍', 1, ada.id]);
    assert.deepEqual((await server.read(`/api/comments/${comment.id}`)).reactions, [embedded]);
    const page = await server.read(`/api/apps/${app.id}/comments?order_by=id+desc&top=1`);
    assert.deepEqual(page.data[0].reactions, [embedded]);
    assert.deepEqual(await server.read(`/api/reactions/${embedded.id}`), list.data[0]);
    assert.deepEqual(eventsOf(comment), ['reaction_added 👍']);
  });

  test('does not make its entry an edited one', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '👍');
    assert.equal((await server.read(`/api/comments/${comment.id}`)).modified_at, undefined);
  });

  test('stays when the same emoji is sent again', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '❤️');
    const before = await server.read(of(comment));
    assert.equal((await react(ada, of(comment), '❤️')).status, 204);
    // The same emoji without its variation selector, as some keyboards send it.
    assert.equal((await react(ada, of(comment), '\u2764')).status, 204);
    assert.deepEqual(await server.read(of(comment)), before);
    assert.deepEqual(eventsOf(comment), ['reaction_added ❤️']);
  });

  test('is replaced by another emoji of the same user', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '👍');
    await react(ada, of(comment), '😎');
    assert.deepEqual(await shown(of(comment)), ['😎1']);
    assert.deepEqual(eventsOf(comment), ['reaction_added 👍', 'reaction_removed 👍', 'reaction_added 😎']);
  });

  test('counts the users who reacted with the same emoji to the same entry', async () => {
    const [comment, other] = [await makeComment(server, app.id), await makeComment(server, app.id)];
    const cleo = await makeUser(server);
    await react(ada, of(comment), '👍');
    await react(bob, of(comment), '👍');
    await react(cleo, of(comment), '😎');
    await react(ada, of(other), '👍');
    assert.deepEqual(await shown(of(comment)), ['👍2', '👍2', '😎1']);
    assert.deepEqual(await shown(of(other)), ['👍1']);
    const body = await server.read(`/api/comments/${comment.id}`);
    assert.deepEqual(
      body.reactions.map((one: { count: number }) => one.count),
      [2, 2, 1],
    );
  });

  test('is removed once', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '👍');
    await react(bob, of(comment), '👍');
    const answer = await takeBack(ada, of(comment));
    assert.deepEqual([answer.status, answer.text], [200, '']);
    assert.equal((await takeBack(ada, of(comment))).status, 200);
    assert.deepEqual(await shown(of(comment)), ['👍1']);
    assert.deepEqual(eventsOf(comment).slice(2), ['reaction_removed 👍']);
    assert.deepEqual(miscounted(), []);
  });

  for (const kind of ['post', 'comment on a post', 'comment on a file', 'message'] as const)
    test(`to a ${kind} is like one to a comment`, async () => {
      const { path, type } = await made(kind);
      assertProblem(await react(ada, `${path}/reactions`, 'ok'), 422, 'validation_failed', '/content');
      assert.equal((await react(ada, `${path}/reactions`, '👍')).status, 204);
      const [item] = (await server.read(`${path}/reactions`)).data;
      assert.equal(item.parent.type, type);
      assert.equal((await server.read(path)).reactions[0].id, item.id);
      assert.equal((await takeBack(ada, `${path}/reactions`)).status, 200);
      assert.deepEqual((await server.read(path)).reactions, []);
    });

  async function made(kind: 'post' | 'comment on a post' | 'comment on a file' | 'message') {
    if (kind === 'message') {
      const chat = await makeApp(server, { type: 'chat', access: 'write' });
      const { body } = await server.call('POST', `/api/apps/${chat.id}/messages`, { text: 'x' });
      return { path: `/api/messages/${body.id}`, type: 'message' };
    }
    const isOnFile = kind === 'comment on a file';
    const { id } = await makeApp(server, { type: isOnFile ? 'files' : 'posts', access: 'write' });
    const parent = isOnFile
      ? `/api/files/${await makeFile(server, id)}`
      : `/api/posts/${await makePost(server, id)}`;
    if (kind === 'post') return { path: parent, type: 'post' };
    const { body } = await server.call('POST', `${parent}/comments`, { text: 'x' });
    return { path: `/api/comments/${body.id}`, type: 'comment' };
  }
});

// The content is exactly one emoji as Unicode knows them, spelled in one way however it was sent.
describe('the content of a reaction', () => {
  for (const [sent, kept] of [
    ['👍', '👍'],
    ['👍🏽', '👍🏽'],
    ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
    ['🇸🇪', '🇸🇪'],
    ['🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿'],
    ['1\u20E3', '1\uFE0F\u20E3'],
    ['\u{1F3F3}\u200D\u{1F308}', '\u{1F3F3}\uFE0F\u200D\u{1F308}'],
    ['\u{1F9D4}\u200D\u2642', '\u{1F9D4}\u200D\u2642\uFE0F'],
    ['\u2764\uFE0F\uFE0F', '\u2764\uFE0F'],
    // Set aside for emoji of a later Unicode version.
    ['\u{1FADD}', '\u{1FADD}'],
  ] as const)
    test(`can be ${JSON.stringify(sent)}`, async () => {
      const comment = await makeComment(server, app.id);
      assert.equal((await react(ada, of(comment), sent)).status, 204);
      assert.equal((await server.read(of(comment))).data[0].content, kept);
    });

  test('cannot be anything else', async () => {
    const comment = await makeComment(server, app.id);
    for (const sent of [
      '',
      ' ',
      'a',
      '1',
      '#',
      'ok',
      ':)',
      ':+1:',
      '👍👍',
      '👍 ',
      ' 👍',
      '👍\n',
      '👍a',
      '👍\u200D',
      '\uFE0F',
      '\u200D',
      '\u263A\uFE0E',
      '🇽🇽',
      'e\u0301',
      '<img src=x>',
      '👍'.repeat(1000),
      '\u0000',
      '\uD83D',
    ])
      assertProblem(await react(ada, of(comment), sent), 422, 'validation_failed', '/content');
    for (const body of [{}, { content: null }])
      assertProblem(await ada.call('POST', of(comment), body), 422, 'validation_failed', '/content');
    for (const sent of [5, true, ['👍'], { a: 1 }])
      assertProblem(await react(ada, of(comment), sent), 400, 'wrong_type', '/content');
    assert.deepEqual((await server.read(of(comment))).data, []);
    assert.deepEqual(eventsOf(comment), []);
  });
});

// Readers see reactions, writers react, and only managers remove those of others.
describe('access to reactions', () => {
  test('follows the access to the app', async () => {
    const closed = await makeApp(server);
    const comment = await makeComment(server, closed.id);
    const person = await makeUser(server);
    const attempts = async () => [
      (await person.call('GET', of(comment))).status,
      (await react(person, of(comment), '👍')).status,
      (await takeBack(person, of(comment))).status,
    ];
    assert.deepEqual(await attempts(), [404, 404, 404]);
    await addMembers(server, closed.id, { read: [person] });
    assert.deepEqual(await attempts(), [200, 403, 403]);
    await addMembers(server, closed.id, { write: [person] });
    assert.deepEqual(await attempts(), [200, 204, 200]);
  });

  test('to one by its id follows the entry, and hidden is like absent', async () => {
    const closed = await makeApp(server);
    const comment = await makeComment(server, closed.id);
    await addMembers(server, closed.id, { write: [ada] });
    await react(ada, of(comment), '👍');
    const path = `/api/reactions/${(await server.read(of(comment))).data[0].id}`;
    const hidden = await bob.call('GET', path);
    const absent = await bob.call('GET', '/api/reactions/987654321');
    assert.deepEqual([hidden.status, hidden.body.detail], [404, absent.body.detail]);
    assert.equal((await bob.call('DELETE', path)).status, 404);
    await addMembers(server, closed.id, { write: [bob] });
    assert.equal((await bob.call('GET', path)).status, 200);
    assertProblem(await bob.call('DELETE', path), 403, 'edit_forbidden');
    assert.deepEqual(await shown(of(comment)), ['👍1']);
    assert.equal((await ada.call('DELETE', path)).status, 200);
    assert.equal((await ada.call('DELETE', path)).status, 404);
    await react(ada, of(comment), '😎');
    const next = `/api/reactions/${(await server.read(of(comment))).data[0].id}`;
    assert.equal((await server.call('DELETE', next)).status, 200);
    assert.deepEqual(await shown(of(comment)), []);
    assert.deepEqual(miscounted(), []);
  });

  test('ends with the entry or its app in the trash', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '👍');
    const { id } = (await server.read(of(comment))).data[0];
    await server.call('POST', `/api/comments/${comment.id}/trash`);
    assert.equal((await server.call('GET', of(comment))).status, 404);
    assert.equal((await server.call('GET', `/api/reactions/${id}`)).status, 404);
    assert.equal((await react(ada, of(comment), '😎')).status, 404);
    await server.call('POST', `/api/comments/${comment.id}/restore`);
    assert.deepEqual(await shown(of(comment)), ['👍1']);
  });

  test('needs a user to react, and any credential to read', async () => {
    const comment = await makeComment(server, app.id);
    assertProblem(await server.call('POST', of(comment), { content: '👍' }), 401, 'user_required');
    assertProblem(await server.call('DELETE', of(comment)), 401, 'user_required');
    for (const [method, path] of [
      ['POST', of(comment)],
      ['DELETE', of(comment)],
      ['GET', of(comment)],
      ['GET', '/api/reactions/1'],
      ['DELETE', '/api/reactions/1'],
    ] as const)
      assert.equal((await server.as(null).call(method, path)).status, 401);
  });

  test('requires an entry of the kind in the path', async () => {
    const comment = await makeComment(server, app.id);
    for (const kind of ['posts', 'messages'])
      assert.equal((await react(ada, `/api/${kind}/${comment.id}/reactions`, '👍')).status, 404);
    assert.equal((await react(ada, '/api/comments/abc/reactions', '👍')).status, 404);
  });
});

// A list of reactions is a list like any other, at a fixed price.
describe('a list of reactions', () => {
  const people: Person[] = [];
  let comment: Comment;
  before(async () => {
    comment = await makeComment(server, app.id);
    for (let i = 0; i < 5; i += 1) {
      const person = await makeUser(server);
      people.push(person);
      await react(person, of(comment), i % 2 === 0 ? '👍' : '😎');
    }
  });

  test('is paged, ordered and filtered', async () => {
    const authors = async (query: string) =>
      (await server.read(`${of(comment)}?${query}`)).data.map(
        (one: { created_by_id: number }) => people.findIndex(({ id }) => id === one.created_by_id) + 1,
      );
    assert.deepEqual(await authors(''), [1, 2, 3, 4, 5]);
    assert.deepEqual(await authors('top=2&skip=2'), [3, 4]);
    assert.deepEqual(await authors('order_by=createdat+desc&top=3'), [5, 4, 3]);
    assert.deepEqual(await authors('order_by=id+desc'), [5, 4, 3, 2, 1]);
    assert.deepEqual(await authors(`content=${encodeURIComponent('😎')}`), [2, 4]);
    assert.deepEqual(await authors('content=x'), []);
    assert.deepEqual(await authors('q=x'), []);
    assert.deepEqual(await authors('tag=x'), []);
    assert.deepEqual(await authors('trashed=true'), []);
    assert.deepEqual(await authors('trashed=null'), [1, 2, 3, 4, 5]);
  });

  test('is counted', async () => {
    const counted = async (query: string) => await server.read(`${of(comment)}?count_only=true${query}`);
    assert.deepEqual(await counted(''), { count: 5 });
    assert.deepEqual(await counted(`&content=${encodeURIComponent('👍')}`), { count: 3 });
    assert.deepEqual(await counted('&trashed=true'), { count: 0 });
    assert.equal((await server.read(`${of(comment)}?count=false`)).count, undefined);
    assert.equal((await server.read(`${of(comment)}?top=1`)).count, 5);
  });

  test('costs the same statements whatever its length', async () => {
    const small = await makeComment(server, app.id);
    await react(ada, of(small), '👍');
    // The least of some tries, because the loops of the server read the log alongside the requests.
    async function cost(path: string): Promise<number> {
      const costs: number[] = [];
      for (let i = 0; i < 5; i += 1) {
        statements.length = 0;
        await server.call('GET', path);
        costs.push(statements.length);
      }
      return Math.min(...costs);
    }
    assert.equal(await cost(of(comment)), await cost(of(small)));
    const [crowded, plain] = [await makeApp(server), await makeApp(server)];
    for (let i = 0; i < 5; i += 1) {
      await makeComment(server, plain.id);
      const { id } = await makeComment(server, crowded.id);
      await addMembers(server, crowded.id, { write: [ada] });
      await react(ada, of({ id }), '👍');
    }
    const costs = [
      await cost(`/api/apps/${crowded.id}/comments?top=1`),
      await cost(`/api/apps/${crowded.id}/comments`),
      await cost(`/api/apps/${plain.id}/comments`),
    ];
    const [one = 0, five, none = 0] = costs;
    assert.equal(five, one);
    assert.equal(none, one - 1, 'a page without reactions asks for them');
  });
});

// Receivers hear of a reaction as its emoji, with what it is to.
describe('the event of a reaction', () => {
  test('goes to webhooks of the group', async () => {
    const receiver = await startReceiver();
    try {
      const triggers = ['reactions'];
      await register(server, { payload_url: `${receiver.url}/reactions`, triggers });
      const comment = await makeComment(server, app.id);
      await react(ada, of(comment), '👍');
      await takeBack(ada, of(comment));
      const requests = await receiver.received('/reactions', 2);
      const bodies = requests.map((request) => JSON.parse(request.body.toString()));
      assert.deepEqual(bodies.map(({ action }) => action).sort(), ['reaction_added', 'reaction_removed']);
      for (const body of bodies) {
        assert.equal(body.reaction, '👍');
        assert.deepEqual(body.entity, { id: comment.id, type: 'comment' });
        assert.equal(body.actor.id, ada.id);
      }
      assert.equal(requests[0]?.headers['x-weavy-trigger'], 'reactions');
      const apps = watch
        .rows("select app_id, payload from events where entity_type = 'reaction'")
        .filter(({ payload }) => JSON.parse(`{${payload}}`).entity.id === comment.id)
        .map((row) => row['app_id']);
      assert.deepEqual([...new Set(apps)], [app.id]);
    } finally {
      await receiver.close();
    }
  });
});

// For any concurrent requests, each user has one reaction and every count equals the rows.
describe('reactions that race', () => {
  const emoji = ['👍', '😎', '😍', '😜'] as const;

  /** What the log of a comment adds up to: each emoji as often as it was added and not removed. */
  function fromLog(comment: { id: number }): string[] {
    const present: string[] = [];
    for (const event of eventsOf(comment)) {
      const [action, content = ''] = event.split(' ');
      if (action === 'reaction_added') present.push(content);
      else present.splice(present.indexOf(content), 1);
    }
    return present.sort();
  }

  async function assertSettled(comment: { id: number }, expected: number): Promise<void> {
    const body = await server.read(`${of(comment)}?top=100`);
    assert.deepEqual([body.count, body.data.length], [expected, expected]);
    const contents = body.data.map((one: { content: string }) => one.content).sort();
    assert.deepEqual(contents, fromLog(comment));
    for (const one of body.data)
      assert.equal(one.count, contents.filter((content: string) => content === one.content).length);
    assert.equal((await server.read(`/api/comments/${comment.id}`)).reactions.length, expected);
    assert.deepEqual(miscounted(), []);
  }

  test('of 32 users are 32', async () => {
    const comment = await makeComment(server, app.id);
    const people: Person[] = [];
    for (let i = 0; i < 32; i += 1) people.push(await makeUser(server));
    const answers = await Promise.all(people.map((one, i) => react(one, of(comment), emoji[i % 4])));
    assert.ok(answers.every(({ status }) => status === 204));
    await assertSettled(comment, 32);
    const back = await Promise.all([
      ...people.slice(0, 16).map((one) => takeBack(one, of(comment))),
      ...people.slice(16).map((one, i) => react(one, of(comment), emoji[(i + 1) % 4])),
    ]);
    assert.ok(back.every(({ status }) => status < 300));
    await assertSettled(comment, 16);
  });

  test('of one user with one emoji are one, with one event', async () => {
    const comment = await makeComment(server, app.id);
    const answers = await Promise.all(Array.from({ length: 32 }, () => react(ada, of(comment), '👍')));
    assert.ok(answers.every(({ status }) => status === 204));
    await assertSettled(comment, 1);
    assert.deepEqual(eventsOf(comment), ['reaction_added 👍']);
  });

  test('of one user with four emoji are one', async () => {
    const comment = await makeComment(server, app.id);
    await Promise.all(Array.from({ length: 32 }, (_, i) => react(ada, of(comment), emoji[i % 4])));
    await assertSettled(comment, 1);
  });

  test('that are removed by their id are removed once', async () => {
    const comment = await makeComment(server, app.id);
    await react(ada, of(comment), '👍');
    await react(bob, of(comment), '👍');
    const path = `/api/reactions/${(await server.read(of(comment))).data[0].id}`;
    const answers = await Promise.all(Array.from({ length: 32 }, () => server.call('DELETE', path)));
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(31).fill(404)]);
    await assertSettled(comment, 1);
    assert.equal(eventsOf(comment).length, 3);
  });

  test('of one user who also removes them are one or none', async () => {
    const comment = await makeComment(server, app.id);
    await Promise.all(
      Array.from({ length: 32 }, (_, i) =>
        i % 2 === 0 ? react(ada, of(comment), emoji[i % 4]) : takeBack(ada, of(comment)),
      ),
    );
    const { count } = await server.read(`${of(comment)}?count_only=true`);
    assert.ok(count === 0 || count === 1);
    await assertSettled(comment, count);
  });
});

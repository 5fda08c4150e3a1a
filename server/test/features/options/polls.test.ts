import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { App } from 'confab-contract/apps.ts';
import type { Comment } from 'confab-contract/comments.ts';
import {
  addMembers,
  makeApp,
  makeComment,
  makeUser,
  type Person,
  usePeople,
} from 'confab-testing/fixtures.ts';
import { startReceiver } from 'confab-testing/network/receiver.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

type Option = { id: number; text: string; vote_count: number; has_voted: boolean; voters: { id: number }[] };
const statements: string[] = [];
const server = useServer({}, { isQuiet: true, onStatement: (sql) => void statements.push(sql) });
const watch = useStoreWatch(server);
const app = use(() => makeApp(server, { access: 'write' }));
const [ada, bob] = usePeople(server, 'Ada', 'Bob');

async function makePoll(texts: readonly string[] = ['yes', 'no'], appId = app.id): Promise<Comment> {
  const options = texts.map((text) => ({ text }));
  return await makeComment(server, appId, { text: 'Lunch?', options });
}

/** The id of the option at a place of the poll. */
function idAt(poll: Comment, place: number): number {
  const option = poll.options[place];
  assert.ok(option !== undefined);
  return option.id;
}

async function vote(person: Person, poll: Comment, place: number) {
  const path = `/api/options/${idAt(poll, place)}/vote`;
  return await person.call('POST', path);
}

/** What a user sees of a poll: the number of votes of each option, with a mark at the chosen one. */
async function seen(person: Person, poll: Comment): Promise<string[]> {
  const body = await person.read(`/api/comments/${poll.id}`);
  return body.options.map((one: Option) => `${one.vote_count}${one.has_voted ? ' mine' : ''}`);
}

/** The events about the votes in a poll: what was done, for which option, with which count. */
function eventsOf(poll: Comment): string[] {
  return watch
    .rows("select payload from events where entity_type = 'option' order by id")
    .map((row) => JSON.parse(`{${row['payload']}}`))
    .filter(({ entity }) => entity.id === poll.id)
    .map(({ action, option }) => `${action} ${option.text} ${option.vote_count}`);
}

/** Options whose kept number of votes is not that of their rows, and votes for an option of another poll. */
function miscounted(): unknown[] {
  return watch.rows(`select id from options where vote_count <>
      (select count(*) from votes where option_id = options.id)
    union all select option_id from votes where entry_id <>
      (select entry_id from options where options.id = option_id)`);
}

// A user has one vote in a poll: casting it twice clears it and casting it for another option moves it.
describe('a vote', () => {
  test('is counted and shown to its user', async () => {
    const poll = await makePoll();
    const { status, body } = await vote(ada, poll, 0);
    assert.equal(status, 200);
    const { voters, ...option }: Option = body;
    assert.deepEqual(option, { id: idAt(poll, 0), text: 'yes', vote_count: 1, has_voted: true });
    assert.deepEqual(
      voters.map(({ id }) => id),
      [ada.id],
    );
    assert.deepEqual(await ada.read(`/api/options/${option.id}`), body);
    const { voters: seenVoters, ...seenOption } = await bob.read(`/api/options/${option.id}`);
    assert.deepEqual(seenOption, { ...option, has_voted: false });
    assert.deepEqual(
      seenVoters.map(({ id }: { id: number }) => id),
      [ada.id],
    );
    assert.deepEqual(await seen(ada, poll), ['1 mine', '0']);
    assert.deepEqual(await seen(bob, poll), ['1', '0']);
    assert.deepEqual(eventsOf(poll), ['option_voted yes 1']);
  });

  test('for the chosen option clears it', async () => {
    const poll = await makePoll();
    await vote(ada, poll, 0);
    const { body } = await vote(ada, poll, 0);
    assert.deepEqual([body.vote_count, body.has_voted, body.voters], [0, false, []]);
    assert.deepEqual(await seen(ada, poll), ['0', '0']);
    assert.deepEqual(eventsOf(poll), ['option_voted yes 1', 'option_unvoted yes 0']);
  });

  test('for another option moves it', async () => {
    const poll = await makePoll();
    await vote(bob, poll, 0);
    await vote(ada, poll, 0);
    const { body } = await vote(ada, poll, 1);
    assert.deepEqual([body.id, body.vote_count, body.has_voted], [idAt(poll, 1), 1, true]);
    assert.deepEqual(await seen(ada, poll), ['1', '1 mine']);
    assert.deepEqual(eventsOf(poll).slice(2), ['option_unvoted yes 1', 'option_voted no 1']);
    assert.deepEqual(miscounted(), []);
  });

  test('in one poll leaves another unchanged', async () => {
    const [one, other] = [await makePoll(), await makePoll()];
    await vote(ada, one, 0);
    await vote(ada, other, 1);
    assert.deepEqual(
      [await seen(ada, one), await seen(ada, other)],
      [
        ['1 mine', '0'],
        ['0', '1 mine'],
      ],
    );
  });

  test('with an API key belongs to the system user, or to the user whom the key names', async () => {
    const poll = await makePoll();
    const path = `/api/options/${idAt(poll, 0)}`;
    assert.equal((await server.call('POST', `${path}/vote`)).body.vote_count, 1);
    const headers = { 'x-confab-user': ada.uid };
    assert.equal((await server.call('POST', `${path}/vote`, undefined, { headers })).body.vote_count, 2);
    const uids = (await server.read(`${path}/voters`)).map(({ uid }: { uid: string }) => uid);
    assert.deepEqual(uids.sort(), ['system', ada.uid].sort());
    assert.deepEqual(await seen(ada, poll), ['2 mine', '0']);
  });

  test('does not make its entry an edited one', async () => {
    const poll = await makePoll();
    await vote(ada, poll, 0);
    assert.equal((await server.read(`/api/comments/${poll.id}`)).modified_at, undefined);
  });
});

// A single entry includes up to a hundred voters for each option; a list only counts them.
describe('the voters of an option', () => {
  test('are listed as users in the order of their votes', async () => {
    const poll = await makePoll();
    await vote(bob, poll, 0);
    await vote(ada, poll, 0);
    const body = await server.read(`/api/options/${idAt(poll, 0)}/voters`);
    assert.deepEqual(body.map(({ uid }: { uid: string }) => uid).sort(), [ada.uid, bob.uid].sort());
    assert.deepEqual(await server.read(`/api/options/${idAt(poll, 1)}/voters`), []);
    const detail = await server.read(`/api/comments/${poll.id}`);
    assert.deepEqual(detail.options[0].voters, body);
  });

  test('are left out of lists, whose counts and marks are those of the caller', async () => {
    const poll = await makePoll(['one', 'two', 'three']);
    await vote(ada, poll, 1);
    for (const path of [`/api/apps/${app.id}/comments`, '/api/comments']) {
      const body = await ada.read(`${path}?order_by=id+desc&top=1`);
      const told = body.data[0].options.map((one: Option) => [one.vote_count, one.has_voted, one.voters]);
      assert.deepEqual(told, [
        [0, false, []],
        [1, true, []],
        [0, false, []],
      ]);
    }
  });

  test('are at most a hundred in an entry, and all under the option', async () => {
    const poll = await makePoll();
    const [first, second] = [idAt(poll, 0), idAt(poll, 1)];
    for (let i = 0; i < 103; i += 1) await vote(await makeUser(server), poll, i === 0 ? 1 : 0);
    const body = await server.read(`/api/comments/${poll.id}`);
    assert.deepEqual(
      body.options.map((one: Option) => [one.vote_count, one.voters.length]),
      [
        [102, 100],
        [1, 1],
      ],
    );
    const all = await server.read(`/api/options/${first}/voters`);
    assert.equal(all.length, 102);
    assert.deepEqual(
      body.options[0].voters.map(({ id }: { id: number }) => id),
      all.slice(0, 100).map(({ id }: { id: number }) => id),
    );
    assert.equal((await server.read(`/api/options/${second}/voters`)).length, 1);
  });

  test('cost a list the same statements for twenty polls as for one', async () => {
    const [big, small] = [await makeApp(server), await makeApp(server)];
    for (const one of [big, small]) await addMembers(server, one.id, { write: [ada] });
    await vote(ada, await makePoll(['a', 'b'], small.id), 0);
    for (let i = 0; i < 20; i += 1) await vote(ada, await makePoll(['a', 'b'], big.id), 0);
    // The least of some tries, because the loops of the server read the log alongside the requests.
    async function cost(one: App): Promise<number> {
      const costs: number[] = [];
      for (let i = 0; i < 5; i += 1) {
        statements.length = 0;
        await ada.call('GET', `/api/apps/${one.id}/comments`);
        costs.push(statements.length);
      }
      return Math.min(...costs);
    }
    assert.equal(await cost(big), await cost(small));
  });
});

// Editing the options keeps the votes of those that stay and forgets those of the others.
describe('a poll that is edited', () => {
  test('keeps the votes of options that stay', async () => {
    const poll = await makePoll(['yes', 'no', 'maybe']);
    await vote(ada, poll, 0);
    await vote(bob, poll, 2);
    const options = [
      { id: idAt(poll, 2), text: 'perhaps' },
      { text: 'never' },
      { id: idAt(poll, 0), text: 'yes' },
    ];
    const { body } = await server.call('PATCH', `/api/comments/${poll.id}`, { options });
    assert.deepEqual(
      body.options.map((one: Option) => [one.text, one.vote_count]),
      [
        ['perhaps', 1],
        ['never', 0],
        ['yes', 1],
      ],
    );
    assert.deepEqual(await seen(bob, poll), ['1 mine', '0', '1']);
  });

  test('shows its voters in the response but not in the event, and reads its options once for both', async () => {
    const poll = await makePoll();
    await vote(ada, poll, 0);
    statements.length = 0;
    const { body } = await server.call('PATCH', `/api/comments/${poll.id}`, { text: 'Supper?' });
    assert.deepEqual(
      body.options.map(({ voters }) => voters.map(({ id }) => id)),
      [[ada.id], []],
    );
    const [event] = watch
      .rows("select payload from events where action = 'comment_updated' order by id desc limit 1")
      .map((row) => JSON.parse(`{${row['payload']}}`));
    assert.deepEqual(
      event.comment.options.map(({ voters, vote_count }: Option) => [voters, vote_count]),
      [
        [[], 1],
        [[], 0],
      ],
    );
    assert.equal(statements.filter((sql) => /"vote_count"[\s\S]*from "options"/.test(sql)).length, 1);
  });

  test('keeps texts as they were sent, including surrounding blanks', async () => {
    const poll = await makePoll([' yes ', 'no\n']);
    assert.deepEqual(
      poll.options.map(({ text }) => text),
      [' yes ', 'no\n'],
    );
    const before = watch.rows('select max(id) as id from events');
    const same = [
      { id: idAt(poll, 0), text: ' yes ' },
      { id: idAt(poll, 1), text: 'no\n' },
    ];
    await server.call('PATCH', `/api/comments/${poll.id}`, { options: same });
    assert.deepEqual(watch.rows('select max(id) as id from events'), before);
    const { body } = await server.call('PATCH', `/api/comments/${poll.id}`, {
      options: [
        { id: idAt(poll, 0), text: 'yes' },
        { id: null, text: '\tperhaps' },
      ],
    });
    assert.deepEqual(
      body.options.map(({ text }: Option) => text),
      ['yes', '\tperhaps'],
    );
    const blank = await server.call('PATCH', `/api/comments/${poll.id}`, { options: [{ text: ' \n' }] });
    assertProblem(blank, 422, 'validation_failed', '/options/0/text');
  });

  test('deletes the votes of removed options, so that their voters can vote again', async () => {
    const poll = await makePoll();
    await vote(ada, poll, 0);
    const options = [{ id: idAt(poll, 1), text: 'no' }];
    await server.call('PATCH', `/api/comments/${poll.id}`, { options });
    assert.deepEqual(watch.rows(`select * from votes where entry_id = ${poll.id}`), []);
    assert.equal((await vote(ada, poll, 0)).status, 404);
    assert.equal((await vote(ada, poll, 1)).body.vote_count, 1);
    assert.deepEqual(await seen(ada, poll), ['1 mine']);
    await server.call('PATCH', `/api/comments/${poll.id}`, { options: null });
    assert.deepEqual(watch.rows(`select * from votes where entry_id = ${poll.id}`), []);
  });
});

// Who reads sees a poll and who writes votes in it.
describe('access to a poll', () => {
  test('follows the access to the app, and hidden is like absent', async () => {
    const closed = await makeApp(server);
    const poll = await makePoll(['yes', 'no'], closed.id);
    const person = await makeUser(server);
    const option = `/api/options/${idAt(poll, 0)}`;
    const attempts = async () => [
      (await person.call('GET', option)).status,
      (await person.call('GET', `${option}/voters`)).status,
      (await vote(person, poll, 0)).status,
    ];
    assert.deepEqual(await attempts(), [404, 404, 404]);
    const absent = await person.call('GET', '/api/options/987654321');
    assert.deepEqual((await person.call('GET', option)).body.detail, absent.body.detail);
    await addMembers(server, closed.id, { read: [person] });
    assert.deepEqual(await attempts(), [200, 200, 403]);
    assertProblem(await vote(person, poll, 0), 403, 'write_forbidden');
    assert.deepEqual(eventsOf(poll), []);
    await addMembers(server, closed.id, { write: [person] });
    assert.deepEqual(await attempts(), [200, 200, 200]);
  });

  test('ends with its entry, its post or its app in the trash', async () => {
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const { body: post } = await server.call('POST', `/api/apps/${posts.id}/posts`, { text: 'x' });
    const options = [{ text: 'a' }];
    const { body: poll } = await server.call('POST', `/api/posts/${post.id}/comments`, { options });
    for (const path of [`/api/comments/${poll.id}`, `/api/posts/${post.id}`, `/api/apps/${posts.id}`]) {
      await server.call('POST', `${path}/trash`);
      assert.equal((await vote(ada, poll, 0)).status, 404, path);
      assert.equal((await server.call('GET', `/api/options/${idAt(poll, 0)}`)).status, 404, path);
      assert.equal((await server.call('GET', `/api/options/${idAt(poll, 0)}/voters`)).status, 404, path);
      await server.call('POST', `${path}/restore`);
    }
    assert.equal((await vote(ada, poll, 0)).status, 200);
  });

  test('needs a credential, an id and no body', async () => {
    const poll = await makePoll();
    const path = `/api/options/${idAt(poll, 0)}`;
    for (const [method, target] of [
      ['GET', path],
      ['POST', `${path}/vote`],
      ['GET', `${path}/voters`],
    ] as const)
      assert.equal((await server.as(null).call(method, target)).status, 401);
    assert.equal((await server.call('POST', '/api/options/abc/vote')).status, 404);
    assert.equal((await server.call('POST', `${path}/vote`, '{"a":')).status, 400);
    const headers = { 'content-type': 'application/json;charset=utf-8' };
    const empty = await ada.call('POST', `${path}/vote`, '', { headers });
    assert.deepEqual([empty.status, empty.body.vote_count], [200, 1]);
  });
});

// Receivers get a vote as the option with its count, and its entry.
describe('the event of a vote', () => {
  test('goes to webhooks of the group', async () => {
    const receiver = await startReceiver();
    try {
      await register(server, { payload_url: `${receiver.url}/polls`, triggers: ['polls'] });
      const poll = await makePoll();
      await vote(ada, poll, 1);
      const [request] = await receiver.received('/polls', 1);
      const body = JSON.parse(request?.body.toString() ?? '');
      assert.deepEqual([body.action, body.actor.id], ['option_voted', ada.id]);
      assert.deepEqual(body.option, {
        id: idAt(poll, 1),
        text: 'no',
        vote_count: 1,
        has_voted: true,
        voters: [],
      });
      assert.deepEqual(body.entity, { id: poll.id, type: 'comment' });
      assert.equal(request?.headers['x-weavy-trigger'], 'polls');
    } finally {
      await receiver.close();
    }
  });
});

// For any concurrent requests, each user has at most one vote and every count equals the rows.
describe('votes that race', () => {
  async function assertSettled(poll: Comment, total: number): Promise<void> {
    const body = await server.read(`/api/comments/${poll.id}`);
    const counts = body.options.map((one: Option) => one.vote_count);
    assert.equal(
      counts.reduce((sum: number, count: number) => sum + count, 0),
      total,
    );
    const rows = watch.rows(`select user_id from votes where entry_id = ${poll.id}`);
    assert.equal(rows.length, total);
    for (const [place, option] of body.options.entries()) {
      const voters = await server.read(`/api/options/${option.id}/voters`);
      assert.equal(voters.length, counts[place]);
    }
    // The log agrees: the last event of an option has its count.
    const told = new Map(poll.options.map(({ text }) => [text, 0]));
    for (const event of eventsOf(poll)) {
      const [, text = '', count] = event.split(' ');
      told.set(text, Number(count));
    }
    assert.deepEqual([...told.values()], counts);
    assert.deepEqual(miscounted(), []);
  }

  test('of 32 users for three options are 32', async () => {
    const poll = await makePoll(['a', 'b', 'c']);
    const people: Person[] = [];
    for (let i = 0; i < 32; i += 1) people.push(await makeUser(server));
    const answers = await Promise.all(people.map((one, i) => vote(one, poll, i % 3)));
    assert.ok(answers.every(({ status, body }) => status === 200 && body.has_voted));
    await assertSettled(poll, 32);
    // Half of them clear their vote and half move it.
    await Promise.all(people.map((one, i) => vote(one, poll, (i < 16 ? i : i + 1) % 3)));
    await assertSettled(poll, 16);
  });

  test('of one user for one option clear each other', async () => {
    const poll = await makePoll();
    const answers = await Promise.all(Array.from({ length: 32 }, () => vote(ada, poll, 0)));
    assert.equal(answers.filter(({ body }) => body.has_voted).length, 16);
    await assertSettled(poll, 0);
    assert.equal(eventsOf(poll).length, 32);
  });

  test('of one user for different options are one or none', async () => {
    const poll = await makePoll(['a', 'b', 'c']);
    const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => vote(ada, poll, i % 3)));
    assert.ok(answers.every(({ status }) => status === 200));
    const body = await ada.read(`/api/comments/${poll.id}`);
    const mine = body.options.filter((one: Option) => one.has_voted).length;
    assert.ok(mine <= 1);
    await assertSettled(poll, mine);
  });

  test('with an edit that removes the option leave no vote behind', async () => {
    const poll = await makePoll(['a', 'b']);
    const people: Person[] = [];
    for (let i = 0; i < 16; i += 1) people.push(await makeUser(server));
    const options = [{ id: idAt(poll, 1), text: 'b' }];
    const answers = await Promise.all([
      ...people.slice(0, 8).map((one) => vote(one, poll, 0)),
      server.call('PATCH', `/api/comments/${poll.id}`, { options }),
      ...people.slice(8).map((one) => vote(one, poll, 0)),
    ]);
    for (const { status } of answers) assert.ok(status === 200 || status === 404);
    assert.deepEqual(watch.rows(`select * from votes where entry_id = ${poll.id}`), []);
    assert.deepEqual(miscounted(), []);
  });
});

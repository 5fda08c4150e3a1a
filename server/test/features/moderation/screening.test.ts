import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import {
  makeApp,
  makeComment,
  makeFile,
  makeLastingUser,
  makePost,
  makeUser,
} from 'confab-testing/fixtures.ts';
import { keptLog } from 'confab-testing/log.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { before, freshUid, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const clock = movableClock();
const lines: { rules?: string[]; request_id?: string; msg?: string }[] = [];
const server = useServer({ CONFAB_LOG_LEVEL: 'info' }, { clock, logTo: keptLog(lines) });
const watch = useStoreWatch(server);

/** Replaces the rules, and returns the present counts of one. */
async function setRules(rules: readonly object[], fields: object = {}): Promise<void> {
  const { version } = await server.read('/api/moderation/rules');
  const answer = await server.call('PUT', '/api/moderation/rules', { version, rules, ...fields });
  assert.equal(answer.status, 200, answer.text);
}
const countsOf = async () => (await server.read('/api/moderation/rules')).counts;

const refuse = { name: 'bad words', action: 'refuse', words: ['casino'] };
const bad = 'Come to the casino';

let apps: { comments: number; posts: number; chat: number };
let ada = '';

before(async () => {
  const make = async (type: string) => (await makeApp(server, { type, access: 'write' })).id;
  apps = { comments: await make('comments'), posts: await make('posts'), chat: await make('chat') };
  ada = (await makeLastingUser(server)).token;
});

// What a rule refuses is not there, and its author learns nothing of the rules.
describe('a rule that refuses', () => {
  const ways = [
    ['a comment', () => `/api/apps/${apps.comments}/comments`],
    ['a post', () => `/api/apps/${apps.posts}/posts`],
    ['a message', () => `/api/apps/${apps.chat}/messages`],
  ] as const;
  for (const [what, path] of ways)
    test(`refuses ${what}, its options and its tags`, async () => {
      await setRules([refuse]);
      for (const body of [{ text: bad }, { options: [{ text: 'no' }, { text: bad }] }, { tags: [bad] }]) {
        watch.hasChanged();
        const answer = await server.as(ada).call('POST', path(), body);
        assertProblem(answer, 403, 'text_refused');
        assert.doesNotMatch(answer.text, /casino|bad words/);
      }
      assert.equal((await server.as(ada).call('POST', path(), { text: 'Come to the park' })).status, 201);
    });

  test('is named in the log with the id of the request, and counts', async () => {
    await setRules([]);
    await setRules([refuse]);
    const answer = await server.as(ada).call('POST', `/api/apps/${apps.comments}/comments`, { text: bad });
    const line = lines.find(
      ({ request_id, rules }) => rules !== undefined && request_id === answer.body.request_id,
    );
    assert.deepEqual(line?.rules, ['bad words']);
    const [{ last_at, ...count }] = await countsOf();
    assert.deepEqual(count, { name: 'bad words', reported: 0, held: 0, refused: 1 });
    assert.match(last_at, /Z$/);
  });

  test('refuses a comment on a post and on a file', async () => {
    await setRules([]);
    const post = await makePost(server, apps.posts);
    const file = await makeFile(server, (await makeApp(server, { type: 'files', access: 'write' })).id);
    await setRules([refuse]);
    for (const path of [`/api/posts/${post}/comments`, `/api/files/${file}/comments`])
      assertProblem(await server.as(ada).call('POST', path, { text: bad }), 403, 'text_refused');
  });

  test('refuses an edit, and leaves what was there', async () => {
    await setRules([refuse]);
    const ways = { comments: 'comments', posts: 'posts', chat: 'messages' } as const;
    for (const [app, plural] of Object.entries(ways)) {
      const made = await server.as(ada).create(`/api/apps/${apps[app as keyof typeof apps]}/${plural}`, {
        text: 'harmless',
        options: [{ text: 'yes' }],
      });
      const path = `/api/${plural}/${made.id}`;
      for (const body of [{ text: bad }, { options: [{ text: bad }] }, { tags: [bad] }])
        assertProblem(await server.as(ada).call('PATCH', path, body), 403, 'text_refused');
      assert.equal((await server.read(path)).text, 'harmless');
      assert.equal((await server.as(ada).call('PATCH', path, { text: 'other words' })).status, 200);
    }
  });

  test('judges an edit by what the entry becomes', async () => {
    await setRules([{ name: 'links', action: 'refuse', links_max: 1 }]);
    const { id } = await makeComment(server.as(ada), apps.comments, { text: 'https://a.example' });
    const path = `/api/comments/${id}`;
    assert.equal((await server.as(ada).call('PATCH', path, { tags: ['a'] })).status, 200);
    await setRules([{ name: 'links', action: 'refuse', links_max: 0 }]);
    // The text was there before the rule, and does not change.
    assert.equal((await server.as(ada).call('PATCH', path, { metadata: { a: 1 } })).status, 200);
    assertProblem(await server.as(ada).call('PATCH', path, { tags: ['b'] }), 403, 'text_refused');
  });

  test('comes after what is absent, forbidden and invalid', async () => {
    await setRules([refuse]);
    const closed = (await makeApp(server)).id;
    const readable = (await makeApp(server, { access: 'read' })).id;
    const send = async (app: number, body: object) =>
      await server.as(ada).call('POST', `/api/apps/${app}/comments`, body);
    assertProblem(await send(closed, { text: bad }), 404, 'not_found');
    assertProblem(await send(readable, { text: bad }), 403, 'write_forbidden');
    assertProblem(await send(apps.comments, { text: bad, tags: [''] }), 422, 'validation_failed');
    assertProblem(await send(closed, { text: 'fine' }), 404, 'not_found');
  });
});

describe('rules', () => {
  const post = async (text: string, as: string | undefined = ada, app = apps.comments) =>
    await server.call('POST', `/api/apps/${app}/comments`, { text }, as === undefined ? {} : { as });

  test('hold for neither API keys nor managers', async () => {
    await setRules([refuse]);
    assert.equal(
      (await server.call('POST', `/api/apps/${apps.comments}/comments`, { text: bad })).status,
      201,
    );
    const own = (await makeApp(server.as(ada), { access: 'write' })).id;
    assert.equal((await post(bad, ada, own)).status, 201);
    const { token } = await makeUser(server);
    assertProblem(await post(bad, token, own), 403, 'text_refused');
  });

  test('hold for bots where the rules say so', async () => {
    const { token } = await makeUser(server, { is_bot: true });
    await setRules([refuse]);
    assert.equal((await post(bad, token)).status, 201);
    await setRules([refuse], { includes_bots: true });
    assertProblem(await post(bad, token), 403, 'text_refused');
  });

  test('hold for newcomers and open apps alone, where they say so', async () => {
    const token = (await makeLastingUser(server)).token;
    await setRules([{ ...refuse, newcomer_hours: 1 }]);
    assertProblem(await post(bad, token), 403, 'text_refused');
    clock.move(3_600_000);
    assert.equal((await post(bad, token)).status, 201);
    await setRules([{ ...refuse, only_open_apps: true }]);
    assertProblem(await post(bad, token), 403, 'text_refused');
    const member = await makeUser(server);
    const { id } = await makeApp(server, { members: { write: [member] } });
    assert.equal((await post(bad, member.token, id)).status, 201);
  });

  const long = 'The same sentence of more than forty characters, again.';

  test('find equal texts of a user, until the window has passed', async () => {
    await setRules([
      { name: 'again', action: 'refuse', equal_texts: { of: 'user', count: 3, seconds: 600 } },
    ]);
    const token = (await makeLastingUser(server)).token;
    for (const text of [long, long.toUpperCase()]) assert.equal((await post(text, token)).status, 201);
    assertProblem(await post(`${long}!!!`, token), 403, 'text_refused');
    assert.equal((await post(`${long} Or not.`, token)).status, 201);
    assert.equal((await post(long, (await makeUser(server)).token)).status, 201);
    clock.move(601_000);
    assert.equal((await post(long, token)).status, 201);
  });

  test('find equal texts of many users, and no short ones', async () => {
    await setRules([
      { name: 'many', action: 'refuse', equal_texts: { of: 'everyone', count: 3, seconds: 600 } },
    ]);
    const text = `${freshUid('campaign')} ${long}`;
    const senders = await Promise.all(Array.from({ length: 3 }, () => makeUser(server)));
    const [one, two, three] = senders.map(({ token }) => token);
    for (const as of [one, one, one, two]) assert.equal((await post(text, as)).status, 201);
    assertProblem(await post(text, three), 403, 'text_refused');
    for (const { token } of senders) assert.equal((await post('Thank you!', token)).status, 201);
  });

  test('find an edit into the text of others', async () => {
    await setRules([
      { name: 'many', action: 'refuse', equal_texts: { of: 'everyone', count: 2, seconds: 600 } },
    ]);
    const text = `${freshUid('campaign')} ${long}`;
    assert.equal((await post(text)).status, 201);
    const { token } = await makeUser(server);
    const { id } = (await post('Something else', token)).body;
    assertProblem(await server.as(token).call('PATCH', `/api/comments/${id}`, { text }), 403, 'text_refused');
  });

  test('limit the rate of a user', async () => {
    await setRules([{ name: 'rate', action: 'refuse', rate: { count: 2, seconds: 60 } }]);
    const { token } = await makeUser(server);
    for (const text of ['one', 'two']) assert.equal((await post(text, token)).status, 201);
    assertProblem(await post('three', token), 403, 'text_refused');
    clock.move(61_000);
    assert.equal((await post('four', token)).status, 201);
  });

  test('count many texts that arrive at once as if one after the other', async () => {
    await setRules([{ name: 'rate of many', action: 'refuse', rate: { count: 3, seconds: 60 } }]);
    const { token } = await makeUser(server);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => post(`text ${at}`, token)));
    assert.deepEqual(answers.filter(({ status }) => status === 201).length, 3);
    const [{ refused }] = await countsOf();
    assert.equal(refused, 7);
  });
});

// What a rule holds is seen by its author and moderators alone; only the latter learn which rule it was.
describe('a rule that holds', () => {
  const hold = { name: 'to look at', action: 'hold', words: ['casino'] };
  let other = '';
  let moderator = '';
  before(async () => {
    other = (await makeLastingUser(server)).token;
    moderator = (await makeLastingUser(server)).token;
    const body = await server.as(moderator).read('/api/user');
    for (const app of Object.values(apps))
      await server.call('PUT', `/api/apps/${app}/members/${body.uid}`, {
        access: 'write',
        role: 'moderator',
      });
  });

  /** The actions that a user, or an API key, sees of an entity, in order. */
  async function actionsSeen(as: string | undefined, id: number, after: number): Promise<string[]> {
    const sending = as === undefined ? {} : { as };
    const body = await server.read(`/api/events?top=100&after=${after}`, sending);
    const events: { action: string; comment?: { id: number }; match?: { id: number } }[] = body.data;
    return events
      .filter(({ comment, match }) => comment?.id === id || match?.id === id)
      .map(({ action }) => action);
  }
  const lastPosition = async () => {
    const { rows } = watch;
    return Number(rows('select max(id) as n from events')[0]?.['n']);
  };

  test('holds a comment from the start', async () => {
    await setRules([hold]);
    const after = await lastPosition();
    const answer = await server.as(ada).call('POST', `/api/apps/${apps.comments}/comments`, { text: bad });
    assert.deepEqual([answer.status, answer.body.is_held, answer.body.is_trashed], [201, true, false]);
    const path = `/api/comments/${answer.body.id}`;
    const statusFor = async (as: string) => (await server.as(as).call('GET', path)).status;
    assert.equal(await statusFor(other), 404);
    const list = await server.as(other).read(`/api/apps/${apps.comments}/comments?top=100`);
    assert.equal(
      list.data.some(({ id }: { id: number }) => id === answer.body.id),
      false,
    );
    assert.deepEqual(await actionsSeen(other, answer.body.id, after), []);
    assert.deepEqual(await actionsSeen(ada, answer.body.id, after), ['comment_held']);
    assert.deepEqual(await actionsSeen(moderator, answer.body.id, after), ['comment_held', 'rules_matched']);
    assert.deepEqual(await actionsSeen(undefined, answer.body.id, after), ['comment_held', 'rules_matched']);
    const events: { action: string; match?: object }[] = (
      await server.read(`/api/events?top=100&after=${after}`)
    ).data;
    assert.deepEqual(events.find(({ action }) => action === 'rules_matched')?.match, {
      id: answer.body.id,
      type: 'comment',
      rules: [{ name: 'to look at', action: 'hold' }],
    });
    assert.equal((await server.as(moderator).call('POST', `${path}/approve`)).status, 200);
    assert.equal(await statusFor(other), 200);
  });

  test('holds an edit, of which nobody is told', async () => {
    await setRules([hold]);
    const { id } = await makeComment(server.as(ada), apps.comments, { text: 'harmless' });
    const path = `/api/comments/${id}`;
    const after = await lastPosition();
    const answer = await server.as(ada).call('PATCH', path, { text: bad });
    assert.deepEqual([answer.status, answer.body.is_held, answer.body.text], [200, true, bad]);
    assert.equal((await server.as(other).call('GET', path)).status, 404);
    assert.deepEqual(await actionsSeen(other, id, after), ['comment_trashed']);
    assert.doesNotMatch((await server.as(other).call('GET', `/api/events?after=${after}`)).text, /casino/);
    assertProblem(await server.as(ada).call('PATCH', path, { text: 'harmless' }), 403, 'moderated');
    assertProblem(await server.as(ada).call('POST', `${path}/restore`), 403, 'moderated');
    assert.equal((await server.as(moderator).call('POST', `${path}/approve`)).body.text, bad);
    assert.equal((await server.as(other).read(path)).text, bad);
  });

  test('leaves a conversation as it was', async () => {
    await setRules([hold]);
    const path = `/api/apps/${apps.chat}/messages`;
    const first = await server.as(ada).create(path, { text: 'hello' });
    const last = async () =>
      (await server.as(moderator).read(`/api/conversations/${apps.chat}`)).last_message?.id;
    assert.equal(await last(), first.id);
    const { body: held } = await server.as(ada).call('POST', path, { text: bad });
    assert.equal(held.is_held, true);
    assert.equal(await last(), first.id);
    await server.as(moderator).call('POST', `/api/messages/${held.id}/approve`);
    assert.equal(await last(), held.id);
  });

  test('gives way to one that refuses, and not to one that reports', async () => {
    await setRules([hold, { ...hold, name: 'report', action: 'report' }]);
    const send = async () =>
      await server.as(ada).call('POST', `/api/apps/${apps.posts}/posts`, { text: bad });
    assert.equal((await send()).body.is_held, true);
    await setRules([hold, { ...hold, name: 'refuse', action: 'refuse' }]);
    assertProblem(await send(), 403, 'text_refused');
    const counts = await countsOf();
    assert.deepEqual(
      counts.map(({ name }: { name: string }) => name),
      ['to look at', 'refuse'],
    );
  });

  test('reports without holding, where it says so', async () => {
    await setRules([{ ...hold, action: 'report' }]);
    const after = await lastPosition();
    const { body } = await server.as(ada).call('POST', `/api/apps/${apps.comments}/comments`, { text: bad });
    assert.equal(body.is_held, undefined);
    assert.deepEqual(await actionsSeen(moderator, body.id, after), ['comment_created', 'rules_matched']);
    assert.deepEqual(await actionsSeen(other, body.id, after), ['comment_created']);
    const reports = async () => (await server.as(moderator).read('/api/reports?reason=rule')).data ?? [];
    const [report] = (await reports()).filter(({ entity }) => entity.id === body.id);
    assert.deepEqual(report?.reasons, [{ reason: 'rule', count: 1 }]);
    // An edit that matches again does not report it again.
    await server.as(ada).call('PATCH', `/api/comments/${body.id}`, { text: `${bad}, everybody` });
    assert.equal((await reports()).filter(({ entity }) => entity.id === body.id).length, 1);
  });
});

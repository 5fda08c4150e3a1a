import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  addMembers,
  makeApp,
  makeBlob,
  makeComment,
  makeDirectory,
  makeFile,
  makePost,
  makeUser,
  type Person,
  usePeople,
} from 'confab-testing/fixtures.ts';
import { idsOf } from 'confab-testing/lists.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { type Caller, freshUid, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now } });
const watch = useStoreWatch(server);
// Ada wrote what Bob and Cleo report; Mia moderates the app, Max manages it.
const [ada, bob, cleo, mia, max] = usePeople(server, 'Ada', 'Bob', 'Cleo', 'Mia', 'Max');
const app = use(() => appFor('comments'));

/** An app in which everybody writes, moderated by Mia and managed by Max. */
async function appFor(type: string, fields: object = {}) {
  const members = { moderator: [mia], manager: [max] };
  return await makeApp(server, { type, access: 'write', name: 'Plans', members, ...fields });
}

const aComment = async (text = 'Buy **pills**') => (await makeComment(ada, app.id, { text })).id;

const report = (by: Caller, id: number, body: object = { reason: 'spam' }, kind = 'comments') =>
  by.call('POST', `/api/${kind}/${id}/reports`, body);

/** The queue as a caller sees it. */
const queue = (by: Caller, query = '') => by.read(`/api/reports?${query}`);
const idsIn = (by: Caller, query: string) => idsOf(by, `/api/reports?${query}`);

/** The report of an item, from the queue of API keys. */
async function reportOn(id: number, type = 'comment') {
  const { data } = await queue(server, 'top=100');
  const found = data.find((each: any) => each.entity.id === id && each.entity.type === type);
  assert.ok(found !== undefined, 'the item is not in the queue');
  return found;
}

const resolve = (by: Caller, id: number, action: string, fields: object = {}) =>
  by.call('POST', `/api/reports/${id}/resolve`, { action, ...fields });

// A user says once of an item why moderators should look at it.
describe('reporting an item', () => {
  test('answers what was reported', async () => {
    const id = await aComment();
    const { status, body } = await report(bob, id, { reason: 'abuse', text: 'Insults me' });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      entity: { id, type: 'comment' },
      reason: 'abuse',
      text: 'Insults me',
      created_at: new Date(now).toISOString(),
    });
  });

  test('a second time answers the first report and changes nothing', async () => {
    const id = await aComment();
    const first = await report(bob, id, { reason: 'spam' });
    watch.hasChanged();
    now += 1000;
    const second = await report(bob, id, { reason: 'illegal', text: 'Another' });
    assert.deepEqual([first.status, second.status], [200, 200]);
    assert.deepEqual(second.body, first.body);
    assert.equal(watch.hasChanged(), false);
  });

  test('is possible for posts, messages and files with read access', async () => {
    const [posts, chat, files] = [
      await appFor('posts', { access: 'read' }),
      await appFor('chat', { access: 'read' }),
      await appFor('files', { access: 'read' }),
    ];
    const message = await mia.create(`/api/apps/${chat.id}/messages`, { text: 'x' });
    const things = {
      post: await makePost(mia, posts.id),
      message: message.id,
      file: await makeFile(mia, files.id),
    };
    for (const [type, id] of Object.entries(things)) {
      assert.equal((await report(bob, id, { reason: 'other' }, `${type}s`)).status, 200);
      const { entity, author_id } = await reportOn(id, type);
      assert.deepEqual([entity, author_id], [{ id, type }, mia.id]);
    }
    const { snapshot } = await reportOn(things.file, 'file');
    assert.match(snapshot.name, /\.txt$/);
  });

  test('is refused for what one wrote, whoever else may see it', async () => {
    const id = await aComment();
    assertProblem(await report(ada, id), 403, 'own_content');
    const own = await makeComment(server, app.id);
    assertProblem(await report(server, own.id), 403, 'own_content');
    const posts = await appFor('posts');
    const post = await makePost(ada, posts.id);
    assertProblem(await report(ada, post, undefined, 'posts'), 403, 'own_content');
    const chat = await appFor('chat');
    const message = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'x' });
    assertProblem(await report(ada, message.id, undefined, 'messages'), 403, 'own_content');
    const files = await appFor('files');
    const file = await makeFile(ada, files.id);
    assertProblem(await report(ada, file, undefined, 'files'), 403, 'own_content');
  });

  test('is 404 for what one does not see', async () => {
    const closed = await makeApp(server);
    const hidden = await makeComment(server, closed.id);
    const trashed = await aComment();
    await ada.call('POST', `/api/comments/${trashed}/trash`);
    const answers = [
      await report(bob, hidden.id),
      await report(bob, trashed),
      await report(bob, 987_654_321),
    ];
    for (const answer of answers) {
      assertProblem(answer, 404, 'not_found');
      assert.equal(answer.body.detail, answers[2]?.body.detail);
    }
  });

  test('is refused for an attachment, which belongs to what it is attached to', async () => {
    const blobs = [await makeBlob(ada)];
    const { attachments } = await makeComment(ada, app.id, { blobs });
    const answer = await report(bob, attachments[0]?.id ?? 0, { reason: 'spam' }, 'files');
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'attachment');
  });

  test('is refused without a reason of the list, and with a long text', async () => {
    const id = await aComment();
    for (const [body, status, pointer] of [
      [{}, 422, '/reason'],
      [{ reason: 'rule' }, 422, '/reason'],
      [{ reason: 'Spam' }, 422, '/reason'],
      [{ reason: 5 }, 400, '/reason'],
      [{ reason: 'spam', text: 'x'.repeat(1001) }, 422, '/text'],
      [{ reason: 'spam', text: [] }, 400, '/text'],
    ] as const) {
      const answer = await report(bob, id, body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
    assert.equal((await report(bob, id, { reason: 'spam', text: 'x'.repeat(1000) })).status, 200);
  });

  test('is 401 for a suspended user, also with a key on their behalf', async () => {
    const [id, eve] = [await aComment(), await makeUser(server)];
    await server.call('PATCH', `/api/users/${eve.uid}`, { is_suspended: true });
    assert.equal((await report(eve, id)).status, 401);
    const headers = { 'x-confab-user': eve.uid };
    const path = `/api/comments/${id}/reports`;
    assert.equal((await server.call('POST', path, { reason: 'spam' }, { headers })).status, 401);
  });

  test('is limited to 100 items without a decision; API keys have no limit', async () => {
    const eve = await makeUser(server);
    const ids: number[] = [];
    for (let i = 0; i < 101; i += 1) ids.push(await aComment());
    const last = ids.pop() ?? 0;
    for (const id of ids) assert.equal((await report(eve, id)).status, 200);
    const answer = await report(eve, last);
    assertProblem(answer, 429, 'too_many_reports');
    assert.equal(answer.headers.get('retry-after'), '3600');
    // What was reported before is still answered.
    assert.equal((await report(eve, ids[0] ?? 0)).status, 200);
    const onBehalf = { headers: { 'x-confab-user': eve.uid } };
    const beyond = await aComment();
    const path = `/api/comments/${beyond}/reports`;
    assert.equal((await server.call('POST', path, { reason: 'spam' }, onBehalf)).status, 200);
    for (const id of ids.slice(0, 2)) await resolve(mia, (await reportFor(id)).id, 'keep');
    assert.equal((await report(eve, last)).status, 200);
    assertProblem(await report(eve, await aComment()), 429, 'too_many_reports');
  });
});

/** The report of an item, read from the store: the queue may be longer than a page. */
async function reportFor(id: number, type = 'comment') {
  const [row] = watch.rows(`select id from reports where entity_type = '${type}' and entity_id = ${id}`);
  return { id: Number(row?.['id']) };
}

// The queue has one row for each reported item, with all that users said about it.
describe('the queue', () => {
  test('shows an item once, with counts, reasons and the newest texts', async () => {
    const id = await aComment('Buy **pills**\n\nnow');
    const people = [bob, cleo, await makeUser(server), await makeUser(server), await makeUser(server)];
    const said = ['spam', 'abuse', 'spam', 'spam', 'other'];
    const first = now;
    for (const [index, person] of people.entries()) {
      now += 1000;
      const text = index === 2 ? {} : { text: `text ${index}` };
      await report(person, id, { reason: said[index], ...text });
    }
    const found = await reportOn(id);
    const time = (ms: number) => new Date(ms).toISOString();
    assert.deepEqual(found, {
      id: found.id,
      app_id: app.id,
      app: { id: app.id, uid: app.uid, type: 'comments', display_name: 'Plans' },
      entity: { id, type: 'comment' },
      snapshot: { text: 'Buy pills now', created_at: time(first) },
      author_id: ada.id,
      state: 'open',
      report_count: 5,
      new_report_count: 5,
      reasons: [
        { reason: 'spam', count: 3 },
        { reason: 'abuse', count: 1 },
        { reason: 'other', count: 1 },
      ],
      texts: [4, 3, 1].map((index) => ({
        reason: said[index],
        text: `text ${index}`,
        created_at: time(first + (index + 1) * 1000),
        created_by_id: people[index]?.id,
      })),
      created_at: time(first + 1000),
      reported_at: time(first + 5000),
    });
    const single = await mia.read(`/api/reports/${found.id}`);
    assert.equal(single.author.uid, ada.uid);
    assert.deepEqual(
      single.texts.map(({ text }: { text: string }) => text),
      ['text 4', 'text 3', 'text 1', 'text 0'],
    );
    const expanded = (await queue(mia, 'expand=author,resolved_by&top=1')).data[0];
    assert.deepEqual(
      [expanded.id, expanded.author.uid, expanded.resolved_by],
      [found.id, ada.uid, undefined],
    );
  });

  test('shows the item as it was when the report was opened', async () => {
    const id = await aComment('Buy pills');
    await report(bob, id);
    await ada.call('PATCH', `/api/comments/${id}`, { text: 'Good morning' });
    await report(cleo, id);
    const before = await reportOn(id);
    assert.equal(before.snapshot.text, 'Buy pills');
    await resolve(mia, before.id, 'keep');
    await report(await makeUser(server), id);
    assert.equal((await reportOn(id)).snapshot.text, 'Good morning');
  });

  test('cuts a long text', async () => {
    const id = await aComment('🇩🇪\u0301'.repeat(600));
    await report(bob, id);
    assert.equal((await reportOn(id)).snapshot.text, `${'🇩🇪\u0301'.repeat(166)}…`);
  });

  test('is filtered by state, app and reason, and ordered', async () => {
    const other = await appFor('comments');
    const make = async () => (await makeComment(ada, other.id, {})).id;
    const [one, two, three] = [await make(), await make(), await make()];
    for (const [person, id, reason] of [
      [bob, one, 'spam'],
      [bob, two, 'abuse'],
      [bob, three, 'spam'],
      [cleo, three, 'illegal'],
      [cleo, one, 'off_topic'],
      [max, one, 'spam'],
    ] as const) {
      now += 1;
      await report(person, id, { reason });
    }
    const [first, second, third] = [await reportFor(one), await reportFor(two), await reportFor(three)];
    await resolve(mia, second.id, 'keep');
    const ids = (query: string) => idsIn(mia, `app=${other.uid}&${query}`);
    assert.deepEqual(await ids(''), [first.id, third.id, second.id]);
    assert.deepEqual(await ids('state=open'), [first.id, third.id]);
    assert.deepEqual(await ids('state=resolved'), [second.id]);
    assert.deepEqual(await ids('reason=illegal'), [third.id]);
    assert.deepEqual(await ids('reason=rule'), []);
    assert.deepEqual(await ids('reason=spam&state=open&order_by=id'), [first.id, third.id]);
    assert.deepEqual(await ids('order_by=report_count+desc'), [first.id, third.id, second.id]);
    assert.deepEqual(await ids('order_by=created_at'), [first.id, second.id, third.id]);
    assert.deepEqual(await ids('q=pills'), []);
    assert.deepEqual(await ids('tag=pills'), []);
    assert.deepEqual(await ids('trashed=true'), []);
    const others = await makeComment(cleo, other.id, {});
    await report(bob, others.id);
    const ofCleo = await reportFor(others.id);
    assert.deepEqual(await ids(`author_id=${cleo.id}`), [ofCleo.id]);
    assert.deepEqual(await ids(`author_id=${ada.id}&state=open`), [first.id, third.id]);
    assert.deepEqual(await ids('author_id=999999'), []);
    assert.deepEqual(await idsIn(mia, 'app=there-is-none'), []);
    assert.deepEqual(await idsIn(mia, 'app=0x1'), []);
    assert.equal((await queue(mia, `app=${other.id}&count_only=true`)).count, 4);
  });

  test('is read page by page with links', async () => {
    const other = await appFor('comments');
    for (let i = 0; i < 5; i += 1) {
      const { id } = await makeComment(ada, other.id, {});
      await report(bob, id);
    }
    const whole = await idsIn(mia, `app=${other.id}&state=open`);
    const { headers } = await mia.call('GET', `/api/reports?app=${other.id}&state=open&top=3`);
    const [, next = ''] = /<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
    assert.deepEqual(await idsIn(mia, new URL(next).searchParams.toString()), whole.slice(3));
  });

  test('shows each user what they moderate and did not write', async () => {
    const directory = freshUid('directory');
    await makeDirectory(server, directory);
    const [inside, everywhere] = [
      await makeUser(server, { directory, role: 'moderator' }),
      await makeUser(server, { role: 'moderator' }),
    ];
    const [own, open, closed] = [
      await appFor('comments', { directory }),
      await appFor('comments'),
      await appFor('comments', { access: 'none' }),
    ];
    await addMembers(server, closed.id, { write: [ada] });
    const made: number[] = [];
    for (const { id } of [own, open, closed]) {
      // Max wrote the second one.
      const author = id === open.id ? max : ada;
      if (id === own.id) await addMembers(server, id, { write: [ada] });
      const comment = await makeComment(author, id, {});
      assert.equal((await report(server, comment.id)).status, 200);
      made.push((await reportFor(comment.id)).id);
    }
    const [first = 0, second = 0, third = 0] = made;
    const seen = async (person: Caller) => {
      const listed = (await idsIn(person, 'top=100&order_by=id+desc')).filter((id) => made.includes(id));
      for (const id of made) {
        const { status } = await person.call('GET', `/api/reports/${id}`);
        assert.equal(status, listed.includes(id) ? 200 : 404, `report ${id}`);
      }
      return listed.reverse();
    };
    assert.deepEqual(await seen(server), [first, second, third]);
    assert.deepEqual(await seen(mia), [first, second, third]);
    assert.deepEqual(await seen(max), [first, third]);
    assert.deepEqual(await seen(inside), [first]);
    assert.deepEqual(await seen(everywhere), [second]);
    for (const person of [ada, bob]) assert.deepEqual(await seen(person), []);
    await server.call('POST', `/api/apps/${closed.id}/trash`);
    assert.deepEqual(await seen(server), [first, second]);
    assert.deepEqual(await seen(mia), [first, second]);
    const reader = { access: 'read', role: 'moderator' };
    await server.call('PUT', `/api/apps/${own.id}/members/${mia.uid}`, reader);
    assert.deepEqual(await seen(mia), [second]);
  });
});

// A moderator decides once; the decision does what it says.
describe('resolving a report', () => {
  async function reported(): Promise<{ id: number; comment: number }> {
    const comment = await aComment();
    await report(bob, comment, { reason: 'spam', text: 'Look' });
    return { id: (await reportFor(comment)).id, comment };
  }

  test('with keep leaves the item', async () => {
    const { id, comment } = await reported();
    const { status, body } = await resolve(mia, id, 'keep', { note: 'Fine' });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.state, body.action, body.note, body.resolved_by_id, body.new_report_count, body.report_count],
      ['resolved', 'keep', 'Fine', mia.id, 0, 1],
    );
    assert.equal(body.resolved_at, new Date(now).toISOString());
    assert.equal(body.resolved_by.uid, mia.uid);
    assert.deepEqual(await mia.read(`/api/reports/${id}`), body);
    assert.equal((await bob.call('GET', `/api/comments/${comment}`)).status, 200);
    assert.deepEqual(watch.actionsOf('report', id), ['report_created', 'report_resolved']);
    assert.deepEqual(watch.actionsOf('comment', comment), ['comment_created']);
  });

  test('with trash puts the item in the trash, from which its author cannot restore it', async () => {
    const { id, comment } = await reported();
    assert.equal((await resolve(mia, id, 'trash')).body.action, 'trash');
    assert.equal((await bob.call('GET', `/api/comments/${comment}`)).status, 404);
    assertProblem(await ada.call('POST', `/api/comments/${comment}/restore`), 403, 'moderated');
    assert.deepEqual(watch.actionsOf('comment', comment), ['comment_created', 'comment_trashed']);
  });

  test('with trash makes moderated what its author has trashed', async () => {
    const { id, comment } = await reported();
    await ada.call('POST', `/api/comments/${comment}/trash`);
    assert.equal((await resolve(mia, id, 'trash')).status, 200);
    assertProblem(await ada.call('POST', `/api/comments/${comment}/restore`), 403, 'moderated');
  });

  test('with hold holds the item', async () => {
    const { id, comment } = await reported();
    assert.equal((await resolve(mia, id, 'hold')).body.action, 'hold');
    assert.equal((await bob.call('GET', `/api/comments/${comment}`)).status, 404);
    const body = await ada.read(`/api/comments/${comment}`);
    assert.deepEqual([body.is_held, body.is_trashed], [true, false]);
  });

  test('acts on posts, messages and files as well', async () => {
    const [posts, chat, files] = [await appFor('posts'), await appFor('chat'), await appFor('files')];
    const message = await ada.create(`/api/apps/${chat.id}/messages`, { text: 'x' });
    for (const [type, id] of [
      ['post', await makePost(ada, posts.id)],
      ['message', message.id],
      ['file', await makeFile(ada, files.id)],
    ] as const)
      for (const action of ['hold', 'trash']) {
        await report(action === 'hold' ? bob : server, id, { reason: 'spam' }, `${type}s`);
        const { id: of } = await reportFor(id, type);
        assert.equal((await resolve(max, of, action)).status, 200, `${action} ${type}`);
        const body = await max.read(`/api/${type}s/${id}?trashed=true`);
        assert.equal(action === 'hold' ? body.is_held : body.is_trashed, true, `${action} ${type}`);
        await server.call('POST', `/api/${type}s/${id}/restore`);
      }
  });

  test('with suspend trashes the item and suspends its author', async () => {
    const eve = await makeUser(server);
    const { id: comment } = await makeComment(eve, app.id, {});
    await report(bob, comment);
    const { id } = await reportFor(comment);
    for (const person of [mia, max])
      assertProblem(await resolve(person, id, 'suspend'), 403, 'suspend_forbidden');
    const limited = await server.running.keys.create('moderating', { scopes: ['moderate'] });
    const path = `/api/reports/${id}/resolve`;
    const refused = await server.as(limited).call('POST', path, { action: 'suspend' });
    assertProblem(refused, 403, 'scope_missing');
    assert.equal((await eve.call('GET', '/api/user')).status, 200);
    assert.equal((await resolve(server, id, 'suspend')).body.action, 'suspend');
    assert.equal((await resolve(server, id, 'suspend')).status, 200);
    assert.equal((await eve.call('GET', '/api/user')).status, 401);
    assert.equal((await server.read(`/api/users/${eve.uid}`)).is_suspended, true);
    assert.equal((await bob.call('GET', `/api/comments/${comment}`)).status, 404);
    assert.deepEqual(watch.actionsOf('user', eve.id).slice(-2), ['user_updated', 'tokens_revoked']);
  });

  test('with suspend takes a moderator of the directory, and suspends no other one', async () => {
    const directory = freshUid('directory');
    await makeDirectory(server, directory);
    const [lead, colleague, eve, guest] = [
      await makeUser(server, { directory, role: 'moderator' }),
      await makeUser(server, { directory, role: 'moderator' }),
      await makeUser(server, { directory }),
      await makeUser(server),
    ];
    const members = { write: [bob, guest] };
    const { id: place } = await makeApp(server, { access: 'write', directory, members });
    const suspending = async (author: Person) => {
      const { id } = await makeComment(author, place, {});
      await report(bob, id);
      return await resolve(lead, (await reportFor(id)).id, 'suspend');
    };
    assert.equal((await suspending(eve)).status, 200);
    assertProblem(await suspending(colleague), 403, 'suspend_forbidden');
    assertProblem(await suspending(guest), 403, 'suspend_forbidden');
  });

  test('with suspend is refused for what the server wrote', async () => {
    const { id: comment } = await makeComment(server, app.id);
    await report(bob, comment);
    const answer = await resolve(server, (await reportFor(comment)).id, 'suspend');
    assertProblem(answer, 422, 'validation_failed');
    assert.equal(answer.body.errors[0].code, 'immutable');
  });

  test('again changes nothing, and with another action is refused', async () => {
    const { id } = await reported();
    const first = await resolve(mia, id, 'keep', { note: 'Fine' });
    watch.hasChanged();
    now += 1000;
    const again = await resolve(mia, id, 'keep', { note: 'Better' });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal((await resolve(max, id, 'keep')).body.note, 'Fine');
    const late = await resolve(max, id, 'trash');
    assertProblem(late, 422, 'validation_failed');
    assert.deepEqual([late.body.errors[0].pointer, late.body.errors[0].code], ['/action', 'resolved']);
    assert.equal(watch.hasChanged(), false);
  });

  test('is refused without an action of the list, and with a long note', async () => {
    const { id } = await reported();
    for (const [body, status, pointer] of [
      [{}, 422, '/action'],
      [{ action: 'delete' }, 422, '/action'],
      [{ action: true }, 400, '/action'],
      [{ action: 'keep', note: 'x'.repeat(1001) }, 422, '/note'],
    ] as const) {
      const answer = await mia.call('POST', `/api/reports/${id}/resolve`, body);
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.body.errors[0].pointer, pointer);
    }
  });

  test('is 404 for those who do not moderate the app', async () => {
    const { id } = await reported();
    const absent = await resolve(bob, 987_654_321, 'keep');
    for (const person of [ada, bob]) {
      const answer = await resolve(person, id, 'keep');
      assertProblem(answer, 404, 'not_found');
      assert.equal(answer.body.detail, absent.body.detail);
    }
  });

  test('is 404 for an item below one in the trash, unless it is kept', async () => {
    const posts = await appFor('posts');
    const post = await makePost(cleo, posts.id);
    const { id: comment } = await ada.create(`/api/posts/${post}/comments`, {});
    await report(bob, comment);
    const { id } = await reportFor(comment);
    await cleo.call('POST', `/api/posts/${post}/trash`);
    for (const action of ['trash', 'hold', 'suspend'])
      assertProblem(await resolve(server, id, action), 404, 'not_found');
    assert.equal((await resolve(server, id, 'keep')).status, 200);
  });

  test('ends when another user reports the item again', async () => {
    const { id, comment } = await reported();
    await resolve(mia, id, 'keep', { note: 'Fine' });
    assert.equal((await report(bob, comment, { reason: 'abuse' })).status, 200);
    assert.equal((await reportOn(comment)).state, 'resolved');
    assert.equal((await report(cleo, comment, { reason: 'abuse' })).status, 200);
    const opened = await reportOn(comment);
    assert.deepEqual(
      [
        opened.state,
        opened.action,
        opened.note,
        opened.resolved_by_id,
        opened.report_count,
        opened.new_report_count,
      ],
      ['open', undefined, undefined, undefined, 2, 1],
    );
    assert.equal((await resolve(mia, id, 'trash')).status, 200);
  });
});

// What is deleted permanently needs no decision, and nothing of it is kept.
describe('deleting a reported item', () => {
  test('closes its report and removes what it shows', async () => {
    const files = await appFor('files');
    const file = await makeFile(ada, files.id);
    const comment = await aComment('a secret');
    await report(bob, comment, { reason: 'spam', text: 'x' });
    await report(bob, file, { reason: 'spam' }, 'files');
    for (const [type, id] of [
      ['comment', comment],
      ['file', file],
    ] as const) {
      const { id: of } = await reportFor(id, type);
      assert.equal((await ada.call('DELETE', `/api/${type}s/${id}`)).status, 204);
      const body = await mia.read(`/api/reports/${of}`);
      assert.deepEqual(
        [body.state, body.action, body.snapshot, body.resolved_by_id, body.new_report_count],
        ['resolved', 'delete', undefined, undefined, 0],
      );
      assert.equal((await resolve(mia, of, 'trash')).status, 422);
    }
    assert.equal(
      watch.rows(`select id from complaints where is_counted = 1 and report_id in
      (select id from reports where is_open = 0)`).length,
      0,
    );
  });

  test('keeps an earlier decision', async () => {
    const comment = await aComment();
    await report(bob, comment);
    const { id } = await reportFor(comment);
    await resolve(mia, id, 'trash');
    await server.call('DELETE', `/api/comments/${comment}`);
    const body = await mia.read(`/api/reports/${id}`);
    assert.deepEqual([body.action, body.resolved_by_id, body.snapshot], ['trash', mia.id, undefined]);
  });
});

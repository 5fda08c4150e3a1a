import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Notification } from 'confab-contract/notifications.ts';
import {
  addMembers,
  makeApp,
  makeBlob,
  makeComment,
  makeFile,
  makePost,
  makeUser,
  type Person,
} from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { before, useServer } from 'confab-testing/server.ts';

const server = useServer();

/** The notifications of a user, oldest first, as plain text. */
async function toldTo({ token }: Person): Promise<string[]> {
  await settledLog(server);
  return (await notificationsOf(server, token)).map(({ plain }) => plain).reverse();
}

async function people(...names: string[]): Promise<Person[]> {
  const made: Person[] = [];
  for (const name of names) made.push(await makeUser(server, { name }));
  return made;
}

/** Does something; whom it concerns is judged when the log is read, which is before the next thing is done. */
async function post(path: string, body: unknown, { token }: Person) {
  const answer = await server.as(token).call('POST', path, body);
  assert.ok(answer.status < 300, answer.text);
  await settledLog(server);
  return answer.body;
}

// Each kind of event notifies the users whom it concerns, in words that name the actor, the place and the content.
describe('who is notified', () => {
  test('of a comment in a comments app: its subscribers', async () => {
    const [ada, bob, eve] = (await people('Ada', 'Bob', 'Eve')) as [Person, Person, Person];
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    await post(`/api/apps/${app.id}/subscribe`, undefined, bob);
    await makeComment(ada, app.id, { text: 'Ready **now**' });
    assert.deepEqual(await toldTo(bob), ['Ada commented in Plans: Ready now']);
    assert.deepEqual(await toldTo(ada), []);
    assert.deepEqual(await toldTo(eve), []);
  });

  test('of a post: subscribers of the app', async () => {
    const [ada, bob] = (await people('Ada', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    for (const person of [ada, bob]) await post(`/api/apps/${app.id}/subscribe`, undefined, person);
    await makePost(ada, app.id);
    assert.deepEqual(await toldTo(bob), ['Ada posted in News: a post']);
    assert.deepEqual(await toldTo(ada), []);
  });

  test('of a comment on a post: its author and its subscribers, and commenting subscribes', async () => {
    const [ada, bob, eve] = (await people('Ada', 'Bob', 'Eve')) as [Person, Person, Person];
    const app = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    const id = await makePost(ada, app.id);
    const body = await ada.read(`/api/posts/${id}`);
    assert.equal(body.is_subscribed, true);
    await post(`/api/posts/${id}/comments`, { text: 'one' }, bob);
    await post(`/api/posts/${id}/comments`, { text: 'two' }, eve);
    await post(`/api/posts/${id}/unsubscribe`, undefined, bob);
    await post(`/api/posts/${id}/comments`, { text: 'three' }, ada);
    assert.deepEqual(await toldTo(ada), [
      'Bob commented on your post in News: one',
      'Eve commented on your post in News: two',
    ]);
    assert.deepEqual(await toldTo(bob), ['Eve commented on the post in News: two']);
    assert.deepEqual(await toldTo(eve), ['Ada commented on the post in News: three']);
  });

  test('of a file and its comments and versions: subscribers of the app, its author, its subscribers', async () => {
    const [ada, bob, eve] = (await people('Ada', 'Bob', 'Eve')) as [Person, Person, Person];
    const app = await makeApp(server, { type: 'files', access: 'write', name: 'Papers' });
    await post(`/api/apps/${app.id}/subscribe`, undefined, eve);
    const as = { as: ada.token };
    const made = await post(
      `/api/apps/${app.id}/files`,
      { blob_id: await makeBlob(server, as), name: 'plan.txt' },
      ada,
    );
    await post(`/api/files/${made.id}/comments`, { text: 'good' }, bob);
    await post(
      `/api/apps/${app.id}/files`,
      { blob_id: await makeBlob(server, as), name: 'plan.txt', replace: true },
      ada,
    );
    assert.deepEqual(await toldTo(eve), ['Ada added a file in Papers: plan.txt']);
    assert.deepEqual(await toldTo(ada), ['Bob commented on your file plan.txt: good']);
    assert.deepEqual(await toldTo(bob), ['Ada changed a file in Papers: plan.txt']);
  });

  test('of a reply: the author of the comment it names, only in the same app', async () => {
    const [ada, bob] = (await people('Ada', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    const other = await makeApp(server, { access: 'write', name: 'Elsewhere' });
    await post(`/api/apps/${app.id}/subscribe`, undefined, ada);
    const first = await makeComment(ada, app.id, { text: 'what?' });
    const metadata = { parent_id: first.id };
    await makeComment(bob, app.id, { text: 'that', metadata });
    await makeComment(bob, other.id, { text: 'not that', metadata });
    assert.deepEqual(await toldTo(ada), ['Bob replied to your comment in Plans: that']);
  });

  test('of a reaction and of a vote: the author', async () => {
    const [ada, bob] = (await people('Ada', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    const options = [{ text: 'Friday' }, { text: 'Monday' }];
    const comment = await makeComment(ada, app.id, { text: 'when?', options });
    for (const person of [ada, bob]) {
      await post(`/api/comments/${comment.id}/reactions`, { content: '👍' }, person);
      await post(`/api/options/${comment.options[0]?.id}/vote`, undefined, person);
    }
    assert.deepEqual(await toldTo(ada), [
      'Bob reacted to your comment in Plans: 👍',
      'Bob voted in your poll in Plans: Friday',
    ]);
    assert.deepEqual(await toldTo(bob), []);
  });

  test('of a message: the other members of the conversation', async () => {
    const [ada, bob, eve] = (await people('Ada', 'Bob', 'Eve')) as [Person, Person, Person];
    const chat = await makeApp(ada, { type: 'chat', access: 'write', name: 'Talk' });
    await addMembers(server, chat.id, { write: [bob] });
    await post(`/api/apps/${chat.id}/messages`, { text: 'hi' }, ada);
    await post(`/api/apps/${chat.id}/messages`, { text: 'hello' }, eve);
    assert.deepEqual(await toldTo(bob), ['Ada wrote in Talk: hi', 'Eve wrote in Talk: hello']);
    assert.deepEqual(await toldTo(ada), ['Eve wrote in Talk: hello']);
    assert.deepEqual(await toldTo(eve), []);
  });

  test('depends on the access of each user, and leaves out suspended and trashed users', async () => {
    const names = ['Reader', 'None', 'Stranger', 'Suspended', 'Trashed', 'Native', 'Foreign'];
    const [reader, none, stranger, suspended, trashed] = (await people(...names.slice(0, 5))) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ];
    const native = await makeUser(server, { directory: 'notified' });
    const foreign = await makeUser(server, { directory: 'elsewhere' });
    const everybody = [reader, none, stranger, suspended, trashed, native, foreign];
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    for (const person of everybody) await post(`/api/apps/${app.id}/subscribe`, undefined, person);
    await addMembers(server, app.id, { read: [reader], none: [none] });
    await server.call('PATCH', `/api/apps/${app.id}`, { access: 'read', directory: 'notified' });
    await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: true });
    await server.call('POST', `/api/users/${trashed.uid}/trash`);
    const mentions = everybody.map(({ id }) => `[x](@u${id})`).join(' ');
    await makeComment(server, app.id, { text: `for ${mentions}` });
    await settledLog(server);
    await server.call('PATCH', `/api/users/${suspended.uid}`, { is_suspended: false });
    await server.call('POST', `/api/users/${trashed.uid}/restore`);
    const told = new Map<Person, number>();
    for (const person of everybody) {
      // The tokens from before a suspension stay revoked.
      const { body } = await server.call('POST', `/api/users/${person.uid}/tokens`, {});
      told.set(person, (await toldTo({ ...person, token: String(body.access_token) })).length);
    }
    assert.deepEqual([...told.values()], [1, 0, 0, 0, 0, 1, 0]);
  });
});

// A notification has the documented form, and only its own user sees it.
describe('a notification', () => {
  let ada: Person;
  let bob: Person;
  let notification: Notification;
  before(async () => {
    [ada, bob] = (await people('Ada <b>', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { access: 'write', name: 'R&D {1}' });
    const comment = await makeComment(ada, app.id, { text: `hi [Bob](@u${bob.id}) <i>` });
    await settledLog(server);
    const [listed] = await notificationsOf(server, bob.token);
    const answer = await bob.call('GET', `/api/notifications/${listed?.id}`);
    notification = answer.body;
    assert.deepEqual(notification.link, { id: comment.id, type: 'comment' });
  });

  test('has its sentence, its parts and its users', () => {
    const { template, args, text, html, plain, action, is_unread } = notification;
    const sentence = 'Ada <b> mentioned you in R&D {1}: hi Bob <i>';
    assert.deepEqual(
      { template, args, text, html, plain, action, is_unread },
      {
        template: '{0} mentioned you in {1}: {2}',
        args: ['Ada <b>', 'R&D {1}', 'hi Bob <i>'],
        text: sentence,
        html: 'Ada &lt;b&gt; mentioned you in R&amp;D {1}: hi Bob &lt;i&gt;',
        plain: sentence,
        action: 'comment_created',
        is_unread: true,
      },
    );
    assert.deepEqual([notification.actor_id, notification.actor?.uid], [ada.id, ada.uid]);
    assert.deepEqual([notification.user_id, notification.user.uid], [bob.id, bob.uid]);
  });

  test('is flat in a list unless requested otherwise', async () => {
    const list = async (query: string) => (await bob.read(`/api/notifications${query}`)).data[0];
    const { actor, user, ...flat } = notification;
    assert.deepEqual(await list(''), flat);
    assert.deepEqual(await list('?expand=actor,user'), notification);
  });

  test("of somebody else's is not there; an API key gets everybody's", async () => {
    const path = `/api/notifications/${notification.id}`;
    for (const [method, at] of [
      ['GET', path],
      ['PUT', `${path}/mark`],
      ['DELETE', `${path}/mark`],
      ['DELETE', path],
      ['PUT', `/api/notifications/mark?id=${notification.id}`],
    ] as const) {
      assert.equal((await ada.call(method, at)).status, 404, `${method} ${at}`);
      assert.equal((await server.as(null).call(method, at)).status, 401);
    }
    for (const id of ['abc', '0', '-1', '987654321', ''])
      assert.equal((await ada.call('PUT', `/api/notifications/mark?id=${id}`)).status, id === '' ? 200 : 404);
    assert.equal((await server.read(path)).id, notification.id);
    assert.equal((await server.call('GET', '/api/notifications')).status, 401);
    assert.equal((await server.call('PUT', '/api/notifications/mark')).status, 401);
  });
});

// Content that a user has lost access to or that is in the trash is neither shown nor searchable, and the counts equal the rows.
describe('a notification about hidden content', () => {
  test('keeps its place without access, is in no list while the content is in the trash, and comes back', async () => {
    const [ada, bob] = (await people('Ada', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    const comment = await makeComment(ada, app.id, { text: `secret [B](@u${bob.id})` });
    await settledLog(server);
    const first = await bob.call('GET', '/api/notifications');
    const path = `/api/notifications/${first.body.data[0].id}`;
    const sees = async () => {
      const list = await bob.call('GET', '/api/notifications?expand=actor');
      const found = await bob.call('GET', '/api/notifications?q=secret');
      const one = await bob.call('GET', path);
      const leaks = /secret|Ada|Plans/.test(list.text + found.text + one.text);
      assert.equal(one.status, list.body.count === 0 ? 404 : 200);
      assert.equal('link' in one.body || 'actor' in one.body || 'actor_id' in one.body, leaks);
      return [leaks, found.body.count, list.body.count];
    };
    assert.deepEqual(await sees(), [true, 1, 1]);
    const ofApp = `/api/apps/${app.id}`;
    for (const [hide, show, count] of [
      [
        () => server.call('PUT', `${ofApp}/members/${bob.uid}`, { access: 'none' }),
        () => server.call('DELETE', `${ofApp}/members/${bob.uid}`),
        1,
      ],
      [
        () => server.call('POST', `/api/comments/${comment.id}/trash`),
        () => server.call('POST', `/api/comments/${comment.id}/restore`),
        0,
      ],
      [() => server.call('POST', `${ofApp}/trash`), () => server.call('POST', `${ofApp}/restore`), 0],
    ] as const) {
      await hide();
      assert.deepEqual(await sees(), [false, 0, count]);
      await show();
      assert.deepEqual(await sees(), [true, 1, 1]);
    }
  });

  test('can be about a file in the trash', async () => {
    const [ada, bob] = (await people('Ada', 'Bob')) as [Person, Person];
    const app = await makeApp(server, { type: 'files', access: 'write' });
    await post(`/api/apps/${app.id}/subscribe`, undefined, bob);
    const file = await makeFile(ada, app.id);
    assert.match((await toldTo(bob)).join(), /added a file/);
    await post(`/api/files/${file}/trash`, undefined, ada);
    assert.deepEqual(await toldTo(bob), []);
  });
});

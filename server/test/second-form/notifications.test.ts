import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { makeApp, makeDirectory, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';
import { readStore } from 'confab-testing/stores/store-watch.ts';
import { factsOfNotifications } from '../../src/features/notifications/notification-facts.ts';
import { notificationInSecondForm } from '../../src/second-form/shapes/notification.ts';

const server = useServer();

/** The sentences that version 32 translates, as they are in its code. */
function knownTemplates(): Set<string> {
  const source = readFileSync(
    new URL('../../../node_modules/weavy-uikit-web-32/dist/build/weavy.esm.js', import.meta.url),
    'utf8',
  );
  return new Set(
    [...source.matchAll(/case ("[^"]*\{0\}[^"]*"|'[^']*\{0\}[^']*')/g)].map(
      ([, text]) => text?.slice(1, -1) ?? '',
    ),
  );
}

type App = { readonly id: number; readonly uid: string };

/** Ada does to Bob whatever notifies him. */
describe('notifications in the second form', () => {
  let ada: Person;
  let bob: Person;
  let news: App;
  let files: App;
  let room: App;
  let directory: { readonly id: number; readonly name: string };

  before(async () => {
    directory = { id: await makeDirectory(server, 'acme'), name: 'acme' };
    [ada, bob] = [
      await makeUser(server, { name: 'Ada', directory: directory.name }),
      await makeUser(server, { name: 'Bob', directory: directory.name }),
    ];
    news = await makeApp(server, { type: 'posts', access: 'write', name: 'News', directory: directory.name });
    files = await makeApp(server, { type: 'files', access: 'write', name: 'Files' });
    room = await ada.create('/api/conversations', { type: 'chat_room', name: 'Room', members: [bob.id] });
    for (const { id } of [news, files]) await bob.call('POST', `/api/apps/${id}/subscribe`);
    const own = await bob.create(`/api/apps/${news.id}/posts`, {
      text: 'What **for** lunch?',
      options: [{ text: 'Soup' }],
    });
    await ada.call('POST', `/api/posts/${own.id}/reactions`, { content: '👍' });
    await ada.call('POST', `/api/options/${own.options[0].id}/vote`);
    await ada.create(`/api/posts/${own.id}/comments`, { text: 'Soup "again"' });
    await ada.create(`/api/apps/${news.id}/posts`, { text: `[Bob](@u${bob.id}) look` });
    await ada.create(`/api/apps/${news.id}/posts`, { text: 'something new' });
    await ada.create(`/api/apps/${room.id}/messages`, { text: 'hello' });
    await settledLog(server);
  });

  async function list(query: object = {}, path = '/api/notifications') {
    const pairs = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((each) => [name, String(each)]),
    );
    return await inSecondForm(bob).read(`${path}?${new URLSearchParams(pairs)}`);
  }
  const plain = async (query?: object, path?: string) =>
    ((await list(query, path)).data as { plain: string }[]).map((one) => one.plain).toReversed();

  test('say it in the sentences that the client translates', async () => {
    const { data } = await list();
    const known = knownTemplates();
    assert.ok(known.size >= 25, String(known.size));
    for (const { template } of data) assert.ok(known.has(template), template);
    assert.deepEqual(data.map(({ args }: { args: string[] }) => args).toReversed(), [
      ['Ada', '👍', 'What for lunch?'],
      ['Ada'],
      ['Ada', 'Soup "again"'],
      ['Ada', 'Bob look'],
      ['Ada', 'News', 'something new'],
      ['Ada', 'Room', 'hello'],
    ]);
    assert.deepEqual(await plain(), [
      'Ada reacted 👍 to your post: "What for lunch?"',
      'Ada voted on your poll',
      'Ada replied to your post: "Soup "again""',
      'Ada mentioned you in a post: "Bob look"',
      'Ada posted in News: "something new"',
      'Ada sent a message in Room: "hello"',
    ]);
    assert.equal(data[0].html, '<strong>Ada</strong> sent a message in <strong>Room</strong>: "hello"');
  });

  test('have who did it, and where', async () => {
    const { data } = await list();
    const [message, , , comment] = data;
    assert.deepEqual([comment.actor.id, comment.actor.name, comment.actor.is_agent], [ada.id, 'Ada', false]);
    assert.equal(comment.user.name, 'Bob');
    assert.deepEqual(
      [comment.link.type, comment.link.app, comment.link.parent.type],
      ['comment', { id: news.id, uid: news.uid, type: '5ebfa152-de85-48da-82dd-30a1b560c313' }, 'post'],
    );
    // A conversation has no uid for the client.
    assert.deepEqual(message.link.app, { id: room.id, type: 'edb400ac-839b-45a7-b2a8-6a01820d1c44' });
    assert.equal(message.link.parent, undefined);
    const [first] = await notificationsOf(server, bob.token);
    assert.deepEqual(Object.keys(first?.link ?? {}), ['id', 'type']);
    assert.equal(first?.template, '{0} wrote in {1}: {2}');
  });

  test('are listed and counted by type, app and directory', async () => {
    const count = async (query: object, path?: string) =>
      (await list({ ...query, count_only: true, unread: true }, path)).count;
    const types = { '': 6, activity: 4, mention: 1, reaction: 1 };
    for (const [type, expected] of Object.entries(types)) {
      const { data, count: all } = await list({ type });
      assert.deepEqual([data.length, all, await count({ type })], [expected, expected, expected], type);
      if (type !== '') assert.deepEqual(new Set(data.map((one: any) => one.type)), new Set([type]));
    }
    const ofNews = `/api/apps/${news.uid}/notifications`;
    assert.deepEqual(await plain({ type: 'mention' }, ofNews), ['Ada mentioned you in a post: "Bob look"']);
    assert.deepEqual(
      [await count({}, ofNews), await count({}, `/api/apps/${files.id}/notifications`)],
      [5, 0],
    );
    for (const name of [directory.name, directory.id]) assert.equal(await count({ directory: name }), 5);
    assert.equal(await count({ directory: 'none' }), 0);
    assert.equal((await list({ directory: directory.name, q: 'lunch' })).count, 0);
    assert.equal((await list({ directory: directory.name, q: 'something' })).count, 1);
    const other = await makeApp(server);
    assert.equal((await bob.call('GET', `/api/apps/${other.id}/notifications`)).status, 404);
  });

  test('are marked up to one of them, in the app or directory alone', async () => {
    const unread = async () => (await list({ unread: true, count_only: true })).count;
    const { data } = await list();
    const ids: number[] = data.map(({ id }: { id: number }) => id).toReversed();
    const mark = async (path: string) => (await inSecondForm(bob).call('PUT', path)).status;
    assert.equal(await mark(`/api/apps/${files.id}/notifications/mark`), 200);
    assert.equal(await unread(), 6);
    assert.equal(await mark(`/api/apps/${news.uid}/notifications/mark?id=${ids[1]}`), 200);
    assert.equal(await unread(), 4);
    assert.equal(await mark(`/api/directories/${directory.name}/notifications/mark?id=${ids.at(-1)}`), 200);
    assert.deepEqual(await plain({ unread: true }), ['Ada sent a message in Room: "hello"']);
    assert.equal(await unread(), 1);
    assert.equal(await mark(`/api/apps/${news.id}/notifications/mark?id=99999999`), 404);
    const one = `/api/notifications/${ids[0]}/mark`;
    const back = await inSecondForm(bob).call('DELETE', one);
    assert.deepEqual([back.body.is_unread, back.body.type], [true, 'reaction']);
    assert.equal((await inSecondForm(bob).call('PUT', one)).body.is_unread, false);
    const log = readStore(
      server.folder,
      `select action, app_id, payload from events where actor_id = ${bob.id} and user_id = ${bob.id} order by id`,
    );
    assert.deepEqual(
      log.map(({ action, app_id: appId }) => [action, appId]),
      [
        ['notifications_marked', news.id],
        ['notifications_marked', null],
        ['notification_updated', news.id],
        ['notification_updated', news.id],
      ],
    );
    // The log is in the first form, whoever asked.
    assert.match(String(log.at(-1)?.payload), /"template":"\{0\} reacted to your post in \{1\}: \{2\}"/);
  });

  test('are the same in the events of a live connection', async () => {
    const { data } = await list({ top: 3 });
    const facts = await factsOfNotifications(
      server.running.db.read,
      data.map(({ id }: { id: number }) => id),
    );
    for (const shown of data) {
      const [row] = readStore(
        server.folder,
        `select payload from events where action = 'notification_created' and entity_id = ${shown.id}`,
      );
      const logged = JSON.parse(`{${row?.['payload']}}`).notification;
      const own = facts.get(shown.id);
      assert.ok(own !== undefined);
      const sent = notificationInSecondForm(
        {
          ...{ id: logged.id, action: logged.action, item: logged.link },
          sentence: { template: logged.template, args: logged.args },
          actor: { id: shown.actor.id, json: JSON.stringify(shown.actor) },
          user: { id: logged.user_id, json: JSON.stringify(shown.user) },
          createdAt: logged.created_at,
          isUnread: logged.is_unread,
        },
        own,
      );
      assert.deepEqual(JSON.parse(sent), { ...shown, is_unread: true });
    }
  });

  test('reveal nothing of what their user may not see, and have an actor all the same', async () => {
    const closed = await makeApp(server, { type: 'posts', members: { write: [ada, bob] } });
    await ada.create(`/api/apps/${closed.id}/posts`, { text: `[Bob](@u${bob.id}) secret` });
    await settledLog(server);
    await server.call('DELETE', `/api/apps/${closed.id}/members/${bob.id}`);
    const [hidden] = (await list({ type: 'mention' })).data;
    assert.deepEqual(
      [hidden.plain, hidden.link, hidden.actor.id === ada.id, typeof hidden.actor.name],
      ['This is not available.', undefined, false, 'string'],
    );
  });
});

describe('notifications of the host product', () => {
  let eve: Person;
  const stock = {
    template: '**{0}** is <out> of stock',
    args: ['The *blue* chair'],
    tags: ['stock', ' a,b '],
  };

  before(async () => {
    eve = await makeUser(server, { name: 'Eve' });
  });

  const asHost = () => inSecondForm(server);
  const tagged = async (...tags: string[]) => {
    const { data, count } = await inSecondForm(eve).read(
      `/api/notifications?${new URLSearchParams(tags.map((tag) => ['tag', tag]))}`,
    );
    assert.equal(data.length, count);
    return count;
  };

  test('are in the list and the counts of their user, with their tags and metadata', async () => {
    const made = await asHost().create('/api/notifications', {
      user: eve.uid,
      ...stock,
      metadata: { sku: 7 },
    });
    assert.deepEqual(
      [made.type, made.action, made.metadata, made.tags, made.link, made.user.id],
      ['activity', 'notification_created', { sku: 7 }, ['stock', 'a,b'], undefined, eve.id],
    );
    assert.deepEqual(
      [made.plain, made.html],
      ['The *blue* chair is <out> of stock', '<strong>The *blue* chair</strong> is &lt;out&gt; of stock'],
    );
    await asHost().create('/api/notifications', { user: eve.id, template: 'Hello', tags: ['greeting'] });
    const [first, second] = await notificationsOf(server, eve.token, 'unread=true');
    assert.deepEqual([first?.plain, second?.plain], ['Hello', '**The *blue* chair** is <out> of stock']);
    assert.equal('link' in (first ?? {}), false);
    const counts = await eve.read('/api/notifications?count_only=true&unread=true');
    assert.equal(counts.count, 2);
    assert.deepEqual(
      [await tagged('stock'), await tagged('a,b'), await tagged('stock', 'greeting'), await tagged('sto')],
      [1, 1, 2, 0],
    );
    // A tag that is made of what stands between two tags matches neither.
    assert.deepEqual([await tagged(','), await tagged('","')], [0, 0]);
    const log = readStore(
      server.folder,
      `select event_id, events.id, payload from notifications join events on entity_id = notifications.id and events.action = 'notification_created' where notifications.user_id = ${eve.id}`,
    );
    assert.deepEqual(
      log.map((row) => row['event_id'] === row['id']),
      [true, true],
    );
  });

  test('link to an item, while the user may see it', async () => {
    const app = await makeApp(server, { type: 'posts', name: 'Shop', members: { write: [eve] } });
    const post = await eve.create(`/api/apps/${app.id}/posts`, { text: 'chairs' });
    const made = await asHost().create('/api/notifications', {
      user: eve.id,
      ...stock,
      link: { type: 'post', id: post.id },
    });
    assert.deepEqual([made.link.id, made.link.app.id], [post.id, app.id]);
    const shown = async () => (await inSecondForm(eve).read(`/api/apps/${app.id}/notifications`)).count;
    assert.equal(await shown(), 1);
    await eve.call('POST', `/api/posts/${post.id}/trash`);
    assert.equal(await shown(), 0);
    await eve.call('POST', `/api/posts/${post.id}/restore`);
    const [back] = (await inSecondForm(eve).read(`/api/apps/${app.id}/notifications?tag=stock`)).data;
    assert.deepEqual([back.id, back.tags], [made.id, ['stock', 'a,b']]);
  });

  test('say nothing of an item, nor what the host product knows of it, to who may no longer see it', async () => {
    const app = await makeApp(server, { type: 'posts', members: { write: [eve] } });
    const post = await eve.create(`/api/apps/${app.id}/posts`, { text: 'chairs' });
    const link = { type: 'post', id: post.id };
    const fields = { ...stock, metadata: { price: 'secret' }, tags: ['secret'], link };
    const made = await asHost().create('/api/notifications', { user: eve.id, ...fields });
    await server.call('DELETE', `/api/apps/${app.id}/members/${eve.id}`);
    const shown = await inSecondForm(eve).read(`/api/notifications/${made.id}`);
    assert.deepEqual([shown.id, shown.link, shown.metadata, shown.tags], [made.id, undefined, {}, []]);
    assert.equal(JSON.stringify(shown).includes('secret'), false);
  });

  const wrong: [string, object][] = [
    ['user', { user: 'nobody' }],
    ['user', { user: 'system' }],
    ['template', { template: '{1} and {0}', args: ['one'] }],
    ['template', { template: '' }],
    ['template', { template: 'x'.repeat(501) }],
    ['args', { args: Array(11).fill('x') }],
    ['args', { args: ['x'.repeat(201)] }],
    ['link', { link: { type: 'app', id: 1 } }],
    ['link', { link: { type: 'post', id: 999_999 } }],
    ['tags', { tags: [' '] }],
  ];
  for (const [field, change] of wrong)
    test(`are refused by the field with ${JSON.stringify(change).slice(0, 60)}`, async () => {
      const { status, body } = await asHost().call('POST', '/api/notifications', {
        ...{ user: eve.id, template: 'Hello' },
        ...change,
      });
      assert.equal(status, 422);
      assert.match(body.errors[0].pointer, new RegExp(`^/${field}`));
    });

  test('are for API keys, and of at most 20 tags at once', async () => {
    const refused = await inSecondForm(eve).call('POST', '/api/notifications', {
      user: eve.id,
      template: 'Hi',
    });
    assert.equal(refused.status, 403);
    const tags = new URLSearchParams(Array.from({ length: 21 }, (_, index) => ['tag', `t${index}`]));
    assert.equal((await inSecondForm(eve).call('GET', `/api/notifications?${tags}`)).status, 400);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeApp, makeFile, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { connectLive, type Live } from 'confab-testing/network/live.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { inSecondForm } from 'confab-testing/second-form.ts';
import { useServer } from 'confab-testing/server.ts';

import { json } from '../../src/kernel/json.ts';
import { createConnections } from '../../src/realtime/connection.ts';
import { createHubAddressing } from '../../src/realtime/hub-addressing.ts';
import { eventInSecondForm } from '../../src/second-form/live/event.ts';

const server = useServer();
const source = { 'x-weavy-source': '@weavy/uikit-web@32.2.0' };
const empty = { count: 0, data: [] };

/** Ada changes things, and Bob listens to them in the second form. */
describe('events in the second form', () => {
  let ada: Person;
  let bob: Person;
  let live: Live;

  before(async () => {
    [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server, { name: 'Bob' })];
    live = await connectLive(server, bob.token, { headers: source });
  });
  after(() => live.stop());

  const heard = async (name: string, fits?: (event: any) => boolean) => await live.waitFor(name, fits);

  test('have a post, its comments, options and reactions as lists have them', async () => {
    const app = await makeApp(server, { type: 'posts', access: 'write' });
    const names = ['post_created', 'comment_created', 'option_voted', 'reaction_added', 'reaction_removed'];
    await live.subscribe(...names.map((name) => `a${app.id}:${name}`));
    const made = await ada.create(`/api/apps/${app.id}/posts`, { text: 'x', options: [{ text: 'Yes' }] });
    const { post } = await heard(`a${app.id}:post_created`);
    assert.deepEqual(
      [post.id, post.app, post.created_by.name, post.comments, post.attachments, post.reactions],
      [made.id, { id: app.id }, 'Ada', empty, empty, empty],
    );
    assert.deepEqual([post.options.count, post.options.data[0].votes], [1, empty]);
    await ada.create(`/api/posts/${made.id}/comments`, { text: 'y' });
    const { comment } = await heard(`a${app.id}:comment_created`);
    assert.deepEqual(
      [comment.app, comment.parent, comment.created_by.name, comment.reactions, comment.is_starred],
      [{ id: app.id }, { id: made.id, type: 'post' }, 'Ada', empty, false],
    );
    await ada.call('POST', `/api/options/${made.options[0].id}/vote`);
    const { option, entity } = await heard(`a${app.id}:option_voted`);
    assert.deepEqual(
      [option.text, option.votes, entity],
      ['Yes', { count: 1, data: [] }, { id: made.id, type: 'post' }],
    );
    await ada.call('POST', `/api/posts/${made.id}/reactions`, { content: '👍' });
    const added = await heard(`a${app.id}:reaction_added`);
    assert.deepEqual(
      [added.reaction, added.entity, added.actor.name],
      ['👍', { id: made.id, type: 'post' }, 'Ada'],
    );
  });

  test('have a file with its app, its revision and the number of its comments', async () => {
    const app = await makeApp(server, { type: 'files', access: 'write' });
    await live.subscribe(`a${app.id}:file_created`);
    const id = await makeFile(ada, app.id);
    const { file } = await heard(`a${app.id}:file_created`);
    assert.deepEqual(
      [file.id, file.app, file.rev, file.comments, file.is_starred, file.created_by.name],
      [id, { id: app.id }, 1, empty, false, 'Ada'],
    );
  });

  test('have an app as a list has it, and a member with the access of managers', async () => {
    const named = await makeApp(server, { type: 'comments', access: 'write', name: 'One' });
    const names = ['app_updated', 'member_added', 'member_updated'];
    await live.subscribe(...names.map((name) => `a${named.id}:${name}`));
    await server.call('PATCH', `/api/apps/${named.id}`, { name: 'Two' });
    const { app } = await heard(`a${named.id}:app_updated`);
    const shown = await inSecondForm(bob).read(`/api/apps/${named.id}`);
    for (const field of ['id', 'type', 'uid', 'name', 'rev', 'updated_at'])
      assert.deepEqual(app[field], shown[field], field);
    await server.call('PUT', `/api/apps/${named.id}/members/${ada.id}`, { access: 'write', role: 'manager' });
    const event = await heard(`a${named.id}:member_added`);
    assert.deepEqual(
      [event.member.name, event.member.is_agent, event.member.access, event.app],
      ['Ada', false, 'admin', { id: named.id, uid: app.uid, type: app.type }],
    );
  });

  test('have no uid that the server made up, and the app that was marked', async () => {
    await live.subscribe('member_added', 'app_marked');
    const room = await ada.create('/api/conversations', {
      type: 'chat_room',
      name: 'Room',
      members: [bob.id],
    });
    const { app } = await heard('member_added', (event) => event.app.id === room.id);
    assert.deepEqual(app, { id: room.id, type: 'edb400ac-839b-45a7-b2a8-6a01820d1c44' });
    const { id } = await ada.create(`/api/apps/${room.id}/messages`, { text: 'x' });
    await ada.call('PUT', `/api/conversations/${room.id}/mark?message_id=${id}`);
    const marked = await heard('app_marked');
    assert.deepEqual(
      [marked.app.id, marked.app.name, 'uid' in marked.app, marked.marked_id],
      [room.id, 'Room', false, id],
    );
  });

  test('have a notification as the list has it', async () => {
    const app = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
    await live.subscribe('notification_created', 'notifications_marked');
    await ada.create(`/api/apps/${app.id}/posts`, { text: `[Bob](@u${bob.id}) look` });
    await settledLog(server);
    const { data } = await inSecondForm(bob).read('/api/notifications?type=mention');
    const { notification } = await heard(
      'notification_created',
      (event) => event.notification.id === data[0].id,
    );
    const { actor, user, ...others } = notification;
    const { actor: shownActor, user: shownUser, ...shown } = data[0];
    assert.deepEqual(others, shown);
    assert.deepEqual([actor.name, user.name], [shownActor.name, shownUser.name]);
    assert.deepEqual(notification.link.app.id, app.id);
  });
});

test('an event is made once in each form, for a thousand connections', async () => {
  const index = createConnections();
  const visibility = { maySee: true, maySeeContent: true, isMember: true, isModerator: false };
  for (let id = 1; id <= 1000; id += 1) {
    const connection: any = {
      principal: { user: { id } },
      form: id % 2 === 0 ? 32 : undefined,
      channels: new Set(),
    };
    index.add(connection);
    index.listen(connection, 'a7:message_created');
  }
  const parts: any = {
    connections: { index },
    visibilities: {
      of: async (_read: unknown, _app: number, ids: number[]) => new Map(ids.map((id) => [id, visibility])),
    },
  };
  const event: any = {
    id: 1,
    action: 'message_created',
    appId: 7,
    userId: null,
    entityType: 'message',
    entityId: 5,
    isSilent: 0,
  };
  const payload =
    '"action":"message_created","actor":{"id":1,"display_name":"Ada"},"message":{"id":5,"text":"x"}';
  const none: any = { all: () => assert.fail('no statement is needed') };
  const { frames, to } = await createHubAddressing(parts).address(none, [{ ...event, payload }], new Map());
  assert.deepEqual([frames.length, to.size], [2, 1000]);
  assert.deepEqual(
    frames.map((frame) => frame.includes('"reactions":{"count":0')),
    [false, true],
  );
});

test('an event has the embed and the meeting of its item as lists have them', () => {
  const embed = {
    id: 3,
    original_url: 'https://a.example/x',
    type: 'link',
    thumbnail_url: 'https://a.example/p',
  };
  const meeting = { id: 4, provider: 'jitsi', join_url: 'https://meet.example/abc' };
  const event: any = { action: 'message_created', actor: { id: 1 }, message: { id: 5, embed, meeting } };
  const { message } = JSON.parse(eventInSecondForm(json(JSON.stringify(event)), { appId: 7 }));
  assert.deepEqual(
    [message.embed.url, message.embed.image.url, message.embed.actions],
    ['https://a.example/x', 'https://a.example/p', []],
  );
  assert.deepEqual([message.meeting.provider, message.meeting.code], ['google', 'meet.example/abc']);
});

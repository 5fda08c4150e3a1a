import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeFile, makePost, makeUser } from 'confab-testing/fixtures.ts';
import { assertNothingUntil, connectLive, type Live } from 'confab-testing/network/live.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';

const server = useServer();

type Person = Awaited<ReturnType<typeof makeUser>>;

async function withLive(person: Person, work: (live: Live) => Promise<void>): Promise<void> {
  const live = await connectLive(server, person.token);
  try {
    await work(live);
  } finally {
    await live.stop();
  }
}

async function send(person: Person, method: string, path: string, body?: unknown) {
  const answer = await server.call(method, path, body, { as: person.token });
  assert.ok(answer.status < 300, answer.text);
  return answer.body;
}

// Each kind of event arrives on the channel of its app, with its actor and its object.
describe('the channels of an app', () => {
  test('carry comments, posts, files and messages', async () => {
    const [ada, bob] = [await makeUser(server, { name: 'Ada' }), await makeUser(server)];
    const [comments, posts, files, chat] = await Promise.all(
      ['comments', 'posts', 'files', 'chat'].map((type) => makeApp(server, { type, access: 'write' })),
    );
    await withLive(bob, async (live) => {
      const names = ['created', 'updated', 'trashed', 'restored', 'deleted'];
      await live.subscribe(
        ...names.flatMap((name) => [
          `a${comments?.id}:comment_${name}`,
          `a${posts?.id}:post_${name}`,
          `a${files?.id}:file_${name}`,
          `a${chat?.id}:message_${name}`,
        ]),
        `a${posts?.id}:comment_created`,
      );
      const made = {
        comment: (await send(ada, 'POST', `/api/apps/${comments?.id}/comments`, { text: 'x' })).id,
        post: (await send(ada, 'POST', `/api/apps/${posts?.id}/posts`, { text: 'x' })).id,
        file: await makeFile(server, files?.id ?? 0, { as: ada.token }),
        message: (
          await send(ada, 'POST', `/api/apps/${chat?.id}/messages`, { text: 'x', metadata: { temp_id: 't' } })
        ).id,
      };
      await send(ada, 'POST', `/api/posts/${made.post}/comments`, { text: 'x' });
      for (const [kind, id] of Object.entries(made)) {
        const change = kind === 'file' ? { name: 'other.txt' } : { text: 'y' };
        await send(ada, 'PATCH', `/api/${kind}s/${id}`, change);
        await send(ada, 'POST', `/api/${kind}s/${id}/trash`);
        await send(ada, 'POST', `/api/${kind}s/${id}/restore`);
      }
      for (const [kind, id] of Object.entries(made)) {
        const app = { comment: comments, post: posts, file: files, message: chat }[kind];
        for (const name of ['created', 'updated', 'trashed', 'restored']) {
          const event = await live.waitFor(`a${app?.id}:${kind}_${name}`);
          assert.deepEqual(
            [event.action, event.actor.id, event.actor.display_name, event[kind].id, event[kind].is_trashed],
            [`${kind}_${name}`, ada.id, 'Ada', id, name === 'trashed'],
          );
        }
      }
      const reply = await live.waitFor(`a${posts?.id}:comment_created`);
      assert.deepEqual(reply.comment.parent, { id: made.post, type: 'post' });
      const message = await live.waitFor(`a${chat?.id}:message_created`);
      assert.equal(message.message.metadata.temp_id, 't');
    });
  });

  test('carry reactions, votes, changes of the app and of its members', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    const options = [{ text: 'yes' }];
    const comment = await makeComment(server, app.id, { text: 'x', options });
    await withLive(bob, async (live) => {
      const channel = (action: string) => `a${app.id}:${action}`;
      const actions = ['reaction_added', 'reaction_removed', 'option_voted', 'app_updated', 'member_added'];
      await live.subscribe(...actions.map(channel));
      await send(ada, 'POST', `/api/comments/${comment.id}/reactions`, { content: '👍' });
      // Sent before it is withdrawn: afterwards it is blank.
      await live.waitFor(channel('reaction_added'));
      await send(ada, 'DELETE', `/api/comments/${comment.id}/reactions`, {});
      await send(ada, 'POST', `/api/options/${comment.options[0]?.id}/vote`);
      await server.call('PATCH', `/api/apps/${app.id}`, { name: 'Other' });
      await server.call('PUT', `/api/apps/${app.id}/members/${ada.uid}`);
      for (const [action, shown] of Object.entries({ reaction_added: '👍', reaction_removed: '' })) {
        const { actor, entity, reaction } = await live.waitFor(channel(action));
        assert.deepEqual([actor.id, entity, reaction], [ada.id, { id: comment.id, type: 'comment' }, shown]);
      }
      assert.equal((await live.waitFor(channel('option_voted'))).option.vote_count, 1);
      assert.equal((await live.waitFor(channel('app_updated'))).app.display_name, 'Other');
      const added = await live.waitFor(channel('member_added'));
      assert.deepEqual([added.member.id, added.app.id], [ada.id, app.id]);
    });
  });

  test('show the embed and the meeting of an entry as a reader of it sees them', async () => {
    const bob = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    const meeting = await server.call('POST', '/api/meetings', { provider: 'jitsi' }, { as: bob.token });
    assert.equal(meeting.status, 201, meeting.text);
    await withLive(bob, async (live) => {
      await live.subscribe(`a${app.id}:comment_created`);
      await send(bob, 'POST', `/api/apps/${app.id}/comments`, { meeting_id: meeting.body.id });
      const { comment } = await live.waitFor(`a${app.id}:comment_created`);
      const { body: detail } = await server.call('GET', `/api/comments/${comment.id}`);
      assert.deepEqual([comment.meeting, comment.meeting_id], [detail.meeting, meeting.body.id]);
      assert.ok(comment.meeting.join_url.startsWith('https://'));
      assert.equal(Object.hasOwn(comment, 'embed'), false);
    });
  });
});

// A channel without an app carries events for one user only: their conversations, memberships and notifications.
describe('the channels of a user', () => {
  test('carry messages and marks only of the user’s conversations', async () => {
    const [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const open = await makeApp(server, { type: 'chat', access: 'write' });
    await withLive(bob, (live) =>
      withLive(eve, async (outsider) => {
        const names = ['message_created', 'conversation_marked', 'conversation_delivered', 'member_added'];
        await live.subscribe(...names, 'app_created', 'typing');
        await outsider.subscribe(...names, 'app_created', `a${open.id}:message_created`);
        const { id } = await send(ada, 'POST', '/api/conversations', { members: [bob.id] });
        const app = await live.waitFor('member_added', (event) => event.member.id === bob.id);
        assert.equal(app.app.id, id);
        const message = await send(ada, 'POST', `/api/apps/${id}/messages`, { text: 'hello' });
        assert.equal((await live.waitFor('message_created')).message.id, message.id);
        await live.subscribe(`a${id}:conversation_marked`);
        await send(ada, 'PUT', `/api/conversations/${id}/delivered`);
        await send(ada, 'PUT', `/api/conversations/${id}/mark?messageId=${message.id}`);
        for (const channel of ['conversation_marked', `a${id}:conversation_marked`]) {
          const marked = await live.waitFor(channel);
          assert.deepEqual([marked.conversation.id, marked.actor.id], [id, ada.id]);
          assert.equal(marked.marked_id, message.id);
          assert.ok(marked.marked_at > '2026');
        }
        // An open chat is readable by all users and has no members, so its events come on its own channel only.
        await assertNothingUntil(
          outsider,
          async () => void (await send(ada, 'POST', `/api/apps/${open.id}/messages`, { text: 'x' })),
          `a${open.id}:message_created`,
        );
        assert.equal(outsider.received.length, 1);
      }),
    );
  });

  test('carry a notification only to its user', async () => {
    const [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const app = await makeApp(server, { access: 'write' });
    await withLive(bob, (live) =>
      withLive(eve, async (other) => {
        const channel = `a${app.id}:notification_created`;
        await live.subscribe('notification_created', channel);
        await other.subscribe('notification_created', channel, `a${app.id}:comment_created`);
        await send(ada, 'POST', `/api/apps/${app.id}/comments`, { text: `[Bob](@u${bob.id}) look` });
        const { notification } = await live.waitFor('notification_created');
        assert.equal(notification.user.id, bob.id);
        await send(ada, 'POST', `/api/apps/${app.id}/comments`, { text: 'the mark' });
        await other.waitFor(`a${app.id}:comment_created`, ({ comment }) => comment.text === 'the mark');
        assert.deepEqual(
          other.received.map(([name]) => name),
          [`a${app.id}:comment_created`, `a${app.id}:comment_created`],
        );
      }),
    );
  });
});

// Presence events carry the whole list of active users of a directory, and every response shows presence.
describe('presence', () => {
  const presenceOf = async (person: Person) =>
    (await server.call('GET', `/api/users/${person.uid}`)).body.presence;

  test('follows the connections of a user', async () => {
    const [ada, bob, eve] = [
      await makeUser(server),
      await makeUser(server),
      await makeUser(server, { directory: 'elsewhere' }),
    ];
    assert.equal(await presenceOf(ada), 'away');
    await withLive(bob, async (live) => {
      await live.subscribe('online');
      const stranger = await connectLive(server, eve.token);
      const [first, second] = [await connectLive(server, ada.token), await connectLive(server, ada.token)];
      const seen = await live.waitFor('online', (ids) => ids.includes(ada.id));
      assert.ok(seen.includes(bob.id) && !seen.includes(eve.id), String(seen));
      // Bob may be told before the batch that writes it to the store.
      await poll('that Ada is active', async () => (await presenceOf(ada)) === 'active' || undefined);
      await first.stop();
      await second.stop();
      await poll('that Ada is away', async () => (await presenceOf(ada)) === 'away' || undefined);
      const last = await poll('that Bob is told', () => {
        const ids = live.received.at(-1)?.[1];
        return ids.includes(ada.id) ? undefined : ids;
      });
      assert.ok(last.includes(bob.id), 'the list is whole');
      await stranger.stop();
    });
  });
});

// All other subscribers see who is typing, and nothing of it is stored.
describe('typing', () => {
  test('is sent to other users who may see the place, once a second', async () => {
    const [ada, bob, eve] = [await makeUser(server), await makeUser(server), await makeUser(server)];
    const chat = await makeApp(server, { type: 'chat' });
    for (const { uid } of [ada, bob]) await server.call('PUT', `/api/apps/${chat.id}/members/${uid}`);
    const channel = `a${chat.id}:typing`;
    await withLive(ada, (own) =>
      withLive(bob, (live) =>
        withLive(eve, async (outsider) => {
          for (const each of [own, live, outsider])
            await each.subscribe(channel, `a${chat.id}:message_created`);
          const path = `/api/apps/${chat.id}/messages/typing`;
          await send(ada, 'PUT', path);
          await send(ada, 'PUT', path);
          const { actor, entity, type } = await live.waitFor(channel);
          assert.deepEqual([actor.id, entity, type], [ada.id, { id: chat.id, type: 'app' }, 'message']);
          await send(ada, 'POST', `/api/apps/${chat.id}/messages`, { text: 'x' });
          for (const each of [own, live]) await each.waitFor(`a${chat.id}:message_created`);
          const typed = (each: Live) => each.received.filter(([name]) => name === channel).length;
          assert.deepEqual([own, live, outsider].map(typed), [0, 1, 0]);
          assert.deepEqual(outsider.received, []);
        }),
      ),
    );
  });

  test('names the place of a post, a comment on a file and a comment on a post', async () => {
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    const posts = await makeApp(server, { type: 'posts', access: 'write' });
    const files = await makeApp(server, { type: 'files', access: 'write' });
    const post = await makePost(server, posts.id);
    const file = await makeFile(server, files.id);
    const { id: conversation } = await send(ada, 'POST', '/api/conversations', { members: [bob.id] });
    await withLive(bob, async (live) => {
      await live.subscribe(`a${posts.id}:typing`, `a${files.id}:typing`, `a${conversation}:typing`);
      await send(ada, 'PUT', `/api/apps/${posts.id}/posts/typing`);
      await send(ada, 'PUT', `/api/posts/${post}/comments/typing`);
      await send(ada, 'PUT', `/api/files/${file}/comments/typing`);
      await send(ada, 'PUT', `/api/conversations/${conversation}/typing`);
      await live.waitFor(`a${conversation}:typing`);
      assert.deepEqual(
        live.received.map(([channel, { entity, type }]) => [channel, entity, type]),
        [
          [`a${posts.id}:typing`, { id: posts.id, type: 'app' }, 'post'],
          [`a${posts.id}:typing`, { id: post, type: 'post' }, 'comment'],
          [`a${files.id}:typing`, { id: file, type: 'file' }, 'comment'],
          [`a${conversation}:typing`, { id: conversation, type: 'app' }, 'message'],
        ],
      );
    });
  });

  test('needs the right kind of app, write access and a user', async () => {
    const ada = await makeUser(server);
    const [app, readOnly, hidden] = [
      await makeApp(server, { access: 'write' }),
      await makeApp(server, { type: 'chat', access: 'read' }),
      await makeApp(server, { type: 'chat' }),
    ];
    const statusOf = async (path: string, as = ada.token) =>
      (await server.call('PUT', path, undefined, { as })).status;
    assert.equal(await statusOf(`/api/apps/${app.id}/messages/typing`), 400);
    assert.equal(await statusOf(`/api/apps/${app.id}/posts/typing`), 400);
    assert.equal(await statusOf(`/api/apps/${readOnly.id}/messages/typing`), 403);
    assert.equal(await statusOf(`/api/apps/${hidden.id}/messages/typing`), 404);
    assert.equal(await statusOf(`/api/conversations/${app.id}/typing`), 404);
    assert.equal(await statusOf(`/api/apps/${hidden.id}/messages/typing`, server.key), 401);
  });
});

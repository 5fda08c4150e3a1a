import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { DoctorRun } from 'confab-contract/doctor.ts';
import { makeApp, makeBlob, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { startTestServer, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

const server = useServer();
const watch = useStoreWatch(server);
const receiver = useReceiver();
const author = use(() => makeUser(server));

async function act(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await server.call(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
}

async function countOf({ token }: Person, query = ''): Promise<number> {
  const path = `/api/notifications?count_only=true&${query}`;
  return (await server.as(token).read(path)).count;
}

/** The list, the number of all and the number of unread notifications of a user, which must agree. */
async function seen(reader: Person): Promise<number[]> {
  await settledLog(server);
  const notices = await notificationsOf(server, reader.token);
  const unread = await notificationsOf(server, reader.token, 'unread=true');
  assert.equal(await countOf(reader), notices.length);
  assert.equal(await countOf(reader, 'unread=true'), unread.length);
  return notices.map(({ id }) => id);
}

/** An app with 40 comments, of which a user is notified of 10 and has read 3. */
async function makeNotified() {
  const reader = await makeUser(server);
  const { id: app } = await makeApp(server, { access: 'write' });
  const comments: number[] = [];
  for (let index = 0; index < 40; index += 1) {
    const text = index < 10 ? `for [you](@u${reader.id})` : 'for nobody';
    comments.push((await makeComment(author, app, { text })).id);
  }
  const ids = await seen(reader);
  assert.equal(ids.length, 10);
  for (const id of ids.slice(0, 3)) await act('PUT', `/api/notifications/${id}/mark`);
  return { app, reader, comments, ids };
}

const unreadIds = async ({ token }: Person) =>
  (await notificationsOf(server, token, 'unread=true')).map(({ id }) => id);

// A notification is in the list and the counts of its user while what it is about is shown, and nowhere else.
describe('the notifications about an app', () => {
  test('are away while it is in the trash, and come back as they were', async () => {
    const { app, reader, ids } = await makeNotified();
    const unread = await unreadIds(reader);
    assert.equal(unread.length, 7);
    await act('POST', `/api/apps/${app}/trash`);
    assert.deepEqual(await seen(reader), []);
    const one = await reader.call('GET', `/api/notifications/${ids[0]}`);
    assert.equal(one.status, 404);
    await act('POST', `/api/apps/${app}/restore`);
    assert.deepEqual(await seen(reader), ids);
    assert.deepEqual(await unreadIds(reader), unread);
  });

  test('are gone with it, and its comments take theirs along', async () => {
    const { app, reader, comments, ids } = await makeNotified();
    await act('DELETE', `/api/comments/${comments[0]}`);
    assert.deepEqual(await seen(reader), ids.slice(0, 9));
    await act('POST', `/api/comments/${comments[1]}/trash`);
    assert.deepEqual(await seen(reader), ids.slice(0, 8));
    await act('POST', `/api/apps/${app}/trash`);
    await act('POST', `/api/apps/${app}/restore`);
    assert.deepEqual(await seen(reader), ids.slice(0, 8));
    await act('DELETE', `/api/apps/${app}`);
    assert.deepEqual(await seen(reader), []);
    const rows = `select id from hidden_notifications where user_id = ${reader.id}`;
    await poll('the hidden one to go', () => watch.rows(rows).length === 0 || undefined);
    assert.deepEqual(notificationFaults(server), []);
  });

  test('reach live clients and webhooks as one event for each user', async () => {
    const { app, reader, ids } = await makeNotified();
    const live = await connectLive(server, reader.token);
    await live.subscribe('notifications_removed', 'notifications_restored');
    const other = await connectLive(server, author.token);
    await other.subscribe('notifications_removed', 'notifications_restored');
    await register(server, { payload_url: `${receiver.url}/followed`, triggers: ['notifications'] });
    await act('POST', `/api/apps/${app}/trash`);
    await act('POST', `/api/apps/${app}/restore`);
    await act('DELETE', `/api/apps/${app}`);
    const removedTwice = () => (live.ids('notifications_removed').length === 2 ? true : undefined);
    await poll('the events', removedTwice);
    const channels = live.received.map(([channel, { notification_ids: told }]) => [channel, told.toSorted()]);
    const sorted = ids.toSorted();
    assert.deepEqual(channels, [
      ['notifications_removed', sorted],
      ['notifications_restored', sorted],
      ['notifications_removed', sorted],
    ]);
    assert.equal(live.received[0]?.[1].user.id, reader.id);
    assert.deepEqual(other.received, []);
    const bodies = await poll('the deliveries', () => {
      const all = receiver.ledger('/followed');
      return all.length >= 3 ? all.map(({ body }) => JSON.parse(body.toString())) : undefined;
    });
    assert.deepEqual(
      bodies.map(({ action, user }) => [action, user.uid]),
      ['removed', 'restored', 'removed'].map((what) => [`notifications_${what}`, reader.uid]),
    );
    await live.stop();
    await other.stop();
  });

  test('go in bounded steps where there are many', async () => {
    const { id: app } = await makeApp(server, { access: 'write' });
    const readers = [await makeUser(server), await makeUser(server)];
    for (const { token } of readers) await server.as(token).call('POST', `/api/apps/${app}/subscribe`);
    await Promise.all(Array.from({ length: 260 }, () => makeComment(author, app, { text: 'one of many' })));
    await settledLog(server);
    const isAllThere = async (count: number) => {
      const counts = await Promise.all(readers.map((reader) => countOf(reader)));
      return counts.every((each) => each === count) ? true : undefined;
    };
    assert.ok(await isAllThere(260));
    for (const [path, count] of [['trash', 0] as const, ['restore', 260] as const]) {
      await act('POST', `/api/apps/${app}/${path}`);
      await poll(`${count} notifications each`, () => isAllThere(count));
    }
    await act('DELETE', `/api/apps/${app}`);
    await poll('no notifications', () => isAllThere(0));
    const events = watch.rows(
      `select payload from events where action = 'notifications_removed' and user_id = ${readers[0]?.id}`,
    );
    for (const { payload } of events) {
      const { notification_ids: ids } = JSON.parse(`{${payload}}`) as { notification_ids: number[] };
      assert.ok(ids.length <= 200, `${ids.length} in one event`);
    }
    assert.deepEqual(notificationFaults(server), []);
  });
});

describe('the notifications about what is below something', () => {
  test('follow the post, the comment and its attachment', async () => {
    const reader = await makeUser(server);
    const { id: app } = await makeApp(server, { type: 'posts', access: 'write' });
    const { id: post } = await reader.create(`/api/apps/${app}/posts`, { text: 'a post' });
    const blobs = [await makeBlob(author)];
    const comment = await author.create(`/api/posts/${post}/comments`, { text: 'with a file', blobs });
    const file = comment.attachments[0]?.id;
    const text = `for [you](@u${reader.id})`;
    await author.create(`/api/files/${file}/comments`, { text });
    const ids = await seen(reader);
    assert.equal(ids.length, 2);
    for (const [hide, show] of [['hold', 'approve'] as const, ['trash', 'restore'] as const])
      for (const path of [`posts/${post}`, `comments/${comment.id}`]) {
        await act('POST', `/api/${path}/${hide}`);
        assert.deepEqual(await seen(reader), [], `${hide} of ${path}`);
        await act('POST', `/api/${path}/${show}`);
        assert.deepEqual(await seen(reader), ids, `${show} of ${path}`);
      }
    await act('DELETE', `/api/comments/${comment.id}`);
    await poll('the notifications to go', async () => (await countOf(reader)) === 0 || undefined);
    assert.deepEqual(await seen(reader), []);
    assert.deepEqual(notificationFaults(server), []);
  });
});

// A store of an earlier release has counts and notifications that nothing stands behind.
describe('the doctor of a store in which notifications were left', () => {
  const ended = async (): Promise<DoctorRun> =>
    await poll('the doctor', async () => {
      const body = await server.read('/api/doctor');
      return body.state === 'running' ? undefined : body;
    });
  const notify = (folder: string, userId: number, link: { appId: number; id: number }) =>
    writeStore(
      folder,
      `insert into notifications (event_id, user_id, reason, action, actor_id, app_id, link_type, link_id,
         template, args, words, created_at) values (-${link.id}, ${userId}, 'mention', 'comment_created', 1,
         ${link.appId}, 'comment', ${link.id}, '{0} wrote', '["somebody"]', ' somebody ', 1)`,
    );
  const checks = ({ findings }: DoctorRun) =>
    findings.map(({ check }) => check).filter((check) => check !== 'durability');

  test('finds them, and mends them when it is asked to', async () => {
    const reader = await makeUser(server);
    const { id: appId } = await makeApp(server);
    notify(server.folder, reader.id, { appId, id: 987_654 });
    const kept = await makeComment(server, appId);
    await act('POST', `/api/comments/${kept.id}/trash`);
    notify(server.folder, reader.id, { appId, id: kept.id });
    writeStore(
      server.folder,
      `insert into tallies (parent_type, parent_id, kind, app_id, live, trashed, is_hidden)
         values ('user', ${reader.id}, 'notification', 0, 11, 0, 0), ('post', 987654, 'comment', 0, 0, 0, 0)`,
    );
    await act('POST', '/api/doctor');
    assert.deepEqual(checks(await ended()).toSorted(), ['counts', 'leftovers', 'notifications']);
    await act('POST', '/api/doctor/fix');
    const { fixed, findings } = await ended();
    assert.deepEqual(checks({ findings } as DoctorRun), [], JSON.stringify(findings));
    assert.deepEqual(fixed.map(({ check }) => check).toSorted(), ['counts', 'leftovers', 'notifications']);
    assert.deepEqual(await seen(reader), []);
    await act('POST', `/api/comments/${kept.id}/restore`);
    assert.equal((await seen(reader)).length, 1);
  });

  test('has nothing left to do after an upgrade', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-notified-'));
    let own = await startTestServer({}, { folder });
    try {
      const reader = await makeUser(own);
      const { id: appId } = await makeApp(own);
      notify(folder, reader.id, { appId, id: 987_655 });
      // As the step of the schema notes it, before the server starts.
      await own.close();
      writeStore(
        folder,
        `insert into notification_refreshes (entity_type, entity_id) values ('notification', 0)`,
      );
      own = await startTestServer({}, { folder });
      const isGone = async () => (await notificationsOf(own, reader.token)).length === 0 || undefined;
      assert.ok(await poll('the notification to go', isGone));
    } finally {
      await own.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

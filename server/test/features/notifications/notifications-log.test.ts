import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runCommand, runDoctor, startServe } from 'confab-testing/command.ts';
import { addMembers, makeApp, makeComment, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { useFolders } from 'confab-testing/folders.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, startTestServer, useServer } from 'confab-testing/server.ts';
import { readStore, watchStore, writeStore } from 'confab-testing/stores/store-watch.ts';
import { completenessFaults, register } from 'confab-testing/webhooks.ts';
import { rootUrl } from 'confab-tools/places.ts';

const freshFolder = useFolders();

/** Writes subscribers of an app into the store of a stopped server, which saves a thousand requests. */
function seedSubscribers(folder: string, appId: number, count: number): void {
  writeStore(
    folder,
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})
     insert into users (uid, display_name, created_at) select 'seeded-' || n, 'Seeded ' || n, 1 from numbers;
     insert into subscriptions (user_id, entity_type, entity_id)
       select id, 'app', ${appId} from users where uid like 'seeded-%';`,
  );
}

/** How many users were notified of each event so far, in the order of the events. */
function toldCounts(folder: string): number[] {
  const watch = watchStore(folder);
  try {
    return watch
      .rows('select count(*) as n from notifications group by event_id order by event_id')
      .map(({ n }) => Number(n));
  } finally {
    watch.close();
  }
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

// Whenever and however the server ends, each event notifies exactly its recipients, once.
describe('notifications of the log', () => {
  test('are neither lost nor repeated after kills in the middle of a thousand subscribers', async () => {
    const folder = freshFolder();
    const first = await startTestServer({}, { folder });
    const app = await makeApp(first, { type: 'posts', access: 'write', name: 'News' });
    const { token } = await makeUser(first, { name: 'Ada' });
    await first.close();
    seedSubscribers(folder, app.id, 1000);
    const events = 2;
    let killedInTheMiddle = 0;
    for (let i = 0; i < events; i += 1) {
      const serve = await startServe(folder);
      const before = sum(toldCounts(folder));
      const answer = await fetch(`${serve.url}/api/apps/${app.id}/posts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ text: `post ${i}` }),
      });
      assert.equal(answer.status, 201);
      // The first one is killed at once, the next ones when some of their users have been notified.
      if (i > 0) await poll('somebody to be told', () => sum(toldCounts(folder)) > before || undefined);
      serve.child.kill('SIGKILL');
      await serve.ended;
      if (sum(toldCounts(folder)) < (i + 1) * 1000) killedInTheMiddle += 1;
      // The others wait ten seconds for a node that they do not hear of.
      writeStore(folder, 'update leases set until = 0');
    }
    assert.ok(killedInTheMiddle > 0);
    const last = await startTestServer({}, { folder });
    try {
      await settledLog(last);
      assert.deepEqual(
        toldCounts(folder),
        Array.from({ length: events }, () => 1000),
      );
      assert.deepEqual(notificationFaults(last), []);
    } finally {
      await last.close();
    }
  });

  test('continue after a restart where they stopped, without repetition', async () => {
    const folder = freshFolder();
    let server = await startTestServer({}, { folder });
    const ada = await makeUser(server, { name: 'Ada' });
    const bob = await makeUser(server, { name: 'Bob' });
    const app = await makeApp(server, { access: 'write' });
    await makeComment(ada, app.id, { text: 'before he subscribed' });
    for (let round = 0; round < 3; round += 1) {
      await server.close();
      server = await startTestServer({}, { folder });
      await server.as(bob.token).call('POST', `/api/apps/${app.id}/subscribe`);
      await makeComment(server.as(ada.token), app.id, { text: `round ${round}` });
    }
    await settledLog(server);
    const told = await notificationsOf(server, bob.token);
    assert.deepEqual(
      told.map(({ args }) => args[2]),
      ['round 2', 'round 1', 'round 0'],
    );
    assert.deepEqual(notificationFaults(server), []);
    await server.close();
  });

  test('leave out events from before notifications existed', async () => {
    const folder = freshFolder();
    const first = await startTestServer({}, { folder, isQuiet: true });
    const ada = await makeUser(first);
    const bob = await makeUser(first);
    const app = await makeApp(first, { access: 'write' });
    await makeComment(ada, app.id, { text: `old [B](@u${bob.id})` });
    await first.close();
    // As the migration leaves a store: the log counts as read.
    writeStore(
      folder,
      "update event_cursors set event_id = (select max(id) from events) where reader = 'notifier'",
    );
    const next = await startTestServer({}, { folder });
    await makeComment(next.as(ada.token), app.id, { text: `new [B](@u${bob.id})` });
    await settledLog(next);
    assert.deepEqual(
      (await notificationsOf(next, bob.token)).map(({ args }) => args[2]),
      ['new B'],
    );
    await next.close();
  });
});

// What a user may see is decided at the notification, not at the event.
describe('notifications of content that has changed since', () => {
  test('are not created for content that is deleted or in the trash, nor for users who have lost access', async () => {
    const folder = freshFolder();
    const first = await startTestServer({}, { folder, isQuiet: true });
    const ada = await makeUser(first, { name: 'Ada' });
    const bob = await makeUser(first, { name: 'Bob' });
    const app = await makeApp(first, { access: 'write' });
    const closed = await makeApp(first, { access: 'write' });
    const trashed = await makeApp(first, { access: 'write' });
    const deleted = await makeApp(first, { access: 'write' });
    const files = await makeApp(first, { type: 'files', access: 'write' });
    for (const { id } of [app, files]) await bob.call('POST', `/api/apps/${id}/subscribe`);
    const as = { as: ada.token };
    const mention = (id: number, text: string) =>
      makeComment(first, id, { text: `${text} [B](@u${bob.id})` }, as);
    const kept = await mention(app.id, 'kept');
    const [inTrash, gone] = [await mention(app.id, 'in the trash'), await mention(app.id, 'gone')];
    for (const { id } of [closed, trashed, deleted]) await mention(id, 'out of sight');
    const reacted = await makeComment(bob, app.id, { text: 'reacted' });
    await first.call('POST', `/api/comments/${reacted.id}/reactions`, { content: '👍' }, as);
    const file = await makeFile(first, files.id, as);
    await first.call('POST', `/api/comments/${inTrash.id}/trash`);
    await first.call('DELETE', `/api/comments/${gone.id}`);
    await first.call('DELETE', `/api/comments/${reacted.id}`);
    await first.call('DELETE', `/api/files/${file}`);
    await addMembers(first, closed.id, { none: [bob] });
    await first.call('POST', `/api/apps/${trashed.id}/trash`);
    await first.call('DELETE', `/api/apps/${deleted.id}`);
    await first.close();
    const next = await startTestServer({}, { folder });
    await settledLog(next);
    const told = await notificationsOf(next, bob.token);
    assert.deepEqual(
      told.map(({ link }) => link),
      [{ id: kept.id, type: 'comment' }],
    );
    assert.deepEqual(notificationFaults(next), []);
    await next.close();
  });
});

describe('other effects of notifications', () => {
  let statements: string[] = [];
  const server = useServer({}, { onStatement: (sql) => statements.push(sql) });
  const receiver = useReceiver();

  // A webhook receives each notification with its user, and marks.
  test('are delivered to webhooks with their user', async () => {
    const path = `/${freshUid('told')}`;
    await register(server, { payload_url: receiver.url + path, triggers: ['notifications'] });
    const ada = await makeUser(server, { name: 'Ada' });
    const bob = await makeUser(server, { name: 'Bob' });
    const app = await makeApp(server, { access: 'write', name: 'Plans' });
    await makeComment(ada, app.id, { text: `[B](@u${bob.id})` });
    const [created] = await receiver.received(path, 1);
    const body = JSON.parse(String(created?.body));
    assert.equal(created?.headers['x-weavy-trigger'], 'notifications');
    assert.deepEqual(
      [body.action, body.actor.uid, body.notification.user.uid, body.notification.plain],
      ['notification_created', ada.uid, bob.uid, 'Ada mentioned you in Plans: B'],
    );
    const { id } = body.notification;
    const as = { as: bob.token };
    await server.call('PUT', `/api/notifications/${id}/mark`, undefined, as);
    await server.call('DELETE', `/api/notifications/${id}/mark`, undefined, as);
    await server.call('PUT', '/api/notifications/mark', undefined, as);
    await server.call('DELETE', `/api/notifications/${id}`, undefined, as);
    const all = (await receiver.received(path, 5)).map((received) => JSON.parse(String(received.body)));
    const told = all.map(({ action, actor, notification }) => [action, actor.uid, notification?.is_unread]);
    assert.deepEqual(
      told.sort(([a], [b]) => String(a).localeCompare(String(b))),
      [
        ['notification_created', ada.uid, true],
        ['notification_deleted', bob.uid, false],
        ['notification_updated', bob.uid, false],
        ['notification_updated', bob.uid, true],
        ['notifications_marked', bob.uid, undefined],
      ],
    );
    assert.equal(all.find(({ action }) => action === 'notifications_marked')?.marked_id, id);
    assert.deepEqual(completenessFaults(server), []);
  });

  // The notifications of one event cost a fixed number of statements, for any number of users.
  test('of a thousand subscribers take a fixed number of statements for each batch', async () => {
    const path = `/${freshUid('burst')}`;
    const { id: webhookId } = await register(server, {
      payload_url: receiver.url + path,
      triggers: ['notification_created'],
    });
    const app = await makeApp(server, { access: 'write' });
    const ada = await makeUser(server);
    seedSubscribers(server.folder, app.id, 1000);
    statements = [];
    await makeComment(ada, app.id, { text: 'to all' });
    await settledLog(server);
    assert.ok(statements.filter((sql) => /^insert into "notifications"/.test(sql)).length <= 10);
    const body = await server.read(`/api/webhooks/${webhookId}/deliveries?count_only=true`);
    assert.equal(body.count, 1000);
    await server.call('PATCH', `/api/webhooks/${webhookId}`, { is_enabled: false });
    assert.deepEqual(notificationFaults(server), []);
  });

  // Most comments notify nobody, and then no recipients are read and nothing is written.
  test('cost no statement where the only subscriber is the author', async () => {
    const ada = await makeUser(server);
    const app = await makeApp(server, { access: 'write' });
    await ada.call('POST', `/api/apps/${app.id}/subscribe`);
    await settledLog(server);
    const before = statements.length;
    await Promise.all(Array.from({ length: 20 }, () => makeComment(ada, app.id, { text: 'to nobody' })));
    await settledLog(server);
    const own = statements.slice(before);
    assert.deepEqual(
      own.filter((sql) => sql.startsWith('with "audiences"')),
      [],
    );
    assert.ok(own.some((sql) => sql.includes('as counted')));
  });

  // However large the tables are, only what concerns an event is looked at.
  test('are found by indexes', async () => {
    const names = ['"notifications"', '"subscriptions"', '"members"', '"event_cursors"'];
    const own = new Set(
      statements.filter(
        (sql) =>
          /^(select|with)/.test(sql) && (names.some((name) => sql.includes(name)) || /"events"/.test(sql)),
      ),
    );
    assert.ok([...own].some((sql) => sql.startsWith('with "audiences"')));
    const watch = watchStore(server.folder);
    try {
      for (const sql of own) {
        assert.deepEqual(watch.plan(sql).scans, [], sql);
      }
    } finally {
      watch.close();
    }
  });

  // Imported content is old and notifies nobody.
  test('are not created for an import', async () => {
    const file = fileURLToPath(new URL('importers/fixtures/disqus.xml', rootUrl));
    const watch = watchStore(server.folder);
    try {
      const before = watch.count('notifications');
      const imported = await runCommand(['import', 'disqus', file, '--data-dir', server.folder]);
      assert.equal(imported.code, 0, imported.stderr);
      const [silent] = watch.rows('select count(*) as n from events where is_silent = 1');
      assert.ok(Number(silent?.['n']) > 0);
      const ada = await makeUser(server);
      const app = await makeApp(server, { access: 'write' });
      const eve = await makeUser(server);
      await makeComment(ada, app.id, { text: `[E](@u${eve.id})` });
      await settledLog(server);
      assert.equal(watch.count('notifications'), before + 1);
    } finally {
      watch.close();
    }
  });
});

/** Leaves three comments of Ada that notify Bob, the second of which makes the notifier fail. */
async function storeWithFailing(folder: string) {
  const server = await startTestServer({}, { folder, isQuiet: true });
  const ada = await makeUser(server, { name: 'Ada' });
  const bob = await makeUser(server, { name: 'Bob' });
  const app = await makeApp(server, { access: 'write' });
  await bob.call('POST', `/api/apps/${app.id}/subscribe`);
  for (const text of ['one', 'two', 'three']) await makeComment(ada, app.id, { text });
  await server.close();
  const events = `select id, payload from events where action = 'comment_created' order by id`;
  const { id, payload } = readStore(folder, events)[1] ?? {};
  writeStore(folder, `update events set payload = 'broken' where id = ${id}`);
  return {
    bob,
    eventId: Number(id),
    repair: () =>
      writeStore(
        folder,
        `update events set payload = '${String(payload).replaceAll("'", "''")}' where id = ${id}`,
      ),
  };
}

const parkedIn = (folder: string) =>
  readStore(folder, 'select event_id from parked_events').map((row) => Number(row['event_id']));

// An event that fails does not block others, is not lost, and notifies its users once it can.
describe('an event whose notifications fail', () => {
  test('is parked, shown to the operator, and notified by a retry', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-parked-'));
    const { bob, eventId, repair } = await storeWithFailing(folder);
    const server = await startTestServer({ CONFAB_LOG_LEVEL: 'silent' }, { folder });
    try {
      const told = async () => (await notificationsOf(server, bob.token)).map(({ args }) => args.at(-1));
      await poll('the last comment', async () => (await told()).includes('three') || undefined);
      assert.deepEqual(await told(), ['three', 'one']);
      assert.deepEqual(parkedIn(folder), [eventId]);
      const body = await server.read('/readyz');
      assert.deepEqual(body.checks.notifications, { ok: true, parked_events: 1 });

      const shown = await runCommand(['doctor', '--data-dir', folder]);
      assert.equal(shown.code, 1);
      assert.match(shown.stdout, new RegExp(`^error parked: event ${eventId} .*SyntaxError`, 'm'));
      const failing = await runDoctor(['--retry', '--data-dir', folder]);
      assert.deepEqual(
        failing.findings.map(({ check }) => check),
        ['parked'],
      );
      assert.match(failing.fixed[0]?.what ?? '', /^0 events that had been given up/);
      assert.deepEqual(parkedIn(folder), [eventId]);

      repair();
      const mended = await runDoctor(['--retry', '--data-dir', folder]);
      assert.deepEqual(mended.findings, []);
      assert.match(
        mended.fixed[0]?.what ?? '',
        /^1 events that had been given up now have their notifications\.$/,
      );
      assert.deepEqual(await told(), ['two', 'three', 'one']);
      assert.deepEqual(parkedIn(folder), []);
      assert.match((await runDoctor(['--retry', '--data-dir', folder])).fixed[0]?.what ?? '', /^0 events/);
      assert.deepEqual(notificationFaults(server), []);
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('is parked once, and no user is notified twice, when the server is killed meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-parked-'));
    const { bob, eventId } = await storeWithFailing(folder);
    const killed = await startServe(folder);
    await poll('a failure', () => killed.said.stderr.includes('a loop failed') || undefined);
    killed.child.kill('SIGKILL');
    await killed.ended;
    writeStore(folder, 'update leases set until = 0');
    const server = await startTestServer({ CONFAB_LOG_LEVEL: 'silent' }, { folder });
    try {
      await poll('the event to be parked', () => parkedIn(folder)[0]);
      await settledLog(server);
      assert.deepEqual(parkedIn(folder), [eventId]);
      const told = await notificationsOf(server, bob.token);
      assert.deepEqual(
        told.map(({ args }) => args.at(-1)),
        ['three', 'one'],
      );
    } finally {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('notifies many users in batches on a retry, each once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'confab-parked-'));
    const quiet = await startTestServer({}, { folder, isQuiet: true });
    const app = await makeApp(quiet, { access: 'write' });
    seedSubscribers(folder, app.id, 600);
    const comment = await makeComment(quiet, app.id, { text: 'to many' });
    const created = `select id from events where action = 'comment_created' and entity_id = ${comment.id}`;
    const eventId = Number(readStore(folder, created)[0]?.['id']);
    // The state in which the notifier leaves it after the first 100 users.
    const first = Number(readStore(folder, `select id from users where uid = 'seeded-100'`)[0]?.['id']);
    writeStore(
      folder,
      `insert into parked_events (event_id, user_id, error, parked_at) values (${eventId}, ${first}, 'planted', 1);
       update event_cursors set event_id = ${eventId}, user_id = 0 where reader = 'notifier';`,
    );
    try {
      const { fixed } = await runDoctor(['--retry', '--data-dir', folder]);
      assert.match(fixed[0]?.what ?? '', /^1 events/);
      assert.deepEqual(toldCounts(folder), [500]);
      assert.deepEqual(notificationFaults(quiet), []);
    } finally {
      await quiet.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

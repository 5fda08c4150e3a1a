import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  makeApp,
  makeComment,
  makeDirectory,
  makePost,
  makeUser,
  type Person,
} from 'confab-testing/fixtures.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { notificationFaults, notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { freshUid, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

const server = useServer();
const watch = useStoreWatch(server);
const receiver = useReceiver();
const directory = use(async () => ({ id: await makeDirectory(server, 'here') }));
const inHere = (name: string, fields: object = {}) =>
  makeUser(server, { directory: 'here', name, ...fields });
const ada = use(() => inHere('Ada'));
const bob = use(() => inHere('Bob'));
const cleo = use(() => inHere('Cleo'));

type Role = 'moderator' | 'manager' | undefined;

async function setRole(appId: number, { uid }: Person, role: Role, access = 'write') {
  const { status, text } = await server.call('PUT', `/api/apps/${appId}/members/${uid}`, { access, role });
  assert.equal(status, 204, text);
}

/** An app of the directory in which everybody of it writes. */
const anApp = async () => await makeApp(server, { access: 'write', directory: 'here', name: 'Plans' });

async function report(
  person: Person,
  comment: number,
  body: object = { reason: 'spam', text: 'Look at this' },
) {
  const path = `/api/comments/${comment}/reports`;
  const { status, text } = await person.call('POST', path, body);
  assert.equal(status, 200, text);
}

async function reportAndTell(...given: Parameters<typeof report>) {
  await report(...given);
  await settledLog(server);
}

const told = async ({ token }: Person) =>
  (await notificationsOf(server, token, 'action=report_created')).map(({ plain }) => plain).reverse();

const reportOf = (comment: number) =>
  Number(
    watch.rows(`select id from reports where entity_type = 'comment' and entity_id = ${comment}`)[0]?.['id'],
  );

// Those who moderate the app are notified once for each time that a report is opened, and nobody else is.
describe('notifications of reports', () => {
  test('are for moderators and managers of the app and moderators of its directory', async () => {
    assert.ok(directory.id > 0);
    const [mia, max, lead, afar, reader, member] = [
      await inHere('Mia'),
      await inHere('Max'),
      await inHere('Lead', { role: 'moderator' }),
      await makeUser(server, { role: 'moderator' }),
      await inHere('Reader'),
      await inHere('Member'),
    ];
    const { id } = await anApp();
    await setRole(id, mia, 'moderator');
    await setRole(id, max, 'manager');
    await setRole(id, reader, 'moderator', 'read');
    await setRole(id, member, undefined);
    const comment = (await makeComment(ada, id, { text: 'Buy pills' })).id;
    await reportAndTell(bob, comment);
    const expected = ['Bob reported a comment in Plans: spam'];
    for (const person of [mia, max, lead]) assert.deepEqual(await told(person), expected);
    for (const person of [ada, bob, afar, reader, member]) assert.deepEqual(await told(person), []);
    const [first] = await notificationsOf(server, mia.token);
    assert.deepEqual(first?.link, { id: comment, type: 'comment' });
    // Another report of the same item is news of the queue alone, until a moderator has decided.
    await report(cleo, comment, { reason: 'abuse' });
    await max.call('POST', `/api/reports/${reportOf(comment)}/resolve`, { action: 'keep' });
    await reportAndTell(lead, comment, { reason: 'illegal' });
    assert.deepEqual(await told(mia), [...expected, 'Lead reported a comment in Plans: illegal']);
    assert.deepEqual(await told(lead), expected);
    assert.deepEqual(notificationFaults(server), []);
  });

  test('are not for the author of the item, whatever the role', async () => {
    const [mia, max, lead] = [
      await inHere('Mia'),
      await inHere('Max'),
      await inHere('Lead', { role: 'moderator' }),
    ];
    const { id } = await anApp();
    await setRole(id, mia, 'moderator');
    await setRole(id, max, 'manager');
    for (const author of [mia, max, lead]) {
      const { id: comment } = await makeComment(author, id, {});
      const before = await told(author);
      await reportAndTell(bob, comment);
      assert.deepEqual(await told(author), before);
    }
    assert.equal((await told(mia)).length, 2);
  });

  test('reach more moderators than one transaction notifies, each once', async () => {
    const { id } = await anApp();
    const people = await Promise.all(Array.from({ length: 130 }, () => inHere('M')));
    const members = people.map(({ uid }) => ({ uid, access: 'write', role: 'moderator' }));
    assert.equal((await server.call('POST', `/api/apps/${id}/members`, members)).status, 204);
    const { id: comment } = await makeComment(ada, id, {});
    await reportAndTell(bob, comment);
    const rows = watch.rows(`select user_id, count(*) as n from notifications where action = 'report_created'
      and link_id = ${comment} and user_id in (${people.map((each) => each.id).join()}) group by user_id`);
    assert.equal(rows.length, 130);
    assert.ok(rows.every(({ n }) => Number(n) === 1));
  });
});

// Who reported is known to those who decide and to nobody else.
describe('the events of reports', () => {
  test('are in the log for API keys, and for no user', async () => {
    const mia = await inHere('Mia');
    const { id } = await anApp();
    await setRole(id, mia, 'moderator');
    const eventsFor = async (as: string, after: number) => {
      const events: any[] = [];
      for (let next = after, more = true; more; ) {
        const body = await server.as(as).read(`/api/events?after=${next}&top=100`);
        events.push(...body.data);
        [next, more] = [body.next, body.has_more];
      }
      return events;
    };
    const after = Math.max(...(await eventsFor(server.key, 0)).map(({ id: position }) => position));
    const { id: comment } = await makeComment(ada, id, { text: 'Buy pills' });
    const channels = ['report_created', 'report_resolved', `a${id}:report_created`, `a${id}:report_resolved`];
    const live = [await connectLive(server, mia.token), await connectLive(server, ada.token)];
    for (const each of live) await each.subscribe(...channels, `a${id}:comment_created`);
    await report(bob, comment);
    const path = `/api/reports/${reportOf(comment)}/resolve`;
    await mia.call('POST', path, { action: 'keep' });
    const fence = await makeComment(ada, id, {});
    for (const each of live) {
      await each.waitFor(`a${id}:comment_created`, (event) => event.comment.id === fence.id);
      assert.deepEqual(
        each.received.filter(([channel]) => channel.includes('report')),
        [],
      );
      await each.stop();
    }
    const ofReports = ({ action }: { action: string }) => action.startsWith('report_');
    const [created, resolved, ...more] = (await eventsFor(server.key, after)).filter(ofReports);
    assert.equal(more.length, 0);
    assert.deepEqual(
      [
        created.action,
        created.actor.id,
        created.reason,
        created.report.texts.length,
        created.report.snapshot,
      ],
      ['report_created', bob.id, 'spam', 1, undefined],
    );
    assert.deepEqual(
      [resolved.action, resolved.actor.id, resolved.report.action, resolved.report.texts],
      ['report_resolved', mia.id, 'keep', []],
    );
    for (const person of [mia, ada, bob])
      assert.deepEqual((await eventsFor(person.token, after)).filter(ofReports), []);
  });

  test('are delivered to webhooks of the group moderation', async () => {
    const { id: webhook } = await register(server, {
      payload_url: `${receiver.url}/reports`,
      triggers: ['moderation'],
    });
    const { id } = await anApp();
    const { id: comment } = await makeComment(ada, id, { text: 'Buy pills' });
    await report(bob, comment, { reason: 'abuse', text: 'Insults me' });
    await server.call('POST', `/api/reports/${reportOf(comment)}/resolve`, { action: 'trash', note: 'Bye' });
    const bodies = (await receiver.received('/reports', 2)).map(({ body }) => JSON.parse(String(body)));
    assert.deepEqual(bodies.map(({ action }) => action).sort(), ['report_created', 'report_resolved']);
    const created = bodies.find(({ action }) => action === 'report_created');
    assert.deepEqual(
      created.report.texts.map(({ text }: { text: string }) => text),
      ['Insults me'],
    );
    assert.equal(JSON.stringify(bodies).includes('pills'), false);
    await server.call('DELETE', `/api/webhooks/${webhook}`);
  });

  test('and the author learns nothing of them anywhere', async () => {
    const mia = await inHere('Mia');
    const { id } = await anApp();
    await setRole(id, mia, 'moderator');
    const needle = freshUid('needle');
    const zoe = await inHere(needle);
    const { id: comment } = await makeComment(ada, id, {});
    await report(zoe, comment, { reason: 'other', text: needle });
    await mia.call('POST', `/api/reports/${reportOf(comment)}/resolve`, { action: 'trash', note: needle });
    for (const path of [
      `/api/comments/${comment}?trashed=true`,
      `/api/apps/${id}/comments?trashed=null&expand=created_by,modified_by,parent`,
      '/api/reports?top=100',
      '/api/notifications?top=100',
      '/api/events?top=100',
    ])
      for (const { token } of [ada, cleo]) {
        const { text } = await server.as(token).call('GET', path);
        assert.equal(text.includes(needle), false, `${path}: ${text}`);
      }
  });
});

// What is removed with a parent or an app takes its reports along.
describe('the reports of what is removed later', () => {
  test('below a deleted post are closed, and those in a deleted app are gone', async () => {
    const posts = await makeApp(server, { type: 'posts', access: 'write', directory: 'here' });
    const post = await makePost(ada, posts.id);
    const { id: comment } = await ada.create(`/api/posts/${post}/comments`, { text: 'x' });
    await report(bob, comment);
    const of = reportOf(comment);
    await server.call('DELETE', `/api/posts/${post}`);
    const rows = () => watch.rows(`select is_open, action, snapshot from reports where id = ${of}`);
    await poll('the report to be closed', () => Number(rows()[0]?.['is_open']) === 0 || undefined);
    assert.deepEqual([rows()[0]?.['action'], rows()[0]?.['snapshot']], ['delete', null]);
    await server.call('DELETE', `/api/apps/${posts.id}`);
    await poll('the report to be gone', () => rows().length === 0 || undefined);
    assert.equal(watch.rows(`select id from complaints where report_id = ${of}`).length, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addMembers, makeApp, makeComment, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { type Caller, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';

const server = useServer();
const watch = useStoreWatch(server);
const app = use(() => makeApp(server, { access: 'write' }));
const people = use(async () => ({
  all: await Promise.all(Array.from({ length: 50 }, () => makeUser(server))),
}));
const moderators = use(async () => {
  const made = { mia: await makeUser(server), max: await makeUser(server) };
  await addMembers(server, app.id, { moderator: Object.values(made) });
  return made;
});

const reasons = ['spam', 'abuse', 'illegal', 'off_topic', 'other'];

const report = (by: Caller, comment: number, reason = 'spam') =>
  by.call('POST', `/api/comments/${comment}/reports`, { reason, text: reason });

const aComment = async () => (await makeComment(server, app.id)).id;

function rowOf(comment: number) {
  const [row, ...more] = watch.rows(
    `select * from reports where entity_type = 'comment' and entity_id = ${comment}`,
  );
  assert.deepEqual(more, []);
  assert.ok(row !== undefined);
  return row;
}

// However many act at once, an item has one report, and each user and each decision counts once.
describe('at the same time', () => {
  test('fifty users report the same item', async () => {
    const comment = await aComment();
    const answers = await Promise.all(
      people.all.map((person, index) => report(person, comment, reasons[index % reasons.length])),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    const row = rowOf(comment);
    const body = await server.read(`/api/reports/${row['id']}`);
    assert.deepEqual([body.report_count, body.new_report_count, body.texts.length], [50, 50, 50]);
    assert.deepEqual(
      body.reasons.map(({ count }: { count: number }) => count),
      reasons.map(() => 10),
    );
    const told = watch.actionsOf('report', Number(row['id']));
    assert.deepEqual(
      told,
      Array.from({ length: 50 }, () => 'report_created'),
    );
    // What opens another report is the next that moderators are notified of.
    await report(people.all[0] as Person, await aComment());
    await settledLog(server);
    for (const { token } of Object.values(moderators))
      assert.equal((await notificationsOf(server, token)).length, 2);
  });

  test('one user reports the same item twenty times', async () => {
    const comment = await aComment();
    const [first] = people.all;
    const answers = await Promise.all(
      reasons.flatMap((reason) => [1, 2, 3, 4].map(() => report(first as Person, comment, reason))),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(answers.length, 20);
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(rowOf(comment)['report_count'], 1);
  });

  test('two moderators resolve the same report', async () => {
    const { mia, max } = moderators;
    const outcomes = { kept: 0, trashed: 0 };
    for (let round = 0; round < 10; round += 1) {
      const comment = await aComment();
      await report(people.all[round] as Person, comment);
      const path = `/api/reports/${rowOf(comment)['id']}/resolve`;
      const keep = () => mia.call('POST', path, { action: 'keep' });
      const trash = () => max.call('POST', path, { action: 'trash' });
      const [kept, trashed] =
        round % 2 === 0
          ? await Promise.all([keep(), trash()])
          : (await Promise.all([trash(), keep()])).toReversed();
      assert.deepEqual([kept?.status, trashed?.status].sort(), [200, 422]);
      const wasKept = kept?.status === 200;
      outcomes[wasKept ? 'kept' : 'trashed'] += 1;
      const { status } = await server.call('GET', `/api/comments/${comment}`);
      assert.equal(status, wasKept ? 200 : 404);
      const row = rowOf(comment);
      assert.deepEqual(
        [row['action'], row['resolved_by_id']],
        wasKept ? ['keep', mia.id] : ['trash', max.id],
      );
      assert.deepEqual(watch.actionsOf('report', Number(row['id'])), ['report_created', 'report_resolved']);
    }
    assert.equal(outcomes.kept + outcomes.trashed, 10);
  });

  test('two moderators resolve the same report alike', async () => {
    const comment = await aComment();
    await report(people.all[0] as Person, comment);
    const id = Number(rowOf(comment)['id']);
    const answers = await Promise.all(
      Object.values(moderators).flatMap((moderator) =>
        [1, 2, 3].map(() => moderator.call('POST', `/api/reports/${id}/resolve`, { action: 'trash' })),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(new Set(answers.map(({ body }) => body.resolved_by_id)).size, 1);
    assert.deepEqual(watch.actionsOf('report', id), ['report_created', 'report_resolved']);
    assert.deepEqual(watch.actionsOf('comment', comment), ['comment_created', 'comment_trashed']);
  });

  test('a moderator keeps an item while others report it: no report is lost', async () => {
    const comment = await aComment();
    const [first, ...others] = people.all.slice(0, 10);
    await report(first as Person, comment);
    const id = Number(rowOf(comment)['id']);
    const path = `/api/reports/${id}/resolve`;
    const before = others.slice(0, 4).map((person) => report(person, comment));
    const decision = moderators.mia.call('POST', path, { action: 'keep' });
    const after = others.slice(4).map((person) => report(person, comment));
    await Promise.all([...before, decision, ...after]);
    const told = watch.actionsOf('report', id);
    const since = told.length - 1 - told.lastIndexOf('report_resolved');
    const row = rowOf(comment);
    assert.deepEqual([row['report_count'], row['new_count'], row['is_open']], [10, since, since > 0 ? 1 : 0]);
    const counted = watch.rows(
      `select count(*) as n from complaints where report_id = ${id} and is_counted = 1`,
    );
    assert.equal(Number(counted[0]?.['n']), since);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeFile, makeUser } from 'confab-testing/fixtures.ts';
import { assertProblem } from 'confab-testing/problem.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch, writeStore } from 'confab-testing/stores/store-watch.ts';
import { emptyTrash } from '../../../src/features/entries/trash-retention.ts';
import { createEventRetention } from '../../../src/features/events/retention.ts';
import { emptyFileTrash } from '../../../src/features/files/trash-retention.ts';

const dayMs = 86_400_000;
const clock = movableClock();
const server = useServer({}, { clock, isQuiet: true });
const watch = useStoreWatch(server);

/** Removes what is old. Waits for the next turn first: the reads of one turn see one state, also of what a test writes. */
async function sweepAll({ sweep }: { readonly sweep: () => Promise<boolean> }): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
  while (await sweep());
}

function retentionOf(days: number) {
  return createEventRetention({ db: server.running.db, clock, days });
}

/** Puts the position of the notifier, which does not run here, behind an event; by default at the end of the log. */
function setNotified(eventId = Number(eventIds().at(-1))): void {
  writeStore(server.folder, `update event_cursors set event_id = ${eventId} where reader = 'notifier'`);
}

const eventIds = () => watch.rows('select id from events order by id').map((row) => Number(row.id));

// Old events leave the log, but none that a delivery or the notifier still needs.
describe('the retention of events', () => {
  test('removes old ones that nothing needs, and never the newest', async () => {
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id);
    setNotified();
    const before = eventIds();
    await sweepAll(retentionOf(30));
    assert.deepEqual(eventIds(), before);
    clock.move(31 * dayMs);
    const webhook = await server.create('/api/webhooks', {
      payload_url: 'http://127.0.0.1:9/',
      triggers: ['comments'],
    });
    await server.call('PATCH', `/api/comments/${id}`, { text: 'needed' });
    setNotified();
    const [sent] = watch.rows(`select event_id from deliveries where webhook_id = ${webhook.id}`);
    clock.move(31 * dayMs);
    const newest = eventIds().at(-1);
    await sweepAll(retentionOf(30));
    assert.deepEqual(eventIds(), [...new Set([Number(sent?.event_id), newest])]);
    // The log goes on behind the newest, whatever was removed.
    await makeComment(server, app.id);
    assert.ok(Number(eventIds().at(-1)) > Number(newest));
  });

  test('goes on where the clock was ahead for a while', async () => {
    const app = await makeApp(server);
    await server.create('/api/webhooks', { payload_url: 'http://127.0.0.1:9/', triggers: ['comments'] });
    await makeComment(server, app.id);
    await makeApp(server);
    setNotified();
    const [sent] = watch.rows('select event_id from deliveries order by id desc limit 1');
    const needed = Number(sent?.event_id);
    const retention = retentionOf(30);
    clock.move(400 * dayMs);
    await sweepAll(retention);
    assert.ok(eventIds().includes(needed));
    writeStore(server.folder, 'delete from deliveries');
    clock.move(-360 * dayMs);
    await sweepAll(retention);
    assert.equal(eventIds().includes(needed), false);
  });

  test('removes nothing behind the position of the notifier', async () => {
    await makeApp(server);
    setNotified();
    const first = Number(eventIds().at(-1));
    await makeApp(server);
    await makeApp(server);
    const later = () => eventIds().filter((id) => id > first);
    const all = later();
    clock.move(31 * dayMs);
    await sweepAll(retentionOf(30));
    assert.deepEqual(later(), all);
    setNotified(all[0]);
    await sweepAll(retentionOf(30));
    assert.deepEqual(later(), all.slice(1));
  });
});

// A reader that comes back too late learns that it misses events, in every way in which the log is read.
describe('a position before removed events', () => {
  test('is gone', async () => {
    for (let count = 0; count < 3; count += 1) await makeApp(server);
    setNotified();
    const [behind] = eventIds().slice(-3);
    clock.move(31 * dayMs);
    await sweepAll(retentionOf(30));
    const [removed] = watch.rows(`select event_id from event_cursors where reader = 'retention'`);
    const edge = Number(removed?.event_id);
    assert.ok(Number(behind) < edge);
    const user = await makeUser(server);
    for (const as of [server.key, user.token]) {
      const path = `/api/events?after=${behind}`;
      const answer = await server.as(as).call('GET', path);
      assertProblem(answer, 410, 'position_gone');
      assert.match(answer.body.detail, new RegExp(`after=${edge}\\.$`));
      assertProblem(
        await server.as(as).call('GET', `/api/events/stream?after=${behind}`),
        410,
        'position_gone',
      );
      for (const after of [0, edge, edge + 1])
        assert.equal((await server.as(as).call('GET', `/api/events?after=${after}`)).status, 200);
    }
  });
});

// What has been in the trash for long enough is deleted with an event, and what is held or newer is not.
describe('the retention of the trash', () => {
  test('deletes comments and files after their days', async () => {
    const app = await makeApp(server);
    const files = await makeApp(server, { type: 'files' });
    const [old, newer] = [await makeComment(server, app.id), await makeComment(server, app.id)];
    const file = await makeFile(server, files.id);
    await server.call('POST', `/api/comments/${old.id}/trash`);
    await server.call('POST', `/api/files/${file}/trash`);
    clock.move(8 * dayMs);
    await server.call('POST', `/api/comments/${newer.id}/trash`);
    const { db } = server.running;
    while (await emptyTrash({ db, clock, days: 7 }));
    while (await emptyFileTrash({ db, clock, days: 7 }));
    const left = watch.rows(`select id from entries where id in (${old.id}, ${newer.id})`);
    assert.deepEqual(
      left.map((row) => Number(row.id)),
      [newer.id],
    );
    assert.deepEqual(watch.rows(`select id from files where id = ${file}`), []);
    assert.equal(watch.actionsOf('comment', old.id).at(-1), 'comment_deleted');
    assert.equal(watch.actionsOf('file', file).at(-1), 'file_deleted');
    assert.equal((await server.read(`/api/apps/${app.id}/comments?trashed=true`)).count, 1);
  });
});

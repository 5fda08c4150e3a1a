import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register, settled } from 'confab-testing/webhooks.ts';
import { redactDeleted } from '../../../src/features/redactions/redactions.ts';

const clock = movableClock();
const server = useServer({}, { clock });
const watch = useStoreWatch(server);
const receiver = useReceiver();

/** Redacts everything that is due. */
async function redact(): Promise<void> {
  const { db } = server.running;
  while (await redactDeleted({ db, clock }));
}

const textsOf = (table: string): string =>
  watch
    .rows(`select * from ${table}`)
    .map((row) => Object.values(row).map(String).join('\n'))
    .join('\n');

// What was deleted permanently is in no event, delivery or notification a minute later, and the log is complete still.
describe('a comment that was deleted', () => {
  test('is in no event, attempt or notification after a minute', async () => {
    receiver.decide('/echo', ({ body }) => ({ status: 200, body }));
    const { id: webhook } = await register(server, { payload_url: `${receiver.url}/echo` });
    const app = await makeApp(server, { access: 'write' });
    const [ada, bob] = [await makeUser(server), await makeUser(server)];
    await bob.call('POST', `/api/apps/${app.id}/subscribe`);
    const options = [{ text: 'optionwords' }, { text: 'no' }];
    const fields = { text: 'secretwords', options, metadata: { note: 'notewords' } };
    const comment = await makeComment(ada, app.id, fields);
    await bob.call('POST', `/api/options/${comment.options[0]?.id}/vote`);
    await settledLog(server);
    await ada.call('DELETE', `/api/comments/${comment.id}`);
    await settled(server, webhook, 'delivered');
    await redact();
    // Receivers get the deleted comment whole.
    assert.match(receiver.ledger('/echo').at(-1)?.body.toString() ?? '', /"comment_deleted".*secretwords/);
    const before = watch.rows('select id, action, entity_type, entity_id from events order by id');
    assert.match(textsOf('events'), /"notification_created".*secretwords/);
    assert.equal(watch.count('notifications'), 0);
    clock.move(61_000);
    await redact();
    for (const table of ['events', 'notifications', 'attempts', 'kept_answers', 'entry_search'])
      assert.doesNotMatch(textsOf(table), /secretwords|optionwords|notewords/, table);
    assert.deepEqual(watch.rows('select id, action, entity_type, entity_id from events order by id'), before);
    assert.equal(watch.count('redactions'), 0);
    const body = await server.read('/api/events?top=100');
    const event = body.data.find(({ action }) => action === 'comment_created');
    const { comment: left } = event as unknown as { comment: Partial<typeof comment> };
    assert.deepEqual(
      [left.id, left.created_by_id, left.text, left.options],
      [comment.id, ada.id, undefined, []],
    );
  });

  test('keeps its place for webhooks that have not got it yet', async () => {
    receiver.answer('/late', { status: 500 });
    const { id: webhook } = await register(server, { payload_url: `${receiver.url}/late` });
    const app = await makeApp(server);
    const { id } = await makeComment(server, app.id, { text: 'latewords' });
    await settled(server, webhook, 'retrying');
    await server.call('DELETE', `/api/comments/${id}`);
    clock.move(61_000);
    await redact();
    receiver.answer('/late', { status: 200 });
    const isBlank = ({ comment }: { comment: { id: number; text?: string } }) =>
      comment.id === id && comment.text === undefined;
    await poll('both deliveries to arrive without the text', async () => {
      clock.move(60_000);
      await server.running.db.write(async (tx) => tx.wake('deliveries'));
      const arrived = receiver.ledger('/late').map(({ body }) => JSON.parse(body.toString()));
      const blank = new Set(arrived.filter(isBlank).map(({ action }) => action));
      return blank.has('comment_created') && blank.has('comment_deleted') ? true : undefined;
    });
    assert.ok(receiver.ledger('/late').length > 2);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { makeApp, makeComment, makeUser, usePeople } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { before, use, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { register } from 'confab-testing/webhooks.ts';

const server = useServer();
const receiver = useReceiver();
const watch = useStoreWatch(server);
const [ada, bob] = usePeople(server, 'Ada', 'Bob');
const robot = use(() => makeUser(server, { is_bot: true }));
const app = use(() => makeApp(server, { access: 'write' }));
let key: number;
before(async () => {
  key = (await server.running.keys.list())[0]?.id ?? 0;
  await register(server, { payload_url: `${receiver.url}/told`, triggers: ['comment_created'] });
});

/** The callers, each with what an event says of it besides the user. */
const callers: {
  readonly [name: string]: () => { sending: object; user: number; kind: string; api_key_id?: number };
} = {
  'a person': () => ({ sending: { as: ada.token }, user: ada.id, kind: 'person' }),
  'a bot': () => ({ sending: { as: robot.token }, user: robot.id, kind: 'bot' }),
  'an API key': () => ({ sending: {}, user: 1, kind: 'api_key', api_key_id: key }),
  'an API key on behalf of a person': () => ({
    sending: { headers: { 'x-confab-user': ada.uid } },
    user: ada.id,
    kind: 'api_key',
    api_key_id: key,
  }),
};

const shown = ({ id, kind, api_key_id }: any) => ({ id, kind, api_key_id });

// Every event says who made the change: a person, a bot or an API key. Only API keys and webhooks are told which key.
describe('the actor of an event', () => {
  for (const [name, callerOf] of Object.entries(callers))
    test(`is ${name} in the feed, the streams and deliveries`, async () => {
      const { sending, user, kind, api_key_id } = callerOf();
      const [stream, ownStream] = [await readEvents(server), await readEvents(server, { as: bob.token })];
      const live = await connectLive(server, bob.token);
      const channel = `a${app.id}:comment_created`;
      await live.subscribe(channel);
      const { id } = await makeComment(server, app.id, { text: name }, sending);
      const isIt = (event: any) => event.comment?.id === id && event.action === 'comment_created';
      const feedOf = async (as: string) => {
        const { position } = await stream.waitFor(isIt);
        const path = `/api/events?after=${position - 1}&top=1`;
        return (await server.as(as).read(path)).data.find(isIt);
      };
      const whole = { id: user, kind, api_key_id };
      assert.deepEqual(shown((await stream.waitFor(isIt)).actor), whole);
      assert.deepEqual(shown((await feedOf(server.key))?.actor), whole);
      const sent = await receiver.received('/told', Object.keys(callers).indexOf(name) + 1);
      const body = JSON.parse(sent.at(-1)?.body.toString() ?? '');
      assert.deepEqual([body.comment.id, shown(body.actor)], [id, whole]);

      const public_ = { id: user, kind, api_key_id: undefined };
      assert.deepEqual(shown((await ownStream.waitFor(isIt)).actor), public_);
      assert.deepEqual(shown((await feedOf(bob.token))?.actor), public_);
      assert.deepEqual(shown((await live.waitFor(channel, isIt)).actor), public_);
      await live.stop();
      await stream.close();
      await ownStream.close();
    });

  test('is that of the cause in the event of a notification', async () => {
    const own = await makeComment(bob, app.id, { text: 'mine' });
    const answer = { text: 'an answer', metadata: { parent_id: own.id } };
    for (const callerOf of Object.values(callers)) {
      const { sending, user, kind, api_key_id } = callerOf();
      await makeComment(server, app.id, answer, sending);
      await settledLog(server);
      const [event] = watch.rows(
        "select payload from events where action = 'notification_created' order by id desc limit 1",
      );
      const { actor } = JSON.parse(`{${event?.payload}}`);
      assert.deepEqual(shown(actor), { id: user, kind, api_key_id });
    }
  });
});

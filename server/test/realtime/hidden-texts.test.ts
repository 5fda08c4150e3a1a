import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { movableClock } from 'confab-testing/clock.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { type Carrier, connectLive, type Live } from 'confab-testing/network/live.ts';
import { useReceiver } from 'confab-testing/network/receiver.ts';
import { settledLog } from 'confab-testing/notifications.ts';
import { poll } from 'confab-testing/poll.ts';
import { before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { nudge, register } from 'confab-testing/webhooks.ts';
import { redactDeleted } from '../../src/features/redactions/redactions.ts';
import {
  doDeed,
  isDeleted,
  makeLateReader,
  makeReaders,
  makeThings,
  type Reader,
  type ReaderName,
  readerNames,
  type Thing,
} from './log-world.ts';

const clock = movableClock();
const server = useServer({}, { clock });
const receiver = useReceiver();
const watch = useStoreWatch(server);
/** What of deleted things waits to be removed. */
const removals =
  'select 1 from tallies where removed_at is not null union all select 1 from apps where deleted_at is not null';

/** The first events about the things of the matrix, which webhooks are sent again. */
const triggers = [
  ...['comment_created', 'post_created', 'message_created', 'file_created'],
  ...['reaction_added', 'option_voted', 'app_created'],
];

/** What was done, and who read what over the hub while it was. */
let things: Thing[] = [];
let readers = new Map<ReaderName, Reader>();
let start = 0;
let webhook = 0;
const live = new Map<ReaderName, string>();
let cells = 0;

const carriers: readonly Carrier[] = ['WebSockets', 'ServerSentEvents', 'LongPolling'];

async function newest(): Promise<number> {
  const { body } = await server.call('GET', `/api/events?before=${Number.MAX_SAFE_INTEGER}&top=1`);
  return body.data[0]?.position ?? 0;
}

/** The channels of what is done to the things, in all apps of a member. */
const channels = ['comment', 'post', 'message', 'file', 'app'].flatMap((entity) =>
  ['updated', 'trashed', 'restored', 'deleted', 'held', 'approved'].map((end) => `${entity}_${end}`),
);

/** Connects every reader to the hub, for the events of all things. */
async function connectAll(): Promise<Map<ReaderName, Live>> {
  const lives = new Map<ReaderName, Live>();
  for (const [index, { name, token }] of [...readers.values()].entries()) {
    if (name === 'key') continue;
    const connected = await connectLive(server, token, { carrier: carriers[index % 3] ?? 'WebSockets' });
    await Promise.all(channels.map((channel) => connected.subscribe(channel)));
    lives.set(name, connected);
  }
  return lives;
}

/** Waits until every connection has what was sent so far: an event of an app that all of them see. */
async function arrived(lives: ReadonlyMap<ReaderName, Live>): Promise<void> {
  const open = await makeApp(server, { access: 'read' });
  for (const one of lives.values()) await one.subscribe(`a${open.id}:comment_created`);
  await makeComment(server, open.id, { text: 'a mark' });
  for (const one of lives.values()) await one.waitFor(`a${open.id}:comment_created`);
}

before(async () => {
  ({ id: webhook } = await register(server, { payload_url: `${receiver.url}/again`, triggers }));
  readers = await makeReaders(server);
  start = await newest();
  things = await makeThings(server, readers);
  const lives = await connectAll();
  for (const thing of things) await doDeed(server, readers, thing);
  await arrived(lives);
  for (const [name, one] of lives) {
    live.set(name, JSON.stringify(one.received));
    await one.stop();
  }
  readers.set('late', await makeLateReader(server));
  for (const app of new Set(things.map((thing) => thing.app)))
    await server.call('PUT', `/api/apps/${app}/members/${readers.get('lost')?.uid}`, { access: 'none' });
});

type Event = { readonly position: number; readonly action: string; readonly [name: string]: any };

const get = async (path: string, { token }: Reader) =>
  await server.call('GET', path as '/api/events', undefined, { as: token });

/** Every page of the feed, by `after` or by `before`. */
async function readFeed({ token }: Reader, direction: 'after' | 'before'): Promise<Event[]> {
  const events: Event[] = [];
  let position = direction === 'after' ? start : Number.MAX_SAFE_INTEGER;
  for (let more = true; more && position > start - 1; ) {
    const path = `/api/events?${direction}=${position}&top=100` as '/api/events';
    const { body } = await server.call('GET', path, undefined, { as: token });
    events.push(...(body.data as Event[]));
    [position, more] = [body.next, body.has_more];
  }
  return events.filter((event) => event.position > start);
}

/** What a stream that is resumed from before everything sends, up to a position. */
async function readStream({ token }: Reader, upto: number): Promise<Event[]> {
  const reader = await readEvents(server, { as: token, last: String(start) });
  await reader.waitFor(({ position }) => position >= upto);
  await reader.close();
  return reader.events as Event[];
}

/** The events about a thing among some. */
function eventsAbout(events: readonly Event[], { entity, id, target }: Thing): Event[] {
  const targetId = Number(target.split('/').at(-1));
  return events.filter((event) => {
    if (!event.action.startsWith(`${entity}_`)) return false;
    return entity === 'reaction' ? event.entity?.id === targetId : event[entity]?.id === id;
  });
}

/** Whether some events say a word, besides who acted. */
function says(events: readonly Event[], word: string): boolean {
  return events.some(({ actor: _actor, ...event }) => JSON.stringify(event).includes(word));
}

const isInspector = (name: ReaderName) => ['author', 'moderator', 'manager', 'key'].includes(name);

/** What a reader gets at the address of a thing, and what those who decide on it get of its trash and its revisions. */
async function textAt(reader: Reader, { address, target, entity, kind }: Thing): Promise<string> {
  const texts = [(await get(kind === 'reaction' ? target : address, reader)).text];
  if (isInspector(reader.name) && !(kind === 'app' && reader.name === 'author')) {
    texts.push((await get(`${target}?trashed=true`, reader)).text);
    if (entity !== 'file' && entity !== 'app') texts.push((await get(`${target}/revisions`, reader)).text);
  }
  return texts.join('\n');
}

/** Whether an edit of a thing has an event about it: that of an option is about its comment. */
const hasNewEvent = ({ kind }: Thing) => kind !== 'option' && kind !== 'reaction';

/** What a reader may see of the words of a thing in the log. */
async function maySee(reader: Reader, thing: Thing): Promise<{ first: boolean; second: boolean }> {
  // A key brings back everything but what was deleted permanently.
  if (reader.name === 'key') {
    const isThere = !isDeleted(thing);
    return { first: isThere, second: isThere && thing.deed.startsWith('edited') && hasNewEvent(thing) };
  }
  const text = await textAt(reader, thing);
  return {
    first: text.includes(thing.first),
    second: text.includes(thing.second) && hasNewEvent(thing),
  };
}

// What a reader of the log sees of an event's thing is what the same reader gets at the address of the thing at that
// moment; a key sees all that can be brought back.
describe('the texts of things that were hidden', { concurrency: false }, () => {
  for (const name of readerNames)
    test(`${name}: the feed, the stream and the hub have what is at the address`, async () => {
      const reader = readers.get(name);
      assert.ok(reader);
      const after = await readFeed(reader, 'after');
      const ways = {
        after,
        before: await readFeed(reader, 'before'),
        stream: await readStream(reader, after.at(-1)?.position ?? 0),
      };
      const wrong: string[] = [];
      for (const thing of things) {
        const expected = await maySee(reader, thing);
        const ofOne = await get(
          `/api/events?entity_type=${thing.entity}&entity_id=${thing.id}&top=100`,
          reader,
        );
        const all = { ...ways, entity_id: ofOne.body.data as Event[] };
        for (const [way, events] of Object.entries(all)) {
          const about = eventsAbout(events, thing);
          const seen = { first: says(about, thing.first), second: says(about, thing.second) };
          cells += 1;
          if (seen.first !== expected.first || seen.second !== expected.second)
            wrong.push(`${thing.kind}, ${thing.deed}, ${way}: ${JSON.stringify({ seen, expected })}`);
        }
        if (name === 'key' || name === 'late' || name === 'lost' || thing.kind === 'reaction') continue;
        cells += 1;
        const heard = live.get(name) ?? '';
        // What is edited and then held was shown between the two.
        const isLeaked =
          (heard.includes(thing.first) && !expected.first) ||
          (heard.includes(thing.second) && !expected.second && thing.deed !== 'edited and held');
        if (isLeaked && thing.kind !== 'option') wrong.push(`${thing.kind}, ${thing.deed}, hub`);
      }
      assert.deepEqual(wrong, []);
    });

  test('a hub that connects again is sent nothing of what it missed', async () => {
    const lives = await connectAll();
    await arrived(lives);
    for (const [name, one] of lives) {
      const texts = JSON.stringify(one.received);
      for (const { first, second } of things) {
        cells += 1;
        assert.ok(!texts.includes(first) && !texts.includes(second), name);
      }
      await one.stop();
    }
  });

  test('the main cells by hand', async () => {
    const some = (kind: Thing['kind'], deed: Thing['deed']) =>
      things.find((thing) => thing.kind === kind && thing.deed === deed);
    const visible = async (kind: Thing['kind'], deed: Thing['deed']) => {
      const thing = some(kind, deed);
      assert.ok(thing);
      const names: ReaderName[] = [];
      for (const reader of readers.values()) {
        const { body } = await get(`/api/events?entity_type=${thing.entity}&entity_id=${thing.id}`, reader);
        if (says(body.data as Event[], thing.first)) names.push(reader.name);
      }
      return names.toSorted().join(' ');
    };
    const everyone = 'author key late manager moderator writer';
    const inspectors = 'author key manager moderator';
    for (const kind of ['comment', 'comment on a post', 'comment on a file', 'post', 'message'] as const) {
      assert.equal(await visible(kind, 'nothing'), everyone, kind);
      assert.equal(await visible(kind, 'edited'), inspectors, kind);
      assert.equal(await visible(kind, 'held'), inspectors, kind);
      assert.equal(await visible(kind, 'held and approved'), everyone, kind);
      assert.equal(await visible(kind, 'trashed by its author'), inspectors, kind);
      assert.equal(await visible(kind, 'trashed by a moderator'), inspectors, kind);
      assert.equal(await visible(kind, 'deleted'), '', kind);
      assert.equal(await visible(kind, 'app trashed'), 'key', kind);
      assert.equal(await visible(kind, 'app deleted'), '', kind);
    }
    for (const deed of ['parent trashed', 'parent held'] as const)
      assert.equal(await visible('comment on a post', deed), 'key', deed);
    assert.equal(await visible('comment on a post', 'parent deleted'), '');
    assert.equal(await visible('comment on a post', 'parent restored'), everyone);
    assert.equal(await visible('file', 'edited'), 'key');
    assert.equal(await visible('file', 'held'), inspectors);
    assert.equal(await visible('app', 'edited'), 'key');
    assert.equal(await visible('app', 'app trashed'), 'key manager moderator');
  });

  test('a notification is blank with what it is about, and so is a former member', async () => {
    const [writer, author, key] = (['writer', 'author', 'key'] as const).map((name) => readers.get(name));
    assert.ok(writer && author && key);
    const app = await makeApp(server, { access: 'write', directory: 'here' });
    const from = await newest();
    await server.call('POST', `/api/apps/${app.id}/subscribe`, undefined, { as: writer.token });
    await server.call('PUT', `/api/apps/${app.id}/members/${author.uid}`, { access: 'write' });
    const { id } = await makeComment(server, app.id, { text: 'quotedwords' }, { as: author.token });
    await settledLog(server);
    const seen = async (reader: Reader, action: string) => {
      const { body } = await get(`/api/events?after=${from}&top=100`, reader);
      return (body.data as Event[]).find((event) => event.action === action);
    };
    const told = (await seen(writer, 'notification_created'))?.notification;
    assert.match(told.text, /quotedwords/);
    assert.equal((await seen(writer, 'member_added'))?.member.uid, author.uid);
    await server.call('POST', `/api/comments/${id}/hold`);
    await server.call('DELETE', `/api/apps/${app.id}/members/${author.uid}`);
    for (const reader of [writer, key]) {
      const event = await seen(reader, 'notification_created');
      assert.deepEqual(
        [event?.notification.id, event?.notification.text, event?.notification.link],
        reader === key ? [told.id, told.text, told.link] : [told.id, 'This is not available.', undefined],
      );
      const member = (await seen(reader, 'member_added'))?.member;
      assert.equal(member.uid, reader === key ? author.uid : '');
    }
  });

  test('edits are told apart while the clock goes back', async () => {
    const [writer, author] = [readers.get('writer'), readers.get('author')];
    assert.ok(writer && author);
    const app = await makeApp(server, { access: 'write', directory: 'here' });
    const as = { as: author.token };
    const fields = { text: 'a poll', options: [{ text: 'firstoption' }] };
    const comment = await makeComment(server, app.id, fields, as);
    const optionId = comment.options[0]?.id;
    const times: (string | undefined)[] = [];
    for (const text of ['secondoption', 'thirdoption', 'fourthoption']) {
      clock.move(-5000);
      const options = [{ id: optionId, text }];
      const { body } = await server.call('PATCH', `/api/comments/${comment.id}`, { options }, as);
      times.push(body.modified_at);
    }
    clock.move(15_000);
    assert.deepEqual(new Set(times).size, 3);
    assert.deepEqual(times.toSorted(), times);
    const { text } = await get(`/api/events?entity_type=comment&entity_id=${comment.id}`, writer);
    assert.match(text, /fourthoption/);
    assert.doesNotMatch(text, /firstoption|secondoption|thirdoption/);
  });

  test('webhooks are sent again what was true then, unless it was deleted', async () => {
    clock.move(61_000);
    await poll('everything deleted to be removed and redacted', async () => {
      await redactDeleted({ db: server.running.db, clock });
      clock.move(61_000);
      const left = watch.count('redactions') + watch.rows(removals).length;
      return left === 0 ? true : undefined;
    });
    const { length } = receiver.ledger('/again');
    const { status, body, text } = await server.call('POST', `/api/webhooks/${webhook}/redeliver`, {
      status: 'delivered',
    });
    assert.equal(status, 200, text);
    await nudge(server);
    const sent = await receiver.received('/again', length + Number(body.redelivered));
    const bodies = sent.slice(length).map((request) => JSON.parse(request.body.toString()) as Event);
    for (const thing of things) {
      cells += 1;
      // An emoji stays in the log.
      const isGone = isDeleted(thing) && thing.kind !== 'reaction';
      assert.equal(says(eventsAbout(bodies, thing), thing.first), !isGone, `${thing.kind} ${thing.deed}`);
    }
    console.log(`hidden texts: ${things.length} things, ${cells} cells`);
  });
});

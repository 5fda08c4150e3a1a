import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { connectLive, type Live } from 'confab-testing/network/live.ts';
import { useServer } from 'confab-testing/server.ts';
import type { Db } from '../../src/db/db.ts';

/** The text of a comment whose event cannot be read, because its payload is corrupt. */
const mark = 'unreadable';

function withUnreadable(db: Db): Db {
  return {
    ...db,
    read: {
      get: (query, parameters) => db.read.get(query, parameters),
      async all(query, parameters) {
        const rows = await db.read.all(query, parameters);
        return rows.map((row) => {
          const { payload, action } = row as { payload?: unknown; action?: unknown };
          const isPlanted =
            action === 'comment_created' && typeof payload === 'string' && payload.includes(mark);
          return isPlanted ? { ...row, payload: 'broken' } : row;
        });
      },
    },
  };
}

let live: Live;
const logged: string[] = [];
const server = useServer(
  {},
  { wrapDb: withUnreadable, isQuiet: true, logTo: { write: (line: string) => void logged.push(line) } },
);

after(async () => {
  await live.stop();
});

// An event that cannot be delivered does not block other events: clients can read it from the feed.
describe('an event that fails', () => {
  test('is skipped after three tries, and later ones are sent', async () => {
    const ada = await makeUser(server, { name: 'Ada' });
    const app = await makeApp(server, { access: 'write' });
    live = await connectLive(server, ada.token);
    const channel = `a${app.id}:comment_created`;
    await live.subscribe(channel);
    const stream = await readEvents(server, { as: ada.token });
    const say = async (text: string) =>
      (await makeComment(server, app.id, { text }, { as: ada.token })).id as number;
    const said = await Promise.all(['one', mark, 'three'].map(say));
    await live.waitFor(channel, ({ comment }) => comment.id === said[2]);
    const last = await say('four');
    await live.waitFor(channel, ({ comment }) => comment.id === last);
    const told = live.received.map(([, { comment }]) => comment.id);
    assert.deepEqual(told.toSorted(), [said[0], said[2], last].toSorted());
    const errors = logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 50);
    assert.deepEqual(
      errors.map(({ msg }) => msg),
      ['a loop failed', 'a loop failed', 'live connections skip an event that fails'],
    );
    assert.equal(typeof errors[2].event, 'number');
    await stream.waitFor(({ comment }) => comment?.id === last);
    await stream.close();
  });
});

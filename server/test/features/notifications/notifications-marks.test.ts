import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addMembers, makeApp, makeUser, type Person } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { useServer } from 'confab-testing/server.ts';
import { watchStore } from 'confab-testing/stores/store-watch.ts';

let statements: string[] = [];
let ada: Person;
let bob: Person;
let app: { id: number };
let ids: number[];
const server = useServer({}, { onStatement: (sql) => statements.push(sql) });

beforeEach(async () => {
  ada = await makeUser(server, { name: 'Ada' });
  bob = await makeUser(server, { name: 'Bob' });
  app = await makeApp(server, { type: 'posts', access: 'write', name: 'News' });
  await bob.call('POST', `/api/apps/${app.id}/subscribe`);
  ids = await tell(6);
});

/** Creates posts that notify Bob; returns the ids of all his notifications, oldest first. */
async function tell(count: number): Promise<number[]> {
  for (let i = 0; i < count; i += 1)
    await ada.call('POST', `/api/apps/${app.id}/posts`, { text: `post ${i}` });
  await settledLog(server);
  return (await notificationsOf(server, bob.token)).map(({ id }) => id).reverse();
}

async function ask(method: string, path: string) {
  return await bob.call(method, `/api/notifications${path}`);
}

async function count(query = ''): Promise<number> {
  return (await ask('GET', `?count_only=true&${query}`)).body.count;
}

async function unreadIds(): Promise<number[]> {
  return (await notificationsOf(server, bob.token, 'unread=true')).map(({ id }) => id).reverse();
}

/** The actions of the events about Bob's notifications. */
function recorded(): string[] {
  const watch = watchStore(server.folder);
  try {
    return watch
      .rows(
        `select action from events where user_id = ${bob.id} and action <> 'notification_created' order by id`,
      )
      .map(({ action }) => String(action));
  } finally {
    watch.close();
  }
}

// Marks record what was read, have one event each, and update the stored counts.
describe('marks', () => {
  test('set one notification read and unread, also when repeated', async () => {
    const path = `/${ids[2]}/mark`;
    for (const method of ['PUT', 'PUT']) assert.equal((await ask(method, path)).body.is_unread, false);
    assert.deepEqual(await unreadIds(), ids.toSpliced(2, 1));
    assert.deepEqual([await count('unread=true'), await count('unread=false'), await count()], [5, 1, 6]);
    for (const method of ['DELETE', 'DELETE']) assert.equal((await ask(method, path)).body.is_unread, true);
    assert.deepEqual([await count('unread=true'), await count('unread=false')], [6, 0]);
    assert.deepEqual(recorded(), ['notification_updated', 'notification_updated']);
  });

  test('read one and all earlier ones, or all', async () => {
    const answer = await ask('PUT', `/mark?id=${ids[2]}`);
    assert.deepEqual([answer.status, answer.text], [200, '']);
    assert.deepEqual(await unreadIds(), ids.slice(3));
    await ask('PUT', `/mark?id=${ids[2]}`);
    assert.deepEqual(recorded(), ['notifications_marked']);
    assert.equal((await ask('PUT', '/mark')).status, 200);
    assert.deepEqual([await count('unread=true'), await count()], [0, 6]);
    assert.deepEqual(recorded(), ['notifications_marked', 'notifications_marked']);
  });

  test('can be set by an API key for any user, which has no list of its own', async () => {
    const { body } = await server.call('PUT', `/api/notifications/${ids[0]}/mark`);
    assert.deepEqual([body.is_unread, body.user.id], [false, bob.id]);
    assert.equal(await count('unread=true'), 5);
  });

  test('of a deleted notification are gone with it', async () => {
    assert.equal((await ask('DELETE', `/${ids[1]}`)).status, 204);
    await ask('PUT', `/${ids[2]}/mark`);
    assert.equal((await ask('DELETE', `/${ids[2]}`)).status, 204);
    for (const method of ['GET', 'DELETE']) assert.equal((await ask(method, `/${ids[1]}`)).status, 404);
    for (const method of ['PUT', 'DELETE']) assert.equal((await ask(method, `/${ids[1]}/mark`)).status, 404);
    assert.equal((await ask('PUT', `/mark?id=${ids[1]}`)).status, 404);
    assert.deepEqual([await count(), await count('unread=true')], [4, 4]);
    assert.deepEqual(recorded(), ['notification_deleted', 'notification_updated', 'notification_deleted']);
  });

  test('by 32 requests at once end with counts that equal the rows', async () => {
    const requests = Array.from({ length: 32 }, (_, i) => {
      const id = ids[i % 6];
      if (i % 8 === 7) return ask('PUT', `/mark?id=${ids[5]}`);
      if (i % 16 === 5) return ask('DELETE', `/${ids[5 - (i % 2)]}`);
      return ask(i % 3 === 0 ? 'DELETE' : 'PUT', `/${id}/mark`);
    });
    const more = tell(3);
    const answers = await Promise.all(requests);
    await more;
    for (const { status } of answers) assert.ok([200, 204, 404].includes(status), String(status));
    const rows = await notificationsOf(server, bob.token);
    const unread = rows.filter(({ is_unread }) => is_unread).length;
    assert.deepEqual([await count(), await count('unread=true')], [rows.length, unread]);
    assert.equal(await count('unread=false'), rows.length - unread);
  });
});

// The list has the usual parameters, a total order, and costs the same at any length.
describe('the list of notifications', () => {
  test('is newest first by default, and has pages and the requested order', async () => {
    const page = async (query: string) => (await ask('GET', `?${query}`)).body;
    const idsOf = (body: { data: { id: number }[] }) => body.data.map(({ id }) => id);
    assert.deepEqual(idsOf(await page('')), ids.toReversed());
    assert.deepEqual(idsOf(await page('order_by=id')), ids);
    assert.deepEqual(idsOf(await page('orderby=createdat+desc')), ids.toReversed());
    const second = await page('order_by=id&top=2&skip=2');
    assert.deepEqual(idsOf(second), ids.slice(2, 4));
    assert.deepEqual([second.start, second.end, second.count], [3, 4, 6]);
  });

  test('is filtered by action, by words and by unread', async () => {
    await ask('PUT', `/${ids[0]}/mark`);
    await addMembers(server, app.id, { write: [bob] });
    assert.deepEqual(
      [
        await count('action=post_created'),
        await count('action=post_created&unread=true'),
        await count('action=comment_created'),
        await count('q=ada+post+3'),
        await count('q=%22post+3%22&unread=false'),
        await count('q=nothing'),
        await count('tag=x'),
        await count('trashed=true'),
        await count('trashed=null'),
        await count('unread=null'),
        await count('unread=perhaps'),
      ],
      [6, 5, 0, 1, 0, 0, 0, 0, 6, 6, 6],
    );
  });

  test('costs the same statements for six as for one', async () => {
    const cost = async (top: number) => {
      statements = [];
      await ask('GET', `?expand=actor,user&top=${top}`);
      // The log may be looked at meanwhile.
      return statements.filter((sql) => !sql.includes('"events"')).length;
    };
    assert.equal(await cost(1), await cost(6));
  });

  test('is read from an index', () => {
    const watch = watchStore(server.folder);
    try {
      const lists = statements.filter((sql) => /from "notifications"/.test(sql) && /limit/.test(sql));
      assert.ok(lists.length > 0);
      for (const sql of lists) {
        const { scans, sorts, steps } = watch.plan(sql);
        assert.ok(
          steps.some((step) => /\bnotifications_user/.test(step)),
          steps.join('\n'),
        );
        assert.deepEqual([scans, sorts], [[], []], steps.join('\n'));
      }
    } finally {
      watch.close();
    }
  });
});

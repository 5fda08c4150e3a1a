import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeApp, makeComment, makeUser } from 'confab-testing/fixtures.ts';
import { notificationsOf, settledLog } from 'confab-testing/notifications.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { callersOf, likeAbsent } from './cells.ts';
import { type Caller, inEachForm, makeWorld, type World } from './world.ts';

let world: World;
let writer: { uid: string; id: number; token: string };
let app: number;
let cells = 0;
let now = Date.parse('2026-11-21T08:00:00Z');
const server = useServer({}, { clock: { now: () => now } });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  writer = await makeUser(server, {}, 'w-write');
  app = (await makeApp(server, { access: 'write' })).id;
});

/** Creates a notification for the member with write access and returns its id. */
async function makeNotification(): Promise<number> {
  await makeComment(server, app, { text: `[x](@u${writer.id})` });
  await settledLog(server);
  return (await notificationsOf(server, writer.token))[0]?.id ?? 0;
}

const own = ['getNotification', 'markNotification', 'unmarkNotification', 'deleteNotification'] as const;
const forUsers = ['listNotifications', 'markNotifications'] as const;

async function send(id: string, target: number | string, headers: Record<string, string>): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  return await server.call(operation.method, operation.path.replace('{id}', String(target)), undefined, {
    as: null,
    headers,
  });
}

const assertLikeAbsent = likeAbsent();

function statusFor(caller: Caller, success: number): number {
  if (caller.kind === 'nobody') return 401;
  return caller.kind === 'key' || caller.uid === 'w-write' ? success : 404;
}

// A notification belongs to one user: for other users it does not exist, and keys see all.
describe('access to notifications', () => {
  for (const id of own)
    test(`by ${id}`, async () => {
      let target = await makeNotification();
      for (const caller of callersOf(id, world.callers)) {
        const answer = await send(id, target, caller.headers);
        cells += 1;
        assert.equal(answer.status, statusFor(caller, id === 'deleteNotification' ? 204 : 200), caller.name);
        if (answer.status === 404)
          await assertLikeAbsent(answer, `${id} by ${caller.name}`, () =>
            send(id, 987_654_321, caller.headers),
          );
        if (answer.status === 204) target = await makeNotification();
      }
    });

  for (const id of forUsers)
    test(`by ${id}`, async () => {
      const target = await makeNotification();
      for (const caller of callersOf(id, world.callers)) {
        const answer = await send(id, '', caller.headers);
        cells += 1;
        assert.equal(answer.status, caller.kind === 'token' ? 200 : 401, caller.name);
        const { is_unread } = (
          await send('getNotification', target, { authorization: `Bearer ${server.key}` })
        ).body;
        if (id === 'listNotifications' && caller.kind === 'token')
          assert.equal(answer.body.count > 0, caller.uid === 'w-write', caller.name);
        if (id === 'markNotifications' && caller.uid === 'w-write') assert.equal(is_unread, false);
        else if (id === 'markNotifications' && caller.kind !== 'token')
          assert.equal(typeof is_unread, 'boolean');
      }
    });

  test('by marking up to another user’s notification leaves that unchanged', async () => {
    const target = await makeNotification();
    for (const caller of world.callers.filter(({ kind, uid }) => kind === 'token' && uid !== 'w-write')) {
      const path = `/api/notifications/mark?id=${target}`;
      assert.equal(
        (await server.call('PUT', path, undefined, { as: null, headers: caller.headers })).status,
        404,
      );
      cells += 1;
    }
    const unread = await notificationsOf(server, writer.token, 'unread=true');
    assert.ok(unread.some(({ id }) => id === target));
  });

  test('by autocompletion needs a credential of any kind', async () => {
    for (const caller of world.callers) {
      const { status } = await send('autocompleteUsers', '', caller.headers);
      assert.equal(status, caller.kind === 'nobody' ? 401 : 200, caller.name);
      cells += 1;
    }
  });

  test('is counted', (t) => {
    t.diagnostic(`access to notifications: ${cells} cells, each with its exact status`);
    assert.ok(cells > 18 * 7);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeApp, makeComment } from 'confab-testing/fixtures.ts';
import { watchApp } from 'confab-testing/network/app-watch.ts';
import { readEvents } from 'confab-testing/network/event-stream.ts';
import { connectLive } from 'confab-testing/network/live.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import { assertCount, callersIn, cellsOfEngine, countCells, faultsOf, likeAbsent } from './cells.ts';
import { Supply } from './neighbours.ts';
import { expectedStatus, levelIn, type Policy } from './policy.ts';
import { type Caller, makeWorld, type Place, type World } from './world.ts';

const absent = 987_654_321;
let world: World;
let supply: Supply;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;
const postsApps = new Map<Place, number>();

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = await makeWorld(server, () => {
    now += 60_000;
  });
  supply = new Supply(server, world.callers);
  for (const place of world.places) {
    await supply.fill(place);
    const uid = place.apps.find((name) => name.endsWith('posts'));
    postsApps.set(place, (await server.call('GET', `/api/apps/${uid}?trashed=true`)).body.id);
  }
});
const watch = useStoreWatch(server);

const typing: Policy = {
  need: 'write',
  success: 204,
  hidden: 404,
  refused: 403,
  inTrash: 'gone',
  isForUsers: true,
};

/** What each operation about writing is about in a place. */
const places: { readonly [operation: string]: (place: Place) => number } = {
  typeMessage: (place) => supply.of(place).chat,
  typePost: (place) => postsApps.get(place) ?? 0,
  typeFileComment: (place) => place.file,
  typePostComment: (place) => place.post,
  typeComment: (place) => place.app.id,
  typeConversation: (place) => supply.of(place).chat,
};

async function send(id: string, of: number, caller: Caller): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace(/\{(?:app|id)\}/, String(of));
  return await server.call(operation.method, path, undefined, { as: null, headers: caller.headers });
}

/** The one status: a conversation is there for its members alone. */
function expected(id: string, caller: Caller, place: Place): number {
  const isOutside = caller.kind === 'token' && caller.membership === undefined;
  return id === 'typeConversation' && isOutside ? 404 : expectedStatus(typing, caller, place, 'id');
}

const watching: Policy = { need: 'read', success: 200, hidden: 404, inTrash: 'gone' };

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

async function tryCell(id: string, caller: Caller, place: Place): Promise<void> {
  const answer = await send(id, places[id]?.(place) ?? 0, caller);
  cells += 1;
  assert.equal(answer.status, expected(id, caller, place), answer.text);
  if (answer.status === 404)
    await assertLikeAbsent(answer, `${id} by ${caller.name}`, () => send(id, absent, caller));
}

/** The places whose comments a caller may see. */
function seenBy(caller: Caller): Place[] {
  return world.places.filter(
    (place) => caller.kind === 'key' || (!place.isTrashed && levelIn(caller, place) !== 'none'),
  );
}

function tokenOf({ headers }: Caller): string {
  return headers['authorization']?.replace('Bearer ', '') ?? '';
}

// Only users who may write in a place can send typing notices there; nothing is stored.
describe('the access matrix of typing notices', () => {
  for (const id of Object.keys(places))
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const place of world.places) {
        watch.hasCommitted();
        const nameOf = ({ name }: Caller) => `${name} in ${place.name}`;
        const tried = callersIn(world, place).filter((caller) =>
          isTried(id, { status: expected(id, caller, place), kind: caller.kind }),
        );
        wrong.push(...(await faultsOf(tried, nameOf, async (caller) => await tryCell(id, caller, place))));
        if (watch.hasCommitted()) wrong.push(`something was kept of one in ${place.name}`);
      }
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of who is writing: ${cells} cells, each with its exact status`);
    const ids = Object.keys(places);
    assertCount(cells, { all: countCells(world, ids), operations: ids.length });
  });
});

// Each transport sends each caller events only of apps that the caller may see.
describe('the access matrix of events', () => {
  test('of listEvents', async () => {
    for (const caller of world.callers) {
      const found = new Set<number>();
      for (let next = 0, more = true; more; ) {
        const sending = { as: null, headers: caller.headers };
        const { status, body } = await server.call(
          'GET',
          `/api/events?after=${next}&top=100`,
          undefined,
          sending,
        );
        assert.equal(status, caller.kind === 'nobody' ? 401 : 200, caller.name);
        if (status !== 200) break;
        for (const { action, comment } of body.data as { action: string; comment?: { app_id: number } }[])
          if (action === 'comment_created') found.add(comment?.app_id ?? 0);
        [next, more] = [body.next, body.has_more];
      }
      const wanted = caller.kind === 'nobody' ? [] : seenBy(caller).map(({ app }) => app.id);
      const ofPlaces = world.places.map(({ app }) => app.id).filter((id) => found.has(id));
      assert.deepEqual(ofPlaces.sort(), wanted.sort(), caller.name);
    }
  });

  test('of streamEvents', async () => {
    const mark = await makeApp(server, { access: 'read' });
    const { id } = await makeComment(server, mark.id);
    for (const caller of world.callers) {
      if (caller.headers['authorization']?.startsWith('Bearer ') !== true) continue;
      const reader = await readEvents(server, { as: tokenOf(caller), last: '0' });
      const isKnown = caller.kind !== 'nobody';
      assert.equal(reader.status, isKnown ? 200 : 401, caller.name);
      if (isKnown) {
        await reader.waitFor(({ comment }) => comment?.id === id);
        const created = reader.events.filter(({ action }) => action === 'comment_created');
        const found = new Set(created.map(({ comment }) => comment.app_id));
        const ofPlaces = world.places.map(({ app }) => app.id).filter((app) => found.has(app));
        assert.deepEqual(
          ofPlaces.sort(),
          seenBy(caller)
            .map(({ app }) => app.id)
            .sort(),
          caller.name,
        );
      }
      await reader.close();
    }
  });

  // HEAD has the status of GET, and opens no stream.
  test('of watchApp', async () => {
    const wrong: string[] = [];
    for (const place of world.places)
      for (const ref of ['id', 'uid'] as const)
        for (const caller of world.callers) {
          const path = `/api/apps/${place.app[ref]}/changes`;
          const wanted = expectedStatus(watching, caller, place, ref);
          if (!isTried(`watchApp by ${ref}`, { status: wanted, kind: caller.kind })) continue;
          const method = wanted === 200 ? 'HEAD' : 'GET';
          const sending = { as: null, headers: caller.headers };
          const { status } = await server.call(method, path, undefined, sending);
          if (status !== wanted)
            wrong.push(`${status} instead of ${wanted} for ${caller.name} in ${place.name}`);
        }
    assert.deepEqual(wrong, []);
    const open = await makeApp(server, { access: 'read' });
    const watch = await watchApp(server, open.id, { as: server.key });
    assert.equal(watch.status, 200);
    await watch.close();
  });

  test('of the channels of apps', async () => {
    const mark = await makeApp(server, { access: 'read' });
    const callers = world.callers.filter(({ kind }) => kind === 'token');
    const marked = `a${mark.id}:comment_created`;
    const channels = world.places.map(({ app }) => `a${app.id}:comment_updated`);
    const lives = await Promise.all(
      callers.map(async (caller) => {
        const live = await connectLive(server, tokenOf(caller));
        await live.subscribe(...channels, marked);
        return { caller, live };
      }),
    );
    for (const { comment, isTrashed } of world.places) {
      const { status } = await server.call('PATCH', `/api/comments/${comment}`, { text: 'other words' });
      assert.equal(status, isTrashed ? 404 : 200);
    }
    await makeComment(server, mark.id);
    for (const { caller, live } of lives) {
      await live.waitFor(marked);
      assert.deepEqual(
        live.received.map(([channel]) => channel).sort(),
        [...seenBy(caller).map(({ app }) => `a${app.id}:comment_updated`), marked].sort(),
        caller.name,
      );
      await live.stop();
    }
  });

  test('of the operations on a connection, which belongs to a user', async () => {
    for (const caller of world.callers) {
      const isUser = caller.kind === 'token';
      assert.equal((await send('negotiateConnection', 0, caller)).status, isUser ? 200 : 401, caller.name);
      for (const id of ['openConnection', 'sendToConnection', 'endConnection'])
        assert.equal((await send(id, 0, caller)).status, isUser ? 404 : 401, `${id} by ${caller.name}`);
    }
  });

  test('of another user’s connection, which looks like a missing one', async () => {
    const [owner, other] = world.callers.filter(({ kind }) => kind === 'token');
    assert.ok(owner !== undefined && other !== undefined);
    const { body } = await send('negotiateConnection', 0, owner);
    const path = `/hubs/rtm?id=${body.connectionId}`;
    const opened = await server.call('GET', path, undefined, { as: null, headers: owner.headers });
    assert.deepEqual([opened.status, opened.text], [200, '']);
    const greeted = await server.call('POST', path, '{"protocol":"json","version":1}\u001e', {
      as: null,
      headers: { ...owner.headers, 'content-type': 'text/plain;charset=UTF-8' },
    });
    assert.equal(greeted.status, 202);
    for (const method of ['GET', 'POST', 'DELETE'])
      assert.equal(
        (await server.call(method, path, undefined, { as: null, headers: other.headers })).status,
        404,
        method,
      );
    const ended = await server.call('DELETE', path, undefined, { as: null, headers: owner.headers });
    assert.equal(ended.status, 202);
    const gone = await server.call('GET', path, undefined, { as: null, headers: owner.headers });
    assert.equal(gone.status, 404);
  });
});

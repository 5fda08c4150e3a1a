import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { makeUser } from 'confab-testing/fixtures.ts';
import { type Answer, before, useServer } from 'confab-testing/server.ts';
import { useStoreWatch } from 'confab-testing/stores/store-watch.ts';
import {
  assertCount,
  callersIn,
  callersOf,
  cellsOfEngine,
  countCells,
  likeAbsent,
  tryCells,
} from './cells.ts';
import { Supply } from './neighbours.ts';
import { levelIn } from './policy.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

const absent = 987_654_321;
let world: World;
let supply: Supply;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;

const server = useServer({}, { clock: { now: () => now }, isQuiet: true });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  supply = new Supply(server, world.callers);
  for (const place of world.places) await supply.fill(place);
});
const watch = useStoreWatch(server);

/** The operations on one conversation; those but the first act on the caller. */
const onOne = [
  'getConversation',
  'setDelivered',
  'markConversation',
  'unmarkConversation',
  'pinConversation',
  'unpinConversation',
];

async function send(id: string, of: number, caller: Caller, body?: unknown): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace('{id}', String(of));
  return await server.call(operation.method, path, body, { as: null, headers: caller.headers });
}

/** The one status of an operation: only a member with access and an API key know of a conversation. */
function expected(id: string, caller: Caller, place: Place): number {
  if (caller.kind === 'nobody') return 401;
  if (caller.kind === 'key' && id !== 'getConversation') return 401;
  if (place.isTrashed) return 404;
  if (caller.kind === 'key') return 200;
  return caller.membership === undefined || caller.membership === 'none' ? 404 : 200;
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

/** Tries an operation on one place as everyone. */
async function tryPlace(id: string, place: Place): Promise<string[]> {
  const tried = callersIn({ callers: callersOf(id, world.callers) }, place).filter((caller) =>
    isTried(id, { status: expected(id, caller, place), kind: caller.kind }),
  );
  cells += tried.length;
  return await tryCells(tried, {
    nameOf: ({ name }) => `${name} in ${place.name}`,
    expected: (caller) => expected(id, caller, place),
    send: (caller) => send(id, supply.of(place).chat, caller),
    hasChanged: () => watch.hasCommitted(),
    // Each acts on the caller alone.
    isRead: true,
    async refused(caller, answer) {
      if (answer.status === 404)
        await assertLikeAbsent(answer, `${id} by ${caller.name}`, () => send(id, absent, caller));
    },
  });
}

// A conversation belongs to its members, however open its app is: to all others it does not exist.
describe('the access matrix of conversations', () => {
  for (const id of onOne)
    test(`of ${id}`, async () => {
      const wrong: string[] = [];
      for (const place of world.places) wrong.push(...(await tryPlace(id, place)));
      assert.deepEqual(wrong, []);
    });

  test('of the list, the badge and the start', async () => {
    for (const caller of world.callers) {
      const status = caller.kind === 'token' ? 200 : 401;
      const list = await send('listConversations', 0, caller);
      assert.equal(list.status, status, caller.name);
      assert.equal((await send('getBadge', 0, caller)).status, status, caller.name);
      const start = await send('createConversation', 0, caller);
      assert.equal(start.status, caller.kind === 'token' ? 422 : 401, caller.name);
      if (caller.kind !== 'token') continue;
      const own = world.places.filter((place) => expected('getConversation', caller, place) === 200);
      assert.deepEqual(
        list.body.data.map((item: { id: number }) => item.id).sort(),
        own.map((place) => supply.of(place).chat).sort(),
        caller.name,
      );
    }
  });

  test('of the start with a visible user', async () => {
    const guest = { members: [(await makeUser(server, { directory: 'here' })).id] };
    for (const caller of world.callers) {
      const status = caller.kind !== 'token' ? 401 : caller.directory === 'here' ? 201 : 422;
      const answer = await send('createConversation', 0, caller, guest);
      assert.equal(answer.status, status, `${caller.name}: ${answer.text}`);
    }
  });

  test('of the list of all messages', async () => {
    for (const caller of world.callers) {
      const list = await send('listMessages', 0, caller);
      assert.equal(list.status, caller.kind === 'nobody' ? 401 : 200, caller.name);
      if (caller.kind === 'nobody') continue;
      const readable = world.places.filter((place) => !place.isTrashed && levelIn(caller, place) !== 'none');
      assert.deepEqual(
        list.body.data.map((item: { id: number }) => item.id).sort(),
        readable.map((place) => supply.of(place).message).sort(),
        caller.name,
      );
      assert.equal(list.body.count, readable.length, caller.name);
    }
  });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of conversations: ${cells} cells, each with its exact status`);
    assertCount(cells, { all: countCells(world, onOne), operations: onOne.length });
  });
});

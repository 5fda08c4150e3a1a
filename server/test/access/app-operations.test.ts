import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { nearIds, refRows } from 'confab-testing/catalogue/refs.ts';
import { assertEach } from 'confab-testing/catalogue/rows.ts';
import { makeApp } from 'confab-testing/fixtures.ts';
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
import { expectedStatus, levelIn, type Policy } from './policy.ts';
import { type Caller, inEachForm, makePlace, makeWorld, type Place, type World } from './world.ts';

const read = { need: 'read', success: 204, hidden: 404, inTrash: 'gone', isForUsers: true } as const;
const credential = { need: 'credential' } as const;

/** The intent of the operations on apps that are not specified, and of what stands by itself. */
const policies: { readonly [operation: string]: Policy & { readonly body?: unknown } } = {
  starApp: read,
  unstarApp: read,
  explainAccess: { need: 'read', success: 200, hidden: 404, inTrash: 'there' },
  listAnchors: { need: 'read', success: 200, hidden: 404, inTrash: 'gone' },
  listStars: { ...credential, success: 200, isForUsers: true },
  getFeatures: { ...credential, success: 200, isForUsers: true },
  deleteApp: {
    need: 'manage',
    success: 204,
    hidden: 404,
    refused: 403,
    inTrash: 'there',
    alwaysChanges: true,
  },
  initApp: {
    need: 'key',
    success: 200,
    refused: 403,
    body: { app: { uid: 'w-init', type: 'comments' }, user: { uid: 'w-spare' } },
  },
  // At a time that does not come, so that it refuses nothing to the callers of the other rows.
  lockApp: {
    need: 'moderate',
    success: 200,
    hidden: 404,
    refused: 403,
    inTrash: 'gone',
    body: { locked_at: '2999-01-01T00:00:00Z' },
  },
  unlockApp: { need: 'moderate', success: 200, hidden: 404, refused: 403, inTrash: 'gone' },
  createMeeting: { ...credential, success: 201, alwaysChanges: true, body: { provider: 'jitsi' } },
};

const absent = { id: 987_654_321, uid: 'w-there-is-none' } as const;
let world: World;
let places: Place[];
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;

const server = useServer({}, { clock: { now: () => now } });
before(async () => {
  world = inEachForm(
    await makeWorld(server, () => {
      now += 60_000;
    }),
  );
  places = [...world.places];
});
const watch = useStoreWatch(server);

async function send(id: string, app: string | number, caller: Caller): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace('{app}', String(app)).replace('{set}', 'comments');
  return await server.call(operation.method, path, policies[id]?.body, { as: null, headers: caller.headers });
}

let told = 0;

/** Whether the log has events since the last call; notifications come later, without a request. */
function hasTold(): boolean {
  const before = told;
  const rows = watch.rows("select count(*) as n from events where action not like 'notification%'");
  told = Number(rows[0]?.['n']);
  return told !== before;
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

/** Tries an operation on one place as everyone, by its id or uid. */
async function tryPlace(id: string, ref: 'id' | 'uid', index: number): Promise<string[]> {
  const policy = policies[id];
  const placeNow = () => places[index] as Place;
  assert.ok(policy !== undefined);
  const expected = (caller: Caller) => expectedStatus(policy, caller, placeNow(), ref);
  const tried = callersIn({ callers: callersOf(id, world.callers) }, placeNow()).filter((caller) =>
    isTried(`${id} by ${ref}`, { status: expected(caller), kind: caller.kind }),
  );
  cells += tried.length;
  return await tryCells(tried, {
    nameOf: ({ name }) => `${name} in ${placeNow().name} by ${ref}`,
    expected,
    send: (caller) => send(id, placeNow().app[ref], caller),
    hasChanged: hasTold,
    isRead: operationList.find((known) => known.id === id)?.method === 'GET',
    async accepted(_, __, hasChanged) {
      if (policy.alwaysChanges === true)
        assert.ok(hasChanged, 'it was answered as done and nothing was told');
      if (id === 'deleteApp') places[index] = await makePlace(server, placeNow());
    },
    async refused(caller, answer) {
      const isHidden = levelIn(caller, placeNow()) === 'none' || placeNow().isTrashed;
      if (answer.status === 404 && isHidden)
        await assertLikeAbsent(answer, `${id} by ${ref} by ${caller.name}`, () =>
          send(id, absent[ref], caller),
        );
    },
  });
}

// Each of these operations, by every kind of caller in every state of an app, has the one status that is intended.
describe('the access matrix of the operations on apps', () => {
  for (const [id, policy] of Object.entries(policies))
    test(`of ${id}`, async () => {
      const declared = operationList.find((known) => known.id === id);
      for (const status of [policy.hidden, policy.refused])
        assert.ok(status === undefined || declared?.errors.includes(status), `${status} is not declared`);
      const wrong: string[] = [];
      for (const index of places.keys())
        for (const ref of ['id', 'uid'] as const) wrong.push(...(await tryPlace(id, ref, index)));
      assert.deepEqual(wrong, []);
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of the operations on apps: ${cells} cells, each with its exact status`);
    const ids = Object.keys(policies);
    assertCount(cells, { all: countCells(world, ids) * 2, operations: ids.length });
  });
});

// A path that names nothing is 404 on every verb.
describe('a bad reference', () => {
  for (const [method, path] of [
    ['GET', '/api/embeds/'],
    ['GET', '/api/meetings/'],
  ] as const)
    test(`in ${method} ${path}`, async () => {
      const rows = [...refRows.map(({ text }) => text), ...nearIds(7)];
      await assertEach(
        rows,
        (text) => text.slice(0, 40),
        async (text) => ({
          expected: 404,
          answer: await fetch(server.url + path + text, bearer(server.key)),
        }),
      );
    });

  test('in DELETE /api/apps/', async () => {
    const { id } = await makeApp(server);
    await assertEach(
      nearIds(id),
      (text) => text.slice(0, 40),
      async (text) => ({
        expected: 404,
        answer: await fetch(`${server.url}/api/apps/${text}`, { method: 'DELETE', ...bearer(server.key) }),
      }),
    );
    assert.equal((await server.call('GET', `/api/apps/${id}`)).status, 200);
  });
});

function bearer(secret: string): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${secret}` } };
}

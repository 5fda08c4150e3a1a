import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { operationList } from 'confab-contract/index.ts';
import { type Answer, before, use, useServer } from 'confab-testing/server.ts';
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
import { type Neighbour, neighbours, Supply } from './neighbours.ts';
import { expectedStatus, levelIn } from './policy.ts';
import { assertScoped, makeScopedKeys, scopesOfEngine } from './scopes.ts';
import { type Caller, inEachForm, makeWorld, type Place, type World } from './world.ts';

const absent = 987_654_321;
let world: World;
let supply: Supply;
let now = Date.parse('2026-11-21T08:00:00Z');
let cells = 0;

const server = useServer({}, { clock: { now: () => now } });
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
const keys = use(() => makeScopedKeys(server));

async function send(id: string, of: number, { headers }: Pick<Caller, 'headers'>): Promise<Answer> {
  const operation = operationList.find((known) => known.id === id);
  assert.ok(operation !== undefined, id);
  const path = operation.path.replace(/\{(?:id|app)\}/, String(of));
  return await server.call(operation.method, path, neighbours[id]?.body, { as: null, headers });
}

let told = 0;

/** Whether the log has events since the last call; notifications come later, without a request. */
function hasTold(): boolean {
  const rows = watch.rows(
    `select max(id) as id from events where id > ${told} and action not like 'notification%'`,
  );
  const id = rows[0]?.['id'];
  if (id !== null) told = Number(id);
  return id !== null;
}

const assertLikeAbsent = likeAbsent();
const isTried = cellsOfEngine();

/** Tries an operation on one place as everyone. */
async function tryPlace(id: string, row: Neighbour, place: Place): Promise<string[]> {
  const expected = (caller: Caller) => expectedStatus(row, caller, place, 'id');
  const tried = callersIn({ callers: callersOf(id, world.callers) }, place).filter((caller) =>
    isTried(id, { status: expected(caller), kind: caller.kind }),
  );
  cells += tried.length;
  return await tryCells(tried, {
    nameOf: ({ name }) => `${name} in ${place.name}`,
    expected,
    send: (caller) => send(id, supply.of(place)[row.thing], caller),
    hasChanged: hasTold,
    isRead: operationList.find((known) => known.id === id)?.method === 'GET',
    async accepted({ isOfSecondForm }, __, hasChanged) {
      const isAgain = row.isOnce === true && isOfSecondForm === true;
      if (row.alwaysChanges === true && !isAgain)
        assert.ok(hasChanged, 'it was answered as done and nothing was told');
      if (row.isEnd === true) await supply.make(place, row.thing);
    },
    async refused(caller, answer) {
      if (answer.status === 404 && (levelIn(caller, place) === 'none' || place.isTrashed))
        await assertLikeAbsent(answer, `${id} by ${caller.name}`, () => send(id, absent, caller));
    },
  });
}

// Every operation on the content of apps, by every kind of caller in every state of an app, has the status in the
// table.
describe('the access matrix of the neighbours', () => {
  for (const [id, row] of Object.entries(neighbours))
    test(`of ${id}`, async () => {
      const declared = operationList.find((known) => known.id === id);
      for (const status of [row.hidden, row.refused])
        assert.ok(status === undefined || declared?.errors.includes(status), `${status} is not declared`);
      const wrong: string[] = [];
      for (const place of world.places) wrong.push(...(await tryPlace(id, row, place)));
      assert.deepEqual(wrong, []);
    });

  for (const [id, row] of Object.entries(neighbours))
    test(`of ${id} with keys of one scope each`, async () => {
      const operation = operationList.find((known) => known.id === id);
      assert.ok(operation !== undefined);
      for (const place of world.places.filter(({ access }) => access === 'none'))
        for (const scope of scopesOfEngine(operation)) {
          hasTold();
          const headers = { authorization: `Bearer ${keys[scope]}` };
          const answer = await send(id, supply.of(place)[row.thing], { headers });
          const hasChanged = hasTold();
          assertScoped(answer, operation, { scope, policy: row, place });
          if (answer.status >= 300) assert.equal(hasChanged, false, 'it was refused and something was told');
          else if (row.isEnd === true) await supply.make(place, row.thing);
        }
    });

  test('is counted', (t) => {
    t.diagnostic(`access matrix of the neighbours: ${cells} cells, each with its exact status`);
    const ids = Object.keys(neighbours);
    assertCount(cells, { all: countCells(world, ids), operations: ids.length });
  });
});
